#include "app/system/line_wrap.h"

/* A word with hyphens may be an option or an address: it is not broken. */
static bool wrap_holds(const void *ctx, size_t offset)
{
	(void)ctx, (void)offset;
	return true;
}

void line_wrap_init(struct line_wrap *w)
{
	*w = (struct line_wrap){ 0 };
	flow_init(&w->flow);
	w->flow.holds = wrap_holds;
	buf_init(&w->row, BUF_LIMIT_DEFAULT);
}

void line_wrap_fini(struct line_wrap *w)
{
	flow_fini(&w->flow);
	buf_fini(&w->row);
}

void line_wrap_begin(struct line_wrap *w)
{
	flow_reset(&w->flow);
	buf_clear(&w->row);
	w->written = 0;
}

/* The bytes of a row with the blanks at its end. */
static struct str wrap_row_whole(const struct line_wrap *w, size_t row)
{
	size_t start = w->flow.starts[row], end = row + 1 < w->flow.count ? w->flow.starts[row + 1] : w->row.len;

	return str_of(w->row.ptr + start, end - start);
}

/* Whether the terminal itself goes on in the next line where a row begins: the row above is full. */
static bool wrap_fills(const struct line_wrap *w, size_t row)
{
	struct str above = flow_row(&w->flow, buf_str(&w->row), row - 1), rest = wrap_row_whole(w, row);
	unsigned columns = flow_columns(above, w->flow.width_cells);
	struct flow_cell next = { .columns = 0 };

	flow_next(&rest, columns, &next);
	return above.len == wrap_row_whole(w, row - 1).len && columns + next.columns > w->flow.width_cells;
}

static void wrap_add_row(struct line_wrap *w, size_t row, struct buf *out)
{
	struct str whole = wrap_row_whole(w, row), shown = flow_row(&w->flow, buf_str(&w->row), row);
	size_t start = w->flow.starts[row], from = w->written > start ? w->written - start : 0;
	bool last = row + 1 == w->flow.count;

	if (last && flow_columns(whole, w->flow.width_cells + 1) <= w->flow.width_cells)
		shown = whole;
	if (row && start >= w->written && !wrap_fills(w, row))
		buf_add_byte(out, '\n');
	buf_add(out, str_skip(shown, from));
	w->written = start + (last ? shown.len : whole.len); /* what hangs there may stand in the row yet, once the terminal is wider */
}

/* A piece without LF. Rows that are complete are forgotten. */
static void wrap_add_piece(struct line_wrap *w, struct str piece, unsigned columns, struct buf *out)
{
	buf_add(&w->row, piece);
	flow_update(&w->flow, buf_str(&w->row), columns);
	for (size_t row = 0; row < w->flow.count; row++)
		if (w->flow.starts[row] + wrap_row_whole(w, row).len > w->written)
			wrap_add_row(w, row, out);
	size_t last = w->flow.count ? w->flow.starts[w->flow.count - 1] : 0;
	buf_remove(&w->row, 0, last);
	w->written -= last;
	flow_reset(&w->flow);
}

void line_wrap_add(struct line_wrap *w, struct str text, unsigned columns, struct buf *out)
{
	while (text.len) {
		size_t end = str_find(text, STR("\n"));

		wrap_add_piece(w, str_head(text, end), columns ? columns : 1, out);
		if (end < text.len) {
			line_wrap_begin(w);
			buf_add_byte(out, '\n');
		}
		text = str_skip(text, end < text.len ? end + 1 : end);
	}
}
