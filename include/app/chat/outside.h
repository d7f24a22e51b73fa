/*
 * A program that has the terminal for a while: the user's editor or pager. The loop goes on meanwhile and waits for its end.
 */
#ifndef WEIR_APP_OUTSIDE_H
#define WEIR_APP_OUTSIDE_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct outside; /* heap */

/*
 * Runs `command PATH` on the terminal. A command of one word is run as it stands, one with arguments by sh -c. Signals are as the
 * program found them; Ctrl-\ is the other program's. `variable`: "NAME=value" in the place of its own; NULL: none.
 */
MUST_USE bool outside_start(struct outside **result, const char *command, const char *path, const char *variable, struct error *err);
/* True once it has ended; `status` is its exit status, or 128 and a signal's number. */
bool outside_has_ended(struct outside *o, int *status);
void outside_free(struct outside *o); /* one that still runs is told to end, and killed after 0.3 s; NULL is legal */

/* What to wait for: a descriptor where the system has one for a process, else a time. */
size_t outside_fds(const struct outside *o, struct pollfd *fds);
int64_t outside_deadline(const struct outside *o, int64_t now_ms); /* INT64_MAX: none */

#endif
