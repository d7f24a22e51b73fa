/*
 * Recording: chooses the tape of each turn: --tape FILE (FILE-2 for the second turn), else a new one of the ring in the state folder
 * (store/files/tapes.h), but none with `history = no`.
 *
 * If the ring cannot be used, the program says so once and continues without tapes.
 */
#ifndef WEIR_APP_RECORDING_H
#define WEIR_APP_RECORDING_H

#include "app/setup/setup.h"
#include "chat/conversation/conversation.h"
#include "store/files/tapes.h"

struct recording { /* embedded */
	const struct setup *setup;
	struct private_folder folder; /* the ring's folder, in which the tape of the turn is created */
	unsigned turns; /* number of turns so far */
	bool given_up;  /* the ring cannot be used */
};

void recording_init(struct recording *t, const struct setup *setup);
void recording_fini(struct recording *t);

/* The path of the next turn's tape, heap. NULL: no tape; `note` says why if that is worth telling, else it is "". */
char *recording_next(struct recording *t, struct error *note);

/* The descriptor of the folder in which to create it, open until the turn is over; 0: the path alone determines the place. */
int recording_folder(const struct recording *t);
/* The size limit of one tape: that of the whole ring, or the most that can be replayed. */
size_t recording_bytes(const struct recording *t);

/* True for a tape of the ring: without it the turn continues. A tape that the user named must be written. */
bool recording_may_fail(const struct recording *t);

/* Call when a turn is over and its tape is closed. `failed`: its error, or "". Removes old tapes beyond the ring's size. */
void recording_over(struct recording *t, struct str failed);

/* Call when a signal ends the program. Says on standard error where the tape of the running turn is. `live` may be NULL. */
void recording_tell_broken(const struct turn *live);

#endif
