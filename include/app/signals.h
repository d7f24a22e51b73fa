/*
 * Signals, as a descriptor of the loop (self-pipe).
 */
#ifndef WEIR_APP_SIGNALS_H
#define WEIR_APP_SIGNALS_H

#include "app/loop.h"

struct signals {
	int terminate; /* the number of TERM, HUP or QUIT; 0: none came */
	int interrupt; /* how often INT came */
	bool window, resumed;
	bool stop;     /* TSTP, where it is kept */
};

/*
 * Installs handlers for TERM HUP QUIT INT WINCH CONT and ignores PIPE and XFSZ; returns the descriptor to wait for. A second QUIT,
 * while nobody has taken the first, ends the program with its last words: it hangs.
 */
int signals_open(void);
/* Reads what came since the last call. */
struct signals signals_take(void);
/* Who is told of signals by the loop. */
struct signals_listener { void (*take)(void *ctx, struct signals came); void *ctx; };
/* Opens signals; the member tells the listener, which outlives it, of what came. */
struct loop_member signals_member(struct signals_listener *listener);
/* From now on TSTP is told like the others and does not stop the program: for who has a terminal to put back first. */
void signals_keep_stop(void);
/* TERM, HUP, QUIT or INT came and was not taken yet: for a write that a signal broke off. */
bool signals_want_stop(void);
bool signals_want_end(void); /* the same without INT */
void signals_close(void);

#endif
