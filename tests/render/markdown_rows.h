/*
 * Markdown rows as text, for comparison and display in tests.
 */
#ifndef WEIR_TESTS_MARKDOWN_ROWS_H
#define WEIR_TESTS_MARKDOWN_ROWS_H

#include "render/markdown/markdown.h"

/* Creates a document, and sets the locale that widths need. */
struct markdown *rows_new(void);

/*
 * Appends all rows, each followed by LF. `styled`: with all attributes of the spans; else as on paper, with `<b i u s r>` for attributes
 * and, by role, `#` heading, '`' code, `@` link, `$` math, `^` footnote.
 */
void rows_of(struct markdown *m, unsigned width, bool styled, struct buf *out);

/* Appends a seeded random document made of Markdown fragments. */
void rows_document(unsigned seed, unsigned pieces, struct buf *out);

#endif
