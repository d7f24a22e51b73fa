/*
 * Costs: what an answer cost, and sums of such costs.
 *
 * A cost is what the provider reported (exact), else it is computed from tokens and prices (estimated), else it is unknown. It is never
 * guessed: nothing is computed from tokens that were not counted, or from counts that contradict one another.
 */
#ifndef WEIR_CHAT_COST_H
#define WEIR_CHAT_COST_H

#include "wire/price.h"

/* All zero: nothing was spent. A sum has several flags: where `is_unknown` is set beside others, more than `usd` was spent. */
struct cost {
	double usd;
	bool is_reported;  /* it has a part that the provider reported */
	bool is_estimated; /* it has a part that was computed from prices */
	bool is_unknown;   /* it has a part that nobody knows */
};

/*
 * The cost of one request. Each token is priced once: cached and cache-write tokens at their prices and the rest of the prompt at its
 * own; likewise reasoning and the completion. Servers that count reasoning beside the completion are recognised by their total.
 */
struct cost cost_of(const struct usage *usage, struct money reported, const struct prices *prices);
struct cost cost_sum(struct cost a, struct cost b);

#endif
