/* What the files of charts share: axes, and a series reduced to columns. */
#ifndef WEIR_RENDER_CHART_INSIDE_H
#define WEIR_RENDER_CHART_INSIDE_H

#include "render/chart.h"

/* --- axes --- */

#define CHART_TICKS_MOST 32
#define CHART_LABEL_SIZE 24

struct chart_tick {
	double place;                 /* 0 to 1 of the axis */
	char label[CHART_LABEL_SIZE]; /* ASCII */
};
struct chart_axis {
	enum chart_unit unit;
	double from, to;              /* from < to */
	bool log;
	struct chart_tick ticks[CHART_TICKS_MOST];
	size_t count;
};

/* From 0 to a round number at or above `most`, with two or four equal steps. */
void chart_axis_up(struct chart_axis *axis, enum chart_unit unit, double most);
/* The x axis of a chart, with at most `ticks` steps. */
void chart_axis_along(struct chart_axis *axis, const struct chart *c, unsigned ticks);
double chart_place(const struct chart_axis *axis, double value); /* 0 to 1 */

/* "320 ms", "3.2 s", "81.3"; "-" for an unknown one. */
void chart_value(char label[CHART_LABEL_SIZE], enum chart_unit unit, double value);

/* --- series --- */

/* The y that a series has in a column of the plot. */
struct chart_column {
	bool used;                    /* the series reaches it */
	double low, high, last;
};
/* `columns` has `count` members. */
void chart_columns(const struct chart_series *series, const struct chart_axis *x, struct chart_column *columns, unsigned count);

double chart_most(const struct chart *c); /* the highest y, or the longest bar; 0 without any */
bool chart_is_empty(const struct chart *c);
double chart_finite(double value);        /* 0 for what is not finite or negative */

#endif
