#include "base/os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/descriptor.h"

const bool process_adopts = false;

static char program[PATH_MAX];

/* The first of PATH that can be run, as the shell has found it. */
static void find_in_path(const char *name)
{
	const char *places = getenv("PATH"), *end;
	char path[PATH_MAX];

	for (; places && !*program; places = *end ? end + 1 : NULL) {
		end = places + strcspn(places, ":");
		int len = snprintf(path, sizeof path, "%.*s/%s", (int)(end - places), places, name);
		if (len > 0 && len < PATH_MAX && access(path, X_OK) == 0 && !realpath(path, program))
			*program = '\0';
	}
}

void process_started_as(const char *name)
{
	*program = '\0';
	if (!name)
		return;
	if (!strchr(name, '/'))
		find_in_path(name);
	else if (!realpath(name, program))
		*program = '\0';
}

const char *process_program(void)
{
	return program;
}

bool process_program_path(char path[PATH_MAX])
{
	memcpy(path, program, sizeof program);
	errno = ENOENT;
	return *program != '\0';
}

void process_hide(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}

bool process_end_with_parent(int signal)
{
	(void)signal;
	return false;
}

void process_adopt(void)
{
}

void process_signal_children(int signal)
{
	(void)signal;
}

/* --- the end of a child --- */

#define WATCHED_MOST 64

static struct { volatile sig_atomic_t in, out; } ends[WATCHED_MOST]; /* pipes; `in` 0: free */

/* It is not known whose child has ended: all are told. */
static void tell_all(int number)
{
	int saved = errno;

	(void)number;
	for (size_t i = 0; i < WATCHED_MOST; i++)
		if (ends[i].in && write((int)ends[i].in, "", 1) < 0)
			continue; /* a full pipe tells, too */
	errno = saved;
}

int process_descriptor(pid_t child)
{
	struct sigaction action = { .sa_handler = tell_all, .sa_flags = SA_RESTART | SA_NOCLDSTOP };
	siginfo_t ended = { .si_pid = 0 };
	int pipe_ends[2];
	size_t i = 0;

	while (i < WATCHED_MOST && ends[i].in)
		i++;
	if (i == WATCHED_MOST || !descriptor_pipe(pipe_ends))
		return -1;
	fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
	fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
	ends[i].out = pipe_ends[0];
	ends[i].in = pipe_ends[1];
	sigemptyset(&action.sa_mask);
	sigaction(SIGCHLD, &action, NULL);
	if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid)
		tell_all(0); /* before there was a handler */
	return pipe_ends[0];
}

void process_descriptor_look(int fd)
{
	char bytes[64];

	while (read(fd, bytes, sizeof bytes) > 0)
		continue;
}

void process_descriptor_close(int fd)
{
	for (size_t i = 0; i < WATCHED_MOST; i++)
		if (ends[i].in && ends[i].out == fd) {
			int in = (int)ends[i].in;

			ends[i].in = 0;
			close(in);
		}
	close(fd);
}
