/*
 * The pixels of a PNG, JPEG, GIF (first frame) or WebP, scaled down.
 *
 * Image decoders have had many holes. Call this only in a process that has nothing to lose (app/system/picture_helper.h).
 */
#ifndef WEIR_BASE_IMAGE_PIXELS_H
#define WEIR_BASE_IMAGE_PIXELS_H

#include "base/error.h"
#include "base/image_size.h"

#define IMAGE_PIXELS_MOST 40000000u /* larger images are not decoded */

/*
 * Appends width x height x 3 bytes, red first, to `rgb` and sets `size` to image_size_fit(). Transparent pixels are blended with white. False,
 * with nothing appended, for bytes that are no such image.
 */
MUST_USE bool image_pixels(struct str bytes, struct image_size most, struct image_size *size, struct buf *rgb, struct error *err);

#endif
