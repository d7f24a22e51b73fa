/*
 * Outcomes: how a turn ended. Every turn ends in exactly one (CONTRACT.md, "Outcome of a turn").
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

/* How the bytes ended, as the source saw it (also the words of a tape's last line). */
enum end_how { END_CLOSED, END_CUT, END_STALLED, END_CANCELLED };

const char *outcome_name(enum outcome outcome);
int outcome_exit_status(enum outcome outcome);
bool outcome_is_trouble(enum outcome outcome);       /* its exit status is none of success */
const char *end_how_name(enum end_how how);          /* "closed" ... */
bool end_how_from(struct str name, enum end_how *how);

/*
 * The outcome that a finish word of any protocol stands for. Unknown words and "" are OUTCOME_COMPLETE, and so are those that
 * speak of tools, because only assembled calls make OUTCOME_TOOL_CALLS.
 */
enum outcome outcome_of_finish(struct str word);

/* True for words that say no more than "it stopped" (stop, end_turn, STOP, eos ...): they never replace a more specific one. */
bool outcome_is_plain_stop(struct str word);

/* Appends what people are told of an error: its message; that there was only a finish word when the message is no more than that. */
void outcome_say_error(struct str message, struct str finish, struct buf *out);

#endif
