/* What `weir mcp` prints: lists as columns, texts as they are, everything else as lines of JSON without its data. */
#include "app/mcp/shell/mcp_shell.h"

#include <string.h>

#include "app/options/options.h"
#include "app/system/columns.h"
#include "base/base64.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/mcp/content.h"

#define NAME_CELLS 28u /* of a column; what is longer moves the rest of its row */
#define DATA_MOST BUF_LIMIT_DEFAULT

static void print_flush(struct mcp_shell *m)
{
	output_text(&m->out, buf_str(&m->text));
	buf_clear(&m->text);
}

static void print_server(const struct mcp_shell *m, struct json_writer *w)
{
	const struct mcp_facts *facts = mcp_session_facts(m->session);

	json_key(w, "server");
	json_open_object(w);
	json_member_string_or_null(w, "name", str_from(facts->name));
	json_member_string_or_null(w, "version", str_from(facts->version));
	json_close_object(w);
	json_member_string(w, "protocol", str_from(mcp_revision_name(facts->revision)));
}

/* --- lists --- */

static void print_lists_json(struct mcp_shell *m)
{
	static const char *const members[MCP_LIST_COUNT] = {
		[MCP_TOOLS] = "tools", [MCP_RESOURCES] = "resources", [MCP_TEMPLATES] = "templates", [MCP_PROMPTS] = "prompts",
	};
	struct json_writer w;

	json_writer_init(&w, &m->text);
	json_open_object(&w);
	print_server(m, &w);
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++) {
		json_key(&w, members[list]);
		json_open_array(&w);
		json_close_array(&w);
		buf_insert(&m->text, m->text.len - 1, buf_str(&m->lists[list]));
	}
	json_close_object(&w);
	buf_add_byte(&m->text, '\n');
	output_flush_json(&m->out, &m->text);
}

static struct str first_line(struct str text)
{
	struct str line = STR_NONE;

	text = str_trim(text);
	str_split(&text, '\n', &line);
	return str_trim(line);
}

/* A prompt's arguments as "NAME [NAME]", those in brackets may be missing. */
static void print_arguments(const struct json *arguments, struct buf *out)
{
	for (size_t i = 0; i < json_length(arguments); i++) {
		const struct json *one = json_at(arguments, i);
		bool required = false;

		json_flag(json_get(one, "required"), &required);
		buf_printf(out, required ? " %.*s" : " [%.*s]", STR_ARG(json_get_text(one, "name")));
	}
}

static void print_row(struct columns *rows, const char *kind, const struct json *value)
{
	struct mcp_item item;
	struct buf name = { 0 };

	if (!mcp_item_read(value, &item))
		return;
	buf_add(&name, item.uri.len ? item.uri : item.name);
	print_arguments(item.arguments, &name);
	columns_add(rows, str_from(kind));
	columns_add(rows, buf_str(&name));
	columns_add(rows, first_line(item.description.len ? item.description : item.title.len ? item.title : item.uri.len ? item.name : STR("")));
	buf_fini(&name);
}

static void print_lists_people(struct mcp_shell *m)
{
	static const char *const kinds[MCP_LIST_COUNT] = {
		[MCP_TOOLS] = "tool", [MCP_RESOURCES] = "resource", [MCP_TEMPLATES] = "template", [MCP_PROMPTS] = "prompt",
	};
	const struct mcp_facts *facts = mcp_session_facts(m->session);
	struct columns rows = { .count = 3, .most = NAME_CELLS, .width = output_columns() };
	struct json_parser *parser = json_parser_new();
	struct buf words = { 0 };
	size_t used;

	columns_add(&rows, STR("server"));
	buf_printf(&words, "%s%s%s", facts->name ? facts->name : "?", facts->version ? " " : "", facts->version ? facts->version : "");
	columns_add(&rows, buf_str(&words));
	buf_clear(&words);
	buf_printf(&words, "MCP %s", mcp_revision_name(facts->revision));
	columns_add(&rows, buf_str(&words));
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++) {
		buf_clear(&words);
		buf_printf(&words, "[%s]", buf_z(&m->lists[list]));
		const struct json *items = json_parse(parser, buf_str(&words), &used);

		for (size_t i = 0; i < json_length(items); i++)
			print_row(&rows, kinds[list], json_at(items, i));
	}
	columns_write(&rows, m->out.terminal, &m->text);
	print_flush(m);
	columns_fini(&rows);
	json_parser_free(parser);
	buf_fini(&words);
}

void mcp_print_lists(struct mcp_shell *m)
{
	if (m->o->json)
		print_lists_json(m);
	else
		print_lists_people(m);
}

/* --- content --- */

