#include "store/config/tools.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/child.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/names.h"
#include "store/config/roles.h"

#define TIMEOUT_MOST_S 86400
#define OUTPUT_MOST_BYTES ((long long)16 << 20)

struct row {
	const char *name;
	bool (*set)(struct tool_section *tool, const struct row *row, const struct ini_entry *entry, struct error *err);
	size_t offset;
	enum { STORED_TEXT, STORED_NUMBER, STORED_WORD } stored;
	const char *const *words; /* of STORED_WORD, which is an index of it */
	long long most;           /* of STORED_NUMBER */
	const char *fallback, *help;
};

static void *tool_member(struct tool_section *tool, const struct row *row)
{
	return (char *)tool + row->offset;
}

/* --- setters --- */

static bool tool_set_text(struct tool_section *tool, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	(void)err;
	str_replace(tool_member(tool, row), *entry->value ? str_from(entry->value) : STR_NONE);
	return true;
}

static bool tool_set_command(struct tool_section *tool, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	struct error why = { "" };
	char **words = child_shell_words(str_from(entry->value), &why);

	mem_free(words);
	if (!words)
		return error_set(err, "%s = %.200s: it must be a command in words, and %s", row->name, entry->value, why.text);
	return tool_set_text(tool, row, entry, err);
}

static bool tool_set_path(struct tool_section *tool, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	char *path = *entry->value ? settings_named_path(entry->file, str_from(entry->value), err) : NULL;

	if (!*entry->value)
		return error_set(err, "%s needs a path", row->name);
	mem_free(*(char **)tool_member(tool, row));
	*(char **)tool_member(tool, row) = path;
	return path != NULL;
}

static bool tool_set_schema(struct tool_section *tool, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	if (!json_scan_is_whole(str_from(entry->value)) || !str_starts(str_trim(str_from(entry->value)), "{"))
		return error_set(err, "%s: it must be a JSON Schema, an object", row->name);
	return tool_set_text(tool, row, entry, err);
}

static bool tool_set_env(struct tool_section *tool, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	struct str names = str_from(entry->value), name;

	while (tool_section_next_variable(&names, &name))
		for (size_t i = 0; i < name.len; i++)
			if (name.ptr[i] != '_' && (!char_is_word(name.ptr[i]) || (!i && char_is_digit(name.ptr[i]))))
				return error_set(err, "%s: '%.*s' is no name of a variable; values are those that weir was started with",
				                 row->name, STR_ARG(str_head(name, 60)));
	return tool_set_text(tool, row, entry, err);
}

static bool tool_set_number(struct tool_section *tool, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	long long value;

	if (!str_to_int(str_from(entry->value), &value) || value < 1 || value > row->most)
		return error_set(err, "%s = %.60s: it must be a number from 1 to %lld", row->name, entry->value, row->most);
	*(long long *)tool_member(tool, row) = value;
	return true;
}

static bool tool_set_word(struct tool_section *tool, const struct row *row, const struct ini_entry *entry, struct error *err)
{
	struct str value = str_from(entry->value);

	for (int i = 0; row->words[i]; i++)
		if (str_is_nocase(value, row->words[i])) {
			*(int *)tool_member(tool, row) = i;
			return true;
		}
	return names_refuse_value(str_from(row->name), value, name_in_words, row->words, err);
}

/* --- the table --- */

#define AT(member) offsetof(struct tool_section, member)

static const char *const approve_words[] = {
	[TOOL_ASK] = "ask", [TOOL_ONCE] = "once", [TOOL_ALWAYS] = "always", [TOOL_NEVER] = "never", NULL
};
static const char *const input_words[] = { [TOOL_ARGUMENTS] = "arguments", [TOOL_JSON] = "json", NULL };

static const struct row rows[] = {
	{ "command", tool_set_command, AT(command), STORED_TEXT, .help =
	  "the program and its arguments, in words as a shell would split them; no shell runs. {name} in a word is that argument of the call, a word "
	  "whose argument is missing is left out; {./name} is the path of a file below the folder, and of no other. A value that begins with a dash "
	  "is refused where it would begin a word, unless the word -- stands before it" },
	{ "description", tool_set_text, AT(description), STORED_TEXT, .help = "what the model reads about it" },
	{ "schema", tool_set_schema, AT(schema), STORED_TEXT, .help =
	  "the JSON Schema of its arguments, an object; a call that breaks it does not run, and the model is told why. Without one, each {name} is a "
	  "text. A number for a text, or a text that is one for a number, is passed on as written, and the card says so" },
	{ "schema_file", tool_set_path, AT(schema_file), STORED_TEXT, .help = "a file with that schema; relative to the folder of weir.conf" },
	{ "input", tool_set_word, AT(input), STORED_WORD, input_words, .fallback = "arguments", .help =
	  "arguments: they are words of the command; json: they are one JSON object on its standard input" },
	{ "timeout", tool_set_number, AT(timeout_s), STORED_NUMBER, .most = TIMEOUT_MOST_S, .fallback = "30",
	  .help = "seconds after which it is ended" },
	{ "output_limit", tool_set_number, AT(output_bytes), STORED_NUMBER, .most = OUTPUT_MOST_BYTES, .fallback = "65536", .help =
	  "bytes of its output that the model gets; the rest is counted" },
	{ "folder", tool_set_path, AT(folder), STORED_TEXT, .help = "where it runs; unset, where weir was started" },
	{ "env", tool_set_env, AT(env), STORED_TEXT, .help =
	  "names of variables that it gets beside PATH, HOME, the locale and the like. One that holds a provider's key is refused" },
	{ "approve", tool_set_word, AT(approve), STORED_WORD, approve_words, .fallback = "ask", .help =
	  "ask: each call is shown and asked for before it runs; once: until it is allowed with `a`, which is remembered; always: it runs without a "
	  "question; never: it is not offered. `/tools NAME ask` takes back what was allowed. once and always hold for the command, "
	  "description and schema that were allowed: when one changes, weir asks again and shows the difference" },
};

