/*
 * A loopback HTTP server: of saved streams with their own timing, for `weir serve`, the demo provider and tests, or a relay, for
 * `weir proxy`.
 *
 * It uses no thread: its epoll descriptor is in the loop's poll set, and a connection is suspended until its next piece is due. A tape
 * that ends in `cut` breaks the connection; one that ends in `stalled` leaves it open and silent until the client closes it.
 *
 * All resources are limited. A response is made in pieces, and one serve_run() processes a few megabytes at most. A connection without a
 * complete request is closed after SERVE_IDLE_MS. Connections use at most half of the process's descriptors. When there is no room or no
 * descriptor for a new one, the connection that has been idle longest is closed, once it has been idle for SERVE_GRACE_MS; the new one is
 * accepted as soon as there is room.
 *
 * Only requests to a loopback host are answered (others get 421), which defeats DNS rebinding. No response has a header that lets pages of
 * other origins read it.
 */
#ifndef WEIR_NET_SERVE_H
#define WEIR_NET_SERVE_H

#include "net/fault.h"
#include "net/tape.h"

#define SERVE_IDLE_MS 30000
#define SERVE_GRACE_MS 1000

struct serve; /* heap */

/* A request, borrowed for the call. */
struct serve_request {
	struct str method;
	struct str path;      /* with its query */
	struct str body;
	const struct response_header *headers; /* as sent; names in any case */
	size_t header_count;
};

/* Chooses the tape that answers a request. The tape must outlive the answer. NULL: 404 with a JSON error. */
typedef const struct tape *serve_choose(void *ctx, const struct serve_request *request);

/*
 * Starts a source that answers a request, instead of a tape. Its callbacks come later, at any time. The server frees it, also when the
 * client leaves. NULL: 502 with the error. An end without a head is 502 too, with its detail.
 */
typedef struct source *serve_relay(void *ctx, const struct serve_request *request, const struct source_sink *sink, struct error *err);

/* `port` 0: any free port. `speed` as in tape_player_new(). */
MUST_USE bool serve_open(struct serve **serve, unsigned port, double speed, serve_choose *choose, void *ctx, struct error *err);
void serve_free(struct serve *serve);
/* Calls back when the answer with a tape that `choose` gave is over, for tapes made for one answer. */
typedef void serve_done(void *ctx, const struct tape *tape);
void serve_set_done(struct serve *serve, serve_done *done);
void serve_set_relay(struct serve *serve, serve_relay *relay); /* before the first run; its `ctx` is that of `choose`, which is not called */
/* Applies this fault to all responses from now on, also from within `choose`, except to requests that specify one in SERVE_FAULT_HEADER. */
void serve_set_fault(struct serve *serve, const struct fault *fault);
#define SERVE_FAULT_HEADER "x-weir-fault"
unsigned serve_port(const struct serve *serve);
int serve_fd(const struct serve *serve);             /* readable when serve_run() has work */
int64_t serve_deadline(const struct serve *serve);   /* monotonic ms; NO_DEADLINE: none */
/* When the next piece of a response is due, ignoring other deadlines of the server; NO_DEADLINE: none. */
int64_t serve_answer_deadline(const struct serve *serve);
void serve_run(struct serve *serve, int64_t now_ms);

#endif
