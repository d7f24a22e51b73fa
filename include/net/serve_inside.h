/*
 * Private definitions of the server, for serve.c (creation and runs), serve_peers.c (connections) and serve_visit.c (requests and
 * responses).
 */
#ifndef WEIR_NET_SERVE_INSIDE_H
#define WEIR_NET_SERVE_INSIDE_H

#include <microhttpd.h>

#include "net/serve.h"

/* Memory of a connection. Its write buffer is a part of this, which limits the size of a chunk. */
#define SERVE_MEMORY_BYTES ((size_t)128 << 10)

struct serve {
	struct MHD_Daemon *daemon;
	int listen_fd;            /* accepted by us: MHD stops accepting for good when it runs out of descriptors */
	int watch_fd;             /* an epoll of MHD's epoll, the listener, and the sockets that MHD does not poll */
	double speed;
	serve_choose *choose;
	serve_done *done;         /* NULL: nobody wants to know */
	serve_relay *relay;       /* NULL: tapes are played */
	void *ctx;
	struct fault fault;       /* for all requests */
	size_t turn;              /* number of requests so far */
	int64_t now_ms;
	bool unfinished;          /* more work is due at once */
	size_t sent_bytes;        /* in this run */
	size_t body_bytes;        /* of all requests whose bodies are being received */

	struct peer *peers;
	size_t peer_count, peers_most;
	bool listening;           /* false: no room or no descriptor for another connection */
	int64_t listen_ms;        /* when accepting is tried again at the latest */
};

/* A connection. */
struct peer {
	struct peer *next;
	struct serve *serve;
	struct MHD_Connection *connection;
	int fd;
	bool asking;              /* no complete request has arrived; waits for the client */
	bool suspended;           /* waits for us, until `due_ms` */
	bool left;                /* the client closed it while it was suspended */
	bool ended;               /* shut down by us; MHD has not noticed yet */
	int64_t due_ms;
	int64_t active_ms;        /* when it was opened or last active */
};

/* --- serve_peers.c --- */

MUST_USE bool peers_listen(struct serve *serve, unsigned port);
void peers_run(struct serve *serve);                      /* before MHD_run(): accepts, resumes and closes */
int64_t peers_deadline(const struct serve *serve);
int64_t peers_answer_deadline(const struct serve *serve);
void peers_resume_all(struct serve *serve);
void peers_notice(void *serve, struct MHD_Connection *connection, void **peer, enum MHD_ConnectionNotificationCode code); /* MHD's callback */
struct peer *peer_of(struct MHD_Connection *connection);
void peer_suspend(struct peer *peer, int64_t due_ms);
void peer_wake(struct peer *peer);                          /* resumes it in the next run */

/* --- serve_visit.c: MHD's callbacks --- */

void *visit_begin(void *serve, const char *uri, struct MHD_Connection *connection);
enum MHD_Result visit_request(void *serve, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *upload, size_t *upload_size, void **visit);
void visit_end(void *serve, struct MHD_Connection *connection, void **visit, enum MHD_RequestTerminationCode code);

#endif
