/* Names that the values of options can have (completion.h). */
#include "app/cli/completion.h"

#include <dirent.h>
#include <string.h>
#include <time.h>

#include "app/demo/demo.h"
#include "app/keep/conversation_list.h"
#include "app/options/options.h"
#include "app/probe/probe_cases.h"
#include "app/screen/services/theme_choice.h"
#include "app/system/environment.h"
#include "app/tape/tape_forms.h"
#include "app/tools/tool_set.h"
#include "base/array.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/provider/known_model.h"
#include "chat/provider/presets.h"
#include "net/fault.h"
#include "store/config/choices.h"
#include "store/config/settings.h"
#include "store/files/model_cache.h"
#include "store/files/paths.h"
#include "store/history/history.h"
#include "wire/delta.h"
#include "wire/lint/lint.h"
#include "wire/mcp/revision.h"

#define CONVERSATIONS_MOST 50

/* --- names --- */

#define NAMES_BYTES_MOST ((size_t)64 << 10) /* some thousand names */
#define TITLE_BYTES_MOST 100

/* What names are taken from. */
struct known {
	struct str of; /* the provider that is named, or "" */
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
		if (str_equal(str_head(line, str_find(line, STR("\t"))), name))
			return true;
	return false;
}

static bool name_add_text(struct buf *out, struct str name)
{
	bool is_new = name_is_plain(name) && out->len < NAMES_BYTES_MOST && !names_have(out, name);

	if (is_new)
		buf_printf(out, "%.*s\n", STR_ARG(name));
	return is_new;
}

static void name_add(struct buf *out, const char *name)
{
	name_add_text(out, str_from(name));
}

static void add_providers(struct known *known, struct buf *out)
{
	for (size_t i = 0; i < providers_count(known->providers); i++)
		name_add(out, providers_at(known->providers, i)->name);
}

/* --- models --- */

static void add_listed(void *out, const struct model_facts *facts)
{
	name_add_text(out, facts->id);
}

/* The lists that were fetched from a provider, else what is known of its models anyway. */
static void add_models_of(const struct provider *p, struct buf *out)
{
	size_t before = out->len;
	bool has_list;

	for (size_t i = 0; provider_is_demo(p) && demo_model_at(i); i++)
		name_add(out, demo_model_at(i));
	for (size_t i = 0; !provider_is_demo(p) && p->protocols[i]; i++) {
		struct model_cache_key key = { .provider = p->name, .protocol = p->protocols[i] };
		struct error ignored;

		if (provider_find_base_url(p, p->protocols[i], STR_NONE, &key.base_url, &ignored))
			(void)model_cache_read(&key, time(NULL), add_listed, out);
		has_list = out->len > before;
		for (size_t k = 0; !has_list && known_model_at(key.base_url, k); k++)
			name_add(out, known_model_at(key.base_url, k)->name);
	}
}

static bool is_of(const struct known *known, const char *provider)
{
	return !known->of.len || (provider && str_is(known->of, provider));
}

/* Those that are named somewhere; of the provider that is named, else of all. Then those of its lists. */
static void add_models(struct known *known, struct buf *out)
{
	const struct settings *s = &known->settings;
	const struct provider *p = providers_find(known->providers, known->of);
	const char *chosen = choices_get(&known->choices, "provider");

	if (is_of(known, chosen))
		name_add(out, choices_get(&known->choices, "model"));
	if (is_of(known, s->provider))
		name_add(out, s->model);
	for (size_t i = 0; i < providers_count(known->providers); i++)
		if (is_of(known, providers_at(known->providers, i)->name))
			name_add(out, providers_at(known->providers, i)->model);
	for (size_t i = 0; i < s->roles.count; i++)
		if (is_of(known, s->roles.items[i].provider))
			name_add(out, s->roles.items[i].model);
	for (size_t i = 0; !known->of.len && i < s->templates.count; i++)
		name_add(out, s->templates.items[i].model);
	if (!known->of.len)
		p = providers_default(known->providers, str_from(chosen ? chosen : s->provider), process_environment);
	if (p)
		add_models_of(p, out);
}

/* --- others --- */

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

