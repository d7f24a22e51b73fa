#include "app/tools/tool_set.h"

#include <string.h>

#include "app/tools/tool_built_in.h"
#include "base/array.h"
#include "base/child.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/names.h"
#include "store/config/roles.h"
#include "store/config/tool_words.h"

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
	mem_free(t->server);
	mem_free(t->url);
	mem_free(t->remote);
	mem_free(t->output);
}

void tool_set_fini(struct tool_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		tool_fini(&set->items[i]);
	mem_free(set->items);
	mem_free(set->named);
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
	static const char *const names[] = { [TOOL_OF_SETTINGS] = "settings", [TOOL_BUILT_IN] = "built-in", [TOOL_OF_SERVER] = "mcp" };

	return names[source];
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
	struct buf facts = { 0 }; /* all of them, whatever their length */

	facts_add(&facts, "from", tool_source_name(t->source));
	facts_add(&facts, "server", t->server);
	facts_add(&facts, "url", t->url);
	facts_add(&facts, "tool", t->remote);
	for (size_t i = 0; t->words && t->words[i]; i++)
		facts_add(&facts, i ? "argument" : "program", t->words[i]);
	if (t->input == TOOL_JSON)
		facts_add(&facts, "input", "json");
	facts_add(&facts, "folder", t->folder);
	facts_add(&facts, "env", t->env);
	facts_add(&facts, "description", t->description);
	facts_add(&facts, "schema", t->schema);
	facts_add(&facts, "output", t->output);
	t->facts = buf_take(&facts);
}

void tool_write_origin(const struct tool *tool, struct buf *out)
{
	buf_printf(out, "%s%s%s", tool_source_name(tool->source), tool->server ? " " : "", tool->server ? tool->server : "");
}

void tool_write_command(const struct tool *tool, struct buf *out)
{
	for (size_t i = 0; tool->words && tool->words[i]; i++)
		buf_printf(out, "%s%s", i ? " " : "", tool->words[i]);
	if (!tool->words)
		buf_add_z(out, tool->url ? tool->url : "(nothing outside weir)");
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

/* --- tools of MCP servers --- */

/* SERVER__TOOL, in the characters and the length that providers accept as the name of a function. */
static char *tool_name_of(const char *server, const char *tool)
{
	struct buf name = { 0 };
	char digest[DIGEST_HEX + 1];

	buf_printf(&name, "%s__%s", server, tool);
	if (name.len > TOOL_NAME_MOST)
		digest_hex(buf_str(&name), digest);
	for (size_t i = 0; i < name.len; i++)
		if (!char_is_word(name.ptr[i]) && name.ptr[i] != '_' && name.ptr[i] != '-')
			name.ptr[i] = '_';
	if (name.len > TOOL_NAME_MOST) {
		buf_remove(&name, TOOL_NAME_MOST - 9, name.len - TOOL_NAME_MOST + 9);
		buf_printf(&name, "_%.8s", digest); /* two long names stay two */
	}
	return buf_take(&name);
}

bool tool_is_of_server(struct str name, const char *server)
{
	char *none = tool_name_of(server, "");
	bool is = str_starts(name, none);

	mem_free(none);
	return is;
}

static char *env_of(const struct mcp_server *server)
{
	struct buf names = { 0 };

	for (size_t i = 0; server->env && server->env[i]; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", server->env[i]);
	return names.len ? buf_take(&names) : NULL;
}

static void tool_set_add_remote(struct tool_set *set, struct mcp_hub *hub, const struct mcp_server *server, const struct mcp_tool *from)
{
	char *name = tool_name_of(server->name, from->name);
	const struct tool *other = tool_set_find(set, str_from(name));
	struct error trouble = { "" };

	if (other)
		error_set(&trouble, "the tool %s of the MCP server %s is not offered: another tool has the name %s", from->name, server->name, name);
	struct tool *t = ARRAY_ADD(set->items, set->count, set->capacity);
	*t = (struct tool){
		.name = name, .source = TOOL_OF_SERVER, .description = mem_dup_z(from->description), .schema = mem_dup_z(from->schema),
		.approve = server->approve, .trouble = *trouble.text ? mem_dup_z(trouble.text) : NULL, .env = env_of(server),
		.words = server->command ? child_shell_words(str_from(server->command), NULL) : NULL, .hub = hub, .server = mem_dup_z(server->name),
		.url = mem_dup_z(server->url), .remote = mem_dup_z(from->name), .output = mem_dup_z(from->output), .timeout_ms = server->timeout_ms,
		.output_bytes = TOOL_OUTPUT_BYTES,
	};
	memcpy(t->shown, from->digest, sizeof t->shown);
	tool_note_facts(t);
}

static void tool_set_drop_remote(struct tool_set *set)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->count; i++)
		if (set->items[i].source == TOOL_OF_SERVER)
			tool_fini(&set->items[i]);
		else
			set->items[kept++] = set->items[i];
	set->count = kept;
}

