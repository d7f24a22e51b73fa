/*
 * Private definitions of the server, for httpd.c (creation and runs), httpd_peers.c (connections), httpd_visit.c (requests) and
 * httpd_answer.c (responses).
 */
#ifndef WEIR_NET_HTTPD_INSIDE_H
#define WEIR_NET_HTTPD_INSIDE_H

#include "net/chunk_reader.h"
#include "net/httpd.h"

struct httpd {
	const struct httpd_ops *ops;
	void *ctx;
	int listen_fd;
	struct watch *watch;      /* of the listener and the connections */
	int64_t now_ms;
	size_t held_bytes;        /* by all connections, at the start of the run, and what has been added since */

	struct peer *peers;
	size_t peer_count, peers_most;
	bool listening;           /* false: no room or no descriptor for another connection */
	int64_t listen_ms;        /* when accepting is tried again at the latest */
};

struct visit {
	struct peer *peer;
	void *answer;             /* NULL: none, or freed */
	unsigned minor;           /* of the request's HTTP/1.minor */
	bool is_head;             /* the method */
	bool keeps;               /* the connection is kept, as far as the request goes */

	bool is_chunked;
	uint64_t left;            /* of a body with a length */
	struct chunk_reader chunks;
	bool whole;               /* all of the request has come */
	struct buf body;          /* bytes of it that are not taken yet, behind those that are taken and kept */
	size_t body_taken;        /* how many of them are taken */
	bool keeps_body;          /* what is taken is kept */
	size_t kept_most;         /* the length of a body that is kept; else 0 */

	enum { VISIT_NO_HEAD, VISIT_EMPTY, VISIT_LENGTH, VISIT_CHUNKS, VISIT_TO_THE_END } framing; /* of the response */
	uint64_t length_left;
	bool full;                /* since `room` */
	bool over, broken, reset; /* the response is complete, or breaks off */
};

/* A connection. */
struct peer {
	struct peer *next;
	struct httpd *httpd;
	int fd;
	struct buf in, out;
	size_t head_seen, out_sent;
	bool visited;             /* `visit` is a request */
	struct visit visit;
	bool half_closed;         /* the client has closed its sending half: nothing more comes than what the kernel has */
	bool input_over;          /* that is read, too */
	bool gone;                /* broken, or closed by the client */
	bool lingers;             /* all is sent, and what still comes is discarded until the client closes, so that it gets the answer */
	unsigned watched, came;   /* as in base/os/watch.h */
	int64_t active_ms;        /* when it was opened or last active */
	int64_t look_ms;          /* when a half-closed connection is looked at again */
};

/* --- httpd_peers.c --- */

MUST_USE bool peers_listen(struct httpd *httpd, unsigned port);
void peers_run(struct httpd *httpd);                /* accepts, closes what is idle, and notes what came */
void peers_sweep(struct httpd *httpd);              /* frees those that are over */
int64_t peers_deadline(const struct httpd *httpd);
bool peer_wants_input(const struct peer *peer);
void peer_watch(struct peer *peer);                 /* tells the watch what the connection waits for */

/* --- httpd_visit.c --- */

void visit_run(struct peer *peer);                  /* sends, reads, and goes on to the next request */
bool visit_wants_input(const struct visit *v);
void visit_fini(struct visit *v);
size_t visit_waiting(const struct visit *v);        /* bytes that the kernel has not taken */
size_t visit_share(const struct visit *v);          /* bytes that a connection may hold in each direction */

#endif
