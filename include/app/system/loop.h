/*
 * The event loop: drives exchanges, model lists, the demo's server, the terminal and signals. It is the only place that sleeps.
 *
 * A member names the descriptors that it waits for and a deadline. Each turn sleeps once in http_wait() and then runs every member.
 * There is no periodic tick: without deadlines the loop sleeps until a descriptor is ready.
 */
#ifndef WEIR_APP_LOOP_H
#define WEIR_APP_LOOP_H

#include "base/os/watch.h"
#include "net/http.h"

#define LOOP_MEMBERS 27
#define LOOP_FDS (64 + WATCH_MOST) /* where a watch has one, 64 are enough */

struct loop_member {
	void *ctx;
	size_t (*fds)(void *ctx, struct pollfd *fds, size_t room);   /* sets fd and events; returns the number. NULL: no descriptors */
	int64_t (*deadline)(void *ctx);                              /* monotonic ms, or NO_DEADLINE. NULL: no deadline */
	void (*run)(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms); /* `fds`: its own descriptors with revents */
};

struct loop; /* heap */

struct loop *loop_new(struct http *http);
void loop_free(struct loop *loop);
void loop_add(struct loop *loop, const struct loop_member *member); /* members run in the order in which they were added */
void loop_remove(struct loop *loop, const void *ctx);
void loop_turn(struct loop *loop); /* sleeps once, then runs all members */

#endif
