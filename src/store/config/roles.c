#include "store/config/roles.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/regular_file.h"
#include "base/utf8.h"
#include "chat/provider/provider.h"
#include "store/files/paths.h"

#define PATH_LIMIT ((size_t)64 << 10)

struct row {
	const char *name;
	bool (*set)(struct role *role, const struct row *row, const struct ini_entry *entry, struct error *err);
	size_t offset;
	enum parameter parameter;
	const char *help;
};

/* --- files --- */

char *settings_named_path(const char *settings_file, struct str value, struct error *err)
{
	const char *slash = strrchr(settings_file, '/');
	char *typed = path_expand(value);
	struct buf path;

	if (!typed)
		error_set(err, "%.*s: there is no home folder", STR_ARG(value));
	if (!typed || *typed == '/' || !slash)
		return typed;
	buf_init(&path, PATH_LIMIT);
	buf_add(&path, str_of(settings_file, (size_t)(slash - settings_file) + 1));
	buf_add_z(&path, typed);
	mem_free(typed);
	return buf_take(&path);
}

bool settings_read_named(const char *path, struct buf *text, struct error *err)
{
	struct buf bytes;
	bool good;

	buf_init(&bytes, SETTINGS_TEXT_LIMIT);
	buf_clear(text);
	good = regular_file_read(&bytes, path, err) &&
	       (utf8_is_valid(buf_str(&bytes)) || error_set(err, "%s is not text in UTF-8", path)) &&
	       (!bytes.len || !memchr(bytes.ptr, '\0', bytes.len) || error_set(err, "%s holds a NUL byte: it is not text", path));
	if (good && !buf_add(text, str_head(buf_str(&bytes), bytes.len - str_ends(buf_str(&bytes), "\n"))))
		good = error_set(err, "%s is too large", path);
	buf_fini(&bytes);
	return good;
}

/* --- setters --- */

static char **role_member(struct role *role, const struct row *row)
{
	return (char **)(void *)((char *)role + row->offset);
}

static bool role_set_text(struct role *role, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	(void)err;
	str_replace(role_member(role, row), str_from(entry->value));
	return true;
}

static bool role_set_file(struct role *role, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	char *path = *entry->value ? settings_named_path(entry->file, str_from(entry->value), err) : NULL;

	if (!*entry->value)
		return error_set(err, "%s needs the path of a file", row->name);
	mem_free(*role_member(role, row));
	*role_member(role, row) = path;
	return path != NULL;
}

/* Words that could be names of tools are that; a file has a dot or a slash in its path. */
static bool role_set_tools(struct role *role, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	static const char bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-*, ";

	mem_free(role->tools);
	mem_free(role->tool_names);
	role->tools = role->tool_names = NULL;
	if (!*entry->value || entry->value[strspn(entry->value, bytes)])
		return role_set_file(role, row, entry, err);
	role->tool_names = mem_dup_z(entry->value);
	return true;
}

/* Both are refused: the second one would be ignored without a word. */
static bool role_set_system(struct role *role, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	bool in_file = !strcmp(row->name, "system_file");

	if (in_file ? role->system : role->system_file)
		return error_set(err, "a role has system or system_file, not both");
	return (in_file ? role_set_file : role_set_text)(role, row, entry, err);
}

static bool role_set_protocol(struct role *role, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	struct str value = str_from(entry->value);

	(void)row;
	role->protocol = protocol_find(value);
	return role->protocol || names_refuse_value(STR("protocol"), value, protocol_name_at, NULL, err);
}

static bool role_set_parameter(struct role *role, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	return parameter_set(&role->parameters, row->parameter, str_from(entry->value), NULL, err);
}

/* --- the table --- */

#define AT(member) offsetof(struct role, member)

static const struct row rows[] = {
	{ "system", role_set_system, AT(system), 0, "system prompt" },
	{ "system_file", role_set_system, AT(system_file), 0, "a file with the system prompt, for longer ones; relative to the folder of weir.conf" },
	{ "provider", role_set_text, AT(provider), 0, "one that /provider lists" },
	{ "model", role_set_text, AT(model), 0, "one that /model lists" },
	{ "protocol", role_set_protocol, AT(protocol), 0, "one that /protocol lists" },
	{ "temperature", role_set_parameter, 0, PARAMETER_TEMPERATURE, "a number from 0 to 2" },
	{ "top_p", role_set_parameter, 0, PARAMETER_TOP_P, "nucleus sampling, above 0 up to 1; not sent unless set" },
	{ "max_tokens", role_set_parameter, 0, PARAMETER_MAX_TOKENS, "maximum tokens of an answer; 0 sends no limit if the protocol allows it" },
	{ "reasoning", role_set_parameter, 0, PARAMETER_REASONING, "off, low, medium or high" },
	{ "thinking_budget", role_set_parameter, 0, PARAMETER_THINKING_BUDGET, "tokens of reasoning (anthropic, gemini); wins over reasoning" },
	{ "top_k", role_set_parameter, 0, PARAMETER_TOP_K, "sampling among so many tokens; not in openai-responses" },
	{ "seed", role_set_parameter, 0, PARAMETER_SEED, "makes sampling repeatable (openai-chat, gemini, ollama)" },
	{ "presence_penalty", role_set_parameter, 0, PARAMETER_PRESENCE_PENALTY,
	  "how much words are avoided that occur already, from -2 to 2 (openai-chat, gemini, ollama)" },
	{ "frequency_penalty", role_set_parameter, 0, PARAMETER_FREQUENCY_PENALTY, "the same by how often they occur" },
	{ "verbosity", role_set_parameter, 0, PARAMETER_VERBOSITY, "low, medium or high (openai-chat, openai-responses)" },
	{ "stop", role_set_parameter, 0, PARAMETER_STOP, "a text that ends the answer, or a JSON array of such texts; not in openai-responses" },
	{ "extra", role_set_parameter, 0, PARAMETER_EXTRA,
	  "a JSON object that is merged into the body of requests; it does not replace the conversation, the model and stream" },
	{ "server_tools", role_set_parameter, 0, PARAMETER_SERVER_TOOLS, "what the server may do itself, as /server-tools takes it" },
	{ "tools", role_set_tools, AT(tools), 0,
	  "names of tools that run, separated by commas (* stands for any characters): these and no others are offered; or a file of tool "
	  "definitions, with a dot or a slash in its path, as /tools takes it" },
	{ "schema", role_set_file, AT(schema), 0, "a file with a JSON Schema, as /schema takes it" },
};

