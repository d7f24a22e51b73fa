/*
 * Preloaded into the program by tests: the time of day jumps by years, back and forth, at each call. The monotonic clock is unchanged.
 */
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define YEAR_S (365 * 24 * 3600L)

static long jump_s(void)
{
	static unsigned looks;
	static const long jumps[] = { 0, YEAR_S, -YEAR_S, 10 * YEAR_S, -3600, 3600, -20 * YEAR_S };

	return jumps[looks++ % (sizeof jumps / sizeof *jumps)];
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int failed = (int)syscall(SYS_clock_gettime, clock, now);

	if (!failed && clock == CLOCK_REALTIME)
		now->tv_sec += jump_s();
	return failed;
}

time_t time(time_t *out)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (out)
		*out = now.tv_sec;
	return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec exact;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &exact);
	*now = (struct timeval){ exact.tv_sec, exact.tv_nsec / 1000 };
	return 0;
}
