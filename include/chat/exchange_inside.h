/*
 * The inside of an exchange, for exchange.c (its life), exchange_send.c (what goes out) and exchange_again.c (what makes it
 * go out once more). Everybody else includes chat/exchange.h.
 */
#ifndef WEIR_CHAT_EXCHANGE_INSIDE_H
#define WEIR_CHAT_EXCHANGE_INSIDE_H

#include "chat/answer.h"
#include "chat/continuation.h"
#include "chat/exchange.h"
#include "chat/refusal.h"
#include "chat/secret.h"

/* The states of an exchange; src/chat/exchange.c lists which may follow which. */
enum exchange_step {
	STEP_KEY,                    /* the key command runs */
	STEP_FAIL,                   /* `failure` is told by the next exchange_run(): nothing is told before the first one */
	STEP_REPAIR,                 /* the next one sends again: a source cannot be freed inside its callback */
	STEP_CONNECT,                /* the request is on its way */
	STEP_WAIT,                   /* for the first byte of an answer; a refusal may be coming */
	STEP_STREAM,
	STEP_RETRY,                  /* it waits for again_ms, to be sent once more */
	STEP_LINGER,                 /* the answer is whole, the connection may end by itself */
	STEP_OVER,
};

struct exchange {
	struct exchange_options o;
	char *base_url, *tape_path;  /* copies of the options' */
	struct request request;      /* as it goes out */
	struct stripped stripped;    /* its messages without opaque parts, when they were refused */
	enum continuation_way way;   /* it goes on with an answer so */
	bool is_replay;

	enum exchange_step step;     /* set by exchange_enter() alone */
	struct error failure;        /* STEP_FAIL */
	struct secret *secret;       /* NULL once an answer began */
	struct source *source;       /* of the request sent last; NULL: none was */
	size_t after_end;            /* STEP_LINGER: bytes of the body that came since */
	struct answer answer;
	struct buf url;              /* for people: no key in it */
	bool had_key, model_unknown;

	unsigned retries;            /* so far */
	int64_t again_ms, wait_ms;   /* STEP_RETRY: when, and how long that is in all */
	struct error why;            /* what failed before, in a line */
	struct buf attempts;         /* the same for the tape, a line each */

	int64_t started_ms;          /* at_ms 0: the request was sent, the replay began */
};

void exchange_enter(struct exchange *x, enum exchange_step step);

/* Sends as soon as the key is there. */
void exchange_use_key(struct exchange *x, int64_t now_ms);
void exchange_send_again(struct exchange *x, int64_t now_ms);

struct source_sink exchange_sink(struct exchange *x); /* what its source calls back */

struct refusal exchange_refusal(const struct exchange *x); /* of the answer that came */

/* The response ended in a refusal or without a byte of an answer. True: it will be sent again (STEP_REPAIR, STEP_RETRY). */
bool exchange_goes_again(struct exchange *x, enum end_how how, struct str detail, double at_ms);
/* The wait is over: a notice of it. */
void exchange_note_retry(struct exchange *x);
/* The user does not wait for it: what had failed is said. */
void exchange_note_given_up(struct exchange *x);

#endif
