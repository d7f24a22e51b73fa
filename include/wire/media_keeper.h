/*
 * A consumer of deltas that keeps the data of media, for who wants all of it at the end.
 */
#ifndef WEIR_WIRE_MEDIA_KEEPER_H
#define WEIR_WIRE_MEDIA_KEEPER_H

#include "wire/delta.h"

struct kept_media {
	struct blob *data; /* the picture that counts, or all pieces */
	struct buf type;   /* "": unknown */
};

struct media_keeper { /* zero it to initialize */
	struct kept_media *items; /* in the order of the summary's list */
	size_t count, capacity;
};

void media_keeper_fini(struct media_keeper *k);
void media_keeper_add(struct media_keeper *k, struct buf *bytes, struct str type); /* takes over the memory of `bytes` */
void media_keeper_hold(struct media_keeper *k, struct blob *data, struct str type);       /* the same of bytes that others hold, too */
void media_keeper_delta(void *keeper, const struct delta *delta); /* a delta_sink */

#endif
