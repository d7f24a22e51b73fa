#include "render/markdown/html_text.h"

#include <string.h>

#include "base/array.h"
#include "render/markdown/markdown_entity.h"

/* What an element does to the text around and in it. */
enum html_effect { HTML_HIDES, HTML_BLOCK, HTML_BREAKS, HTML_ITEM, HTML_HEADING, HTML_CELL, HTML_KEEPS };

static const struct { const char *name; enum html_effect effect; } html_elements[] = {
	{ "script", HTML_HIDES },  { "style", HTML_HIDES },  { "noscript", HTML_HIDES }, { "template", HTML_HIDES }, { "svg", HTML_HIDES },
	{ "iframe", HTML_HIDES },  { "textarea", HTML_HIDES }, { "select", HTML_HIDES },
	{ "p", HTML_BLOCK },       { "div", HTML_BLOCK },    { "section", HTML_BLOCK },  { "article", HTML_BLOCK },  { "ul", HTML_BLOCK },
	{ "ol", HTML_BLOCK },      { "table", HTML_BLOCK },  { "blockquote", HTML_BLOCK }, { "title", HTML_BLOCK },  { "nav", HTML_BLOCK },
	{ "header", HTML_BLOCK },  { "footer", HTML_BLOCK }, { "main", HTML_BLOCK },     { "form", HTML_BLOCK },     { "dl", HTML_BLOCK },
	{ "figure", HTML_BLOCK },  { "hr", HTML_BLOCK },     { "aside", HTML_BLOCK },    { "details", HTML_BLOCK },
	{ "br", HTML_BREAKS },     { "tr", HTML_BREAKS },    { "dt", HTML_BREAKS },      { "dd", HTML_BREAKS },      { "option", HTML_BREAKS },
	{ "summary", HTML_BREAKS }, { "figcaption", HTML_BREAKS }, { "caption", HTML_BREAKS },
	{ "li", HTML_ITEM },       { "h1", HTML_HEADING },   { "h2", HTML_HEADING },     { "h3", HTML_HEADING },     { "h4", HTML_HEADING },
	{ "h5", HTML_HEADING },    { "h6", HTML_HEADING },   { "td", HTML_CELL },        { "th", HTML_CELL },        { "pre", HTML_KEEPS },
};

struct html {
	struct buf *out;
	size_t begun;        /* length of `out` at the start */
	unsigned breaks;     /* line feeds that stand before the next word */
	bool blank;          /* a blank stands before it */
	const char *mark;    /* what begins its line; NULL: nothing */
	bool keeps;          /* in preformatted text */
};

static void html_break(struct html *h, unsigned count)
{
	h->breaks = h->breaks > count ? h->breaks : count;
}

static void html_flush(struct html *h)
{
	bool first = h->out->len == h->begun;

	for (; h->breaks && !first; h->breaks--, h->blank = false)
		buf_add_byte(h->out, '\n');
	if (h->blank && !first && !h->mark)
		buf_add_byte(h->out, ' ');
	if (h->mark)
		buf_add_z(h->out, h->mark);
	h->mark = NULL;
	h->blank = false;
	h->breaks = 0;
}

static void html_add_text(struct html *h, struct str text)
{
	while (text.len) {
		size_t used = *text.ptr == '&' ? entity_read(text, NULL) : 0;

		if (!used && char_is_blank(*text.ptr) && !h->keeps) {
			h->blank = true;
		} else if (!used && *text.ptr == '\n' && h->keeps) {
			h->breaks++;
		} else {
			html_flush(h);
			if (used)
				entity_read(text, h->out);
			else
				buf_add_byte(h->out, *text.ptr);
		}
		text = str_skip(text, used ? used : 1);
	}
}

