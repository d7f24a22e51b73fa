/*
 * TeX math as Unicode text, where all of it is known.
 */
#ifndef WEIR_RENDER_MARKDOWN_MATH_H
#define WEIR_RENDER_MARKDOWN_MATH_H

#include <stdint.h>

#include "base/text.h"

/*
 * Adds what `tex` (without its signs) says to `out`; lines are parted by LF. False when something is unknown: show the source.
 * `open`: more may follow; what is not closed is read as if it were, a name at the end is left out.
 */
bool math_to_text(struct str tex, bool open, struct buf *out);

/* The tables behind it. NULL: there is none. */
enum math_alphabet { MATH_SUPERSCRIPT, MATH_SUBSCRIPT, MATH_BLACKBOARD };
const char *math_symbol(struct str name);
const char *math_letter(enum math_alphabet alphabet, uint32_t code);

#endif
