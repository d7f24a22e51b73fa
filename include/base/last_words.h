/*
 * Crash handlers: what the program must do before a crash, a failed assertion or a failed allocation ends it.
 *
 * They restore the terminal, write out the tape being recorded and print its name. They run inside a signal handler, on its own stack, so
 * they may call async-signal-safe functions only. There is one list per process.
 */
#ifndef WEIR_BASE_LAST_WORDS_H
#define WEIR_BASE_LAST_WORDS_H

struct last_words { /* Embedded by its owner. `next` is private. */
	void (*say)(void *ctx);
	void *ctx;
	struct last_words *next;
};

/*
 * Handlers run in the order in which they were added. Remove a handler before its owner is freed; removing one that was never added is
 * allowed.
 */
void last_words_add(struct last_words *words);
void last_words_remove(struct last_words *words);

/* Runs each handler once, even if one of them crashes. */
void last_words_say(void);

/* Runs the handlers, then ends the program by the signal. Async-signal-safe. */
void last_words_die(int number);

/*
 * Installs signal handlers for crashes (SEGV, ABRT ...) and for other signals that would end the program without a message (XCPU, ALRM,
 * USR1 ...), except those that were ignored when the program started. They call last_words_die().
 */
void last_words_guard(void);

#endif
