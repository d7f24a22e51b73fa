/*
 * HTTP: one curl multi handle for many transfers. The program sleeps in http_wait() only.
 *
 * Secrets that a server repeats in its response are masked here, before tape, screen, errors or log see the bytes. The response to a request
 * that is passed on for another client (struct http_relay) is neither masked nor decompressed.
 *
 * TLS certificates are always verified, redirects are not followed, Expect is sent for a relay only. Responses are requested uncompressed, because
 * compression may delay their bytes, but are decompressed when they come compressed (net/unpack.h). A connection is kept for the next
 * request. If the server has closed it meanwhile, the request is sent again on a new one, unless a line of a response has arrived.
 * HTTP/1.1 is used unless a request allows HTTP/2: libcurl 7.88 drops DATA that arrives together with RST_STREAM or GOAWAY, for example an
 * error event that a gateway sends last.
 *
 * The loop never blocks: curl resolves names in a thread (CURLOPT_QUICK_EXIT), and cancelling closes at once. Each pass delivers a limited
 * number of body bytes, compressed or not, so that keys and signals are handled every few milliseconds. Proxies are taken from the
 * environment as in curl, but not for loopback hosts, which a proxy could not reach. Proxy credentials are secrets like the key.
 */
#ifndef WEIR_NET_HTTP_H
#define WEIR_NET_HTTP_H

#include <poll.h>

#include "base/redact.h"
#include "net/source.h"
#include "net/wire_log.h"

struct http; /* the multi handle and its connection cache */

/* Does not call curl_global_init() or set up TLS, so that the first frame is not delayed: the first request does. */
struct http *http_new(void);
void http_free(struct http *http); /* never blocks; all transfers must have been freed before. NULL is allowed */

/*
 * Logs all transfers started from now on. `log` is borrowed; NULL: no log. Its file of TLS keys has an effect only if set before the first
 * transfer.
 */
void http_log_to(struct http *http, struct wire_log *log);

/*
 * A request of another client, which is passed on unchanged: method, headers, content coding, and the body as it arrives. The response is not
 * changed either: secrets are masked in errors and in the log only.
 */
struct http_relay {
	void *ctx;
	bool has_body;
	int64_t length;               /* of the body; -1: unknown, it is sent in chunks */
	bool expects;                 /* the client waits for 100 Continue */
	/* Copies the next bytes of the body. 0: it is over, or `*later`: http_upload() is called when there are more. */
	size_t (*upload)(void *ctx, char *to, size_t room, bool *later);
	void (*trailers)(void *ctx, void (*add)(void *list, const char *line), void *list); /* behind a body in chunks: "Name: value" */
	/*
	 * Rewinds the body, after a kept connection was closed before a response came. NULL: it cannot; then a new connection is used from the start.
	 */
	bool (*again)(void *ctx);
	void (*line)(void *ctx, struct str line); /* each line of interim heads, the head and the trailers, with its end, as it came */
};

struct http_request {
	const char *method;           /* "POST" or "GET", any of a relay */
	const char *url;
	const char *const *headers;   /* `header_count` lines "Name: value". They may hold a key and are never logged */
	size_t header_count;
	struct str body;              /* copied */
	bool body_stays;              /* it is borrowed until the transfer is freed: not copied */
	bool bodies_are_secret;       /* neither the body nor that of the response is logged */
	bool http2;                   /* allow HTTP/2 if negotiated with TLS; else HTTP/1.1 */
	int64_t connect_timeout_ms;
	const char *ca_file;          /* NULL: the system's certificates */
	const char *proxy_ca_file;    /* for a proxy reached over TLS; NULL: the system's certificates */
	const struct redact_set *secrets; /* masked as '*' in the response; NULL: none. Copied; the copy is wiped */
	const struct http_relay *relay;   /* copied; NULL: it is a request of ours. `body` is not used with it */
};

/*
 * Starts a transfer. Callbacks come from http_wait(); at_ms counts from this call. Returns false and starts nothing when the URL or a
 * header is unusable. Free the transfer with source_free(), which cancels it if it is still running.
 */
MUST_USE bool http_start(struct http *http, const struct http_request *request, const struct source_sink *sink,
                         struct source **transfer, struct error *err);

/* For a relay, also from within its callbacks. While it is held, no bytes of the body are delivered; libcurl stops reading a little later. */
void http_hold(struct source *transfer, bool held);
void http_upload(struct source *transfer); /* for a relay: more bytes of the request have come, or its end */

/* The transfer failed for a reason that may be temporary: no connection, or a broken one. False for certificates and addresses. */
bool http_may_pass(const struct source *transfer);

/* The error text of the transfer already says what to check. */
bool http_is_advised(const struct source *transfer);

/* The transfer failed because its body could not be decompressed. */
bool http_is_garbled(const struct source *transfer);

/* The connection is established, including TLS, and the request is being sent or has been sent. For transfers of http_start() only. */
bool http_is_connected(const struct source *transfer);

/*
 * Sleeps until one of `fds` is ready, a transfer has an event, or `timeout_ms` has passed (-1: no limit). Then runs the transfers, and all
 * their callbacks. Returns the number of ready `fds` (revents set), like poll(). It may return early with 0. Works without any transfer
 * and before curl is set up; a signal also ends the wait.
 */
int http_wait(struct http *http, struct pollfd *fds, size_t count, int timeout_ms);

/*
 * Until `until_ms`, http_wait() polls `fds` only, and the kernel buffers what the transfers receive. For a screen whose next frame is not
 * due yet, so that a fast stream does not wake the program for each token. No effect if the last pass received many bytes. The timestamps
 * of the buffered bytes are those of reading them.
 */
void http_defer_reading(struct http *http, int64_t until_ms);

/* True for a host that is this machine: 127.x.x.x, localhost, [::1]. No proxy is used for it, and plain http to it is safe. */
bool http_is_loopback(struct str host);

void http_write_libraries(struct buf *out); /* appends libcurl's version, and whose TLS and HTTP/2 it uses, for `weir --version` */

bool http_is_busy(const struct http *http); /* a transfer is running; a cancelled one is not. For tests */

#endif
