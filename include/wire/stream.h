/*
 * A stream: response head and body bytes in, deltas out. Combines framer, protocol and guard.
 *
 *   stream_head --> stream_body* --> stream_end          (the same three calls that every source makes)
 *
 * Pure: no descriptor, no clock, no curses. Without a protocol it detects one from the first frames.
 */
#ifndef WEIR_WIRE_STREAM_H
#define WEIR_WIRE_STREAM_H

#include "wire/framer.h"
#include "wire/protocol/protocol.h"

/* The head of a response. Borrowed for the call. */
struct response_header { struct str name, value; }; /* name in lower case */

/*
 * How a response came: when each step of its connection was done, in milliseconds since the request was started, in this order. 0: there
 * was no such step, for example none before `sent_ms` in a connection that was kept from an earlier request.
 */
struct response_timings { double name_ms, connect_ms, tls_ms, sent_ms, first_byte_ms; };

struct response_head {
	int status;
	struct str content_type;
	const struct response_header *headers;
	size_t header_count;
	struct str http;                 /* version of HTTP, "1.1" or "2"; empty: unknown */
	bool is_timed, reused;           /* `timings` are known; the connection was kept from an earlier request */
	struct response_timings timings;
};

/*
 * A tap observes a stream from inside. Its functions are called in the order of the bytes; all must be set but for
 * repair. A tap also sees what the stream
 * itself ignores, such as frames after the end mark.
 */
struct stream_tap {
	void *ctx;
	void (*head)(void *ctx, const struct response_head *head, double at_ms);
	void (*read)(void *ctx, struct str bytes, double at_ms);              /* before its frames */
	void (*oddity)(void *ctx, enum framer_oddity oddity, enum framer_whose whose, size_t offset);
	void (*frame)(void *ctx, const struct frame *frame, const struct frame_place *place, bool is_utf8); /* before its values */
	void (*broken)(void *ctx, struct str text, const struct frame_place *place);  /* text in a frame that is not JSON; valid UTF-8 */
	void (*done)(void *ctx, const struct frame_place *place);                     /* data: [DONE] */
	/* A value of a frame or of an error body, before its deltas. Values before the protocol is known come late, but in their order. */
	void (*value)(void *ctx, const struct protocol *protocol, const struct message *message);
	void (*repair)(void *ctx, enum guard_mended repair);                   /* of that value, or at the end; NULL: not of interest */
	void (*delta)(void *ctx, const struct delta *delta);                   /* before the stream's own sink gets it */
	void (*end)(void *ctx, const struct protocol *protocol, enum end_how how, double at_ms); /* after the end delta */
};

struct stream_options {
	const struct protocol *protocol; /* NULL: detect it */
	const struct dialect *dialect;   /* NULL: generic */
	struct asked_for asked;
	size_t media_bytes;              /* maximum of decoded media that is kept of the answer; 0: MEDIA_BYTES_DEFAULT */
	size_t pack_from;                /* base64 of so many characters is decoded as it arrives, without a tap; 0: FRAMER_PACK_DEFAULT */
	bool untimed;                    /* the source has no timing: deltas carry at_ms -1 */
	const struct stream_tap *tap;    /* NULL: none, which costs nothing. Must outlive the stream */
};

struct stream; /* heap */

struct stream *stream_new(const struct stream_options *options, delta_sink *sink, void *ctx);
void stream_free(struct stream *s);

/* With a status that is not 2xx the body is an error body. Without a head the status is 200. A second call starts a new body. */
void stream_head(struct stream *s, const struct response_head *head, double at_ms);
void stream_body(struct stream *s, struct str bytes, double at_ms);
void stream_end(struct stream *s, enum end_how how, double at_ms); /* emits the end; later calls do nothing */
/*
 * Emits the end, as stream_end() does for a connection that was closed, although more bytes may come: frames are still counted, and the tap
 * sees them. To be called when stream_is_done(); stream_end() then emits nothing.
 */
void stream_conclude(struct stream *s, double at_ms);

/*
 * Treats a server that is silent after its finish word as if it had sent the end mark. For protocols in which a finish word is not the
 * end (Anthropic). Does nothing without a finish word. The caller then calls stream_end().
 */
void stream_settle(struct stream *s, double at_ms);

/* Emits begin, error and end for an error that is not the server's (cannot connect). Does nothing after the end. */
void stream_fail(struct stream *s, struct str message, double at_ms);

const struct protocol *stream_protocol(const struct stream *s); /* NULL while unknown */
size_t stream_frames(const struct stream *s);     /* how many have come; while a delta is given: the number of the frame that brings it */
bool stream_is_done(const struct stream *s);      /* there was an end mark or an error: the connection may be closed */
bool stream_finish_seen(const struct stream *s);  /* there was a finish word: the short idle limit applies */
double stream_spoke_ms(const struct stream *s);   /* at_ms of the last bytes other than blanks and comments; 0: none */

#endif
