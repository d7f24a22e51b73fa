#include "app/keep/budget.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/keep/keep_inside.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "chat/conversation/figure.h"
#include "chat/conversation/turn.h"

#define NEAR 0.8

static time_t budget_midnight(time_t now)
{
	struct tm day;

	if (!localtime_r(&now, &day))
		return now;
	day.tm_hour = day.tm_min = day.tm_sec = 0;
	day.tm_isdst = -1;
	return mktime(&day);
}

static void budget_add(void *budget, const struct history_sum *day)
{
	struct budget *b = budget;

	if (!day->cost.known)
		return;
	b->spent_usd += day->cost.amount;
	b->rough |= !day->cost.exact;
}

struct budget budget_today(const struct setup *s, struct history *h)
{
	struct budget b = { .most_usd = settings_budget_usd(&s->settings) };
	struct error err;

	if (b.most_usd > 0 && h)
		(void)history_usage(h, HISTORY_BY_DAY, budget_midnight(time(NULL)), budget_add, &b, &err);
	return b;
}

struct budget budget_of_chat(const struct setup *s, struct keep *k)
{
	struct error err;

	if (!k || settings_budget_usd(&s->settings) <= 0)
		return budget_today(s, NULL);
	(void)keep_would_lose(k, &err); /* writes the last answer */
	return budget_today(s, keep_history(k, &err));
}

bool budget_is_near(const struct budget *b)
{
	return b->most_usd > 0 && b->spent_usd >= NEAR * b->most_usd;
}

bool budget_is_spent(const struct budget *b)
{
	return b->most_usd > 0 && b->spent_usd >= b->most_usd;
}

void budget_write(const struct budget *b, struct buf *out)
{
	char spent[FIGURE_SIZE], most[FIGURE_SIZE];

	figure_cost(spent, (struct cost){ .usd = b->spent_usd, .is_estimated = b->rough });
	if (b->most_usd >= 0.01)
		snprintf(most, sizeof most, "$%.2f", b->most_usd);
	else
		figure_cost(most, (struct cost){ .usd = b->most_usd });
	buf_printf(out, "today %s of %s", spent, most);
}

void budget_write_spent(const struct budget *b, struct buf *out)
{
	buf_add_z(out, "The budget is spent: ");
	budget_write(b, out);
	buf_add_z(out, ".");
}

void budget_write_missed(const struct setup *s, const struct turn *answer, char **told, struct buf *sentence)
{
	const char *model = answer->scope.model ? answer->scope.model : "";
	bool counted = usage_is_positive(&answer->usage);

	if (settings_budget_usd(&s->settings) <= 0 || !answer->ended || outcome_is_trouble(answer->outcome) || answer->prices_from ||
	    !turn_cost(answer).is_unknown || (*told && !strcmp(*told, model)))
		return;
	str_replace(told, str_from(model));
	if (counted)
		buf_printf(sentence, "the price of %s is unknown, so the budget does not count its answers; [price %s] in weir.conf sets one",
		           model, model);
	else
		buf_printf(sentence, "the server of %s counts no tokens of %s, so the budget does not count its answers",
		           answer->scope.provider, model);
}

void budget_tell_missed(struct keep *k, const struct turn *answer)
{
	struct buf sentence = { 0 };

	if (k)
		budget_write_missed(k->setup, answer, &k->unpriced, &sentence);
	if (sentence.len)
		keep_say(k, buf_z(&sentence));
	buf_fini(&sentence);
}

bool budget_lets(const struct setup *s, struct keep *k, const char *what, struct buf *sentence)
{
	struct budget b = budget_of_chat(s, k);
	bool lets = !k || !budget_is_spent(&b) || (what && k->spends && !strcmp(k->spends, what));

	if (k)
		k->spends = lets ? NULL : what;
	if (!lets)
		budget_write_spent(&b, sentence);
	return lets;
}

bool budget_lets_go_on(void *keep, bool queued)
{
	struct keep *k = keep;
	struct buf sentence = { 0 };

	bool lets = budget_lets(k->setup, k, NULL, &sentence);
	buf_add_z(&sentence, " What is queued waits.");
	if (!lets && queued) {
		k->spends = BUDGET_QUEUE; /* who goes on now was told */
		k->ways.tell(k->ways.ctx, buf_z(&sentence));
	}
	buf_fini(&sentence);
	return lets;
}
