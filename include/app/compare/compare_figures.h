/*
 * The figures of compared answers, and their table: the same on the screen, in the linear mode and of `weir ask --compare`.
 */
#ifndef WEIR_APP_COMPARE_FIGURES_H
#define WEIR_APP_COMPARE_FIGURES_H

#include "app/compare/compared_answer.h"
#include "chat/conversation/cost.h"

struct compare_figures {
	const char *label;       /* of the target; borrowed */
	const char *outcome;     /* its name; "" while it runs */
	bool failed;             /* it ended, and not well */
	double first_ms, total_ms, rate; /* negative: unknown */
	int64_t tokens;          /* of the answer; 0: none yet */
	bool tokens_are_rough;   /* an estimate */
	struct cost cost;
	size_t findings;         /* of lint */
};

/* Of the answer as it is now. What its calls led to counts: time, tokens and money are those of all its turns, the rate is that of the last one. */
void compare_figures_take(struct compare_figures *f, const struct compared_answer *a);

/* Each figure with the columns of a table that it needs, its heading included, and what it says. */
#define COMPARED_FACTS(X) \
	X(STATE, "state", 10, "under way, or how it ended") \
	X(FIRST, "first token", 11, "time from the request to the first token") \
	X(WHOLE, "whole", 9, "time from the request to the end") \
	X(TOKENS, "tokens", 7, "of the answer; ~ is an estimate, - is not known") \
	X(RATE, "tokens/s", 8, "tokens a second, from the first token to the last one") \
	X(MONEY, "money", 9, "what it costs; ~ is reckoned from a list of prices") \
	X(FINDINGS, "lint", 4, "how often the stream deviates from its protocol")
enum compared_fact {
#define X(upper, name, columns, meaning) COMPARED_##upper,
	COMPARED_FACTS(X)
#undef X
	COMPARED_FACT_COUNT
};
struct compared_fact_kind { const char *name; unsigned columns; const char *meaning; };
extern const struct compared_fact_kind compared_facts[COMPARED_FACT_COUNT];

void compare_write_fact(const struct compare_figures *f, enum compared_fact fact, struct buf *out); /* "under way", "0.42 s", "~213", "-" */
unsigned compare_table_columns(const struct compare_figures *rows, size_t count);
/* Appends a table of lines: a head, and a line for each. */
void compare_write_table(const struct compare_figures *rows, size_t count, struct buf *out);
/* The same where its lines have no room: a line for each figure. */
void compare_write_facts(const struct compare_figures *rows, size_t count, struct buf *out);

#endif
