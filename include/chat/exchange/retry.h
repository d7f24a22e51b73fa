/*
 * Retries: whether a failed request is sent again, and when. Pure functions.
 *
 * Temporary statuses (408, 429, 500, 502, 503, 504, 529) and failed connections are retried. The server's headers take precedence:
 * x-should-retry decides; retry-after-ms and Retry-After (seconds or a date), or Google's RetryInfo in the body, give the delay, up to 60
 * s. A longer delay prevents the retry. A date is relative to the server's clock (its Date header), because the local clock may be wrong;
 * without that header, the local clock is used. An account without credit is never retried, nor is Anthropic's 429 without a time, which
 * may be a spend limit.
 */
#ifndef WEIR_CHAT_RETRY_H
#define WEIR_CHAT_RETRY_H

#include <time.h>

#include "wire/protocol/protocol.h"

#define RETRY_NEVER (-1)

struct retry_case {
	int status;                          /* 0: no answer came */
	struct str body;                     /* of the refusal */
	struct str after_ms, after, should;  /* the headers retry-after-ms, retry-after, x-should-retry; "" if absent */
	const struct protocol *protocol;
	unsigned tries;                      /* how often it was sent again before */
	double dice;                         /* 0 to 1: shortens the back-off by up to a quarter, so that clients spread out */
	struct str date;                     /* the Date header, the server's clock; empty if absent */
	time_t now;                          /* the local wall clock */
};

/* The delay before the retry, or RETRY_NEVER. The caller limits the number of retries. */
int64_t retry_wait_ms(const struct retry_case *c);

#endif
