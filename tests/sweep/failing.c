/*
 * Preloaded into the program by tests/app/test_sweep.c: makes the n-th call of one kind fail, or all calls from the n-th on.
 *
 *   WEIR_FAIL=malloc:17        the 17th allocation, whether ours, curl's or json-c's
 *   WEIR_FAIL=write:3:28       the 3rd write, with errno 28
 *   WEIR_FAIL=malloc:17:12:on  all allocations from the 17th on
 *   WEIR_FAIL=file:5:28        the 5th call that opens, reads, writes, locks, maps, syncs, names or asks about a file
 *   WEIR_FAIL=store:5:28       the 5th of those calls on what is below the folder WEIR_FAIL_STORE
 *
 * Creates the file WEIR_FAIL_CAME when the n-th call is reached.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
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

static bool fails_as(const char *what, const char *or_as)
{
	const char *came;

	if (!is_read)
		read_order();
	if ((strcmp(kind, what) != 0 && strcmp(kind, or_as) != 0) || (left <= 0 && !goes_on) || --left > 0)
		return false;
	came = getenv("WEIR_FAIL_CAME");
	if (came && left == 0)
		syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, came, O_WRONLY | O_CREAT, 0600));
	errno = failure;
	return true;
}

static bool fails(const char *what)
{
	return fails_as(what, what);
}

/* Names the kind of a call on a file; `path`: NULL, or in the folder `fd`. */
static const char *kind_of_file(int fd, const char *path)
{
	const char *store = getenv("WEIR_FAIL_STORE");
	char link[40], place[512];
	ssize_t len;

	if (!store)
		return "file";
	if (path && *path == '/')
		return strncmp(path, store, strlen(store)) ? "another file" : "store";
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	len = syscall(SYS_readlinkat, AT_FDCWD, link, place, sizeof place);
	return len < (ssize_t)strlen(store) || memcmp(place, store, strlen(store)) != 0 ? "another file" : "store";
}

void *malloc(size_t size) { return fails("malloc") ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails("malloc") ? NULL : __libc_calloc(count, size); }
void *realloc(void *ptr, size_t size) { return fails("malloc") ? NULL : __libc_realloc(ptr, size); }

char *strdup(const char *text)
{
	char *copy = fails("malloc") ? NULL : __libc_malloc(strlen(text) + 1);

	return copy ? strcpy(copy, text) : NULL;
}

ssize_t write(int fd, const void *bytes, size_t size) { return fails_as("write", kind_of_file(fd, NULL)) ? -1 : syscall(SYS_write, fd, bytes, size); }
ssize_t read(int fd, void *bytes, size_t size) { return fails_as("read", kind_of_file(fd, NULL)) ? -1 : syscall(SYS_read, fd, bytes, size); }
int socket(int domain, int type, int protocol) { return fails("socket") ? -1 : (int)syscall(SYS_socket, domain, type, protocol); }
int pipe2(int ends[2], int flags) { return fails("pipe2") ? -1 : (int)syscall(SYS_pipe2, ends, flags); }
int pipe(int ends[2]) { return pipe2(ends, 0); }

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

	return fails_as("open", kind_of_file(folder, path)) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

/* The names of libc, which take the mode as `...`. */
#define OPEN(folder) do { \
		va_list args; \
		int fd; \
		va_start(args, flags); \
		fd = do_open(folder, path, flags, args); \
		va_end(args); \
		return fd; \
	} while (0)

int open(const char *path, int flags, ...) { OPEN(AT_FDCWD); }
int open64(const char *path, int flags, ...) { OPEN(AT_FDCWD); }
int openat(int folder, const char *path, int flags, ...) { OPEN(folder); }
int openat64(int folder, const char *path, int flags, ...) { OPEN(folder); }

/* --- what else SQLite and the store call --- */

static long file_call(const char *what, long number, long a, long b, long c, long d)
{
	return fails(what) ? -1 : syscall(number, a, b, c, d);
}

#define PTR(p) ((long)(p))
#define ON(fd, number, ...) file_call(kind_of_file((fd), NULL), number, fd, __VA_ARGS__)
#define IN(folder, path, number, ...) file_call(kind_of_file((folder), (path)), number, folder, PTR(path), __VA_ARGS__)

ssize_t pread(int fd, void *bytes, size_t size, off_t at) { return ON(fd, SYS_pread64, PTR(bytes), (long)size, at); }
ssize_t pread64(int fd, void *bytes, size_t size, off_t at) { return ON(fd, SYS_pread64, PTR(bytes), (long)size, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) { return ON(fd, SYS_pwrite64, PTR(bytes), (long)size, at); }
int ftruncate64(int fd, off_t size) { return (int)ON(fd, SYS_ftruncate, size, 0, 0); }
int fsync(int fd) { return (int)ON(fd, SYS_fsync, 0, 0, 0); }
int fdatasync(int fd) { return (int)ON(fd, SYS_fdatasync, 0, 0, 0); }
int fchmod(int fd, mode_t mode) { return (int)ON(fd, SYS_fchmod, mode, 0, 0); }
int flock(int fd, int how) { return (int)ON(fd, SYS_flock, how, 0, 0); }
int mkdirat(int folder, const char *path, mode_t mode) { return (int)IN(folder, path, SYS_mkdirat, mode, 0); }
int unlink(const char *path) { return (int)IN(AT_FDCWD, path, SYS_unlinkat, 0, 0); }
int unlinkat(int folder, const char *path, int flags) { return (int)IN(folder, path, SYS_unlinkat, flags, 0); }
int access(const char *path, int mode) { return (int)IN(AT_FDCWD, path, SYS_faccessat, mode, 0); }

int renameat(int from, const char *old, int to, const char *new)
{
	return (int)file_call(kind_of_file(from, old), SYS_renameat, from, PTR(old), to, PTR(new));
}

static int stat_call(int folder, const char *path, void *facts, int flags)
{
	return (int)file_call(kind_of_file(folder, *path ? path : NULL), SYS_newfstatat, folder, PTR(path), PTR(facts), flags);
}

int stat(const char *restrict path, struct stat *restrict facts) { return stat_call(AT_FDCWD, path, facts, 0); }
int stat64(const char *restrict path, struct stat64 *restrict facts) { return stat_call(AT_FDCWD, path, facts, 0); }
int lstat64(const char *restrict path, struct stat64 *restrict facts) { return stat_call(AT_FDCWD, path, facts, AT_SYMLINK_NOFOLLOW); }
int fstat(int fd, struct stat *facts) { return stat_call(fd, "", facts, AT_EMPTY_PATH); }
int fstat64(int fd, struct stat64 *facts) { return stat_call(fd, "", facts, AT_EMPTY_PATH); }
int fstatat(int folder, const char *restrict path, struct stat *restrict facts, int flags) { return stat_call(folder, path, facts, flags); }
int fstatat64(int folder, const char *restrict path, struct stat64 *restrict facts, int flags) { return stat_call(folder, path, facts, flags); }

int fcntl64(int fd, int command, ...)
{
	va_list args;
	long value;

	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	return (int)ON(fd, SYS_fcntl, command, value, 0);
}

void *mmap64(void *at, size_t size, int rights, int flags, int fd, off_t offset)
{
	bool failed = fd >= 0 && fails(kind_of_file(fd, NULL));

	return failed ? MAP_FAILED : (void *)syscall(SYS_mmap, at, size, rights, flags, fd, offset); /* NOLINT: the kernel gives a number */
}
