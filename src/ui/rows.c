#include "ui/rows.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"

static bool has_margins(unsigned columns)
{
	return columns > 2;
}

unsigned rows_width(unsigned columns, unsigned most)
{
	unsigned width = has_margins(columns) ? columns - 2 : 1;
	return most && width > most ? most : width;
}

struct area rows_inside(struct area area)
{
	unsigned gutter = has_margins(area.columns);
	return (struct area){ area.row, area.column + gutter, area.rows, area.columns - gutter };
}

void rows_put(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
              const struct flow *flow, struct str text, size_t index)
{
	canvas_put_row(canvas, row, column, columns, role, flow_row(flow, text, index));
}

void rows_put_marked(struct canvas *canvas, struct area at, enum role_name role, const struct flow *flow, struct str text, size_t index,
                     struct hits *hits, struct hits_place of)
{
	struct span span = { .text = flow_row(flow, text, index), .role = (uint8_t)role };
	const struct span *spans = &span;
	size_t count = 1, start = index < flow->count ? flow->starts[index] : text.len;
	size_t end = index + 1 < flow->count ? flow->starts[index + 1] : text.len;
	if (hits)
		spans = hits_mark(hits, str_head(text, start), spans, &count, str_skip(text, start + span.text.len),
		                  hits_current_in(hits, (struct hits_row){ of.turn, of.part, start + of.shift, end + of.shift }));
	canvas_put_spans(canvas, at.row, at.column, at.columns, spans, count);
}

const char *figure_count(char out[FIGURE_SIZE], int64_t count)
{
	char digits[24];
	int len = snprintf(digits, sizeof digits, "%" PRId64, count), at = 0;
	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0 && digits[i - 1] != '-')
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = 0;
	return out;
}

const char *figure_bytes(char out[FIGURE_SIZE], size_t bytes)
{
	if (bytes < 1000)
		snprintf(out, FIGURE_SIZE, "%zu B", bytes);
	else if (bytes < 1000000)
		snprintf(out, FIGURE_SIZE, "%.1f KB", (double)bytes / 1000);
	else
		snprintf(out, FIGURE_SIZE, "%.1f MB", (double)bytes / 1000000);
	return out;
}

struct str hints_fitting(struct str hints, unsigned columns)
{
	struct str gap = STR("   ");
	for (size_t at; utf8_width(hints) > columns && (at = str_find(hints, gap)) < hints.len;)
		hints = str_skip(hints, at + gap.len);
	return hints;
}

const char *figure_seconds(char out[FIGURE_SIZE], double ms)
{
	double seconds = ms < 0 ? 0 : ms / 1000;
	if (seconds < 10)
		snprintf(out, FIGURE_SIZE, "%.1f s", seconds);
	else if (seconds < 120)
		snprintf(out, FIGURE_SIZE, "%.0f s", seconds);
	else
		snprintf(out, FIGURE_SIZE, "%d min %d s", (int)(seconds / 60), (int)seconds % 60);
	return out;
}

#define MINUTES_FROM_MS 100000.0

const char *figure_clock(char out[FIGURE_SIZE], double ms)
{
	ms = ms < 0 ? 0 : ms;
	if (ms >= MINUTES_FROM_MS)
		snprintf(out, FIGURE_SIZE, "%4lld:%02d", (long long)(ms / 60000), (int)((long long)(ms / 1000) % 60));
	else
		snprintf(out, FIGURE_SIZE, "%5.1f s", ms / 1000);
	return out;
}
