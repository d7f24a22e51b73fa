/*
 * A stage for tests of the linear mode: the program on a pty, with a provider "hand" whose server the test drives. Output is read
 * sequentially.
 */
#ifndef WEIR_TESTS_LINES_H
#define WEIR_TESTS_LINES_H

#include "support/hand.h"
#include "support/home.h"
#include "support/pty.h"

struct lines {
	struct hand *server;
	struct pty *pty;
	char *home;
	size_t at; /* end of the output read so far */
};

/* `settings`: additional lines of [provider hand], or "". */
void lines_open(struct lines *l, const char *settings, const char *const *arguments, const char *const *environment);
void lines_restart(struct lines *l); /* kills the program and starts it again with --plain in the same home */
void lines_begin(struct lines *l); /* starts with --plain and waits for the first prompt */
/* Quits with Ctrl-D; checks that the terminal is restored and received only text. */
void lines_close(struct lines *l);
void lines_drop(struct lines *l);  /* kills the program if it is still running */
/* Types a prompt and accepts the request; false on failure. */
bool lines_ask(struct lines *l, const char *prompt);
/* The same, and an answer that streams begins with `text`. */
void lines_stream(struct lines *l, const char *prompt, const char *text);
bool lines_sent(const struct lines *l, const char *text); /* whether the body of the last request contains `text` */

/* Waits for a text after the previously awaited one. */
#define SAYS(l, words) lines_say((l), (words), __FILE__, __LINE__)
bool lines_say(struct lines *l, const char *words, const char *file, int line);
/* The same for a text that comes with time. */
#define SAYS_LATER(l, words) lines_say_later((l), (words), __FILE__, __LINE__)
bool lines_say_later(struct lines *l, const char *words, const char *file, int line);

/* A dialogue: lines that begin with "> " are typed, others are awaited, in this order. */
#define DIALOGUE(l, ...) lines_dialogue((l), LIST(__VA_ARGS__), __FILE__, __LINE__)
void lines_dialogue(struct lines *l, const char *const *dialogue, const char *file, int line);

/* Fails the test for control characters other than line ends and tabs, and for bidirectional controls. */
#define CHECK_PLAIN(bytes) lines_check_plain((bytes), __FILE__, __LINE__)
void lines_check_plain(struct str bytes, const char *file, int line);

#endif
