/* Charts as lines of text. */
#include "render/chart.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "render/chart_inside.h"

/* --- signs --- */

/* How a set of signs divides a cell into dots, for lines and for areas. */
static const struct { unsigned across, down, area_down; } grids[] = {
	[CHART_BRAILLE] = { 2, 4, 4 },
	[CHART_BLOCKS] = { 1, 2, 8 },
	[CHART_ASCII] = { 1, 1, 3 },
};

enum chart_mark { MARK_SIDE, MARK_TICK, MARK_CORNER, MARK_FLOOR, MARK_FLOOR_TICK, MARK_CUT, MARK_OUTER };
static const char *const marks[2][7] = {
	{ "│", "┤", "└", "─", "┬", "…", "░" },
	{ "|", "+", "+", "-", "+", "~", "=" },
};

static const char *chart_mark(enum chart_mark mark, enum chart_signs signs)
{
	return marks[signs == CHART_ASCII][mark];
}

/* Appends at most `cells` cells of a name. */
static unsigned chart_add_name(struct buf *out, struct str name, unsigned cells, enum chart_signs signs)
{
	bool whole = utf8_width(name) <= cells;
	unsigned used = 0, room = whole ? cells : cells - 1;

	while (name.len) {
		struct utf8_cell cell;

		name = str_skip(name, utf8_cell(name, &cell));
		if (used + cell.width > room)
			break;
		buf_add(out, str_of(cell.text, cell.len));
		used += cell.width;
	}
	if (!whole)
		buf_add_z(out, chart_mark(MARK_CUT, signs));
	return used + !whole;
}

static void chart_repeat(struct buf *out, const char *sign, unsigned count)
{
	while (count--)
		buf_add_z(out, sign);
}

static void chart_end_line(struct buf *out)
{
	while (out->len && out->ptr[out->len - 1] == ' ')
		buf_remove(out, out->len - 1, 1);
	buf_add_byte(out, '\n');
}

/* --- the plot --- */

struct plot {
	const struct chart *chart;
	enum chart_signs signs;
	unsigned columns, rows;  /* cells */
	struct chart_axis x, y;
	struct chart_column *values[CHART_SERIES_MOST]; /* one a column of dots */
};

static unsigned plot_across(const struct plot *p)
{
	return grids[p->signs].across;
}

/* The dot, counted from below, that a value reaches; `dots` for the highest. 0: none. */
static unsigned plot_height(const struct plot *p, double value, unsigned dots)
{
	double height = chart_place(&p->y, value) * dots;

	return value > 0 ? (unsigned)fmax(1, (double)lround(height)) : 0;
}

/* Of a cell of braille: the bit of the dot in column `x` (0, 1) and row `y` (0 to 3, from above). */
static unsigned braille_bit(unsigned x, unsigned y)
{
	static const uint8_t bits[4][2] = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 } };

	return bits[y][x];
}

static void add_braille(struct buf *out, unsigned mask)
{
	char bytes[4];

	if (mask)
		buf_add(out, str_of(bytes, utf8_put(bytes, 0x2800 + mask)));
	else
		buf_add_byte(out, ' ');
}

/* Dots of the column `x` in the cells of a row from below that stand up to `height`: their number, counted from the bottom of the cell. */
static unsigned filled_of(const struct plot *p, unsigned x, unsigned row, unsigned down)
{
	const struct chart_column *value = &p->values[0][x];
	unsigned height = value->used ? plot_height(p, value->high, p->rows * down) : 0;

	return height <= row * down ? 0 : height >= (row + 1) * down ? down : height - row * down;
}

static void add_area_cell(const struct plot *p, unsigned column, unsigned row, struct buf *out)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }, *const letters[] = { " ", ".", ":", "#" };
	unsigned down = grids[p->signs].area_down, mask = 0;

	if (p->signs == CHART_BRAILLE) {
		for (unsigned x = 0; x < 2; x++)
			for (unsigned y = 0; y < filled_of(p, 2 * column + x, row, down); y++)
				mask |= braille_bit(x, down - 1 - y);
		add_braille(out, mask);
	} else {
		buf_add_z(out, (p->signs == CHART_BLOCKS ? blocks : letters)[filled_of(p, column, row, down)]);
	}
}

