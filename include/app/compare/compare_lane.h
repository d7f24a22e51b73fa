/*
 * A lane of a comparison: one target, and its answer, a turn of the session's conversation. It owns the exchange with its render queue and all
 * that the request needs; it borrows the turn.
 */
#ifndef WEIR_APP_COMPARE_LANE_H
#define WEIR_APP_COMPARE_LANE_H

#include "app/compare/compare_targets.h"
#include "app/session/owned_request.h"
#include "app/session/recording.h"
#include "app/session/session.h"
#include "chat/conversation/queue.h"

struct compare_lane {
	struct compare_target *target;   /* borrowed */
	struct turn *turn;               /* its answer, the newest if it was retried */
	struct exchange *exchange;       /* NULL: it does not run */
	struct queue *queue;             /* deltas between two frames */
	struct owned_request owned;      /* request of the exchange */
	struct recording recording;
	size_t findings;                 /* of lint, in an answer that is over */
};

void lane_init(struct compare_lane *l, struct compare_target *target, const struct setup *s);
void lane_fini(struct compare_lane *l); /* ends a running exchange without a trace */

/*
 * The two halves of asking. lane_prepare() fills in what does not depend on turns, and changes none. lane_launch() sends the path up to
 * `question` and begins the answer, the end of the path then.
 */
MUST_USE bool lane_prepare(struct compare_lane *l, struct setup *s, struct error *err);
void lane_launch(struct compare_lane *l, struct setup *s, struct session *session, struct turn *question);

bool lane_runs(const struct compare_lane *l);
void lane_stop(struct compare_lane *l);
/* Moves what has arrived into the answer. True if something changed. After the end of the answer, `*ended` is set once. */
bool lane_drain(struct compare_lane *l, bool *ended);
bool lane_has_news(const struct compare_lane *l);

#endif
