/* Folds of the transcript: which one it is on, and what unfolds. */
#include "chat/conversation/conversation.h"
#include "ui/pane/transcript_inside.h"

static size_t place_fold(struct transcript *p, const struct view *view, struct place at)
{
	return page_fold_at(transcript_page(p, view, at.turn), at.piece);
}

/* One row down; false at the end. */
static bool place_next_row(struct transcript *p, const struct view *view, struct place *at)
{
	struct place before = *at;

	transcript_walk(p, view, 1, at);
	return place_is_before(&before, at);
}

bool transcript_current_fold(struct transcript *p, const struct view *view, size_t *turn, size_t *part)
{
	bool any = false;
	size_t on = NO_TURN;

	if (!view->conversation->count)
		return false;
	struct place at = transcript_top(p, view);
	unsigned row = 0;
	bool only = transcript_focused(p, view, &on);
	do {
		size_t fold = only && at.turn != on ? PAGE_NO_PART : place_fold(p, view, at);
		bool chosen = fold != PAGE_NO_PART && at.turn == p->fold_turn && fold == p->fold_part;

		if (fold != PAGE_NO_PART) { /* the newest one */
			any = true;
			*turn = at.turn;
			*part = fold;
		}
		if (chosen)
			return true;
	} while (++row < p->height && place_next_row(p, view, &at));
	return any;
}

static struct place transcript_fold_line(struct transcript *p, const struct view *view, size_t turn, size_t part)
{
	return transcript_place(p, view, &(struct bookmark){ .turn = turn, .mark = { .part = part, .on_line = true } });
}

/* Its line keeps its row of the screen. */
static void transcript_fold_part(struct transcript *p, const struct view *view, size_t turn, size_t part)
{
	struct page *page = transcript_page(p, view, turn);
	struct place at = transcript_top(p, view), line = transcript_fold_line(p, view, turn, part);
	long row = 0;

	while (place_is_before(&at, &line) && place_next_row(p, view, &at))
		row++;
	page_fold(page, part, !page_is_open(page, part));
	p->focus = p->block_turn = NO_TURN;
	p->fold_turn = turn;
	p->fold_part = part;
	line = transcript_fold_line(p, view, turn, part);
	transcript_walk(p, view, -row, &line);
	transcript_show_from(p, view, line);
}

bool transcript_fold_one(struct transcript *p, const struct view *view)
{
	size_t turn, part;

	if (!transcript_current_fold(p, view, &turn, &part) || !page_unfolds(transcript_page(p, view, turn), part))
		return false;
	transcript_fold_part(p, view, turn, part);
	return true;
}

bool transcript_on_fold(struct transcript *p, const struct view *view, bool *unfolded)
{
	size_t turn, part;

	if (!transcript_current_fold(p, view, &turn, &part) || !page_unfolds(transcript_page(p, view, turn), part))
		return false;
	*unfolded = page_is_open(transcript_page(p, view, turn), part);
	return true;
}

const struct part *transcript_media(struct transcript *p, const struct view *view, bool marked)
{
	struct place block;
	size_t turn, part, on_turn;

	if (!transcript_current_fold(p, view, &turn, &part) || part >= view->conversation->turns[turn]->part_count)
		return NULL;
	bool chosen = turn == p->fold_turn && part == p->fold_part, on_a_turn = transcript_focused(p, view, &on_turn);
	if (marked ? on_a_turn || p->selection.active || transcript_find_block(p, view, &block) : p->following && !on_a_turn && !chosen)
		return NULL;
	const struct part *on = &view->conversation->turns[turn]->parts[part];
	return on->kind == PART_MEDIA ? on : NULL;
}

bool transcript_step_fold(struct transcript *p, const struct view *view, int step)
{
	if (!view->conversation->count)
		return false;
	struct place top = transcript_top(p, view), bottom = transcript_bottom(p, view), at = top;
	size_t turn, part;

	bool marked = transcript_current_fold(p, view, &turn, &part);

	if (marked)
		at = transcript_fold_line(p, view, turn, part);
	else if (transcript_focused(p, view, &turn))
		at = (struct place){ turn, 0, 0 };
	if (!transcript_seek(p, view, PAGE_FOLD, step, &at)) {
		if (marked) { /* it may be marked only because it is the newest: now it is chosen */
			p->fold_turn = turn;
			p->fold_part = part;
		}
		return false;
	}
	p->focus = p->block_turn = NO_TURN;
	p->fold_turn = at.turn;
	p->fold_part = place_fold(p, view, at);
	if (place_is_before(&bottom, &at)) {
		transcript_walk(p, view, 1 - (long)p->height, &at);
		transcript_show_from(p, view, at);
	} else if (place_is_before(&at, &top)) {
		transcript_show_from(p, view, at);
	}
	return true;
}

bool transcript_fold_row(struct transcript *p, const struct view *view, unsigned row)
{
	if (!view->conversation->count || row < p->row || row - p->row >= p->height)
		return false;
	struct place at = transcript_top(p, view);
	for (unsigned r = p->row; r < row; r++)
		if (!place_next_row(p, view, &at))
			return false;
	size_t fold = place_fold(p, view, at);
	if (fold == PAGE_NO_PART || at.row || page_item(transcript_page(p, view, at.turn), at.piece)->first_piece != at.piece)
		return false;
	transcript_fold_part(p, view, at.turn, fold);
	return true;
}

/* The turn whose folds are meant: the last one at the end, else the one at the top, else the nearest one above. False: none has any. */
static bool transcript_folding_turn(struct transcript *p, const struct view *view, size_t *turn)
{
	if (!view->conversation->count)
		return false;
	*turn = p->following ? view->conversation->count - 1 : transcript_top(p, view).turn;
	if (*turn + 1 < view->conversation->count && view->conversation->turns[*turn]->role == TURN_USER)
		++*turn; /* a prompt has nothing to fold: its answer is meant */
	while (*turn && !page_has_folds(transcript_page(p, view, *turn)))
		--*turn;
	return page_has_folds(transcript_page(p, view, *turn));
}

bool transcript_has_folds(struct transcript *p, const struct view *view, bool *unfolded)
{
	size_t turn;

	if (transcript_on_fold(p, view, unfolded))
		return true;
	if (!transcript_folding_turn(p, view, &turn))
		return false;
	*unfolded = page_has_open_folds(transcript_page(p, view, turn));
	return true;
}

bool transcript_toggle_fold(struct transcript *p, const struct view *view)
{
	size_t turn, part = PAGE_NO_PART;

	if (!transcript_folding_turn(p, view, &turn))
		return false;
	struct page *page = transcript_page(p, view, turn);
	if (!p->following && turn == transcript_top(p, view).turn)
		part = page_fold_at(page, transcript_top(p, view).piece);
	if (page_unfolds(page, part))
		page_fold(page, part, !page_is_open(page, part));
	else
		page_fold_all(page, !page_has_open_folds(page));
	return true;
}
