/*
 * Children: other programs, run without a shell.
 *
 * One that is apart has a process group of its own, so that all of it can be ended, and is kept away from the terminal, which is
 * ours; one on the terminal has that as its input and output, whatever ours are. No signal is ignored, caught or blocked in either, and
 * no other descriptor of ours is open in it.
 */
#ifndef WEIR_BASE_CHILD_H
#define WEIR_BASE_CHILD_H

#include <poll.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

enum child_place { CHILD_APART, CHILD_ON_TERMINAL };

struct child_options {
	enum child_place place;
	int input, output;       /* apart: descriptors, 0: /dev/null. Its errors go nowhere */
	const char *variable;    /* "NAME=value" in the place of its own; NULL: none */
};

struct child {
	pid_t pid;               /* 0: none */
	int fd;                  /* readable when it has ended; -1: the system has no such thing */
};

/* How it ended: a signal's number, or 0 and its exit status. */
struct child_end { int status, signal; };

/* Starts argv[0], looked for in PATH. Returns 0, or the errno that says why not. */
MUST_USE int child_start(struct child *child, const char *const *argv, const struct child_options *options);
/* True once it has ended; nothing is left of it then. */
bool child_has_ended(struct child *child, struct child_end *end);
void child_kill(struct child *child); /* one that is apart, with all that it started; none is legal */

/* What to wait for: a descriptor, or a time where there is none. INT64_MAX: none. */
size_t child_fds(const struct child *child, struct pollfd *fds);
int64_t child_deadline(const struct child *child, int64_t now_ms);

/*
 * Words as a command line has them: parted by blanks, double quotes group. A list that ends with NULL, and the words behind it in one
 * piece of memory: free it with mem_free(). NULL when there are none or a quote is not closed; `err` says which.
 */
char **child_words(struct str command, struct error *err);

#endif
