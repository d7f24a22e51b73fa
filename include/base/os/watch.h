/*
 * Waits for many connections at once.
 *
 * A watch has members: each is a descriptor with what is waited for, and an object of the caller's that its events name. On Linux it is an epoll,
 * and so one descriptor in poll(); in POSIX's form each member is. There a connection whose client closes its sending half does not wake who waits.
 */
#ifndef WEIR_BASE_OS_WATCH_H
#define WEIR_BASE_OS_WATCH_H

#include <poll.h>
#include <stddef.h>

#include "base/error.h"

#define WATCH_MOST 1001 /* members, and descriptors of watch_fds() */

/* WATCH_GONE: an error, or both halves are closed; it comes in any case. */
enum { WATCH_INPUT = 1, WATCH_OUTPUT = 2, WATCH_HALF_CLOSED = 4, WATCH_GONE = 8 };

struct watch_event { void *member; unsigned came; };

struct watch;

struct watch *watch_new(void); /* NULL with errno */
void watch_free(struct watch *watch); /* NULL is allowed */

/* `wanted` is a sum of the first three. False, with errno. */
MUST_USE bool watch_add(struct watch *watch, int fd, void *member, unsigned wanted);
MUST_USE bool watch_change(struct watch *watch, int fd, void *member, unsigned wanted);
void watch_remove(struct watch *watch, int fd); /* before it is closed */

/* For poll(), as many as there is room for: one is ready when watch_take() has an event. */
size_t watch_fds(const struct watch *watch, struct pollfd *fds, size_t room);

/* What has come, without waiting, for some members if it is for more than `most`. Returns the number of events. */
size_t watch_take(struct watch *watch, struct watch_event *events, size_t most);

#endif
