/* Branches in the transcript: which turn it is on, and what stays in view when the path goes over to another branch (transcript.h). */
#include "chat/conversation/conversation.h"
#include "ui/pane/transcript_inside.h"

static const struct page_mark START = { PAGE_NO_PART, 0, 0, true };

/* --- another path --- */

/* A bookmark in a branch that is left goes to where the branches part. */
static void bookmark_keep(struct bookmark *b, size_t same, size_t count)
{
	if (b->turn < same)
		return;
	b->turn = same < count ? same : count ? count - 1 : 0;
	b->mark = START;
}

/* The first `same` turns of the path are those that they were. `left` was the turn behind them, where the first visible row may be. */
static void transcript_leave_branch(struct transcript *p, const struct view *view, size_t same, const struct turn *left)
{
	const struct conversation *c = view->conversation;
	struct bookmark *const bookmarks[] = { &p->origin, &p->bottom, &p->selection.anchor, &p->selection.cursor };

	for (size_t i = 0; i < sizeof bookmarks / sizeof *bookmarks; i++)
		bookmark_keep(bookmarks[i], same, c->count);
	if (p->fold_turn >= same)
		p->fold_turn = NO_TURN;
	if (!p->following && p->top_turn >= same) {
		if (left && p->top_turn == same && left->number < p->count && p->pages[left->number])
			p->pages[left->number]->left_at = p->top;
		p->following = same >= c->count;
		p->top_turn = same;
		p->top = START;
	}
	news_update(&p->news, c, true, false);
	transcript_find_hits(p, view);
}

void transcript_heed(struct transcript *p, const struct view *view)
{
	const struct conversation *c = view->conversation;
	const struct turn *t = p->known && p->known_last < c->node_count ? c->nodes[p->known_last] : NULL, *left = NULL;
	bool same = !t || (p->known <= c->count && c->turns[p->known - 1] == t);

	for (; !same && t && !conversation_shows(c, t); t = t->parent)
		left = t;
	if (!same)
		transcript_leave_branch(p, view, t ? t->depth + 1 : 0, left);
	if (!p->known) /* it was opened, maybe at a hit: all of it is as it was stored */
		news_update(&p->news, c, true, false);
	p->known = c->count;
	p->known_last = c->count ? c->turns[c->count - 1]->number : 0;
}

void transcript_hold(struct transcript *p, const struct view *view)
{
	if (!view->conversation->count)
		return;
	struct place at = transcript_top(p, view);
	p->following = false;
	p->top_turn = at.turn;
	p->top = page_mark_of(transcript_page(p, view, at.turn), at.piece, at.row);
}

void transcript_show_turn(struct transcript *p, const struct view *view, const struct turn *t)
{
	const struct conversation *c = view->conversation;

	transcript_heed(p, view);
	if (!c->count)
		return;
	struct place top = transcript_top(p, view), bottom = transcript_bottom(p, view);
	if (!conversation_shows(c, t)) {
		transcript_show_from(p, view, top);
		return;
	}
	struct place head = { t->depth, 0, 0 };
	struct page *page = transcript_page(p, view, t->depth);
	p->focus = t->number;
	p->block_turn = NO_TURN;
	if (place_is_before(&head, &top) || place_is_before(&bottom, &head))
		top = head;
	if (top.turn == t->depth)
		page_find(page, page->left_at, &top.piece, &top.row);
	transcript_show_from(p, view, top);
}

/* --- the turn that it is on --- */

bool transcript_focused(struct transcript *p, const struct view *view, size_t *turn)
{
	const struct conversation *c = view->conversation;

	if (!c->count || p->focus >= c->node_count || !conversation_shows(c, c->nodes[p->focus]))
		return false;
	*turn = c->nodes[p->focus]->depth;
	return *turn >= transcript_top(p, view).turn && *turn <= transcript_bottom(p, view).turn;
}

static bool transcript_is_on_fold(struct transcript *p, const struct view *view, size_t *turn)
{
	size_t part;

	return p->fold_turn != NO_TURN && transcript_current_fold(p, view, turn, &part) && *turn == p->fold_turn && part == p->fold_part;
}

struct turn *transcript_turn(struct transcript *p, const struct view *view)
{
	const struct conversation *c = view->conversation;
	size_t turn;

	if (!c->count)
		return NULL;
	bool went = transcript_focused(p, view, &turn) || transcript_is_on_fold(p, view, &turn);
	return c->turns[went ? turn : c->count - 1];
}

struct turn *transcript_branching(struct transcript *p, const struct view *view)
{
	const struct conversation *c = view->conversation;
	size_t turn;

	if (!c->count)
		return NULL;
	size_t first = transcript_top(p, view).turn;
	if (!transcript_focused(p, view, &turn) && !transcript_is_on_fold(p, view, &turn))
		turn = transcript_bottom(p, view).turn;
	while (turn > first && conversation_siblings(c, c->turns[turn]).count < 2)
		turn--;
	return conversation_siblings(c, c->turns[turn]).count < 2 ? NULL : c->turns[turn];
}

bool transcript_go_to_row(struct transcript *p, const struct view *view, unsigned row)
{
	const struct conversation *c = view->conversation;

	if (!c->count || row < p->row || row - p->row >= p->height)
		return false;
	struct place at = transcript_top(p, view);
	transcript_walk(p, view, (long)(row - p->row), &at);
	if (at.piece || at.row)
		return false;
	p->focus = c->turns[at.turn]->number;
	p->block_turn = NO_TURN;
	return true;
}

struct turn *transcript_sibling_at(struct transcript *p, const struct view *view, unsigned row, unsigned column)
{
	const struct conversation *c = view->conversation;

	if (!c->count || row < p->row || row - p->row >= p->height || column < p->column)
		return NULL;
	struct place at = transcript_top(p, view);
	transcript_walk(p, view, (long)(row - p->row), &at);
	struct page *page = transcript_page(p, view, at.turn);
	int step = page_sibling_at(page, at.piece, at.row, column - p->column, p->columns);
	return step ? conversation_sibling(c, c->turns[at.turn], step) : NULL;
}
