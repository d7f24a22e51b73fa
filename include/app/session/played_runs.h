/*
 * Runs of tools in a replay: what the tape has of them behind its end (net/tape.h), up to where the player is. Nothing is run.
 *
 * Tapes are untrusted: of more than PLAYED_RUNS_MOST runs the later ones are left out, and of what one wrote the last PLAYED_OUTPUT_BYTES are kept.
 */
#ifndef WEIR_APP_PLAYED_RUNS_H
#define WEIR_APP_PLAYED_RUNS_H

#include "chat/conversation/turn.h"
#include "net/tape.h"
#include "ui/view.h"

#define PLAYED_RUNS_MOST 64u
#define PLAYED_OUTPUT_BYTES ((size_t)64 << 10)

struct played_run {
	uint32_t number, call;
	char *name;
	double begun_ms, ms;      /* when it began, in the tape; how long it ran, once it has ended */
	bool ended;
	enum call_run state;
	struct buf output;        /* as it came; the result once it has ended */
};

struct played_runs { /* embedded; all zero: none */
	struct played_run *items;
	size_t count, capacity;
	size_t steps;             /* of those behind the end that were played */
};

/* Goes to where so many of the steps behind the end were played, and marks the calls of the answer. True: something changed. */
bool played_runs_go(struct played_runs *r, const struct tape *tape, size_t steps, struct turn *answer);
void played_runs_fini(struct played_runs *r); /* empty then */

/* Shows them at a time of the tape: as they were, and how they ended. The last ones, if they are too many. Borrowed until they go on. */
void played_runs_show(const struct played_runs *r, double at_ms, struct view *view);

#endif
