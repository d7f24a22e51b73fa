#include "ui/rows.h"

#include "base/utf8.h"

static bool rows_has_margins(unsigned columns)
{
	return columns > 2;
}

unsigned rows_width(unsigned columns, unsigned most)
{
	unsigned width = rows_has_margins(columns) ? columns - 2 : 1;

	return most && width > most ? most : width;
}

struct area rows_inside(struct area area)
{
	unsigned gutter = rows_has_margins(area.columns);

	return (struct area){ area.row, area.column + gutter, area.rows, area.columns - gutter };
}

void rows_put(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role,
              const struct flow *flow, struct str text, size_t index)
{
	canvas_put(canvas, row, column, columns, role, flow_row(flow, text, index));
}

void rows_put_words(struct canvas *canvas, struct area area, enum role_name role, struct str words)
{
	struct flow flow;

	flow_init(&flow);
	flow_update(&flow, words, area.columns);
	for (unsigned r = 0; r < area.rows && r < flow.count; r++)
		rows_put(canvas, area.row + r, area.column, area.columns, role, &flow, words, r);
	flow_fini(&flow);
}

struct rows_part rows_part_of(const struct flow *flow, struct str text, size_t index)
{
	size_t start = index < flow->count ? flow->starts[index] : text.len;
	size_t end = index + 1 < flow->count ? flow->starts[index + 1] : text.len;

	return (struct rows_part){ start, flow_row(flow, text, index).len, end };
}

void rows_put_part(struct canvas *canvas, struct area at, enum role_name role, struct str text, struct rows_part row, struct hits *hits,
                   struct hits_place of)
{
	struct span span = { .text = str_head(str_skip(text, row.start), row.len), .role = (uint8_t)role };
	const struct span *spans = &span;
	size_t count = 1;

	if (hits)
		spans = hits_mark(hits, str_head(text, row.start), spans, &count, str_skip(text, row.start + row.len),
		                  hits_current_in(hits, (struct hits_row){ of.turn, of.part, row.start + of.shift, row.end + of.shift }));
	canvas_put_spans(canvas, at.row, at.column, at.columns, spans, count);
}

void rows_put_member(struct canvas *canvas, struct area at, struct member_roles roles, const struct member_marks *marks, struct str text,
                     struct rows_part row, struct hits *hits, struct hits_place of)
{
	static const char blanks[MEMBERS_NAMES_MOST + 1] = "                        ";
	struct str shown = str_head(str_skip(text, row.start), row.len);
	struct member_row form = member_marks_row(marks, str_of(text.ptr + row.start, row.len));
	struct span parts[] = {
		{ .text = str_head(shown, form.name), .role = (uint8_t)roles.name },
		{ .text = str_of(blanks, form.pad), .role = (uint8_t)roles.value },
		{ .text = str_skip(shown, form.name), .role = (uint8_t)roles.value },
	};
	const struct span *spans = parts;
	size_t count = sizeof parts / sizeof *parts;

	if (hits)
		spans = hits_mark(hits, str_head(text, row.start), spans, &count, str_skip(text, row.start + row.len),
		                  hits_current_in(hits, (struct hits_row){ of.turn, of.part, row.start + of.shift, row.end + of.shift }));
	if (form.indent < at.columns)
		canvas_put_spans(canvas, at.row, at.column + form.indent, at.columns - form.indent, spans, count);
}

void rows_put_marked(struct canvas *canvas, struct area at, enum role_name role, const struct flow *flow, struct str text,
                     size_t index, struct hits *hits, struct hits_place of)
{
	rows_put_part(canvas, at, role, text, rows_part_of(flow, text, index), hits, of);
}

void hints_add(struct buf *out, size_t start, const char *key, const char *does)
{
	if (key && *key)
		buf_printf(out, "%s%s %s", out->len > start ? "   " : "", key, does);
}

struct str hints_fitting(struct str hints, unsigned columns)
{
	struct str gap = STR("   ");

	for (size_t at; utf8_width(hints) > columns && (at = str_find(hints, gap)) < hints.len;)
		hints = str_skip(hints, at + gap.len);
	return hints;
}