static void html_tag(struct html *h, enum html_effect effect, struct str name, bool closes)
{
	static const char *const headings[] = { "# ", "## ", "### ", "#### ", "##### ", "###### " };

	switch (effect) {
	case HTML_HIDES:
		break;
	case HTML_KEEPS:
		h->keeps = !closes;
		html_break(h, 2);
		break;
	case HTML_BLOCK:
		html_break(h, 2);
		break;
	case HTML_BREAKS:
		html_break(h, 1);
		break;
	case HTML_ITEM:
		html_break(h, 1);
		h->mark = closes ? NULL : "- ";
		break;
	case HTML_HEADING:
		html_break(h, 2);
		h->mark = closes ? NULL : headings[name.ptr[1] - '1'];
		break;
	case HTML_CELL:
		if (closes)
			h->mark = " | ";
		break;
	}
	if (effect == HTML_BREAKS || effect == HTML_BLOCK)
		h->mark = NULL;
}

/* The length of a tag from its "<" on, to behind its ">". Quoted values may hold one. All that is left where it does not end. */
static size_t html_tag_length(struct str text)
{
	char quote = 0;

	for (size_t i = 1; i < text.len; i++) {
		char c = text.ptr[i];

		if (quote ? c == quote : c == '>') {
			if (!quote)
				return i + 1;
			quote = 0;
		} else if (!quote && (c == '"' || c == '\'') && text.ptr[i - 1] == '=') {
			quote = c;
		}
	}
	return text.len;
}

/* The length up to behind the end tag of a hidden element. */
static size_t html_hidden_length(struct str text, struct str name)
{
	for (size_t at = 0; at < text.len;) {
		const char *sign = memchr(text.ptr + at, '<', text.len - at);
		struct str rest = sign ? str_skip(text, (size_t)(sign - text.ptr)) : STR_NONE;

		if (!rest.len)
			break;
		if (rest.len > name.len + 2 && rest.ptr[1] == '/' && str_has_nocase(str_of(rest.ptr + 2, name.len), name))
			return text.len - rest.len + html_tag_length(rest);
		at = text.len - rest.len + 1;
	}
	return text.len;
}

/* Whether "<" begins a tag, a comment or a declaration, and not a sentence. */
static bool html_is_markup(struct str text)
{
	char c = text.len > 1 ? char_lower(text.ptr[1]) : 0;

	return (c >= 'a' && c <= 'z') || c == '/' || c == '!' || c == '?';
}

static size_t html_markup(struct html *h, struct str text)
{
	bool closes = text.ptr[1] == '/';
	struct str name = str_skip(text, 1 + closes);
	size_t len = 0, end = html_tag_length(text);

	if (str_starts(text, "<!--")) {
		size_t close = str_find(str_skip(text, 4), STR("-->")) + 4;

		return close + 3 < text.len ? close + 3 : text.len;
	}
	while (len < name.len && char_is_word(name.ptr[len]))
		len++;
	name = str_head(name, len);
	char lower[16];
	for (size_t i = 0; i < len && i < sizeof lower; i++)
		lower[i] = char_lower(name.ptr[i]);
	for (size_t i = 0; i < ARRAY_LEN(html_elements) && len < sizeof lower; i++) {
		if (!str_is(str_of(lower, len), html_elements[i].name))
			continue;
		html_tag(h, html_elements[i].effect, str_of(lower, len), closes);
		if (html_elements[i].effect == HTML_HIDES && !closes)
			end += html_hidden_length(str_skip(text, end), name);
	}
	return end;
}

void html_text(struct str html, struct buf *out)
{
	struct html h = { .out = out, .begun = out->len };

	while (html.len) {
		size_t used = str_find(html, STR("<"));

		html_add_text(&h, str_head(html, used));
		html = str_skip(html, used);
		if (!html.len)
			break;
		used = html_is_markup(html) ? html_markup(&h, html) : 1;
		if (used == 1)
			html_add_text(&h, str_head(html, 1));
		html = str_skip(html, used);
	}
	if (out->len > h.begun)
		buf_add_byte(out, '\n');
}
