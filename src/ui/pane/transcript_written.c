/* What a frame wrote, shown in the transcript; and the text at a place of it. */
#include "chat/conversation/conversation.h"
#include "ui/pane/transcript_inside.h"

void transcript_set_written(struct transcript *p, const struct turn *t, struct page_written written)
{
	p->written_turn = t ? t->number : NO_TURN;
	p->written = written;
	for (size_t first = 0, last; t && first < t->part_count; first = last + 1) { /* adjacent texts are one */
		last = t->parts[first].kind == PART_TEXT ? page_last_of_text(t, first) : first;
		if (written.part < first || written.part > last)
			continue;
		for (size_t i = first; i < written.part; i++) {
			p->written.from += t->parts[i].text.len;
			p->written.to += t->parts[i].text.len;
		}
		p->written.part = first;
	}
}

void transcript_show_written(struct transcript *p, const struct view *view)
{
	for (size_t turn = 0; turn < view->conversation->count; turn++) {
		if (view->conversation->turns[turn]->number != p->written_turn)
			continue;
		struct bookmark mark = { .turn = turn, .mark = { .part = p->written.part, .offset = p->written.from } };
		struct place at = transcript_place(p, view, &mark), top = transcript_top(p, view), bottom = transcript_bottom(p, view);

		if (!place_is_before(&at, &top) && !place_is_before(&bottom, &at))
			return;
		transcript_walk(p, view, -(long)(p->height / 3), &at);
		transcript_show_from(p, view, at);
		return;
	}
}

static bool transcript_has_text(struct transcript *p, const struct view *view, struct place at, struct transcript_text *text)
{
	struct page_mark mark = page_mark_of(transcript_page(p, view, at.turn), at.piece, at.row);
	struct turn *t = view->conversation->turns[at.turn];

	*text = (struct transcript_text){ t, mark.part, mark.offset };
	if (t->role != TURN_ASSISTANT || mark.part >= t->part_count)
		return false;
	while (text->offset >= t->parts[text->part].text.len && text->part < page_last_of_text(t, mark.part)) /* adjacent texts are one */
		text->offset -= t->parts[text->part++].text.len;
	return true;
}

/* The rows of a place that has no text of an answer are passed over: downwards, then upwards. */
static bool transcript_text_from(struct transcript *p, const struct view *view, struct place at, struct transcript_text *text)
{
	struct place down = at;

	for (unsigned i = 0; i < p->height; i++, transcript_walk(p, view, 1, &down))
		if (transcript_has_text(p, view, down, text))
			return true;
	for (unsigned i = 0; i < p->height; i++, transcript_walk(p, view, -1, &at))
		if (transcript_has_text(p, view, at, text))
			return true;
	return false;
}

bool transcript_text_at(struct transcript *p, const struct view *view, unsigned row, struct transcript_text *text)
{
	struct place at;

	if (!view->conversation->count)
		return false;
	at = transcript_top(p, view);
	if (row >= p->row + p->height)
		return false;
	transcript_walk(p, view, row > p->row ? (long)(row - p->row) : 0, &at);
	return transcript_has_text(p, view, at, text);
}

bool transcript_text_here(struct transcript *p, const struct view *view, struct transcript_text *text)
{
	size_t turn, part;

	if (!view->conversation->count)
		return false;
	if (p->selection.active)
		return transcript_text_from(p, view, transcript_place(p, view, &p->selection.cursor), text);
	if (p->hits.needle.len && p->hits.count) {
		const struct hit *hit = &p->hits.list[p->hits.current];

		*text = (struct transcript_text){ view->conversation->turns[hit->turn], hit->part, hit->offset };
		return text->turn->role == TURN_ASSISTANT;
	}
	if (transcript_current_fold(p, view, &turn, &part) && p->fold_turn != NO_TURN) {
		*text = (struct transcript_text){ view->conversation->turns[turn], part, 0 };
		return text->turn->role == TURN_ASSISTANT && part < text->turn->part_count;
	}
	return transcript_text_from(p, view, p->following ? transcript_bottom(p, view) : transcript_top(p, view), text);
}
