/*
 * An awaited answer: one request to a provider that is under way, from what it carries to the end of its answer. Everything that asks a
 * model drives one of these: the chat, a comparison, `weir ask`, titles and the probe.
 *
 * It owns the request, the choice of the tape, the exchange and, with `by_frame`, the render queue. It borrows the turn of the answer, which
 * belongs to a conversation. It knows no screen and no output: the owner is told what it has to show.
 *
 * Two ways to fill the turn. With `by_frame` deltas wait in the queue until awaited_drain(), once a frame, and the turn gets all that is
 * shown with it: why it waits, its details, notes. Without it each delta goes into the turn as it arrives; notes are the owner's matter.
 *
 *    awaited_init() -> fill in `owned` -> awaited_begin() -> [loop, awaited_drain()] -> awaited_is_over() -> awaited_drop() -> ...
 */
#ifndef WEIR_APP_AWAITED_H
#define WEIR_APP_AWAITED_H

#include "app/request/owned_request.h"
#include "app/request/tape_choice.h"
#include "app/setup/model_list.h"
#include "chat/conversation/queue.h"
#include "chat/exchange/exchange.h"

/* Who waits, and how. All members may be NULL. */
struct awaited_owner {
	bool by_frame;
	const struct model_list *models; /* prices of the answer, set at its end; it must outlive the answer. NULL: it gets none */
	void (*delta)(void *ctx, const struct delta *delta); /* each delta, as it arrives; without `by_frame` it is in the turn already */
	void (*changed)(void *ctx);      /* deltas or the path of the tape are in the turn */
	void (*retry)(void *ctx, const struct exchange_retry *retry); /* the request will be sent again; once for each time */
	void (*note)(void *ctx, struct str sentence); /* no tape, or a file that is left out. NULL: a note of the turn */
	void *ctx;
};

struct awaited { /* embedded */
	struct setup *setup;
	struct awaited_owner owner;
	struct queue *queue;             /* NULL without `by_frame` */
	struct tape_choice tapes;
	struct owned_request owned;      /* what is sent; the owner fills it in before awaited_begin() */
	struct exchange *exchange;       /* NULL: none is under way, or it was dropped */
	struct turn *turn;               /* the answer, also after awaited_drop(); NULL before the first awaited_begin() */
	size_t findings;                 /* of lint in an answer that is over */
	int64_t ends_ms;                 /* when it is cancelled, or NO_DEADLINE */
	unsigned retry;                  /* number of the retry that was told last */
	bool late;                       /* it was cancelled because of its limit */
	bool over;
};

/* What differs from a request to the setup's target. All zero: nothing. */
struct awaited_how {
	const struct target *target;     /* provider, protocol and dialect, which outlive the exchange; NULL: the setup's */
	struct str model;                /* asked for in place of the turn's; STR_NONE: the turn's */
	struct str body;                 /* sent in place of one made of the request (chat/exchange/exchange.h); STR_NONE: none is */
	environment *env;                /* NULL: process_environment() */
	bool once;                       /* it is not retried */
	enum lint_level lint;
	int64_t limit_ms;                /* after which it is cancelled; 0: none */
	bool no_tape;
	/* A tape of that name in that folder, of at most so many bytes; NULL: the choice of the settings (app/request/tape_choice.h). */
	const char *tape;
	int tape_folder;
	size_t tape_bytes;
};

void awaited_init(struct awaited *a, struct setup *setup, const struct awaited_owner *owner); /* copies `owner` */
void awaited_fini(struct awaited *a); /* ends a running exchange without a trace */

/*
 * Sends `owned` and fills the answer into `turn`, which has the model to ask for. Files of the request that the provider does not take are
 * left out, with a note. Failures are those of the answer: they arrive as deltas.
 */
void awaited_begin(struct awaited *a, struct turn *turn, const struct awaited_how *how);

bool awaited_runs(const struct awaited *a);      /* from awaited_begin() to awaited_drop() */
/*
 * The answer is over and complete in the turn: with its price and, by frame, with details and notes, and its tape is closed. By frame this
 * becomes true in awaited_drain() only. The exchange is still there.
 */
bool awaited_is_over(const struct awaited *a);
bool awaited_is_closed(const struct awaited *a); /* and nothing more comes over the connection, so nothing goes to the tape */
void awaited_stop(struct awaited *a);            /* ends it as cancelled; nothing after its end */
void awaited_drop(struct awaited *a);            /* frees exchange and request; what was not drained is lost */
size_t awaited_findings(const struct awaited *a); /* of lint, so far */

/* By frame: moves what has arrived into the turn. True if the turn changed, or the sentence that says why it waits. */
bool awaited_drain(struct awaited *a);
bool awaited_has_news(const struct awaited *a);  /* deltas wait for awaited_drain() */

/* Closes the tape of an answer that is over, and makes room for the next. Returns its error, borrowed from the exchange; "": none. */
struct str awaited_close_tape(struct awaited *a);

/* The loop's member, and its parts for who drives several as one. `ctx` is the awaited answer; without an exchange they do nothing. */
struct loop_member awaited_member(struct awaited *a);
size_t awaited_fds(void *awaited, struct pollfd *fds, size_t room);
int64_t awaited_deadline(void *awaited);
void awaited_run(void *awaited, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
