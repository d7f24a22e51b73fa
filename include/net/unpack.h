/*
 * Unpacks the body of a response: the codings that its Content-Encoding and Transfer-Encoding name, in steps of bounded size.
 *
 * A few bytes may unpack to gigabytes. Whoever unpacks adds up what the steps cost, stops after any of them, and goes on later.
 */
#ifndef WEIR_NET_UNPACK_H
#define WEIR_NET_UNPACK_H

#include "wire/stream.h"

#define UNPACK_PIECE_BYTES ((size_t)16 << 10)

struct unpack; /* heap */

/* A coding that is not known, or too many of them, are told by the first step: a body need not follow. */
struct unpack *unpack_new(const struct response_head *head);
void unpack_free(struct unpack *u); /* NULL is legal */

/* The next bytes that came, when a step has said UNPACK_HUNGRY. Borrowed until then, or until unpack_keep(). */
void unpack_feed(struct unpack *u, struct str bytes);
void unpack_keep(struct unpack *u); /* copies those that are not used yet */

enum unpack_result {
	UNPACK_STEP,   /* `piece` came out; it may be empty. Of a packed body at most UNPACK_PIECE_BYTES */
	UNPACK_HUNGRY, /* all that was fed is used */
	UNPACK_BROKEN, /* the bytes are not what the head says: `err` has the reason. The last result */
	UNPACK_EXCESS, /* more bytes came behind the end of what was packed; the same */
};

/* `piece` is borrowed until the next call. `cost` is the number of bytes that the step took and made. */
enum unpack_result unpack_step(struct unpack *u, struct str *piece, size_t *cost, struct error *err);

#endif
