/*
 * The supervisor: a copy of this process, which runs one program of the user's and leaves no process behind.
 *
 * The program is in a session of its own, without a terminal. When it ends, whatever it started and left is killed, also what has left its group (the
 * supervisor is the subreaper of all of it), and the supervisor ends as the program did. A SIGTERM to the supervisor, or the end of who
 * started it, ends all with SIGTERM and, after a time, with SIGKILL; a SIGHUP does that at once. If the supervisor is killed, the kernel kills
 * the program itself. Where the system adopts no orphans (base/os/process.h) or does not list children (/proc), only the program's process group
 * is ended, and nothing ends it if the supervisor is killed.
 *
 * It is no program that is started: loading weir's libraries takes longer than most tools run. So it calls only what a copy of a process with
 * threads may call (signal-safety(7)).
 */
#ifndef WEIR_APP_SUPERVISOR_H
#define WEIR_APP_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

struct supervisor_work {
	pid_t owner;             /* the process that it is for */
	int64_t grace_ms;        /* between SIGTERM and SIGKILL */
	const char *folder;      /* where the program runs; NULL: where weir does */
	const char *const *argv; /* NULL-terminated; argv[0] is searched in PATH */
};

/*
 * What the copy does (child_fork()); `work` is a struct supervisor_work. Does not return. If the program cannot be started, the errno value is
 * written to CHILD_REPORT.
 */
void supervisor_run(void *work);

#endif
