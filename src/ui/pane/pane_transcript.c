/*
 * The transcript: the conversation as pages, one per turn. The view follows the end, or stays where the user scrolled to.
 */
#include "ui/pane/transcript_inside.h"

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "ui/page/page_shown.h"
#include "ui/rows.h"

#define SIDEWAYS_COLUMNS 8

static struct transcript *transcript_of(struct pane *pane)
{
	return (struct transcript *)pane;
}

void transcript_forget(struct transcript *p)
{
	for (size_t i = 0; i < p->count; i++) {
		if (p->pages[i])
			page_fini(p->pages[i]);
		mem_free(p->pages[i]);
	}
	p->count = p->known = 0;
	p->following = true;
	p->focus = p->block_turn = p->fold_turn = p->written_turn = NO_TURN;
	hits_forget(&p->hits);
	p->selection.active = p->selection.by_cells = false;
	p->news = (struct news){ 0 };
}

void transcript_free(struct transcript *p)
{
	if (!p)
		return;
	transcript_forget(p);
	hits_fini(&p->hits);
	mem_free(p->pages);
	mem_free(p);
}

static unsigned transcript_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	(void)pane, (void)view, (void)columns;
	return most;
}

/* Frees the layout of pages that were visible in the last frame and are not visible now. */
static void transcript_release_pages(struct transcript *p, const struct view *view, size_t first, size_t last)
{
	for (size_t turn = p->drawn_first; turn <= p->drawn_last && turn < view->conversation->count; turn++) {
		size_t number = view->conversation->turns[turn]->number;

		if ((turn < first || turn > last) && number < p->count && p->pages[number])
			page_release_layout(p->pages[number]);
	}
	p->drawn_first = first;
	p->drawn_last = last;
}

/* As many columns as the row has, out of `most`: a table may go beyond the text. */
static unsigned transcript_used_columns(const struct canvas *canvas, struct area row, unsigned most)
{
	while (most > row.columns) {
		const struct cell *last = canvas_cell(canvas, row.row, row.column + most - 1);

		if (last->text[0] != ' ' || last->role != ROLE_TEXT)
			return most;
		most--;
	}
	return row.columns;
}

/* Draws a selected row in the role, with a bar at the left for terminals without colours. */
static void transcript_mark_selected(struct canvas *canvas, struct area row, unsigned most, bool at_cursor)
{
	row.columns = transcript_used_columns(canvas, row, most);
	canvas_restyle(canvas, row, ROLE_SELECTED);
	if (row.columns > 2)
		canvas_put(canvas, row.row, row.column, 1, ROLE_SELECTED, STR("\u2503"));
	if (at_cursor)
		canvas_cursor(canvas, row.row, row.column);
}

static bool transcript_is_within(const struct place *at, const struct place *first, const struct place *last)
{
	return !place_is_before(at, first) && !place_is_before(last, at);
}

/* Marks in the gutter what keys act on. */
static void transcript_mark(struct canvas *canvas, unsigned row, unsigned gutter, unsigned text)
{
	canvas_put(canvas, row, gutter, text - gutter, ROLE_ACCENT, STR(">"));
}

/* What the keys that scroll sideways go by: the nearest column of a table in view at each side. */
static void transcript_note_scrolled(struct transcript *p, const struct markdown_layout *block)
{
	if (!block)
		return;
	p->beyond = block->beyond > p->beyond ? block->beyond : p->beyond;
	p->by_columns |= block->next > 0;
	p->before = block->before > p->before ? block->before : p->before;
	if (block->beyond && block->next && (!p->next || block->next < p->next))
		p->next = block->next;
}

