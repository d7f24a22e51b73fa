/*
 * The head of a request, read strictly (RFC 9112): a request that two programs may read differently is refused, because the second one may
 * find another request in it (request smuggling). Refused are among others: lines that do not end in CRLF, folded lines, names and methods
 * that are no token, control characters, a Content-Length that is no number or comes twice or beside Transfer-Encoding, a transfer coding
 * other than chunked, no Host or several.
 */
#ifndef WEIR_NET_REQUEST_HEAD_H
#define WEIR_NET_REQUEST_HEAD_H

#include <stdint.h>

#include "wire/stream.h"

#define REQUEST_HEAD_BYTES_MOST ((size_t)64 << 10)
#define REQUEST_FIELDS_MOST 200

struct request_head { /* views borrow from the text that was read */
	struct str method;
	struct str path;               /* with its query: visible ASCII from a slash on, without a fragment */
	struct str host, authority;    /* the field Host, and what stands before the path in absolute form; STR_NONE: none */
	unsigned minor;                /* HTTP/1.0 or HTTP/1.1 */
	struct response_header *fields;/* in order; names in any case */
	size_t field_count, field_capacity;
	bool has_body, is_chunked;     /* a body of `length` bytes, which may be 0, or of chunks */
	uint64_t length;
	bool keeps;                    /* the connection is kept after the answer */
	bool expects;                  /* waits for 100 Continue before it sends the body */
};

struct request_refusal { /* `status` 0: none */
	unsigned status;
	const char *sentence; /* static */
};

/*
 * The length of the head at the start of `bytes`; 0: it is not complete. The first `seen` bytes were examined by an earlier call. A line that
 * does not end in CRLF ends the head, too: request_head_read() refuses it.
 */
size_t request_head_length(struct str bytes, size_t seen);

/* Reads a head of that length. False: `refusal` says why. Call request_head_fini() afterwards. */
MUST_USE bool request_head_read(struct request_head *head, struct str text, struct request_refusal *refusal);
void request_head_fini(struct request_head *head);

struct str request_head_value(const struct request_head *head, const char *name); /* of the first field of that name; STR_NONE: none */

#endif
