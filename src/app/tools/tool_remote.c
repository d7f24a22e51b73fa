#include "app/tools/tool_remote.h"

#include <stdio.h>

#include "base/base64.h"
#include "base/utf8.h"
#include "chat/provider/schema.h"
#include "wire/mcp/content.h"

#define SHOWN_BYTES 300u /* of a name or a sentence of the server */
#define MARK_BYTES 1024u /* room for a line in brackets */

/* Texts of the server within the limit, and what was not kept. */
struct result { struct buf *out; size_t room, left_out; struct media_keeper *media; size_t media_room; };

static void result_add(struct result *r, struct str text)
{
	struct str kept = str_head(text, r->room);

	(void)utf8_repair(kept, r->out);
	r->room -= kept.len;
	r->left_out += text.len - kept.len;
}

static void result_end_line(struct result *r)
{
	if (r->out->len && r->out->ptr[r->out->len - 1] != '\n')
		buf_add_byte(r->out, '\n');
}

/* A line about what is no text. They take room, too: a result may have any number of parts. */
static void result_mark(struct result *r, const char *what, struct str name, struct str more)
{
	struct buf line;

	buf_init(&line, MARK_BYTES + 8 * SHOWN_BYTES);
	buf_printf(&line, "[%s", what);
	if (name.len)
		buf_add_byte(&line, ' ');
	(void)utf8_repair(str_head(name, SHOWN_BYTES), &line);
	(void)utf8_repair(str_head(more, SHOWN_BYTES), &line);
	buf_add_z(&line, "]\n");
	if (line.len <= r->room) {
		result_end_line(r);
		buf_add(r->out, buf_str(&line));
	}
	r->left_out += line.len <= r->room ? 0 : line.len;
	r->room -= line.len <= r->room ? line.len : r->room;
	buf_fini(&line);
}

/* Appends how large it is and whether it is kept. */
static void result_keep(struct result *r, const struct mcp_content *part, struct buf *words)
{
	struct buf bytes;
	size_t most = part->data.len / 4 * 3;

	if (most > r->media_room || r->media->count >= TOOL_MEDIA_MOST) {
		buf_printf(words, ", %zu bytes, left out: %s", most, most > r->media_room ? "more than media_limit allows" : "too many");
		return;
	}
	buf_init(&bytes, most + 1);
	if (!base64_decode(part->data, &bytes) || !bytes.len) {
		buf_add_z(words, part->data.len ? ", left out: its data is no base64" : ", empty");
		buf_fini(&bytes);
		return;
	}
	buf_printf(words, ", %zu bytes, attached", bytes.len);
	r->media_room -= bytes.len;
	media_keeper_add(r->media, &bytes, part->type);
}

/* ": NAME (TYPE). DESCRIPTION", as far as there is any. */
static void result_write_link(const struct mcp_content *part, struct buf *words)
{
	struct str name = part->title.len ? part->title : part->name;

	if (name.len)
		buf_printf(words, ": %.*s", STR_ARG(str_head(name, SHOWN_BYTES)));
	if (part->type.len)
		buf_printf(words, " (%.*s)", STR_ARG(str_head(part->type, SHOWN_BYTES)));
	if (part->description.len)
		buf_printf(words, ". %.*s", STR_ARG(str_head(part->description, SHOWN_BYTES)));
}

static void result_add_part(struct result *r, const struct mcp_content *part)
{
	struct buf words = { 0 };

	switch (part->kind) {
	case MCP_TEXT:
		result_end_line(r);
		result_add(r, part->text);
		break;
	case MCP_IMAGE:
	case MCP_AUDIO:
		result_keep(r, part, &words);
		result_mark(r, mcp_content_word(part->kind), part->type, buf_str(&words));
		break;
	case MCP_RESOURCE:
		if (part->data.ptr)
			result_keep(r, part, &words);
		result_mark(r, "resource", part->uri, buf_str(&words));
		result_add(r, part->text);
		break;
	case MCP_LINK:
		result_write_link(part, &words);
		result_mark(r, "link to", part->uri, buf_str(&words));
		break;
	case MCP_OTHER:
		result_mark(r, "a part of an unknown kind", STR_NONE, STR_NONE);
		break;
	}
	buf_fini(&words);
}

static bool result_add_content(struct result *r, const struct json *content)
{
	bool any = false;

	for (size_t i = 0; i < json_length(content); i++) {
		struct mcp_content part;

		if (!mcp_content_read(json_at(content, i), &part))
			continue;
		result_add_part(r, &part);
		any = true;
	}
	return any;
}

/* Servers give structured content as text, too; one that does not has it shown here. */
static void result_add_structured(struct result *r, const struct json *value, struct str schema, bool shows)
{
	struct error why = { "" };
	struct buf text = { 0 };

	json_dump(value, &text);
	if (shows)
		result_add(r, buf_str(&text));
	if (schema.len && !schema_check(schema, buf_str(&text), &why)) {
		result_end_line(r);
		buf_printf(r->out, "[the structured content breaks the tool's own schema: %s]\n", why.text);
	}
	buf_fini(&text);
}

static enum tool_outcome result_take(const struct json *result, const struct tool_remote_limits *limits, struct media_keeper *media,
                                     struct buf *out)
{
	struct result r = { .out = out, .room = limits->text_bytes, .media = media, .media_room = limits->media_bytes };
	const struct json *structured = json_get(result, "structuredContent");
	bool is_error = false, any = result_add_content(&r, json_get(result, "content"));

	if (structured)
		result_add_structured(&r, structured, limits->output_schema, !any);
	if (r.left_out) {
		result_end_line(&r);
		buf_printf(out, "[%zu bytes left out]\n", r.left_out);
	}
	(void)json_flag(json_get(result, "isError"), &is_error);
	return is_error ? TOOL_RUN_ERROR : TOOL_RUN_OK;
}

enum tool_outcome tool_remote_write_result(const struct mcp_answer *answer, const struct tool_remote_limits *limits, struct media_keeper *media,
                                           struct buf *out)
{
	struct str words = str_without_stop(str_head(str_trim(answer->words), SHOWN_BYTES));

	if (answer->ending == MCP_COMPLETE)
		return result_take(answer->result, limits, media, out);
	buf_add_z(out, "The call failed: ");
	(void)utf8_repair(words.len ? words : STR("the server reports an error"), out);
	buf_add_byte(out, '.');
	return answer->ending == MCP_STALLED ? TOOL_RUN_TIMEOUT : TOOL_RUN_ERROR;
}

void tool_remote_write_progress(const struct mcp_progress *progress, struct buf *out)
{
	buf_clear(out);
	buf_printf(out, "%g", progress->done);
	if (progress->total >= 0)
		buf_printf(out, " of %g", progress->total);
	if (progress->words.len)
		buf_add_z(out, ": ");
	(void)utf8_repair(str_head(progress->words, SHOWN_BYTES), out);
	buf_add_byte(out, '\n');
}

void tool_remote_write_share(const struct mcp_progress *progress, char *out, size_t size)
{
	double share = progress->total > 0 ? 100 * progress->done / progress->total : -1;

	*out = '\0';
	if (share >= 0 && share <= 100)
		snprintf(out, size, "%.0f %%", share);
}
