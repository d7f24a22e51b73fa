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

struct http {
	CURLM *multi;              /* NULL before the first request */
	struct transfer *transfers;
	struct pollfd *sockets;    /* what curl waits for, */
	size_t socket_count, socket_capacity;
	int64_t timer_ms;          /* and when it wants to be called without anything ready */
	struct pollfd *polled;     /* scratch */
	size_t polled_capacity;
	size_t running;            /* transfers that have not ended */
	size_t came;               /* bytes of bodies at the last look */
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
	char *body, *ca_file;
	char *place;               /* host, and port where the URL names one: for sentences, the rest of a URL may hold a key */
	bool secure, local;        /* https; this machine */
	int64_t connect_timeout_ms;
	struct source_sink sink;
	struct head_reader head;
	struct redactor head_secret, body_secret; /* a server may say the key back: it goes no further */
	struct redactor log_secret;
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

/* curl is done with it: the last bytes, and the end. */
void http_finish(struct transfer *t, CURLcode code);

#endif
