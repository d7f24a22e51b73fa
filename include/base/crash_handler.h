/*
 * Crash handlers: what the program must do before a crash, a failed assertion or a failed allocation ends it.
 *
 * They restore the terminal, write out the tape being recorded and print its name. They run inside a signal handler, on its own stack, so
 * they may call async-signal-safe functions only. There is one list per process.
 */
#ifndef WEIR_BASE_CRASH_HANDLER_H
#define WEIR_BASE_CRASH_HANDLER_H

struct crash_handler { /* Embedded by its owner. `next` is private. */
	void (*run)(void *ctx);
	void *ctx;
	struct crash_handler *next;
};

/*
 * Handlers run in the order in which they were added. Remove a handler before its owner is freed; removing one that was never added is
 * allowed.
 */
void crash_handler_add(struct crash_handler *handler);
void crash_handler_remove(struct crash_handler *handler);

/* Runs each handler once, even if one of them crashes. Async-signal-safe. */
void crash_handlers_run(void);

/* Runs the handlers, then ends the program by the signal. Async-signal-safe. */
void crash_handlers_die(int number);

/*
 * Installs signal handlers for crashes (SEGV, ABRT ...) and for other signals that would end the program without a message (XCPU, ALRM,
 * USR1 ...), except those that were ignored when the program started. They call crash_handlers_die().
 */
void crash_handlers_install(void);

#endif
