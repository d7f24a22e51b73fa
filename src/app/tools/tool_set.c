#include "app/tools/tool_set.h"

#include <string.h>

#include "app/tools/tool_built_in.h"
#include "app/tools/tool_words.h"
#include "base/array.h"
#include "base/child.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "store/config/roles.h"

static void tool_fini(struct tool *t)
{
	mem_free(t->name);
	mem_free(t->description);
	mem_free(t->schema);
	mem_free(t->trouble);
	mem_free(t->facts);
	mem_free(t->words);
	mem_free(t->folder);
	mem_free(t->env);
}

void tool_set_fini(struct tool_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		tool_fini(&set->items[i]);
	mem_free(set->items);
	*set = (struct tool_set){ 0 };
}

struct tool *tool_set_find(const struct tool_set *set, struct str name)
{
	for (size_t i = 0; i < set->count; i++)
		if (str_is(name, set->items[i].name))
			return &set->items[i];
	return NULL;
}

const char *tool_set_name_at(const void *set, size_t index)
{
	const struct tool_set *all = set;

	return index < all->count ? all->items[index].name : NULL;
}

const char *tool_source_name(enum tool_source source)
{
	return source == TOOL_BUILT_IN ? "built-in" : "settings";
}

/* --- what an approval holds for --- */

static void facts_add(struct buf *out, const char *name, const char *value)
{
	if (!value)
		return;
	buf_printf(out, "%s: ", name);
	json_escape(out, str_from(value)); /* one line each, whatever it holds */
	buf_add_byte(out, '\n');
}

static void tool_note_facts(struct tool *t)
{
	struct buf facts = { 0 }; /* all of them, whatever their length: the digest is of what runs */

	facts_add(&facts, "from", tool_source_name(t->source));
	for (size_t i = 0; t->words && t->words[i]; i++)
		facts_add(&facts, i ? "argument" : "program", t->words[i]);
	if (t->input == TOOL_JSON)
		facts_add(&facts, "input", "json");
	facts_add(&facts, "folder", t->folder);
	facts_add(&facts, "env", t->env);
	facts_add(&facts, "description", t->description);
	facts_add(&facts, "schema", t->schema);
	digest_hex(buf_str(&facts), t->digest);
	t->facts = buf_take(&facts);
}

void tool_write_command(const struct tool *tool, struct buf *out)
{
	for (size_t i = 0; tool->words && tool->words[i]; i++)
		buf_printf(out, "%s%s", i ? " " : "", tool->words[i]);
	if (!tool->words)
		buf_add_z(out, "(nothing outside weir)");
}

/* --- reading --- */

static bool tool_read_schema(struct tool *t, const struct tool_section *from, struct error *err)
{
	struct buf text = { 0 };
	bool good = true;

	t->knows_arguments = from->schema || from->schema_file;
	if (from->schema_file) {
		struct error why = { "" };

		good = settings_read_named(from->schema_file, &text, &why) || tool_section_refuse(from, "schema_file", why.text, err);
		if (good && (!json_scan_is_whole(buf_str(&text)) || !str_starts(str_trim(buf_str(&text)), "{")))
			good = tool_section_refuse(from, "schema_file", "it holds no JSON Schema, which is an object", err);
	} else if (from->schema) {
		buf_add_z(&text, from->schema);
	} else {
		tool_words_schema((const char *const *)t->words, &text);
	}
	if (good) {
		struct buf compact = { 0 };

		json_scan_compact(str_trim(buf_str(&text)), &compact);
		t->schema = buf_take(&compact);
	}
	buf_fini(&text);
	return good;
}

static void tool_of_section(struct tool *t, const struct tool_section *from)
{
	struct error err = { "" };

	*t = (struct tool){
		.name = mem_dup_z(from->name), .source = TOOL_OF_SETTINGS, .description = mem_dup_z(from->description), .approve = from->approve,
		.words = child_shell_words(str_from(from->command), NULL), .folder = mem_dup_z(from->folder), .env = mem_dup_z(from->env),
		.input = from->input, .timeout_ms = 1000 * (from->timeout_s ? from->timeout_s : TOOL_TIMEOUT_S),
		.output_bytes = from->output_bytes ? (size_t)from->output_bytes : TOOL_OUTPUT_BYTES,
	};
	if (tool_words_has_place(str_from(t->words[0])))
		(void)tool_section_refuse(from, "command", "its first word is the program, which no call can choose", &err);
	else
		(void)tool_read_schema(t, from, &err);
	t->trouble = *err.text ? mem_dup_z(err.text) : NULL;
	if (!t->schema)
		t->schema = mem_dup_z("{}");
	tool_note_facts(t);
}

