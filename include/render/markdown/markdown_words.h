/*
 * Markdown as words in a row: what a reader sees of it, without its signs, for excerpts and for names of turns. Cells of a table are parted by a
 * middle dot, its rows by a semicolon. Several blanks are one, and control characters are blanks.
 */
#ifndef WEIR_RENDER_MARKDOWN_WORDS_H
#define WEIR_RENDER_MARKDOWN_WORDS_H

#include "base/text.h"

void markdown_words(struct str source, struct buf *out); /* appended; `source`: any bytes */

#endif
