/*
 * Signals, delivered through a descriptor of the loop (self-pipe).
 */
#ifndef WEIR_APP_SIGNALS_H
#define WEIR_APP_SIGNALS_H

#include "app/system/loop.h"

struct signals {
	int terminate; /* signal number of TERM, HUP or QUIT; 0: none arrived */
	int interrupt; /* number of INTs */
	bool window;   /* WINCH arrived */
	bool resumed;  /* CONT arrived */
	bool stop;     /* TSTP arrived, after signals_keep_stop() */
};

/*
 * Installs handlers for TERM, HUP, QUIT, INT, WINCH and CONT, and ignores PIPE and XFSZ. Returns the descriptor to wait for. A second
 * QUIT before the first was taken means that the program hangs: it then ends with its last words.
 */
int signals_open(void);
/* Returns the signals that arrived since the last call. */
struct signals signals_take(void);
/* Receives signals from the loop. */
struct signals_listener { void (*take)(void *ctx, struct signals came); void *ctx; };
/* Opens signals. The member passes them to the listener, which must outlive it. */
struct loop_member signals_member(struct signals_listener *listener);
/* A `take` for `ctx`, a bool: sets it when the program is to end. */
void signals_take_end(void *over, struct signals came);
/* From now on TSTP is reported and does not stop the program, so that the terminal can be restored first. */
void signals_keep_stop(void);
/* Whether TERM, HUP, QUIT or INT arrived and was not taken yet; for a write that a signal interrupted. */
bool signals_want_stop(void);
bool signals_want_end(void); /* the same without INT */
void signals_close(void);

#endif
