/*
 * Recognizes what a line of Markdown begins with. Pure: it sees the bytes of one line and no state.
 *
 * Columns count from the start of the line; tab stops are multiples of 4. A cursor may stand within a tab, with `spare` columns of it left.
 */
#ifndef WEIR_RENDER_MARKDOWN_LINE_H
#define WEIR_RENDER_MARKDOWN_LINE_H

#include <stdint.h>

#include "base/text.h"

struct line_cursor {
	struct str rest;      /* without the line end */
	unsigned column;
	unsigned spare;
};

/* Columns of blanks ahead, at most `most`. */
unsigned line_indent(const struct line_cursor *cursor, unsigned most);

/* Skips at most `columns` of blanks. */
void line_skip_blanks(struct line_cursor *cursor, unsigned columns);
void line_skip_bytes(struct line_cursor *cursor, size_t count);

/* Takes a quote's sign and the blank behind it, with up to 3 blanks before it. */
bool line_take_quote(struct line_cursor *cursor);

struct line_marker {
	bool ordered;
	size_t length;        /* of the sign: 1, or digits and their delimiter */
	bool is_one;          /* begins to count at 1: may interrupt a paragraph */
	bool empty;           /* nothing behind it */
};

/* A list sign at the cursor (behind the blanks). */
bool line_is_marker(struct str rest, struct line_marker *marker);

struct line_fence {
	char sign;
	size_t length;
	struct str info;
};

bool line_is_fence(struct str rest, struct line_fence *fence);
bool line_closes_fence(struct str rest, char sign, size_t length);

/* 1 to 6; `*text` is what the heading says. */
unsigned line_is_heading(struct str rest, struct str *text);

bool line_is_rule(struct str rest);
unsigned line_is_underline(struct str rest); /* 1 for ===, 2 for ---, else 0 */

/* Opens display math (`$$` or `\[`): returns the sign that closes it, else NULL. */
const char *line_opens_math(struct str rest);

/* A table's line: its columns (0: it has no `|`), its inside, and cutting the next cell off that; the last of `left` takes all. */
size_t line_columns(struct str rest);
struct str line_row(struct str rest);
bool line_take_cell(struct str *rest, size_t left, struct str *cell);

/* `|-|:-:|`; the number of its columns. */
size_t line_is_delimiter(struct str rest);

/* `[label]: destination "title"`. The parts borrow from the line. */
struct line_definition {
	struct str label, destination, title; /* the title with its signs; empty: none */
};

bool line_is_definition(struct str rest, bool partial, struct line_definition *definition); /* `partial`: more of it may come */

/* `[^label]:` in front of a footnote's text; the length of that sign, or 0. */
size_t line_is_footnote(struct str rest);

/* The number of digits of `[^12]`; 0 for other labels. */
size_t line_note_digits(struct str label);

/* Whether the last line of a text is only the beginning of a marker, so that its block is unknown. */
bool line_is_undecided(struct str rest, bool may_number);

#endif
