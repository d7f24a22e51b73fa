/*
 * Totals: what answers took, in tokens and money, and sums of it. Usage and money are those of all branches, removed ones too: they were paid for.
 * Turns and context are those of the path.
 */
#ifndef WEIR_CHAT_TOTALS_H
#define WEIR_CHAT_TOTALS_H

#include <stddef.h>

#include "chat/conversation/cost.h"
#include "wire/usage.h"

struct conversation;
struct turn;

/* What one answer took, or several. */
struct spending {
	struct usage usage;       /* what servers sent; of the completion, estimates where they sent none */
	bool prompt_is_rough;     /* an answer came without this figure */
	bool completion_is_rough;
	struct cost cost;
};
struct spending turn_spending(const struct turn *t);

/* A row of sums: the answers of one model; "": it is not known which, as with some that were imported. */
struct cost_report_row { const char *provider, *model; unsigned answers; struct spending took; };
/* Adds up the rows of the same provider and model, in order of first appearance. Returns how many are left. */
size_t cost_report_by_model(struct cost_report_row *rows, size_t count);

/* Tokens of an answer and of what was sent for it, as the server counted them, or by an estimate. 0: unknown. */
struct context { int64_t tokens; bool is_rough; };
struct context turn_context(const struct turn *t);

struct totals {
	unsigned turns;       /* prompts of the path */
	struct spending took;
	struct context context; /* behind the last answer of the path */
};
struct totals conversation_totals(const struct conversation *c);
struct context conversation_context(const struct conversation *c); /* the same alone. Cheap: for each frame */
bool turn_is_prompt(const struct turn *t); /* false also for results of calls */
/* The number of a turn as the totals count: prompts on the way to it, its own included. NULL: 0. */
unsigned turn_ordinal(const struct turn *t);
/* A row for each answer of the conversation but its asides and copies, which it borrows from; heap. */
struct cost_report_row *conversation_spending(const struct conversation *c, size_t *count);

#endif
