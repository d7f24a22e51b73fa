/*
 * Recognizes what a line of Markdown begins with. Pure functions of the bytes of one line.
 *
 * Columns count from the start of the line; tab stops are multiples of 4. A cursor may stand within a tab, with `spare` columns of it
 * left.
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

/* Takes a quote marker and the blank after it, with up to 3 blanks before it. */
bool line_take_quote(struct line_cursor *cursor);

struct line_marker {
	bool ordered;
	size_t length;        /* of the marker: 1, or digits and their delimiter */
	bool is_one;          /* starts at 1, so that it may interrupt a paragraph */
	bool empty;           /* nothing follows it */
};

/* Recognizes a list marker at the cursor, after the blanks. */
bool line_is_marker(struct str rest, struct line_marker *marker);

struct line_fence {
	char sign;
	size_t length;
	struct str info;
};

bool line_is_fence(struct str rest, struct line_fence *fence);
bool line_closes_fence(struct str rest, char sign, size_t length);

/* Returns the heading's level, 1 to 6; else 0. `*text` is its content. */
unsigned line_is_heading(struct str rest, struct str *text);

bool line_is_rule(struct str rest);
unsigned line_is_underline(struct str rest); /* 1 for ===, 2 for ---, else 0 */

/* Recognizes the start of display math (`$$` or `\[`). Returns the closing delimiter, else NULL. */
const char *line_opens_math(struct str rest);

/*
 * The number of columns of a table line (0: it has no `|`); its content between the outer bars; the next cell of that. The last cell of
 * `left` takes the rest.
 */
size_t line_columns(struct str rest);
struct str line_row(struct str rest);
bool line_take_cell(struct str *rest, size_t left, struct str *cell);

/* Returns the number of columns of a delimiter row, `|-|:-:|`; else 0. */
size_t line_is_delimiter(struct str rest);

/* `[label]: destination "title"`. The parts borrow from the line. */
struct line_definition {
	struct str label, destination, title; /* `title` includes its quotes; empty: none */
};

bool line_is_definition(struct str rest, bool partial, struct line_definition *definition); /* `partial`: the line is not complete */

/* Returns the length of `[^label]:` in front of a footnote's text, or 0. */
size_t line_is_footnote(struct str rest);

/* The number of digits in `[^12]`; 0 for other labels. */
size_t line_note_digits(struct str label);

/* Whether an unfinished last line may become different markers, so that its block is not known yet. */
bool line_is_undecided(struct str rest, bool may_number);

#endif
