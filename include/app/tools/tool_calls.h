/*
 * The calls of one answer that may run: which wait for the user's word, which run, what came of them. It knows neither screen nor session: the
 * chat and `weir ask` drive one of these.
 *
 * The one rule: a plan is started by tool_calls_approve() only, or by tool_calls_begin() for a tool that is approved already (app/tools/approval.h).
 * Both start the plan that the call has, which is what was shown. Calls of tools that are not in the set are the user's to answer.
 *
 *    tool_calls_begin() -> [tool_calls_asking() -> approve, edit or refuse] -> [loop] -> tool_calls_are_over() -> results -> tool_calls_fini()
 */
#ifndef WEIR_APP_TOOL_CALLS_H
#define WEIR_APP_TOOL_CALLS_H

#include "app/tools/approval.h"
#include "app/tools/tool_run.h"
#include "app/tools/tool_tape.h"

struct turn;

#define TOOL_CALLS_AT_ONCE 6 /* programs that run in parallel; the others wait for their turn */

enum tool_call_state {
	TOOL_CALL_ASKS,  /* waits for the user's word */
	TOOL_CALL_WAITS, /* is approved, and waits for its turn */
	TOOL_CALL_RUNS,
	TOOL_CALL_DONE,  /* has a result */
};

struct tool_call {
	unsigned call;               /* its index in the answer */
	size_t of;                   /* how many calls that has */
	const char *asker;           /* struct tool_rounds; NULL: nobody else could */
	uint64_t shown;              /* the number of its plan: no other call of any answer, and no plan of other arguments, has it */
	char *id, *name, *arguments; /* as the model sent them */
	enum tool_call_state state;
	bool edited;                 /* the user has changed its arguments */
	char *change;                /* what differs from the tool that was approved before; NULL: it is asked for another reason */
	struct tool tool;            /* a copy of its name, source, approve and facts, as they were when it was asked */
	struct tool_plan plan;
	struct tool_run run;
	enum tool_outcome outcome;   /* of TOOL_CALL_DONE */
	struct buf result;           /* of TOOL_CALL_DONE: for the model */
};

struct tool_calls { /* embedded, and not moved; all zero: none */
	struct tool_call *items;
	size_t count;
	const struct tool_set *set;
	struct approvals *approvals;
	bool changed;                /* cleared by who looks */
	struct tool_tape tape;       /* of the answer, which what runs is added to */
};

/* ASKS: as approvals say. ASKS_ALWAYS: each is asked for, whatever was approved. RUNS: all are approved by name (`weir ask --tools-allow`). */
enum tool_calls_how { TOOL_CALLS_ASK, TOOL_CALLS_ASK_ALWAYS, TOOL_CALLS_RUN };

/*
 * Takes up the valid calls of an answer that are for tools of the set. Those whose arguments are wrong, or whose tool is not offered, are done at
 * once and nothing of them runs. Borrows `set` and `approvals` until tool_calls_fini().
 */
void tool_calls_begin(struct tool_calls *c, const struct turn *answer, const struct tool_set *set, struct approvals *approvals,
                      enum tool_calls_how how);
void tool_calls_fini(struct tool_calls *c); /* ends what runs, at once */

const struct tool_call *tool_calls_find(const struct tool_calls *c, unsigned call); /* NULL: it is not one of these */
const struct tool_call *tool_calls_asking(const struct tool_calls *c);              /* the first that waits for a word; NULL: none */

const struct tool_call *tool_calls_shown(const struct tool_calls *c, uint64_t shown); /* the call that asks for that plan; NULL: none does any more */

/* Tells the plan, row by row; the last row is what the server says that its tool does, cut where that is long. */
void tool_call_tell(const struct tool_call *call, tool_plan_tell *tell, void *ctx);

/* For the call that asks for a plan. If none does, nothing happens. */
void tool_calls_approve(struct tool_calls *c, uint64_t shown);
/* The same, and every call of that tool in this conversation from now on, others of this answer that ask included. */
MUST_USE bool tool_calls_approve_all(struct tool_calls *c, uint64_t shown, struct error *err);
void tool_calls_refuse(struct tool_calls *c, uint64_t shown, struct str word); /* the word is for the model; it may be empty */
/* Other arguments, which are asked for in turn. False, with a sentence: they break the schema, and nothing changed. */
MUST_USE bool tool_calls_edit(struct tool_calls *c, uint64_t shown, struct str arguments, struct error *err);

bool tool_calls_run(const struct tool_calls *c);      /* one runs, or waits for its turn */
bool tool_calls_are_over(const struct tool_calls *c); /* all have a result */
void tool_calls_stop(struct tool_calls *c);           /* ends what runs, in time; what asks or waits has not run */
void tool_calls_add_results(const struct tool_calls *c, struct turn *question); /* of all, which have one */

size_t tool_calls_fds(const struct tool_calls *c, struct pollfd *fds, size_t room);
int64_t tool_calls_deadline(const struct tool_calls *c, int64_t now_ms);
void tool_calls_turn(struct tool_calls *c, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