/* The wishes that were there, by name. */
struct wish { char *name; enum tool_wish wish; };

static size_t wishes_take(const struct tool_set *set, struct wish *wishes)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		if (set->items[i].source == TOOL_OF_SERVER)
			wishes[count++] = (struct wish){ mem_dup_z(set->items[i].name), set->items[i].wish };
	return count;
}

static void wishes_give(struct tool_set *set, struct wish *wishes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct tool *tool = tool_set_find(set, str_from(wishes[i].name));

		if (tool && tool->source == TOOL_OF_SERVER)
			tool->wish = wishes[i].wish;
		mem_free(wishes[i].name);
	}
	mem_free(wishes);
}

void tool_set_take_servers(struct tool_set *set, struct mcp_hub *hub)
{
	struct wish *wishes = mem_new((set->count + 1) * sizeof *wishes);
	struct mcp_hub_server s;
	size_t count = wishes_take(set, wishes);

	tool_set_drop_remote(set);
	for (size_t i = 0; (s = mcp_hub_at(hub, i)).server; i++)
		for (size_t k = 0; k < s.count; k++)
			if (mcp_server_has_tool(s.server, s.tools[k].name))
				tool_set_add_remote(set, hub, s.server, &s.tools[k]);
	wishes_give(set, wishes, count);
	set->changes++;
}

/* --- the set --- */

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

	old.named = NULL;
	*set = (struct tool_set){ .named = set->named, .closed = old.closed, .is_demo = old.is_demo, .changes = old.changes + 1 };
	for (size_t i = 0; i < sections->count; i++)
		tool_of_section(ARRAY_ADD(set->items, set->count, set->capacity), &sections->items[i]);
	tool_set_add_built_in(set); /* behind them: a tool of the settings with that name is found first */
	for (size_t i = 0; i < old.count; i++) /* tool_set_take_servers() replaces them */
		if (old.items[i].source == TOOL_OF_SERVER) {
			*ARRAY_ADD(set->items, set->count, set->capacity) = old.items[i];
			old.items[i] = (struct tool){ .name = mem_dup_z(old.items[i].name), .wish = old.items[i].wish };
		}
	for (size_t i = 0; i < set->count; i++) {
		const struct tool *was = tool_set_find(&old, str_from(set->items[i].name));

		set->items[i].wish = was ? was->wish : TOOL_UNSET;
	}
	tool_set_fini(&old);
}

/* --- what is offered --- */

/* What stands before a star says which servers a pattern is about. */
bool tool_set_may_have(const struct tool_set *set, const char *server)
{
	struct str names = str_from(set->named), name;
	char *first = tool_name_of(server, "");
	bool may = !set->named;

	while (!may && names.len && str_split(&names, ',', &name)) {
		struct str head = str_head(str_trim(name), str_find(str_trim(name), STR("*")));

		may = str_starts(head, first) || (head.len < str_trim(name).len && str_equal(head, str_head(str_from(first), head.len)));
	}
	mem_free(first);
	return may;
}

bool tool_is_offered(const struct tool_set *set, const struct tool *tool)
{
	if (tool->trouble || tool->approve == TOOL_NEVER || tool->wish == TOOL_OFF || tool_set_find(set, str_from(tool->name)) != tool)
		return false;
	if (tool->wish == TOOL_ON || set->closed)
		return tool->wish == TOOL_ON;
	return set->named ? names_fit(str_from(set->named), tool->name) : tool->source != TOOL_BUILT_IN || set->is_demo;
}

size_t tool_set_offered(const struct tool_set *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += tool_is_offered(set, &set->items[i]);
	return count;
}

bool tool_set_has_own(const struct tool_set *set)
{
	bool any = false;

	for (size_t i = 0; i < set->count && !any; i++)
		any = (set->items[i].source != TOOL_BUILT_IN || set->items[i].wish == TOOL_ON) && tool_is_offered(set, &set->items[i]);
	return any;
}

void tool_set_wish(struct tool_set *set, struct tool *tool, enum tool_wish wish)
{
	tool->wish = wish;
	set->changes++;
}

void tool_set_name(struct tool_set *set, const char *patterns)
{
	mem_free(set->named);
	set->named = mem_dup_z(patterns);
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
	for (size_t i = 0; i < set->count; i++)
		if (tool_is_offered(set, &set->items[i]))
			tool_write_definition(&set->items[i], &w);
	json_close_array(&w);
}