static void transcript_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	struct transcript *p = transcript_of(pane);

	size_t fold_turn = NO_TURN, fold_part, on = NO_TURN;

	struct area inside = rows_inside(area);
	/*
	 * In the middle of the screen. Not to the left: that margin is the panes', which come and go while a table grows, and what stands does not
	 * move. So all text begins in one column, and a table that is wider than what is at its right scrolls.
	 */
	if (!view->side_by_side && area.column)
		inside.columns += canvas->columns - area.column - area.columns;
	p->width = rows_width(area.columns, view->look->text_width);
	p->wide = inside.columns > 1 ? inside.columns - 1 : 1;
	p->height = area.rows;
	p->row = area.row;
	p->drawn = 0;
	p->grows_table = false;
	if (!view->conversation->count || !area.rows)
		return;
	transcript_heed(p, view);
	transcript_find_hits(p, view);
	uint64_t rewinds = conversation_last(view->conversation)->rewinds;
	news_update(&p->news, view->conversation, p->following || rewinds != p->rewinds, transcript_hides_reasoning(p, view));
	p->rewinds = rewinds;
	struct place at = transcript_top(p, view);
	size_t first = at.turn, last = at.turn;
	p->beyond = p->before = p->next = 0;
	p->by_columns = false;
	struct place from, to, cursor = { 0 }, block;
	p->column = inside.column;
	p->columns = inside.columns;
	struct cell_range cells;
	struct shown shown;
	bool selects_lines = transcript_range(p, view, &from, &to), selects_cells = transcript_cells(p, view, &cells);
	bool selects = selects_lines || selects_cells;
	if (selects_cells)
		shown_init(&shown, p->columns);
	if (selects_lines)
		cursor = transcript_place(p, view, &p->selection.cursor);
	bool marks_turn = focused && !selects && transcript_focused(p, view, &on);
	bool marks_block = focused && !selects && !marks_turn && transcript_find_block(p, view, &block);
	bool marks_fold = focused && !selects && !marks_turn && !marks_block && transcript_current_fold(p, view, &fold_turn, &fold_part);
	struct page *page = transcript_page(p, view, first);
	for (unsigned r = 0; r < area.rows; r++) {
		if (at.turn != last)
			page = transcript_page(p, view, at.turn);
		last = at.turn;
		page_draw_row(page, at.piece, at.row, canvas, area.row + r, inside.column, inside.columns);
		if (marks_fold && at.turn == fold_turn && !at.row && page_begins(page, at.piece, PAGE_FOLD) &&
		    page_fold_at(page, at.piece) == fold_part)
			transcript_mark(canvas, area.row + r, area.column, inside.column);
		if (marks_block && transcript_is_within(&at, &block, &block))
			transcript_mark(canvas, area.row + r, area.column, inside.column);
		if (marks_turn && at.turn == on && !at.piece && !at.row)
			transcript_mark(canvas, area.row + r, area.column, inside.column);
		transcript_note_scrolled(p, page_scrolled(page, at.piece));
		if (selects_cells && transcript_is_within(&at, &cells.first, &cells.last))
			transcript_mark_cells(&shown, page, at, &cells, canvas, area.row + r, inside.column);
		if (selects_lines && transcript_is_within(&at, &from, &to))
			transcript_mark_selected(canvas, (struct area){ area.row + r, area.column, 1, area.columns },
			                         inside.column + inside.columns - area.column, transcript_is_within(&at, &cursor, &cursor));
		p->drawn = r + 1;
		if (++at.row >= page_piece_rows(page, at.piece) && !transcript_next_piece(p, view, &at))
			break;
	}
	if (selects_cells)
		shown_fini(&shown);
	p->grows_table = view->live == view->conversation->turns[last] && page_ends_in_table(page);
	transcript_release_pages(p, view, first, last);
}

static void transcript_scroll(struct transcript *p, const struct view *view, long rows)
{
	if (!view->conversation->count)
		return;
	struct place at = transcript_top(p, view);
	transcript_walk(p, view, rows, &at);
	transcript_show_from(p, view, at);
}

/* Columns reserved beside the code: its indentation, the markers at both edges, and typical containers. */
#define CODE_MARGIN 8

void transcript_show_columns(struct transcript *p, unsigned first, unsigned last)
{
	unsigned wide = p->wide > p->width ? p->wide : p->width, room = wide > 2 * CODE_MARGIN ? wide - CODE_MARGIN : CODE_MARGIN;
	unsigned column = p->sideways;

	if ((!column || first > column) && last <= column + room)
		return;
	unsigned beyond = last > room ? last - room : 0; /* least offset that makes `last` visible */
	unsigned most = first ? first - 1 : 0;           /* greatest offset that keeps `first` visible */
	column = (beyond + SIDEWAYS_COLUMNS - 1) / SIDEWAYS_COLUMNS * SIDEWAYS_COLUMNS;
	p->sideways = column <= most ? column : most / SIDEWAYS_COLUMNS * SIDEWAYS_COLUMNS;
}

bool transcript_is_cut(const struct transcript *p)
{
	return p->beyond || p->sideways;
}

