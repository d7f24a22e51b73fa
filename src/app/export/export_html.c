/*
 * Exports as one file of HTML (export_forms.h). It runs nothing and loads nothing: no script, styles and pictures within, and a
 * Content-Security-Policy that forbids all else. Every text passes html_add(); the only addresses are those of links that export_is_link()
 * allows, and of data in base64: pictures (of pixels, which SVG is not) and sounds whose type their first bytes say, all else only to save.
 */
#include "app/export/export_forms.h"

#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/names.h"
#include "chat/conversation/citations.h"
#include "chat/conversation/part_words.h"
#include "chat/conversation/turn.h"
#include "render/highlight.h"
#include "render/markdown/markdown.h"
#include "store/export/export_words.h"
#include "wire/attachment.h"

#define WIDE 20000u      /* columns: browsers wrap the lines */
#define MATH_WIDTH 160u
#define EMBEDDED_MOST ((size_t)8 << 20) /* bytes of one picture, sound or file; those of all: store/export/export.c */

static const char *const role_names[] = {
#define X(upper, name) [ROLE_##upper] = name,
	ROLES(X)
#undef X
};

static const char head[] =
	"<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; "
	"form-action 'none'; base-uri 'none'\">\n"
	"<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n";

static const char styles[] =
	"<style>\n"
	":root{--page:#fff;--text:#1f2328;--muted:#656d76;--band:#f4f5f7;--user:#eef3fb;--line:#d5d9de;--link:#0b5cc4;--keyword:#a0305a;"
	"--type:#7a4b00;--string:#0a6b3a;--number:#0550ae;--added:#116329;--removed:#a40e26}\n"
	"@media (prefers-color-scheme:dark){:root{--page:#16181d;--text:#dde1e6;--muted:#9aa2ad;--band:#20242b;--user:#222b3a;--line:#3a4048;"
	"--link:#7ab4ff;--keyword:#ff8fb3;--type:#e5c07b;--string:#8fd6a1;--number:#8fc1ff;--added:#8fd6a1;--removed:#ff9d94}}\n"
	"body{background:var(--page);color:var(--text);font:16px/1.55 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;"
	"overflow-wrap:anywhere}\n"
	"h1{font-size:1.5rem}h2{font-size:1rem;margin:0 0 .4rem}h3{font-size:1.1rem;margin:1rem 0 .4rem}\n"
	"article{margin:1.2rem 0;padding:.8rem 1rem;border-left:3px solid var(--line)}article.user{background:var(--user)}\n"
	".t{white-space:pre-wrap;margin:.5rem 0}.m,time{color:var(--muted);font-weight:normal;font-size:.9rem}\n"
	"pre{background:var(--band);padding:.6rem .8rem;overflow-x:auto;white-space:pre;font:.9rem/1.45 "
	"ui-monospace,monospace;overflow-wrap:normal}\n"
	".l{padding-left:1.25em;text-indent:-1.25em}blockquote{margin:.5rem 0;padding-left:.8rem;border-left:3px solid "
	"var(--line);color:var(--muted)}\n"
	"details{margin:.5rem 0}summary{cursor:pointer;color:var(--muted)}hr{border:0;border-top:1px solid var(--line)}a{color:var(--link)}\n"
	"figure{margin:.5rem 0}img{max-width:100%;height:auto}figcaption{color:var(--muted);font-size:.9rem}\n"
	".w{overflow-x:auto;margin:.6rem 0}table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:.2rem .6rem;text-align:left;"
	"vertical-align:top;overflow-wrap:normal}.right{text-align:right}.centre{text-align:center}\n"
	".b{font-weight:bold}.i{font-style:italic}.u{text-decoration:underline}.s{text-decoration:line-through}\n"
	".r-code-word{background:var(--band);font-family:ui-monospace,monospace;font-size:.9em}.r-heading{font-weight:bold}\n"
	".r-keyword,.r-preprocessor{color:var(--keyword)}.r-type{color:var(--type)}.r-string{color:var(--string)}.r-number{color:var(--number)}\n"
	".r-comment,.r-quote,.r-muted,.r-table-edge{color:var(--muted)}.r-added{color:var(--added)}.r-removed{color:var(--removed)}\n"
	"@media print{details{display:block}body{max-width:none}.w,pre{overflow-x:visible}}\n"
	"</style>\n</head>\n<body>\n";

