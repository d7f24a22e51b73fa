/* The selection of the transcript: a range of lines, how it moves, and its source. */
#include "chat/conversation/conversation.h"
#include "ui/pane/transcript_inside.h"

static struct page_row place_row(struct place at)
{
	return (struct page_row){ at.piece, at.row };
}

bool transcript_range(struct transcript *p, const struct view *view, struct place *first, struct place *last)
{
	transcript_heed(p, view);
	if (!p->selection.active || p->selection.by_cells || p->selection.anchor.turn >= view->conversation->count ||
	    p->selection.cursor.turn >= view->conversation->count)
		return false;
	struct place a = transcript_place(p, view, &p->selection.anchor), b = transcript_place(p, view, &p->selection.cursor);
	*first = place_is_before(&b, &a) ? b : a;
	*last = place_is_before(&b, &a) ? a : b;
	struct page_row from, to, other;
	page_line(transcript_page(p, view, first->turn), place_row(*first), &from, &other);
	page_line(transcript_page(p, view, last->turn), place_row(*last), &other, &to);
	*first = (struct place){ first->turn, from.piece, from.row };
	*last = (struct place){ last->turn, to.piece, to.row };
	return true;
}

static struct place selection_cursor(struct transcript *p, const struct view *view)
{
	transcript_heed(p, view);
	return transcript_place(p, view, &p->selection.cursor);
}

void transcript_select_show(struct transcript *p, const struct view *view, struct place at)
{
	struct place top = transcript_top(p, view), bottom = transcript_bottom(p, view);

	if (place_is_before(&bottom, &at))
		transcript_walk(p, view, 1 - (long)p->height, &at);
	else if (!place_is_before(&at, &top))
		return;
	transcript_show_from(p, view, at);
	p->selection.followed = false;
	p->following &= !view->live;
}

void transcript_select_hold(struct transcript *p, const struct view *view)
{
	p->selection.active = true;
	p->selection.followed = p->following;
	transcript_show_from(p, view, transcript_top(p, view));
	p->following &= !view->live;
}

/* Moves the cursor of the selection and scrolls it into view. */
static void selection_move_to(struct transcript *p, const struct view *view, struct place at)
{
	p->selection.cursor = transcript_bookmark(p, view, at);
	transcript_select_show(p, view, at);
}

static void selection_begin_at(struct transcript *p, const struct view *view, struct place at)
{
	p->selection = (struct selection){ 0 };
	p->selection.anchor = p->selection.cursor = transcript_bookmark(p, view, at);
	transcript_select_hold(p, view);
}

/* The last visible row with a source: not the blank row between turns, and not a generated row. */
static struct place transcript_last_text(struct transcript *p, const struct view *view)
{
	struct place top = transcript_top(p, view), at = transcript_bottom(p, view);
	struct page_row first, last;

	while (place_is_before(&top, &at) && !(page_item(transcript_page(p, view, at.turn), at.piece) &&
	                                       page_line(transcript_page(p, view, at.turn), place_row(at), &first, &last)))
		transcript_walk(p, view, -1, &at);
	return at;
}

bool transcript_select(struct transcript *p, const struct view *view)
{
	if (!view->conversation->count)
		return false;
	struct place top = transcript_top(p, view), bottom = transcript_bottom(p, view), hit = top;
	if (p->hits.count)
		hit = transcript_hit(p, view, p->hits.current);
	bool shown = p->hits.count && !place_is_before(&hit, &top) && !place_is_before(&bottom, &hit);
	selection_begin_at(p, view, shown ? hit : p->following ? transcript_last_text(p, view) : top);
	return true;
}

void transcript_select_move(struct transcript *p, const struct view *view, long rows)
{
	struct place at = selection_cursor(p, view);

	transcript_walk(p, view, rows, &at);
	selection_move_to(p, view, at);
}

bool transcript_select_jump(struct transcript *p, const struct view *view, enum page_landmark what, int step)
{
	struct place at = selection_cursor(p, view);

	if (!transcript_seek(p, view, what, step, &at))
		return false;
	selection_move_to(p, view, at);
	return true;
}

void transcript_select_swap(struct transcript *p, const struct view *view)
{
	struct bookmark anchor = p->selection.anchor;

	p->selection.anchor = p->selection.cursor;
	selection_move_to(p, view, transcript_place(p, view, &anchor));
}

void transcript_select_anew(struct transcript *p)
{
	p->selection.anchor = p->selection.cursor;
}

void transcript_select_leave(struct transcript *p, const struct view *view)
{
	bool followed = p->selection.active && p->selection.followed;

	p->selection.active = p->selection.by_cells = false;
	if (followed)
		p->following = true;
	else if (view->conversation->count)
		transcript_show_from(p, view, transcript_top(p, view));
}

void transcript_selected(struct transcript *p, const struct view *view, struct buf *out)
{
	struct place first, last;
	struct buf source = { 0 };

	transcript_copy_cells(p, view, out);
	if (!transcript_range(p, view, &first, &last))
		return;
	for (size_t turn = first.turn; turn <= last.turn; turn++) {
		struct page *page = transcript_page(p, view, turn);
		struct page_row from = { 0, 0 }, to = { page_pieces(page), 0 };

		buf_clear(&source);
		page_source(page, turn == first.turn ? place_row(first) : from, turn == last.turn ? place_row(last) : to, &source);
		if (source.len && out->len)
			buf_add_z(out, "\n\n");
		buf_add(out, buf_str(&source));
	}
	buf_fini(&source);
}
