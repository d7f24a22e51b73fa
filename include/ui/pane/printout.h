/*
 * Printing: the conversation as lines for a scrolling terminal. Lines are made from cells (ui/canvas.h), so they contain no control
 * bytes from outside.
 *
 * The background of a theme is not printed. A theme with a background of its own is printed without colours, which would be
 * unreadable on another background; only attributes such as bold and underline remain.
 */
#ifndef WEIR_UI_PRINTOUT_H
#define WEIR_UI_PRINTOUT_H

#include "ui/canvas.h"
#include "ui/pane/pane.h"
#include "ui/term/palette.h"

/*
 * Prints the conversation from turn `first` on, without key hints. `sink` is called with each line, without trailing blanks, with its
 * LF. At most the last `most` rows are printed (0: all); if there were more, the first line is "...".
 */
typedef void printout_sink(void *ctx, struct str line);
struct printout { size_t first, most; unsigned columns; const struct theme *theme; int colours; };
/* Appends a row of a canvas as such a line. */
void printout_row(const struct canvas *canvas, unsigned row, const struct palette *palette, struct buf *out);
void printout_conversation(const struct printout *what, const struct view *view, printout_sink *sink, void *ctx);

#endif