/* --- text --- */

static void html_escape(struct str text, struct buf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		switch (text.ptr[i]) {
		case '<': buf_add_z(out, "&lt;"); break;
		case '>': buf_add_z(out, "&gt;"); break;
		case '&': buf_add_z(out, "&amp;"); break;
		case '"': buf_add_z(out, "&quot;"); break;
		case '\'': buf_add_z(out, "&#39;"); break;
		default: buf_add_byte(out, text.ptr[i]);
		}
	}
}

/* Untrusted text, without characters that act. */
static void html_add(struct str text, struct buf *out)
{
	struct buf clean = { 0 };

	export_clean(text, &clean);
	html_escape(buf_str(&clean), out);
	buf_fini(&clean);
}

static void html_link(struct str url, struct str words, struct buf *out)
{
	bool is_link = export_is_link(url);

	if (is_link) {
		buf_add_z(out, "<a rel=\"noopener noreferrer nofollow\" href=\"");
		html_escape(url, out);
		buf_add_z(out, "\">");
	}
	html_add(words, out);
	buf_add_z(out, is_link ? "</a>" : "");
}

/* --- spans --- */

static void html_span(struct buf *out, const struct span *span, struct str url)
{
	static const struct { uint8_t attribute; const char *class; } classes[] = {
		{ STYLE_BOLD, " b" }, { STYLE_ITALIC, " i" }, { STYLE_UNDERLINE, " u" }, { STYLE_STRIKE, " s" },
	};
	bool is_plain = span->role == ROLE_TEXT && !span->attributes;

	if (!is_plain) {
		buf_printf(out, "<span class=\"r-%s", role_names[span->role < ROLE_COUNT ? span->role : ROLE_TEXT]);
		for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
			if (span->attributes & classes[i].attribute)
				buf_add_z(out, classes[i].class);
		buf_add_z(out, "\">");
	}
	html_link(url, span->text, out);
	buf_add_z(out, is_plain ? "" : "</span>");
}

static void html_code_span(void *ctx, const struct span *span)
{
	html_span(ctx, span, STR_NONE);
}

static void html_code(struct buf *out, struct str code, struct str language_name)
{
	const struct language *language = language_find(language_name);
	highlight_state state = 0;
	struct str line;

	buf_add_z(out, "<pre><code>");
	while (str_split(&code, '\n', &line)) {
		if (language)
			state = highlight_line(language, state, line, html_code_span, out);
		else
			html_add(line, out);
		buf_add_byte(out, '\n');
	}
	buf_add_z(out, "</code></pre>\n");
}

/* --- rows --- */

/* The bar of a quote, which has a border here. */
static bool is_quote_bar(const struct span *span)
{
	return span->role == ROLE_QUOTE && str_is(span->text, "\u2502 ");
}

static void html_rows(struct buf *out, struct markdown *m, size_t block, unsigned width)
{
	const struct markdown_layout *layout = markdown_lay_out(m, block, width);
	bool is_quote = markdown_block_at(m, block)->kind == MARKDOWN_QUOTE;

	for (size_t i = 0; i < layout->count; i++) {
		const struct markdown_row *row = &layout->rows[i];

		for (size_t j = is_quote && row->count && is_quote_bar(&row->spans[0]); j < row->count; j++) {
			unsigned link = row->spans[j].link;

			html_span(out, &row->spans[j], link && link <= layout->link_count ? layout->links[link - 1] : STR_NONE);
		}
		if (i + 1 < layout->count)
			buf_add_byte(out, row->wraps ? ' ' : '\n');
	}
}

/* --- tables --- */

/* The cells of a row of a table while its rows of text are read: more than one where a cell is wider than all browsers. */
struct html_cells { struct buf at[MARKDOWN_COLUMNS]; enum markdown_align aligns[MARKDOWN_COLUMNS]; unsigned columns; size_t rows; bool is_head; };

static bool is_edge(const struct span *span, const char *sign)
{
	return span->role == ROLE_TABLE_EDGE && str_starts(span->text, sign);
}

