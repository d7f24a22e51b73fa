/*
 * The transcript: the conversation as pages, one a turn. It follows the end, or holds the reader's line still.
 *
 * The place of the first row is a mark in a page, so that nothing that arrives, folds or is resized moves what is being
 * read. Rows are made only near what is seen: the cost of a frame does not grow with the conversation.
 */
#include "base/mem.h"
#include "ui/page.h"
#include "ui/pane.h"

/* A row of the conversation, as it is laid out now. */
struct place { size_t turn, piece, row; };

struct pane {
	struct page *pages;      /* one a turn */
	size_t count, capacity;
	bool raw;
	unsigned width;          /* of text, as last drawn */
	unsigned height;
	bool following;
	size_t top_turn;         /* when not following: the first row */
	struct page_mark top;
};

static struct pane *transcript_new(void)
{
	struct pane *p = mem_new(sizeof *p);
	p->following = true;
	p->width = 78;
	p->height = 20;
	return p;
}

void transcript_forget(struct pane *p)
{
	for (size_t i = 0; i < p->count; i++)
		page_fini(&p->pages[i]);
	p->count = 0;
	p->following = true;
}

static void transcript_free(struct pane *p)
{
	if (!p)
		return;
	transcript_forget(p);
	mem_free(p->pages);
	mem_free(p);
}

static unsigned text_width(const struct view *view, unsigned columns)
{
	unsigned width = columns > 2 ? columns - 2 : 1;
	return view->text_width && width > view->text_width ? view->text_width : width;
}

static struct page *page_of(struct pane *p, const struct view *view, size_t turn)
{
	while (p->count < view->conversation->count) {
		mem_reserve(&p->pages, &p->capacity, p->count + 1, sizeof *p->pages);
		page_init(&p->pages[p->count]);
		page_set_raw(&p->pages[p->count++], p->raw);
	}
	const struct turn *t = view->conversation->turns[turn];
	bool is_last = turn + 1 == view->conversation->count;
	page_set_offer(&p->pages[turn], !is_last ? PAGE_OFFERS_NOTHING : view->replay ? PAGE_OFFERS_DETAILS : PAGE_OFFERS_ALL);
	page_update(&p->pages[turn], t, view->live == t, p->width);
	return &p->pages[turn];
}

/* Steps to the next piece that has rows, or to the one before; false at the end (the start) of the conversation. */
static bool next_piece(struct pane *p, const struct view *view, struct place *at)
{
	struct place to = *at;
	do {
		if (++to.piece >= page_pieces(page_of(p, view, to.turn))) {
			if (++to.turn >= view->conversation->count)
				return false;
			to.piece = 0;
		}
	} while (!page_piece_rows(page_of(p, view, to.turn), to.piece));
	to.row = 0;
	*at = to;
	return true;
}

static bool previous_piece(struct pane *p, const struct view *view, struct place *at)
{
	struct place to = *at;
	do {
		if (!to.piece) {
			if (!to.turn)
				return false;
			to.piece = page_pieces(page_of(p, view, --to.turn));
		}
		to.piece--;
		to.row = page_piece_rows(page_of(p, view, to.turn), to.piece);
	} while (!to.row);
	to.row--;
	*at = to;
	return true;
}

/* Walks `rows` down (or up, negative); stops at both ends of the conversation. */
static void walk(struct pane *p, const struct view *view, long rows, struct place *at)
{
	while (rows < 0) {
		size_t step = at->row < (size_t)-rows ? at->row : (size_t)-rows;
		at->row -= step;
		rows += (long)step;
		if (rows < 0 && !previous_piece(p, view, at))
			return;
		rows += rows < 0;
	}
	while (rows > 0) {
		size_t left = page_piece_rows(page_of(p, view, at->turn), at->piece) - at->row - 1;
		size_t step = left < (size_t)rows ? left : (size_t)rows;
		at->row += step;
		rows -= (long)step;
		if (rows > 0 && !next_piece(p, view, at))
			return;
		rows -= rows > 0;
	}
}

