#include "chat/conversation/totals.h"

#include <string.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"

bool turn_is_prompt(const struct turn *t)
{
	for (size_t i = 0; t->role == TURN_USER && i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT)
			return true;
	return false;
}

static void spending_add(struct spending *sum, const struct spending *more)
{
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		sum->usage.of[i] = count_sum(sum->usage.of[i], more->usage.of[i]);
	sum->prompt_is_rough |= more->prompt_is_rough;
	sum->completion_is_rough |= more->completion_is_rough;
	sum->cost = cost_sum(sum->cost, more->cost);
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

size_t cost_report_by_model(struct cost_report_row *rows, size_t count)
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

struct context turn_context(const struct turn *t)
{
	bool known = t->usage.of[USAGE_PROMPT].sent && t->usage.of[USAGE_COMPLETION].sent;

	if (t->context)
		return (struct context){ t->context, t->context_is_rough };
	return (struct context){ known ? count_sum(t->usage.of[USAGE_PROMPT], t->usage.of[USAGE_COMPLETION]).number : 0, false };
}

struct context conversation_context(const struct conversation *c)
{
	for (size_t i = c->count; i-- > 0;)
		if (c->turns[i]->role == TURN_ASSISTANT && c->turns[i]->part_count)
			return turn_context(c->turns[i]);
	return (struct context){ 0 };
}

struct totals conversation_totals(const struct conversation *c)
{
	struct totals totals = { .context = conversation_context(c) };

	for (size_t i = 0; i < c->node_count; i++)
		if (c->nodes[i]->role == TURN_ASSISTANT) {
			struct spending took = turn_spending(c->nodes[i]);

			spending_add(&totals.took, &took);
		}
	for (size_t i = 0; i < c->count; i++)
		totals.turns += turn_is_prompt(c->turns[i]);
	return totals;
}

/* Imported answers may lack them. */
static const char *name_or_none(const char *name)
{
	return name ? name : "";
}

unsigned turn_ordinal(const struct turn *t)
{
	unsigned prompts = 0;

	for (; t; t = t->parent)
		prompts += turn_is_prompt(t);
	return prompts;
}

struct cost_report_row *conversation_spending(const struct conversation *c, size_t *count)
{
	struct cost_report_row *rows = mem_new((c->node_count + 1) * sizeof *rows);

	*count = 0;
	for (size_t i = 0; i < c->node_count; i++) {
		const struct turn *t = c->nodes[i];

		if (t->role == TURN_ASSISTANT && !t->copied && !turn_is_aside(t))
			rows[(*count)++] = (struct cost_report_row){ name_or_none(t->scope.provider), name_or_none(t->scope.model), 1,
			                                             turn_spending(t) };
	}
	return rows;
}
