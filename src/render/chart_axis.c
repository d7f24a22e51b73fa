#include "render/chart_inside.h"

#include <math.h>
#include <stdio.h>

#include "base/array.h"

double chart_finite(double value)
{
	return isfinite(value) && value > 0 ? value : 0;
}

/* --- values as text --- */

#define SECOND_MS 1000.0
#define MINUTE_MS 60000.0

static const struct chart_scale { double least, factor; const char *unit; } scales[2][3] = {
	[CHART_NUMBER] = { { 0, 1, "" }, { 1e4, 1e3, "k" }, { 1e6, 1e6, "M" } },
	[CHART_MS] = { { 0, 1, " ms" }, { SECOND_MS, SECOND_MS, " s" }, { 10 * MINUTE_MS, MINUTE_MS, " min" } },
};

static const struct chart_scale *chart_scale_of(enum chart_unit unit, double most)
{
	size_t at = ARRAY_LEN(scales[unit]) - 1;

	while (at && most < scales[unit][at].least)
		at--;
	return &scales[unit][at];
}

static void chart_label(char label[CHART_LABEL_SIZE], const struct chart_scale *scale, double value)
{
	snprintf(label, CHART_LABEL_SIZE, "%.4g%s", value / scale->factor, value > 0 || *scale->unit == ' ' ? scale->unit : "");
}

void chart_value(char label[CHART_LABEL_SIZE], enum chart_unit unit, double value)
{
	const struct chart_scale *scale = chart_scale_of(unit, value);

	if (!isfinite(value) || value < 0)
		snprintf(label, CHART_LABEL_SIZE, "-");
	else
		snprintf(label, CHART_LABEL_SIZE, "%.3g%s", value / scale->factor, scale->unit);
}

/* --- axes --- */

double chart_place(const struct chart_axis *axis, double value)
{
	double place = axis->log ? log(fmax(value, axis->from) / axis->from) / log(axis->to / axis->from)
	                         : (value - axis->from) / (axis->to - axis->from);

	return isfinite(place) ? fmin(fmax(place, 0), 1) : 0;
}

static void chart_add_tick(struct chart_axis *axis, const struct chart_scale *scale, double value)
{
	struct chart_tick *tick = &axis->ticks[axis->count];

	if (axis->count == CHART_TICKS_MOST || value < axis->from || value > axis->to * (1 + 1e-9))
		return;
	axis->count++;
	tick->place = chart_place(axis, value);
	chart_label(tick->label, scale, value);
}

/* The largest power of ten up to `value`. */
static double chart_decade(double value)
{
	return pow(10, floor(log10(value) + 1e-9));
}

void chart_axis_up(struct chart_axis *axis, enum chart_unit unit, double most)
{
	static const struct { double end; unsigned steps; } rounds[] = { { 1, 2 }, { 2, 2 }, { 4, 2 }, { 6, 2 }, { 8, 4 }, { 10, 2 } };
	double top = fmax(most, 1);
	const struct chart_scale *scale = chart_scale_of(unit, top);
	double decade = chart_decade(top / scale->factor) * scale->factor;
	size_t round = 0;

	while (rounds[round].end * decade < top * (1 - 1e-9))
		round++;
	*axis = (struct chart_axis){ .unit = unit, .to = rounds[round].end * decade };
	for (unsigned i = 0; i <= rounds[round].steps; i++)
		chart_add_tick(axis, scale, axis->to * i / rounds[round].steps);
}

/* Decades; with few of them in the range also 2 and 5 times each. */
static void chart_log_ticks(struct chart_axis *axis, unsigned ticks)
{
	static const double between[] = { 1, 2, 5 };
	double decades = log10(axis->to / axis->from);
	size_t many = decades * 3 <= ticks ? ARRAY_LEN(between) : 1;

	for (double decade = chart_decade(axis->from); decade <= axis->to && axis->count < CHART_TICKS_MOST; decade *= 10)
		for (size_t i = 0; i < many; i++)
			chart_add_tick(axis, chart_scale_of(axis->unit, decade * between[i]), decade * between[i]);
}

static void chart_linear_ticks(struct chart_axis *axis, unsigned ticks)
{
	static const double steps[] = { 1, 2, 5, 10 };
	const struct chart_scale *scale = chart_scale_of(axis->unit, axis->to);
	double least = (axis->to - axis->from) / (ticks ? ticks : 1), decade = chart_decade(least / scale->factor) * scale->factor;
	size_t step = 0;

	while (step + 1 < ARRAY_LEN(steps) && steps[step] * decade < least * (1 - 1e-9))
		step++;
	double width = steps[step] * decade, first = floor(axis->from / width);
	for (unsigned i = 0; i < CHART_TICKS_MOST; i++)
		chart_add_tick(axis, scale, (first + i) * width);
}

#define LOG_LEAST 1e-3

void chart_axis_along(struct chart_axis *axis, const struct chart *c, unsigned ticks)
{
	double from = INFINITY, to = 0;

	for (size_t i = 0; i < c->series_count; i++) {
		const struct chart_series *s = &c->series[i];

		from = s->count ? fmin(from, chart_finite(s->at[0].x)) : from;
		to = s->count ? fmax(to, chart_finite(s->at[s->count - 1].x)) : to;
	}
	*axis = (struct chart_axis){ .unit = c->x_unit, .from = isfinite(from) ? from : 0, .to = to, .log = c->x_log };
	if (c->x_log)
		axis->from = fmax(axis->from, LOG_LEAST);
	if (axis->to <= axis->from)
		axis->to = axis->from > 0 ? axis->from * 2 : 1;
	if (c->x_log)
		chart_log_ticks(axis, ticks);
	else
		chart_linear_ticks(axis, ticks);
}

/* --- series --- */

static void chart_hold(struct chart_column *column, double y)
{
	*column = column->used ? (struct chart_column){ true, fmin(column->low, y), fmax(column->high, y), y }
	                       : (struct chart_column){ true, y, y, y };
}

void chart_columns(const struct chart_series *series, const struct chart_axis *x, struct chart_column *columns, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		columns[i] = (struct chart_column){ .used = false };
	for (size_t i = 0; i + 1 < series->count; i++) {
		double begin = chart_place(x, chart_finite(series->at[i].x)) * count, end = chart_place(x, chart_finite(series->at[i + 1].x)) * count;
		unsigned first = (unsigned)fmin(begin + 1e-6, count - 1), behind = (unsigned)fmin(ceil(end - 1e-6), count);

		for (unsigned column = first; column < behind || column == first; column++)
			chart_hold(&columns[column], chart_finite(series->at[i].y));
	}
}

double chart_most(const struct chart *c)
{
	double most = 0;

	for (size_t i = 0; i < c->series_count; i++)
		for (size_t k = 0; k + 1 < c->series[i].count; k++)
			most = fmax(most, chart_finite(c->series[i].at[k].y));
	for (size_t i = 0; i < c->bar_count; i++)
		most = fmax(most, chart_finite(c->bars[i].outer));
	return most;
}

bool chart_is_empty(const struct chart *c)
{
	size_t points = c->bar_count ? 2 : 0;

	for (size_t i = 0; i < c->series_count; i++)
		points = c->series[i].count > points ? c->series[i].count : points;
	return points < 2;
}
