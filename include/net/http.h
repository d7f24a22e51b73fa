/*
 * HTTP: one curl multi handle, many transfers, and the one place where the program sleeps.
 *
 * A server that says the key back is silenced here, before anything else sees its bytes: tape, screen, error, log.
 *
 * TLS is always verified, redirects are not followed, Expect is never sent. Answers are asked for uncompressed, because what packs
 * them may hold them back, but are unpacked when they come so (net/unpack.h). A connection is kept for the next
 * request; one that the server has given up meanwhile is replaced and the request sent again, if no line of an answer came.
 * HTTP/1.1 unless a request allows HTTP/2: libcurl 7.88 drops DATA that arrives together with RST_STREAM or GOAWAY, an error
 * event that a gateway sends as its last words for example.
 * The loop never blocks: names resolve in curl's thread (CURLOPT_QUICK_EXIT), and cancelling closes at once. At one look only so
 * many bytes of a body are told, packed or not, that keys and signals have their turn every few milliseconds. A proxy is
 * taken from the environment as curl does, but never for loopback: a proxy could not reach it. Its credentials are secrets like the key.
 */
#ifndef WEIR_NET_HTTP_H
#define WEIR_NET_HTTP_H

#include <poll.h>

#include "base/redact.h"
#include "net/source.h"
#include "net/wire_log.h"

struct http; /* the multi handle and its connection cache */

/* curl_global_init and TLS set-up happen at the first request, not here: the first frame does not wait for them. */
struct http *http_new(void);
void http_free(struct http *http); /* never waits; every transfer must have been freed before. NULL is legal */

/* All transfers from now on are logged there; borrowed, NULL: none are. Its file of TLS keys counts before the first transfer only. */
void http_log_to(struct http *http, struct wire_log *log);

struct http_request {
	const char *method;           /* "POST" or "GET" */
	const char *url;
	const char *const *headers;   /* "Name: value", `header_count` of them. May hold a key: never logged */
	size_t header_count;
	struct str body;              /* copied */
	bool http2;                   /* may be agreed on with TLS; else HTTP/1.1 */
	int64_t connect_timeout_ms;
	const char *ca_file;          /* NULL: the system's */
	const char *proxy_ca_file;    /* of a proxy that is asked over TLS itself; NULL: the system's */
	const struct redact_set *secrets; /* '*' in all that the server says: the key, which some say back. NULL: none. Copied, wiped */
};

/*
 * Starts a transfer; its callbacks come from http_wait(). at_ms counts from here. False, and nothing started, when the URL
 * or a header is unusable. The transfer is freed with source_free(), which cancels it if it still runs.
 */
MUST_USE bool http_start(struct http *http, const struct http_request *request, const struct source_sink *sink,
                         struct source **transfer, struct error *err);

/* Why a transfer ended may be over in a moment: no connection, or one that broke. Not what a certificate or an address is. */
bool http_may_pass(const struct source *transfer);

/* The sentence that a transfer ended with says what to check. */
bool http_is_advised(const struct source *transfer);

/* It ended because what came could not be unpacked. */
bool http_is_garbled(const struct source *transfer);

/* The connection stands (TLS too) and the request is on its way or sent. For transfers that http_start() made. */
bool http_is_connected(const struct source *transfer);

/*
 * Sleeps until one of `fds` is ready, a transfer moved, `timeout_ms` passed (-1: no limit); then runs the transfers, which
 * is where all callbacks come from. Returns poll's count of ready `fds` (revents set). May return early with none ready.
 * Works without any transfer and before curl is set up; a signal wakes it too.
 */
int http_wait(struct http *http, struct pollfd *fds, size_t count, int timeout_ms);

/*
 * Until then http_wait() looks at `fds` only, and the kernel keeps what the transfers bring: for a screen that has something
 * to show and whose frame is not due yet, so that a fast stream does not wake the program for each token. What came with
 * the last read must not be much, or the transfers go on. Times of what comes meanwhile are those of its reading.
 */
void http_rest(struct http *http, int64_t until_ms);

/* A URL's host that is this machine: 127.x.x.x, localhost, [::1]. No proxy is asked for it, and plain http to it is safe. */
bool http_is_loopback(struct str host);

bool http_is_busy(const struct http *http); /* a transfer is under way: one that was cancelled is not. For tests */

#endif
