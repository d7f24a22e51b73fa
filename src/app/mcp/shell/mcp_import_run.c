/* `weir mcp import`: the servers of another client. What is written goes to standard output, what is said about it to standard error. */
#include "app/mcp/shell/mcp_shell.h"

#include <unistd.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "store/config/mcp_import.h"
#include "store/config/settings_edit.h"

static void import_complain(const char *sentence)
{
	complain("%s", sentence);
}

static bool import_is_key(const void *setup, struct str variable)
{
	return setup_is_key_variable(setup, variable);
}

static bool import_write(const struct mcp_import *im, const char *config, struct error *err)
{
	struct settings_change *changes = mem_resize(NULL, im->count + 1, sizeof *changes);

	for (size_t i = 0; i < im->count; i++)
		changes[i] = (struct settings_change){ im->entries[i].section, im->entries[i].name, str_from(im->entries[i].value) };
	bool good = settings_edit(config, changes, im->count, err);
	mem_free(changes);
	return good;
}

/* Whoever can be asked has seen what is to be written. */
static bool import_is_wanted(const struct mcp_import *im, const struct options *o, const char *file)
{
	if (o->dry_run || o->yes || !im->servers || !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return !o->dry_run;
	return confirm("Write %s to %s?", im->servers == 1 ? "it" : "them", file);
}

static int import_end(const struct mcp_import *im, const struct setup *setup)
{
	const char *are = im->servers == 1 ? "server is" : "servers are";
	const char *file = settings_file(&setup->settings) ? settings_file(&setup->settings) : "weir.conf";
	struct output out;
	struct error err = { "" };

	output_init(&out, STDOUT_FILENO);
	output_text(&out, buf_str(&im->shown));
	bool wanted = import_is_wanted(im, setup->options, file);
	if (wanted && !import_write(im, setup->options->config, &err)) {
		complain("%s; nothing is written", err.text);
		return EXIT_LOCAL;
	}
	if (!wanted && !setup->options->dry_run) {
		complain("nothing is written");
		return EXIT_CANCELLED;
	}
	if (wanted)
		complain("%zu %s written to %s", im->servers, are, file);
	else
		complain("nothing is written (--dry-run): %zu %s ready for %s", im->servers, are, file);
	return output_status(&out, im->refused ? EXIT_LOCAL : EXIT_DONE);
}

int mcp_import_run(const struct options *o, const char *path)
{
	struct mcp_import im = { .is_key = import_is_key, .tell = import_complain };
	struct setup setup;
	struct buf json;
	struct error err = { "" };
	int status;

	buf_init(&json, MCP_IMPORT_BYTES);
	if (!setup_init(&setup, o, &err)) {
		status = usage_error("%s", err.text);
	} else {
		im.settings = &setup.settings;
		im.ctx = &setup;
		if (!buf_read_file(&json, path, &err))
			status = usage_error("%s", err.text);
		else if (!mcp_import_read(&im, &json, &err))
			status = usage_error("%s: %s", path, err.text);
		else
			status = import_end(&im, &setup);
		mcp_import_fini(&im);
		setup_fini(&setup);
	}
	buf_fini(&json);
	return status;
}
