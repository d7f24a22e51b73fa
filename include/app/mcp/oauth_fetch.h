/*
 * One small request to an authorization server, or for metadata: over the program's curl with its TLS, proxies and limits, as those to a server
 * of MCP are sent, but with none of its headers and no key of it. No redirect is followed. What is sent and received is not logged.
 *
 * Limits: OAUTH_FETCH_BYTES of a response, and the time.
 */
#ifndef WEIR_APP_OAUTH_FETCH_H
#define WEIR_APP_OAUTH_FETCH_H

#include "chat/provider/provider.h"
#include "net/http.h"

#define OAUTH_FETCH_BYTES ((size_t)256 << 10)
#define OAUTH_FETCH_MS 20000

struct oauth_ask {
	const struct provider *sending; /* TLS and limits; its headers are not sent. Borrowed for the call */
	environment *env;
	const char *url;
	struct str body;                /* STR_NONE: a GET. Borrowed until the fetch is freed */
	bool is_form;                   /* of the body; else it is JSON */
	const char *header;             /* one more line; NULL or "": none. Borrowed for the call */
	const char *accept;             /* that header; NULL: JSON */
	bool head_only;                 /* the body is of no interest: it is over with the head */
};

struct oauth_fetch; /* heap */

struct oauth_fetch *oauth_fetch_new(struct http *http, const struct oauth_ask *ask);
void oauth_fetch_free(struct oauth_fetch *f);        /* cancels, and overwrites what came. NULL is allowed */
bool oauth_fetch_is_over(struct oauth_fetch *f, int64_t now_ms); /* also when its time is over */
int64_t oauth_fetch_deadline(const struct oauth_fetch *f);
int oauth_fetch_status(const struct oauth_fetch *f); /* 0: no response came, or none that is used */
struct str oauth_fetch_body(const struct oauth_fetch *f);
/* Of the response, before it is over, too: "www-authenticate" as often as it came, with blanks and commas between them. */
struct str oauth_fetch_challenge(const struct oauth_fetch *f);
const char *oauth_fetch_failure(const struct oauth_fetch *f); /* status 0: why, as a sentence without its stop */

#endif
