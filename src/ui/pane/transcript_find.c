/* Finds things in the transcript: search hits, turns, code. */
#include "ui/pane/transcript_inside.h"

#include "base/search.h"
#include "chat/conversation/conversation.h"

/* --- search --- */

bool transcript_hides_reasoning(const struct transcript *p, const struct view *view)
{
	return view->look->reasoning == REASONING_VIEW_HIDDEN && !page_options(p->form, view->look, 0).raw;
}

void transcript_find_hits(struct transcript *p, const struct view *view)
{
	hits_skip_reasoning(&p->hits, transcript_hides_reasoning(p, view));
	hits_read_source(&p->hits, view->look->raw);
	hits_update(&p->hits, view->conversation);
}

/* Where a hit is shown: a result is in the page of its call, one turn before. */
static struct hit transcript_shown(struct transcript *p, const struct view *view, size_t index)
{
	struct hit hit = p->hits.list[index];
	size_t result = hit.turn ? page_result_of(transcript_page(p, view, hit.turn - 1), hit.part) : PAGE_NO_PART;

	if (result != PAGE_NO_PART)
		hit = (struct hit){ hit.turn - 1, result, hit.offset };
	return hit;
}

struct place transcript_hit(struct transcript *p, const struct view *view, size_t index)
{
	struct hit hit = transcript_shown(p, view, index);

	return transcript_place(p, view, &(struct bookmark){ .turn = hit.turn, .mark = { .part = hit.part, .offset = hit.offset } });
}

/* The index of the newest hit that is not below a place; the oldest hit if all are below it. */
static size_t transcript_hit_above(struct transcript *p, const struct view *view, struct place bottom)
{
	struct search s = search_in(0, p->hits.count);

	while (search_next(&s)) {
		struct place at = transcript_hit(p, view, s.middle);

		search_take(&s, !place_is_before(&bottom, &at));
	}
	return s.low ? s.low - 1 : 0;
}

static void transcript_refold(struct transcript *p)
{
	if (p->opened < p->count && p->pages[p->opened])
		page_fold(p->pages[p->opened], p->opened_part, false);
	p->opened = NO_TURN;
}

static void transcript_unfold(struct transcript *p, const struct view *view, size_t turn, size_t fold)
{
	struct page *page = transcript_page(p, view, turn);

	if (fold == PAGE_NO_PART || page_is_open(page, fold))
		return;
	page_fold(page, fold, true);
	p->opened = view->conversation->turns[turn]->number;
	p->opened_part = fold;
}

/* Scrolls the hit to the upper third. While an answer streams, the view stays there even if it is at the end. */
static void transcript_show_hit(struct transcript *p, const struct view *view, size_t index)
{
	struct hit hit = transcript_shown(p, view, index);
	size_t fold = page_fold_of(transcript_page(p, view, hit.turn), hit.part);

	if (p->opened != view->conversation->turns[hit.turn]->number || p->opened_part != fold)
		transcript_refold(p);
	transcript_unfold(p, view, hit.turn, fold);
	struct place at = transcript_hit(p, view, index);
	unsigned first, last;

	if (page_columns_of(transcript_page(p, view, at.turn), at.piece, hit.offset, hit.offset + p->hits.needle.len, &first, &last))
		transcript_show_columns(p, first, last);
	transcript_walk(p, view, -(long)(p->height / 3), &at);
	transcript_show_from(p, view, at);
	p->following &= !view->live;
	p->hits.current = index;
}

void transcript_search_begin(struct transcript *p, const struct view *view)
{
	p->opened = NO_TURN;
	p->origin = p->bottom = (struct bookmark){ .following = p->following };
	p->origin_column = p->sideways;
	if (!view->conversation->count)
		return;
	p->origin = transcript_bookmark(p, view, transcript_top(p, view));
	p->bottom = transcript_bookmark(p, view, transcript_bottom(p, view));
}

