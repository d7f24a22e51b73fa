/*
 * The lines of a tape as text (weir-tape(1), "THE TAPE"). Each function appends one line with its LF.
 *
 * Keys are never written: only listed headers (net/head.h) are kept, and of a URL's parameters only those that cannot be a key.
 */
#ifndef WEIR_NET_TAPE_LINES_H
#define WEIR_NET_TAPE_LINES_H

#include "base/json.h"
#include "base/json_write.h"
#include "net/tape.h"

/* The first line. Without `info->started` the time is now. A request that is not JSON is written as null. */
void tape_line_facts(struct buf *out, const struct tape_info *info);

void tape_line_head(struct buf *out, const struct response_head *head, double at_ms);
void tape_line_body(struct buf *out, struct str bytes, double at_ms);
void tape_line_message(struct buf *out, bool sent, struct str text, double at_ms);
void tape_line_behind(struct buf *out, const struct tape_step *step); /* a step behind the end */
void tape_line_end(struct buf *out, enum end_how how, double at_ms);

/* The member "timings" of a head, and its value back. Members that are missing or out of range stay 0. */
void tape_line_add_timings(struct json_writer *w, const struct response_head *head);
void tape_line_read_timings(const struct json *value, struct response_head *head);

/* An earlier attempt of the request, which players skip. */
struct tape_attempt {
	int status;                   /* 0: no response */
	struct str headers;           /* "name: value" lines */
	struct str body, failure;     /* "": none */
	double at_ms;                 /* when it ended, since it was sent */
	int64_t wait_ms;              /* until the next attempt */
};
void tape_line_attempt(struct buf *lines, const struct tape_attempt *attempt);

#endif
