/*
 * A stage for tests of the full screen: the program on a pty, with a provider "hand" whose server the test plays by hand.
 */
#ifndef WEIR_TESTS_STAGE_H
#define WEIR_TESTS_STAGE_H

#include "support/hand.h"
#include "support/home.h"
#include "support/pty.h"

struct stage {
	struct hand *server;
	struct pty *pty;
	char *home;
};

struct stage_options {
	const char *settings;           /* further lines of [provider hand] */
	const char *top;                /* lines at the top of weir.conf */
	const char *const *arguments, *const *environment;
	const char *script;             /* as of pty_options */
	unsigned rows, columns;
};

/* A script: a shell with job control runs the program. When it has stopped it says so, and lets it go on after a line. */
#define STAGE_SHELL \
	"set -m; \"$0\" \"$@\"; S=$?; while jobs %1 >/dev/null 2>&1; do echo STOPPED; read line; fg >/dev/null; S=$?; done; exit $S"
#define STAGE_STOPS(s) PTY_SEES((s)->pty, "STOPPED")
#define STAGE_GOES_ON(s) pty_send((s)->pty, "\n")

void stage_open(struct stage *s, const struct stage_options *options); /* NULL: none of them */
/* Leaves by Ctrl-C twice and checks that the terminal is as it was found. */
void stage_close(struct stage *s);
void stage_drop(struct stage *s); /* the program is killed where it still runs */
/* Types a prompt, sends it and accepts the request; false when something went wrong. */
bool stage_ask(struct stage *s, const char *prompt);
void stage_begin(struct stage *s, const char *prompt); /* the same, and the head of an answer that streams */
/* The same with a whole answer (its first word is not on the screen yet), and waits until it is over. */
void stage_turn(struct stage *s, const char *prompt, const char *answer);
bool stage_sent(const struct stage *s, const char *text); /* the body of the last request holds it */
/* Waits for a state in the status bar: "ready", "streaming". */
#define STAGE_STATE(s, word) pty_wait((s)->pty, stage_has_state, (word), "the state " word, __FILE__, __LINE__)
bool stage_has_state(struct pty *p, const void *word);
/* Waits for the end of an answer that is on the screen, also while a passing word covers the state. */
#define STAGE_OVER(s) PTY_LOSES((s)->pty, "Esc stop")
/* Each title that the terminal was given is the program's own, in printable ASCII, and no other sequence sets one. */
bool stage_titles_are_its_own(const struct pty *p);
/* `count` numbered lines: "row 1\nrow 2\n" ... */
void stage_rows(struct stage *s, unsigned first, unsigned count);

#endif
