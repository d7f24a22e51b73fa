/*
 * Exports as Markdown (CommonMark). Texts stay as they were written. What is open at the end of one (a code fence, a comment) would hide all
 * that follows, so it is closed, or the text becomes a quote, whose end closes everything in it.
 */
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "chat/conversation/citations.h"
#include "chat/conversation/part_words.h"
#include "chat/conversation/turn.h"
#include "store/export/export_words.h"
#include "wire/attachment.h"

/* --- whether a text ends what it begins --- */

/* A block that has no end of its own: a code fence, or one of the HTML blocks that end only at their sign. */
struct open_block {
	char fence;       /* '`' or '~'; 0: not a fence */
	size_t length;    /* of the fence */
	size_t indent;
	const char *until; /* of an HTML block; NULL: none */
};

static size_t run_of(struct str line, char c)
{
	size_t n = 0;

	while (n < line.len && line.ptr[n] == c)
		n++;
	return n;
}

static const struct { const char *begin, *end; } html_blocks[] = {
	{ "<!--", "-->" }, { "<?", "?>" }, { "<![CDATA[", "]]>" }, { "<!", ">" },
	{ "<script", "</script>" }, { "<pre", "</pre>" }, { "<style", "</style>" }, { "<textarea", "</textarea>" },
};

static bool block_begins(struct str line, size_t indent, struct open_block *block)
{
	char c = line.len ? line.ptr[0] : 0;
	size_t length = c == '`' || c == '~' ? run_of(line, c) : 0;

	*block = (struct open_block){ .indent = indent };
	if (length >= 3 && (c == '~' || !memchr(line.ptr + length, '`', line.len - length))) {
		block->fence = c;
		block->length = length;
		return true;
	}
	for (size_t i = 0; i < sizeof html_blocks / sizeof *html_blocks; i++) {
		if (!str_is_nocase(str_head(line, strlen(html_blocks[i].begin)), html_blocks[i].begin))
			continue;
		block->until = html_blocks[i].end;
		return !str_has_nocase(str_skip(line, 2), str_from(block->until));
	}
	return false;
}

static bool block_ends(struct str line, const struct open_block *block)
{
	if (block->until)
		return str_has_nocase(line, str_from(block->until));
	return run_of(line, block->fence) >= block->length && str_is_blank(str_skip(line, run_of(line, block->fence)));
}

/* Whether a line begins such a block in a list or a quote, or behind a tab: where that ends, programs do not agree. */
static bool line_is_doubtful(struct str line)
{
	struct str rest = line;
	struct open_block block;

	while (rest.len && (char_is_blank(rest.ptr[0]) || char_is_digit(rest.ptr[0]) || strchr("-+*>.)", rest.ptr[0])))
		rest = str_skip(rest, 1);
	return rest.len < line.len && run_of(line, ' ') + rest.len < line.len && block_begins(rest, 0, &block);
}

enum ending { ENDS_BY_ITSELF, ENDS_AT_FENCE, ENDS_UNSURELY };

/*
 * Lists are not followed. An indented block may belong to an item, which ends where a line is indented less, or be a paragraph or code that
 * looks like it; then it is not certain what is open, unless it ends with all its lines indented as far.
 */
static enum ending text_ending(struct str text, struct open_block *block)
{
	bool open = false, markup = false; /* markup: behind a tag, up to a blank line, fences may count or not */
	struct str line;

	while (str_split(&text, '\n', &line)) {
		size_t indent = run_of(line, ' ');

		markup = !str_is_blank(line) && (markup || str_starts(str_trim_start(line), "<"));
		if (!open && (line_is_doubtful(line) || (markup && block_begins(str_trim_start(line), 0, block))))
			return ENDS_UNSURELY;
		line = str_skip(line, indent);
		if (!open)
			open = block_begins(line, indent, block);
		else if (line.len && indent < block->indent)
			return ENDS_UNSURELY;
		else if (block_ends(line, block) && !block->until && indent - block->indent >= 4)
			return ENDS_UNSURELY;
		else
			open = !block_ends(line, block);
	}
	return !open ? ENDS_BY_ITSELF : block->fence && !block->indent ? ENDS_AT_FENCE : ENDS_UNSURELY;
}