/* Decoded, and kept for --media. Returns its size; -1: it is no base64. */
static int64_t keep_data(struct mcp_shell *m, const struct mcp_content *content)
{
	struct base64_reader reader = { 0 };
	struct buf bytes;
	int64_t size;

	buf_init(&bytes, DATA_MOST);
	size = base64_read(&reader, content->data, &bytes) && base64_read_end(&reader) ? (int64_t)bytes.len : -1;
	if (size > 0 && m->folder.fd)
		media_keeper_add(&m->media, &bytes, content->type);
	else
		buf_fini(&bytes);
	return size;
}

static void print_other(struct mcp_shell *m, const struct json *value, const struct mcp_content *content)
{
	struct json_writer w;

	if (content->kind == MCP_OTHER) { /* of a later revision: as it is */
		json_dump(value, &m->text);
		buf_add_byte(&m->text, '\n');
		return;
	}
	json_writer_init(&w, &m->text);
	json_open_object(&w);
	json_member_string(&w, "type", str_from(mcp_content_word(content->kind)));
	if (content->uri.ptr)
		json_member_string(&w, "uri", content->uri);
	if (content->name.ptr)
		json_member_string(&w, "name", content->name);
	if (content->title.ptr)
		json_member_string(&w, "title", content->title);
	if (content->description.ptr)
		json_member_string(&w, "description", content->description);
	if (content->type.ptr)
		json_member_string(&w, "mimeType", content->type);
	if (content->data.ptr)
		json_member_count_or_null(&w, "bytes", keep_data(m, content));
	if (content->kind == MCP_RESOURCE && content->text.ptr)
		json_member_string(&w, "text", content->text);
	json_close_object(&w);
	buf_add_byte(&m->text, '\n');
}

static void print_text(struct mcp_shell *m, struct str text)
{
	buf_add(&m->text, text);
	if (text.len && !str_ends(text, "\n"))
		buf_add_byte(&m->text, '\n');
}

static void print_content(struct mcp_shell *m, const struct json *value)
{
	struct mcp_content content;

	if (!mcp_content_read(value, &content))
		mcp_shell_complain(m, STR("a part of the result lacks what its type must have; it is left out"));
	else if (content.kind == MCP_TEXT)
		print_text(m, content.text);
	else
		print_other(m, value, &content);
}

void mcp_print_json(struct mcp_shell *m, const struct json *value)
{
	json_dump(value, &m->text);
	buf_add_byte(&m->text, '\n');
	output_flush_json(&m->out, &m->text);
}

void mcp_print_tool_result(struct mcp_shell *m, const struct json *result)
{
	const struct json *content = json_get(result, "content"), *structured = json_get(result, "structuredContent");

	for (size_t i = 0; i < json_length(content); i++)
		print_content(m, json_at(content, i));
	if (!json_length(content) && structured) {
		json_dump(structured, &m->text);
		buf_add_byte(&m->text, '\n');
	}
	print_flush(m);
}

void mcp_print_contents(struct mcp_shell *m, const struct json *result)
{
	const struct json *contents = json_get(result, "contents");

	for (size_t i = 0; i < json_length(contents); i++) {
		struct mcp_content content;

		if (!mcp_contents_read(json_at(contents, i), &content))
			mcp_shell_complain(m, STR("a part of the resource has not exactly one of text and blob; it is left out"));
		else if (content.text.ptr)
			buf_add(&m->text, content.text);
		else
			print_other(m, json_at(contents, i), &content);
	}
	print_flush(m);
}

void mcp_print_prompt(struct mcp_shell *m, const struct json *result)
{
	const struct json *messages = json_get(result, "messages");
	size_t count = json_length(messages);

	for (size_t i = 0; i < count; i++) {
		const struct json *message = json_at(messages, i);

		if (count > 1)
			buf_printf(&m->text, "%s%.*s:\n", i ? "\n" : "", STR_ARG(json_get_text(message, "role")));
		print_content(m, json_get(message, "content"));
	}
	print_flush(m);
}

void mcp_print_ping(struct mcp_shell *m, int64_t ms)
{
	const struct mcp_facts *facts = mcp_session_facts(m->session);
	struct json_writer w;

	if (!m->o->json) {
		buf_printf(&m->text, "%s%s%s, MCP %s, %lld ms\n", facts->name ? facts->name : "?", facts->version ? " " : "",
		           facts->version ? facts->version : "", mcp_revision_name(facts->revision), (long long)ms);
		print_flush(m);
		return;
	}
	json_writer_init(&w, &m->text);
	json_open_object(&w);
	print_server(m, &w);
	json_member_integer(&w, "ms", ms);
	json_close_object(&w);
	buf_add_byte(&m->text, '\n');
	output_flush_json(&m->out, &m->text);
}
