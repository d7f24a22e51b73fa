/*
 * The conversation of `weir ask`: the one that --continue or --conversation names, else a new one, with the question and its answer. It is
 * kept in the history (app/keep/writer.h) unless the settings or --no-history say otherwise.
 */
#ifndef WEIR_APP_ASK_TALK_H
#define WEIR_APP_ASK_TALK_H

#include "app/ask/ask_input.h"
#include "app/keep/writer.h"
#include "app/request/awaited.h"

struct ask_talk { /* embedded */
	struct setup *setup;
	struct writer *writer;          /* NULL: nothing is kept */
	struct conversation *conversation;
	int64_t row;                    /* of a conversation that goes on; 0: a new one */
	struct turn *question;          /* NULL before ask_talk_question() */
	struct model_list prices;       /* of what is kept */
	char *unpriced;                 /* the model that the budget does not count, as was told last; NULL: none */
	bool goes_on;
};

/*
 * Reads the conversation to go on with, and makes its provider, model, system prompt, parameters, tools and schema those of the setup where
 * no option says otherwise. From here on the setup keeps nothing unless `history` is yes. On false `err` says why: EXIT_LOCAL.
 */
MUST_USE bool ask_talk_open(struct ask_talk *t, struct setup *s, struct error *err);
void ask_talk_close(struct ask_talk *t);

/* Adds the question. */
void ask_talk_question(struct ask_talk *t, const struct ask_input *question);
/* Begins an answer by the target, beside those that were begun, and writes both. `owned` gets the messages, which borrow from `question`. */
struct turn *ask_talk_answer(struct ask_talk *t, const struct target *target, const struct ask_input *question, struct owned_request *owned);
/* Adds the results of calls below the last answer: the next answer is to them. Returns their turn, to be filled. */
struct turn *ask_talk_results(struct ask_talk *t);
/* An answer has changed: call it soon after. `talk` is the struct. */
void ask_talk_changed(void *talk);
const struct model_list *ask_talk_prices(const struct ask_talk *t); /* for answers; NULL: nothing is kept */
/* The answer is over; writes what is missing. `details` are those of the exchange. */
void ask_talk_end(struct ask_talk *t, struct turn *answer, struct str details);
/* A note if the budget does not count the answer (app/keep/budget.h). Call it when nothing of the answer is being printed. */
void ask_talk_tell_budget(struct ask_talk *t, const struct turn *answer);
/* Tells a note on standard error. `ctx` is not used. */
void ask_talk_tell(void *ctx, struct str sentence);

#endif
