/*
 * Decompresses the body of a response, by the codings of its Content-Encoding and Transfer-Encoding, in steps of bounded size.
 *
 * A few bytes may decompress to gigabytes. The caller adds up the cost of the steps, stops after any step, and continues later. A body that
 * grows beyond any use is broken: it has become more than UNPACK_FREE_BYTES, and more than UNPACK_TIMES_MOST times what it was.
 */
#ifndef WEIR_NET_UNPACK_H
#define WEIR_NET_UNPACK_H

#include "wire/stream.h"

#define UNPACK_PIECE_BYTES ((size_t)16 << 10)
#define UNPACK_FREE_BYTES ((size_t)64 << 20)
#define UNPACK_TIMES_MOST 100u

struct unpack; /* heap */

/* Unknown codings, or too many of them, are reported by the first step, even if no body follows. */
struct unpack *unpack_new(const struct response_head *head);
void unpack_free(struct unpack *u); /* NULL is allowed */

/* Passes the next bytes. Borrowed until the next UNPACK_HUNGRY or until unpack_keep(); copied if bytes before them are not consumed yet. */
void unpack_feed(struct unpack *u, struct str bytes);
void unpack_keep(struct unpack *u); /* copies the bytes not consumed yet */
size_t unpack_left(const struct unpack *u); /* number of bytes not consumed yet */

enum unpack_result {
	UNPACK_STEP,   /* `piece` was produced; it may be empty. At most UNPACK_PIECE_BYTES */
	UNPACK_HUNGRY, /* all input is consumed */
	UNPACK_BROKEN, /* the bytes do not match the coding; `err` has the reason. No step may follow */
	UNPACK_EXCESS, /* bytes follow the end of the compressed data. No step may follow */
};

/* `piece` is borrowed until the next call. `cost` is the number of bytes that the step consumed and produced. */
enum unpack_result unpack_step(struct unpack *u, struct str *piece, size_t *cost, struct error *err);

/* Appends a line for each of the libraries, for `weir --version`: its name and the version that the program runs with. */
void unpack_write_libraries(struct buf *out);

#endif
