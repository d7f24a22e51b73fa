/*
 * Faults: errors that the server of saved streams injects on purpose, to test how clients handle them.
 *
 * A specification is a list of words such as "bytes,reset=120"; fault_word_at() lists them. Some words change when and in which pieces a
 * body is sent, some where it ends, some its bytes. Positions count bytes before compression.
 */
#ifndef WEIR_NET_FAULT_H
#define WEIR_NET_FAULT_H

#include <stdint.h>

#include "base/text.h"

#define FAULT_NOWHERE SIZE_MAX
#define FAULT_PIECE_BYTES ((size_t)64 << 10)

enum fault_end { FAULT_CUT, FAULT_RESET, FAULT_STALL, FAULT_END };

struct fault {
	int64_t wait_ms;      /* delay before the head */
	int64_t pace_ms;      /* delay between pieces */
	size_t piece;         /* bytes of a piece; 0: as in the stream */
	int status;           /* 0: the stream's own status */
	enum fault_end end;
	size_t end_at;        /* offset of the byte before which the body ends; FAULT_NOWHERE: none */
	bool end_moves;       /* the offset grows by one with each request */
	size_t length;        /* Content-Length to announce; FAULT_NOWHERE: none */
	bool gzip;
	bool cr, crlf;        /* line ends to use */
	bool bom, comments;   /* a BOM before the first byte; comments between events */
	size_t nul_at, bad_at;/* inserts a byte 0 or 0xFF before this offset; FAULT_NOWHERE: none */
	size_t giant, deep;   /* begins with an event of so many bytes or nested brackets; 0: none */
};

void fault_init(struct fault *fault); /* no fault */

/* Adds a specification; an empty one adds nothing. False with an error that names the word. */
MUST_USE bool fault_read(struct fault *fault, struct str order, struct error *err);

/* The words and their meaning, for help output. `name` is NULL after the last. */
struct fault_word { const char *name, *argument, *help; };
struct fault_word fault_word_at(size_t index);

/* Applies a fault to one body. The fault must outlive it. The output is made in pieces, so its size does not matter. */
struct fault_body {
	const struct fault *fault;
	size_t end_at;        /* `fault->end_at`, for this body */
	size_t came, went;    /* bytes read of the saved stream; bytes written */
	/* The current part of what is sent before the first byte, and the number of its bytes already written. */
	size_t part, part_at;
	bool over;            /* the body has ended by the fault: nothing more is written */
	bool in_event;        /* the last line belongs to an event */
	char last;            /* the last byte read */
	uint32_t crc;         /* for gzip */
	bool packing;
	struct buf scratch;
};

/* `turn` is the number of earlier requests. */
void fault_body_init(struct fault_body *body, const struct fault *fault, size_t turn);
void fault_body_fini(struct fault_body *body);
/*
 * Appends the output for the next bytes to `out`, at most about FAULT_PIECE_BYTES. Returns the number of bytes consumed; pass the rest to
 * the next call. It may be 0 while bytes are sent ahead of them.
 */
MUST_USE size_t fault_body_add(struct fault_body *body, struct str bytes, struct buf *out);
/* Appends the output for the end of the body. */
void fault_body_end(struct fault_body *body, struct buf *out);

#endif
