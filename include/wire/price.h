/*
 * Money: what a server says an answer cost, and the prices of tokens. All of it is in US dollars, the only currency that a provider
 * reports or lists.
 */
#ifndef WEIR_WIRE_PRICE_H
#define WEIR_WIRE_PRICE_H

#include "wire/usage.h"

struct money { double usd; bool known; }; /* all zero: unknown */
#define MONEY(n) ((struct money){ .usd = (n), .known = true })
#define MONEY_UNKNOWN ((struct money){ .known = false })

/* All zero: unknown. */
struct prices {
	struct money of[USAGE_FIGURE_COUNT]; /* per million tokens; a part without a price has the price of its total (wire/usage.h) */
	int64_t prompt_below;                /* they hold for prompts with fewer tokens; 0: for all */
};

bool prices_are_known(const struct prices *prices); /* of prompt and completion */

#endif
