/*
 * Rounds: the calls of an answer that has ended run, their results are sent, and the next answer may ask for more. A session has one of these, and
 * so has each answer of a comparison. It sends nothing: its owner does.
 */
#ifndef WEIR_APP_TOOL_ROUNDS_H
#define WEIR_APP_TOOL_ROUNDS_H

#include "app/tools/tool_calls.h"

struct tool_rounds { /* embedded, and not moved; all zero: nothing is taken up */
	struct tool_calls calls;
	struct turn *answer;           /* whose calls they are; NULL: none are taken up */
	const char *asker;             /* who asks, for the user; borrowed; NULL: there is only one */
	unsigned sent;                 /* by themselves since the last prompt */
	bool holds;                    /* the results wait for the user's word */
	bool stopped;                  /* the user stopped them: nothing is sent by itself */
};

/* Takes up the calls of an answer that has ended and asks for some, in place of those before (app/tools/tool_calls.h). */
void tool_rounds_begin(struct tool_rounds *r, struct turn *answer, const struct tool_set *set, struct approvals *approvals,
                       enum tool_calls_how how);
void tool_rounds_leave(struct tool_rounds *r); /* ends them at once; what has no result did not run */
void tool_rounds_stop(struct tool_rounds *r);  /* in time, as the user wishes */
void tool_rounds_note(struct tool_rounds *r);  /* how each call stands goes into the answer */
bool tool_rounds_are_spent(const struct tool_rounds *r, long long most); /* `most`: the setting; 0: it is not set */
/* Appends why they hold, as a sentence. */
void tool_rounds_write_hold(const struct tool_rounds *r, long long most, struct buf *out);

#endif
