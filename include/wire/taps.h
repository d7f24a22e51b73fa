/* Two taps of one stream (wire/stream.h): each call goes to both, in their order; a function that is NULL is left out. */
#ifndef WEIR_WIRE_TAPS_H
#define WEIR_WIRE_TAPS_H

#include "wire/stream.h"

struct taps { /* embedded; the members are the module's */
	struct stream_tap tap;
	const struct stream_tap *first, *second;
};

/* Returns the tap for the stream; if one is NULL, the other one. All must outlive the stream. */
const struct stream_tap *taps_join(struct taps *taps, const struct stream_tap *first, const struct stream_tap *second);

#endif
