/*
 * Which tape a turn gets: --tape FILE (the second turn FILE-2), else a new one of the ring in the state folder (store/tapes.h).
 *
 * Where the ring cannot be used, that is told once and the program goes on without.
 */
#ifndef WEIR_APP_RECORDING_H
#define WEIR_APP_RECORDING_H

#include "app/setup.h"
#include "chat/conversation.h"
#include "store/tapes.h"

struct recording { /* embedded */
	const struct setup *setup;
	struct private_folder folder; /* of the ring: where the turn's tape is made */
	unsigned turns; /* so far */
	bool given_up;
};

void recording_init(struct recording *t, const struct setup *setup);
void recording_fini(struct recording *t);

/* The path of the next turn's tape, heap; NULL: none, and `note` then says why, or "". */
char *recording_next(struct recording *t, struct error *note);

/* The folder in which it is to be made, an open descriptor until the turn is over; 0: where the path leads. */
int recording_folder(const struct recording *t);
/* The ceiling of one tape: the whole ring, or as much as can be replayed. */
size_t recording_bytes(const struct recording *t);

/* True when the path is one of the ring: the turn goes on without it. One that the user named must be there. */
bool recording_may_fail(const struct recording *t);

/* The turn is over, its tape closed (`failed`: what went wrong with it, ""). Old tapes make room. */
void recording_over(struct recording *t, struct str failed);

/* A signal ends the program in the middle of a turn (NULL: none runs): says on standard error where that is. */
void recording_tell_broken(const struct turn *live);

#endif
