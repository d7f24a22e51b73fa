#include "chat/totals.h"

static bool turn_has_prompt(const struct turn *t)
{
	for (size_t i = 0; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT)
			return true;
	return false;
}

/* What all requests of an answer took, with an estimate for what the last one did not send. */
static struct usage turn_took(const struct turn *t)
{
	struct usage took = t->usage;
	struct count *out = &took.of[USAGE_COMPLETION];
	int64_t estimate = meter_tokens(&t->meter);

	if (!out->sent && estimate)
		*out = (struct count)COUNT_SENT(estimate);
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		took.of[i] = count_sum(took.of[i], t->spent.of[i]);
	return took;
}

static double turn_cost_of(const struct turn *t, const struct usage *took)
{
	double in = (double)took->of[USAGE_PROMPT].number, out = (double)took->of[USAGE_COMPLETION].number;

	if (!t->price.known)
		return in > 0 || out > 0 ? -1 : 0;
	return (in * t->price.prompt + out * t->price.completion) / 1e6;
}

double turn_cost(const struct turn *t)
{
	struct usage took = turn_took(t);

	return turn_cost_of(t, &took);
}

static void totals_add_spent(struct totals *totals, const struct turn *t)
{
	struct usage took = turn_took(t);
	const struct count *of = took.of;
	bool answered = t->part_count > 0;

	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		totals->usage.of[i] = count_sum(totals->usage.of[i], of[i]);
	totals->prompt_is_rough |= t->spent_roughly || (answered && !t->usage.of[USAGE_PROMPT].sent);
	totals->completion_is_rough |= t->spent_roughly || (answered && !t->usage.of[USAGE_COMPLETION].sent);
	double usd = turn_cost_of(t, &took);
	totals->usd = totals->usd < 0 || usd < 0 ? -1 : totals->usd + usd;
}

static int64_t turn_context(const struct turn *t)
{
	bool known = t->usage.of[USAGE_PROMPT].sent && t->usage.of[USAGE_COMPLETION].sent;

	return known ? count_sum(t->usage.of[USAGE_PROMPT], t->usage.of[USAGE_COMPLETION]).number : 0;
}

struct totals conversation_totals(const struct conversation *c)
{
	struct totals totals = { 0 };

	for (size_t i = 0; i < c->node_count; i++)
		if (c->nodes[i]->role == TURN_ASSISTANT)
			totals_add_spent(&totals, c->nodes[i]);
	for (size_t i = 0; i < c->count; i++) {
		const struct turn *t = c->turns[i];

		if (t->role == TURN_USER)
			totals.turns += turn_has_prompt(t);
		else if (t->part_count)
			totals.in_context = turn_context(t);
	}
	return totals;
}
