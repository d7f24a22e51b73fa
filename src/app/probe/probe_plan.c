/* The plan of a probe: what will be sent, and what it may cost (probe.h). */
#include "app/probe/probe_inside.h"

#include "chat/conversation/figure.h"

/* Tokens and the most money that all cases of a column may take; the money is unknown without prices. */
struct probe_estimate { size_t requests; int64_t in, out; struct money most; };

static struct probe_estimate plan_estimate(const struct probe *p, const struct probe_column *column)
{
	struct probe_estimate e = { 0 };
	struct buf unused = { 0 };
	struct usage usage = { 0 };

	for (size_t i = 0; probe_case_at(i); i++) {
		const struct probe_case *c = probe_case_at(i);
		size_t requests = probe_case_requests(c);

		if (!p->chosen[i] || !probe_case_applies(c, column, &unused))
			continue;
		e.requests += requests;
		e.in += (int64_t)requests * probe_case_tokens(c);
		e.out += (int64_t)requests * c->max_tokens;
	}
	usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(e.in);
	usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(e.out);
	if (prices_are_known(&column->prices))
		e.most = MONEY(cost_of(&usage, MONEY_UNKNOWN, &column->prices).usd);
	buf_fini(&unused);
	return e;
}

static void plan_add_wrong(const struct probe *p, struct buf *out)
{
	bool key = false, model = false;

	for (size_t i = 0; probe_case_at(i); i++) {
		key |= p->chosen[i] && probe_case_at(i)->wrong_key;
		model |= p->chosen[i] && probe_case_at(i)->wrong_model;
	}
	if (key)
		buf_add_z(out, "The key of bad-key is " PROBE_WRONG_KEY ".\n");
	if (model)
		buf_add_z(out, "The model of bad-model is " PROBE_WRONG_MODEL ".\n");
}

void probe_write_plan(const struct probe *p, struct buf *out)
{
	struct cost most = { 0 };
	char in[FIGURE_SIZE], answer[FIGURE_SIZE], money[FIGURE_SIZE];
	size_t requests = 0;

	buf_add_z(out, "Cases:\n");
	for (size_t i = 0; probe_case_at(i); i++)
		if (p->chosen[i])
			buf_printf(out, "  %-*s  %s\n", PROBE_NAME_WIDTH, probe_case_at(i)->name, probe_case_at(i)->help);
	plan_add_wrong(p, out);
	for (size_t i = 0; i < p->count; i++) {
		const struct probe_column *column = &p->columns[i];
		struct probe_estimate e = plan_estimate(p, column);

		requests += e.requests;
		most = cost_sum(most, (struct cost){ .usd = e.most.usd, .is_estimated = e.most.known, .is_unknown = !e.most.known });
		buf_printf(out, "%s: %zu %s, about %s tokens in, at most %s out\n", column->label, e.requests,
		           e.requests == 1 ? "request" : "requests", figure_count(in, e.in),
		           figure_count(answer, e.out));
	}
	figure_cost(money, most);
	if (most.is_unknown)
		buf_printf(out, "%zu in all; no prices are known ([price] in weir.conf, weir models)\n", requests);
	else
		buf_printf(out, "%zu in all, at most %s\n", requests, *money ? money : "$0");
}
