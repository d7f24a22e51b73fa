/*
 * The supervisor: this program, run as another process, which runs one program of the user's and leaves no process behind.
 *
 * The program is in a session of its own, without a terminal. When it ends, whatever it started and left is killed, also what has left its group (the
 * supervisor is the subreaper of all of it), and the supervisor ends as the program did. A SIGTERM to the supervisor, or the end of who
 * started it, ends all with SIGTERM and, after a time, with SIGKILL; a SIGHUP does that at once. If the supervisor is killed, the kernel kills
 * the program itself. Where the kernel does not list children (/proc), only the program's process group is ended.
 */
#ifndef WEIR_APP_SUPERVISOR_H
#define WEIR_APP_SUPERVISOR_H

/*
 * The first argument. Then the process that it is for, milliseconds between SIGTERM and SIGKILL, a folder ("": that of weir), the program,
 * which is searched in PATH, and its arguments. If the program cannot be started, the errno value is written to CHILD_REPORT as an int.
 */
#define SUPERVISOR_WORD "--supervise"

/* If the arguments are those of the supervisor, does its work and ends the process. */
void supervisor_run(int argc, char **argv);

#endif
