/*
 * Reads the head of a response line by line, and knows which headers may be kept.
 *
 * An interim answer (1xx) and a proxy's are followed by another head: each status line starts over. Names come out in
 * lower case. A head larger than HEAD_LIMIT is kept up to there.
 */
#ifndef WEIR_NET_HEAD_H
#define WEIR_NET_HEAD_H

#include "wire/stream.h"

#define HEAD_LIMIT ((size_t)300 << 10) /* libcurl takes no more, and ends a transfer with a larger one */

struct head_reader {
	struct buf text;                 /* names and values, one after another */
	struct response_header *headers;
	size_t count;
	size_t capacity;
	int status;
	bool whole;                      /* a final head was given; what follows are trailers */
};

void head_reader_init(struct head_reader *reader);
void head_reader_fini(struct head_reader *reader);

/* Takes one line, line end included. True when it completes a final head; `head` then borrows from the reader until its end. */
bool head_reader_line(struct head_reader *reader, struct str line, struct response_head *head);

/* The value of a header, STR_NONE when it is not there. `name` in lower case. */
struct str head_value(const struct response_head *head, const char *name);

/* What the server calls the request, under the first of the names that gateways use; STR_NONE when it told none. */
struct str head_request_id(const struct response_head *head);

/* Request ids, retry hints and rate limits: the headers that tapes keep and that are shown. Never cookies or keys. */
bool head_is_listed(struct str name);

#endif
