/*
 * The framer cuts bytes into frames: event-stream events, or JSON values. It knows no JSON beyond depth and string state.
 *
 * Which of the two is chosen by the first byte that is not blank, after a BOM: '{' and '[' are JSON (values one after
 * another, or the elements of one top-level array), '<' is a document that is no stream, everything else is SSE. The
 * content type is not asked (wire.md 1, "Sniffing").
 *
 * SSE as in wire.md 1: CR, LF and CRLF line ends split over reads; fields by the first colon, one blank dropped; comments;
 * an unclosed event at the end of the body is handed out too (`unclosed`), the protocol decides whether it is whole.
 * Departures where the standard would lose data: a field named `error` whose value begins with '{' is an event of its
 * own with data {"error":value}; lines that are no legal field, from one that begins with '{' or '[' on, are collected
 * and handed out as a frame when their brackets balance or the body ends.
 *
 *   bytes --> framer_feed --> frame_sink(frame) ...        framer_end --> what is left
 */
#ifndef WEIR_WIRE_FRAMER_H
#define WEIR_WIRE_FRAMER_H

#include "base/text.h"

enum framing { FRAMING_UNKNOWN, FRAMING_SSE, FRAMING_JSON, FRAMING_ARRAY, FRAMING_DOCUMENT };

#define FRAMER_EVENT_LIMIT ((size_t)16 << 20) /* bytes of one event */

/* Facts of a frame's framing, for lint and the inspector. */
enum frame_fact {
	FRAME_BOM = 1 << 0,        /* a BOM came before it */
	FRAME_CRLF = 1 << 1,       /* a line ended in CRLF */
	FRAME_CR = 1 << 2,         /* a line ended in a lone CR */
	FRAME_NO_SPACE = 1 << 3,   /* `data:` without the blank */
	FRAME_MULTI_DATA = 1 << 4, /* more than one data line */
	FRAME_COMMENT = 1 << 5,    /* a comment stood in or before it */
	FRAME_UNKNOWN_FIELD = 1 << 6,
	FRAME_UNCLOSED = 1 << 7,   /* the body ended before the blank line or the closing bracket */
	FRAME_RAW_JSON = 1 << 8,   /* JSON lines without a field name in an event stream */
	FRAME_ERROR_FIELD = 1 << 9,/* from an `error:` field */
};

struct frame {
	struct str data;   /* SSE: the data lines joined by LF; JSON: one value. Borrowed for the call */
	struct str event;  /* the event type, "" when none was sent */
	unsigned facts;
	size_t offset;     /* of its first byte in the body */
	size_t bytes;      /* of the body that it took, comments and line ends included */
};

typedef void frame_sink(void *ctx, const struct frame *frame);

struct framer; /* heap: it owns buffers */

struct framer *framer_new(frame_sink *sink, void *ctx);
void framer_free(struct framer *framer);
void framer_feed(struct framer *framer, struct str bytes);
void framer_end(struct framer *framer);
enum framing framer_framing(const struct framer *framer);
bool framer_overflowed(const struct framer *framer); /* an event passed FRAMER_EVENT_LIMIT: it was dropped, nothing more is handed out */
size_t framer_bytes(const struct framer *framer);    /* fed so far */
bool framer_saw_payload(const struct framer *framer);/* anything but blanks, comments and empty events came */

/* The first bytes of the body (at most 300), for messages about bodies that are no stream. */
struct str framer_head(const struct framer *framer);

#endif
