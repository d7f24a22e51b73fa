/*
 * The framer cuts bytes into frames: event-stream events, or JSON values. It knows no JSON beyond depth and string state.
 *
 * Which of the two is chosen by the first byte that is not blank, after a BOM: '{' and '[' are JSON (values one after
 * another, or the elements of one top-level array), '<' is a document that is no stream, everything else is SSE. The
 * content type is not asked (wire.md 1, "Sniffing").
 *
 * SSE as in wire.md 1: CR, LF and CRLF line ends split over reads; fields by the first colon, one blank dropped; comments;
 * an unclosed event at the end of the body is handed out too (`unclosed`), the stream takes of it what is whole.
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

struct frame {
	struct str data;   /* SSE: the data lines joined by LF; JSON: one value. Borrowed for the call */
	struct str event;  /* the event type, "" when none was sent */
	bool unclosed;     /* the body ended before its blank line or closing bracket */
};

typedef void frame_sink(void *ctx, const struct frame *frame);

struct framer; /* heap: it owns buffers */

struct framer *framer_new(frame_sink *sink, void *ctx);
void framer_free(struct framer *framer);
void framer_feed(struct framer *framer, struct str bytes);
void framer_end(struct framer *framer);
enum framing framer_framing(const struct framer *framer);
bool framer_overflowed(const struct framer *framer); /* an event passed FRAMER_EVENT_LIMIT: it and all after it are dropped */
size_t framer_bytes(const struct framer *framer);    /* fed so far */
bool framer_saw_payload(const struct framer *framer);/* anything but blanks, comments and empty events came */
bool framer_spoke(const struct framer *framer);      /* the bytes fed last held more than blanks and comments */

/* The first bytes of the body (at most 300), for messages about bodies that are no stream. */
struct str framer_head(const struct framer *framer);

#endif
