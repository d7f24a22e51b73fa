/*
 * Faults to order: what the server of saved streams does wrong on purpose, so that a client can be seen to cope.
 *
 * An order is a list of words, "bytes,reset=120"; fault_word_at() names them all. Some change when and in which pieces a body
 * goes out, some where it ends, some its bytes. Positions count the bytes that would go out without compression.
 */
#ifndef WEIR_NET_FAULT_H
#define WEIR_NET_FAULT_H

#include <stdint.h>

#include "base/text.h"

#define FAULT_NOWHERE SIZE_MAX
#define FAULT_PIECE_BYTES ((size_t)64 << 10)

enum fault_end { FAULT_CUT, FAULT_RESET, FAULT_STALL, FAULT_END };

struct fault {
	int64_t wait_ms;      /* before the head */
	int64_t pace_ms;      /* between pieces */
	size_t piece;         /* bytes of one; 0: as they come */
	int status;           /* 0: the stream's own */
	enum fault_end end;
	size_t end_at;        /* the byte before which it comes; FAULT_NOWHERE: never */
	bool end_moves;       /* one byte later with each request */
	size_t length;        /* that is announced; FAULT_NOWHERE: none */
	bool gzip;
	bool cr, crlf;        /* line ends */
	bool bom, comments;   /* before the first byte; between events */
	size_t nul_at, bad_at;/* a byte 0, a byte 0xFF before this one; FAULT_NOWHERE: none */
	size_t giant, deep;   /* first an event of so many bytes, of so many brackets; 0: none */
};

void fault_init(struct fault *fault); /* nothing goes wrong */

/* Adds an order; an empty one adds nothing. False with a sentence that names the word. */
MUST_USE bool fault_read(struct fault *fault, struct str order, struct error *err);

/* The words with their meaning, for people; NULL name behind the last. */
struct fault_word { const char *name, *argument, *help; };
struct fault_word fault_word_at(size_t index);

/* One body on its way through a fault, which outlives it. It is made piece by piece, however large a fault makes it. */
struct fault_body {
	const struct fault *fault;
	size_t end_at;        /* of this body */
	size_t came, went;    /* bytes of the saved stream; bytes that they became */
	size_t part, part_at; /* of what goes out before the first byte; bytes of that part that went out */
	bool over;            /* the fault's end has come: no byte goes out any more */
	bool in_event;        /* a line of an event came last */
	char last;            /* the byte that came last */
	uint32_t crc;         /* for gzip */
	bool packing;
	struct buf scratch;
};

/* `turn` counts the requests before this one. */
void fault_body_init(struct fault_body *body, const struct fault *fault, size_t turn);
void fault_body_fini(struct fault_body *body);
/*
 * Adds to `out` what becomes of the next bytes, FAULT_PIECE_BYTES or a few more of it at most. Returns how many of the bytes were used: the
 * rest is for the next call. It may be 0 while something goes out before them.
 */
MUST_USE size_t fault_body_add(struct fault_body *body, struct str bytes, struct buf *out);
/* Adds to `out` what becomes of the end of a body. */
void fault_body_end(struct fault_body *body, struct buf *out);

#endif
