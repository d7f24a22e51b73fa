/*
 * The tools of `weir ask --tools-allow NAME,...`: the model is offered exactly these, and their calls run without a question, since the command
 * line names them. An answer that asks for another tool, too, ends as it does without the option, and nothing of it runs.
 */
#ifndef WEIR_APP_ASK_TOOLS_H
#define WEIR_APP_ASK_TOOLS_H

#include "app/ask/ask_output.h"
#include "app/tools/tool_calls.h"

struct loop;

struct ask_tools { /* embedded; all zero: nothing has run */
	struct tool_calls calls;
	unsigned rounds;           /* so far */
	struct told { size_t output, result; } *told; /* of each call: bytes of its output that were told, and what they are of its result */
};

/* Offers the tools that the option names. False, a usage error: one is no tool, cannot run, or is `never`. */
MUST_USE bool ask_tools_allow(struct setup *s, struct error *err);
/* Whether the calls of an answer that has ended run, after so many rounds. False: there are none, some are for other tools, or no round is left. */
bool ask_tools_may_run(struct setup *s, const struct turn *answer, unsigned rounds);
/*
 * Starts the calls of an answer that has ended. False: they may not run. Fini it then, too.
 */
MUST_USE bool ask_tools_begin(struct ask_tools *t, struct setup *s, const struct turn *answer, struct ask_output *output);
/* Runs them to their end in the loop; `stop` is set by a signal: they are ended, in time. Tells each. */
void ask_tools_run(struct ask_tools *t, struct loop *loop, const bool *stop, struct ask_output *output);
void ask_tools_fini(struct ask_tools *t);

#endif
