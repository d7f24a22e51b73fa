/*
 * A job: a program that has the terminal for a while, such as the user's editor or pager. The loop keeps running and waits for its end.
 */
#ifndef WEIR_APP_TERMINAL_JOB_H
#define WEIR_APP_TERMINAL_JOB_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct terminal_job; /* heap */

/*
 * Runs `command PATH` on the terminal. A command of one word is executed directly, one with arguments by sh -c. The program gets the
 * signal dispositions that weir was started with, and Ctrl-\ goes to it.
 */
MUST_USE bool terminal_job_start(struct terminal_job **result, const char *command, const char *path, struct error *err);
/* True once it has ended; `status` is its exit status, or 128 and a signal's number. */
bool terminal_job_has_ended(struct terminal_job *o, int *status);
void terminal_job_free(struct terminal_job *o); /* terminates a running program, and kills it after 0.3 s; NULL is legal */

/* The command of the user's editor: $VISUAL, else $EDITOR, else vi. */
const char *terminal_job_editor(void);

/* What to wait for: a process descriptor if the system supports them, else a time at which to poll. */
size_t terminal_job_fds(const struct terminal_job *o, struct pollfd *fds);
int64_t terminal_job_deadline(const struct terminal_job *o, int64_t now_ms); /* INT64_MAX: none */

#endif
