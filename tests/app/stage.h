/*
 * A stage for tests of the full screen: the program on a pty, with a provider "hand" whose server the test drives.
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
	const char *settings;           /* additional lines of [provider hand] */
	const char *top;                /* lines for the top of weir.conf */
	const char *const *arguments, *const *environment;
	const char *script;             /* as in struct pty_options */
	unsigned rows, columns;
	bool turns;                     /* as in struct pty_options: pty_turn() */
	const char *draws_images;       /* as in struct pty_options */
	bool draws_sixels, tells_cell;  /* as in struct pty_options */
	void (*furnish)(const char *home); /* fills the home before the program starts; NULL: writes an empty history, stored_prepare() */
	bool has_no_history;            /* the program has to create it */
};

/* A script: a shell with job control runs the program. When the program has stopped, it says so, and continues it after a line. */
#define STAGE_SHELL \
	"set -m; \"$0\" \"$@\"; S=$?; while jobs %1 >/dev/null 2>&1; do echo STOPPED; read line; fg >/dev/null; S=$?; done; exit $S"
#define STAGE_STOPS(s) PTY_SEES((s)->pty, "STOPPED")
#define STAGE_GOES_ON(s) pty_send((s)->pty, "\n")

void stage_open(struct stage *s, const struct stage_options *options); /* `options` may be NULL */
void stage_open_answered(struct stage *s); /* stage_open() and a turn: "hello", "Good day." */
/* Quits with Ctrl-C twice and checks that the terminal is restored. */
void stage_close(struct stage *s);
/* Kills the program and starts it again in the same home, without options. */
void stage_restart(struct stage *s);
void stage_drop(struct stage *s); /* kills the program if it is still running */
/* Types a prompt, sends it and accepts the request; false on failure. */
bool stage_ask(struct stage *s, const char *prompt);
void stage_begin(struct stage *s, const char *prompt); /* stage_ask(), and sends the head of a streamed answer */
/* stage_ask() with a complete answer, whose first word must not be on the screen yet; waits until it is over. */
void stage_turn(struct stage *s, const char *prompt, const char *answer);
/* The same with the answer "row 1\nrow 2\n" ... */
void stage_turn_rows(struct stage *s, const char *prompt, unsigned count);
/* The same with figures: hand_counted(). The whole answer is one row. */
void stage_turn_counted(struct stage *s, const char *prompt, const char *answer, const char *end);
bool stage_sent(const struct stage *s, const char *text); /* whether the body of the last request contains `text` */
/* Waits for a state in the status bar, such as "ready" or "streaming". */
#define STAGE_STATE(s, word) pty_wait((s)->pty, stage_has_state, (word), "the state " word, __FILE__, __LINE__)
bool stage_has_state(struct pty *p, const void *word);
/* Waits for the end of an answer that is on the screen, even if a message covers the state. */
#define STAGE_OVER(s) PTY_LOSES((s)->pty, "Esc stop")
/* Whether every title that was sent to the terminal is the program's own, in printable ASCII, and no other sequence sets a title. */
bool stage_titles_are_its_own(struct pty *p);
/* Streams `count` numbered lines: "row 1\nrow 2\n" ... */
void stage_rows(struct stage *s, unsigned first, unsigned count);

#endif
