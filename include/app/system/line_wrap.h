/*
 * Ends lines of output at words where a terminal would break them. What is written is never moved: text is added in whole words.
 *
 * Where no blank is, in a word that is longer than a line, the terminal breaks it: copied, it is whole.
 */
#ifndef WEIR_APP_LINE_WRAP_H
#define WEIR_APP_LINE_WRAP_H

#include "render/flow.h"

struct line_wrap {
	struct flow flow;
	struct buf row;      /* the row under way, as it was added */
	size_t written;      /* bytes of it that stand in the terminal */
};

void line_wrap_init(struct line_wrap *w);
void line_wrap_fini(struct line_wrap *w);

void line_wrap_begin(struct line_wrap *w); /* what is added next begins a line */
/* Appends the text to `out`, with LF where the terminal of that many columns would break a word. Blanks that hang over the edge are left out. */
void line_wrap_add(struct line_wrap *w, struct str text, unsigned columns, struct buf *out);

#endif
