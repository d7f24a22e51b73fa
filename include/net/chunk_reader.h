/*
 * Reads a body in chunks (RFC 9112, 7.1), strictly: sizes are hexadecimal digits and nothing else, every line ends in CRLF. Extensions are
 * dropped. The fields behind the last chunk are kept.
 */
#ifndef WEIR_NET_CHUNK_READER_H
#define WEIR_NET_CHUNK_READER_H

#include <stdint.h>

#include "wire/stream.h"

#define CHUNK_EXTENSION_BYTES_MOST ((size_t)16 << 10) /* of all chunks of a body */
#define CHUNK_TRAILER_BYTES_MOST ((size_t)16 << 10)

struct chunk_reader { /* zeroed: at the start of a body */
	unsigned state, digits;
	uint64_t left;         /* of the chunk */
	size_t extension_bytes;
	struct buf trailers;   /* lines with their ends */
	size_t line_at;        /* where the last line of the trailers begins */
};

enum chunk_result {
	CHUNK_BYTES,  /* `piece` is a part of the body */
	CHUNK_HUNGRY, /* all input is consumed */
	CHUNK_OVER,   /* the body is complete; the input begins with what follows it */
	CHUNK_BROKEN, /* this is no body in chunks. No step may follow */
};

/* Consumes the start of `*in`. `piece` is a part of it. */
enum chunk_result chunk_reader_step(struct chunk_reader *r, struct str *in, struct str *piece);
void chunk_reader_fini(struct chunk_reader *r); /* leaves it zeroed */

/* Removes the next field that a trailer section may have (field_may_trail()) from `*trailers`. False when nothing is left. Borrowed. */
bool chunk_next_trailer(struct str *trailers, struct response_header *field);

#endif