static void tool_set_add_built_in(struct tool_set *set)
{
	const struct tool_built_in *from;

	for (size_t i = 0; (from = tool_built_in_at(i)); i++) {
		struct tool *t = ARRAY_ADD(set->items, set->count, set->capacity);

		*t = (struct tool){ .name = mem_dup_z(from->name), .source = TOOL_BUILT_IN, .description = mem_dup_z(from->description),
		                    .schema = mem_dup_z(from->schema), .approve = TOOL_ASK, .answer = from->answer };
		tool_note_facts(t);
	}
}

void tool_set_read(struct tool_set *set, const struct tool_sections *sections)
{
	struct tool_set old = *set;

	*set = (struct tool_set){ .closed = old.closed, .is_demo = old.is_demo, .changes = old.changes + 1 };
	for (size_t i = 0; i < sections->count; i++)
		tool_of_section(ARRAY_ADD(set->items, set->count, set->capacity), &sections->items[i]);
	tool_set_add_built_in(set); /* behind them: a tool of the settings with that name is found first */
	for (size_t i = 0; i < set->count; i++) {
		const struct tool *was = tool_set_find(&old, str_from(set->items[i].name));

		set->items[i].wish = was ? was->wish : TOOL_UNSET;
	}
	tool_set_fini(&old);
}

/* --- what is offered --- */

bool tool_is_offered(const struct tool_set *set, const struct tool *tool)
{
	if (tool->trouble || tool->approve == TOOL_NEVER || tool->wish == TOOL_OFF || tool_set_find(set, str_from(tool->name)) != tool)
		return false;
	return tool->wish == TOOL_ON || (!set->closed && (tool->source != TOOL_BUILT_IN || set->is_demo));
}

size_t tool_set_offered(const struct tool_set *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += tool_is_offered(set, &set->items[i]);
	return count;
}

size_t tool_set_own(const struct tool_set *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += set->items[i].source != TOOL_BUILT_IN && tool_is_offered(set, &set->items[i]);
	return count;
}

void tool_set_wish(struct tool_set *set, struct tool *tool, enum tool_wish wish)
{
	tool->wish = wish;
	set->changes++;
}

void tool_set_forget(struct tool_set *set)
{
	for (size_t i = 0; !set->closed && i < set->count; i++)
		set->items[i].wish = TOOL_UNSET;
	set->changes++;
}

static void tool_write_definition(const struct tool *tool, struct json_writer *w)
{
	json_open_object(w);
	json_member_string(w, "type", STR("function"));
	json_key(w, "function");
	json_open_object(w);
	json_member_string(w, "name", str_from(tool->name));
	if (tool->description)
		json_member_string(w, "description", str_from(tool->description));
	json_member_verbatim(w, "parameters", str_from(tool->schema));
	json_close_object(w);
	json_close_object(w);
}

void tool_set_write(const struct tool_set *set, struct json_writer *w)
{
	for (size_t i = 0; i < set->count; i++)
		if (tool_is_offered(set, &set->items[i]))
			tool_write_definition(&set->items[i], w);
}

void tool_set_merge(const struct tool_set *set, struct str definitions, struct buf *out)
{
	struct json_writer w;
	struct str key, item;

	if (!tool_set_offered(set)) {
		buf_add(out, definitions);
		return;
	}
	json_writer_init(&w, out);
	json_open_array(&w);
	for (struct json_spans spans = json_spans_of(definitions); definitions.len && json_spans_next(&spans, &key, &item);) {
		struct str name = json_scan_find(item, (const char *const[]){ "function", "name", NULL });
		const struct tool *own = tool_set_find(set, name.len > 2 ? str_head(str_skip(name, 1), name.len - 2) : STR_NONE);

		if (!own || !tool_is_offered(set, own))
			json_verbatim(&w, item);
	}
	tool_set_write(set, &w);
	json_close_array(&w);
}
