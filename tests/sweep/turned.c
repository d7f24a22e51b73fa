/*
 * Preloaded into the program by tests (tests/support/turned.h): its monotonic clock is ahead of the kernel's, and what waits for a time that has
 * come by this clock waits no longer.
 *
 * WEIR_CLOCK is a file whose first 8 bytes are the milliseconds that the clock is ahead. The test changes them while the program runs. If it is
 * "skip" instead, the program is ahead by itself: where nothing has arrived, it skips the time that it would wait. That is for programs that wait for
 * nobody else, such as those that ask the demo. Without WEIR_CLOCK the clock is the kernel's.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS 5 /* how often a wait looks at the clock */

static _Atomic int64_t own_ms;
static _Atomic int64_t *ahead_ms = &own_ms;
static bool turns, skips;
static int (*next_poll)(struct pollfd *fds, nfds_t count, int timeout_ms);
static int (*next_clock_gettime)(clockid_t clock, struct timespec *now);

/* Also called by a program that is loaded before it knows its variables (ready.c). */
void turned_begin(void);
__attribute__((constructor)) void turned_begin(void)
{
	const char *path = getenv("WEIR_CLOCK");
	int fd;

	*(void **)&next_poll = dlsym(RTLD_NEXT, "poll");
	*(void **)&next_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
	turns = path != NULL;
	skips = path && !strcmp(path, "skip");
	if (!path || skips || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return;
	void *page = mmap(NULL, sizeof *ahead_ms, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (page != MAP_FAILED)
		ahead_ms = page;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int failed = next_clock_gettime ? next_clock_gettime(clock, now) : (int)syscall(SYS_clock_gettime, clock, now);
	int64_t ahead = *ahead_ms;

	if (failed || clock != CLOCK_MONOTONIC)
		return failed;
	now->tv_sec += (time_t)(ahead / 1000);
	now->tv_nsec += (long)(ahead % 1000) * 1000000;
	if (now->tv_nsec >= 1000000000) {
		now->tv_sec++;
		now->tv_nsec -= 1000000000;
	}
	return 0;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	int64_t end_ms = now_ms() + timeout_ms, left_ms = timeout_ms;
	int ready;

	if (timeout_ms <= 0 || !turns)
		return next_poll(fds, count, timeout_ms);
	do {
		int piece_ms = skips ? 0 : LOOK_MS;

		ready = next_poll(fds, count, left_ms < piece_ms ? (int)left_ms : piece_ms);
		left_ms = end_ms - now_ms();
		if (!ready && skips && left_ms > 0) {
			*ahead_ms += left_ms;
			left_ms = 0;
		}
	} while (!ready && left_ms > 0);
	return ready;
}

/* poll() of programs that are compiled with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t size);
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t size)
{
	if (size / sizeof *fds < count)
		abort();
	return poll(fds, count, timeout_ms);
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	int64_t ns = (int64_t)wanted->tv_sec * 1000000000 + wanted->tv_nsec;

	if (!turns)
		return (int)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, wanted, left);
	if (ns % 1000000)
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &(struct timespec){ .tv_nsec = ns % 1000000 }, NULL);
	return ns >= 1000000 && poll(NULL, 0, (int)(ns / 1000000)) < 0 ? -1 : 0;
}

int usleep(useconds_t us)
{
	return nanosleep(&(struct timespec){ .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L }, NULL);
}
