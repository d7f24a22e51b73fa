/*
 * An answer of a comparison: one target, and its answer, a turn of the session's conversation. It owns the exchange with its render queue and all
 * that the request needs; it borrows the turn.
 */
#ifndef WEIR_APP_COMPARED_ANSWER_H
#define WEIR_APP_COMPARED_ANSWER_H

#include "app/compare/compare_targets.h"
#include "app/session/owned_request.h"
#include "app/session/tape_choice.h"
#include "app/session/session.h"
#include "chat/conversation/queue.h"

struct compared_answer {
	struct compare_target *target;   /* borrowed */
	struct turn *turn;               /* its answer, the newest if it was retried */
	struct exchange *exchange;       /* NULL: it does not run */
	struct queue *queue;             /* deltas between two frames */
	struct owned_request owned;      /* request of the exchange */
	struct tape_choice tapes;
	size_t findings;                 /* of lint, in an answer that is over */
};

void compared_answer_init(struct compared_answer *a, struct compare_target *target, const struct setup *s);
void compared_answer_fini(struct compared_answer *a); /* ends a running exchange without a trace */

/*
 * The two halves of asking. compared_answer_prepare() fills in what does not depend on turns, and changes none. compared_answer_launch() sends the path up to
 * `question` and begins the answer, the end of the path then.
 */
MUST_USE bool compared_answer_prepare(struct compared_answer *a, struct setup *s, struct error *err);
void compared_answer_launch(struct compared_answer *a, struct setup *s, struct session *session, struct turn *question);

bool compared_answer_runs(const struct compared_answer *a);
void compared_answer_stop(struct compared_answer *a);
/* Moves what has arrived into the answer. True if something changed. After the end of the answer, `*ended` is set once. */
bool compared_answer_drain(struct compared_answer *a, bool *ended);
bool compared_answer_has_news(const struct compared_answer *a);

#endif
