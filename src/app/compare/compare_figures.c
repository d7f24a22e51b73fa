#include "app/compare/compare_figures.h"

#include <string.h>

#include "chat/conversation/turn.h"
#include "chat/conversation/meter.h"
#include "chat/conversation/figure.h"

#define LABEL_LEAST 8u

static void figures_add_turn(struct compare_figures *f, const struct turn *t)
{
	struct count reported = t->ended ? t->usage.of[USAGE_COMPLETION] : (struct count){ 0 }; /* some servers report a first token at the start */

	f->tokens += reported.sent ? reported.number : meter_tokens(&t->meter);
	f->tokens_are_rough |= !reported.sent;
	f->cost = cost_sum(f->cost, turn_cost(t));
	f->total_ms = t->ended && f->total_ms >= 0 ? f->total_ms + t->ended_ms : -1;
}

void compare_figures_take(struct compare_figures *f, const struct compared_answer *a)
{
	const struct turn *last = a->awaited.turn;
	bool ended = last->ended && !a->rounds.answer;

	*f = (struct compare_figures){
		.label = a->target->label, .outcome = ended ? outcome_name(last->outcome) : "", .failed = ended && outcome_is_trouble(last->outcome),
		.first_ms = a->first->meter.begun ? a->first->meter.first_ms : -1, .rate = meter_rate(&last->meter, &last->usage),
		.findings = awaited_findings(&a->awaited),
	};
	for (const struct turn *t = last; t != a->first; t = t->parent)
		if (t->role == TURN_ASSISTANT)
			figures_add_turn(f, t);
	figures_add_turn(f, a->first);
}

const struct compared_fact_kind compared_facts[COMPARED_FACT_COUNT] = {
#define X(upper, name, columns, meaning) [COMPARED_##upper] = { name, columns, meaning },
	COMPARED_FACTS(X)
#undef X
};

static void add_seconds(struct buf *out, double ms)
{
	if (ms >= 0)
		buf_printf(out, ms < 5 ? "<0.01 s" : "%.2f s", ms / 1000);
}

void compare_write_fact(const struct compare_figures *f, enum compared_fact fact, struct buf *out)
{
	size_t before = out->len;
	char figure[FIGURE_SIZE];

	switch (fact) {
	case COMPARED_STATE: buf_add_z(out, *f->outcome ? f->outcome : "under way"); break;
	case COMPARED_FIRST: add_seconds(out, f->first_ms); break;
	case COMPARED_WHOLE: add_seconds(out, f->total_ms); break;
	case COMPARED_MONEY: buf_add_z(out, figure_cost(figure, f->cost)); break;
	case COMPARED_FINDINGS: buf_printf(out, "%zu", f->findings); break;
	case COMPARED_RATE:
		if (f->rate > 0)
			buf_printf(out, "%.1f", f->rate);
		break;
	case COMPARED_TOKENS:
		if (f->tokens || !f->tokens_are_rough)
			buf_printf(out, "%s%s", f->tokens_are_rough ? "~" : "", figure_count(figure, f->tokens));
		break;
	case COMPARED_FACT_COUNT:
	default: break;
	}
	if (out->len == before)
		buf_add_z(out, "-");
}

/* --- the table --- */

static unsigned label_columns(const struct compare_figures *rows, size_t count)
{
	unsigned width = LABEL_LEAST;

	for (size_t i = 0; i < count; i++)
		width = strlen(rows[i].label) > width ? (unsigned)strlen(rows[i].label) : width;
	return width;
}

unsigned compare_table_columns(const struct compare_figures *rows, size_t count)
{
	unsigned columns = label_columns(rows, count);

	for (size_t i = 0; i < COMPARED_FACT_COUNT; i++)
		columns += 2 + compared_facts[i].columns;
	return columns;
}

static void add_cell(struct buf *line, size_t fact, const char *text)
{
	buf_printf(line, fact == COMPARED_STATE ? "  %-*s" : "  %*s", (int)compared_facts[fact].columns, text);
}

void compare_write_table(const struct compare_figures *rows, size_t count, struct buf *out)
{
	int width = (int)label_columns(rows, count);

	buf_printf(out, "%-*s", width, "");
	for (size_t n = 0; n < COMPARED_FACT_COUNT; n++)
		add_cell(out, n, compared_facts[n].name);
	for (size_t i = 0; i < count; i++) {
		buf_printf(out, "\n%-*s", width, rows[i].label);
		for (size_t n = 0; n < COMPARED_FACT_COUNT; n++) {
			struct buf text = { 0 };

			compare_write_fact(&rows[i], (enum compared_fact)n, &text);
			add_cell(out, n, buf_z(&text));
			buf_fini(&text);
		}
	}
	buf_add_z(out, "\n");
}

void compare_write_facts(const struct compare_figures *rows, size_t count, struct buf *out)
{
	int width = 0;

	for (size_t n = 0; n < COMPARED_FACT_COUNT; n++)
		width = (int)strlen(compared_facts[n].name) > width ? (int)strlen(compared_facts[n].name) : width;
	for (size_t i = 0; i < count; i++) {
		buf_printf(out, "%s\n", rows[i].label);
		for (size_t n = 0; n < COMPARED_FACT_COUNT; n++) {
			buf_printf(out, "  %-*s  ", width, compared_facts[n].name);
			compare_write_fact(&rows[i], (enum compared_fact)n, out);
			buf_add_byte(out, '\n');
		}
	}
}
