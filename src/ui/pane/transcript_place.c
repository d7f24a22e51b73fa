/* Places: the rows that the transcript shows, and moving between rows. */
#include "ui/pane/transcript_inside.h"

#include "base/mem.h"
#include "chat/conversation/conversation.h"

struct markdown_options transcript_options(struct transcript *p, const struct view *view)
{
	struct markdown_options options = page_options(p->form, view->look, p->sideways);

	if (options.raw != p->was_raw || options.clip_code != p->was_clipped)
		options.sideways = p->sideways = 0;
	options.wide = p->wide;
	p->readings += p->was_following && !p->following;
	p->was_following = p->following;
	options.hold_tables = p->following ? 0 : p->readings;
	p->was_raw = options.raw;
	p->was_clipped = options.clip_code;
	return options;
}

static struct page *page_of_turn(struct transcript *p, const struct turn *t)
{
	mem_reserve(&p->pages, &p->capacity, t->number + 1, sizeof *p->pages);
	while (p->count <= t->number)
		p->pages[p->count++] = NULL;
	struct page **page = &p->pages[t->number];
	if (!*page) {
		*page = mem_new(sizeof **page);
		page_init(*page);
		(*page)->form = p->form;
	}
	return *page;
}

struct page *transcript_page(struct transcript *p, const struct view *view, size_t turn)
{
	const struct turn *t = view->conversation->turns[turn];

	transcript_heed(p, view);
	struct page *page = page_of_turn(p, t);
	bool is_last = turn + 1 == view->conversation->count;
	enum page_offer offer = view->replay ? PAGE_OFFERS_DETAILS : PAGE_OFFERS_ALL;
	page_set_offer(page, is_last && p->form == PAGE_ON_SCREEN ? offer : PAGE_OFFERS_NOTHING);
	page->keys = view->look->keys;
	struct markdown_options options = transcript_options(p, view);
	page_set_options(page, &options);
	page_set_neighbours(page, turn ? view->conversation->turns[turn - 1] : NULL, is_last ? NULL : view->conversation->turns[turn + 1]);
	bool counts = p->form == PAGE_ON_SCREEN && !view->side_by_side;
	page_set_siblings(page, counts ? conversation_siblings(view->conversation, t) : (struct siblings){ 0, 1 }, view->look->ascii);
	page_set_reasoning(page, view->look->reasoning, view->live == t ? view->at_ms : 0);
	page_set_exact(page, view->live == t && view->exact);
	page_set_images(page, view->look->images, view->pictures, view->look->picture_rows);
	page_update(page, t, view->live == t, p->width);
	page->hits = p->hits.needle.len ? &p->hits : NULL;
	page->hits_turn = turn;
	page->has_written = t->number == p->written_turn;
	page->written = p->written;
	return page;
}

bool transcript_next_piece(struct transcript *p, const struct view *view, struct place *at)
{
	struct place to = *at;

	do {
		if (++to.piece >= page_pieces(transcript_page(p, view, to.turn))) {
			if (++to.turn >= view->conversation->count)
				return false;
			to.piece = 0;
		}
	} while (!page_piece_rows(transcript_page(p, view, to.turn), to.piece));
	to.row = 0;
	*at = to;
	return true;
}

static bool transcript_previous_piece(struct transcript *p, const struct view *view, struct place *at)
{
	struct place to = *at;

	do {
		if (!to.piece) {
			if (!to.turn)
				return false;
			to.piece = page_pieces(transcript_page(p, view, --to.turn));
		}
		to.piece--;
		to.row = page_piece_rows(transcript_page(p, view, to.turn), to.piece);
	} while (!to.row);
	to.row--;
	*at = to;
	return true;
}

void transcript_walk(struct transcript *p, const struct view *view, long rows, struct place *at)
{
	while (rows < 0) {
		size_t step = at->row < (size_t)-rows ? at->row : (size_t)-rows;

		at->row -= step;
		rows += (long)step;
		if (rows < 0 && !transcript_previous_piece(p, view, at))
			return;
		rows += rows < 0;
	}
	while (rows > 0) {
		size_t left = page_piece_rows(transcript_page(p, view, at->turn), at->piece) - at->row - 1;
		size_t step = left < (size_t)rows ? left : (size_t)rows;

		at->row += step;
		rows -= (long)step;
		if (rows > 0 && !transcript_next_piece(p, view, at))
			return;
		rows -= rows > 0;
	}
}

bool place_is_before(const struct place *a, const struct place *b)
{
	if (a->turn != b->turn)
		return a->turn < b->turn;
	return a->piece != b->piece ? a->piece < b->piece : a->row < b->row;
}

struct place transcript_end(struct transcript *p, const struct view *view)
{
	struct place at = { view->conversation->count - 1, 0, 0 };

	at.piece = page_pieces(transcript_page(p, view, at.turn)) - 1;
	transcript_walk(p, view, -(long)p->height, &at);
	return at;
}

struct place transcript_top(struct transcript *p, const struct view *view)
{
	struct place end = transcript_end(p, view), top = { p->top_turn, 0, 0 };

	if (p->following)
		return end;
	page_find(transcript_page(p, view, p->top_turn), p->top, &top.piece, &top.row);
	return place_is_before(&top, &end) ? top : end;
}

void transcript_show_from(struct transcript *p, const struct view *view, struct place at)
{
	struct place end = transcript_end(p, view);

	p->following = !place_is_before(&at, &end);
	p->top_turn = at.turn;
	p->top = page_mark_of(transcript_page(p, view, at.turn), at.piece, at.row);
}

struct bookmark transcript_bookmark(struct transcript *p, const struct view *view, struct place at)
{
	return (struct bookmark){ at.turn, page_mark_of(transcript_page(p, view, at.turn), at.piece, at.row), p->following };
}

struct place transcript_place(struct transcript *p, const struct view *view, const struct bookmark *bookmark)
{
	struct place at = { bookmark->turn, 0, 0 };

	page_find(transcript_page(p, view, bookmark->turn), bookmark->mark, &at.piece, &at.row);
	return at;
}

struct place transcript_bottom(struct transcript *p, const struct view *view)
{
	struct place at = transcript_top(p, view);

	transcript_walk(p, view, (long)p->height - 1, &at);
	return at;
}
