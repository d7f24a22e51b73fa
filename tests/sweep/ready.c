/*
 * Preloaded into a program that waits before its main() for what it is to be (tests/support/ready.h): for each request a copy of it, which is a child
 * of whoever started it, goes on into main(). Where the kernel cannot make such a copy, the answer is -1.
 */
#include "../support/ready.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DESCRIPTORS_MOST 3

typedef int main_function(int argc, char **argv, char **variables);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*end)(void), void *stack);

start_function __libc_start_main;

static struct {
	char bytes[READY_BYTES_MOST];
	char *arguments[READY_LISTED_MOST + 1], *variables[READY_LISTED_MOST + 1];
	int descriptors[DESCRIPTORS_MOST];
	size_t descriptor_count;
	int argument_count;
} wanted;

static char *list(char **strings, uint32_t count, char *at)
{
	for (uint32_t i = 0; i < count; i++) {
		strings[i] = at;
		at += strlen(at) + 1;
	}
	strings[count] = NULL;
	return at;
}

/* False: the other side is gone. */
static int receive(void)
{
	union { struct cmsghdr header; char bytes[CMSG_SPACE(DESCRIPTORS_MOST * sizeof(int))]; } rights;
	struct iovec part = { wanted.bytes, sizeof wanted.bytes };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights };
	struct ready_request head;
	static size_t filled;
	ssize_t n;

	memset(wanted.bytes, 0, filled); /* tests search the memory of their programs */
	do
		n = recvmsg(READY_SOCKET, &message, 0);
	while (n < 0 && errno == EINTR);
	if (n < (ssize_t)sizeof head || message.msg_controllen < sizeof rights.header)
		return 0;
	filled = (size_t)n;
	wanted.descriptor_count = (rights.header.cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(wanted.descriptors, CMSG_DATA(&rights.header), wanted.descriptor_count * sizeof(int));
	memcpy(&head, wanted.bytes, sizeof head);
	list(wanted.variables, head.variables, list(wanted.arguments, head.arguments, wanted.bytes + sizeof head));
	wanted.argument_count = (int)head.arguments;
	return 1;
}

/* A copy of this process, with the same parent. The C library keeps the thread's id where the kernel is told to write it. */
static pid_t copy_beside(void)
{
	static void *id_place;
	struct clone_args how = { .flags = CLONE_PARENT };

	if (!id_place)
		(void)prctl(PR_GET_TID_ADDRESS, &id_place);
	if (id_place) {
		how.flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
		how.child_tid = (uintptr_t)id_place;
	}
	return (pid_t)syscall(SYS_clone3, &how, sizeof how);
}

static void close_received(void)
{
	for (size_t i = 0; i < wanted.descriptor_count; i++)
		close(wanted.descriptors[i]);
}

/* Received descriptors have numbers behind those of this process, which has the standard ones. */
static void take_descriptors(void)
{
	int has_terminal = wanted.descriptor_count == 1;

	close(READY_SOCKET);
	if (has_terminal) {
		setsid();
		ioctl(wanted.descriptors[0], TIOCSCTTY, 0);
	}
	for (size_t i = 0; i < 3; i++)
		dup2(wanted.descriptors[has_terminal ? 0 : i], (int)i);
	close_received();
}

/* Returns in the copies. */
static void wait_for_requests(void)
{
	while (receive()) {
		int32_t child = copy_beside();

		if (child == 0)
			return;
		close_received();
		if (send(READY_SOCKET, &child, sizeof child, MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*end)(void), void *stack)
{
	start_function *next;
	void (*turned_begin)(void);

	*(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
	if (getenv(READY_VARIABLE)) {
		wait_for_requests();
		take_descriptors();
		argc = wanted.argument_count;
		argv = wanted.arguments;
		environ = wanted.variables;
		program_invocation_name = argv[0];
		*(void **)&turned_begin = dlsym(RTLD_DEFAULT, "turned_begin");
		if (turned_begin)
			turned_begin();
	}
	return next(main, argc, argv, init, fini, end, stack);
}
