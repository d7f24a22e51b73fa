/*
 * Totals: what a conversation took so far. Usage and money are those of all branches, removed ones too: they were paid for. Turns and
 * context are those of the path.
 */
#ifndef WEIR_CHAT_TOTALS_H
#define WEIR_CHAT_TOTALS_H

#include "chat/conversation.h"

struct totals {
	unsigned turns;       /* prompts of the path */
	struct usage usage;   /* the sum of what servers sent; of the completion, estimates where they sent none */
	bool prompt_is_rough; /* an answer came without this figure */
	bool completion_is_rough;
	double usd;           /* by list prices, without discounts for cached tokens; negative: some answer's price is unknown */
	int64_t in_context;   /* tokens of the last answer and of what was sent for it; 0: unknown */
};
struct totals conversation_totals(const struct conversation *c);

/* What an answer cost by list prices, in USD; negative: the price is unknown. */
double turn_cost(const struct turn *t);

#endif
