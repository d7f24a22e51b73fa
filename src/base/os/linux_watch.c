#include "base/os/watch.h"

#include <sys/epoll.h>
#include <unistd.h>

#include "base/array.h"
#include "base/least.h"
#include "base/mem.h"

#define TAKEN_MOST 64 /* at once */

struct watch { int fd; };

struct watch *watch_new(void)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);
	struct watch *watch = fd >= 0 ? mem_new(sizeof *watch) : NULL;

	if (watch)
		watch->fd = fd;
	return watch;
}

void watch_free(struct watch *watch)
{
	if (watch)
		close(watch->fd);
	mem_free(watch);
}

/* Of epoll, and what they are here. */
static const struct { unsigned kernel, ours; } bits[] = {
	{ EPOLLIN, WATCH_INPUT }, { EPOLLOUT, WATCH_OUTPUT }, { EPOLLRDHUP, WATCH_HALF_CLOSED }, { EPOLLERR | EPOLLHUP, WATCH_GONE },
};

static bool watch_control(struct watch *watch, int action, int fd, void *member, unsigned wanted)
{
	struct epoll_event event = { .data.ptr = member };

	for (size_t i = 0; i < ARRAY_LEN(bits); i++)
		event.events |= wanted & bits[i].ours ? bits[i].kernel : 0;
	return epoll_ctl(watch->fd, action, fd, &event) == 0;
}

bool watch_add(struct watch *watch, int fd, void *member, unsigned wanted)
{
	return watch_control(watch, EPOLL_CTL_ADD, fd, member, wanted);
}

bool watch_change(struct watch *watch, int fd, void *member, unsigned wanted)
{
	return watch_control(watch, EPOLL_CTL_MOD, fd, member, wanted);
}

void watch_remove(struct watch *watch, int fd)
{
	epoll_ctl(watch->fd, EPOLL_CTL_DEL, fd, NULL);
}

size_t watch_fds(const struct watch *watch, struct pollfd *fds, size_t room)
{
	if (!room)
		return 0;
	fds[0] = (struct pollfd){ .fd = watch->fd, .events = POLLIN };
	return 1;
}

size_t watch_take(struct watch *watch, struct watch_event *events, size_t most)
{
	struct epoll_event came[TAKEN_MOST];
	int count = epoll_wait(watch->fd, came, (int)least_size(most, TAKEN_MOST), 0);

	for (int i = 0; i < count; i++) {
		events[i] = (struct watch_event){ came[i].data.ptr, 0 };
		for (size_t k = 0; k < ARRAY_LEN(bits); k++)
			events[i].came |= came[i].events & bits[k].kernel ? bits[k].ours : 0;
	}
	return count > 0 ? (size_t)count : 0;
}
