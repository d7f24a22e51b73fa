#include "app/cli/man.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/man_page.h"
#include "app/command/command.h"
#include "app/history/history_verbs.h"
#include "app/mcp/shell/mcp_verbs.h"
#include "app/options/options.h"
#include "app/probe/probe_cases.h"
#include "app/screen/replay/inspect.h"
#include "app/screen/replay/player_keys.h"
#include "app/serve/serve_rules.h"
#include "app/setup/setting_change.h"
#include "app/system/output.h"
#include "app/tape/tape_verbs.h"
#include "base/array.h"
#include "chat/provider/dialect_set.h"
#include "chat/provider/presets.h"
#include "chat/provider/server_tools.h"
#include "net/fault.h"
#include "store/config/settings.h"
#include "ui/pane/status.h"
#include "wire/usage.h"

#define PAGE_LIMIT ((size_t)1 << 20)
#define BEGIN ".\\\" begin "
#define END ".\\\" end "

/* --- roff --- */

/* Escapes hyphens, so that the user can copy them. Our texts have no line that begins with a dot. */
static void man_text(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '-')
			buf_add_z(out, "\\-");
		else if (*text == '\\')
			buf_add_z(out, "\\e");
		else
			buf_add_byte(out, *text);
	}
}

static void man_bold(struct buf *out, const char *text)
{
	buf_add_z(out, "\\fB");
	man_text(out, text);
	buf_add_z(out, "\\fR");
}

static void man_italic(struct buf *out, const char *text)
{
	buf_add_z(out, "\\fI");
	man_text(out, text);
	buf_add_z(out, "\\fR");
}

static void man_help(struct buf *out, const char *help)
{
	buf_add_z(out, "\n");
	man_text(out, help);
	buf_add_z(out, ".\n");
}

/* An entry: a name in bold, an argument in italics (NULL: none), a sentence without its full stop. */
static void man_entry(struct buf *out, const char *name, const char *argument, const char *help)
{
	buf_add_z(out, ".TP\n");
	man_bold(out, name);
	if (argument && *argument) {
		buf_add_byte(out, ' ');
		man_italic(out, argument);
	}
	man_help(out, help);
}

/* --- tables: `of` is the word behind the name of a block --- */

/* The subcommand, or the default one. */
static const struct subcommand *man_subcommand(struct str of, enum subcommand_id *id)
{
	for (*id = 0; *id < SUBCOMMAND_COUNT; ++*id)
		if (str_is(of, subcommand_row(*id)->name))
			return subcommand_row(*id);
	return subcommand_row(*id = 0);
}

static void man_name(struct buf *out, struct str of)
{
	enum subcommand_id id;
	const struct subcommand *c = man_subcommand(of, &id);

	man_text(out, c->page);
	buf_add_z(out, " \\- ");
	man_text(out, c->help);
	buf_add_byte(out, '\n');
}

static void man_synopsis(struct buf *out, struct str of)
{
	enum subcommand_id id;
	const struct subcommand *c = man_subcommand(of, &id);

	man_bold(out, "weir ");
	man_bold(out, c->name);
	buf_add_byte(out, ' ');
	man_text(out, c->synopsis);
	buf_add_byte(out, '\n');
}

/* "chat" or "streams". */
static void man_subcommands(struct buf *out, struct str of)
{
	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++) {
		const struct subcommand *c = subcommand_row(id);

		if ((c->group == GROUP_STREAMS) != str_is(of, "streams"))
			continue;
		buf_add_z(out, ".TP\n");
		man_synopsis(out, str_from(c->name));
		man_text(out, c->help);
		buf_add_z(out, ".\n");
		if (!strcmp(c->page, "weir"))
			continue;
		buf_add_z(out, "See\n.BR ");
		man_text(out, c->page);
		buf_add_z(out, " (1).\n");
	}
}

