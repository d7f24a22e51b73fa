/* The selection of cells: which they are, how they are marked, and their text. */
#include "chat/conversation/conversation.h"
#include "ui/page/page_shown.h"
#include "ui/pane/transcript_inside.h"

/* A cell in the current layout. */
struct cell_place { struct place at; unsigned column; };

static void cells_row(struct transcript *p, const struct view *view, struct shown *shown, struct place at)
{
	shown_row(shown, transcript_page(p, view, at.turn), (struct page_row){ at.piece, at.row });
}

/* --- marks --- */

static struct cell_mark cells_mark(struct transcript *p, const struct view *view, struct cell_place cell, struct bookmark *piece)
{
	struct place at = { cell.at.turn, cell.at.piece, 0 };
	struct cell_mark mark = { .rows = cell.at.row };
	struct shown shown;

	*piece = transcript_bookmark(p, view, at);
	shown_init(&shown, p->columns);
	for (; at.row < cell.at.row; at.row++) {
		cells_row(p, view, &shown, at);
		mark.before += shown.count;
		mark.rows = shown.count ? cell.at.row - at.row : mark.rows;
	}
	cells_row(p, view, &shown, at);
	unsigned column = shown_start(&shown, cell.column);
	mark.blanks = column;
	for (unsigned i = 0; i < column; i++) {
		if (shown.kinds[i] != SHOWN_TEXT)
			continue;
		mark.before++;
		mark.rows = 0;
		mark.blanks = column - shown_behind(&shown, i);
	}
	mark.is_text = shown.kinds[column] == SHOWN_TEXT;
	shown_fini(&shown);
	return mark;
}

/* Steps down by a row; false at the end of the conversation. */
static bool cells_step(struct transcript *p, const struct view *view, struct place *at)
{
	struct place from = *at;

	transcript_walk(p, view, 1, at);
	return place_is_before(&from, at);
}

static struct cell_place cells_find(struct transcript *p, const struct view *view, const struct bookmark *piece, const struct cell_mark *mark)
{
	struct place at = transcript_place(p, view, piece);
	struct shown shown;
	size_t left = mark->before;

	at.row = 0;
	shown_init(&shown, p->columns);
	cells_row(p, view, &shown, at);
	while ((mark->is_text ? shown.count <= left : shown.count < left) && cells_step(p, view, &at)) {
		left -= shown.count;
		cells_row(p, view, &shown, at);
	}
	unsigned column = mark->blanks;
	if (mark->is_text)
		column = shown_column(&shown, left);
	else if (left && !mark->rows)
		column += shown_behind(&shown, shown_column(&shown, left - 1));
	column = column < shown.columns ? column : shown.columns - 1;
	shown_fini(&shown);
	if (!mark->is_text)
		transcript_walk(p, view, (long)mark->rows, &at);
	return (struct cell_place){ at, column };
}

/* --- the mouse --- */

/* The cell at a place of the screen, as last drawn: the nearest one in view. */
static struct cell_place cells_at(struct transcript *p, const struct view *view, unsigned row, unsigned column)
{
	struct cell_place cell = { transcript_top(p, view), column > p->column ? column - p->column : 0 };
	unsigned most = p->height ? p->height - 1 : 0;

	row = row > p->row ? row - p->row : 0;
	transcript_walk(p, view, row < most ? (long)row : (long)most, &cell.at);
	return cell;
}

bool transcript_press(struct transcript *p, const struct view *view, unsigned row, unsigned column, enum transcript_unit unit)
{
	if (!view->conversation->count)
		return false;
	p->selection = (struct selection){ .by_cells = true, .unit = unit };
	p->selection.anchor_cell = cells_mark(p, view, cells_at(p, view, row, column), &p->selection.anchor);
	p->selection.cursor = p->selection.anchor;
	p->selection.cursor_cell = p->selection.anchor_cell;
	if (unit != TRANSCRIPT_CELL)
		transcript_select_hold(p, view);
	return true;
}

/* At the edges, unless there is nothing beyond. */
static long cells_scroll(struct transcript *p, const struct view *view, unsigned row)
{
	struct place top = transcript_top(p, view), end = transcript_end(p, view);

	if (row <= p->row)
		return -1;
	return row + 1 >= p->row + p->height && place_is_before(&top, &end);
}

bool transcript_drag(struct transcript *p, const struct view *view, unsigned row, unsigned column, bool scrolls)
{
	transcript_heed(p, view);
	if (!p->selection.by_cells || p->selection.anchor.turn >= view->conversation->count)
		return false;
	struct cell_place cell = cells_at(p, view, row, column);
	if (!p->selection.active)
		transcript_select_hold(p, view);
	if (scrolls)
		transcript_walk(p, view, cells_scroll(p, view, row), &cell.at);
	p->selection.cursor_cell = cells_mark(p, view, cell, &p->selection.cursor);
	transcript_select_show(p, view, cell.at);
	return true;
}