/* --- blocks --- */

static void add_quote(struct buf *out, struct str text)
{
	struct str line;

	while (str_split(&text, '\n', &line)) {
		buf_add_z(out, line.len ? "> " : ">");
		buf_add(out, line);
		buf_add_byte(out, '\n');
	}
}

static void add_repeated(struct buf *out, char c, size_t count)
{
	for (; count; count--)
		buf_add_byte(out, c);
}

static void add_text(struct buf *out, struct str text)
{
	struct open_block block = { 0 };
	enum ending ending = text_ending(text, &block);

	if (ending == ENDS_UNSURELY) {
		add_quote(out, text);
		return;
	}
	buf_add(out, text);
	buf_add_byte(out, '\n');
	if (ending == ENDS_AT_FENCE) {
		add_repeated(out, block.fence, block.length);
		buf_add_byte(out, '\n');
	}
}

/* Code between fences longer than any run of backticks in it. */
static void add_code(struct buf *out, struct str text, const char *language)
{
	size_t longest = 2;

	for (size_t i = 0; i < text.len; i++) {
		size_t run = run_of(str_skip(text, i), '`');

		longest = run > longest ? run : longest;
		i += run;
	}
	add_repeated(out, '`', longest + 1);
	buf_printf(out, "%s\n", language);
	buf_add(out, text);
	buf_add_z(out, text.len && text.ptr[text.len - 1] == '\n' ? "" : "\n");
	add_repeated(out, '`', longest + 1);
	buf_add_byte(out, '\n');
}

/* One line in which no character has a meaning. */
static void add_words(struct buf *out, struct str text)
{
	struct buf line = { 0 };

	export_clean_line(text, &line);
	for (size_t i = 0; i < line.len; i++) {
		if (strchr("\\`*_{}[]<>()#+-!|&~", line.ptr[i]) && line.ptr[i])
			buf_add_byte(out, '\\');
		buf_add_byte(out, line.ptr[i]);
	}
	buf_fini(&line);
}

/* --- the form --- */

static void add_entry(struct buf *out, const char *name, struct str text)
{
	struct buf line = { 0 };

	if (!text.len)
		return;
	export_clean_line(text, &line);
	buf_printf(out, "%s: ", name);
	json_escape(out, buf_str(&line)); /* a string of JSON is one of YAML */
	buf_add_byte(out, '\n');
	buf_fini(&line);
}

static void add_date(struct buf *out, const char *name, int64_t ms)
{
	struct buf when = { 0 };

	export_when((time_t)(ms / 1000), &when);
	if (when.len)
		add_entry(out, name, buf_str(&when));
	buf_fini(&when);
}

static void markdown_open(struct buf *out, const struct history_conversation *facts, size_t leaf, size_t at)
{
	(void)leaf;
	buf_add_z(out, at ? "\n" : "---\n"); /* only the first is front matter */
	if (!at) {
		add_entry(out, "title", str_from(export_title(facts)));
		add_entry(out, "model", str_from(facts->model));
		add_entry(out, "provider", str_from(facts->provider));
		add_date(out, "created", facts->created_ms);
		add_date(out, "updated", facts->updated_ms);
		add_entry(out, "id", str_from(facts->key));
		buf_add_z(out, "---\n\n");
	}
	buf_add_z(out, "# ");
	add_words(out, str_from(export_title(facts)));
	buf_add_byte(out, '\n');
	if (facts->system_prompt && *facts->system_prompt) {
		struct buf text = { 0 };

		export_clean(str_trim(str_from(facts->system_prompt)), &text);
		buf_add_z(out, "\n> **System prompt**\n>\n");
		add_quote(out, buf_str(&text));
		buf_fini(&text);
	}
}

