/* Charts as SVG. */
#include "render/chart.h"

#include <math.h>

#include "base/mem.h"
#include "base/xml.h"
#include "render/chart_inside.h"

#define WIDTH 880
#define LEFT 80        /* of a plot */
#define RIGHT 850
#define PLOT_HEIGHT 180
#define HEAD_HEIGHT 44 /* above a plot: its title */
#define FOOT_HEIGHT 32 /* below it: the labels of its x axis */
#define ROW_HEIGHT 22  /* of a bar */
#define BARS_LEFT 300
#define BARS_RIGHT 730
#define NAME_CELLS 40  /* of 7 units each, about */
#define TITLE_CELLS 100
#define TICKS 8
#define COLUMNS ((RIGHT - LEFT) / 2)

static void svg_label(struct buf *out, double x, double y, const char *attributes, struct str text, unsigned cells)
{
	buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
	xml_add_text(out, text, cells);
	buf_add_z(out, "</text>\n");
}

static void svg_line(struct buf *out, double x1, double y1, double x2, double y2)
{
	buf_printf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"g\"/>\n", x1, y1, x2, y2);
}

/* --- plots --- */

static double svg_x(double place)
{
	return LEFT + place * (RIGHT - LEFT);
}

static double svg_y(double top, double place)
{
	return top + (1 - place) * PLOT_HEIGHT;
}

static void svg_axes(struct buf *out, const struct chart_axis *x, const struct chart_axis *y, double top)
{
	for (size_t i = 0; i < y->count; i++) {
		svg_line(out, LEFT, svg_y(top, y->ticks[i].place), RIGHT, svg_y(top, y->ticks[i].place));
		svg_label(out, LEFT - 8, svg_y(top, y->ticks[i].place) + 4, "class=\"q\" text-anchor=\"end\"", str_from(y->ticks[i].label),
		          NAME_CELLS);
	}
	for (size_t i = 0; i < x->count; i++) {
		svg_line(out, svg_x(x->ticks[i].place), top + PLOT_HEIGHT, svg_x(x->ticks[i].place), top + PLOT_HEIGHT + 5);
		svg_label(out, svg_x(x->ticks[i].place), top + PLOT_HEIGHT + 20, "class=\"q\" text-anchor=\"middle\"", str_from(x->ticks[i].label),
		          NAME_CELLS);
	}
}

/* A path of steps. An area is closed along the axis. */
static void svg_path(struct buf *out, const struct chart *c, size_t series, const struct chart_axis *x, const struct chart_axis *y, double top)
{
	bool area = c->shape == CHART_AREA;
	struct chart_column *columns = mem_new(COLUMNS * sizeof *columns);
	double last = 0;

	chart_columns(&c->series[series], x, columns, COLUMNS);
	buf_printf(out, "<path class=\"%c%zu\" d=\"M%d %.1f", area ? 'a' : 'l', series, LEFT,
	           svg_y(top, area || !columns->used ? 0 : chart_place(y, columns->low)));
	for (unsigned i = 0; i < COLUMNS && (columns[i].used || area); i++) {
		double value = columns[i].used ? chart_place(y, columns[i].high) : 0;

		if (value != last || !i)
			buf_printf(out, "H%.1fV%.1f", svg_x((double)i / COLUMNS), svg_y(top, value));
		last = value;
		if (i + 1 == COLUMNS || (!area && !columns[i + 1].used))
			buf_printf(out, "H%.1f", svg_x((i + 1.0) / COLUMNS));
	}
	if (area)
		buf_printf(out, "V%.1fZ", svg_y(top, 0));
	buf_add_z(out, "\"/>\n");
	mem_free(columns);
}

static void svg_legend(struct buf *out, const struct chart *c, double y)
{
	for (size_t i = 0; c->series_count > 1 && i < c->series_count; i++) {
		double x = LEFT + 250 + 270 * (double)i;

		buf_printf(out, "<path class=\"l%zu\" d=\"M%.1f %.1fH%.1f\"/>\n", i, x, y - 4, x + 28);
		svg_label(out, x + 34, y, "class=\"q\"", c->series[i].name, NAME_CELLS);
	}
}