/* All pages but the one. */
static void man_see_also(struct buf *out, struct str of)
{
	bool first = true;

	for (size_t i = 0; man_page_at(i); i++) {
		if (str_is(of, man_page_at(i)->name))
			continue;
		buf_add_z(out, first ? ".BR " : ",\n.BR ");
		man_text(out, man_page_at(i)->name);
		buf_printf(out, " (%s)", man_page_at(i)->section);
		first = false;
	}
	buf_add_byte(out, '\n');
}

/* Those of one subcommand. */
static void man_options(struct buf *out, struct str of)
{
	struct option_help help;
	struct buf words = { 0 };
	enum subcommand_id id;

	man_subcommand(of, &id);
	for (size_t i = 0; options_help_at(i, &help); i++) {
		if (!(help.subcommands >> id & 1))
			continue;
		buf_add_z(out, ".TP\n");
		if (help.letter) {
			man_bold(out, (const char[]){ '-', help.letter, '\0' });
			buf_add_z(out, ", ");
		}
		man_bold(out, "--");
		man_bold(out, help.name);
		if (help.argument) {
			buf_add_byte(out, ' ');
			man_italic(out, help.argument);
		}
		buf_clear(&words);
		option_help_write(&help, &words);
		man_help(out, buf_z(&words));
	}
	buf_fini(&words);
}

static void man_setting(struct buf *out, const char *name, const char *fallback, const char *help)
{
	buf_add_z(out, ".TP\n");
	man_bold(out, name);
	if (fallback && *fallback) {
		buf_add_z(out, " (");
		man_text(out, fallback);
		buf_add_z(out, ")");
	}
	man_help(out, help);
}

static void man_rows(struct buf *out, struct ini_help (*help_at)(size_t index))
{
	for (size_t i = 0; help_at(i).name; i++)
		man_setting(out, help_at(i).name, help_at(i).fallback, help_at(i).help);
}

static void man_settings(struct buf *out, struct str of)
{
	(void)of;
	for (size_t i = 0; settings_help_at(i).name; i++) {
		struct setting_help setting = settings_help_at(i);

		man_setting(out, setting.name, setting.fallback, setting.help);
	}
}

/* A setting such as "header.", followed by a name. Its help begins with the full form: "header.NAME: ...". */
static void man_open_setting(struct buf *out, const char *help)
{
	struct str form, rest = str_from(help);
	char name[64];

	str_split(&rest, ':', &form);
	snprintf(name, sizeof name, "%.*s", STR_ARG(form));
	man_setting(out, name, NULL, str_trim(rest).ptr);
}

static void man_provider_settings(struct buf *out, struct str of)
{
	(void)of;
	for (size_t i = 0; provider_setting_at(i).name; i++) {
		struct str name = str_from(provider_setting_at(i).name);

		if (str_ends(name, "."))
			man_open_setting(out, provider_setting_at(i).help);
		else
			man_setting(out, provider_setting_at(i).name, provider_setting_at(i).fallback, provider_setting_at(i).help);
	}
}

/* What asks for each, where it can be asked for, and the document that says so. */
static void man_server_tools(struct buf *out, struct str of)
{
	struct server_tool_form form;

	(void)of;
	for (size_t i = 0; (form = server_tool_form_at(i)).name; i++) {
		struct buf line = { 0 };

		if (!form.body)
			continue;
		buf_printf(&line, "%s%s%s", form.protocol, form.service ? ", " : "", form.service ? form.service : "");
		if (form.model)
			buf_printf(&line, ", models with %s in their name", form.model);
		buf_printf(&line, ": %s (%s)", form.body, form.source);
		man_entry(out, form.name, NULL, buf_z(&line));
		buf_fini(&line);
	}
}

static void man_probe_cases(struct buf *out, struct str of)
{
	(void)of;
	for (size_t i = 0; probe_case_at(i); i++)
		man_entry(out, probe_case_at(i)->name, NULL, probe_case_at(i)->help);
}

static void man_faults(struct buf *out, struct str of)
{
	(void)of;
	for (size_t i = 0; fault_word_at(i).name; i++) {
		struct fault_word word = fault_word_at(i);

		buf_add_z(out, ".TP\n");
		man_bold(out, word.name);
		if (word.argument) {
			buf_add_byte(out, '=');
			man_italic(out, word.argument);
		}
		man_help(out, word.help);
	}
}

