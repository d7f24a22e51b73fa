/*
 * A loopback HTTP server (net/httpd.h) of saved streams with their own timing, for `weir serve`, the demo provider and tests.
 *
 * A tape that ends in `cut` breaks the connection; one that ends in `stalled` leaves it open and silent until the client closes it. A
 * response is made in pieces, and one serve_run() processes a few megabytes at most. The bodies of all requests together may have 64 MB.
 */
#ifndef WEIR_NET_SERVE_H
#define WEIR_NET_SERVE_H

#include "base/os/watch.h"
#include "net/fault.h"
#include "net/tape.h"

struct serve; /* heap */

/* A request, borrowed for the call. */
struct serve_request {
	struct str method;
	struct str path;      /* with its query */
	struct str body;
};

/* Chooses the tape that answers a request. The tape must outlive the answer. NULL: 404 with a JSON error. */
typedef const struct tape *serve_choose(void *ctx, const struct serve_request *request);

/* `port` 0: any free port. `speed` as in tape_player_new(). */
MUST_USE bool serve_open(struct serve **serve, unsigned port, double speed, serve_choose *choose, void *ctx, struct error *err);
void serve_free(struct serve *serve);
/* Calls back when the answer with a tape that `choose` gave is over, for tapes made for one answer. */
typedef void serve_done(void *ctx, const struct tape *tape);
void serve_set_done(struct serve *serve, serve_done *done);
/* Applies this fault to all responses from now on, also from within `choose`, except to requests that specify one in SERVE_FAULT_HEADER. */
void serve_set_fault(struct serve *serve, const struct fault *fault);
#define SERVE_FAULT_HEADER "x-weir-fault"
unsigned serve_port(const struct serve *serve);
size_t serve_fds(const struct serve *serve, struct pollfd *fds, size_t room); /* ready when serve_run() has work; WATCH_MOST at most */
int64_t serve_deadline(const struct serve *serve);   /* monotonic ms; NO_DEADLINE: none */
/* When the next piece of a response is due, ignoring other deadlines of the server; NO_DEADLINE: none. */
int64_t serve_answer_deadline(const struct serve *serve);
void serve_run(struct serve *serve, int64_t now_ms);

#endif
