/*
 * A value of a call as the user is shown it before it runs: all of it is seen. What a terminal would draw as nothing, as a blank, or over other
 * text stands there by its number, <U+200B>; a line end is a sign before it; a blank that could be overlooked is a sign.
 */
#ifndef WEIR_APP_TOOL_SHOWN_H
#define WEIR_APP_TOOL_SHOWN_H

#include "base/text.h"

void tool_shown_write(struct str value, struct buf *out);
/* The same on one line, cut behind about `most` bytes, with a sign of it: for what says only what something is. */
void tool_shown_write_line(struct str value, size_t most, struct buf *out);

#endif