/* Whether a line has the dot (x, y), y from below. A dotted line leaves out every other dot. */
static bool line_has(const struct plot *p, unsigned series, unsigned x, unsigned y, bool dotted)
{
	const struct chart_column *value = &p->values[series][x], *before = x ? value - 1 : NULL;
	unsigned dots = p->rows * grids[p->signs].down - 1;
	double low = value->low, high = value->high;

	if (!value->used)
		return false;
	if (before && before->used) {
		low = fmin(low, before->last);
		high = fmax(high, before->last);
	}
	unsigned from = (unsigned)lround(chart_place(&p->y, low) * dots), to = (unsigned)lround(chart_place(&p->y, high) * dots);
	if (y < from || y > to)
		return false;
	return !dotted || (from == to ? x % 2 == 0 : y % 2 == 0);
}

static void add_line_cell(const struct plot *p, unsigned column, unsigned row, struct buf *out)
{
	static const char *const halves[] = { " ", "▄", "▀", "█" };
	unsigned down = grids[p->signs].down, mask[CHART_SERIES_MOST] = { 0 };

	for (unsigned s = 0; s < p->chart->series_count; s++)
		for (unsigned x = 0; x < plot_across(p); x++)
			for (unsigned y = 0; y < down; y++)
				if (line_has(p, s, plot_across(p) * column + x, row * down + y, s && p->signs == CHART_BRAILLE))
					mask[s] |= p->signs == CHART_BRAILLE ? braille_bit(x, down - 1 - y) : 1u << y;
	if (p->signs == CHART_BRAILLE)
		add_braille(out, mask[0] | mask[1]);
	else if (p->signs == CHART_BLOCKS)
		buf_add_z(out, mask[0] ? halves[mask[0]] : mask[1] ? "░" : " ");
	else
		buf_add_z(out, mask[0] && mask[1] ? "*" : mask[0] ? "a" : mask[1] ? "b" : " ");
}

#define EDGE 0.3 /* how far off the edge of a row a tick may be, in rows */

/* The tick that stands at the upper edge of a row (from below), or NULL. */
static const struct chart_tick *tick_of(const struct plot *p, unsigned row)
{
	for (size_t i = 0; i < p->y.count; i++)
		if (fabs(p->y.ticks[i].place * p->rows - (row + 1)) < EDGE)
			return &p->y.ticks[i];
	return NULL;
}

static unsigned label_width(const struct plot *p)
{
	size_t width = 0;

	for (size_t i = 0; i < p->y.count; i++)
		width = strlen(p->y.ticks[i].label) > width ? strlen(p->y.ticks[i].label) : width;
	return (unsigned)width;
}

static void add_rows(const struct plot *p, struct buf *out)
{
	for (unsigned row = p->rows; row-- > 0;) {
		const struct chart_tick *tick = tick_of(p, row);

		buf_printf(out, "%*s %s", (int)label_width(p), tick ? tick->label : "", chart_mark(tick ? MARK_TICK : MARK_SIDE, p->signs));
		for (unsigned column = 0; column < p->columns; column++)
			(p->chart->shape == CHART_LINE ? add_line_cell : add_area_cell)(p, column, row, out);
		chart_end_line(out);
	}
}

static unsigned tick_column(const struct plot *p, const struct chart_tick *tick)
{
	return (unsigned)fmin(tick->place * p->columns, p->columns - 1);
}

static void add_floor(const struct plot *p, struct buf *out)
{
	buf_printf(out, "%*s %s", (int)label_width(p), p->y.ticks[0].label, chart_mark(MARK_CORNER, p->signs));
	for (unsigned column = 0; column < p->columns; column++) {
		enum chart_mark mark = MARK_FLOOR;

		for (size_t i = 0; i < p->x.count; i++)
			if (tick_column(p, &p->x.ticks[i]) == column)
				mark = MARK_FLOOR_TICK;
		buf_add_z(out, chart_mark(mark, p->signs));
	}
	buf_add_byte(out, '\n');
}

/* The labels below their ticks; one that would touch its neighbour is left out. */
static void add_labels(const struct plot *p, struct buf *out)
{
	unsigned left = label_width(p) + 2, width = left + p->columns, used = 0;

	for (size_t i = 0; i < p->x.count; i++) {
		unsigned length = (unsigned)strlen(p->x.ticks[i].label), middle = left + tick_column(p, &p->x.ticks[i]);
		unsigned from = middle > length / 2 ? middle - length / 2 : 0;

		if (from + length > width)
			from = width > length ? width - length : 0;
		if (used && from < used + 2)
			continue;
		chart_repeat(out, " ", from - used);
		buf_add_z(out, p->x.ticks[i].label);
		used = from + length;
	}
	buf_add_byte(out, '\n');
}

