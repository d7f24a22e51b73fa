/*
 * Private definitions of an exchange, for exchange.c (states and limits), exchange_send.c (sending) and exchange_again.c (repairs and
 * retries). Other files include chat/exchange/exchange.h.
 */
#ifndef WEIR_CHAT_EXCHANGE_INSIDE_H
#define WEIR_CHAT_EXCHANGE_INSIDE_H

#include "base/json_draft.h"
#include "chat/exchange/answer.h"
#include "chat/exchange/continuation.h"
#include "chat/exchange/exchange.h"
#include "chat/exchange/refusal.h"
#include "chat/exchange/secret.h"

/* States of an exchange. src/chat/exchange/exchange.c lists the transitions. */
enum exchange_step {
	STEP_KEY,                    /* waits for the key command */
	STEP_FAIL,                   /* the next exchange_run() reports `failure`: no delta is given before the first one */
	STEP_BUILD,                  /* makes the body, a part in each exchange_run() if it is large */
	STEP_REPAIR,                 /* the next exchange_run() sends again: a source cannot be freed in its own callback */
	STEP_CONNECT,                /* connecting or sending the request */
	STEP_WAIT,                   /* waits for the first byte of an answer; a refusal may be arriving */
	STEP_STREAM,
	STEP_RETRY,                  /* waits until again_ms to be sent again */
	STEP_LINGER,                 /* the answer is complete; the connection may end by itself */
	STEP_OVER,
	STEP_HELD,                   /* its owner holds it: nothing has begun */
};

struct exchange {
	struct exchange_options o;
	char *base_url, *tape_path, *given_body; /* owned copies of the options' */
	struct request request;      /* as sent */
	struct stripped stripped;    /* messages without opaque parts, after those were refused */
	enum continuation_way way;   /* how the request continues an answer */

	enum exchange_step step;     /* changed by exchange_enter() only */
	struct error failure;        /* STEP_FAIL */
	struct secret *secret;       /* NULL once an answer has begun */
	struct json_draft draft;     /* STEP_BUILD: of the body; it borrows from `request` */
	struct buf body;             /* `source` borrows it */
	bool tapes_request;          /* the body goes to the tape too */
	struct source *source;       /* of the last request; NULL: none sent */
	size_t after_end;            /* STEP_LINGER: body bytes received since the end */
	struct answer answer;
	struct buf url;              /* for display: contains no key */
	bool had_key, model_unknown;
	struct findings *findings;   /* NULL: the answer is not checked */

	unsigned retries;            /* number so far */
	int64_t again_ms, wait_ms;   /* STEP_RETRY: end and total length of the wait */
	struct error why;            /* the failure before, in one line */
	struct buf attempts;         /* the failed attempts as lines for the tape */

	int64_t started_ms;          /* at_ms 0: the request was sent or the replay began */
};

void exchange_enter(struct exchange *x, enum exchange_step step);

/* Sends the request if the key is available. */
void exchange_use_key(struct exchange *x, int64_t now_ms);
void exchange_send_again(struct exchange *x, int64_t now_ms);
/* STEP_BUILD: makes the next part of the body, and sends it when it is whole. */
void exchange_build(struct exchange *x, int64_t now_ms);

struct source_sink exchange_sink(struct exchange *x); /* callbacks for its source */

struct refusal exchange_refusal(const struct exchange *x); /* describes the response received */

/*
 * Called when the response ended in a refusal or without a byte of an answer. True: the request will be sent again (STEP_REPAIR,
 * STEP_RETRY).
 */
bool exchange_goes_again(struct exchange *x, enum end_how how, struct str detail, double at_ms);
/* Adds the notice of a retry when its wait is over. */
void exchange_note_retry(struct exchange *x);
/* Reports the failure when the user cancels the wait. */
void exchange_note_given_up(struct exchange *x);

#endif
