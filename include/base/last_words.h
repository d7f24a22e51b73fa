/*
 * Last words: what is done when the program dies of itself - a crash, a failed assertion, no memory - before it is gone.
 *
 * The terminal is put back, and a tape that runs is written out and named. All of it happens inside a signal handler, on a
 * stack of its own, and so may use async-signal-safe functions only. The list is one of the process: it has one death.
 */
#ifndef WEIR_BASE_LAST_WORDS_H
#define WEIR_BASE_LAST_WORDS_H

struct last_words { /* embedded by who has something to say; private but for the first two */
	void (*say)(void *ctx);
	void *ctx;
	struct last_words *next;
};

/* Said in the order of adding. Who is freed takes its words back; words that were never added may be taken back too. */
void last_words_add(struct last_words *words);
void last_words_remove(struct last_words *words);

/* Says all of them, each once, also when one of them fails itself. */
void last_words_say(void);

/* Says them and then lets the signal end the program. Async-signal-safe. */
void last_words_die(int number);

/*
 * Handlers for crashes (SEGV, ABRT ...) and for all else that would end the program without a word (XCPU, ALRM, USR1 ...), but for
 * what whoever started the program ignores: they say them and then let the signal end the program.
 */
void last_words_guard(void);

#endif