/* "title   ─ first   ┄ second" */
static void add_title(const struct chart *c, unsigned columns, enum chart_signs signs, struct buf *out)
{
	static const char *const samples[][CHART_SERIES_MOST] = {
		[CHART_BRAILLE] = { "⠒⠒", "⠂⠂" }, [CHART_BLOCKS] = { "▄▄", "░░" }, [CHART_ASCII] = { "a:", "b:" },
	};
	unsigned used = chart_add_name(out, c->title, columns, signs);

	for (size_t i = 0; c->series_count > 1 && i < c->series_count; i++) {
		unsigned room = columns / 3, width = 6 + (unsigned)fmin(room, (double)utf8_width(c->series[i].name));

		if (used + width > columns) {
			buf_add_byte(out, '\n');
			used = 0;
		}
		buf_printf(out, "%s%s ", used ? "   " : "", samples[signs][i]);
		used += (used ? 6 : 3) + chart_add_name(out, c->series[i].name, room, signs);
	}
	buf_add_byte(out, '\n');
}

#define TICK_CELLS 9 /* between two labels of the x axis, at least */

static void add_plot(const struct chart *c, unsigned columns, unsigned rows, enum chart_signs signs, struct buf *out)
{
	struct plot p = { .chart = c, .signs = signs, .rows = rows };

	chart_axis_up(&p.y, c->y_unit, chart_most(c));
	p.columns = columns - label_width(&p) - 2;
	chart_axis_along(&p.x, c, p.columns / TICK_CELLS);
	for (size_t s = 0; s < c->series_count; s++) {
		p.values[s] = mem_new(plot_across(&p) * p.columns * sizeof *p.values[s]);
		chart_columns(&c->series[s], &p.x, p.values[s], plot_across(&p) * p.columns);
	}
	add_rows(&p, out);
	add_floor(&p, out);
	add_labels(&p, out);
	for (size_t s = 0; s < c->series_count; s++)
		mem_free(p.values[s]);
}

/* --- bars --- */

/* The inner part whole, the outer one lighter; a bar that is not nothing has a cell. */
static void add_bar(struct buf *out, const struct chart_bar *bar, double most, unsigned cells, enum chart_signs signs)
{
	double scale = most > 0 ? cells / most : 0;
	unsigned inner = (unsigned)lround(chart_finite(bar->inner) * scale), outer = (unsigned)lround(chart_finite(bar->outer) * scale);

	inner = inner || chart_finite(bar->inner) <= 0 ? inner : 1;
	chart_repeat(out, signs == CHART_ASCII ? "#" : "█", inner);
	chart_repeat(out, chart_mark(MARK_OUTER, signs), outer > inner ? outer - inner : 0);
}

static void add_bars(const struct chart *c, unsigned columns, enum chart_signs signs, struct buf *out)
{
	unsigned names = 0, values = 19;

	for (size_t i = 0; i < c->bar_count; i++)
		names = (unsigned)fmax(names, (double)utf8_width(c->bars[i].name));
	names = (unsigned)fmin(fmax(names, (double)utf8_width(c->title)), (columns - values) / 2);
	unsigned used = chart_add_name(out, c->title, names, signs);
	chart_repeat(out, " ", names - used);
	buf_printf(out, " %8s %8s\n", c->inner, c->outer);
	for (size_t i = 0; i < c->bar_count; i++) {
		used = chart_add_name(out, c->bars[i].name, names, signs);
		chart_repeat(out, " ", names - used + 1);
		char inner[CHART_LABEL_SIZE], outer[CHART_LABEL_SIZE];

		chart_value(inner, c->y_unit, c->bars[i].inner);
		chart_value(outer, c->y_unit, c->bars[i].outer);
		buf_printf(out, "%8s %8s ", inner, outer);
		add_bar(out, &c->bars[i], chart_most(c), columns - names - values, signs);
		chart_end_line(out);
	}
}

void chart_text(const struct chart *c, unsigned columns, unsigned rows, enum chart_signs signs, struct buf *out)
{
	columns = columns < CHART_COLUMNS_LEAST ? CHART_COLUMNS_LEAST : columns > CHART_COLUMNS_MOST ? CHART_COLUMNS_MOST : columns;
	rows = rows < 2 ? 2 : rows > CHART_ROWS_MOST ? CHART_ROWS_MOST : rows;
	assert(c->series_count <= CHART_SERIES_MOST);
	if (chart_is_empty(c))
		return;
	if (c->shape == CHART_BARS) {
		add_bars(c, columns, signs, out);
		return;
	}
	add_title(c, columns, signs, out);
	add_plot(c, columns, rows, signs, out);
}
