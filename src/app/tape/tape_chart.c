#include "app/tape/tape_chart.h"

#include <math.h>
#include <string.h>

#include "app/options/options.h"
#include "app/system/environment.h"
#include "base/mem.h"
#include "ui/term/capability.h"

void tape_points_fini(struct tape_points *points)
{
	mem_free(points->at);
	*points = (struct tape_points){ .count = 0 };
}

static void points_add(struct tape_points *points, double x, double y)
{
	mem_reserve(&points->at, &points->capacity, points->count + 1, sizeof *points->at);
	points->at[points->count++] = (struct chart_point){ x, y };
}

static struct chart chart_of(const char *title, enum chart_shape shape, const struct tape_points *points)
{
	return (struct chart){ .title = str_from(title), .shape = shape, .x_unit = CHART_MS,
	                       .series = { { STR_NONE, points->at, points->count } }, .series_count = 1 };
}

/* --- over time --- */

#define INTERVALS_MOST 76
#define INTERVALS_LEAST 8
#define PIECES_EACH 4      /* of content in an interval, on average: with fewer the chart shows the pieces and not the rate */
#define SPAN_LEAST_MS 50.0 /* a rate over less time is meaningless */

struct chart tape_chart_rate(const struct tape_reading *r, struct tape_points *points)
{
	double span_ms = r->meter.last_ms - r->meter.first_ms, before = 0;
	size_t intervals = r->course.count / PIECES_EACH, at = 0;

	points->count = 0;
	intervals = intervals > INTERVALS_MOST ? INTERVALS_MOST : intervals < INTERVALS_LEAST ? INTERVALS_LEAST : intervals;
	if (!tape_is_plain(r->tape) && r->course.count > 1 && span_ms >= SPAN_LEAST_MS) {
		points_add(points, 0, 0);
		for (size_t i = 0; i < intervals; i++) {
			double end_ms = i + 1 < intervals ? r->meter.first_ms + span_ms * (double)(i + 1) / (double)intervals : INFINITY,
			       tokens = before;

			for (; at < r->course.count && r->course.at[at].at_ms < end_ms; at++)
				tokens = r->course.at[at].tokens;
			points_add(points, r->meter.first_ms + span_ms * (double)i / (double)intervals,
			           (tokens - before) * 1000 * (double)intervals / span_ms);
			before = tokens;
		}
		points_add(points, r->meter.last_ms, 0);
	}
	return chart_of("estimated tokens a second", CHART_AREA, points);
}

struct chart tape_chart_text(const struct tape_reading *r, struct tape_points *points)
{
	points->count = 0;
	if (!tape_is_plain(r->tape) && r->course.count) {
		points_add(points, 0, 0);
		for (size_t i = 0; i < r->course.count; i++)
			points_add(points, r->course.at[i].at_ms, r->course.at[i].tokens);
		points_add(points, fmax(r->total_ms, r->meter.last_ms), 0);
	}
	return chart_of("estimated tokens so far", CHART_LINE, points);
}

/* --- distributions --- */

#define VALUES_LEAST 3
#define VALUE_LEAST 0.01 /* of a logarithmic scale */
#define BINS_MOST 48

/* Counts values in bins of equal width on a logarithmic scale between the extremes. Returns the highest count. */
static size_t count_values(const struct tape_times *sorted, size_t *counts, size_t bins)
{
	double least = fmax(sorted->at[0], VALUE_LEAST), range = fmax(sorted->at[sorted->count - 1], VALUE_LEAST) / least;
	size_t most = 0;

	for (size_t i = 0; i < sorted->count; i++) {
		double place = range > 1 ? log(fmax(sorted->at[i], VALUE_LEAST) / least) / log(range) : 0;
		size_t *count = &counts[(size_t)fmin(place * (double)bins, (double)bins - 1)];

		most = ++*count > most ? *count : most;
	}
	return most;
}

struct chart tape_chart_gaps(const struct tape_times *sorted, struct tape_points *points)
{
	size_t counts[BINS_MOST] = { 0 };
	struct chart chart;

	points->count = 0;
	if (sorted->count >= VALUES_LEAST && sorted->at[sorted->count - 1] > fmax(sorted->at[0], VALUE_LEAST)) {
		double least = fmax(sorted->at[0], VALUE_LEAST), range = sorted->at[sorted->count - 1] / least;

		(void)count_values(sorted, counts, BINS_MOST);
		for (size_t i = 0; i <= BINS_MOST; i++)
			points_add(points, least * pow(range, (double)i / BINS_MOST), i < BINS_MOST ? (double)counts[i] : 0);
	}
	chart = chart_of("gaps between pieces of content, by length", CHART_AREA, points);
	chart.x_log = true;
	return chart;
}

#define LINE_COLUMNS 24

void tape_chart_line(const struct tape_times *sorted, bool blocks, struct buf *out)
{
	static const char *const heights[2][9] = { { " ", ".", ".", ":", ":", "|", "|", "#", "#" }, { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" } };
	size_t counts[LINE_COLUMNS] = { 0 }, most;

	if (sorted->count < VALUES_LEAST)
		return;
	most = count_values(sorted, counts, LINE_COLUMNS);
	for (unsigned c = 0; c < LINE_COLUMNS; c++)
		buf_add_z(out, heights[blocks][counts[c] ? 1 + counts[c] * 7 / most : 0]);
}

/* --- where they go --- */

/* A locale that is named and is not UTF-8. */
static bool locale_is_narrow(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct str locale = str_from(process_environment(names[i]));

		if (locale.len)
			return !str_has_nocase(locale, STR("utf-8")) && !str_has_nocase(locale, STR("utf8"));
	}
	return false;
}

bool tape_chart_blocks(const struct options *o)
{
	const char *terminal = process_environment("TERM");

	return !o->ascii && !locale_is_narrow() && capability_blocks(terminal ? terminal : "dumb");
}

bool tape_chart_wanted(const struct tape_document *doc, const struct options *o)
{
	return !o->json && (o->chart || (!doc->destination.is_file && doc->destination.pager.out.terminal));
}

void tape_chart_draw(const struct chart *chart, unsigned rows, const struct options *o, struct buf *out)
{
	enum chart_signs signs = !tape_chart_blocks(o) ? CHART_ASCII : chart->shape == CHART_LINE ? CHART_BRAILLE : CHART_BLOCKS;
	struct buf drawn = { 0 };

	chart_text(chart, output_columns(), rows, signs, &drawn);
	if (drawn.len) {
		buf_add_byte(out, '\n');
		buf_add(out, buf_str(&drawn));
	}
	buf_fini(&drawn);
}

int tape_chart_save(const struct chart *charts, size_t count, const char *title, const struct options *o)
{
	struct options as_file = *o;
	struct tape_document doc;
	int status = EXIT_DONE;

	as_file.output = o->svg;
	if (!o->svg || !tape_document_open(&doc, &as_file, &status))
		return status;
	chart_svg(charts, count, str_from(title), &doc.text);
	return tape_document_close(&doc);
}
