#include "app/cli/man_page.h"

#include <string.h>

#include "app/options/subcommand.h"
#include "base/array.h"

static const struct man_page pages[] = {
#include "man.inc"
};

const struct man_page *man_page_at(size_t index)
{
	return index < ARRAY_LEN(pages) ? &pages[index] : NULL;
}

const struct man_page *man_page_find(const char *topic)
{
	enum subcommand_id id = subcommand_named(topic);
	const char *name = id < SUBCOMMAND_COUNT ? subcommand_row(id)->page : topic;

	for (size_t i = 0; i < ARRAY_LEN(pages); i++)
		if (!strcmp(pages[i].name, name))
			return &pages[i];
	return NULL;
}

/* --- plain text --- */

#define INDENT 7 /* of text below a heading, of a block, and of an entry below its tag */
#define SUBHEADING_INDENT 3

struct layout {
	struct buf *out;
	size_t columns;
	size_t block, margin; /* where rows begin: those of the block, and those of the entry in it */
	size_t column;        /* behind the last word of the row; 0: the row is empty */
	size_t heading;       /* the length of the output behind a heading: no empty row follows it */
	bool unfilled;        /* lines stay as they are */
	bool tag;             /* the next line is the tag of an entry */
};

static void layout_break(struct layout *l)
{
	if (l->column)
		buf_add_byte(l->out, '\n');
	l->column = 0;
}

/* An empty row, unless there is one. */
static void layout_gap(struct layout *l)
{
	layout_break(l);
	if (l->out->len != l->heading && !str_ends(buf_str(l->out), "\n\n"))
		buf_add_byte(l->out, '\n');
}

static void layout_word(struct layout *l, struct str word)
{
	if (l->column && l->column + 1 + word.len > l->columns)
		layout_break(l);
	size_t blanks = l->column ? 1 : l->margin;

	buf_printf(l->out, "%*s%.*s", (int)blanks, "", STR_ARG(word));
	l->column += blanks + word.len;
}

/* The text of an entry begins behind a short tag, else below it. */
static void layout_end_tag(struct layout *l)
{
	l->tag = false;
	l->margin = l->block + INDENT;
	if (l->column < l->margin) {
		buf_printf(l->out, "%*s", (int)(l->margin - l->column - 1), "");
		l->column = l->margin - 1;
	} else {
		layout_break(l);
	}
}

/* A line of text, without escapes. */
static void layout_text(struct layout *l, struct str text)
{
	struct str word;

	if (l->unfilled)
		layout_word(l, text);
	while (!l->unfilled && str_split(&text, ' ', &word))
		if (word.len)
			layout_word(l, word);
	if (l->tag)
		layout_end_tag(l);
	else if (l->unfilled)
		layout_break(l);
}

/* --- requests --- */

static void page_title(struct layout *l, struct str text)
{
	struct str rest, name = str_first_word(text, &rest), section = str_first_word(rest, &rest);

	buf_printf(l->out, "%.*s(%.*s)\n", STR_ARG(name), STR_ARG(section));
}

static void page_heading_at(struct layout *l, struct str text, size_t indent)
{
	layout_gap(l);
	l->margin = indent;
	layout_text(l, text);
	layout_break(l);
	l->heading = l->out->len;
	l->margin = l->block = INDENT;
}

static void page_heading(struct layout *l, struct str text)
{
	page_heading_at(l, text, 0);
}

static void page_subheading(struct layout *l, struct str text)
{
	page_heading_at(l, text, SUBHEADING_INDENT);
}

static void page_paragraph(struct layout *l, struct str text)
{
	(void)text;
	layout_gap(l);
	l->margin = l->block;
}

static void page_entry(struct layout *l, struct str text)
{
	page_paragraph(l, text);
	l->tag = true;
}

static void page_block(struct layout *l, struct str text)
{
	(void)text;
	layout_break(l);
	l->margin = l->block += INDENT;
}

static void page_block_end(struct layout *l, struct str text)
{
	(void)text;
	layout_break(l);
	l->margin = l->block -= INDENT;
}

