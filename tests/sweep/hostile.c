/*
 * Preloaded into the helper that decodes images by tests/app/test_picture_helper.c: stands in the place of libpng, as code that an image
 * has brought in would. Tries what WEIR_VICTIM, the path of a file, allows to harm, and writes a line for each attempt that does not fail
 * with EPERM, then "tried".
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char victim[500], other[520];
static unsigned char page[4096] __attribute__((aligned(4096)));

#define CALL(name, ...) static long name(void) { return (long)(__VA_ARGS__); }

CALL(try_open, open(victim, O_RDONLY))
CALL(try_append, open(victim, O_WRONLY | O_APPEND))
CALL(try_create, open(other, O_WRONLY | O_CREAT, 0600))
CALL(try_unlink, unlink(victim))
CALL(try_rename, rename(victim, other))
CALL(try_link, link(victim, other))
CALL(try_chmod, chmod(victim, 0777))
CALL(try_truncate, truncate(victim, 0))
CALL(try_mkdir, mkdir(other, 0700))
CALL(try_chdir, chdir("/"))
CALL(try_stat, syscall(SYS_statfs, victim, page))
CALL(try_kill, kill(getppid(), 0))
CALL(try_signal, kill(getppid(), SIGURG))
CALL(try_socket, socket(AF_INET, SOCK_STREAM, 0))
CALL(try_local_socket, socket(AF_UNIX, SOCK_STREAM, 0))
CALL(try_connect, connect(0, (const struct sockaddr *)&(struct sockaddr_in){ .sin_family = AF_INET, .sin_port = 1 }, sizeof(struct sockaddr_in)))
CALL(try_fork, fork())
CALL(try_exec, execl("/bin/sh", "sh", "-c", "echo started", NULL))
CALL(try_ptrace, ptrace(PTRACE_TRACEME, 0, NULL, NULL))
CALL(try_memory_of_parent, syscall(SYS_process_vm_readv, getppid(), NULL, 0L, NULL, 0L, 0L))
CALL(try_ioctl, syscall(SYS_ioctl, 0, 0x5412UL /* TIOCSTI */, "x"))
CALL(try_duplicate, dup(0))
CALL(try_write_input, write(0, "x", 1))
CALL(try_write_errors, write(2, "x", 1))
CALL(try_read_output, read(1, page, 1))
CALL(try_limit, setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 100, 100 }))
CALL(try_code, mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0)
CALL(try_own_code, mprotect(page, sizeof page, PROT_READ | PROT_EXEC))

static const struct { const char *name; long (*call)(void); } tries[] = {
	{ "open", try_open }, { "append", try_append }, { "create", try_create }, { "unlink", try_unlink }, { "rename", try_rename },
	{ "link", try_link }, { "chmod", try_chmod }, { "truncate", try_truncate }, { "mkdir", try_mkdir }, { "chdir", try_chdir },
	{ "statfs", try_stat }, { "kill", try_kill }, { "signal", try_signal }, { "socket", try_socket }, { "local socket", try_local_socket },
	{ "connect", try_connect }, { "fork", try_fork }, { "exec", try_exec }, { "ptrace", try_ptrace },
	{ "memory of the parent", try_memory_of_parent }, { "ioctl", try_ioctl }, { "dup", try_duplicate }, { "write to input", try_write_input },
	{ "write to errors", try_write_errors }, { "read from output", try_read_output }, { "setrlimit", try_limit }, { "code", try_code },
	{ "own code", try_own_code },
};

int png_image_begin_read_from_memory(png_imagep image, png_const_voidp memory, size_t size)
{
	(void)image, (void)memory, (void)size;
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
		char line[100];
		long result = tries[i].call();
		int len = snprintf(line, sizeof line, "%s: %ld, %s\n", tries[i].name, result, result < 0 ? strerror(errno) : "done");

		if ((result >= 0 || errno != EPERM) && write(1, line, (size_t)len) != len)
			_exit(1);
	}
	_exit(write(1, "tried\n", 6) != 6);
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("WEIR_VICTIM");

	if (!path)
		return;
	snprintf(victim, sizeof victim, "%s", path);
	snprintf(other, sizeof other, "%s.other", victim);
}
