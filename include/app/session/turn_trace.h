/* The trace of an answer: from its tape in the ring, which may still be written, or from the tape that is played. */
#ifndef WEIR_APP_TURN_TRACE_H
#define WEIR_APP_TURN_TRACE_H

#include "chat/player/trace.h"

struct session;

struct turn_trace {
	struct tape_tail *tail;   /* owned; NULL: the tape is the player's */
	const struct tape *tape;
	struct trace *trace;      /* owned */
};

/* Nothing is decoded yet. `lint`: which findings its frames have. */
MUST_USE bool turn_trace_open(struct turn_trace *t, const struct session *s, const struct turn *turn, enum lint_level lint, struct error *err);
void turn_trace_close(struct turn_trace *t); /* legal when it is closed */

/* The first of the turn's parts that its tape made: those before belong to earlier requests. */
size_t turn_trace_first_part(const struct turn *turn);

#endif