static void html_cells_add(struct html_cells *cells, const struct markdown_layout *layout, const struct markdown_row *row)
{
	size_t i = 0;
	unsigned column = 0;

	while (i < row->count && is_quote_bar(&row->spans[i]))
		i++;
	for (; i < row->count; i++) {
		const struct span *span = &row->spans[i];

		if (is_edge(span, " \u2502"))
			column += column + 1 < cells->columns;
		else
			html_span(&cells->at[column], span,
			          span->link && span->link <= layout->link_count ? layout->links[span->link - 1] : STR_NONE);
	}
	for (column = 0; column < cells->columns; column++)
		buf_add_byte(&cells->at[column], ' ');
	cells->rows++;
}

static void html_cells_end(struct buf *out, struct html_cells *cells)
{
	static const char *const classes[] = { [MARKDOWN_LEFT] = "", [MARKDOWN_CENTRE] = " class=\"centre\"", [MARKDOWN_RIGHT] = " class=\"right\"" };
	const char *tag = cells->is_head ? "th" : "td";

	buf_add_z(out, cells->rows ? "<tr>" : "");
	for (unsigned i = 0; cells->rows && i < cells->columns; i++) {
		buf_printf(out, "<%s%s>", tag, classes[cells->aligns[i]]);
		buf_add(out, str_trim(buf_str(&cells->at[i])));
		buf_printf(out, "</%s>", tag);
		buf_clear(&cells->at[i]);
	}
	buf_add_z(out, cells->rows ? "</tr>\n" : "");
	cells->rows = 0;
	cells->is_head = false;
}

/* A part of a table: the first one begins it, and it ends before the next block that is none. */
static void html_table(struct buf *out, struct markdown *m, size_t block)
{
	const struct markdown_layout *layout = markdown_lay_out(m, block, WIDE);
	bool continues = markdown_block_at(m, block)->continues, goes_on;
	struct html_cells cells = { .is_head = !continues };

	cells.columns = markdown_aligns(m, block, cells.aligns);
	goes_on = block + 1 < markdown_count(m) && markdown_block_at(m, block + 1)->kind == MARKDOWN_TABLE &&
	          markdown_block_at(m, block + 1)->continues;
	buf_add_z(out, continues ? "" : "<div class=\"w\"><table>\n");
	for (size_t i = 0; cells.columns && i < layout->count; i++) {
		const struct markdown_row *row = &layout->rows[i];

		if (i && row->source != layout->rows[i - 1].source)
			html_cells_end(out, &cells);
		if (!row->count || !is_edge(&row->spans[row->count - 1], "\u2500"))
			html_cells_add(&cells, layout, row);
	}
	html_cells_end(out, &cells);
	buf_add_z(out, goes_on ? "" : "</table></div>\n");
	for (unsigned i = 0; i < cells.columns; i++)
		buf_fini(&cells.at[i]);
}

/* --- blocks of Markdown --- */

static void html_block(struct buf *out, struct markdown *m, size_t block)
{
	const struct markdown_block *b = markdown_block_at(m, block);
	struct buf code = { 0 }, rows = { 0 };

	switch (b->kind) {
	case MARKDOWN_BLANK: break;
	case MARKDOWN_RULE: buf_add_z(out, "<hr>\n"); break;
	case MARKDOWN_CODE:
		if (b->continues) /* a part of the block before it, which has been written whole */
			break;
		markdown_code(m, block, &code);
		html_code(out, buf_str(&code), b->language);
		break;
	case MARKDOWN_TABLE: html_table(out, m, block); break;
	case MARKDOWN_MATH:
		buf_add_z(out, "<pre>");
		html_rows(out, m, block, MATH_WIDTH);
		buf_add_z(out, "</pre>\n");
		break;
	case MARKDOWN_HEADING:
		buf_add_z(out, "<h3>");
		html_rows(out, m, block, WIDE);
		buf_add_z(out, "</h3>\n");
		break;
	case MARKDOWN_PARAGRAPH: case MARKDOWN_LIST_ITEM: case MARKDOWN_QUOTE: case MARKDOWN_DEFINITION:
		html_rows(&rows, m, block, WIDE);
		if (str_is_blank(buf_str(&rows)))
			break;
		buf_add_z(out, b->kind == MARKDOWN_QUOTE ? "<blockquote class=\"t\">" : b->kind == MARKDOWN_LIST_ITEM ? "<div class=\"t l\">"
		                                         : "<div class=\"t\">");
		buf_add(out, buf_str(&rows));
		buf_add_z(out, b->kind == MARKDOWN_QUOTE ? "</blockquote>\n" : "</div>\n");
		break;
	}
	buf_fini(&rows);
	buf_fini(&code);
}