/* Scrolls wide tables by their columns, and clipped code by whole steps, so that scrolling back ends at column 0. False if there is neither. */
static bool transcript_scroll_sideways(struct transcript *p, const struct view *view, int step)
{
	struct markdown_options options = transcript_options(p, view);

	if (options.raw || (!options.clip_code && !p->beyond && !p->sideways))
		return false;
	unsigned room = step > 0 ? p->beyond : p->sideways;
	if (!room)
		return true;
	unsigned back = p->sideways > SIDEWAYS_COLUMNS ? p->sideways - SIDEWAYS_COLUMNS : 0;
	unsigned to = step < 0 ? (p->by_columns ? p->before : back) : p->next ? p->next : p->sideways + SIDEWAYS_COLUMNS;
	unsigned by = to > p->sideways ? to - p->sideways : p->sideways - to;
	p->sideways = to;
	p->beyond = step < 0 ? p->beyond + by : room > by ? room - by : 0;
	p->next = 0; /* until the next frame */
	p->by_columns = false;
	return true;
}

void transcript_set_form(struct transcript *p, enum page_form form)
{
	p->form = form;
}

void transcript_set_width(struct transcript *p, const struct view *view, unsigned columns)
{
	p->width = rows_width(columns, view->look->text_width);
}

void transcript_to_end(struct transcript *p)
{
	p->block_turn = NO_TURN;
	p->following = true;
}

void transcript_reveal(struct transcript *p, const struct view *view, struct area area, size_t part)
{
	const struct bookmark first = { view->conversation->count - 1, { .part = part, .on_line = true }, false };

	transcript_set_width(p, view, area.columns);
	p->height = area.rows;
	transcript_show_from(p, view, transcript_place(p, view, &first));
}

bool transcript_at_end(const struct transcript *p)
{
	return p->following;
}

bool transcript_grows_table(const struct transcript *p)
{
	return p->grows_table;
}

unsigned transcript_drawn_rows(const struct transcript *p)
{
	return p->drawn;
}

void transcript_to_start(struct transcript *p)
{
	p->following = false;
	p->top_turn = 0;
	p->top = (struct page_mark){ PAGE_NO_PART, 0, 0, true };
}

/* True if the whole conversation fits into the view: then the start is also the end. */
static bool transcript_fits(struct transcript *p, const struct view *view)
{
	struct place start = { 0, 0, 0 };

	if (!view->conversation->count)
		return true;
	struct place end = transcript_end(p, view);
	return !place_is_before(&start, &end);
}

static bool transcript_key(struct pane *pane, const struct view *view, const struct key *key)
{
	struct transcript *p = transcript_of(pane);
	long rows = scroll_rows(key, SCROLL_TEXT, p->height > 2 ? p->height - 2 : 1);

	if (rows)
		p->block_turn = NO_TURN;
	if (rows == -SCROLL_ALL) {
		transcript_to_start(p);
		p->following = !view->live && transcript_fits(p, view);
	} else if (rows == SCROLL_ALL) {
		transcript_to_end(p);
	} else if (rows) {
		transcript_scroll(p, view, rows);
	}
	if (rows)
		return true;
	switch ((int)key->code) {
	case KEY_LEFT:
	case KEY_WHEEL_LEFT:  return transcript_scroll_sideways(p, view, -1);
	case KEY_RIGHT:
	case KEY_WHEEL_RIGHT: return transcript_scroll_sideways(p, view, 1);
	case KEY_TEXT:
		return (str_is(key->text, "<") && transcript_scroll_sideways(p, view, -1)) ||
		       (str_is(key->text, ">") && transcript_scroll_sideways(p, view, 1));
	case KEY_ENTER:     return transcript_fold_one(p, view);
	default:            return false;
	}
}

static void transcript_free_pane(struct pane *pane)
{
	transcript_free(transcript_of(pane));
}

static const struct pane_ops transcript_ops = {
	.rows = transcript_rows, .draw = transcript_draw, .key = transcript_key, .free = transcript_free_pane,
};

struct transcript *transcript_new(void)
{
	struct transcript *p = mem_new(sizeof *p);

	p->pane.ops = &transcript_ops;
	hits_init(&p->hits);
	p->opened = p->focus = p->block_turn = p->fold_turn = p->written_turn = NO_TURN;
	p->following = true;
	p->width = 78;
	p->height = 20;
	return p;
}

struct pane *transcript_pane(struct transcript *p)
{
	return &p->pane;
}
