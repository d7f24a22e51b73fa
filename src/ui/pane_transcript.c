/*
 * The transcript: the conversation as pages, one a turn. It follows the end, or holds the reader's line still.
 *
 * The place of the first row is a mark in a page, so that nothing that arrives, folds or is resized moves what is being
 * read. Only pages that are seen are laid out: the cost of a frame does not grow with the conversation.
 */
#include "base/mem.h"
#include "ui/page.h"
#include "ui/pane.h"

struct pane {
	struct page *pages;      /* one a turn */
	size_t count, capacity;
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
		page_init(&p->pages[p->count++]);
	}
	const struct turn *t = view->conversation->turns[turn];
	bool is_last = turn + 1 == view->conversation->count;
	page_set_offer(&p->pages[turn], !is_last ? PAGE_OFFERS_NOTHING : view->replay ? PAGE_OFFERS_DETAILS : PAGE_OFFERS_ALL);
	page_update(&p->pages[turn], t, view->live == t, p->width);
	return &p->pages[turn];
}

/* Walks `rows` down (or up, negative) from a row of a page; stops at both ends of the conversation. */
static void walk(struct pane *p, const struct view *view, long rows, size_t *turn, size_t *row)
{
	while (rows < 0 && (*row || *turn)) {
		if (!*row) {
			*row = page_of(p, view, --*turn)->rows;
			continue;
		}
		size_t step = *row < (size_t)-rows ? *row : (size_t)-rows;
		*row -= step;
		rows += (long)step;
	}
	while (rows > 0) {
		size_t left = page_of(p, view, *turn)->rows - *row;
		if ((size_t)rows < left) {
			*row += (size_t)rows;
			return;
		}
		if (*turn + 1 >= view->conversation->count) {
			*row += left ? left - 1 : 0;
			return;
		}
		rows -= (long)left;
		++*turn;
		*row = 0;
	}
}

/* The first row that is shown when the end is in view: the blank row behind the last page is not. */
static void place_at_end(struct pane *p, const struct view *view, size_t *turn, size_t *row)
{
	*turn = view->conversation->count - 1;
	*row = page_of(p, view, *turn)->rows - 1;
	walk(p, view, -(long)p->height, turn, row);
}

static void first_row(struct pane *p, const struct view *view, size_t *turn, size_t *row)
{
	place_at_end(p, view, turn, row);
	if (p->following)
		return;
	size_t top = page_row_of(page_of(p, view, p->top_turn), p->top);
	if (p->top_turn < *turn || (p->top_turn == *turn && top < *row)) {
		*turn = p->top_turn;
		*row = top;
	}
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
	size_t turn, row;
	first_row(p, view, &turn, &row);
	unsigned gutter = area.columns > 2;
	for (unsigned r = 0; r < area.rows; r++) {
		const struct page *page = page_of(p, view, turn);
		page_draw_row(page, row, canvas, area.row + r, area.column + gutter, area.columns - gutter);
		if (++row >= page->rows) {
			row = 0;
			if (++turn >= view->conversation->count)
				return;
		}
	}
}

static void scroll(struct pane *p, const struct view *view, long rows)
{
	if (!view->conversation->count)
		return;
	size_t turn, row, end_turn, end_row;
	first_row(p, view, &turn, &row);
	walk(p, view, rows, &turn, &row);
	place_at_end(p, view, &end_turn, &end_row);
	p->following = turn > end_turn || (turn == end_turn && row >= end_row);
	p->top_turn = turn;
	p->top = page_mark_of(page_of(p, view, turn), row);
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
	size_t turn, row;
	if (!view->conversation->count)
		return;
	first_row(p, view, &turn, &row);
	if (p->following)
		turn = view->conversation->count - 1;
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
