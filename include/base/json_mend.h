/*
 * Repairs JSON text that json-c rejects or misreads. Only json.c uses it.
 *
 * Invalid UTF-8 becomes U+FFFD. A raw NUL in a string becomes its escape. In a key, a NUL and a lone surrogate become U+FFFD (json-c's
 * keys end at a NUL, and "error\u0000" is not "error"). A surrogate pair that json-c misreads becomes the character it encodes.
 */
#ifndef WEIR_BASE_JSON_MEND_H
#define WEIR_BASE_JSON_MEND_H

#include "base/text.h"

/* Replaces the content of `out`. False when the result exceeds the limit of `out`. */
bool json_mend(struct str text, struct buf *out);

/* Maps offset `at` of the mended text back to an offset of `text`. */
size_t json_mend_offset(struct str text, size_t at);

#endif