static_assert(ARRAY_LEN(rows) <= TOOL_SETTINGS_MOST, "each has a line");

struct ini_help tool_setting_at(size_t index)
{
	return index < ARRAY_LEN(rows) ? (struct ini_help){ rows[index].name, rows[index].fallback, rows[index].help }
	                               : (struct ini_help){ 0 };
}

const char *tool_approve_name(enum tool_approve approve)
{
	return approve_words[approve];
}

void tool_section_write(const struct tool_section *tool, size_t index, struct buf *out)
{
	const struct row *row = &rows[index];
	const void *value = (const char *)tool + row->offset;

	if (row->stored == STORED_TEXT)
		buf_add(out, str_from(*(char *const *)value));
	else if (row->stored == STORED_WORD)
		buf_add_z(out, row->words[*(const int *)value]);
	else if (*(const long long *)value)
		buf_printf(out, "%lld", *(const long long *)value);
}

bool tool_section_next_variable(struct str *names, struct str *name)
{
	size_t end = 0;

	while (names->len && (char_is_blank(*names->ptr) || *names->ptr == ','))
		*names = str_skip(*names, 1);
	while (end < names->len && !char_is_blank(names->ptr[end]) && names->ptr[end] != ',')
		end++;
	*name = str_head(*names, end);
	*names = str_skip(*names, end);
	return end > 0;
}

/* --- the list --- */

void tool_sections_fini(struct tool_sections *tools)
{
	for (size_t i = 0; i < tools->count; i++) {
		mem_free(tools->items[i].name);
		mem_free(tools->items[i].file);
		for (size_t r = 0; r < ARRAY_LEN(rows); r++)
			if (rows[r].stored == STORED_TEXT)
				mem_free(*(char **)tool_member(&tools->items[i], &rows[r]));
	}
	mem_free(tools->items);
	*tools = (struct tool_sections){ 0 };
}

const struct tool_section *tool_sections_find(const struct tool_sections *tools, struct str name)
{
	for (size_t i = 0; i < tools->count; i++)
		if (str_is(name, tools->items[i].name))
			return &tools->items[i];
	return NULL;
}

bool tool_name_is_good(struct str name)
{
	size_t len = 0;

	while (len < name.len && (char_is_word(name.ptr[len]) || name.ptr[len] == '_' || name.ptr[len] == '-'))
		len++;
	return len && len == name.len && len <= TOOL_NAME_MOST;
}

static size_t tool_row(const char *name)
{
	size_t i = 0;

	while (i < ARRAY_LEN(rows) && strcmp(rows[i].name, name) != 0)
		i++;
	return i;
}

static struct tool_section *tool_of(struct tool_sections *tools, struct str name, const struct ini_entry *entry)
{
	const struct tool_section *known = tool_sections_find(tools, name);

	if (known)
		return &tools->items[known - tools->items];
	struct tool_section *tool = ARRAY_ADD(tools->items, tools->count, tools->capacity);
	*tool = (struct tool_section){ .name = str_dup(name), .file = mem_dup_z(entry->file), .line = entry->line };
	return tool;
}

bool tool_sections_set(struct tool_sections *tools, struct str name, const struct ini_entry *entry, struct error *err)
{
	size_t i = tool_row(entry->name);

	if (!tool_name_is_good(name))
		return error_set(err, "[%s]: a tool's name has 1 to %d letters, digits, _ and -", entry->section, TOOL_NAME_MOST);
	if (i == ARRAY_LEN(rows))
		return error_set(err, "%s: there is no such setting of a tool", entry->name);
	struct tool_section *tool = tool_of(tools, name, entry);
	tool->lines[i] = entry->line;
	if (!rows[i].set(tool, &rows[i], entry, err))
		return false;
	return !tool->schema || !tool->schema_file || error_set(err, "a tool has schema or schema_file, not both");
}

bool tool_section_refuse(const struct tool_section *tool, const char *setting, const char *why, struct error *err)
{
	int line = tool->lines[tool_row(setting)];

	return error_set(err, "%s:%d: tool %s: %s", tool->file, line ? line : tool->line, tool->name, why);
}

bool tool_sections_check(const struct tool_sections *tools, struct error *err)
{
	for (size_t i = 0; i < tools->count; i++)
		if (!tools->items[i].command)
			return tool_section_refuse(&tools->items[i], "command", "it has no command", err);
	return true;
}