static void page_unfilled(struct layout *l, struct str text)
{
	(void)text;
	layout_break(l);
	l->unfilled = true;
}

static void page_filled(struct layout *l, struct str text)
{
	(void)text;
	layout_break(l);
	l->unfilled = false;
}

static const struct page_request {
	const char *name;
	bool glued; /* its arguments follow each other without a blank */
	void (*act)(struct layout *l, struct str text);
} requests[] = {
	{ ".TH", false, page_title },       { ".SH", false, page_heading }, { ".SS", false, page_subheading }, { ".PP", false, page_paragraph },
	{ ".TP", false, page_entry },       { ".RS", false, page_block },   { ".RE", false, page_block_end },  { ".nf", false, page_unfilled },
	{ ".fi", false, page_filled },      { ".B", false, layout_text },   { ".I", false, layout_text },      { ".BR", true, layout_text },
	{ ".RB", true, layout_text },       { ".BI", true, layout_text },   { ".IB", true, layout_text },      { ".RI", true, layout_text },
	{ ".IR", true, layout_text },
};

static const struct page_request *request_named(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(requests); i++)
		if (str_is(name, requests[i].name))
			return &requests[i];
	return NULL;
}

/* --- reading --- */

/* Appends text with its escapes resolved. */
static bool page_unescape(struct str text, struct buf *out, struct error *err)
{
	for (size_t i = 0; i < text.len; i++) {
		struct str rest = str_skip(text, i + 1);

		if (text.ptr[i] != '\\') {
			buf_add_byte(out, text.ptr[i]);
			continue;
		}
		if (str_starts(rest, "(dq"))
			buf_add_byte(out, '"');
		else if (str_starts(rest, "e"))
			buf_add_byte(out, '\\');
		else if (str_starts(rest, "-"))
			buf_add_byte(out, '-');
		else if (!str_starts(rest, "&") && !str_starts(rest, "fB") && !str_starts(rest, "fI") && !str_starts(rest, "fR"))
			return error_set(err, "a man page has an escape that is unknown: %.*s", STR_ARG(str_head(str_skip(text, i), 4)));
		i += str_starts(rest, "(dq") ? 3 : str_starts(rest, "f") ? 2 : 1;
	}
	return true;
}

/* Removes the next argument of a request from `*rest`; quotes keep blanks. */
static bool page_argument(struct str *rest, struct str *argument)
{
	*rest = str_trim_start(*rest);
	if (!rest->len)
		return false;
	if (*rest->ptr != '"')
		return str_split(rest, ' ', argument);
	*rest = str_skip(*rest, 1);
	return str_split(rest, '"', argument);
}

static bool page_arguments(struct str rest, bool glued, struct buf *out, struct error *err)
{
	struct str argument;

	while (page_argument(&rest, &argument)) {
		if (!glued && out->len)
			buf_add_byte(out, ' ');
		if (!page_unescape(argument, out, err))
			return false;
	}
	return true;
}

static bool page_line(struct layout *l, struct str line, struct error *err)
{
	struct str arguments, name = str_first_word(line, &arguments);
	const struct page_request *request = request_named(name);
	struct buf text = { 0 };
	bool good;

	if (str_starts(line, ".\\\""))
		return true;
	if (!request && str_starts(line, "."))
		return error_set(err, "a man page has a request that is unknown: %.*s", STR_ARG(line));
	good = request ? page_arguments(arguments, request->glued, &text, err) : page_unescape(line, &text, err);
	if (good)
		(request ? request->act : layout_text)(l, buf_str(&text));
	buf_fini(&text);
	return good;
}

bool man_page_write(struct str roff, size_t columns, struct buf *out, struct error *err)
{
	struct layout l = { .out = out, .columns = columns, .block = INDENT, .margin = INDENT };
	struct str line;

	while (str_split(&roff, '\n', &line))
		if (!page_line(&l, line, err))
			return false;
	layout_break(&l);
	return true;
}