/* A blank line would end the HTML block of `<details>`, so one follows at once: what stands in it is Markdown again. */
static void add_folded(struct buf *out, const struct turn *t, const struct part *p, struct str text)
{
	struct buf title = { 0 };

	export_part_title(t, p, &title);
	buf_add_z(out, "<details><summary>");
	for (size_t i = 0; i < title.len; i++) {
		char c = title.ptr[i];

		if (c == '<' || c == '>' || c == '&')
			buf_add_z(out, c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;");
		else
			buf_add_byte(out, c);
	}
	buf_add_z(out, "</summary>\n\n");
	add_code(out, text, p->kind == PART_TOOL_CALL ? "json" : "");
	buf_add_z(out, "\n</details>\n");
	buf_fini(&title);
}

/* A file, or a medium: beside the document if it can be; else its line in brackets. */
static void add_file(struct buf *out, const struct export_node *node, const struct part *p)
{
	const char *type = attachment_media(export_bytes(p)); /* by its first bytes: what is called a picture may be none */
	struct buf title = { 0 }, address = { 0 };
	bool beside = export_add_beside(node->document, export_bytes(p), str_from(p->media), &address);

	export_part_title(node->turn, p, &title);
	buf_add_z(out, beside && type && str_starts(str_from(type), "image/") ? "![" : "[");
	add_words(out, buf_str(&title));
	buf_printf(out, beside ? "](%s)\n" : "]\n", buf_z(&address));
	buf_fini(&title);
	buf_fini(&address);
}

static void markdown_part(struct buf *out, const struct export_node *node, const struct part *p)
{
	struct buf text = { 0 };

	export_clean(p->kind == PART_TEXT ? str_trim(buf_str(&p->text)) : buf_str(&p->text), &text);
	buf_add_byte(out, '\n');
	switch (p->kind) {
	case PART_TEXT: case PART_REFUSAL: add_text(out, buf_str(&text)); break;
	case PART_REASONING:
		buf_add_z(out, "> **Reasoning**\n>\n");
		add_quote(out, str_trim(buf_str(&text)));
		break;
	case PART_TOOL_CALL: case PART_TOOL_RESULT: case PART_SERVER_TOOL: case PART_SERVER_RESULT:
		add_folded(out, node->turn, p, buf_str(&text));
		break;
	case PART_MEDIA:
		add_file(out, node, p);
		if (text.len && !part_words_media_is_whole(p)) {
			buf_add_byte(out, '\n');
			add_text(out, buf_str(&text));
		}
		break;
	case PART_ATTACHMENT:
		if (export_is_readable(p))
			add_folded(out, node->turn, p, buf_str(&text));
		else
			add_file(out, node, p);
		break;
	case PART_OPAQUE: break;
	}
	buf_fini(&text);
}

static void add_sources(struct buf *out, const struct citations *c)
{
	for (size_t i = 0; i < c->source_count; i++) {
		struct str url = str_from(c->sources[i].url), title = str_from(c->sources[i].title);

		buf_printf(out, "%s%zu. ", i ? "" : "\n**Sources**\n\n", i + 1);
		if (export_is_link(url)) {
			buf_add_byte(out, '[');
			add_words(out, title.len ? title : url);
			buf_add_z(out, "](<");
			buf_add(out, url);
			buf_add_z(out, ">)\n");
		} else {
			add_words(out, title);
			buf_add_byte(out, ' ');
			add_words(out, url);
			buf_add_byte(out, '\n');
		}
	}
}

/* Our own words about a turn, if there are any; they are empty then. */
static void markdown_remark(struct buf *out, struct buf *words)
{
	if (!words->len)
		return;
	buf_add_z(out, "\n*");
	add_words(out, buf_str(words));
	buf_add_z(out, "*\n");
	buf_clear(words);
}

static void markdown_node(struct buf *out, const struct export_node *node, size_t at)
{
	const struct turn *t = node->turn;
	struct buf words = { 0 };

	(void)at;
	buf_add_z(out, "\n## ");
	add_words(out, t->role == TURN_USER ? STR("You") : export_speaker(t));
	buf_add_z(out, "\n\n*");
	export_when(t->wall, out);
	buf_add_z(out, t->wall > 0 ? "*\n" : "no date*\n");
	export_versions(node, &words);
	markdown_remark(out, &words);
	for (size_t i = 0; i < t->part_count; i++)
		if (!export_is_silent(t, i))
			markdown_part(out, node, &t->parts[i]);
	add_sources(out, &t->citations);
	export_outcome(t, &words);
	markdown_remark(out, &words);
	buf_fini(&words);
}

const struct export_form export_markdown = { .name = "markdown", .suffix = ".md", .open = markdown_open, .node = markdown_node };