/* Those that F5 lists, then one's own: files NAME.ini. */
static void add_themes(struct known *known, struct buf *out)
{
	char *folder = path_of(PATH_CONFIG, "themes");
	DIR *dir = folder ? opendir(folder) : NULL;
	const struct dirent *entry;

	(void)known;
	for (size_t i = 0; theme_choice_at(i); i++)
		name_add(out, theme_choice_at(i));
	while (dir && (entry = readdir(dir))) {
		struct str name = str_from(entry->d_name);

		if (str_ends(name, ".ini"))
			name_add_text(out, str_head(name, name.len - strlen(".ini")));
	}
	if (dir)
		closedir(dir);
	mem_free(folder);
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

/* With its title behind it. */
static bool add_key(void *ctx, const struct history_conversation *c)
{
	struct buf *out = ctx;

	if (name_add_text(out, str_from(c->key)) && c->title && *c->title) {
		buf_remove(out, out->len - 1, 1);
		buf_add_byte(out, '\t');
		listed_line(str_from(c->title), TITLE_BYTES_MOST, out);
		buf_add_byte(out, '\n');
	}
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

static void add_deltas(struct known *known, struct buf *out)
{
	(void)known;
	for (unsigned kind = 0; kind < DELTA_KIND_COUNT; kind++)
		name_add(out, delta_kind_name((enum delta_kind)kind));
}

static void add_revisions(struct known *known, struct buf *out)
{
	(void)known;
	for (size_t i = 0; mcp_revision_at(NULL, i); i++)
		name_add(out, mcp_revision_at(NULL, i));
}

/* One's own and those that are built in. Those of MCP servers are known to the servers only. */
static void add_tools(struct known *known, struct buf *out)
{
	struct tool_set set = { .count = 0 };

	tool_set_read(&set, &known->settings.tools);
	for (size_t i = 0; i < set.count; i++)
		if (set.items[i].approve != TOOL_NEVER)
			name_add(out, set.items[i].name);
	tool_set_fini(&set);
}

static void add_mcp_servers(struct known *known, struct buf *out)
{
	for (size_t i = 0; i < known->settings.mcp_servers.count; i++)
		name_add(out, known->settings.mcp_servers.items[i]->name);
}

/* In order; a kind that asks the settings is not written into scripts. */
static const struct {
	const char *name;
	void (*add)(struct known *known, struct buf *out);
	const char *(*at)(size_t index); /* in place of `add`: a list that ends with NULL */
	bool asks;
} kinds[] = {
	{ "providers", .add = add_providers, .asks = true }, { "models", .add = add_models, .asks = true },
	{ "roles", .add = add_roles, .asks = true }, { "templates", .add = add_templates, .asks = true },
	{ "conversations", .add = add_conversations, .asks = true }, { "tools", .add = add_tools, .asks = true },
	{ "mcp-servers", .add = add_mcp_servers, .asks = true }, { "protocols", .add = add_protocols },
	{ "dialects", .add = add_dialects, .asks = true }, { "themes", .add = add_themes, .asks = true }, { "levels", .add = add_levels },
	{ "server-tools", .add = add_server_tools }, { "colours", .at = options_colour_at }, { "faults", .add = add_faults },
	{ "lint-rules", .add = add_lint_rules }, { "probe-cases", .add = add_probe_cases }, { "sums", .at = options_by_at },
	{ "formats", .at = options_format_at }, { "tape-forms", .at = tape_form_at }, { "choices", .at = options_choose_at },
	{ "severities", .at = options_severity_at }, { "deltas", .add = add_deltas }, { "revisions", .add = add_revisions },
};

bool completion_write_names(const char *kind, struct buf *out)
{
	struct str of = str_from(kind), name;

	str_split(&of, ':', &name);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct known known;

		if (!str_is(name, kinds[i].name))
			continue;
		known_init(&known);
		known.of = of;
		if (kinds[i].add)
			kinds[i].add(&known, out);
		for (size_t j = 0; kinds[i].at && kinds[i].at(j); j++)
			name_add(out, kinds[i].at(j));
		known_fini(&known);
		return true;
	}
	return false;
}

/* --- options --- */

/* The kinds of values that a name has, also of one subcommand only; FILE, FOLDER and PATH are files, other values are free. */
static const struct { const char *option, *kind; unsigned subcommand; bool is_list; } values[] = {
	{ "to", "tape-forms", 1u << SUBCOMMAND_TAPE, false }, { "to", "providers", 1u << SUBCOMMAND_PROXY, false },
	{ "provider", "providers", 0, false }, { "model", "models", 0, false }, { "protocol", "protocols", 0, false },
	{ "dialect", "dialects", 0, false }, { "role", "roles", 0, false }, { "template", "templates", 0, false }, { "theme", "themes", 0, false },
	{ "reasoning", "levels", 0, false }, { "server-tools", "server-tools", 0, true }, { "tools-allow", "tools", 0, true },
	{ "color", "colours", 0, false }, { "fault", "faults", 0, true }, { "choose", "choices", 0, false }, { "as", "protocols", 0, false },
	{ "explain", "lint-rules", 0, false }, { "ignore", "lint-rules", 1u << SUBCOMMAND_LINT, true },
	{ "ignore", "deltas", 1u << SUBCOMMAND_TAPE, true }, { "fail-on", "severities", 0, false }, { "against", "providers", 0, false },
	{ "cases", "probe-cases", 0, true }, { "by", "sums", 0, false }, { "format", "formats", 0, false },
	{ "conversation", "conversations", 0, false }, { "protocol-version", "revisions", 0, false },
};

static bool kind_asks(const char *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (!strcmp(kinds[i].name, kind))
			return kinds[i].asks;
	return false;
}

/* The row that says what an option takes; ARRAY_LEN(values): none. */
static size_t value_of(const struct option_help *option)
{
	size_t found = ARRAY_LEN(values);

	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		if (!strcmp(values[i].option, option->name) && (!values[i].subcommand || values[i].subcommand & option->subcommands))
			found = i;
	return found;
}

bool completion_is_list(const struct option_help *option)
{
	size_t row = value_of(option);

	return row < ARRAY_LEN(values) && values[row].is_list;
}

enum completes completion_of(const struct option_help *option, const char **kind)
{
	size_t row = value_of(option);

	*kind = row < ARRAY_LEN(values) ? values[row].kind : NULL;
	if (*kind)
		return kind_asks(*kind) ? COMPLETES_NAMES : COMPLETES_WORDS;
	return option->argument && (!strcmp(option->argument, "FILE") || !strcmp(option->argument, "PATH") || !strcmp(option->argument, "FOLDER"))
	               ? COMPLETES_FILES : COMPLETES_NOTHING;
}