static void transcript_back_to_origin(struct transcript *p)
{
	transcript_refold(p);
	p->sideways = p->origin_column;
	p->following = p->origin.following;
	p->top_turn = p->origin.turn;
	p->top = p->origin.mark;
}

void transcript_search(struct transcript *p, const struct view *view, struct str needle)
{
	transcript_refold(p);
	hits_search(&p->hits, needle);
	transcript_find_hits(p, view);
	if (!p->hits.count)
		transcript_back_to_origin(p);
	else if (p->origin.following)
		transcript_show_hit(p, view, p->hits.count - 1);
	else
		transcript_show_hit(p, view, transcript_hit_above(p, view, transcript_place(p, view, &p->bottom)));
}

bool transcript_search_step(struct transcript *p, const struct view *view, int step)
{
	transcript_find_hits(p, view);
	if (!p->hits.count || (step < 0 ? !p->hits.current : p->hits.current + 1 >= p->hits.count))
		return false;
	transcript_show_hit(p, view, step < 0 ? p->hits.current - 1 : p->hits.current + 1);
	return true;
}

/* A text begins with its first part. */
static struct hit transcript_hit_of(const struct transcript_text *text, size_t turn)
{
	const struct part *parts = text->turn->parts;
	struct hit hit = { turn, text->part < text->turn->part_count ? text->part : 0, text->offset };

	for (; hit.part && parts[hit.part].kind == PART_TEXT && parts[hit.part - 1].kind == PART_TEXT; hit.part--)
		hit.offset += parts[hit.part - 1].text.len;
	return hit;
}

void transcript_search_at(struct transcript *p, const struct view *view, struct str needle, const struct transcript_text *text)
{
	size_t first, at;
	struct hit from;

	transcript_search_begin(p, view);
	hits_search(&p->hits, needle);
	transcript_find_hits(p, view);
	for (first = 0; first < p->hits.count && view->conversation->turns[p->hits.list[first].turn] != text->turn; first++)
		;
	transcript_show_turn(p, view, text->turn);
	if (first == p->hits.count)
		return;
	from = transcript_hit_of(text, p->hits.list[first].turn);
	for (at = first; at < p->hits.count && p->hits.list[at].turn == from.turn; at++)
		if (p->hits.list[at].part > from.part || (p->hits.list[at].part == from.part && p->hits.list[at].offset >= from.offset))
			break;
	transcript_show_hit(p, view, at < p->hits.count && p->hits.list[at].turn == from.turn ? at : first);
	transcript_search_keep(p);
}

void transcript_search_keep(struct transcript *p)
{
	p->opened = NO_TURN;
}

void transcript_search_leave(struct transcript *p)
{
	transcript_back_to_origin(p);
	hits_forget(&p->hits);
}

void transcript_search_forget(struct transcript *p)
{
	hits_forget(&p->hits);
}

struct hits *transcript_marks(struct transcript *p)
{
	return p->hits.needle.len ? &p->hits : NULL;
}

struct transcript_hits transcript_hits(const struct transcript *p)
{
	return (struct transcript_hits){ p->hits.needle.len > 0, p->hits.count ? p->hits.current + 1 : 0, p->hits.count };
}

/* --- turns and code --- */

/* Moves `*at` to the previous (-1) or next (1) piece. False when there is none. */
static bool transcript_step_piece(struct transcript *p, const struct view *view, int step, struct place *at)
{
	if (step < 0 ? !at->piece && !at->turn : at->turn >= view->conversation->count)
		return false;
	if (step > 0 && ++at->piece == page_pieces(transcript_page(p, view, at->turn))) {
		at->piece = 0;
		return ++at->turn < view->conversation->count;
	}
	if (step < 0 && !at->piece)
		at->piece = page_pieces(transcript_page(p, view, --at->turn));
	at->piece -= step < 0;
	return true;
}

