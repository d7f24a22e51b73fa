/* Names that the values of options can have (completion.h). */
#include "app/cli/completion.h"

#include <string.h>

#include "app/options/options.h"
#include "app/probe/probe_cases.h"
#include "app/screen/services/theme_choice.h"
#include "app/system/environment.h"
#include "app/tape/tape_forms.h"
#include "base/array.h"
#include "base/utf8.h"
#include "net/fault.h"
#include "store/config/choices.h"
#include "store/config/settings.h"
#include "store/history/history.h"
#include "wire/delta.h"
#include "wire/lint/lint.h"
#include "wire/mcp/revision.h"

#define CONVERSATIONS_MOST 50

/* --- names --- */

/* What names are taken from. */
struct known {
	struct settings settings;
	struct providers *providers;
	struct choices choices;
};

/* Settings that cannot be read give the names that the program has of itself. */
static void known_init(struct known *known)
{
	struct error err;

	*known = (struct known){ .providers = providers_new(process_environment) };
	settings_init(&known->settings);
	if (settings_read(&known->settings, known->providers, NULL, &err) && known->settings.remember)
		choices_read(&known->choices);
}

static void known_fini(struct known *known)
{
	choices_fini(&known->choices);
	settings_fini(&known->settings);
	providers_free(known->providers);
}

/* A name that means the same, unquoted, to every shell. It could not begin as an option. */
static bool name_is_plain(struct str name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!char_is_word(name.ptr[i]) && !strchr("._-+:/@,%", name.ptr[i]))
			return false;
	return name.len && *name.ptr != '-';
}

static bool names_have(const struct buf *out, struct str name)
{
	struct str rest = buf_str(out), line;

	while (str_split(&rest, '\n', &line))
		if (str_equal(line, name))
			return true;
	return false;
}

static void name_add(struct buf *out, const char *name)
{
	struct str text = str_from(name);

	if (name_is_plain(text) && !names_have(out, text))
		buf_printf(out, "%s\n", name);
}

static void add_providers(struct known *known, struct buf *out)
{
	for (size_t i = 0; i < providers_count(known->providers); i++)
		name_add(out, providers_at(known->providers, i)->name);
}

/* Those that are named somewhere. */
static void add_models(struct known *known, struct buf *out)
{
	const struct settings *s = &known->settings;

	name_add(out, choices_get(&known->choices, "model"));
	name_add(out, s->model);
	for (size_t i = 0; i < providers_count(known->providers); i++)
		name_add(out, providers_at(known->providers, i)->model);
	for (size_t i = 0; i < s->roles.count; i++)
		name_add(out, s->roles.items[i].model);
	for (size_t i = 0; i < s->templates.count; i++)
		name_add(out, s->templates.items[i].model);
}

static void add_roles(struct known *known, struct buf *out)
{
	for (size_t i = 0; i < known->settings.roles.count; i++)
		name_add(out, known->settings.roles.items[i].name);
	name_add(out, ROLE_OFF);
}

static void add_templates(struct known *known, struct buf *out)
{
	for (size_t i = 0; i < known->settings.templates.count; i++)
		name_add(out, known->settings.templates.items[i].name);
}

static void add_protocols(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; protocol_at(i); i++)
		name_add(out, protocol_at(i)->name);
}

static void add_dialects(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; dialect_at(i); i++)
		name_add(out, dialect_at(i)->name);
}

static void add_themes(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; theme_choice_at(i); i++)
		name_add(out, theme_choice_at(i));
}

static void add_levels(struct known *known, struct buf *out)
{
	(void)known;
	for (int level = REASONING_LEVEL_OFF; level < REASONING_LEVEL_COUNT; level++)
		name_add(out, reasoning_level_name((enum reasoning_level)level));
}

static void add_server_tools(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; server_tool_name_at(NULL, i); i++)
		name_add(out, server_tool_name_at(NULL, i));
	name_add(out, "off");
}

static void add_colours(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; options_colour_at(i); i++)
		name_add(out, options_colour_at(i));
}

static void add_faults(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; fault_word_at(i).name; i++)
		name_add(out, fault_word_at(i).name);
}

static void add_lint_rules(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; lint_rule_at(i); i++)
		name_add(out, lint_rule_id(lint_rule_at(i)));
}

static void add_probe_cases(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; probe_case_at(i); i++)
		name_add(out, probe_case_at(i)->name);
}

static bool add_key(void *ctx, const struct history_conversation *c)
{
	name_add(ctx, c->key);
	return true;
}

/* Nothing if the history is not there, or busy. */
static void add_conversations(struct known *known, struct buf *out)
{
	enum history_status status;
	struct error ignored;
	struct history *h = history_open(0, &status, &ignored);

	(void)known;
	name_add(out, "last");
	if (h)
		history_list(h, NULL, CONVERSATIONS_MOST, add_key, out, &ignored);
	history_close(h);
}

