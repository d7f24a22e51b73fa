/*
 * Scripts of the demo: what an answer says, whatever the protocol. One directive a line:
 *
 *   text WORDS...        a line of the answer; lines are joined by LF, an empty one is an empty line
 *   reasoning WORDS...   the same for reasoning       refusal WORDS...   and for a refusal
 *   call NAME JSON       a tool call                  wait MS            nothing arrives for a while
 *   error CODE WORDS...  an error in mid-stream       cut, stall         the connection breaks, or falls silent
 *   status N CODE WORDS  an HTTP error instead of a stream
 *   usage IN OUT CACHED REASONING                     finish stop | length | tool_calls | refusal
 *   route MODEL MS       sansa's routing object       pace N             deltas a second (default 60)
 *
 * The scripts are ours and compiled in: a line that is none of these asserts.
 */
#ifndef WEIR_APP_DEMO_SCRIPT_H
#define WEIR_APP_DEMO_SCRIPT_H

#include "wire/delta.h"

enum demo_step_kind { DEMO_TEXT, DEMO_REASONING, DEMO_REFUSAL, DEMO_CALL, DEMO_WAIT, DEMO_ERROR, DEMO_CUT, DEMO_STALL };
enum demo_finish { DEMO_FINISH_STOP, DEMO_FINISH_LENGTH, DEMO_FINISH_TOOLS, DEMO_FINISH_REFUSAL, DEMO_FINISH_COUNT };

struct demo_step {
	enum demo_step_kind kind;
	struct str name;     /* a call's name, an error's code */
	struct str text;     /* words, a call's arguments */
	long long wait_ms;
};

struct demo_script { /* borrows from its source */
	struct demo_step *steps;
	size_t count, capacity;
	int status;               /* 200, or an HTTP error whose body is the last step (DEMO_ERROR) */
	enum demo_finish finish;
	struct usage usage;
	struct str routed_model;  /* "": not routed */
	long long routing_ms;
	long long pace;
};

void demo_script_read(struct demo_script *script, struct str source); /* with zeroed *script */
void demo_script_fini(struct demo_script *script);

#endif
