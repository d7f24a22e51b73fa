/*
 * Markdown in tests: rows as text, so that they can be compared and read.
 */
#ifndef WEIR_TESTS_MARKDOWN_ROWS_H
#define WEIR_TESTS_MARKDOWN_ROWS_H

#include "render/markdown/markdown.h"

/* A document, with the locale that widths need. */
struct markdown *rows_new(void);

/*
 * All rows, each ended by LF. `styled`: with everything that is in a span, else as on paper: `<b i u s r>` mark the attributes that are
 * set, by role `#` heading, '`' code, `@` link, `$` math, `^` footnote.
 */
void rows_of(struct markdown *m, unsigned width, bool styled, struct buf *out);

/* A seeded document made of the pieces that markdown is made of. */
void rows_document(unsigned seed, unsigned pieces, struct buf *out);

#endif
