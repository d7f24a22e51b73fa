/*
 * Converts TeX math to Unicode text, if every construct in it is known.
 */
#ifndef WEIR_RENDER_MARKDOWN_MATH_H
#define WEIR_RENDER_MARKDOWN_MATH_H

#include <stdint.h>

#include "base/text.h"

/*
 * Appends the Unicode form of `tex` (without its delimiters) to `out`; lines are separated by LF. Returns false when something is unknown:
 * show the source then. `open`: more may follow; unclosed constructs are treated as closed, and a name at the end is omitted.
 */
bool math_to_text(struct str tex, bool open, struct buf *out);

/* The conversion tables. NULL: no entry. */
enum math_alphabet { MATH_SUPERSCRIPT, MATH_SUBSCRIPT, MATH_BLACKBOARD };
const char *math_symbol(struct str name);
const char *math_letter(enum math_alphabet alphabet, uint32_t code);

#endif
