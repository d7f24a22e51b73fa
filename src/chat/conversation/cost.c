#include "chat/conversation/cost.h"

#define MILLION 1e6

/* Reasoning is a part of the completion, unless it is the greater one or the sum of all three is the total: xAI counts it apart. */
static bool cost_is_beside(const struct usage *usage, enum usage_figure part)
{
	int64_t whole = usage->of[USAGE_COMPLETION].number, own = usage->of[USAGE_REASONING].number;

	if (part != USAGE_REASONING || !own)
		return false;
	return own > whole || usage->of[USAGE_TOTAL].number == usage->of[USAGE_PROMPT].number + whole + own;
}

/* Adds a total and its parts. False if the price is unknown or the parts are more than their total. */
static bool cost_add_total(const struct usage *usage, const struct prices *prices, enum usage_figure total, double *usd)
{
	int64_t rest = usage->of[total].number;
	bool any = rest > 0;

	for (enum usage_figure part = 0; part < USAGE_FIGURE_COUNT; part++) {
		int64_t number = usage->of[part].number;

		if (part == total || usage_row(part)->part_of != total || !number)
			continue;
		any = true;
		rest -= cost_is_beside(usage, part) ? 0 : number;
		*usd += (double)number * (prices->of[part].known ? prices->of[part].usd : prices->of[total].usd) / MILLION;
	}
	if (rest < 0 || (any && !prices->of[total].known))
		return false;
	*usd += (double)rest * prices->of[total].usd / MILLION;
	return true;
}

struct cost cost_of(const struct usage *usage, struct money reported, const struct prices *prices)
{
	static const struct cost unknown = { .is_unknown = true };
	int64_t prompt = usage->of[USAGE_PROMPT].number;
	double usd = 0;

	if (reported.known)
		return (struct cost){ .usd = reported.usd, .is_reported = true };
	if (!usage_is_positive(usage))
		return (struct cost){ .usd = 0 };
	if (!usage->of[USAGE_PROMPT].sent || !usage->of[USAGE_COMPLETION].sent || (prices->prompt_below && prompt >= prices->prompt_below))
		return unknown;
	if (!cost_add_total(usage, prices, USAGE_PROMPT, &usd) || !cost_add_total(usage, prices, USAGE_COMPLETION, &usd))
		return unknown;
	return (struct cost){ .usd = usd, .is_estimated = true };
}

struct cost cost_sum(struct cost a, struct cost b)
{
	return (struct cost){
		a.usd + b.usd, a.is_reported || b.is_reported, a.is_estimated || b.is_estimated, a.is_unknown || b.is_unknown,
	};
}
