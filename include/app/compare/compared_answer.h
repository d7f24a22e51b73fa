/*
 * An answer of a comparison: one target, and the answer that is awaited from it. The turn of the answer belongs to a conversation. If its calls may
 * run, their results are sent to its target alone, and the answer to them is below it: `first` is that to the question, `awaited.turn` the last.
 * app/compare/compare.h drives several by frame, `weir ask --compare` without.
 */
#ifndef WEIR_APP_COMPARED_ANSWER_H
#define WEIR_APP_COMPARED_ANSWER_H

#include "app/compare/compare_targets.h"
#include "app/request/awaited.h"
#include "app/tools/tool_rounds.h"

struct compared_answer {
	struct compare_target *target;   /* borrowed */
	struct awaited awaited;
	struct turn *first;              /* NULL: nothing was sent yet */
	struct tool_rounds rounds;       /* of calls of the last turn */
};

void compared_answer_init(struct compared_answer *a, struct compare_target *target, struct setup *s, const struct awaited_owner *owner);

void compared_answer_fini(struct compared_answer *a); /* ends what runs, at once */

/* From compared_answer_begin() until nothing runs, and nothing of it waits for the user's word, any more. */
bool compared_answer_runs(const struct compared_answer *a);
void compared_answer_stop(struct compared_answer *a); /* in time: the answer as cancelled, its calls as the user wishes */

/* Fills in what the setup says of a request to the target, without messages. It changes no turn. */
MUST_USE bool compared_answer_prepare(struct compared_answer *a, struct error *err);
/* Sends what was prepared, with its messages. `tapes`: how many tapes were chosen before its own, for --tape FILE, FILE-2 ... */
void compared_answer_begin(struct compared_answer *a, struct turn *turn, unsigned tapes);

#endif
