/*
 * An HTTP/1.1 server on 127.0.0.1: requests and responses are passed on as they come, so that what answers may be a tape, a script or
 * another server. It decides what a request is (net/request_head.h, net/chunk_reader.h) and how a response is framed.
 *
 * It uses no thread: its descriptors are in the loop's poll set (base/os/watch.h). A connection has one request at a time; what a client sends ahead
 * stays in the kernel. A client that has closed its sending half only still gets its answer.
 *
 * `begin` is called for requests of this machine's programs only (net/asker.h): a request to another host than loopback gets 421 (DNS
 * rebinding), one of a web page 403.
 *
 * All resources are limited. The bytes that all connections hold are limited together: beyond HTTPD_HELD_MOST, each connection is read and
 * filled in small portions. A connection without a complete request head is closed after HTTPD_IDLE_MS. Connections use at most half
 * of the process's descriptors. When there is no room or no descriptor for a new one, the connection that has been idle longest is closed,
 * once it has been idle for HTTPD_GRACE_MS; the new one is accepted as soon as there is room.
 */
#ifndef WEIR_NET_HTTPD_H
#define WEIR_NET_HTTPD_H

#include "base/os/watch.h"
#include "net/request_head.h"
#include "net/source.h"

#define HTTPD_IDLE_MS 30000
#define HTTPD_GRACE_MS 1000
#define HTTPD_HELD_MOST ((size_t)32 << 20)

struct httpd; /* heap */
struct visit; /* a request and its response, owned by the server until `free` was called */

/* What answers. `answer` is what `begin` returned. */
struct httpd_ops {
	/* The head of a request has come; views of it are valid for the call. NULL: it has been refused with visit_refuse(). */
	void *(*begin)(void *ctx, struct visit *v, const struct request_head *head);
	void (*body)(void *answer, struct str bytes);     /* these bytes of the body have come; visit_take() consumes them */
	void (*whole)(void *answer, struct str trailers); /* all of the body has come; trailers as for chunk_next_trailer() */
	void (*room)(void *answer);                       /* after visit_is_full(): there is room for more of the response */
	void (*free)(void *answer);                       /* the response is over, or the client has left */
	void (*refused)(void *ctx, const struct request_refusal *refusal); /* the server refused a request before `begin`; NULL: not told */
	bool visitable;        /* pages of other origins may send the browser here (net/asker.h) */
	bool waits_for_bodies; /* a client may pause within a body for any time; else the connection is closed after HTTPD_IDLE_MS */
};

/* `port` 0: any free port. `ops` must outlive the server. */
MUST_USE bool httpd_open(struct httpd **httpd, unsigned port, const struct httpd_ops *ops, void *ctx, struct error *err);
void httpd_free(struct httpd *httpd); /* frees all answers; NULL is allowed */
unsigned httpd_port(const struct httpd *httpd);
size_t httpd_fds(const struct httpd *httpd, struct pollfd *fds, size_t room); /* ready when httpd_run() has work; WATCH_MOST at most */
int64_t httpd_deadline(const struct httpd *httpd);   /* monotonic ms; NO_DEADLINE: none */
void httpd_run(struct httpd *httpd, int64_t now_ms); /* also sends what visits were given; calls all functions of `ops` */

/* --- the request; until `free` --- */

/* Copies and removes the next bytes of the body that have come. 0: more must come first, unless the request is whole. */
size_t visit_take(struct visit *v, char *to, size_t room);
bool visit_is_whole(const struct visit *v); /* all of the body has come; some of it may not be taken yet */
/*
 * Keeps the body after it is taken, so that it can be taken again. Only in `begin`; false: it is too large for that, or its size is unknown.
 */
bool visit_keep(struct visit *v);
bool visit_take_again(struct visit *v);     /* from the first byte; false: it was not kept */
void visit_forget(struct visit *v);         /* drops what was taken and kept; nothing is kept from here on */
void visit_forget_all(struct visit *v);     /* the same, and drops what has come and is not taken yet */

/* --- the response; until visit_end() or visit_break() --- */

struct visit_head {
	unsigned status;
	struct str reason;                    /* STR_NONE: the usual one */
	const struct response_header *fields; /* but for those of framing and connection, which the server adds */
	size_t field_count;
	int64_t length;                       /* of the body; -1: unknown */
	bool passed_on;                       /* it is another server's: no Date is added */
};

void visit_send_interim(struct visit *v, const struct visit_head *head); /* 1xx; not sent to HTTP/1.0. Before the head */
void visit_send_head(struct visit *v, const struct visit_head *head);
bool visit_has_head(const struct visit *v);
void visit_send(struct visit *v, struct str bytes);  /* of the body; dropped where there is none (HEAD, 204, 304) */
void visit_flush(struct visit *v);                   /* gives the kernel what it takes, at once; else httpd_run() does */
bool visit_is_full(const struct visit *v);           /* the client does not read: `room` follows */
void visit_end(struct visit *v, const struct response_header *trailers, size_t trailer_count); /* trailers are sent in chunks only */
void visit_break(struct visit *v, bool reset);       /* the response ends in the middle, in a way that the client notices */
/* A whole response: {"error":{"message":SENTENCE}}. */
void visit_refuse(struct visit *v, unsigned status, const char *sentence);

#endif
