#include "wire/usage.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const struct usage_row rows[USAGE_FIGURE_COUNT] = {
#define X(upper, member, part_of, label, word, rank) [USAGE_##upper] = { member, label, word, USAGE_##part_of, rank },
	USAGE_FIGURES(X)
#undef X
};

const struct usage_row *usage_row(enum usage_figure figure)
{
	return &rows[figure];
}

static const struct usage_price prices[USAGE_FIGURE_COUNT] = {
#define X(upper, name, help) [USAGE_##upper] = { name, help },
	USAGE_PRICES(X)
#undef X
};

const struct usage_price *usage_price(enum usage_figure figure)
{
	return &prices[figure];
}

enum usage_figure usage_in_order(unsigned place)
{
	for (unsigned whole = 0; whole < USAGE_FIGURE_COUNT; whole++) {
		if (rows[whole].part_of != whole)
			continue;
		if (place-- == 0)
			return (enum usage_figure)whole;
		for (unsigned part = 0; part < USAGE_FIGURE_COUNT; part++)
			if (part != whole && rows[part].part_of == whole && place-- == 0)
				return (enum usage_figure)part;
	}
	assert(false);
	return USAGE_PROMPT;
}

bool usage_is_known(const struct usage *usage)
{
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (usage->of[i].sent)
			return true;
	return false;
}

bool usage_is_positive(const struct usage *usage)
{
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (usage->of[i].number > 0)
			return true;
	return false;
}

bool usage_equal(const struct usage *a, const struct usage *b)
{
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (a->of[i].sent != b->of[i].sent || a->of[i].number != b->of[i].number)
			return false;
	return true;
}

struct count count_sum(struct count a, struct count b)
{
	bool fits = a.number <= INT64_MAX - b.number;

	return (struct count){ fits ? a.number + b.number : INT64_MAX, a.sent || b.sent };
}

bool usage_member_is_at(const struct usage_member *a, const struct usage_member *b)
{
	bool in_element = a->element.key && b->element.key;

	return !strcmp(a->path, b->path) && !a->element.key == !b->element.key &&
	       (!in_element || (!strcmp(a->element.value, b->element.value) && !strcmp(a->element.member, b->element.member)));
}

struct usage usage_from_counts(const struct usage_member *table, const struct count *counts)
{
	struct usage usage = { 0 };
	struct count *total = &usage.of[USAGE_TOTAL], prompt, completion;

	for (size_t i = 0; table[i].path; i++)
		if (!table[i].adds && !usage.of[table[i].figure].sent)
			usage.of[table[i].figure] = counts[i];
	for (size_t i = 0; table[i].path; i++)
		if (table[i].adds)
			usage.of[table[i].figure] = count_sum(usage.of[table[i].figure], counts[i]);
	prompt = usage.of[USAGE_PROMPT];
	completion = usage.of[USAGE_COMPLETION];
	if (!total->sent && prompt.sent && completion.sent)
		*total = count_sum(prompt, completion);
	return usage;
}
