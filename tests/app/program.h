/*
 * Runs the real program ($WEIR, else build/weir) as scripts do: takes arguments, returns standard output, standard error and exit status.
 *
 * Each program has its own home folder. All waits are bounded: a program that hangs is killed and has status -1.
 */
#ifndef WEIR_TESTS_PROGRAM_H
#define WEIR_TESTS_PROGRAM_H

#include <sys/types.h>

#include "base/text.h"

struct program {
	pid_t pid;
	int in, out, err;        /* the test's ends of the pipes; -1: closed */
	struct buf output, errors; /* output read so far */
	struct turned *turning;  /* its clock, which waits turn from now on (support/turned.h); NULL: none does */
	int status;              /* exit status; -1: ended by a signal, or killed by the test */
};

#define ARGS(...) (const char *const[]){ __VA_ARGS__, NULL }

/* `env`: "NAME=VALUE", added to a minimal environment; NULL: none. */
void program_start(struct program *p, const char *const *args, const char *const *env);
/* The same with standard output on a terminal of 24 x 80. */
void program_start_on_terminal(struct program *p, const char *const *args, const char *const *env);
/* Runs a script of sh that starts the program: "ulimit -n 12; exec \"$0\" \"$@\"". */
void program_start_script(struct program *p, const char *script, const char *const *args, const char *const *env);
void program_send(struct program *p, struct str input);
void program_end_input(struct program *p);
void program_leave_output(struct program *p);  /* closes the reading end of standard output */
/* Reads until the output contains `text`; false if it ended without it. */
bool program_await_output(struct program *p, const char *text);
bool program_await_errors(struct program *p, const char *text);
/* Reads the remaining output and waits for the exit; returns the status. */
int program_wait(struct program *p);
void program_free(struct program *p);          /* kills it if it is still running */

/* Starts the program, writes `input` and waits for the exit. Call program_free() afterwards. */
int program_run(struct program *p, struct str input, const char *const *args, const char *const *env);

/* A server of saved streams: `weir serve FILE...`; `url` is its first line without LF. */
void program_serve(struct program *p, char url[64], const char *const *files);

/* The folder for files of the running test; the same until folder_remove(). */
const char *folder_path(void);
/* The path of a file in it, written with `content` (NULL: not written). Valid until folder_remove(). */
const char *folder_file(const char *name, const char *content);
void folder_remove(void);

const char *mcp_server_path(void); /* the fake server (tests/mcp/server.c); static */

#endif
