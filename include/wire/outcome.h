/*
 * Outcomes: how a turn ended. Every turn has exactly one (src/wire/README.md, "An answer").
 */
#ifndef WEIR_WIRE_OUTCOME_H
#define WEIR_WIRE_OUTCOME_H

#include "base/exit_status.h"
#include "base/text.h"

/*          name        name in JSON   exit status of ask and decode */
#define OUTCOMES(X)                                                  \
	X(COMPLETE,   "complete",    EXIT_DONE)                      \
	X(TOOL_CALLS, "tool_calls",  EXIT_DONE)                      \
	X(LENGTH,     "length",      EXIT_DONE)                      \
	X(FILTERED,   "filtered",    EXIT_DONE)                      \
	X(PAUSED,     "paused",      EXIT_DONE)                      \
	X(ERROR,      "error",       EXIT_ERROR)                     \
	X(CUT,        "cut",         EXIT_CUT)                       \
	X(STALLED,    "stalled",     EXIT_CUT)                       \
	X(CANCELLED,  "cancelled",   EXIT_CANCELLED)

enum outcome {
#define X(upper, name, status) OUTCOME_##upper,
	OUTCOMES(X)
#undef X
};

/* How the source ended. A tape's last line contains the name. */
enum end_how { END_CLOSED, END_CUT, END_STALLED, END_CANCELLED };

const char *outcome_name(enum outcome outcome);
int outcome_exit_status(enum outcome outcome);
bool outcome_is_trouble(enum outcome outcome);       /* its exit status is not EXIT_DONE */
const char *end_how_name(enum end_how how);          /* "closed", "cut", "stalled", "cancelled" */
bool end_how_from(struct str name, enum end_how *how);

/*
 * The outcome for a finish word of any protocol. Unknown words and "" give OUTCOME_COMPLETE. So do words such as "tool_calls", because
 * only received calls give OUTCOME_TOOL_CALLS.
 */
enum outcome outcome_of_finish(struct str word);

/* True for words without further information (stop, end_turn, STOP, eos ...). They never replace a more specific word. */
bool outcome_is_plain_stop(struct str word);

/* Appends the message of an error for users. If the message equals the finish word, appends a sentence that says so. */
void outcome_say_error(struct str message, struct str finish, struct buf *out);

#endif
