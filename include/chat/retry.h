/*
 * Whether a request that failed is sent once more, and when. Pure: what came in, milliseconds out.
 *
 * Statuses that speak of a moment (408, 429, 500, 502, 503, 504, 529) and connections that failed are tried again. The
 * server's own word goes first: x-should-retry decides, retry-after-ms and Retry-After (seconds or a date; Google's
 * RetryInfo in the body) say when, up to 60 s; who asks for more is not asked again. A date counts from the server's own clock,
 * its Date header, because the clock here may be wrong; from ours only where it did not tell. An account that has run dry is
 * never, nor is Anthropic's 429 without a time, which may be a spend limit.
 */
#ifndef WEIR_CHAT_RETRY_H
#define WEIR_CHAT_RETRY_H

#include <time.h>

#include "wire/protocol/protocol.h"

#define RETRY_NEVER (-1)

struct retry_case {
	int status;                          /* 0: no answer came */
	struct str body;                     /* of the refusal */
	struct str after_ms, after, should;  /* the headers retry-after-ms, retry-after, x-should-retry; "" when absent */
	const struct protocol *protocol;
	unsigned tries;                      /* how often it was sent again before */
	double dice;                         /* 0 to 1: takes up to a quarter off the back-off, so that clients do not come at once */
	struct str date;                     /* the header of that name, empty when absent: the server's clock */
	time_t now;                          /* the wall's clock here */
};

/* How long to wait before it is sent again, or RETRY_NEVER. How often in all is the caller's business. */
int64_t retry_wait_ms(const struct retry_case *c);

#endif
