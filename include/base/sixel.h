/*
 * Sixel: pixels as a string for terminals that draw them (DEC STD 070). By libsixel, which chooses the colours and mixes the others
 * from them.
 */
#ifndef WEIR_BASE_SIXEL_H
#define WEIR_BASE_SIXEL_H

#include "base/image_size.h"

#define SIXEL_COLOURS_LEAST 2u
#define SIXEL_COLOURS_MOST 256u
#define SIXEL_HEIGHT_LEAST 6u /* pixels */

/*
 * Appends the string, from its DCS to its ST, with at most `colours` colours. What it does not draw stays as it is. `rgb` is width x
 * height x 3 bytes. False: it exceeds the limit of `out`, there is no memory, or
 * the height is below 6, which the library draws in a wrong place; what was appended is to be removed.
 */
MUST_USE bool sixel_encode_rgb(const uint8_t *rgb, struct image_size size, unsigned colours, struct buf *out);

#endif