static void man_player(struct buf *out, struct str of)
{
	(void)of;
	for (size_t i = 0; player_keys_help_at(i); i++)
		man_entry(out, player_keys_help_at(i)->keys, NULL, player_keys_help_at(i)->help);
}

static void man_inspector(struct buf *out, struct str of)
{
	(void)of;
	for (size_t i = 0; inspect_keys_help_at(i); i++)
		man_entry(out, inspect_keys_help_at(i)->keys, NULL, inspect_keys_help_at(i)->help);
}

/* "screen", or "plain": what the linear mode has besides. */
static void man_keys(struct buf *out, struct str of)
{
	enum command_mode mode = str_is(of, "plain") ? COMMAND_PLAIN : COMMAND_SCREEN;
	const struct command *c;

	for (size_t i = 0; (c = command_at(mode, i)); i++) {
		if (mode == COMMAND_PLAIN && command_by_name(COMMAND_SCREEN, str_from(c->name)))
			continue;
		buf_add_z(out, ".TP\n");
		if (c->key)
			man_bold(out, c->key);
		if (c->letter) {
			buf_printf(out, "%s%s ", c->key ? ", " : "", c->on_item ? "on an item" : "in a pane");
			man_bold(out, c->letter == ' ' ? "space" : (char[]){ c->letter, 0 });
		}
		buf_add_z(out, c->key || c->letter ? ", " : "");
		if (c->name) {
			man_bold(out, "/");
			man_bold(out, c->name);
		}
		if (c->name && c->argument) {
			buf_add_byte(out, ' ');
			man_italic(out, c->argument);
		}
		if (!c->name) {
			buf_add_z(out, "in [keys] ");
			man_bold(out, c->bound_as);
		}
		man_help(out, c->help);
	}
}

static void man_aliases(struct buf *out, struct str of)
{
	const struct command_alias *alias;

	(void)of;
	for (size_t i = 0; (alias = command_alias_at(i)); i++) {
		buf_add_z(out, i ? ", " : "");
		man_bold(out, "/");
		man_bold(out, alias->name);
		buf_printf(out, " (/%s)%s", alias->command, command_alias_at(i + 1) ? "" : ".\n");
	}
}

static void man_tape_verbs(struct buf *out, struct str of)
{
	struct tape_verb_help verb;

	(void)of;
	for (size_t i = 0; tape_verb_at(i, &verb); i++)
		man_entry(out, verb.name, verb.arguments, verb.help);
}

static void man_mcp_verbs(struct buf *out, struct str of)
{
	(void)of;
	for (size_t i = 0; mcp_verb_at(i); i++)
		man_entry(out, mcp_verb_at(i)->name, mcp_verb_at(i)->arguments, mcp_verb_at(i)->help);
}

static void man_mcp_servers(struct buf *out, struct str of)
{
	(void)of;
	man_rows(out, mcp_server_setting_at);
	for (size_t i = 0; provider_setting_at(i).name; i++)
		if (mcp_server_shares(provider_setting_at(i).name))
			man_setting(out, provider_setting_at(i).name, NULL, provider_setting_at(i).help);
}

static void man_history_verbs(struct buf *out, struct str of)
{
	struct history_verb_help verb;

	(void)of;
	for (size_t i = 0; history_verb_at(i, &verb); i++)
		man_entry(out, verb.name, verb.arguments, verb.help);
}

static void man_presets(struct buf *out, struct str of)
{
	(void)of;
	for (size_t i = 0; preset_at(i); i++) {
		man_bold(out, preset_at(i)->name);
		buf_add_z(out, preset_at(i + 1) ? ",\n" : ".\n");
	}
}

static void man_usage_figures(struct buf *out, struct str of)
{
	(void)of;
	for (unsigned i = 0; i < USAGE_SUMMARY_COUNT; i++) {
		man_italic(out, usage_row((enum usage_figure)i)->member);
		buf_add_z(out, i + 1 < USAGE_SUMMARY_COUNT ? ",\n" : ".\n");
	}
}

