/*
 * A program that runs beside us, with pipes for its input, output and errors, under a supervisor (app/system/supervisor.h): no shell, a session
 * of its own without a terminal, a short list of variables, and no process is left when it has ended, been stopped, or we are gone.
 *
 * What it writes is handed on as it comes, at most SUPERVISED_PASS bytes of each in a turn of the loop, and not kept: who takes it sets the
 * limits. What is written to it waits in memory until it reads, up to a limit.
 */
#ifndef WEIR_APP_SUPERVISED_H
#define WEIR_APP_SUPERVISED_H

#include "app/system/loop.h"
#include "base/child.h"

#define SUPERVISED_PASS ((size_t)64 << 10)
#define SUPERVISED_GRACE_MS 2000 /* between SIGTERM and SIGKILL */
#define SUPERVISED_INPUT_MOST ((size_t)64 << 20)

struct supervised_options {
	const char *const *argv;        /* NULL-terminated; argv[0] is searched in PATH */
	const char *folder;             /* where it runs; NULL: where weir does */
	const char *const *variables;   /* NULL-terminated names that it gets beside the short list, if they are set; NULL: none. Never a key */
	int64_t grace_ms;               /* 0: SUPERVISED_GRACE_MS */
};

struct supervised_sink {
	void *ctx;
	void (*output)(void *ctx, struct str bytes);  /* bytes of its standard output; none: it was closed */
	void (*errors)(void *ctx, struct str bytes);  /* the same of its standard error */
	/* Once, last: it has ended, nothing more comes and no process is left. `failure`: the errno value why it was not started; 0: it was. */
	void (*ended)(void *ctx, int failure, struct child_end end);
};

struct supervised { /* embedded; zeroed: nothing runs */
	struct child child;      /* the supervisor */
	bool runs;               /* ended() is still to come */
	int in, out, errors;     /* our ends of the pipes; 0: closed */
	int report;
	struct buf input;        /* that it has not read yet */
	bool input_ends;         /* behind it */
	bool stopping;
	int64_t kill_ms;         /* then: when the supervisor, which does not answer, is killed too */
	int failure;
	struct supervised_sink sink;
};

/* Starts it. Calls nothing before it returns. False: the pipes or the supervisor could not be made. */
MUST_USE bool supervised_start(struct supervised *s, const struct supervised_options *options, const struct supervised_sink *sink,
                               struct error *err);
/* Writes to its input; SIGPIPE must be ignored. False: too much waits already, or its input is closed; nothing of `bytes` is written then. */
MUST_USE bool supervised_write(struct supervised *s, struct str bytes);
void supervised_end_input(struct supervised *s); /* closes its input behind what was written */
/* Ends it: with SIGTERM, after the grace with SIGKILL; when called again, at once. ended() tells. No effect if nothing runs. */
void supervised_stop(struct supervised *s);
/* Ends it at once, without a callback, and waits for that: a few milliseconds. No effect if nothing runs. */
void supervised_fini(struct supervised *s);

size_t supervised_fds(const struct supervised *s, struct pollfd *fds, size_t room);
int64_t supervised_deadline(const struct supervised *s, int64_t now_ms);
/* `fds`: its own descriptors, polled. All callbacks come from here. They may stop it and write to it, but must not free it. */
void supervised_run(struct supervised *s, const struct pollfd *fds, size_t count, int64_t now_ms);
#define SUPERVISED_FDS 5

/* How it ended: "it ended with status 1", "signal 9 ended it", "it ended". */
void supervised_write_end(struct child_end end, struct buf *out);

#endif
