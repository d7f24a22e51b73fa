/*
 * The record of one exchange: its tape, its outcome, and lint's findings. The response is passed on compressed; the record decompresses its
 * own copy in steps, and masks the secrets of the request in everything that it writes.
 */
#ifndef WEIR_APP_PROXY_RECORD_H
#define WEIR_APP_PROXY_RECORD_H

#include "app/serve/proxy.h"
#include "net/source.h"

struct proxy_record; /* heap */

struct proxy_request { /* borrowed for the call */
	struct str method, path;
	bool has_body;
	const struct proxy_destination *to;
	const struct redact_set *secrets;  /* copied */
};

struct proxy_record *proxy_record_new(struct proxy *p, const struct proxy_request *request);
void proxy_record_free(struct proxy_record *r); /* after proxy_record_end(). Cuts the tape if the record is behind. NULL is allowed */

/* The body of the request, and its end. */
void proxy_record_request(struct proxy_record *r, struct str bytes);
void proxy_record_request_end(struct proxy_record *r);

/* The response, as a source calls back (net/source.h). */
void proxy_record_head(struct proxy_record *r, const struct response_head *head, double at_ms);
void proxy_record_body(struct proxy_record *r, struct str bytes, double at_ms);
void proxy_record_end(struct proxy_record *r, enum end_how how, struct str why, double at_ms);

void proxy_record_run(struct proxy_record *r);            /* unpacks a part of what waits, and writes what is recorded */
bool proxy_record_is_behind(const struct proxy_record *r); /* bytes wait to be unpacked: the transfer is to be held, and no more may come */
bool proxy_record_is_over(const struct proxy_record *r);  /* the end is recorded and logged */

#endif
