/*
 * Preloaded into the program: each sync of a file to the disk takes WEIR_SYNC_MS longer (tests/bench/bench_history.c), or as long as the file
 * WEIR_SYNC_WAITS exists (tests/app/test_trouble_disk.c, test_trouble_repair.c).
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS 5000000

static void wait_for_disk(void)
{
	const char *ms = getenv("WEIR_SYNC_MS"), *waits = getenv("WEIR_SYNC_WAITS");
	long long wait_ms = ms ? atoll(ms) : 0;

	while (waits && access(waits, F_OK) == 0)
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
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
