/*
 * A stage for tests of the linear mode: the program on a pty, with a provider "hand" whose server the test plays by hand, and what
 * it has said read from front to back.
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
	size_t at; /* what was read up to */
};

/* `settings`: further lines of [provider hand], or "". */
void lines_open(struct lines *l, const char *settings, const char *const *arguments, const char *const *environment);
void lines_begin(struct lines *l); /* with --plain, up to the first prompt */
/* Leaves by Ctrl-D, and checks that the terminal is as it was found and was sent nothing but text. */
void lines_close(struct lines *l);
void lines_drop(struct lines *l);  /* the program is killed where it still runs */
/* Types a prompt and accepts the request; false when something went wrong. */
bool lines_ask(struct lines *l, const char *prompt);
/* The same, and an answer that streams begins with `text`. */
void lines_stream(struct lines *l, const char *prompt, const char *text);
bool lines_sent(const struct lines *l, const char *text); /* the body of the last request holds it */

/* Waits for a text behind the one that was waited for last. */
#define SAYS(l, words) lines_say((l), (words), __FILE__, __LINE__)
bool lines_say(struct lines *l, const char *words, const char *file, int line);

/* A dialogue: what begins with "> " is typed, the rest is waited for, in this order. */
#define DIALOGUE(l, ...) lines_dialogue((l), LIST(__VA_ARGS__), __FILE__, __LINE__)
void lines_dialogue(struct lines *l, const char *const *dialogue, const char *file, int line);

/* Fails the test where there is a control character other than a line end or a tab, or a sign that turns text around. */
#define CHECK_PLAIN(bytes) lines_check_plain((bytes), __FILE__, __LINE__)
void lines_check_plain(struct str bytes, const char *file, int line);

#endif
