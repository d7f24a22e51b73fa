/* The editor's rows: layout, vertical movement, drawing. Rows are laid out only as far as they are needed. */
#include "ui/edit/edit_parts.h"

#define STEP_BYTES ((size_t)8192)


/* --- rows --- */

/* True when the row of `offset` and `rows` rows after it are laid out and will not change when layout continues. */
static bool edit_is_laid_out(const struct edit *e, size_t offset, size_t rows)
{
	const struct flow *flow = &e->parts->flow;

	return flow->length == e->text.len || (flow->length > offset && flow->count > flow_row_of(flow, offset) + rows + 2);
}

/*
 * Lays out up to the row of `offset` and `rows` rows after it. Layout stops at an arbitrary byte, perhaps inside a cluster, so the
 * last rows are redone when it resumes. The last column is reserved for the cursor after a full row.
 */
static void edit_lay_out(const struct edit *e, unsigned columns, size_t offset, size_t rows)
{
	struct flow *flow = &e->parts->flow;
	unsigned width = columns > 1 ? columns - 1 : 1;

	if (flow->width_cells != width)
		flow_reset(flow);
	flow->width_cells = width;
	while (!edit_is_laid_out(e, offset, rows)) {
		size_t from = flow->length > offset ? flow->length : offset;

		if (flow->length)
			flow_cut(flow, flow->length);
		flow_update(flow, str_head(buf_str(&e->text), from + STEP_BYTES), width);
	}
}

static void edit_lay_out_cursor(const struct edit *e, unsigned columns, size_t rows)
{
	edit_lay_out(e, columns, e->cursor, rows);
}

/* An empty text, or one that ends in LF, has one row more than the flow: the row for the next character. */
static size_t edit_row_count(const struct edit *e)
{
	const struct flow *flow = &e->parts->flow;
	bool whole = flow->length == e->text.len;

	return flow->count + (whole && (e->text.len == 0 || e->text.ptr[e->text.len - 1] == '\n'));
}

static size_t edit_cursor_row(const struct edit *e)
{
	return e->cursor == e->text.len ? edit_row_count(e) - 1 : flow_row_of(&e->parts->flow, e->cursor);
}

static size_t edit_row_start(const struct edit *e, size_t row)
{
	return row < e->parts->flow.count ? e->parts->flow.starts[row] : e->text.len;
}

static struct str edit_row_text(const struct edit *e, size_t row)
{
	return flow_row(&e->parts->flow, buf_str(&e->text), row);
}

static unsigned edit_cursor_column(const struct edit *e, size_t row)
{
	return flow_columns(edit_between(e, edit_row_start(e, row), e->cursor), UINT_MAX);
}

/* The last cluster boundary in a row that is not right of `column`. */
static size_t edit_offset_at(const struct edit *e, size_t row, unsigned column)
{
	struct str rest = edit_row_text(e, row);
	size_t start = edit_row_start(e, row), end = start + rest.len;
	struct flow_cell next;
	unsigned used = 0;
	size_t at = start;

	while (flow_next(&rest, used, &next) && used + next.columns <= column) {
		used += next.columns;
		at = end - rest.len;
	}
	if (at > start && at == edit_row_start(e, row + 1) && at < e->text.len)
		at = edit_before(e, at);
	return chip_around(buf_str(&e->text), at);
}

bool edit_move_rows(struct edit *e, int by)
{
	struct edit_parts *p = e->parts;
	size_t row, at;

	if (e->one_line)
		return false;
	edit_lay_out_cursor(e, p->columns, 2);
	row = edit_cursor_row(e);
	if (by < 0 ? row == 0 : row + 1 >= edit_row_count(e))
		return false;
	if (p->sticky_column == EDIT_NO_COLUMN)
		p->sticky_column = edit_cursor_column(e, row);
	at = edit_offset_at(e, by < 0 ? row - 1 : row + 1, p->sticky_column);
	if (by > 0 && at <= e->cursor) /* the row below is inside the chip at the cursor */
		at = edit_after(e, e->cursor);
	e->cursor = at;
	return true;
}