bool transcript_seek(struct transcript *p, const struct view *view, enum page_landmark what, int step, struct place *at)
{
	struct place to = *at;
	struct page *page = transcript_page(p, view, to.turn);
	bool inside = step < 0 && to.row > page_first_row(page, to.piece) && page_begins(page, to.piece, what);

	while (!inside && transcript_step_piece(p, view, step, &to))
		inside = page_begins(transcript_page(p, view, to.turn), to.piece, what);
	if (inside)
		*at = (struct place){ to.turn, to.piece, page_first_row(transcript_page(p, view, to.turn), to.piece) };
	return inside;
}

/* The first visible row, or what the user went to. Up from the end, the last row: all turns and blocks in view are reached. */
static struct place transcript_jumps_from(struct transcript *p, const struct view *view, enum page_landmark what, int step)
{
	struct place block;
	size_t turn;

	if (what == PAGE_TURN && transcript_focused(p, view, &turn))
		return (struct place){ turn, 0, 0 };
	if (what == PAGE_BLOCK && transcript_find_block(p, view, &block))
		return block;
	bool from_end = (what == PAGE_TURN || what == PAGE_BLOCK) && step < 0 && p->following;

	return from_end ? transcript_bottom(p, view) : transcript_top(p, view);
}

bool transcript_jump(struct transcript *p, const struct view *view, enum page_landmark what, int step)
{
	if (!view->conversation->count)
		return false;
	struct place at = transcript_jumps_from(p, view, what, step);
	if (!transcript_seek(p, view, what, step, &at))
		return false;
	transcript_show_from(p, view, at);
	p->focus = what == PAGE_TURN ? view->conversation->turns[at.turn]->number : NO_TURN;
	p->block_turn = what == PAGE_BLOCK ? view->conversation->turns[at.turn]->number : NO_TURN;
	p->block = page_mark_of(transcript_page(p, view, at.turn), at.piece, at.row);
	return true;
}

/* --- blocks --- */

bool transcript_find_block(struct transcript *p, const struct view *view, struct place *at)
{
	const struct conversation *c = view->conversation;

	if (!c->count || p->block_turn >= c->node_count || !conversation_shows(c, c->nodes[p->block_turn]))
		return false;
	*at = transcript_place(p, view, &(struct bookmark){ .turn = c->nodes[p->block_turn]->depth, .mark = p->block });
	struct page *page = transcript_page(p, view, at->turn);
	at->row = page_first_row(page, at->piece); /* others may have the same place in the source */
	struct place top = transcript_top(p, view), bottom = transcript_bottom(p, view);
	return page_begins(page, at->piece, PAGE_BLOCK) && !place_is_before(at, &top) && !place_is_before(&bottom, at);
}

enum transcript_block transcript_on_block(struct transcript *p, const struct view *view)
{
	struct buf source = { 0 };
	struct place at;

	if (!transcript_find_block(p, view, &at))
		return TRANSCRIPT_NO_BLOCK;
	bool is_code = page_code(transcript_page(p, view, at.turn), at.piece, &source);
	buf_fini(&source);
	return is_code ? TRANSCRIPT_CODE : TRANSCRIPT_TABLE;
}

static bool transcript_take_block(struct transcript *p, const struct view *view, bool (*take)(const struct page *, size_t, struct buf *),
                                  struct buf *out)
{
	struct place at;

	if (!view->conversation->count)
		return false;
	if (transcript_find_block(p, view, &at) && take(transcript_page(p, view, at.turn), at.piece, out))
		return true;
	at = transcript_bottom(p, view);
	while (!take(transcript_page(p, view, at.turn), at.piece, out)) {
		if (!at.piece && !at.turn)
			return false;
		at.piece = at.piece ? at.piece : page_pieces(transcript_page(p, view, --at.turn));
		at.piece--;
	}
	return true;
}

bool transcript_code(struct transcript *p, const struct view *view, struct buf *out)
{
	return transcript_take_block(p, view, page_code, out);
}

bool transcript_table(struct transcript *p, const struct view *view, struct buf *out)
{
	return transcript_take_block(p, view, page_table, out);
}
