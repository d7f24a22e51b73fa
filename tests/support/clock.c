#include "support/clock.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "net/source.h"

#define DESCRIPTORS_MOST 1024 /* the limit set by environment_clean() */

static int64_t ahead_ms;

void clock_turn(int64_t ms)
{
	ahead_ms += ms > 0 ? ms : 0;
}

int64_t clock_now_ms(void)
{
	return (int64_t)clock_precise_ms();
}

double clock_precise_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6 + (double)ahead_ms;
}

static bool is_connection(int fd)
{
	struct sockaddr_storage peer;
	socklen_t size = sizeof peer;

	return getpeername(fd, (struct sockaddr *)&peer, &size) == 0 && (peer.ss_family == AF_INET || peer.ss_family == AF_INET6);
}

/* Data that the other end has not received counts as unsent in the kernel. The end of a stream makes the other end readable. */
bool clock_is_safe_to_turn(void)
{
	for (int fd = 0; fd < DESCRIPTORS_MOST; fd++) {
		struct pollfd unread = { .fd = fd, .events = POLLIN };
		int unsent = 0;

		if (!is_connection(fd))
			continue;
		if (poll(&unread, 1, 0) != 0 || ioctl(fd, SIOCOUTQ, &unsent) != 0 || unsent != 0)
			return false;
	}
	return true;
}