static double svg_plot(struct buf *out, const struct chart *c, double y)
{
	struct chart_axis along, up;
	double top = y + HEAD_HEIGHT;

	chart_axis_up(&up, c->y_unit, chart_most(c));
	chart_axis_along(&along, c, TICKS);
	svg_label(out, LEFT, top - 14, "class=\"t\"", c->title, TITLE_CELLS);
	svg_legend(out, c, top - 14);
	svg_axes(out, &along, &up, top);
	for (size_t i = 0; i < (c->shape == CHART_AREA ? 1 : c->series_count); i++)
		svg_path(out, c, i, &along, &up, top);
	return top + PLOT_HEIGHT + FOOT_HEIGHT;
}

/* --- bars --- */

/* A thin bar to the outer value, a thick one to the inner, and both in figures. */
static void svg_bar(struct buf *out, const struct chart *c, const struct chart_bar *bar, double y)
{
	double most = chart_most(c), scale = most > 0 ? (BARS_RIGHT - BARS_LEFT) / most : 0, outer = chart_finite(bar->outer) * scale;
	char inner_label[CHART_LABEL_SIZE], outer_label[CHART_LABEL_SIZE];

	svg_label(out, BARS_LEFT - 10, y + 5, "text-anchor=\"end\"", bar->name, NAME_CELLS);
	chart_value(inner_label, c->y_unit, bar->inner);
	chart_value(outer_label, c->y_unit, bar->outer);
	buf_printf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"4\" class=\"o\"/>\n", BARS_LEFT, y - 2, outer);
	buf_printf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"12\" class=\"b\"/>\n", BARS_LEFT, y - 6, chart_finite(bar->inner) * scale);
	buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"q\">%s | %s</text>\n", BARS_LEFT + outer + 8, y + 5, inner_label, outer_label);
}

static double svg_bars(struct buf *out, const struct chart *c, double y)
{
	buf_printf(out, "<text x=\"%d\" y=\"%.1f\" class=\"t\">", BARS_LEFT, y + HEAD_HEIGHT - 14);
	xml_add_text(out, c->title, TITLE_CELLS);
	buf_printf(out, ": %s | %s</text>\n", c->inner, c->outer);
	y += HEAD_HEIGHT;
	for (size_t i = 0; i < c->bar_count; i++, y += ROW_HEIGHT)
		svg_bar(out, c, &c->bars[i], y);
	return y;
}

/* --- the document --- */

#define STYLE \
	"<style>text{font:13px sans-serif;fill:#222}.h{font-size:16px;font-weight:bold}.t{font-weight:bold}.q{fill:#555}.g{stroke:#ddd}" \
	".p{fill:#fff}.a0,.b{fill:#3b6ea5}.o{fill:#a9c3de}.l0,.l1{fill:none;stroke:#3b6ea5;stroke-width:2}.l1{stroke:#b4531f;stroke-dasharray:5 4}" \
	"@media(prefers-color-scheme:dark){text{fill:#ddd}.q{fill:#aaa}.g{stroke:#3a3a3a}.p{fill:#181818}.a0,.b{fill:#6ea3db}.o{fill:#39597a}" \
	".l0{stroke:#6ea3db}.l1{stroke:#e69a66}}</style>\n"

void chart_svg(const struct chart *charts, size_t count, struct str title, struct buf *out)
{
	double height = 56, y = 34;

	for (size_t i = 0; i < count; i++)
		height += chart_is_empty(&charts[i]) ? 0 : charts[i].shape == CHART_BARS ? HEAD_HEIGHT + ROW_HEIGHT * (double)charts[i].bar_count :
		        HEAD_HEIGHT + PLOT_HEIGHT + FOOT_HEIGHT;
	buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" role=\"img\">\n<title>",
	           WIDTH, height, WIDTH, height);
	xml_add_text(out, title, TITLE_CELLS);
	buf_add_z(out, "</title>\n" STYLE "<rect width=\"100%\" height=\"100%\" class=\"p\"/>\n");
	svg_label(out, 20, 28, "class=\"h\"", title, TITLE_CELLS);
	for (size_t i = 0; i < count; i++)
		if (!chart_is_empty(&charts[i]))
			y = charts[i].shape == CHART_BARS ? svg_bars(out, &charts[i], y) : svg_plot(out, &charts[i], y);
	buf_add_z(out, "</svg>\n");
}
