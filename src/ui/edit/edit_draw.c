/* The rows of the text, laid out as far as they are looked at; moving by them and drawing them. */
#include "ui/edit/edit_parts.h"

#define STEP_BYTES ((size_t)8192)

static struct str between(const struct edit *e, size_t from, size_t to)
{
	return str_head(str_skip(buf_str(&e->text), from), to - from);
}

/* --- rows --- */

/* Whether the row of an offset and so many behind it are what they will be in the whole text. */
static bool is_laid_out(const struct edit *e, size_t offset, size_t rows)
{
	const struct flow *flow = &e->parts->flow;

	return flow->length == e->text.len || (flow->length > offset && flow->count > flow_row_of(flow, offset) + rows + 2);
}

/*
 * Lays out up to the row of an offset and some rows behind it. The end of what is laid out is where the text was cut, which may
 * be inside of a cluster: the last rows are made again when it goes on. The last column is the cursor's, behind a full row.
 */
static void lay_out(const struct edit *e, unsigned columns, size_t offset, size_t rows)
{
	struct flow *flow = &e->parts->flow;
	unsigned width = columns > 1 ? columns - 1 : 1;

	if (flow->width_cells != width)
		flow_reset(flow);
	flow->width_cells = width;
	while (!is_laid_out(e, offset, rows)) {
		size_t from = flow->length > offset ? flow->length : offset;

		if (flow->length)
			flow_cut(flow, flow->length);
		flow_update(flow, str_head(buf_str(&e->text), from + STEP_BYTES), width);
	}
}

static void lay_out_cursor(const struct edit *e, unsigned columns, size_t rows)
{
	lay_out(e, columns, e->cursor, rows);
}

/* An empty text and one that ends in LF have a row more than the flow: the one for what comes next. */
static size_t row_count(const struct edit *e)
{
	const struct flow *flow = &e->parts->flow;
	bool whole = flow->length == e->text.len;

	return flow->count + (whole && (e->text.len == 0 || e->text.ptr[e->text.len - 1] == '\n'));
}

static size_t row_of_cursor(const struct edit *e)
{
	return e->cursor == e->text.len ? row_count(e) - 1 : flow_row_of(&e->parts->flow, e->cursor);
}

static size_t row_start(const struct edit *e, size_t row)
{
	return row < e->parts->flow.count ? e->parts->flow.starts[row] : e->text.len;
}

static struct str row_text(const struct edit *e, size_t row)
{
	return row < e->parts->flow.count ? flow_row(&e->parts->flow, buf_str(&e->text), row) : STR_NONE;
}

static unsigned cursor_column(const struct edit *e, size_t row)
{
	return flow_columns(between(e, row_start(e, row), e->cursor), UINT_MAX);
}

/* The offset in a row that is nearest to a column, not behind it. */
static size_t offset_at(const struct edit *e, size_t row, unsigned column)
{
	struct str rest = row_text(e, row);
	size_t start = row_start(e, row), end = start + rest.len;
	struct flow_cell next;
	unsigned used = 0;
	size_t at = start;

	while (flow_next(&rest, used, &next) && used + next.columns <= column) {
		used += next.columns;
		at = end - rest.len;
	}
	if (at > start && at == row_start(e, row + 1) && at < e->text.len)
		at = edit_before(e, at);
	return chip_around(buf_str(&e->text), at);
}

bool edit_move_rows(struct edit *e, int by)
{
	struct edit_parts *p = e->parts;
	size_t row, at;

	if (e->one_line)
		return false;
	lay_out_cursor(e, p->columns, 2);
	row = row_of_cursor(e);
	if (by < 0 ? row == 0 : row + 1 >= row_count(e))
		return false;
	if (p->sticky_column == EDIT_NO_COLUMN)
		p->sticky_column = cursor_column(e, row);
	at = offset_at(e, by < 0 ? row - 1 : row + 1, p->sticky_column);
	if (by > 0 && at <= e->cursor) /* the row below is inside of the chip that the cursor is before */
		at = edit_after(e, e->cursor);
	e->cursor = at;
	return true;
}

unsigned edit_rows(const struct edit *e, unsigned columns)
{
	size_t rows;

	if (e->one_line)
		return 1;
	lay_out(e, columns, 0, EDIT_ROWS_COUNTED);
	rows = row_count(e);
	return rows < EDIT_ROWS_COUNTED ? (unsigned)rows : EDIT_ROWS_COUNTED;
}

/* --- drawing --- */

/* One line is scrolled sideways: from the first cluster on that leaves the cursor in sight. */
static void draw_line(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused)
{
	struct str text = buf_str(&e->text);
	size_t start = e->cursor;
	unsigned used = 0;

	while (start > 0) {
		size_t at = edit_before(e, start);

		used += flow_columns(between(e, at, start), UINT_MAX);
		if (used >= area.columns)
			break;
		start = at;
	}
	canvas_put(canvas, area.row, area.column, area.columns, role, str_skip(text, start));
	if (focused)
		canvas_cursor(canvas, area.row, area.column + flow_columns(between(e, start, e->cursor), area.columns - 1));
}

/* Scrolls as little as keeps the cursor in the area. */
static void scroll_to(struct edit_parts *p, size_t row, size_t count, unsigned rows)
{
	if (p->top + rows > count)
		p->top = count > rows ? count - rows : 0;
	if (row < p->top)
		p->top = row;
	if (row >= p->top + rows)
		p->top = row - rows + 1;
}

/* Draws what a row shows of chips once more, as no text that anybody wrote. */
static void draw_chips(const struct edit *e, struct canvas *canvas, struct area line, size_t row)
{
	size_t start = row_start(e, row), end = start + row_text(e, row).len;
	struct str text = str_head(buf_str(&e->text), end + CHIP_MARK_BYTES);
	size_t at = chip_next(text, chip_around(text, start));

	for (; at < end; at = chip_next(text, at + 1)) {
		size_t from = at > start ? at : start, behind = at + chip_length(str_skip(text, at));
		unsigned column = flow_columns(between(e, start, from), line.columns);

		canvas_put(canvas, line.row, line.column + column, line.columns - column, ROLE_ACCENT,
		           between(e, from, behind < end ? behind : end));
	}
}

void edit_draw(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused)
{
	struct edit_parts *p = e->parts;
	size_t cursor_row;

	if (!area.rows || !area.columns)
		return;
	canvas_fill(canvas, area, role);
	if (e->one_line) {
		draw_line(e, canvas, area, role, focused);
		return;
	}
	p->columns = area.columns;
	lay_out_cursor(e, area.columns, area.rows);
	cursor_row = row_of_cursor(e);
	scroll_to(p, cursor_row, row_count(e), area.rows);
	for (unsigned r = 0; r < area.rows; r++) {
		canvas_put(canvas, area.row + r, area.column, area.columns, role, row_text(e, p->top + r));
		if (e->makes_chips)
			draw_chips(e, canvas, (struct area){ area.row + r, area.column, 1, area.columns }, p->top + r);
	}
	if (focused) {
		unsigned column = cursor_column(e, cursor_row);

		canvas_cursor(canvas, area.row + (unsigned)(cursor_row - p->top),
			area.column + (column < area.columns ? column : area.columns - 1));
	}
}
