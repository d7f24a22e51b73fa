/*
 * The loop: the one place that sleeps drives everything alike - exchanges, model lists, the demo's server, terminal, signals.
 *
 * A member says which descriptors it waits for and when it wants to run at the latest; every turn sleeps once in
 * http_wait() and runs every member. Nothing runs on a tick: without a deadline the loop sleeps until something happens.
 */
#ifndef WEIR_APP_LOOP_H
#define WEIR_APP_LOOP_H

#include "net/http.h"

#define LOOP_MEMBERS 12
#define LOOP_FDS 16

struct loop_member {
	void *ctx;
	size_t (*fds)(void *ctx, struct pollfd *fds, size_t room);   /* NULL: none. Sets fd and events; returns how many */
	int64_t (*deadline)(void *ctx);                              /* NULL: never. Monotonic ms; NO_DEADLINE for never */
	void (*run)(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms); /* its own descriptors, revents set */
};

struct loop; /* heap */

struct loop *loop_new(struct http *http);
void loop_free(struct loop *loop);
void loop_add(struct loop *loop, const struct loop_member *member); /* run in the order of adding */
void loop_remove(struct loop *loop, const void *ctx);
void loop_turn(struct loop *loop); /* sleeps once, then runs all */

#endif