static bool is_before(const struct place *a, const struct place *b)
{
	if (a->turn != b->turn)
		return a->turn < b->turn;
	return a->piece != b->piece ? a->piece < b->piece : a->row < b->row;
}

/* The first row that is shown when the end is in view: the blank row behind the last page is not. */
static struct place place_at_end(struct pane *p, const struct view *view)
{
	struct place at = { view->conversation->count - 1, 0, 0 };
	at.piece = page_pieces(page_of(p, view, at.turn)) - 1;
	walk(p, view, -(long)p->height, &at);
	return at;
}

static struct place first_row(struct pane *p, const struct view *view)
{
	struct place end = place_at_end(p, view), top = { p->top_turn, 0, 0 };
	if (p->following)
		return end;
	page_find(page_of(p, view, p->top_turn), p->top, &top.piece, &top.row);
	return is_before(&top, &end) ? top : end;
}

static unsigned transcript_rows(struct pane *p, const struct view *view, unsigned columns, unsigned most)
{
	(void)p, (void)view, (void)columns;
	return most;
}

static void transcript_draw(struct pane *p, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	(void)focused;
	p->width = text_width(view, area.columns);
	p->height = area.rows;
	if (!view->conversation->count || !area.rows)
		return;
	struct place at = first_row(p, view);
	unsigned gutter = area.columns > 2;
	for (unsigned r = 0; r < area.rows; r++) {
		struct page *page = page_of(p, view, at.turn);
		page_draw_row(page, at.piece, at.row, canvas, area.row + r, area.column + gutter, area.columns - gutter);
		if (++at.row >= page_piece_rows(page, at.piece) && !next_piece(p, view, &at))
			return;
	}
}

static void scroll(struct pane *p, const struct view *view, long rows)
{
	if (!view->conversation->count)
		return;
	struct place at = first_row(p, view), end = place_at_end(p, view);
	walk(p, view, rows, &at);
	p->following = !is_before(&at, &end);
	p->top_turn = at.turn;
	p->top = page_mark_of(page_of(p, view, at.turn), at.piece, at.row);
}

void transcript_set_raw(struct pane *p, bool raw)
{
	p->raw = raw;
	for (size_t i = 0; i < p->count; i++)
		page_set_raw(&p->pages[i], raw);
}

void transcript_to_end(struct pane *p)
{
	p->following = true;
}

bool transcript_at_end(const struct pane *p)
{
	return p->following;
}

void transcript_to_start(struct pane *p)
{
	p->following = false;
	p->top_turn = 0;
	p->top = (struct page_mark){ PAGE_NO_PART, 0, 0, true };
}

void transcript_toggle_fold(struct pane *p, const struct view *view)
{
	if (!view->conversation->count)
		return;
	size_t turn = p->following ? view->conversation->count - 1 : first_row(p, view).turn;
	while (turn && !page_has_folds(page_of(p, view, turn)))
		turn--;
	struct page *page = page_of(p, view, turn);
	page->unfolded = !page->unfolded;
}

static bool transcript_key(struct pane *p, const struct view *view, const struct key *key)
{
	long page = p->height > 2 ? (long)p->height - 2 : 1;
	switch ((int)key->code) {
	case KEY_UP:        scroll(p, view, -1); return true;
	case KEY_DOWN:      scroll(p, view, 1); return true;
	case KEY_PAGE_UP:   scroll(p, view, -page); return true;
	case KEY_PAGE_DOWN: scroll(p, view, page); return true;
	case KEY_HOME:      transcript_to_start(p); return true;
	case KEY_END:       transcript_to_end(p); return true;
	default:            return false;
	}
}

const struct pane_ops pane_transcript = {
	.name = "transcript",
	.new = transcript_new,
	.free = transcript_free,
	.rows = transcript_rows,
	.draw = transcript_draw,
	.key = transcript_key,
};
