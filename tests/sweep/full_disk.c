/*
 * Preloaded into the program by tests/app/test_full_disk.c: while the file WEIR_FULL exists, the disk is full. Writing to a file below the
 * folder of WEIR_FULL fails, and none of them grows.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_full(int fd)
{
	const char *full = getenv("WEIR_FULL"), *slash = full ? strrchr(full, '/') : NULL;
	char link[40], path[512];
	ssize_t len;

	if (!slash || access(full, F_OK) != 0)
		return false;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof path);
	if (len <= slash - full || memcmp(path, full, (size_t)(slash + 1 - full)) != 0)
		return false;
	errno = ENOSPC;
	return true;
}

ssize_t write(int fd, const void *bytes, size_t size) { return is_full(fd) ? -1 : syscall(SYS_write, fd, bytes, size); }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) { return is_full(fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, size, at); }

int ftruncate64(int fd, off_t size)
{
	struct stat facts;
	bool grows = fstat(fd, &facts) == 0 && size > facts.st_size;

	return grows && is_full(fd) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}
