#include "app/tape/tape_chart.h"

#include <math.h>

#include "base/array.h"
#include "base/utf8.h"

/* --- a line --- */

#define LINE_COLUMNS 24
#define VALUES_LEAST 3
#define VALUE_LEAST 0.01

/* The column of a value on a logarithmic scale between the extremes. */
static unsigned column_of(const struct tape_times *sorted, double value)
{
	double least = fmax(sorted->at[0], VALUE_LEAST), most = fmax(sorted->at[sorted->count - 1], VALUE_LEAST);
	double place = most > least ? log(fmax(value, VALUE_LEAST) / least) / log(most / least) : 0;

	return (unsigned)fmin(place * LINE_COLUMNS, LINE_COLUMNS - 1);
}

void tape_chart_line(const struct tape_times *sorted, bool blocks, struct buf *out)
{
	static const char *const heights[2][9] = { { " ", ".", ".", ":", ":", "|", "|", "#", "#" }, { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" } };
	size_t counts[LINE_COLUMNS] = { 0 }, most = 0;

	if (sorted->count < VALUES_LEAST)
		return;
	for (size_t i = 0; i < sorted->count; i++)
		counts[column_of(sorted, sorted->at[i])]++;
	for (unsigned c = 0; c < LINE_COLUMNS; c++)
		most = counts[c] > most ? counts[c] : most;
	for (unsigned c = 0; c < LINE_COLUMNS; c++)
		buf_add_z(out, heights[blocks][counts[c] ? 1 + counts[c] * 7 / most : 0]);
}

/* --- SVG --- */

#define SVG_WIDTH 880
#define SVG_LEFT 300  /* of the bars */
#define SVG_RIGHT 780
#define SVG_ROW 22
#define SVG_NAME_CELLS 40

static const struct { const char *title, *unit; } charts[TAPE_FIGURES] = {
	[TAPE_FIRST] = { "First content", "ms" },
	[TAPE_GAP] = { "Gap between pieces of content", "ms" },
	[TAPE_RATE] = { "Tokens a second", "" },
};

/* Text of a tape in XML: markup escaped, control characters as pictures. */
static void add_name(struct buf *out, struct str name)
{
	struct buf safe = { 0 };
	unsigned used = 0;

	output_field(&safe, name);
	for (struct str rest = buf_str(&safe); rest.len && used < SVG_NAME_CELLS;) {
		struct utf8_cell cell;
		size_t bytes = utf8_cell(rest, &cell);

		used += cell.width;
		if (*rest.ptr == '<' || *rest.ptr == '>' || *rest.ptr == '&')
			buf_printf(out, "&#%d;", *rest.ptr);
		else
			buf_add(out, str_of(cell.text, cell.len));
		rest = str_skip(rest, bytes);
	}
	buf_fini(&safe);
}

static double most_of(const struct tape_chart_row *rows, size_t count, enum tape_figure figure)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].of[figure].count)
			most = fmax(most, tape_times_at(&rows[i].of[figure], 0.99));
	return most;
}

/* A thin bar to p99, a thick one to p50, and both in figures. */
static void add_row(struct buf *out, const struct tape_chart_row *row, enum tape_figure figure, double most, unsigned y)
{
	const struct tape_times *times = &row->of[figure];
	double p50 = tape_times_at(times, 0.5), p99 = tape_times_at(times, 0.99), scale = most > 0 ? (SVG_RIGHT - SVG_LEFT) / most : 0;

	buf_printf(out, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">", SVG_LEFT - 10, y + 5);
	add_name(out, str_from(row->provider));
	buf_add_byte(out, ' ');
	add_name(out, str_from(row->model));
	buf_add_z(out, "</text>\n");
	if (!times->count) {
		buf_printf(out, "<text x=\"%d\" y=\"%u\" class=\"q\">unknown</text>\n", SVG_LEFT, y + 5);
		return;
	}
	buf_printf(out, "<rect x=\"%d\" y=\"%u\" width=\"%.1f\" height=\"4\" class=\"l\"/>\n", SVG_LEFT, y - 2, p99 * scale);
	buf_printf(out, "<rect x=\"%d\" y=\"%u\" width=\"%.1f\" height=\"12\" class=\"b\"/>\n", SVG_LEFT, y - 6, p50 * scale);
	buf_printf(out, "<text x=\"%.1f\" y=\"%u\" class=\"q\">%.4g | %.4g %s</text>\n", SVG_LEFT + p99 * scale + 8, y + 5, p50, p99, charts[figure].unit);
}

void tape_chart_svg(const struct tape_chart_row *rows, size_t count, struct buf *out)
{
	unsigned y = 0, height = (unsigned)(TAPE_FIGURES * ((count + 2) * SVG_ROW) + SVG_ROW);

	buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" viewBox=\"0 0 %d %u\">\n", SVG_WIDTH, height, SVG_WIDTH, height);
	buf_add_z(out, "<style>text{font:13px sans-serif;fill:#222}.t{font-weight:bold}.q{fill:#666}.b{fill:#3b6ea5}.l{fill:#a9c3de}</style>\n"
	               "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
	for (enum tape_figure figure = 0; figure < TAPE_FIGURES; figure++) {
		double most = most_of(rows, count, figure);

		y += 2 * SVG_ROW;
		buf_printf(out, "<text x=\"%d\" y=\"%u\" class=\"t\">%s: p50 | p99</text>\n", SVG_LEFT, y - 4, charts[figure].title);
		for (size_t i = 0; i < count; i++)
			add_row(out, &rows[i], figure, most, y += SVG_ROW);
	}
	buf_add_z(out, "</svg>\n");
}
