/*
 * The conversation of `weir ask`: the one that --continue or --conversation names, else a new one, with the question and its answer. It is
 * kept in the history (app/keep/writer.h) unless the settings or --no-history say otherwise.
 */
#ifndef WEIR_APP_ASK_TALK_H
#define WEIR_APP_ASK_TALK_H

#include "app/ask/ask_input.h"
#include "app/setup/setup.h"
#include "app/keep/writer.h"

struct ask_talk { /* embedded */
	struct setup *setup;
	struct writer *writer;          /* NULL: nothing is kept */
	struct conversation *conversation;
	int64_t row;                    /* of a conversation that goes on; 0: a new one */
	struct turn *question;          /* NULL before ask_talk_question() */
	bool goes_on;
};

/* An answer to the question. All zero before ask_talk_answer(). */
struct ask_answer {
	struct turn *turn;
	struct projection projection;   /* of the whole conversation */
};

/*
 * Reads the conversation to go on with, and makes its provider, model, system prompt, parameters, tools and schema those of the setup where
 * no option says otherwise. From here on the setup keeps nothing unless `history` is yes. On false `err` says why: EXIT_LOCAL.
 */
MUST_USE bool ask_talk_open(struct ask_talk *t, struct setup *s, struct error *err);
void ask_talk_close(struct ask_talk *t);

/* Adds the question. */
void ask_talk_question(struct ask_talk *t, const struct ask_input *question);
/* Begins an answer by the setup's target, beside those that were begun, and writes both. The request gets the messages, borrowed from `a`. */
void ask_talk_answer(struct ask_talk *t, struct ask_answer *a, const struct ask_input *question, struct request *request);
/* A delta of the answer. */
void ask_talk_delta(struct ask_talk *t, struct ask_answer *a, const struct delta *delta);
/* Where the answer is recorded; "": not yet, or nowhere. */
void ask_talk_tape(struct ask_talk *t, struct ask_answer *a, struct str path);
/* The answer is over; writes what is missing. `details` are those of the exchange. */
void ask_talk_end(struct ask_talk *t, struct ask_answer *a, struct str details);
void ask_answer_fini(struct ask_answer *a);

#endif
