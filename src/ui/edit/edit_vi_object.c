/* Text objects of vi's keys: what is inside (i) or around (a) a word, quotes or brackets. */
#include "base/array.h"
#include "ui/edit/edit_vi_inside.h"

struct vi_object {
	char letter;
	bool (*find)(const struct edit *e, const struct vi_command *c, const struct vi_object *o, struct vi_range *r);
	char open, close;
};

static bool vi_is_around(const struct vi_command *c)
{
	return c->motion->letter == 'a';
}

static bool vi_is_blank(const struct edit *e, size_t at)
{
	return vi_word_kind(e, at, true) == WORD_BLANK;
}

/* Blanks behind it belong to it, else those before it. */
static void vi_take_blanks(const struct edit *e, struct vi_range *r)
{
	size_t start = edit_line_start(e, r->from), end = edit_line_end(e, r->to), to = r->to;

	while (r->to < end && vi_is_blank(e, r->to))
		r->to = edit_after(e, r->to);
	while (r->to == to && r->from > start && vi_is_blank(e, edit_before(e, r->from)))
		r->from = edit_before(e, r->from);
}

/* --- words --- */

/* The end of what is of one kind from `at` on. */
static size_t vi_same_end(const struct edit *e, size_t at, size_t end, bool blanks)
{
	enum word_kind kind = vi_word_kind(e, at, blanks);

	do
		at = edit_after(e, at);
	while (kind != WORD_OF_ITS_OWN && at < end && vi_word_kind(e, at, blanks) == kind);
	return at;
}

static size_t vi_same_start(const struct edit *e, size_t at, size_t start, bool blanks)
{
	enum word_kind kind = vi_word_kind(e, at, blanks);

	while (kind != WORD_OF_ITS_OWN && at > start && vi_word_kind(e, edit_before(e, at), blanks) == kind)
		at = edit_before(e, at);
	return at;
}

/* In the line. Blanks are an object inside; around them it has the word behind them. */
static bool vi_word(const struct edit *e, const struct vi_command *c, const struct vi_object *o, struct vi_range *r)
{
	size_t start = edit_line_start(e, e->cursor), end = edit_line_end(e, e->cursor);
	bool blanks = o->letter == 'W', from_blank = e->cursor < end && vi_is_blank(e, e->cursor);

	*r = (struct vi_range){ e->cursor, e->cursor, false };
	if (e->cursor < end)
		r->from = r->to = vi_same_start(e, e->cursor, start, blanks);
	for (unsigned i = 0; i < c->times && r->to < end; i++) {
		r->to = vi_same_end(e, r->to, end, blanks);
		if (vi_is_around(c) && r->to < end && (from_blank || (i + 1 < c->times && vi_is_blank(e, r->to))))
			r->to = vi_same_end(e, r->to, end, blanks);
	}
	if (vi_is_around(c) && !from_blank)
		vi_take_blanks(e, r);
	return true;
}

/* --- quotes and brackets --- */

static size_t vi_next_quote(const struct edit *e, size_t at, size_t end, char quote)
{
	while (at < end && e->text.ptr[at] != quote)
		at = edit_after(e, e->text.ptr[at] == '\\' && edit_after(e, at) < end ? edit_after(e, at) : at);
	return at;
}

/* The quotes that the cursor is between, else the next ones of the line. They are counted from its start. */
static bool vi_quoted(const struct edit *e, const struct vi_command *c, const struct vi_object *o, struct vi_range *r)
{
	size_t end = edit_line_end(e, e->cursor);

	*r = (struct vi_range){ .to = edit_line_start(e, e->cursor) };
	do {
		r->from = vi_next_quote(e, r->to, end, o->open);
		if (r->from == end)
			return false;
		r->to = vi_next_quote(e, r->from + 1, end, o->close);
		if (r->to == end)
			return false;
		r->to++;
	} while (r->to <= e->cursor);
	if (vi_is_around(c))
		vi_take_blanks(e, r);
	else
		*r = (struct vi_range){ r->from + 1, r->to - 1, false };
	return true;
}

/* What is between brackets in lines of their own are the lines between. */
static void vi_take_lines(const struct edit *e, struct vi_range *r)
{
	size_t last = edit_line_start(e, r->to);

	if (e->text.ptr[r->from] == '\n' && last > r->from + 1 && vi_first_word(e, r->to, NULL) == r->to)
		*r = (struct vi_range){ r->from + 1, last - 1, true };
}

/* The brackets that the cursor is in or on; with a count farther out. */
static bool vi_bracketed(const struct edit *e, const struct vi_command *c, const struct vi_object *o, struct vi_range *r)
{
	size_t depth = c->times;

	*r = (struct vi_range){ .from = e->cursor };
	for (;; r->from = edit_before(e, r->from)) {
		char here = r->from < e->text.len ? e->text.ptr[r->from] : 0;

		if (here == o->open && --depth == 0)
			break;
		depth += here == o->close && r->from != e->cursor;
		if (!r->from)
			return false;
	}
	depth = 1;
	for (r->to = r->from + 1; r->to < e->text.len; r->to = edit_after(e, r->to)) {
		char here = e->text.ptr[r->to];

		depth += here == o->open;
		if (here == o->close && --depth == 0)
			break;
	}
	if (depth)
		return false;
	if (vi_is_around(c)) {
		r->to++;
	} else {
		r->from++;
		vi_take_lines(e, r);
	}
	return true;
}

static const struct vi_object vi_objects[] = {
	{ 'w', vi_word, 0, 0 }, { 'W', vi_word, 0, 0 },
	{ '"', vi_quoted, '"', '"' }, { '\'', vi_quoted, '\'', '\'' }, { '`', vi_quoted, '`', '`' },
	{ '(', vi_bracketed, '(', ')' }, { ')', vi_bracketed, '(', ')' }, { 'b', vi_bracketed, '(', ')' },
	{ '[', vi_bracketed, '[', ']' }, { ']', vi_bracketed, '[', ']' },
	{ '{', vi_bracketed, '{', '}' }, { '}', vi_bracketed, '{', '}' }, { 'B', vi_bracketed, '{', '}' },
	{ '<', vi_bracketed, '<', '>' }, { '>', vi_bracketed, '<', '>' },
};

bool vi_object(const struct edit *e, const struct vi_command *c, struct vi_range *r)
{
	for (size_t i = 0; i < ARRAY_LEN(vi_objects); i++)
		if (str_is(c->character, (char[]){ vi_objects[i].letter, 0 }))
			return vi_objects[i].find(e, c, &vi_objects[i], r);
	return false;
}
