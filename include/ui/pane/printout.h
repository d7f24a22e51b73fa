/*
 * Printing: the conversation as lines for a terminal that only goes on. They are made of cells (ui/canvas.h), so they are safe.
 *
 * Colours are the theme's, but its background stays on the screen: on one of its own a theme's colours mean nothing elsewhere,
 * and only what is bold, underlined and so on is printed.
 */
#ifndef WEIR_UI_PRINTOUT_H
#define WEIR_UI_PRINTOUT_H

#include "ui/canvas.h"
#include "ui/pane/pane.h"

/*
 * The conversation from turn `first` on, as the transcript shows it where no key works any more: lines are given as they are made,
 * without blanks at their end, with a line end. At most the last `most` rows, 0: all; a line says that there were more.
 */
typedef void printout_sink(void *ctx, struct str line);
struct printout { size_t first, most; unsigned columns; const struct theme *theme; int colours; };
void printout_conversation(const struct printout *what, const struct view *view, printout_sink *sink, void *ctx);

#endif
