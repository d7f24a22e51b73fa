/*
 * The answer of an exchange: response bytes in, deltas out, with the tape beside them.
 *
 * The body of a refusal (a status that is not 2xx) may be held back until its end, so that the exchange can decide to send
 * again instead. Notices of ours wait for the stream's begin, so that the sink sees the grammar of wire/delta.h.
 */
#ifndef WEIR_CHAT_ANSWER_H
#define WEIR_CHAT_ANSWER_H

#include "net/tape.h"

#define ANSWER_BYTES_LIMIT ((size_t)1 << 30) /* of a body, unpacked: a server may send for ever, and pack it well */
#define ANSWER_NOTES 24

struct answer { /* embedded; the members are to be read only */
	struct stream *stream;
	delta_sink *sink;
	void *ctx;
	bool holds_refusals;
	bool ended;                 /* the end was given */
	double ended_ms;            /* its at_ms, 0 without timing */

	int status;                 /* 0: no head came */
	struct buf headers, held;   /* listed headers, a line each; the body of a refusal */
	bool holding;               /* neither stream nor tape has got what is in `held` */
	bool held_all;              /* more came than is held back: the rest is not needed */
	struct held_read { size_t end; double at_ms; } *reads; /* that `held` came in */
	size_t read_count, read_capacity;
	char *content_type, *request_id, *location, *date; /* NULL: none */
	double last_ms;             /* at_ms of the last byte or head */
	bool has_body;              /* a byte of the body came */
	size_t bytes, bytes_most;   /* of the body */

	struct tape_writer *tape;   /* NULL: none, or it was ended */
	bool tape_waits;            /* for answer_tape_flush(): the sink shows nothing before. Else the tape has what a delta is of first */
	struct error tape_error;
	struct { const char *rule; char *text; } notes[ANSWER_NOTES];
	size_t note_count;
};

void answer_init(struct answer *a, const struct stream_options *options, bool holds_refusals, delta_sink *sink, void *ctx);
void answer_fini(struct answer *a); /* ends the tape, gives no delta */

void answer_tape(struct answer *a, struct tape_writer *writer); /* owns it from now on */
void answer_tape_end(struct answer *a, enum end_how how, double at_ms); /* closes it; nothing when there is none */
void answer_tape_flush(struct answer *a);
/* A notice of ours, before the begin only; `rule` lives on. Not twice the same. */
void answer_note(struct answer *a, const char *rule, struct str text);

/* The request is sent again: what came of the response is forgotten. */
void answer_forget(struct answer *a);

void answer_head(struct answer *a, const struct response_head *head, double at_ms);
void answer_body(struct answer *a, struct str bytes, double at_ms); /* gives the end at once when the end mark came */
/* The end, after what was held back (which the stream does not get when the user cancelled). Ends the tape too. */
void answer_end(struct answer *a, enum end_how how, double at_ms);
void answer_fail(struct answer *a, const char *sentence, double at_ms);

/* The value of a listed header, in lower case; "" when it did not come. Borrowed until the next head. */
struct str answer_header(const struct answer *a, const char *name);

/* What is held back goes to the tape, and only there: the request will be sent again. */
void answer_release_tape(struct answer *a);

/* Status, listed headers and the body of a refusal, a line each. */
void answer_details(const struct answer *a, struct buf *out);

#endif
