/*
 * The inside of HTTP, for http.c (the multi handle, and the sleeping) and http_transfer.c (one transfer). Everybody else
 * includes net/http.h.
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

/* At one look: of a body, told and unpacked; and of all TLS connections, read. A few milliseconds, then keys and signals have their turn. */
#define LOOK_BYTES ((size_t)64 << 10)

struct http {
	CURLM *multi;              /* NULL before the first request */
	struct tls_limit *tls;     /* the same */
	struct transfer *transfers;
	struct pollfd *sockets;    /* what curl waits for, */
	size_t socket_count, socket_capacity;
	int64_t timer_ms;          /* and when it wants to be called without anything ready */
	struct pollfd *polled;     /* scratch */
	size_t polled_capacity;
	size_t running;            /* transfers that have not ended */
	size_t came;               /* bytes of bodies told at the last look */
	int64_t rest_until_ms;
	bool moved;                /* something was called back at the last look */
	bool again;                /* and libcurl may hold more than the sockets tell */
	bool in_callback;          /* inside curl, which may not be entered again */
	struct wire_log *log;      /* borrowed; NULL: none */
	unsigned started;          /* transfers, for their numbers in it */
};

struct transfer {
	struct source source;
	struct http *http;
	struct transfer *next;
	CURL *easy;
	bool attached;             /* curl works on it */
	bool over;                 /* ended or cancelled: nothing is called back any more */
	struct curl_slist *headers;
	char *body, *ca_file, *proxy_ca_file;
	struct proxy proxy;        /* zeroed for this machine, which no proxy is asked for */
	char *place;               /* host, and port where the URL names one: for sentences, the rest of a URL may hold a key */
	bool secure, local;        /* https; this machine */
	int64_t connect_timeout_ms;
	struct source_sink sink;
	struct head_reader head;
	size_t head_bytes;         /* of interim heads, the head and trailers */
	size_t progress;           /* calls back of progress at this look, most of them for a byte of a proxy's answer to CONNECT */
	struct unpack *unpack;     /* NULL before the head */
	size_t left;               /* of LOOK_BYTES */
	bool paused;               /* libcurl reads no more until what it gave is told */
	CURLcode verdict;          /* ours, where curl is told to stop; CURLE_OK: none */
	struct error why;          /* the reason of that */
	struct redact_set secrets; /* a server may say them back: they go no further */
	struct redactor head_secret, body_secret, log_secret;
	unsigned number;
	double started_ms;
	bool may_pass, garbled;    /* what it ended of */
	bool advised;              /* and the sentence about it says what to check */
	char reason[CURL_ERROR_SIZE];
};

/* curl_global_init and the multi handle, unless they are there. */
MUST_USE bool http_set_up(struct http *http, struct error *err);

/* Makes curl's view of a transfer that of ours; what callbacks asked for waits until curl has returned. */
void http_settle(struct transfer *t);

/* It is over; nothing is called back any more. */
void http_stop(struct transfer *t);

/* A new look: it has LOOK_BYTES again, and goes on with what is left of the last one. Inside `in_callback`. */
void http_go_on(struct transfer *t);

/* curl is done with it: the last bytes, and the end. */
void http_finish(struct transfer *t, CURLcode code);

#endif
