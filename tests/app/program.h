/*
 * Runs the real program ($WEIR, else build/weir) as scripts do: arguments in, standard output, standard error, exit status out.
 *
 * Each has a home of its own. Nothing here waits for ever: what hangs is ended and has status -1.
 */
#ifndef WEIR_TESTS_PROGRAM_H
#define WEIR_TESTS_PROGRAM_H

#include <sys/types.h>

#include "base/text.h"

struct program {
	pid_t pid;
	int in, out, err;        /* our ends; -1: closed */
	struct buf output, errors; /* what came so far */
	int status;              /* exit status; -1: ended by a signal or by us */
};

#define ARGS(...) (const char *const[]){ __VA_ARGS__, NULL }

/* `env`: "NAME=VALUE" besides a minimal environment; NULL: none. */
void program_start(struct program *p, const char *const *args, const char *const *env);
/* The same with standard output on a terminal of 24 x 80. */
void program_start_on_terminal(struct program *p, const char *const *args, const char *const *env);
/* `script` of sh runs the program itself: "ulimit -n 12; exec \"$0\" \"$@\"". */
void program_start_script(struct program *p, const char *script, const char *const *args, const char *const *env);
void program_send(struct program *p, struct str input);
void program_end_input(struct program *p);
void program_leave_output(struct program *p);  /* nobody reads standard output any more */
/* Reads until `text` is in what came; false when it ended without. */
bool program_await_output(struct program *p, const char *text);
bool program_await_errors(struct program *p, const char *text);
/* Reads the rest and waits for the end; returns the status. */
int program_wait(struct program *p);
void program_free(struct program *p);          /* ends it if it still runs */

/* Start, `input`, wait. To be freed. */
int program_run(struct program *p, struct str input, const char *const *args, const char *const *env);

/* A server of saved streams: `weir serve FILE...`; `url` is its first line without LF. */
void program_serve(struct program *p, char url[64], const char *const *files);

/* "LD_PRELOAD=..." of what tests/sweep makes, `name` without ".so"; NULL where a sanitizer or a missing file does not allow it. */
const char *program_preload(const char *name);

/* A folder for files of the running test; the same until folder_remove(). */
const char *folder_path(void);
/* Path of a file in it, holding `content` (NULL: none is written). Kept until folder_remove(). */
const char *folder_file(const char *name, const char *content);
void folder_remove(void);

#endif
