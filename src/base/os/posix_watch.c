#include "base/os/watch.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/least.h"
#include "base/mem.h"

struct watch {
	struct pollfd fds[WATCH_MOST];
	struct watched { void *member; unsigned wanted; } watched[WATCH_MOST];
	size_t count;
	size_t first; /* whose event is taken first: where the last ones that were taken ended */
};

struct watch *watch_new(void)
{
	return mem_new(sizeof(struct watch));
}

void watch_free(struct watch *watch)
{
	mem_free(watch);
}

/* `count`: it is no member. */
static size_t watch_find(const struct watch *watch, int fd)
{
	size_t i = 0;

	while (i < watch->count && watch->fds[i].fd != fd)
		i++;
	return i;
}

static void watch_set(struct watch *watch, size_t at, int fd, void *member, unsigned wanted)
{
	short events = (short)((wanted & WATCH_INPUT ? POLLIN : 0) | (wanted & WATCH_OUTPUT ? POLLOUT : 0));

	watch->fds[at] = (struct pollfd){ .fd = fd, .events = events };
	watch->watched[at] = (struct watched){ member, wanted };
}

bool watch_add(struct watch *watch, int fd, void *member, unsigned wanted)
{
	errno = ENOSPC;
	if (watch->count == WATCH_MOST)
		return false;
	watch_set(watch, watch->count++, fd, member, wanted);
	return true;
}

bool watch_change(struct watch *watch, int fd, void *member, unsigned wanted)
{
	size_t at = watch_find(watch, fd);

	errno = ENOENT;
	if (at == watch->count)
		return false;
	watch_set(watch, at, fd, member, wanted);
	return true;
}

void watch_remove(struct watch *watch, int fd)
{
	size_t at = watch_find(watch, fd);

	if (at == watch->count)
		return;
	watch->count--;
	watch->fds[at] = watch->fds[watch->count];
	watch->watched[at] = watch->watched[watch->count];
}

size_t watch_fds(const struct watch *watch, struct pollfd *fds, size_t room)
{
	size_t count = least_size(room, watch->count);

	memcpy(fds, watch->fds, count * sizeof *fds);
	return count;
}

/* Where it is not waited for input, which may be there already, nothing else tells that no more comes. */
static bool is_half_closed(const struct pollfd *fd, unsigned wanted)
{
	char byte;

	return (wanted & WATCH_HALF_CLOSED) && (!(fd->events & POLLIN) || (fd->revents & POLLIN)) && recv(fd->fd, &byte, 1, MSG_PEEK) == 0;
}

static unsigned watch_came(const struct pollfd *fd, unsigned wanted)
{
	return (fd->revents & POLLIN ? WATCH_INPUT : 0u) | (fd->revents & POLLOUT ? WATCH_OUTPUT : 0u) |
	       (fd->revents & (POLLERR | POLLHUP) ? WATCH_GONE : 0u) | (is_half_closed(fd, wanted) ? WATCH_HALF_CLOSED : 0u);
}

size_t watch_take(struct watch *watch, struct watch_event *events, size_t most)
{
	size_t taken = 0, i;

	if (poll(watch->fds, (nfds_t)watch->count, 0) < 0)
		return 0;
	for (i = 0; i < watch->count && taken < most; i++) {
		size_t at = (watch->first + i) % watch->count;
		unsigned came = watch_came(&watch->fds[at], watch->watched[at].wanted);

		if (came)
			events[taken++] = (struct watch_event){ watch->watched[at].member, came };
	}
	watch->first = watch->count ? (watch->first + i) % watch->count : 0;
	return taken;
}
