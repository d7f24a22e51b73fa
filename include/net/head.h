/*
 * Parses the head of a response line by line, and knows which headers may be kept.
 *
 * Each status line starts a new head, so that the final head replaces interim responses (1xx) and a proxy's response. Names are converted
 * to lower case. A head larger than HEAD_LIMIT is kept up to that limit.
 */
#ifndef WEIR_NET_HEAD_H
#define WEIR_NET_HEAD_H

#include "wire/stream.h"

/* libcurl (8.14) fails a transfer with a larger head, or one of more than 5,000 lines; older ones know no limit of lines. */
#define HEAD_LIMIT ((size_t)300 << 10)
#define HEAD_LINES_MOST 4000u

struct head_reader {
	struct buf text;                 /* names and values, concatenated */
	struct response_header *headers;
	size_t count;
	size_t capacity;
	int status;
	bool whole;                      /* the final head is complete; what follows are trailers */
};

void head_reader_init(struct head_reader *reader);
void head_reader_fini(struct head_reader *reader);

/*
 * Parses one line, including its line end. Returns true when it completes the final head; `head` then borrows from the reader and is valid
 * as long as the reader.
 */
bool head_reader_line(struct head_reader *reader, struct str line, struct response_head *head);

/* The value of a header; STR_NONE if absent. `name` must be in lower case. */
struct str head_value(const struct response_head *head, const char *name);

/* The server's request id, under the first of the header names that gateways use; STR_NONE if absent. */
struct str head_request_id(const struct response_head *head);

/*
 * Appends the version of HTTP and the timings in one line: "HTTP/2, name 1.2 ms, connect 14.0 ms, TLS 31.5 ms, sent 31.6 ms, first byte
 * 412.0 ms"; nothing if neither is known.
 */
void head_write_timings(const struct response_head *head, struct buf *out);

bool head_is_id(struct str name); /* a header that holds the id of a request */
/* Request ids, retry hints and rate limits: the headers shown to the user, and kept in tapes. Never cookies or keys. */
bool head_is_listed(struct str name);
/* These, and those that say how the body is sent: the headers kept in tapes. */
bool head_is_taped(struct str name);

#endif
