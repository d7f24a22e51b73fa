/*
 * The answer of an exchange: takes response bytes, gives deltas, and writes the tape.
 *
 * The body of a refusal (a status other than 2xx) can be held back until its end, so that the exchange can decide to send the request
 * again. Notices added before the stream begins are delayed until it does, so that the sink sees the grammar of wire/delta.h.
 */
#ifndef WEIR_CHAT_ANSWER_H
#define WEIR_CHAT_ANSWER_H

#include "net/tape.h"

#define ANSWER_BYTES_LIMIT ((size_t)1 << 30) /* of a decompressed body: a server may send without end, and compress it well */
#define ANSWER_NOTES 24

struct answer { /* embedded; the members are read-only for others */
	struct stream *stream;
	delta_sink *sink;
	void *ctx;
	bool holds_refusals;
	bool reads_on;              /* bytes after the end are still framed, for the number of frames and for a tap */
	bool ended;                 /* the end delta has been given */
	double ended_ms;            /* at_ms of the end; 0 without timing */

	int status;                 /* 0: no head has arrived */
	struct buf headers, held;   /* listed headers, one per line; the body of a refusal */
	struct buf timings;         /* of the connection, one line; empty: not known */
	bool holding;               /* `held` has not been passed to stream and tape */
	bool held_all;              /* more arrived than is held back; the rest is discarded */
	struct held_read { size_t end; double at_ms; } *reads; /* the reads that filled `held`: end offset and time */
	size_t read_count, read_capacity;
	char *content_type, *request_id, *location, *date; /* of the response; NULL: none */
	double last_ms;             /* at_ms of the last byte or head */
	bool has_body;              /* a byte of the body has arrived */
	size_t bytes, bytes_most;   /* of the body: received, and the limit */

	struct tape_writer *tape;   /* NULL: none, or ended */
	/*
	 * Write the tape only in answer_tape_flush(), because the sink shows nothing before it. False: bytes are written before their
	 * deltas are given.
	 */
	bool defers_tape;
	struct error tape_error;
	struct { const char *rule; char *text; } notes[ANSWER_NOTES];
	size_t note_count;
};

void answer_init(struct answer *a, const struct stream_options *options, bool holds_refusals, delta_sink *sink, void *ctx);
void answer_fini(struct answer *a); /* ends the tape; gives no delta */

void answer_tape(struct answer *a, struct tape_writer *writer); /* takes ownership of `writer` */
void answer_tape_end(struct answer *a, enum end_how how, double at_ms); /* closes the tape, if there is one */
void answer_tape_flush(struct answer *a);
/* Adds a notice, before the stream begins only. `rule` must outlive the answer. A duplicate is ignored. */
void answer_note(struct answer *a, const char *rule, struct str text);

/* Discards the response, because the request is sent again. */
void answer_forget(struct answer *a);

void answer_head(struct answer *a, const struct response_head *head, double at_ms);
void answer_body(struct answer *a, struct str bytes, double at_ms); /* gives the end as soon as the end mark has arrived */
/* Ends the answer and the tape. The stream first gets what was held back, unless the user cancelled. */
void answer_end(struct answer *a, enum end_how how, double at_ms);
void answer_fail(struct answer *a, const char *sentence, double at_ms);

/* The value of a listed header; `name` in lower case. "" if absent. Borrowed until the next head. */
struct str answer_header(const struct answer *a, const char *name);

/* Passes the held body to the tape only, because the request will be sent again. */
void answer_release_tape(struct answer *a);

/* Appends status, timings of the connection, listed headers and the body of a refusal, one per line. */
void answer_details(const struct answer *a, struct buf *out);

#endif