static void html_markdown(struct buf *out, struct str text)
{
	struct markdown_options options = { .code_band = true, .strikes = true };
	struct markdown *m = markdown_new();
	struct buf clean = { 0 };

	export_clean(text, &clean);
	markdown_set_options(m, &options);
	markdown_update(m, buf_str(&clean));
	markdown_finish(m);
	for (size_t i = 0; i < markdown_count(m); i++)
		html_block(out, m, i);
	markdown_free(m);
	buf_fini(&clean);
}

/* --- the form --- */

static void html_begin(struct buf *out)
{
	buf_add_z(out, head);
}

static void html_open(struct buf *out, const struct history_conversation *facts, size_t leaf, size_t at)
{
	struct buf when = { 0 };

	(void)leaf;
	if (!at) { /* the first one names the document */
		buf_add_z(out, "<title>");
		html_add(str_from(export_title(facts)), out);
		buf_add_z(out, "</title>\n");
		buf_add_z(out, styles);
	}
	export_when((time_t)(facts->created_ms / 1000), &when);
	buf_add_z(out, "<main>\n<h1>");
	html_add(str_from(export_title(facts)), out);
	buf_add_z(out, "</h1>\n<p class=\"m\">");
	html_add(buf_str(&when), out);
	buf_add_z(out, when.len && facts->model ? " \u00B7 " : "");
	html_add(str_from(facts->model), out);
	buf_add_z(out, "</p>\n");
	if (facts->system_prompt && *facts->system_prompt) {
		buf_add_z(out, "<details><summary>System prompt</summary><div class=\"t\">");
		html_add(str_from(facts->system_prompt), out);
		buf_add_z(out, "</div></details>\n");
	}
	buf_fini(&when);
}

/* A part that is shown on demand: as text, or as code of a language. */
static void html_folded(struct buf *out, const struct turn *t, const struct part *p, const char *language)
{
	struct buf title = { 0 }, clean = { 0 };

	export_part_title(t, p, &title);
	buf_add_z(out, "<details><summary>");
	html_escape(buf_str(&title), out);
	buf_add_z(out, "</summary>");
	export_clean(buf_str(&p->text), &clean);
	if (language) {
		html_code(out, buf_str(&clean), str_from(language));
	} else {
		buf_add_z(out, "<div class=\"t\">");
		html_escape(str_trim(buf_str(&clean)), out);
		buf_add_z(out, "</div>");
	}
	buf_add_z(out, "</details>\n");
	buf_fini(&title);
	buf_fini(&clean);
}

/* --- files and media --- */

/* The type of a picture that is shown in the document; NULL: it is only named. */
static const char *html_picture_type(struct str bytes)
{
	static const char *const types[] = { "image/png", "image/jpeg", "image/gif", "image/webp" };
	const char *type = attachment_media(bytes);

	return type && str_is_among(str_from(type), types, ARRAY_LEN(types)) ? type : NULL;
}

static void html_data(struct buf *out, const char *before, const char *type, struct str bytes)
{
	buf_printf(out, "%s\"data:%s;base64,", before, type);
	base64_encode(bytes, out);
	buf_add_byte(out, '"');
}

/* Its name is none of the stream's. */
static void html_embed(struct buf *out, struct str bytes, struct str title)
{
	const char *picture = html_picture_type(bytes);
	struct str sound = media_sniff(str_head(bytes, MEDIA_HEAD));

	buf_add_z(out, "<figure>");
	if (picture) {
		buf_add_z(out, "<img alt=\"");
		html_escape(title, out);
		html_data(out, "\" src=", picture, bytes);
		buf_add_z(out, ">");
	} else if (str_starts(sound, "audio/")) {
		html_data(out, "<audio controls src=", sound.ptr, bytes);
		buf_add_z(out, "></audio>");
	} else {
		buf_printf(out, "<a download=\"file.%s\"", media_suffix(str_head(bytes, MEDIA_HEAD), STR_NONE));
		html_data(out, " href=", "application/octet-stream", bytes);
		buf_add_z(out, ">Save</a>");
	}
	buf_add_z(out, "<figcaption>");
	html_escape(title, out);
	buf_add_z(out, "</figcaption></figure>\n");
}

