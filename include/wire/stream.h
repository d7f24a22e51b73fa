/*
 * A stream: response head and body bytes in, deltas out. Framer, protocol and guard behind one door.
 *
 *   stream_head --> stream_body* --> stream_end          (the same three calls that every source makes)
 *
 * Pure: no descriptor, no clock, no curses. Without a protocol it detects one from the first frames.
 */
#ifndef WEIR_WIRE_STREAM_H
#define WEIR_WIRE_STREAM_H

#include "wire/protocol/protocol.h"

/* The head of a response. Borrowed for the call. */
struct response_header { struct str name, value; }; /* name in lower case */
struct response_head {
	int status;
	struct str content_type;
	const struct response_header *headers;
	size_t header_count;
};

struct stream_options {
	const struct protocol *protocol; /* NULL: detected */
	const struct dialect *dialect;   /* NULL: generic */
	bool single_choice;              /* the request is known and asks for one answer */
	bool untimed;                    /* the source has no timing: deltas carry at_ms -1 */
};

struct stream; /* heap */

struct stream *stream_new(const struct stream_options *options, delta_sink *sink, void *ctx);
void stream_free(struct stream *s);

/* A status that is not 2xx makes the body an error body. Without a head the status is 200. Called again, it starts the body anew. */
void stream_head(struct stream *s, const struct response_head *head, double at_ms);
void stream_body(struct stream *s, struct str bytes, double at_ms);
void stream_end(struct stream *s, enum end_how how, double at_ms); /* exactly one end; later calls do nothing */

/*
 * A server that fell silent after its finish word will say no more: as if the end mark of its protocol had come. For protocols
 * whose finish word is not an end by itself (Anthropic); nothing without a finish word. stream_end() follows.
 */
void stream_settle(struct stream *s, double at_ms);

/* An error that is not the server's (cannot connect): begin, error and end. Nothing if the stream has ended. */
void stream_fail(struct stream *s, struct str message, double at_ms);

const struct protocol *stream_protocol(const struct stream *s); /* NULL while unknown */
bool stream_is_done(const struct stream *s);      /* an end mark or an error came: the connection may be closed */
bool stream_finish_seen(const struct stream *s);  /* a finish word came: the short idle limit applies */
double stream_spoke_ms(const struct stream *s);   /* at_ms of the last bytes that were more than blanks and comments; 0: none */

#endif
