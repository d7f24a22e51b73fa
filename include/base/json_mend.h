/*
 * Repairs of a JSON text that json-c cannot take, or would read as another one. Only json.c uses it.
 *
 * Invalid UTF-8 becomes U+FFFD; a NUL in a string its escape; in a key a NUL and half a surrogate pair become U+FFFD (json-c's
 * keys end at a NUL, and "error\u0000" is not "error"); a pair that json-c misreads becomes the character that it stands for.
 */
#ifndef WEIR_BASE_JSON_MEND_H
#define WEIR_BASE_JSON_MEND_H

#include "base/text.h"

/* Replaces what is in `out`. False at out's ceiling. */
bool json_mend(struct str text, struct buf *out);

/* Which offset of `text` the offset `at` of the mended text comes from. */
size_t json_mend_offset(struct str text, size_t at);

#endif
