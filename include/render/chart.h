/*
 * Charts: numbers as lines of text and as SVG. A chart has one or two series over a common x axis, or rows of bars.
 *
 * A series is a step function: the y of a point holds up to the x of the next point, and the last point only ends the series. Two series
 * are told apart without colour: one is solid and one dotted, or each is drawn with its letter.
 *
 * Names may be untrusted text: in lines they become cells of the screen (base/utf8.h), in SVG markup is escaped too. Values that are not
 * finite count as 0.
 */
#ifndef WEIR_RENDER_CHART_H
#define WEIR_RENDER_CHART_H

#include "base/text.h"

enum chart_signs { CHART_BRAILLE, CHART_BLOCKS, CHART_ASCII };
enum chart_shape { CHART_AREA, CHART_LINE, CHART_BARS }; /* of an area only the first series is drawn */
enum chart_unit { CHART_NUMBER, CHART_MS };              /* how values are written */

struct chart_point { double x, y; }; /* x does not decrease */
struct chart_series {
	struct str name;                 /* shown if there are two series */
	const struct chart_point *at;    /* borrowed */
	size_t count;
};
struct chart_bar {
	struct str name;
	double inner, outer;             /* inner <= outer; negative or NAN: unknown */
};

#define CHART_SERIES_MOST 2

struct chart { /* all borrowed */
	struct str title;
	enum chart_shape shape;
	enum chart_unit x_unit, y_unit;  /* of bars: y_unit */
	bool x_log;                      /* a logarithmic x axis; x is above 0 then */
	struct chart_series series[CHART_SERIES_MOST];
	size_t series_count;
	const struct chart_bar *bars;    /* of CHART_BARS */
	size_t bar_count;
	const char *inner, *outer;       /* what the two values of a bar are, "p50", "p99" */
};

#define CHART_COLUMNS_LEAST 24
#define CHART_COLUMNS_MOST 200
#define CHART_ROWS_MOST 40

/*
 * Appends the chart as lines of at most `columns` cells, which is brought between the limits above. `rows`: of the plot itself, without
 * title and axis; bars take one row each. Appends nothing if there is nothing to draw.
 */
void chart_text(const struct chart *c, unsigned columns, unsigned rows, enum chart_signs signs, struct buf *out);

/* Appends one SVG document with the charts one below the other. It follows the reader's light or dark scheme. */
void chart_svg(const struct chart *charts, size_t count, struct str title, struct buf *out);

#endif
