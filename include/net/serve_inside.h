/*
 * The inside of the server, for serve.c (its life), serve_peers.c (connections), serve_visit.c (requests and answers) and nobody else.
 */
#ifndef WEIR_NET_SERVE_INSIDE_H
#define WEIR_NET_SERVE_INSIDE_H

#include <microhttpd.h>

#include "net/serve.h"

/* The write buffer is a part of it: a chunk may be about as large. */
#define SERVE_MEMORY_BYTES ((size_t)128 << 10)

struct serve {
	struct MHD_Daemon *daemon;
	int listen_fd;            /* ours: MHD stops accepting for ever when it runs out of descriptors */
	int watch_fd;             /* an epoll of MHD's own, of the listener, and of the sockets that MHD does not look at */
	double speed;
	serve_choose *choose;
	void *ctx;
	struct fault fault;       /* that was ordered for all requests */
	size_t turn;              /* requests so far */
	int64_t now_ms;
	bool unfinished;          /* there is more to do at once */
	size_t sent_bytes;        /* by this run */
	size_t body_bytes;        /* of all requests whose bodies are coming in */

	struct peer *peers;
	size_t peer_count, peers_most;
	bool listening;           /* false: there is no room, or no descriptor, for one more */
	int64_t listen_ms;        /* when that is tried again at the latest */
};

/* A connection. */
struct peer {
	struct peer *next;
	struct serve *serve;
	struct MHD_Connection *connection;
	int fd;
	bool asking;              /* no whole request is there: the next move is the client's */
	bool suspended;           /* the next move is ours, at `due_ms` */
	bool left;                /* the client closed it while it was suspended */
	bool ended;               /* we have ended it; MHD has not noticed yet */
	int64_t due_ms;
	int64_t active_ms;        /* it was opened, or last moved */
};

/* --- serve_peers.c --- */

MUST_USE bool peers_listen(struct serve *serve, unsigned port);
void peers_run(struct serve *serve);                      /* before MHD's turn: accepts, resumes, ends */
int64_t peers_deadline(const struct serve *serve);
int64_t peers_answer_deadline(const struct serve *serve);
void peers_resume_all(struct serve *serve);
void peers_notice(void *serve, struct MHD_Connection *connection, void **peer, enum MHD_ConnectionNotificationCode code); /* MHD's callback */
struct peer *peer_of(struct MHD_Connection *connection);
void peer_suspend(struct peer *peer, int64_t due_ms);

/* --- serve_visit.c: MHD's callbacks --- */

void *visit_begin(void *serve, const char *uri, struct MHD_Connection *connection);
enum MHD_Result visit_request(void *serve, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *upload, size_t *upload_size, void **visit);
void visit_end(void *serve, struct MHD_Connection *connection, void **visit, enum MHD_RequestTerminationCode code);

#endif
