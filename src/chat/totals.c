#include "chat/totals.h"

#include <string.h>

#include "base/mem.h"

static bool turn_has_prompt(const struct turn *t)
{
	for (size_t i = 0; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT)
			return true;
	return false;
}

struct spending turn_spending(const struct turn *t)
{
	bool answered = t->part_count > 0;
	struct spending last = {
		.usage = turn_usage(t),
		.prompt_is_rough = answered && !t->usage.of[USAGE_PROMPT].sent,
		.completion_is_rough = answered && !t->usage.of[USAGE_COMPLETION].sent,
		.cost = turn_cost(t),
	};

	spending_add(&last, &(struct spending){ t->spent, t->spent_roughly, t->spent_roughly, t->spent_cost });
	return last;
}

void spending_add(struct spending *sum, const struct spending *more)
{
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		sum->usage.of[i] = count_sum(sum->usage.of[i], more->usage.of[i]);
	sum->prompt_is_rough |= more->prompt_is_rough;
	sum->completion_is_rough |= more->completion_is_rough;
	sum->cost = cost_sum(sum->cost, more->cost);
}

size_t spending_by_model(struct spending_row *rows, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (at < left && (strcmp(rows[at].provider, rows[i].provider) != 0 || strcmp(rows[at].model, rows[i].model) != 0))
			at++;
		if (at == left) {
			rows[left++] = rows[i];
		} else {
			rows[at].answers += rows[i].answers;
			spending_add(&rows[at].took, &rows[i].took);
		}
	}
	return left;
}

static void totals_add_answer(struct totals *totals, const struct turn *t)
{
	const struct count *prompt = &t->usage.of[USAGE_PROMPT], *completion = &t->usage.of[USAGE_COMPLETION];
	struct spending took = turn_spending(t);

	spending_add(&totals->took, &took);
	if (!t->superseded && t->part_count)
		totals->in_context = prompt->sent && completion->sent ? count_sum(*prompt, *completion).number : 0;
}

struct totals conversation_totals(const struct conversation *c)
{
	struct totals totals = { 0 };

	for (size_t i = 0; i < c->count; i++) {
		const struct turn *t = c->turns[i];

		if (t->role == TURN_ASSISTANT)
			totals_add_answer(&totals, t);
		else
			totals.turns += !t->superseded && turn_has_prompt(t);
	}
	return totals;
}

struct spending_row *conversation_spending(const struct conversation *c, size_t *count)
{
	struct spending_row *rows = mem_new((c->count + 1) * sizeof *rows);

	*count = 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct turn *t = c->turns[i];

		if (t->role == TURN_ASSISTANT)
			rows[(*count)++] = (struct spending_row){ t->scope.provider, t->scope.model, 1, turn_spending(t) };
	}
	return rows;
}