static_assert(ARRAY_LEN(rows) <= ROLE_SETTINGS_MOST, "each has a line");

struct ini_help role_setting_at(size_t index)
{
	return index < ARRAY_LEN(rows) ? (struct ini_help){ rows[index].name, NULL, rows[index].help } : (struct ini_help){ 0 };
}

static size_t role_row(const char *name)
{
	size_t i = 0;

	while (i < ARRAY_LEN(rows) && strcmp(rows[i].name, name) != 0)
		i++;
	return i;
}

void role_write_setting(const struct role *role, size_t index, struct buf *out)
{
	const struct row *row = &rows[index];

	if (row->set == role_set_tools && role->tool_names)
		buf_add_z(out, role->tool_names);
	else if (row->set == role_set_protocol)
		buf_add_z(out, role->protocol ? role->protocol->name : "");
	else if (row->set != role_set_parameter)
		buf_add_z(out, *role_member((struct role *)role, row) ? *role_member((struct role *)role, row) : "");
	else if (parameter_is_set(&role->parameters, row->parameter))
		parameter_write(&role->parameters, row->parameter, out);
}

/* --- the list --- */

void roles_fini(struct roles *roles)
{
	for (size_t i = 0; i < roles->count; i++) {
		struct role *role = &roles->items[i];

		mem_free(role->name);
		mem_free(role->file);
		mem_free(role->tool_names);
		for (size_t r = 0; r < ARRAY_LEN(rows); r++)
			if (rows[r].offset && rows[r].set != role_set_protocol)
				mem_free(*role_member(role, &rows[r]));
	}
	mem_free(roles->items);
	*roles = (struct roles){ 0 };
}

const struct role *roles_find(const struct roles *roles, struct str name)
{
	for (size_t i = 0; i < roles->count; i++)
		if (str_is(name, roles->items[i].name))
			return &roles->items[i];
	return NULL;
}

const char *role_name_at(const void *roles, size_t index)
{
	const struct roles *all = roles;

	return index < all->count ? all->items[index].name : NULL;
}

static struct role *role_of(struct roles *roles, struct str name, const struct ini_entry *entry)
{
	const struct role *known = roles_find(roles, name);

	if (known)
		return &roles->items[known - roles->items];
	struct role *role = ARRAY_ADD(roles->items, roles->count, roles->capacity);
	*role = (struct role){ .name = str_dup(name), .file = mem_dup_z(entry->file), .line = entry->line, .parameters = parameters_unset };
	return role;
}

bool roles_set(struct roles *roles, struct str name, const struct ini_entry *entry, struct error *err)
{
	size_t i = role_row(entry->name);

	if (!provider_name_is_good(name) || str_is(name, ROLE_OFF))
		return error_set(err, "[%s]: a role's name has 1 to %d characters and no blank or slash, and is not " ROLE_OFF, entry->section,
		                 PROVIDER_NAME_MOST);
	if (i == ARRAY_LEN(rows))
		return error_set(err, "%s: there is no such setting of a role", entry->name);
	struct role *role = role_of(roles, name, entry);
	role->lines[i] = entry->line;
	return rows[i].set(role, &rows[i], entry, err);
}

/* --- a role --- */

bool role_refuse(const struct role *role, const char *setting, const char *why, struct error *err)
{
	int line = role->lines[role_row(setting)];

	return error_set(err, "%s:%d: role %s: %s", role->file, line ? line : role->line, role->name, why);
}

bool role_read_system(const struct role *role, struct buf *text, struct error *err)
{
	struct error why = { "" };

	buf_clear(text);
	if (role->system_file)
		return settings_read_named(role->system_file, text, &why) || role_refuse(role, "system_file", why.text, err);
	buf_add(text, str_from(role->system));
	return true;
}

static void fact_add(struct buf *out, const char *between, const char *words)
{
	buf_printf(out, "%s%s", out->len ? between : "", words);
}

void role_write_facts(const struct role *role, struct buf *out)
{
	const struct { const char *word; bool set; } words[] = {
		{ "system", role->system || role->system_file }, { "tools", role->tools || role->tool_names }, { "schema", role->schema },
	};

	if (role->provider)
		fact_add(out, " ", role->provider);
	if (role->model)
		fact_add(out, " ", role->model);
	if (role->protocol)
		fact_add(out, " ", role->protocol->name);
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		if (!parameter_is_set(&role->parameters, (enum parameter)i))
			continue;
		fact_add(out, ", ", parameter_name((enum parameter)i));
		buf_add_byte(out, ' ');
		parameter_write(&role->parameters, (enum parameter)i, out);
	}
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (words[i].set)
			fact_add(out, ", ", words[i].word);
}
