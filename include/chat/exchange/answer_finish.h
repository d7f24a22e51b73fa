/*
 * What an answer gets of its exchange besides deltas: why it waits, and at its end details and notes. For all who drive an exchange into a
 * turn that is shown.
 */
#ifndef WEIR_CHAT_ANSWER_FINISH_H
#define WEIR_CHAT_ANSWER_FINISH_H

#include "chat/exchange/exchange.h"
#include "chat/exchange/findings.h"

struct turn;

/* Updates the sentence about a pending retry. True if it changed, at most once a second. */
bool answer_tell_waiting(struct turn *t, const struct exchange *x, int64_t now_ms);

void answer_note_findings(struct turn *t, const struct findings *findings); /* a notice below the answer, if there is one */

/*
 * The answer is over: details, whether the model is unknown, notes about the tape, about what lint found and about whether the text conforms
 * to the schema of the request ("": there was none). Returns the error of the tape, borrowed from the exchange; "": none.
 */
struct str answer_finish(struct turn *t, struct exchange *x, struct str schema);

#endif
