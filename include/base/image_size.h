/*
 * The size of an image in pixels, read from the head of a PNG, JPEG, GIF or WebP file. Nothing is decoded.
 *
 * The bytes are untrusted. Only fields inside them are read, and a JPEG's segments are walked once, a bounded number of them.
 */
#ifndef WEIR_BASE_IMAGE_SIZE_H
#define WEIR_BASE_IMAGE_SIZE_H

#include <stdint.h>

#include "base/text.h"

struct image_size { uint32_t width, height; };

/* False if the bytes are of another kind, end before the size, or name a width or height of 0. */
MUST_USE bool image_size_read(struct str bytes, struct image_size *size);

/* The largest size of the same shape within `most`, not larger than the image; at least 1 x 1. */
struct image_size image_size_fit(struct image_size image, struct image_size most);

#endif
