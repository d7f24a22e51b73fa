/*
 * A program that has the terminal for a while: the user's editor or pager. The loop goes on meanwhile and waits for its end.
 */
#ifndef WEIR_APP_JOB_H
#define WEIR_APP_JOB_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct job; /* heap */

/*
 * Runs `command PATH` on the terminal. A command of one word is run as it stands, one with arguments by sh -c. Signals are as the
 * program found them; Ctrl-\ is the other program's. `variable`: "NAME=value" in the place of its own; NULL: none.
 */
MUST_USE bool job_start(struct job **result, const char *command, const char *path, const char *variable, struct error *err);
/* True once it has ended; `status` is its exit status, or 128 and a signal's number. */
bool job_has_ended(struct job *o, int *status);
void job_free(struct job *o); /* one that still runs is told to end, and killed after 0.3 s; NULL is legal */

/* What to wait for: a descriptor where the system has one for a process, else a time. */
size_t job_fds(const struct job *o, struct pollfd *fds);
int64_t job_deadline(const struct job *o, int64_t now_ms); /* INT64_MAX: none */

#endif
