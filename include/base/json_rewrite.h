/*
 * What must be changed in a JSON text before json-c may see it, as text. Only json.c uses it.
 *
 * Invalid UTF-8 becomes U+FFFD, a lone surrogate escape its three WTF-8 bytes (the
 * other half may come with the next delta), a pair that json-c does not understand
 * its character, a NUL in a string its escape; in a key a lone surrogate and a NUL
 * become U+FFFD (json-c's keys end at a NUL, and "error\u0000" is not "error"); an
 * integer that json-c would clamp, and -0, a real number by JSON_REWRITE_HUGE behind
 * it (json-c keeps the text of those); a single quote outside strings becomes a byte
 * that json-c refuses (it would let it pass as a key's quote).
 */
#ifndef WEIR_BASE_JSON_REWRITE_H
#define WEIR_BASE_JSON_REWRITE_H

#include "base/text.h"

#define JSON_REWRITE_HUGE "e-00000000000" /* an exponent that nobody sends */

/* Whether anything might have to be changed. It looks at each byte and must stay fast. */
bool json_rewrite_needed(struct str text);

/* Replaces what is in `out`. False at out's ceiling. */
bool json_rewrite(struct str text, struct buf *out);

/* Which offset of `text` the offset `at` of the rewritten text comes from. */
size_t json_rewrite_offset(struct str text, size_t at);

#endif
