/*
 * HTTP: one curl multi handle, many transfers, and the one place where the program sleeps.
 *
 * TLS is always verified, redirects are not followed, Expect is never sent, answers are asked for uncompressed.
 * The loop never blocks: names resolve in curl's thread (CURLOPT_QUICK_EXIT), and cancelling closes at once.
 */
#ifndef WEIR_NET_HTTP_H
#define WEIR_NET_HTTP_H

#include <poll.h>

#include "net/source.h"

struct http; /* the multi handle and its connection cache */

/* curl_global_init and TLS set-up happen at the first request, not here: the first frame does not wait for them. */
struct http *http_new(void);
void http_free(struct http *http); /* cancels what runs; transfers must be freed before */

struct http_request {
	const char *method;           /* "POST" or "GET" */
	const char *url;
	const char *const *headers;   /* "Name: value", `header_count` of them. May hold a key: never logged */
	size_t header_count;
	struct str body;              /* copied */
	int64_t connect_timeout_ms;
	const char *ca_file;          /* NULL: the system's */
};

/* Starts a transfer; its callbacks come from http_wait(). False when the URL is unusable. at_ms counts from here. */
MUST_USE bool http_start(struct http *http, const struct http_request *request, const struct source_sink *sink,
                         struct source **transfer, struct error *err);

/*
 * Sleeps until one of `fds` is ready, a transfer moved, `timeout_ms` passed (-1: no limit) or http_wake() was called; then
 * runs the transfers. Returns poll's count of ready `fds` (revents set). Works without any transfer and before curl is set up.
 */
int http_wait(struct http *http, struct pollfd *fds, size_t count, int timeout_ms);

bool http_is_busy(const struct http *http); /* a transfer is under way */

#endif
