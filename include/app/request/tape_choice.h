/*
 * Recording: chooses the tape of each turn: --tape FILE (FILE-2 for the second turn), else a new one of the ring in the state folder
 * (store/files/tapes.h), but none with `history = no`.
 *
 * If the ring cannot be used, the program says so once and continues without tapes.
 */
#ifndef WEIR_APP_TAPE_CHOICE_H
#define WEIR_APP_TAPE_CHOICE_H

#include "store/files/tapes.h"

struct turn;

struct tape_choice { /* embedded */
	const struct setup *setup;
	struct private_folder folder; /* the ring's folder, in which the tape of the turn is created */
	unsigned turns; /* number of turns so far */
	bool given_up;  /* the ring cannot be used */
};

void tape_choice_init(struct tape_choice *t, const struct setup *setup);
void tape_choice_fini(struct tape_choice *t);

/* The path of the next turn's tape, heap. NULL: no tape; `note` says why if that is worth telling, else it is "". */
char *tape_choice_next(struct tape_choice *t, struct error *note);

/* The descriptor of the folder in which to create it, open until the turn is over; 0: the path alone determines the place. */
int tape_choice_folder(const struct tape_choice *t);
/* The size limit of one tape: that of the whole ring, or the most that can be replayed. */
size_t tape_choice_bytes(const struct tape_choice *t);

/* True for a tape of the ring: without it the turn continues. A tape that the user named must be written. */
bool tape_choice_may_fail(const struct tape_choice *t);

/* Call when a turn is over and its tape is closed. `failed`: its error, or "". Removes old tapes beyond the ring's size. */
void tape_choice_over(struct tape_choice *t, struct str failed);

/* Call when a signal ends the program. Says on standard error where the tape of the running turn is. `live` may be NULL. */
void tape_choice_tell_broken(const struct turn *live);

#endif
