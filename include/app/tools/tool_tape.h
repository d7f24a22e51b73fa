/*
 * What the runs of one answer leave on its tape, behind the end (net/tape.h): what was called with which arguments, what it wrote and when, its
 * state at the end and its result; and messages of MCP servers meanwhile, but for those of other calls. Never what the environment holds, nor a
 * command of the settings, nor what the user has filled in for a server: there might be a key in them.
 *
 * It looks at calls after something has happened to them. The tape is opened with the first thing to tell, and closed with the last.
 */
#ifndef WEIR_APP_TOOL_TAPE_H
#define WEIR_APP_TOOL_TAPE_H

#include "app/mcp/mcp_hub.h"
#include "net/tape.h"

#define TOOL_TAPE_BYTES ((size_t)64 << 20) /* that are added to a tape at most */

struct tool_call;

struct tool_tape { /* embedded, and not moved; all zero: there is no tape */
	char *path;                 /* NULL: nothing is written */
	struct tape_writer *writer; /* NULL: not open */
	double begun_ms;            /* of the tape: the end of the answer */
	double since_ms;            /* what clock_precise_ms() was then */
	struct told_run *told;      /* of each call; NULL: nothing yet */
	size_t count;
	struct mcp_watch watch;
	const struct tool_call *calls; /* those that it watches for; borrowed */
	struct error trouble;       /* why it is not written any more; "": it is */
};

void tool_tape_init(struct tool_tape *t, const char *path, double begun_ms, size_t calls); /* path NULL: there is none */
void tool_tape_fini(struct tool_tape *t);
/* Before a call of one of its servers begins; `calls`: all of the answer, as many as were said before, which do not move. */
void tool_tape_watch(struct tool_tape *t, struct mcp_hub *hub, const struct tool_call *calls);
/* Why it is not written any more, once. False: it is, or that was told. */
MUST_USE bool tool_tape_tell(struct tool_tape *t, struct error *trouble);
void tool_tape_note(struct tool_tape *t, const struct tool_call *calls, size_t count); /* writes what is new */

#endif
