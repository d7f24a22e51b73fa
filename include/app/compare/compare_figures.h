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

/* `findings`: of lint, in the answer as it is now. */
void compare_figures_take(struct compare_figures *f, const char *label, const struct turn *t, size_t findings);

void compare_write_tokens(const struct compare_figures *f, struct buf *out); /* "~213", "-" */
/* Appends a table of lines: a head, and a line for each. */
void compare_write_table(const struct compare_figures *rows, size_t count, struct buf *out);
/* Appends what is known of one, separated by two blanks: "84.0/s  first 0.42 s  1.40 s  $0.0021  lint 2  213 tokens". */
void compare_write_figures(const struct compare_figures *f, struct buf *out);
/* The one with the highest rate of those that have not failed; `count` if less than two of them have one. */
size_t compare_fastest(const struct compare_figures *rows, size_t count);

#endif
