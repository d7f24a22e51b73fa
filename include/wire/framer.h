/*
 * The framer splits bytes into frames: events of an event stream (SSE), or JSON values. It parses no JSON beyond nesting and strings.
 *
 * The first byte that is not blank, after a BOM, decides: '{' is a sequence of JSON values, '[' is an array whose elements are the
 * values, '<' is a document and not a stream, anything else is SSE. The content type is ignored.
 *
 * SSE follows the standard (WHATWG HTML, "Server-sent events"): lines end with CR, LF or CRLF, also split across reads; the first colon
 * ends the field name; one blank after it is dropped; comments are ignored. Differences from the standard, to avoid losing data:
 * - An incomplete event at the end of the body is also reported, with `unclosed` set. The stream uses the complete values in it.
 * - A field `error` whose value begins with '{' is an event with the data {"error":value}.
 * - A line that begins with '{' or '[' starts a raw JSON value: lines that are not legal fields are collected, and reported as a frame
 *   when their brackets balance or the body ends.
 *
 *   bytes --> framer_feed --> frame_sink(frame) ...        framer_end --> the rest
 *
 * What a frame is, everywhere in this program: an event that has data, be it empty, or a JSON value that stands alone. An event without
 * data and a comment are none; nor are the head and the end of a response. Of a body whose status is not 2xx, which is not framed, the stream
 * makes one frame. Frames are counted from 1 to the end of what was received (struct frame_place), so a number means the same frame in a tape
 * and in the body that it holds, however the bytes were cut into reads.
 */
#ifndef WEIR_WIRE_FRAMER_H
#define WEIR_WIRE_FRAMER_H

#include "base/json.h"

enum framing { FRAMING_UNKNOWN, FRAMING_SSE, FRAMING_JSON, FRAMING_ARRAY, FRAMING_DOCUMENT };

#define FRAMER_EVENT_LIMIT ((size_t)96 << 20) /* maximum size of one event in bytes */

struct frame {
	struct str data;   /* SSE: the data lines, joined by LF; JSON: one value. Borrowed for the call */
	struct str event;  /* the event type; "" if none was sent. Borrowed for the call */
	bool unclosed;     /* the body ended before its blank line or closing bracket */
	size_t offset;     /* of its first line or byte in the body */
	const struct json_pack *packs; /* what `data` lacks; borrowed for the call, but a blob can be held */
	size_t pack_count;
};

typedef void frame_sink(void *ctx, const struct frame *frame);

/*
 * What the framer accepts although the standard ignores it or some clients do not expect it, and what makes no frame. A blank is one
 * U+0020.
 */
enum framer_oddity {
	FRAMER_BOM,          /* a byte order mark at the start */
	FRAMER_LONE_CR,      /* a line that ends with CR alone */
	FRAMER_CRLF,         /* a line that ends with CR and LF */
	FRAMER_NO_BLANK,     /* a data line without the blank behind its colon */
	FRAMER_DATA_LINES,   /* an event with more than one data line */
	FRAMER_NO_DATA,      /* an event without a data line */
	FRAMER_FIELD,        /* a field that the standard does not have */
	FRAMER_ERROR_FIELD,  /* a field `error` that was taken as an event */
	FRAMER_RAW_JSON,     /* a JSON value without a field name */
	FRAMER_OPEN_ARRAY,   /* the array of the values is not closed at the end of the body, and no value is open */
	FRAMER_SAME_LINE,    /* a JSON value in the line of the one before, in a body of values */
	FRAMER_BETWEEN,      /* a comma or a bracket behind a JSON value, in a body of values that are in no array */
	FRAMER_COMMENT,      /* a comment outside of an event */
	FRAMER_FIELDS,       /* an event with neither type nor data: `id`, `retry` */
	FRAMER_TOO_LARGE,    /* the event that exceeded FRAMER_EVENT_LIMIT */
	FRAMER_ODDITIES
};
/* What an oddity is of: the frame that is given next, the one that was given last, or what is no frame. */
enum framer_whose { FRAMER_OF_NONE, FRAMER_OF_NEXT, FRAMER_OF_LAST };
typedef void framer_oddity_sink(void *ctx, enum framer_oddity oddity, enum framer_whose whose, size_t offset);

struct framer; /* heap */

struct framer *framer_new(frame_sink *sink, void *ctx);
void framer_free(struct framer *framer);
/*
 * Reports each oddity once per frame, just before the frame; an oddity behind it (its line end) when it is found. What makes no frame is
 * reported first (FRAMER_COMMENT), then its oddities. `ctx` is that of framer_new().
 */
void framer_watch(struct framer *framer, framer_oddity_sink *sink);
/*
 * Makes packs (base/json.h) of base64 of at least so many characters in events and values that do not arrive in one read: it is then decoded
 * as it arrives and not kept. All limits count what was sent.
 */
#define FRAMER_PACK_DEFAULT ((size_t)16 << 10)
void framer_pack(struct framer *framer, size_t characters);
void framer_feed(struct framer *framer, struct str bytes);
void framer_end(struct framer *framer);
enum framing framer_framing(const struct framer *framer);
bool framer_overflowed(const struct framer *framer); /* an event exceeded FRAMER_EVENT_LIMIT; it and everything after it is dropped */
size_t framer_bytes(const struct framer *framer);    /* bytes fed so far */
bool framer_saw_payload(const struct framer *framer);/* the body contained more than blanks, comments and empty events */
bool framer_spoke(const struct framer *framer);      /* the bytes of the last feed contained more than blanks and comments */

/* The `id` of the last complete event that had one, and the last `retry`, for who asks for the rest of a stream; STR_NONE, -1: none came. */
struct str framer_last_id(const struct framer *framer);
int64_t framer_retry_ms(const struct framer *framer);

/* The first bytes of the body (at most 300), for messages about bodies that are not a stream. Borrowed. */
struct str framer_head(const struct framer *framer);

#endif
