/*
 * A comparison: one question of the session's conversation, asked of several targets at once. Their answers are siblings below the question.
 * It knows no screen: the full screen and the linear mode drive it. The answers run at once, each stops and is retried alone, and one of them
 * is chosen to go on with. Each has rounds of calls of its own, as a session has (app/session/session_runs.h).
 *
 * While one of them runs the session is held (session_hold()): nothing else is sent, and the conversation's branches stay as they are.
 */
#ifndef WEIR_APP_COMPARE_H
#define WEIR_APP_COMPARE_H

#include "app/compare/compared_answer.h"

/*
 * began(): all were asked. asks(): calls of an answer wait for the user's word, or their results do (app/session/session_runs.h). ended(): an answer
 * is over, and complete in the conversation; called from compare_drain().
 */
struct compare_ways {
	void (*began)(void *ctx);
	void (*asks)(void *ctx, struct compared_answer *a);
	void (*ended)(void *ctx, struct compared_answer *a);
	void *ctx;
};

struct compare { /* embedded */
	struct setup *setup;
	struct session *session;
	const struct model_list *models; /* for prices */
	struct compare_ways ways;
	struct compare_targets targets; /* of this comparison, or of the last one, which can be repeated */
	struct compared_answer answers[COMPARE_MOST];
	size_t count;                   /* of answers; 0: nothing was compared yet */
	uint64_t number;                /* of the conversation that the answers belong to */
	bool asks_all;                  /* each prompt goes to all targets, until one is chosen */
};

void compare_init(struct compare *c, struct setup *s, struct session *session, const struct model_list *models,
                  const struct compare_ways *ways);
void compare_fini(struct compare *c); /* before the session is freed */


/*
 * Asks all targets: `prompt`, with the files attached so far, or the last question again if it is empty. On false nothing was sent and
 * nothing changed.
 */
MUST_USE bool compare_ask(struct compare *c, struct str prompt, struct error *err);

/*
 * "/compare [TARGETS] [WORDS]": names the targets, if there are any, and asks. With targets only, in an empty conversation, each prompt goes
 * to all of them from then on; "off" ends that. False, with a sentence: nothing was asked.
 */
MUST_USE bool compare_command(struct compare *c, struct str words, struct error *err);

/* --compare: each prompt goes to all targets. */
MUST_USE bool compare_begin(struct compare *c, struct str list, struct error *err);

bool compare_is_current(const struct compare *c); /* its answers belong to the conversation that goes on */
bool compare_runs(const struct compare *c);       /* at least one answer is under way */
const struct turn *compare_live(const struct compare *c); /* the first that comes over the wire; NULL: none */
size_t compare_running(const struct compare *c);  /* how many are */
bool compare_asks(const struct compare *c);       /* something of them waits for the user's word */
void compare_stop(struct compare *c);             /* stops all */
void compare_stop_others(struct compare *c, const struct compared_answer *a);
/* Asks one of the targets again: another sibling, which takes the place of its answer. Fails while it runs. */
MUST_USE bool compare_retry(struct compare *c, struct compared_answer *a, struct error *err);
/*
 * Goes on with an answer that is over: the path leads through it and its target is the setup's. The others are stopped and stay beside it.
 * compare_leave() does the same without a change of the target, with the first answer that ended well.
 */
MUST_USE bool compare_choose(struct compare *c, struct compared_answer *a, struct error *err);
void compare_leave(struct compare *c);

struct compared_answer *compare_on_path(struct compare *c); /* the one whose answer the path leads through; NULL: none */

bool compare_has_news(const struct compare *c);
bool compare_drain(struct compare *c);            /* once per frame; true if something changed */

struct loop_member compare_member(struct compare *c); /* before the painter */

#endif