static void add_formats(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; options_format_at(i); i++)
		name_add(out, options_format_at(i));
}

static void add_sums(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; options_by_at(i); i++)
		name_add(out, options_by_at(i));
}

static void add_choices(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; options_choose_at(i); i++)
		name_add(out, options_choose_at(i));
}

static void add_deltas(struct known *known, struct buf *out)
{
	(void)known;
	for (unsigned kind = 0; kind < DELTA_KIND_COUNT; kind++)
		name_add(out, delta_kind_name((enum delta_kind)kind));
}

static void add_severities(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; options_severity_at(i); i++)
		name_add(out, options_severity_at(i));
}

static void add_revisions(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; mcp_revision_at(NULL, i); i++)
		name_add(out, mcp_revision_at(NULL, i));
}

static void add_tools(struct known *known, struct buf *out)
{
	for (size_t i = 0; i < known->settings.tools.count; i++)
		name_add(out, known->settings.tools.items[i].name);
}

static void add_mcp_servers(struct known *known, struct buf *out)
{
	for (size_t i = 0; i < known->settings.mcp_servers.count; i++)
		name_add(out, known->settings.mcp_servers.items[i].name);
}

static void add_tape_forms(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; tape_form_at(i); i++)
		name_add(out, tape_form_at(i));
}

/* In order; a kind that asks the settings is not written into scripts. */
static const struct {
	const char *name;
	void (*add)(struct known *known, struct buf *out);
	bool asks;
} kinds[] = {
	{ "providers", add_providers, true }, { "models", add_models, true }, { "roles", add_roles, true }, { "templates", add_templates, true },
	{ "conversations", add_conversations, true }, { "tools", add_tools, true }, { "mcp-servers", add_mcp_servers, true },
	{ "protocols", add_protocols, false }, { "dialects", add_dialects, true }, { "themes", add_themes, false },
	{ "levels", add_levels, false }, { "server-tools", add_server_tools, false }, { "colours", add_colours, false },
	{ "faults", add_faults, false }, { "lint-rules", add_lint_rules, false }, { "probe-cases", add_probe_cases, false },
	{ "sums", add_sums, false }, { "formats", add_formats, false }, { "tape-forms", add_tape_forms, false }, { "choices", add_choices, false },
	{ "severities", add_severities, false }, { "deltas", add_deltas, false },
	{ "revisions", add_revisions, false },
};

bool completion_write_names(const char *kind, struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct known known;

		if (strcmp(kinds[i].name, kind) != 0)
			continue;
		known_init(&known);
		kinds[i].add(&known, out);
		known_fini(&known);
		return true;
	}
	return false;
}

/* --- options --- */

/* The kinds of values that a name has, also of one subcommand only; FILE, FOLDER and PATH are files, other values are free. */
static const struct { const char *option, *kind; unsigned subcommand; } values[] = {
	{ "to", "tape-forms", 1u << SUBCOMMAND_TAPE }, { "to", "providers", 1u << SUBCOMMAND_PROXY },
	{ "provider", "providers", 0 }, { "model", "models", 0 }, { "protocol", "protocols", 0 }, { "dialect", "dialects", 0 },
	{ "role", "roles", 0 }, { "template", "templates", 0 }, { "theme", "themes", 0 }, { "reasoning", "levels", 0 },
	{ "server-tools", "server-tools", 0 }, { "tools-allow", "tools", 0 }, { "color", "colours", 0 }, { "fault", "faults", 0 },
	{ "choose", "choices", 0 }, { "as", "protocols", 0 }, { "explain", "lint-rules", 0 }, { "ignore", "lint-rules", 1u << SUBCOMMAND_LINT },
	{ "ignore", "deltas", 1u << SUBCOMMAND_TAPE }, { "fail-on", "severities", 0 }, { "against", "providers", 0 }, { "cases", "probe-cases", 0 },
	{ "by", "sums", 0 }, { "format", "formats", 0 }, { "conversation", "conversations", 0 }, { "protocol-version", "revisions", 0 },
};

static bool kind_asks(const char *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (!strcmp(kinds[i].name, kind))
			return kinds[i].asks;
	return false;
}

enum completes completion_of(const struct option_help *option, const char **kind)
{
	*kind = NULL;
	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		if (!strcmp(values[i].option, option->name) && (!values[i].subcommand || values[i].subcommand & option->subcommands))
			*kind = values[i].kind;
	if (*kind)
		return kind_asks(*kind) ? COMPLETES_NAMES : COMPLETES_WORDS;
	return option->argument && (!strcmp(option->argument, "FILE") || !strcmp(option->argument, "PATH") || !strcmp(option->argument, "FOLDER"))
	               ? COMPLETES_FILES : COMPLETES_NOTHING;
}
