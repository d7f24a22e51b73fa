/*
 * Preloaded into the program by tests/app/test_sweep.c: makes the n-th call of one kind fail, or all calls from the n-th on.
 *
 *   WEIR_FAIL=malloc:17        the 17th allocation, whether ours, curl's or json-c's
 *   WEIR_FAIL=write:3:28       the 3rd write, with errno 28
 *   WEIR_FAIL=malloc:17:12:on  all allocations from the 17th on
 *
 * Creates the file WEIR_FAIL_CAME when the n-th call is reached. json-c's copies of keys are excluded: json-c 0.16 dereferences NULL
 * if such an allocation fails. base/json_parse detects the other failures that json-c does not report.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *ptr, size_t size);

static bool is_read, goes_on;
static char kind[16];
static long left;
static int failure;

/* Parses "kind:n[:errno[:on]]". Must not allocate. */
static void read_order(void)
{
	const char *order = getenv("WEIR_FAIL");
	size_t len;
	char *rest;

	is_read = true;
	if (!order)
		return;
	len = strcspn(order, ":");
	if (len >= sizeof kind || !order[len])
		return;
	memcpy(kind, order, len);
	left = strtol(order + len + 1, &rest, 10);
	failure = *rest == ':' ? (int)strtol(rest + 1, &rest, 10) : ENOMEM;
	goes_on = *rest == ':';
}

static bool fails(const char *what)
{
	const char *came;

	if (!is_read)
		read_order();
	if (strcmp(kind, what) != 0 || (left <= 0 && !goes_on) || --left > 0)
		return false;
	came = getenv("WEIR_FAIL_CAME");
	if (came && left == 0)
		syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, came, O_WRONLY | O_CREAT, 0600));
	errno = failure;
	return true;
}

static bool is_left_out(void *caller)
{
	Dl_info where;

	return !strcmp(kind, "malloc") && dladdr(caller, &where) && where.dli_fname && strstr(where.dli_fname, "libjson-c");
}

void *malloc(size_t size) { return fails("malloc") ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails("malloc") ? NULL : __libc_calloc(count, size); }
void *realloc(void *ptr, size_t size) { return fails("malloc") ? NULL : __libc_realloc(ptr, size); }

char *strdup(const char *text)
{
	bool none = !is_left_out(__builtin_return_address(0)) && fails("malloc");
	char *copy = none ? NULL : __libc_malloc(strlen(text) + 1);

	return copy ? strcpy(copy, text) : NULL;
}

ssize_t write(int fd, const void *bytes, size_t size) { return fails("write") ? -1 : syscall(SYS_write, fd, bytes, size); }
ssize_t read(int fd, void *bytes, size_t size) { return fails("read") ? -1 : syscall(SYS_read, fd, bytes, size); }
int socket(int domain, int type, int protocol) { return fails("socket") ? -1 : (int)syscall(SYS_socket, domain, type, protocol); }
int pipe2(int ends[2], int flags) { return fails("pipe2") ? -1 : (int)syscall(SYS_pipe2, ends, flags); }

ssize_t recv(int fd, void *bytes, size_t size, int flags)
{
	return fails("recv") ? -1 : syscall(SYS_recvfrom, fd, bytes, size, flags, NULL, NULL);
}

ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	return fails("send") ? -1 : syscall(SYS_sendto, fd, bytes, size, flags, NULL, 0);
}

static int do_open(int folder, const char *path, int flags, va_list args)
{
	int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;

	return fails("open") ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = do_open(AT_FDCWD, path, flags, args);
	va_end(args);
	return fd;
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = do_open(folder, path, flags, args);
	va_end(args);
	return fd;
}
