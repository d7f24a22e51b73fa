/*
 * The inline parser: the text of one block becomes tokens by the inline rules of CommonMark 0.31, with GFM's strikethrough and
 * autolinks, and our own math, footnote marks and references. Bytes between two tokens are text.
 *
 * One pass from left to right takes code, math, addresses, entities and links. Runs of `*`, `_` and `~~` are kept on a stack
 * (markdown_delimiters.c), which is resolved when the link around them closes and when the text ends. Time is linear in the text.
 *
 * An open text may grow. Its end is parsed so that what is shown keeps its place and its style:
 * - signs that the next byte may change are held back;
 * - unclosed emphasis, code, math, links and addresses extend to the end;
 * - `settled` is where parsing may resume when the text has grown.
 *
 * Deliberate differences from CommonMark:
 * - `*` within a word closes emphasis but does not open it: 2*3*4 is a product.
 * - A run between a wide character and punctuation counts as between two punctuation characters, since such scripts have no blanks
 *   between words. Emoji are letters, and so are control characters, which are shown.
 * - Only `~~` strikes, wherever no blank is on its inner side.
 * - HTML is text, except `<br>`.
 * - A reference never changes the meaning of other signs, since its definition may follow later or not at all.
 */
#ifndef WEIR_RENDER_MARKDOWN_INLINE_H
#define WEIR_RENDER_MARKDOWN_INLINE_H

#include <stdint.h>

#include "base/text.h"

enum inline_kind {
	INLINE_ESCAPE,        /* a backslash; not shown */
	INLINE_ENTITY, INLINE_CODE, INLINE_MATH,
	INLINE_BREAK,         /* <br> */
	INLINE_NOTE,          /* [^1] */
	INLINE_ADDRESS,       /* <https://...>, or bare */
	INLINE_DELIMITERS,    /* a run: its first signs close, its last ones open, the rest is text */
	INLINE_BRACKET,       /* `[` or `![` as text */
	INLINE_LINK,          /* `[` or `![` of a link, up to INLINE_LINK_END or the end of an open text */
	INLINE_LINK_END,
	INLINE_REFERENCE,     /* `[` of a reference; text unless its label is defined */
	INLINE_REFERENCE_END, /* its `]`, before the label if there is one */
};

enum inline_style { INLINE_EMPHASIS, INLINE_STRONG, INLINE_STRIKE, INLINE_STYLES };

struct inline_range {
	size_t at, end;
};

struct inline_token {
	enum inline_kind kind;
	size_t at, end;
	/* Code, math, address: the content. Link: the destination as written. Reference: the label; its end: `[label]`, or empty. */
	struct inline_range inside;
	unsigned closed[INLINE_STYLES], opened[INLINE_STYLES]; /* for runs: signs that close and open each style */
};

struct inline_line {
	size_t at, length;    /* in the text */
	size_t source;        /* offset of its first byte */
	bool breaks;          /* its last byte is a backslash */
};

struct inline_delimiter {
	size_t token, at;
	unsigned length, left; /* length of the run; signs without a partner */
	char sign;
	bool can_open, can_close, both;
};

struct inline_bracket {
	size_t token;
	size_t delimiters;    /* number of runs on the stack before it */
	bool image;
	bool ended;           /* its `]` has been found, its destination is incomplete */
	bool likely;          /* where a link is likely, and without brackets that are text */
};

struct markdown_inline {
	struct buf text;      /* lines without blanks at both ends, separated by LF */
	struct inline_line *lines;
	struct inline_token *tokens;
	size_t line_count, token_count;
	size_t end;           /* of what is shown */
	size_t settled;       /* what follows cannot change anything before it; 0 unless the text is open */

	/* While parsing. */
	bool open;
	size_t at;
	size_t floor;         /* bare addresses begin here or later */
	size_t no_math[3];    /* by closing sign: end of a line without another one */
	uint64_t no_ticks;    /* a bit per length below 64: no run of so many backticks follows */
	struct inline_delimiter *delimiters;
	struct inline_bracket *brackets;
	size_t delimiter_count, bracket_count;
	size_t inactive;      /* number of brackets on the stack that contain a link, which makes them text */
	size_t line_capacity, token_capacity, delimiter_capacity, bracket_capacity;
};

void inline_init(struct markdown_inline *p);
void inline_fini(struct markdown_inline *p);

/* Call begin, add each line with the offset of its source, then parse. Tokens are valid until the next begin. */
void inline_begin(struct markdown_inline *p);
void inline_add_line(struct markdown_inline *p, struct str line, size_t source);
void inline_parse(struct markdown_inline *p, bool open);

struct str inline_text(const struct markdown_inline *p, size_t at, size_t end);
struct str inline_inside(const struct markdown_inline *p, const struct inline_token *token);
size_t inline_source(const struct markdown_inline *p, size_t at); /* of a byte of the text */

/* --- between its files --- */

struct inline_token *inline_add(struct markdown_inline *p, enum inline_kind kind, size_t at, size_t end);
void inline_unsettle(struct markdown_inline *p, size_t at); /* what follows `at` may change */

/* Takes the run at `p->at`. */
bool delimiters_scan(struct markdown_inline *p);
/* Pairs the runs above the first `bottom` and removes them from the stack. `open`: unclosed ones extend to the end. */
void delimiters_resolve(struct markdown_inline *p, size_t bottom, bool open);

#endif
