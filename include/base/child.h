/*
 * Child processes: other programs, run without a shell.
 *
 * A child started with CHILD_APART has its own process group, which child_kill() ends as a whole, and no access to our terminal. CHILD_CAPTURED
 * is the same in a session of its own, so that it cannot open the terminal either, and its errors go where its output goes. A child
 * started with CHILD_ON_TERMINAL has the terminal as its input and output, even when ours are redirected. In both, all signals have their
 * default action, none is blocked, and none of our other descriptors is open. A pager has our output and errors, and reads its input from us.
 * A program that is to leave no process behind runs under a supervisor: app/system/supervised.h.
 */
#ifndef WEIR_BASE_CHILD_H
#define WEIR_BASE_CHILD_H

#include <poll.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

#define CHILD_REPORT 3 /* the descriptor of a child that `report` becomes */

enum child_place { CHILD_APART, CHILD_CAPTURED, CHILD_ON_TERMINAL, CHILD_AS_PAGER };

struct child_options {
	enum child_place place;
	int input, output;       /* descriptors; 0 stands for /dev/null. CHILD_AS_PAGER: `input` only */
	int errors, report;      /* CHILD_APART: its standard error, 0 for /dev/null; its descriptor 3, 0 for none */
	const char *variable;    /* "NAME=value" replaces that variable in the environment; NULL: no change */
	const char *const *environment; /* NULL-terminated, in place of ours and of `variable`; NULL: ours */
};

struct child {
	pid_t pid;               /* 0: no child */
	int fd;                  /* becomes readable when the child exits; -1: not supported by the system */
};

/* How the child ended: `signal` is the signal's number, or 0 when the child exited with `status`. */
struct child_end { int status, signal; };

/* Starts argv[0], searched in PATH. Returns 0 or an errno value. */
MUST_USE int child_start(struct child *child, const char *const *argv, const struct child_options *options);
/*
 * Starts a copy of this process, placed as CHILD_APART, that calls `run` and nothing else; all signals are blocked in it. `run` must not return,
 * and calls only what signal-safety(7) allows, since other threads of this process are not in the copy. Returns 0 or an errno value.
 */
MUST_USE int child_fork(struct child *child, void (*run)(void *ctx), void *ctx, const struct child_options *options);
/* Starts a command line that child_words() takes, with one more word at its end. Returns 0 or an errno value. */
MUST_USE int child_start_line(struct child *child, struct str command, const char *last, const struct child_options *options);
/* Returns true once the child has ended. The child is reaped then, and nothing remains to be freed. */
bool child_has_ended(struct child *child, struct child_end *end);
void child_leave(struct child *child); /* lets it run without us, or forgets one that has ended; no effect without a child */
void child_kill(struct child *child); /* kills the process group of a CHILD_APART or CHILD_CAPTURED child; no effect without a child */

/* What poll() waits for: a descriptor, or a deadline where the system has no such descriptor. INT64_MAX: no deadline. */
size_t child_fds(const struct child *child, struct pollfd *fds);
int64_t child_deadline(const struct child *child, int64_t now_ms);

/* Whether a command of the user's is more than the name of a program: sh runs it. */
bool child_needs_shell(const char *command);

/*
 * Splits a command line into words at blanks; double quotes group. Returns a NULL-terminated list in one allocation with its words: free
 * it with mem_free(). Returns NULL and sets `err` when there is no word or a quote is not closed.
 */
char **child_words(struct str command, struct error *err);
/* The same as a shell splits it: single quotes and the backslash quote, too. A word may be empty. */
char **child_shell_words(struct str command, struct error *err);

#endif
