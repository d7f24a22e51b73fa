/*
 * The property of wire/encode: what a decoder makes of encoded deltas are these deltas, but for what ENCODE_FEATURES and the
 * header name. Both sides are brought into one form, a line a thing, from which just that is missing.
 */
#ifndef WEIR_TESTS_WIRE_ENCODED_H
#define WEIR_TESTS_WIRE_ENCODED_H

#include "wire/encode/encode.h"

struct kept; /* heap: a copy of the deltas of a turn */

struct kept *kept_new(void);
void kept_free(struct kept *k);
void kept_delta(void *kept, const struct delta *delta); /* a delta_sink */

/*
 * Asserts the property for all protocols, as a stream and, where the answer has its proper end or an error, as a body; and that each
 * frame of the stream is one the framer takes for whole. `words` is whose finish words the deltas have. `what` names the case.
 */
void check_encoded(const struct kept *k, const struct protocol *words, const char *what);

#endif
