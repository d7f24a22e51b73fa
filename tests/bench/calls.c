#include "bench/calls.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "base/mem.h"

#define STOP_OF_CALL (SIGTRAP | 0x80) /* PTRACE_O_TRACESYSGOOD */
#define OPTIONS (PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE)
#define WAKE_SIGNAL SIGUSR1

/* A thread of its own traces: the kernel reports to the thread that asked, and lets go of the program when that thread ends. */
struct calls {
	pid_t pid;
	pthread_t thread;
	atomic_int begun;         /* 1: it is traced; -1: it cannot be */
	atomic_bool over;
	unsigned long stops;      /* two of a call */
};

static void on_wake(int signal)
{
	(void)signal; /* only ends a wait */
}

static bool seize_threads(pid_t pid)
{
	char path[64];
	bool all = true;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	for (const struct dirent *task; tasks && (task = readdir(tasks));) {
		pid_t thread = (pid_t)atol(task->d_name);

		if (thread > 0)
			all &= !ptrace(PTRACE_SEIZE, thread, NULL, OPTIONS) && !ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
	}
	if (tasks)
		closedir(tasks);
	return tasks && all;
}

/* Lets a stopped thread run to its next call or return from one. A signal that stopped it is delivered. */
static void let_run(struct calls *c, pid_t thread, int status)
{
	int signal = WSTOPSIG(status);
	bool is_event = status >> 16;

	c->stops += signal == STOP_OF_CALL;
	ptrace(PTRACE_SYSCALL, thread, NULL, is_event || signal == STOP_OF_CALL ? 0 : signal);
}

static void *trace(void *ctx)
{
	struct calls *c = ctx;
	bool traced = seize_threads(c->pid);
	int status;

	c->begun = traced ? 1 : -1;
	while (traced && !c->over) {
		pid_t thread = waitpid(-1, &status, __WALL | __WNOTHREAD);

		if (thread < 0 && errno != EINTR)
			break;
		if (thread > 0 && WIFSTOPPED(status))
			let_run(c, thread, status);
	}
	return NULL;
}

struct calls *calls_begin(pid_t pid)
{
	struct calls *c = mem_new(sizeof *c);

	c->pid = pid;
	sigaction(WAKE_SIGNAL, &(struct sigaction){ .sa_handler = on_wake }, NULL);
	if (pthread_create(&c->thread, NULL, trace, c))
		exit(2);
	while (!c->begun)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	if (c->begun > 0)
		return c;
	fprintf(stderr, "bench: the program cannot be traced: its system calls are not counted\n");
	calls_end(c);
	return NULL;
}

unsigned long calls_end(struct calls *c)
{
	unsigned long count;

	c->over = true;
	while (pthread_tryjoin_np(c->thread, NULL)) { /* a wake-up before the wait is lost */
		pthread_kill(c->thread, WAKE_SIGNAL);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	count = c->stops / 2;
	mem_free(c);
	return count;
}
