#include "app/keep/budget.h"

#include <string.h>
#include <time.h>

#include "app/keep/keep_inside.h"
#include "app/setup/setup.h"
#include "chat/conversation/figure.h"

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
	char spent[FIGURE_SIZE];

	buf_printf(out, "today %s of $%.2f", figure_cost(spent, (struct cost){ .usd = b->spent_usd, .is_estimated = b->rough }), b->most_usd);
}

void budget_write_spent(const struct budget *b, struct buf *out)
{
	buf_add_z(out, "The budget is spent: ");
	budget_write(b, out);
	buf_add_z(out, ".");
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