/* --- the range --- */

static bool cells_wrap(struct transcript *p, const struct view *view, struct shown *shown, struct place at)
{
	cells_row(p, view, shown, at);
	return shown->wraps;
}

/* Extends the range to whole lines: over all of their rows. */
static void cells_take_lines(struct transcript *p, const struct view *view, struct shown *shown, struct cell_range *range)
{
	for (struct place above = range->first;; range->first = above) {
		transcript_walk(p, view, -1, &above);
		if (!place_is_before(&above, &range->first) || !cells_wrap(p, view, shown, above))
			break;
	}
	while (cells_wrap(p, view, shown, range->last) && cells_step(p, view, &range->last))
		continue;
	range->from = 0;
	range->to = p->columns;
}

static void cells_take_words(struct transcript *p, const struct view *view, struct shown *shown, struct cell_range *range)
{
	unsigned other;

	cells_row(p, view, shown, range->first);
	shown_word(shown, range->from, &range->from, &other);
	cells_row(p, view, shown, range->last);
	shown_word(shown, range->to - 1, &other, &range->to);
}

bool transcript_cells(struct transcript *p, const struct view *view, struct cell_range *range)
{
	const struct selection *s = &p->selection;
	struct shown shown;

	transcript_heed(p, view);
	if (!s->active || !s->by_cells || s->anchor.turn >= view->conversation->count || s->cursor.turn >= view->conversation->count)
		return false;
	struct cell_place a = cells_find(p, view, &s->anchor, &s->anchor_cell), b = cells_find(p, view, &s->cursor, &s->cursor_cell);
	bool back = place_is_before(&b.at, &a.at) || (!place_is_before(&a.at, &b.at) && b.column < a.column);
	struct cell_place first = back ? b : a, last = back ? a : b;
	shown_init(&shown, p->columns);
	cells_row(p, view, &shown, last.at);
	*range = (struct cell_range){ first.at, last.at, first.column, shown_behind(&shown, last.column) };
	if (s->unit == TRANSCRIPT_WORD)
		cells_take_words(p, view, &shown, range);
	else if (s->unit == TRANSCRIPT_LINE)
		cells_take_lines(p, view, &shown, range);
	shown_fini(&shown);
	return true;
}

/* The columns of a row that are in the range. */
static void cells_of_row(const struct shown *shown, struct place at, const struct cell_range *range, unsigned *from, unsigned *to)
{
	*from = place_is_before(&range->first, &at) ? 0 : range->from;
	*to = place_is_before(&at, &range->last) ? shown->columns : range->to;
}

void transcript_mark_cells(struct shown *shown, struct page *page, struct place at, const struct cell_range *range, struct canvas *canvas,
                           unsigned row, unsigned column)
{
	unsigned from, to;

	shown_row(shown, page, (struct page_row){ at.piece, at.row });
	cells_of_row(shown, at, range, &from, &to);
	from = from > shown->begin ? shown_start(shown, from) : shown->begin;
	to = to < shown->end ? to : shown->end;
	if (from < to)
		canvas_restyle(canvas, (struct area){ row, column + from, 1, to - from }, ROLE_SELECTED);
}

/* --- text --- */

/* Without empty lines at both ends. */
static struct str cells_trim(struct str text)
{
	while (text.len && *text.ptr == '\n')
		text = str_skip(text, 1);
	while (text.len && text.ptr[text.len - 1] == '\n')
		text.len--;
	return text;
}

void transcript_copy_cells(struct transcript *p, const struct view *view, struct buf *out)
{
	struct cell_range range;
	struct shown shown;
	struct buf text = { 0 };
	unsigned from, to, blanks = 0;
	bool wraps = false, any = false;

	if (!transcript_cells(p, view, &range))
		return;
	shown_init(&shown, p->columns);
	struct place at = range.first;
	do {
		cells_row(p, view, &shown, at);
		cells_of_row(&shown, at, &range, &from, &to);
		if (!shown.left_out) {
			for (; wraps && blanks; blanks--)
				buf_add_byte(&text, ' ');
			if (any && !wraps)
				buf_add_byte(&text, '\n');
			shown_copy(&shown, from, to, wraps, &text);
			any = true;
			wraps = shown.wraps;
			blanks = shown.blanks;
		}
	} while (cells_step(p, view, &at) && !place_is_before(&range.last, &at));
	buf_add(out, cells_trim(buf_str(&text)));
	shown_fini(&shown);
	buf_fini(&text);
}
