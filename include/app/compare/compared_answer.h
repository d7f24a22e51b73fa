/*
 * An answer of a comparison: one target, and the answer that is awaited from it. The turn of the answer belongs to a conversation.
 * app/compare/compare.h drives several by frame, `weir ask --compare` without.
 */
#ifndef WEIR_APP_COMPARED_ANSWER_H
#define WEIR_APP_COMPARED_ANSWER_H

#include "app/compare/compare_targets.h"
#include "app/request/awaited.h"

struct compared_answer {
	struct compare_target *target;   /* borrowed */
	struct awaited awaited;          /* its turn is the newest answer, if it was retried */
};

void compared_answer_init(struct compared_answer *a, struct compare_target *target, struct setup *s, const struct awaited_owner *owner);

/* Fills in what the setup says of a request to the target, without messages. It changes no turn. */
MUST_USE bool compared_answer_prepare(struct compared_answer *a, struct error *err);
/* Sends what was prepared, with its messages. `tapes`: how many tapes were chosen before its own, for --tape FILE, FILE-2 ... */
void compared_answer_begin(struct compared_answer *a, struct turn *turn, unsigned tapes);

#endif
