#include "ui/pane/tail.h"

#include "ui/pane/pane.h"

void tail_begin(struct tail *tail)
{
	*tail = (struct tail){ .height = tail->height, .hit = TAIL_NO_HIT };
}

void tail_drop(struct tail *tail, size_t bytes)
{
	tail->offset -= tail->offset < bytes ? tail->offset : bytes;
}

static size_t tail_last_first(const struct flow *flow, unsigned height)
{
	return flow->count > height ? flow->count - height : 0;
}

/* Scrolls to a row. Reaching the end resumes following it. */
static void tail_hold(struct tail *tail, const struct flow *flow, size_t row)
{
	tail->held = row < tail_last_first(flow, tail->height);
	tail->offset = tail->held ? flow->starts[row] : 0;
}

size_t tail_first(struct tail *tail, const struct flow *flow, unsigned height)
{
	tail->height = height;
	size_t last = tail_last_first(flow, height), row = tail->held ? flow_row_of(flow, tail->offset) : last;
	return row < last ? row : last;
}

bool tail_key(struct tail *tail, const struct flow *flow, const struct key *key)
{
	long rows = scroll_rows(key, SCROLL_TEXT, tail->height > 1 ? tail->height - 1 : 1);

	if (rows)
		tail_hold(tail, flow, scroll_to(tail_first(tail, flow, tail->height), rows, flow->count));
	return rows || key->code == KEY_WHEEL_LEFT || key->code == KEY_WHEEL_RIGHT; /* there is no horizontal scrolling */
}

void tail_show_hit(struct tail *tail, const struct flow *flow, const struct hits *hits, struct hits_place text)
{
	const struct hit *hit = hits && hits->count ? &hits->list[hits->current] : NULL;

	if (!hit || hit->turn != text.turn || hit->part != text.part) {
		tail->hit = TAIL_NO_HIT;
		return;
	}
	size_t row = hit->offset < text.shift ? 0 : flow_row_of(flow, hit->offset - text.shift), above = tail->height / 3;
	if (hit->offset != tail->hit)
		tail_hold(tail, flow, row > above ? row - above : 0);
	tail->hit = hit->offset;
}
