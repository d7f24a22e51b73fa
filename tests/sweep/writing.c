/*
 * Preloaded into the program by tests/app/test_taping.c: records the writes to tapes and to the user's output in their order.
 *
 * The file WEIR_JOURNAL gets a record for each write: "T" (a file *.tape) or "O" (standard output or a terminal), the length, LF, the
 * bytes.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static ssize_t do_write(int fd, const void *bytes, size_t size)
{
	return syscall(SYS_write, fd, bytes, size);
}

static bool is_tape(int fd)
{
	char name[64], path[512];
	ssize_t len;

	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	len = readlink(name, path, sizeof path);
	return len > 5 && !memcmp(path + len - 5, ".tape", 5);
}

static void note(char kind, const void *bytes, size_t size)
{
	static int journal = -1;
	const char *path = getenv("WEIR_JOURNAL");
	char head[40];
	int len = snprintf(head, sizeof head, "%c %zu\n", kind, size);

	if (journal < 0 && path)
		journal = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (do_write(journal, head, (size_t)len) < 0 || do_write(journal, bytes, size) < 0)
		journal = -1;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	ssize_t written = do_write(fd, bytes, size);

	if (written > 0 && (fd == STDOUT_FILENO || isatty(fd)))
		note('O', bytes, (size_t)written);
	else if (written > 0 && is_tape(fd))
		note('T', bytes, (size_t)written);
	return written;
}
