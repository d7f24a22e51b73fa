/* Tools of the server, unfolded: code and what it printed as bands, found pages as a list. */
#include "ui/page/page_inside.h"

#include "base/array.h"
#include "base/json_scan.h"

#define CODE_MOST ((size_t)1 << 20) /* bytes: what is longer has no band, since a band is laid out anew whenever it grows */
#define TICKS_LEAST 3u

/* Tools whose input is code: by itself, or as the only member of an object. */
static const struct { const char *name, *language; } code_tools[] = {
	{ "code_execution", "python" }, { "code_interpreter", "python" }, { "python", "python" },
	{ "bash_code_execution", "bash" }, { "shell", "bash" }, { "local_shell", "bash" },
};

static const char *code_language(const struct part *tool)
{
	for (size_t i = 0; i < ARRAY_LEN(code_tools); i++)
		if (tool->name && str_is(str_from(tool->name), code_tools[i].name))
			return code_tools[i].language;
	return NULL;
}

/* Appends the code of an input. `*before`: where it begins in the input's lines of members. False if there is more than code. */
static bool code_write(struct str input, struct buf *out, size_t *before)
{
	struct str key, value, more;

	*before = 0;
	input = str_trim_start(input);
	if (input.len > CODE_MOST)
		return false;
	if (!str_starts(input, "{")) {
		buf_add(out, input);
		return true;
	}
	if (!json_scan_is_whole(input))
		return false;
	struct json_spans members = json_spans_of(input);
	if (!json_spans_next(&members, &key, &value) || !(str_is(key, "code") || str_is(key, "command")) || !str_starts(value, "\"") ||
	    json_spans_next(&members, &more, &more))
		return false;
	*before = key.len + strlen("  ");
	json_scan_unescape(str_head(str_skip(value, 1), value.len - 2), false, out);
	return true;
}

/* A fence that no run of backticks in the code closes. */
static unsigned code_ticks(struct str code)
{
	unsigned run = 0, most = 0;

	for (size_t i = 0; i < code.len; i++) {
		run = code.ptr[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most < TICKS_LEAST ? TICKS_LEAST : most + 1;
}

static void code_add_ticks(struct buf *out, unsigned count)
{
	while (count--)
		buf_add_byte(out, '`');
}

/* Makes a block of the code, without blank lines around it. False if there is none. */
static bool code_fence(struct page_text *text, struct str code, const char *language, size_t before)
{
	unsigned ticks = code_ticks(code);

	while (code.len && (*code.ptr == '\n' || *code.ptr == '\r')) {
		code = str_skip(code, 1);
		before++;
	}
	while (code.len && char_is_blank(code.ptr[code.len - 1]))
		code.len--;
	buf_clear(&text->fenced);
	code_add_ticks(&text->fenced, ticks);
	buf_printf(&text->fenced, "%s\n", language);
	text->fence = text->fenced.len;
	text->before = before;
	buf_add(&text->fenced, code);
	buf_add_byte(&text->fenced, '\n');
	code_add_ticks(&text->fenced, ticks);
	if (text->markdown)
		markdown_reset(text->markdown);
	return code.len > 0;
}

bool page_has_code(struct page *p, const struct turn *t, size_t index)
{
	struct page_text *text = page_text_of(p, index);
	const struct part *tool = &t->parts[index];
	const char *language = tool->kind == PART_SERVER_TOOL && !p->options.raw ? code_language(tool) : NULL;
	struct buf code = { 0 };
	size_t before;

	if (!language || !tool->text.len)
		return false;
	if (text->fenced_of != tool->text.len) {
		bool is_code = code_write(buf_str(&tool->text), &code, &before) && code_fence(text, buf_str(&code), language, before);

		if (!is_code)
			buf_clear(&text->fenced);
		text->fenced_of = tool->text.len;
		buf_fini(&code);
	}
	return text->fenced.len > 0;
}

bool page_has_output(struct page *p, const struct part *tool, const struct part *result, size_t index)
{
	struct page_text *text = page_text_of(p, index);

	if (result->kind != PART_SERVER_RESULT || p->options.raw || !code_language(tool) || str_starts(buf_str(&result->text), "{") ||
	    result->text.len > CODE_MOST)
		return false;
	if (text->fenced_of != result->text.len && !code_fence(text, buf_str(&result->text), "", 0))
		buf_clear(&text->fenced);
	text->fenced_of = result->text.len;
	return text->fenced.len > 0;
}

void page_add_code(struct page *p, size_t part, size_t fold, unsigned indent)
{
	struct page_text *text = page_text_of(p, part);
	struct item *item = page_add_item(p, ITEM_FOLD, part, ROLE_TEXT);

	item->fold = fold;
	item->body = true;
	item->indent = indent;
	item->text = buf_str(&text->fenced);
	item->fence = text->fence;
	item->before = text->before;
	item->markdown = page_document_of(p, text, true);
	markdown_update(item->markdown, item->text);
	markdown_finish(item->markdown);
}

bool page_add_found(struct page *p, const struct part *result, struct item *item)
{
	struct page_text *text = page_text_of(p, item->part);

	if (result->kind != PART_SERVER_RESULT || p->options.raw || !text->found || text->found == PAGE_NO_PART)
		return false;
	if (text->list_of != result->text.len) {
		buf_clear(&text->list_text);
		if (!page_sources_write_found(&text->list, buf_str(&result->text), &text->list_strings, &text->list_text))
			return false;
		text->list_of = result->text.len;
	}
	item->sources = &text->list;
	item->indent = item->line_indent + PAGE_FOLD_INDENT + PAGE_SOURCES_HANG;
	item->flow = page_flow_of(p, item->part);
	item->text = buf_str(&text->list_text);
	item->source = buf_str(&result->text);
	if (!text->shows_lines)
		flow_text_reset(item->flow);
	text->shows_lines = true;
	return true;
}
