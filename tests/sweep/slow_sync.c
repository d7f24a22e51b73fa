/* Preloaded into the program by tests/bench/bench_history.c: each sync of a file to the disk takes WEIR_SYNC_MS longer. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait_for_disk(void)
{
	const char *ms = getenv("WEIR_SYNC_MS");
	long long wait_ms = ms ? atoll(ms) : 0;

	nanosleep(&(struct timespec){ .tv_sec = wait_ms / 1000, .tv_nsec = wait_ms % 1000 * 1000000 }, NULL);
}

int fsync(int fd)
{
	wait_for_disk();
	return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	wait_for_disk();
	return (int)syscall(SYS_fdatasync, fd);
}
