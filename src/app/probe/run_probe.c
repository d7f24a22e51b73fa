#include "app/options/options.h"
#include "app/options/subcommand.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "app/probe/probe.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "app/system/signals.h"

static unsigned probe_width(const struct output *out)
{
	struct winsize size;

	return out->terminal && ioctl(out->fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static int probe_print(const struct probe *p)
{
	const struct options *o = p->setup->options;
	struct output out;
	struct buf text = { 0 };
	bool good = !probe_count(p, PROBE_FINDINGS) && !probe_count(p, PROBE_FAILED) && !probe_count(p, PROBE_ABSENT) &&
	            !probe_count(p, PROBE_NOT_RUN);

	output_init(&out, STDOUT_FILENO);
	if (o->json) {
		probe_write_json(p, &text);
		output_flush_json(&out, &text);
	} else {
		if (o->markdown)
			probe_write_markdown(p, &text);
		else
			probe_write_table(p, probe_width(&out), &text);
		output_text(&out, buf_str(&text));
	}
	buf_fini(&text);
	if (out.failure) {
		(void)output_status(&out, EXIT_DONE);
		return EXIT_USAGE; /* the status of a failure of its own; 1 is that of findings */
	}
	return output_status(&out, p->stopped ? EXIT_CANCELLED : good ? EXIT_DONE : EXIT_LOCAL);
}

static int probe_show_plan(const struct probe *p, int fd)
{
	struct buf text = { 0 };

	probe_write_plan(p, &text);
	return output_print(fd, &text, EXIT_DONE);
}

static int probe_send(struct probe *p)
{
	const struct options *o = p->setup->options;
	struct error err;

	if (o->dry_run)
		return probe_show_plan(p, STDOUT_FILENO);
	if (!o->yes && !isatty(STDIN_FILENO))
		return usage_error("probe asks on a terminal before it sends; --yes sends without asking, --dry-run says what it would send");
	(void)probe_show_plan(p, STDERR_FILENO);
	if (!o->yes && !confirm("Send them?"))
		return EXIT_CANCELLED;
	if (!probe_open_folder(p, o->output, &err))
		return usage_error("%s", err.text);
	probe_run(p);
	return probe_print(p);
}

int run_probe(const struct options *o)
{
	struct setup setup;
	struct probe probe;
	struct error err;
	int status;

	if (o->argument_count)
		return usage_error("probe takes no argument '%s'; name a provider with -p", o->arguments[0]);
	if (o->json && o->markdown)
		return usage_error("--json and --markdown exclude each other");
	if (!o->provider && !o->base_url)
		return usage_error("probe sends requests that cost money: name the provider with -p; weir providers lists them");
	probe_init(&probe, &setup);
	status = setup_init(&setup, o, &err) && probe_choose(&probe, &err) ? probe_send(&probe) : usage_error("%s", err.text);
	probe_fini(&probe);
	setup_fini(&setup);
	signals_close();
	return status;
}
