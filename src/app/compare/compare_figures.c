#include "app/compare/compare_figures.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "chat/conversation/turn.h"
#include "chat/conversation/meter.h"
#include "chat/conversation/figure.h"

#define LABEL_LEAST 8u

void compare_figures_take(struct compare_figures *f, const char *label, const struct turn *t, size_t findings)
{
	struct count reported = t->ended ? t->usage.of[USAGE_COMPLETION] : (struct count){ 0 }; /* some servers report a first token at the start */

	*f = (struct compare_figures){
		.label = label, .outcome = t->ended ? outcome_name(t->outcome) : "", .failed = t->ended && outcome_is_trouble(t->outcome),
		.first_ms = t->meter.begun ? t->meter.first_ms : -1,
		.total_ms = t->ended ? t->ended_ms : -1, .rate = meter_rate(&t->meter, &t->usage),
		.tokens = reported.sent ? reported.number : meter_tokens(&t->meter), .tokens_are_rough = !reported.sent,
		.cost = turn_cost(t), .findings = findings,
	};
}

void compare_write_tokens(const struct compare_figures *f, struct buf *out)
{
	char figure[FIGURE_SIZE];

	if (f->tokens || !f->tokens_are_rough)
		buf_printf(out, "%s%s", f->tokens_are_rough ? "~" : "", figure_count(figure, f->tokens));
	else
		buf_add_z(out, "-");
}

/* --- the table --- */

static void add_cell(struct buf *line, unsigned columns, const struct buf *text)
{
	buf_printf(line, "  %*s", (int)columns, text->len ? buf_z(text) : "-");
}

static void add_number(struct buf *line, unsigned columns, const char *format, double number)
{
	struct buf text = { 0 };

	if (number >= 0)
		buf_printf(&text, format, number);
	add_cell(line, columns, &text);
	buf_fini(&text);
}

static void add_row(struct buf *line, unsigned width, const struct compare_figures *f)
{
	struct buf text = { 0 };
	char cost[FIGURE_SIZE];

	buf_printf(line, "%-*s  %-10s", (int)width, f->label, *f->outcome ? f->outcome : "under way");
	add_number(line, 9, "%.2f s", f->first_ms < 0 ? -1 : f->first_ms / 1000);
	add_number(line, 9, "%.2f s", f->total_ms < 0 ? -1 : f->total_ms / 1000);
	compare_write_tokens(f, &text);
	add_cell(line, 7, &text);
	add_number(line, 8, "%.1f", f->rate > 0 ? f->rate : -1);
	buf_clear(&text);
	buf_add_z(&text, figure_cost(cost, f->cost));
	add_cell(line, 9, &text);
	buf_printf(line, "  %4zu\n", f->findings);
	buf_fini(&text);
}

void compare_write_table(const struct compare_figures *rows, size_t count, struct buf *out)
{
	unsigned width = LABEL_LEAST;

	for (size_t i = 0; i < count; i++)
		width = strlen(rows[i].label) > width ? (unsigned)strlen(rows[i].label) : width;
	buf_printf(out, "%-*s  %-10s  %9s  %9s  %7s  %8s  %9s  %4s\n", (int)width, "", "outcome", "first", "whole", "tokens", "tokens/s", "money",
	           "lint");
	for (size_t i = 0; i < count; i++)
		add_row(out, width, &rows[i]);
}

/* --- one row of figures --- */

static void PRINTF_LIKE(2, 3) add_figure(struct buf *out, const char *format, ...)
{
	char text[64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	buf_printf(out, "%s%s", out->len ? "  " : "", text);
}

void compare_write_figures(const struct compare_figures *f, struct buf *out)
{
	struct buf text = { 0 };
	char cost[FIGURE_SIZE];

	if (f->rate > 0)
		add_figure(out, "%.1f/s", f->rate);
	if (f->first_ms >= 0)
		add_figure(out, "first %.2f s", f->first_ms / 1000);
	if (f->total_ms >= 0)
		add_figure(out, "%.2f s", f->total_ms / 1000);
	if (*figure_cost(cost, f->cost))
		add_figure(out, "%s", cost);
	if (f->findings)
		add_figure(out, "lint %zu", f->findings);
	if (f->tokens) {
		compare_write_tokens(f, &text);
		add_figure(out, "%s tokens", buf_z(&text));
	}
	buf_fini(&text);
}

size_t compare_fastest(const struct compare_figures *rows, size_t count)
{
	size_t best = count, known = 0;

	for (size_t i = 0; i < count; i++) {
		if (rows[i].rate <= 0 || rows[i].failed)
			continue;
		known++;
		best = best == count || rows[i].rate > rows[best].rate ? i : best;
	}
	return known > 1 ? best : count;
}