static const struct {
	const char *name;
	void (*add)(struct buf *out, struct str of);
	struct ini_help (*help_at)(size_t index); /* in place of `add`: each row as it is */
} blocks[] = {
	{ "name", .add = man_name },
	{ "synopsis", .add = man_synopsis },
	{ "commands", .add = man_subcommands },
	{ "options", .add = man_options },
	{ "see-also", .add = man_see_also },
	{ "keys", .add = man_keys },
	{ "aliases", .add = man_aliases },
	{ "presets", .add = man_presets },
	{ "settings", .add = man_settings },
	{ "providers", .add = man_provider_settings },
	{ "server-tools", .add = man_server_tools },
	{ "dialects", .help_at = dialect_setting_at },
	{ "roles", .help_at = role_setting_at },
	{ "templates", .help_at = template_setting_at },
	{ "tools", .help_at = tool_setting_at },
	{ "prices", .help_at = price_table_help_at },
	{ "faults", .add = man_faults },
	{ "serve-rules", .help_at = serve_rule_entry_at },
	{ "player", .add = man_player },
	{ "inspector", .add = man_inspector },
	{ "probe-cases", .add = man_probe_cases },
	{ "tape-verbs", .add = man_tape_verbs },
	{ "history-verbs", .add = man_history_verbs },
	{ "mcp-verbs", .add = man_mcp_verbs },
	{ "mcp-servers", .add = man_mcp_servers },
	{ "usage-figures", .add = man_usage_figures },
};

/* --- the page --- */

static bool man_block(struct str block, struct buf *out, struct error *err)
{
	struct str of, name = str_first_word(block, &of);

	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		if (str_is(name, blocks[i].name)) {
			if (blocks[i].add)
				blocks[i].add(out, of);
			else
				man_rows(out, blocks[i].help_at);
			return true;
		}
	}
	return error_set(err, "the man page has an unknown table '%.*s'", STR_ARG(block));
}

/* Skips the old contents of a block. False when the block does not end. */
static bool man_skip_block(struct str *page, struct str name)
{
	struct str line;

	while (str_split(page, '\n', &line))
		if (str_starts(line, END) && str_equal(str_skip(line, sizeof END - 1), name))
			return true;
	return false;
}

/* ".TH NAME SECTION" and what belongs behind them. */
static void man_title(struct buf *out, struct str line)
{
	struct str rest, request = str_first_word(line, &rest), name = str_first_word(rest, &rest), section = str_first_word(rest, &rest);

	buf_printf(out, "%.*s %.*s %.*s \"" WEIR_RELEASED "\" \"weir " WEIR_VERSION "\" \"%s\"\n", STR_ARG(request), STR_ARG(name), STR_ARG(section),
	           str_is(section, "1") ? "User Commands" : "File Formats");
}

bool man_render(struct str page, struct buf *out, struct error *err)
{
	struct str line;

	while (str_split(&page, '\n', &line)) {
		struct str name = str_skip(line, sizeof BEGIN - 1);

		if (str_starts(line, ".TH ")) {
			man_title(out, line);
			continue;
		}
		buf_add(out, line);
		buf_add_byte(out, '\n');
		if (!str_starts(line, BEGIN))
			continue;
		if (!man_block(name, out, err))
			return false;
		if (!man_skip_block(&page, name))
			return error_set(err, "the table '%.*s' of the man page does not end", STR_ARG(name));
		buf_printf(out, END "%.*s\n", STR_ARG(name));
	}
	return true;
}

int man_write(const char *path)
{
	struct error err;
	struct buf page, rendered;
	int status;

	buf_init(&page, PAGE_LIMIT);
	buf_init(&rendered, PAGE_LIMIT);
	status = buf_read_file(&page, path, &err) && man_render(buf_str(&page), &rendered, &err) ?
	         output_print(STDOUT_FILENO, &rendered, EXIT_DONE) : usage_error("%s", err.text);
	buf_fini(&page);
	buf_fini(&rendered);
	return status;
}