/* A file that is not text, or a medium. One without bytes is only named. */
static void html_file(struct buf *out, const struct turn *t, const struct part *p, size_t *room)
{
	struct str bytes = export_bytes(p);
	bool fits = bytes.len <= EMBEDDED_MOST && bytes.len <= *room;
	struct buf title = { 0 };

	export_part_title(t, p, &title);
	if (bytes.len && fits) {
		html_embed(out, bytes, buf_str(&title));
		*room -= bytes.len;
	} else {
		buf_add_z(out, "<p class=\"m\">");
		html_escape(buf_str(&title), out);
		buf_add_z(out, !bytes.len ? "" : bytes.len > EMBEDDED_MOST ? "; it is too large to be shown here"
		                                 : "; the files of this document are too large to show it, too");
		buf_add_z(out, "</p>\n");
	}
	buf_fini(&title);
}

static bool is_folded(const struct part *p)
{
	return p->kind == PART_TOOL_RESULT || p->kind == PART_SERVER_TOOL || p->kind == PART_SERVER_RESULT ||
	       (p->kind == PART_ATTACHMENT && export_is_readable(p));
}

static void html_part(struct buf *out, const struct turn *t, const struct part *p, size_t *room)
{
	if (p->kind == PART_REASONING) {
		html_folded(out, t, p, NULL);
	} else if (p->kind == PART_TOOL_CALL) {
		html_folded(out, t, p, "json");
	} else if (is_folded(p)) {
		html_folded(out, t, p, "");
	} else if (p->kind == PART_ATTACHMENT) {
		html_file(out, t, p, room);
	} else if (p->kind == PART_MEDIA) {
		html_file(out, t, p, room);
		html_markdown(out, part_words_media_is_whole(p) ? STR_NONE : buf_str(&p->text));
	} else if (t->role == TURN_USER) {
		buf_add_z(out, "<div class=\"t\">");
		html_add(str_trim(buf_str(&p->text)), out);
		buf_add_z(out, "</div>\n");
	} else {
		html_markdown(out, buf_str(&p->text));
	}
}

static void html_sources(struct buf *out, const struct citations *c)
{
	buf_add_z(out, c->source_count ? "<p class=\"m\">Sources</p>\n<ol>\n" : "");
	for (size_t i = 0; i < c->source_count; i++) {
		struct str url = str_from(c->sources[i].url), title = str_from(c->sources[i].title);

		buf_add_z(out, "<li>");
		html_link(url, title.len ? title : url, out);
		buf_add_z(out, "</li>\n");
	}
	buf_add_z(out, c->source_count ? "</ol>\n" : "");
}

/* Our own words about a turn, if there are any; they are empty then. */
static void html_remark(struct buf *out, struct buf *words)
{
	if (!words->len)
		return;
	buf_add_z(out, "<p class=\"m\">");
	html_add(buf_str(words), out);
	buf_add_z(out, "</p>\n");
	buf_clear(words);
}

static void html_node(struct buf *out, const struct export_node *node, size_t at)
{
	const struct turn *t = node->turn;
	struct buf words = { 0 };

	(void)at;
	buf_printf(out, "<article class=\"%s\">\n<h2>", t->role == TURN_USER ? "user" : "answer");
	html_add(t->role == TURN_USER ? STR("You") : export_speaker(t), out);
	buf_add_z(out, " <time>");
	export_when(t->wall, out);
	buf_add_z(out, "</time></h2>\n");
	export_versions(node, &words);
	html_remark(out, &words);
	for (size_t i = 0; i < t->part_count; i++)
		if (!export_is_silent(t, i))
			html_part(out, t, &t->parts[i], &node->document->room);
	html_sources(out, &t->citations);
	export_outcome(t, &words);
	html_remark(out, &words);
	buf_add_z(out, "</article>\n");
	buf_fini(&words);
}

static void html_close(struct buf *out, size_t at)
{
	(void)at;
	buf_add_z(out, "</main>\n");
}

static void html_end(struct buf *out)
{
	buf_add_z(out, "</body>\n</html>\n");
}

const struct export_form export_html = {
	.name = "html", .suffix = ".html", .begin = html_begin, .open = html_open, .node = html_node, .close = html_close, .end = html_end,
};
