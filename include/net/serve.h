/*
 * A server of saved streams over HTTP on loopback, with their own timing: `weir serve`, the demo provider, the tests.
 *
 * No thread: its epoll descriptor is in the loop's poll set, and a connection is suspended until its next piece is due.
 * A tape that ends in `cut` is cut off on the wire too; `stalled` stays open and silent until the client leaves.
 *
 * Every resource has an end. An answer is made piece by piece, and one serve_run() does no more than a few megabytes of work. A
 * connection on which no whole request arrives ends after SERVE_IDLE_MS. At most half of the descriptors that the process may have are
 * connections; when there is no room, or no descriptor, for one more, the one that is idle for the longest gives way, once it has been
 * for SERVE_GRACE_MS, and the next is accepted as soon as there is room.
 *
 * Only requests to a loopback host are answered (421 else): a web page whose name was made to lead here gets nothing, and no answer
 * has a header that lets pages of other origins read it.
 */
#ifndef WEIR_NET_SERVE_H
#define WEIR_NET_SERVE_H

#include "net/fault.h"
#include "net/tape.h"

#define SERVE_IDLE_MS 30000
#define SERVE_GRACE_MS 1000

struct serve; /* heap */

/* What came in, borrowed for the call. */
struct serve_request {
	struct str method;
	struct str path;      /* with its query */
	struct str body;
};

/* Chooses what answers a request: a tape that outlives the connection. NULL: 404 with a JSON error. */
typedef const struct tape *serve_choose(void *ctx, const struct serve_request *request);

/* `port` 0: any. `speed` as in tape_player_new(). */
MUST_USE bool serve_open(struct serve **serve, unsigned port, double speed, serve_choose *choose, void *ctx, struct error *err);
void serve_free(struct serve *serve);
/* From now on everything that is served has this fault, but for requests that order one themselves, in this header. */
void serve_order(struct serve *serve, const struct fault *fault);
#define SERVE_FAULT_HEADER "x-weir-fault"
unsigned serve_port(const struct serve *serve);
int serve_fd(const struct serve *serve);             /* readable when serve_run() has work */
int64_t serve_deadline(const struct serve *serve);   /* monotonic ms, NO_DEADLINE for never */
/* When the next piece of an answer is due, whatever else the server waits for; NO_DEADLINE: no piece waits for its time. */
int64_t serve_answer_deadline(const struct serve *serve);
void serve_run(struct serve *serve, int64_t now_ms);

#endif
