#include "support/ready.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "support/environment.h"
#include "support/preload.h"

static struct {
	pid_t owner; /* a fork of the runner has its own: children are the owner's */
	int fd;      /* -1: there is none */
	bool loads_all;
} ready = { .fd = -1 };

void ready_load_all(void)
{
	ready.loads_all = true;
}

/* A script that runs the program, as for valgrind, is started as it is. */
static bool is_program(const char *path)
{
	char magic[4] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = fd >= 0 && read(fd, magic, sizeof magic) == sizeof magic && !memcmp(magic, "\x7F" "ELF", sizeof magic);

	if (fd >= 0)
		close(fd);
	return is;
}

/* The clock that a test can turn is in it, too: it is the kernel's until a program is to have another. */
static void preload_into_waiting(const char *preload)
{
	const char *turned = preload_variable("turned");
	static char both[1100];

	snprintf(both, sizeof both, "%s%s%s", preload, turned ? ":" : "", turned ? strchr(turned, '=') + 1 : "");
	putenv(both);
}

static void become_waiting(const char *program, const char *preload, int socket)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	setenv(READY_VARIABLE, "1", 1);
	preload_into_waiting(preload);
	if (socket != READY_SOCKET)
		dup2(socket, READY_SOCKET);
	else
		fcntl(socket, F_SETFD, 0);
	close_range(READY_SOCKET + 1, ~0U, 0);
	execv(program, (char *[]){ (char *)(uintptr_t)program, NULL });
	_exit(126);
}

/* Other C libraries find the variables and what the kernel tells behind the arguments. */
#ifdef __GLIBC__
#define CAN_WAIT true
#else
#define CAN_WAIT false
#endif

static void begin(const char *program)
{
	const char *preload = CAN_WAIT ? preload_variable("ready") : NULL;
	int ends[2];

	if (ready.fd >= 0)
		close(ready.fd);
	ready.fd = -1;
	ready.owner = getpid();
	if (!preload || !is_program(program) || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return;
	ready.fd = ends[0];
	pid_t waiting = fork();
	if (waiting == 0)
		become_waiting(program, preload, ends[1]);
	close(ends[1]);
}

static bool add_strings(struct buf *out, const char *const *strings, uint32_t *count)
{
	bool fit = true;

	for (*count = 0; strings[*count]; ++*count)
		fit &= buf_add(out, str_of(strings[*count], strlen(strings[*count]) + 1));
	return fit && *count <= READY_LISTED_MOST;
}

static pid_t ask(struct str request, const int *descriptors, unsigned count)
{
	union { struct cmsghdr header; char bytes[CMSG_SPACE(3 * sizeof(int))]; } rights = { .bytes = "" };
	struct iovec part = { (char *)(uintptr_t)request.ptr, request.len };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = CMSG_SPACE(count * sizeof(int)) };
	int32_t child = 0;

	rights.header.cmsg_level = SOL_SOCKET;
	rights.header.cmsg_type = SCM_RIGHTS;
	rights.header.cmsg_len = CMSG_LEN(count * sizeof(int));
	memcpy(CMSG_DATA(&rights.header), descriptors, count * sizeof(int));
	if (sendmsg(ready.fd, &message, MSG_NOSIGNAL) < 0 || recv(ready.fd, &child, sizeof child, 0) != sizeof child || child <= 0)
		return 0;
	return child;
}

pid_t ready_start(const char *program, const char *const *arguments, const char *home, const char *const *more, const int *descriptors, unsigned count)
{
	const char *variables[READY_LISTED_MOST + 1];
	struct ready_request head = { 0 };
	struct buf request;
	pid_t child = 0;

	if (ready.loads_all)
		return 0;
	if (ready.owner != getpid())
		begin(program);
	if (ready.fd < 0 || !environment_list_of_child(home, more, variables, READY_LISTED_MOST))
		return 0;
	buf_init(&request, READY_BYTES_MOST);
	buf_add(&request, str_of((const char *)&head, sizeof head)); /* its place */
	if (add_strings(&request, arguments, &head.arguments) && add_strings(&request, variables, &head.variables)) {
		memcpy(request.ptr, &head, sizeof head);
		child = ask(buf_str(&request), descriptors, count);
	}
	buf_fini(&request);
	return child;
}
