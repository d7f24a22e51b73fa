/*
 * Private definitions of HTTP, for http.c (the multi handle and waiting) and http_transfer.c (one transfer). Other files include
 * net/http.h.
 */
#ifndef WEIR_NET_HTTP_INSIDE_H
#define WEIR_NET_HTTP_INSIDE_H

#include <curl/curl.h>

#include "base/redact.h"
#include "net/head.h"
#include "net/http.h"
#include "net/proxy.h"
#include "net/tls_limit.h"
#include "net/unpack.h"

/*
 * Limits of one pass: bytes of each body, delivered and decompressed, and bytes read by all TLS connections. A pass takes a few
 * milliseconds; then keys and signals are handled.
 */
#define PASS_BYTES ((size_t)64 << 10)
/*
 * If the server sends faster than it is read, curl reads up to a hundred times in one pass. With a larger buffer, a key press would wait
 * for megabytes.
 */
#define READ_BUFFER_BYTES (16L << 10)

struct http {
	CURLM *multi;              /* NULL before the first request */
	struct tls_limit *tls;     /* NULL before the first request */
	struct transfer *transfers;
	struct pollfd *sockets;    /* what curl polls */
	size_t socket_count, socket_capacity;
	int64_t timer_ms;          /* when curl wants to be called without an event */
	struct pollfd *polled;     /* scratch */
	size_t polled_capacity;
	size_t running;            /* transfers that have not ended */
	size_t came;               /* body bytes delivered in the last pass */
	int64_t deferred_until_ms;
	bool moved;                /* a callback was called in the last pass */
	bool again;                /* libcurl may hold data that the sockets do not report */
	bool starved;              /* libcurl had no memory, and may have forgotten a socket */
	bool in_callback;          /* inside curl, which is not reentrant */
	bool stained;              /* libcurl's buffers may hold a secret that a server repeated */
	struct wire_log *log;      /* borrowed; NULL: none */
	unsigned started;          /* number of transfers started, for their numbers in the log */
};

struct transfer {
	struct source source;
	struct http *http;
	struct transfer *next;
	CURL *easy;
	bool attached;             /* added to the multi handle */
	bool starved;              /* libcurl may have forgotten its socket, for want of memory */
	bool over;                 /* ended or cancelled: no more callbacks */
	struct curl_slist *headers;
	char *body, *ca_file, *proxy_ca_file;
	struct proxy proxy;        /* zeroed for loopback hosts, which use no proxy */
	char *place;               /* the host, and the port if the URL has one, for error messages: the rest of a URL may hold a key */
	bool secure, local;        /* https; loopback host */
	bool bodies_are_secret;    /* they are not logged */
	int64_t connect_timeout_ms;
	struct source_sink sink;
	struct head_reader head;
	size_t head_bytes, head_lines; /* of interim heads, the head and the trailers */
	size_t progress;           /* progress callbacks in this pass: one for each byte of a proxy's response to CONNECT */
	struct unpack *unpack;     /* NULL before the head */
	size_t left;               /* what remains of PASS_BYTES */
	int socket;                /* the last one that libcurl asked to be polled for it; -1: none yet */
	bool waiting;              /* bytes that libcurl gave are to be delivered in another pass */
	bool paused;               /* and libcurl was told to pause */
	bool held;                 /* and they are not to be delivered yet */
	bool ended;                /* libcurl has finished it, perhaps while bytes wait */
	CURLcode end;              /* then: how */
	bool uploads;              /* a relay has more bytes of the request */
	bool upload_paused;        /* and libcurl waits for them */
	uint64_t uploaded;         /* number of those that libcurl has */
	bool relays;               /* `relay` is set */
	struct http_relay relay;
	CURLcode verdict;          /* set when we make curl stop; CURLE_OK: not set */
	struct error why;          /* the reason for `verdict` */
	struct redact_set secrets; /* masked in the response */
	struct redactor head_secret, body_secret, log_secret, upload_secret;
	unsigned number;
	double started_ms;
	bool may_pass, garbled;    /* kind of failure (http.h) */
	bool advised;              /* the error text says what to check */
	char reason[CURL_ERROR_SIZE];
};

/* Calls curl_global_init() and creates the multi handle, unless done before. */
MUST_USE bool http_set_up(struct http *http, struct error *err);

/*
 * After a server repeated a secret, and with the last transfer freed: cleans up the multi handle, with its connections. Since libcurl 8.18 the
 * buffer for received bytes lives as long as that handle.
 */
void http_forget(struct http *http);

/* Applies our state of a transfer to curl. Changes made in callbacks are deferred until curl has returned. */
void http_settle(struct transfer *t);

/* Ends the transfer without an end callback. */
void http_stop(struct transfer *t);

void http_set_relay(struct transfer *t, const char *method); /* sets what differs from a request of ours */
CURLcode http_tell_pause(const struct transfer *t); /* tells libcurl which directions it has to pause */
/* Pauses libcurl if bytes wait. Not inside its callback, but where too many do: it keeps for itself what it has read then. */
void http_pause(struct transfer *t);
/* Starts a new pass with PASS_BYTES, and delivers what remained from the last one. Called with `in_callback` set. */
void http_resume(struct transfer *t);

/* curl has finished the transfer: delivers the last bytes and the end. */
void http_finish(struct transfer *t, CURLcode code);
void http_finish_starved(struct transfer *t); /* for want of memory */

#endif