unsigned edit_rows(const struct edit *e, unsigned columns)
{
	size_t rows;

	edit_lay_out(e, columns, 0, EDIT_ROWS_COUNTED);
	rows = edit_row_count(e);
	return rows < EDIT_ROWS_COUNTED ? (unsigned)rows : EDIT_ROWS_COUNTED;
}

/* --- drawing --- */

/* A single line scrolls horizontally: it starts at the first cluster that keeps the cursor visible. */
static void edit_draw_line(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused)
{
	struct str text = buf_str(&e->text);
	size_t start = e->cursor;
	unsigned used = 0;

	while (start > 0) {
		size_t at = edit_before(e, start);

		used += flow_columns(edit_between(e, at, start), UINT_MAX);
		if (used >= area.columns)
			break;
		start = at;
	}
	canvas_put(canvas, area.row, area.column, area.columns, role, str_skip(text, start));
	if (focused)
		canvas_cursor(canvas, area.row, area.column + flow_columns(edit_between(e, start, e->cursor), area.columns - 1));
}

/* Scrolls by the least number of rows that makes the cursor's row visible. */
static void edit_scroll_to(struct edit_parts *p, size_t row, size_t count, unsigned rows)
{
	if (p->top + rows > count)
		p->top = count > rows ? count - rows : 0;
	if (row < p->top)
		p->top = row;
	if (row >= p->top + rows)
		p->top = row - rows + 1;
}

/* Redraws the parts of a row that belong to chips in the accent role. */
static void edit_draw_chips(const struct edit *e, struct canvas *canvas, struct area line, size_t row)
{
	size_t start = edit_row_start(e, row), end = start + edit_row_text(e, row).len;
	struct str text = str_head(buf_str(&e->text), end + CHIP_MARK_BYTES);
	size_t at = chip_next(text, chip_around(text, start));

	for (; at < end; at = chip_next(text, at + 1)) {
		size_t from = at > start ? at : start, behind = at + chip_length(str_skip(text, at));
		unsigned column = flow_columns(edit_between(e, start, from), line.columns);

		canvas_put(canvas, line.row, line.column + column, line.columns - column, ROLE_ACCENT,
		           edit_between(e, from, behind < end ? behind : end));
	}
}

/* The part of a row that is marked. */
static void edit_draw_mark(const struct edit *e, struct canvas *canvas, struct area line, size_t row)
{
	size_t start = edit_row_start(e, row), end = start + edit_row_text(e, row).len, from, to;

	if (!edit_marked(e, &from, &to) || from >= end || to <= start)
		return;
	from = from > start ? from : start;
	unsigned column = flow_columns(edit_between(e, start, from), line.columns);
	line.column += column;
	line.columns = flow_columns(edit_between(e, from, to < end ? to : end), line.columns - column);
	canvas_restyle(canvas, line, ROLE_SELECTED);
}

void edit_draw(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused)
{
	struct edit_parts *p = e->parts;
	size_t cursor_row;

	if (!area.rows || !area.columns)
		return;
	canvas_fill(canvas, area, role);
	if (e->one_line && area.rows == 1) {
		edit_draw_line(e, canvas, area, role, focused);
		return;
	}
	p->columns = area.columns;
	edit_lay_out_cursor(e, area.columns, area.rows);
	cursor_row = edit_cursor_row(e);
	edit_scroll_to(p, cursor_row, edit_row_count(e), area.rows);
	for (unsigned r = 0; r < area.rows; r++) {
		canvas_put(canvas, area.row + r, area.column, area.columns, role, edit_row_text(e, p->top + r));
		if (e->makes_chips)
			edit_draw_chips(e, canvas, (struct area){ area.row + r, area.column, 1, area.columns }, p->top + r);
	}
	for (unsigned r = 0; edit_is_marked(e) && r < area.rows; r++)
		edit_draw_mark(e, canvas, (struct area){ area.row + r, area.column, 1, area.columns }, p->top + r);
	if (focused) {
		unsigned column = edit_cursor_column(e, cursor_row);

		canvas_cursor(canvas, area.row + (unsigned)(cursor_row - p->top),
			area.column + (column < area.columns ? column : area.columns - 1));
	}
}
