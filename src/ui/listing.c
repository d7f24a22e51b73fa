#include "ui/listing.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/least.h"
#include "render/flow.h"
#include "ui/card.h"
#include "ui/fuzzy.h"

#define COLUMNS_WANTED 100u
#define ROWS_WANTED 40u    /* of a list that is long enough */
#define TITLE_LEAST 20u    /* columns; facts give way to it */
#define GAP 2u
#define INDENT 3u          /* the marker of the chosen row */
#define INDENT_DOT 5u      /* ... and of the current one */
#define DOT_COLUMNS 30u
#define NAMES_ROWS 16u     /* least height of a canvas with the names of the columns */

/* How one frame is laid out. */
struct layout {
	const struct listing *l;
	struct canvas *canvas;
	const unsigned *widths;
	bool shown[LISTING_FACTS];
	unsigned title;          /* columns */
	unsigned indent;
};

/* What does not fit ends in a sign that says so. Returns the columns of text. */
static unsigned put_cut(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text)
{
	bool cut = flow_columns(text, columns + 1) > columns;

	if (!columns)
		return 0;
	unsigned used = canvas_put(canvas, row, column, cut ? columns - 1 : columns, role, text);
	if (cut)
		canvas_put(canvas, row, column + used, 1, role, STR("\u2026"));
	return used;
}

/* --- columns --- */

/* A column is as wide as what it showed so far, so that scrolling moves nothing back. */
static void widen(const struct listing *l, struct listing_state *state, const struct listing_item *item)
{
	for (unsigned i = 0; i < LISTING_FACTS; i++) {
		unsigned name = flow_columns(str_from(l->columns[i].name), l->columns[i].most);
		unsigned fact = flow_columns(str_from(item->facts[i]), l->columns[i].most);

		fact = fact && fact < name ? name : fact;
		state->widths[i] = fact > state->widths[i] ? fact : state->widths[i];
	}
}

/* Takes columns in the order of their ranks while the title keeps its least width. */
static void choose_columns(struct layout *at, unsigned room)
{
	unsigned left = room > TITLE_LEAST ? room - TITLE_LEAST : 0, limit = UINT_MAX, used = 0;

	for (unsigned n = 0; n < LISTING_FACTS; n++) {
		unsigned best = LISTING_FACTS;

		for (unsigned i = 0; i < LISTING_FACTS; i++)
			if (at->l->columns[i].rank < limit && (best == LISTING_FACTS || at->l->columns[i].rank > at->l->columns[best].rank))
				best = i;
		limit = at->l->columns[best].rank;
		if (!at->widths[best])
			continue;
		if (used + at->widths[best] + GAP > left)
			break;
		used += at->widths[best] + GAP;
		at->shown[best] = true;
	}
	at->title = room - used;
}

static void put_facts(const struct layout *at, struct area line, enum role_name role, const struct listing_item *item)
{
	unsigned column = line.column + at->indent + at->title;

	for (unsigned i = 0; i < LISTING_FACTS; i++) {
		struct str text = str_from(item ? item->facts[i] : at->l->columns[i].name);
		unsigned width = at->widths[i], used = least(flow_columns(text, width + 1), width);

		if (!at->shown[i])
			continue;
		column += GAP;
		put_cut(at->canvas, line.row, at->l->columns[i].left ? column : column + width - used, width, role, text);
		column += width;
	}
}

/* --- rows --- */

/* Redraws the letters that the filter matched: highlighted, or underlined on the chosen row. */
static void mark_letters(const struct layout *at, unsigned row, unsigned column, unsigned columns, bool chosen, struct str text)
{
	bool matched[FUZZY_TEXT_BYTES];
	struct str rest = text;
	struct flow_cell next;
	unsigned used = 0;

	if (!at->l->needle.len || fuzzy_match(at->l->needle, text, matched) < 0)
		return;
	while (used < columns && text.len - rest.len < FUZZY_TEXT_BYTES) {
		size_t from = text.len - rest.len;

		if (!flow_next(&rest, used, &next))
			return;
		if (matched[from])
			canvas_put_styled(at->canvas, row, column + used, columns - used, chosen ? ROLE_SHEET_CHOSEN : ROLE_SHEET_MATCH,
			                  chosen ? STYLE_UNDERLINE : 0, str_of(text.ptr + from, text.len - rest.len - from));
		used += next.columns;
	}
}

/* Marked words stand out by their role and, for terminals without colours, by a line under them. */
static void put_marked(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, struct str text, bool chosen)
{
	bool marked = false;

	if (flow_columns(text, columns + 1) > columns) /* the marks take no column, so this is not exact: it may cut too early */
		canvas_put(canvas, row, column + --columns, 1, chosen ? ROLE_SHEET_CHOSEN : ROLE_SHEET_MUTED, STR("\u2026"));
	while (text.len && columns) {
		size_t end = 0;

		while (end < text.len && text.ptr[end] != LISTING_MARK_BEGIN && text.ptr[end] != LISTING_MARK_END)
			end++;
		unsigned used = canvas_put_styled(canvas, row, column, columns, chosen ? ROLE_SHEET_CHOSEN : marked ? ROLE_SHEET_MATCH : ROLE_SHEET_MUTED,
		                                  marked ? STYLE_UNDERLINE : 0, str_head(text, end));
		column += used;
		columns -= used;
		if (end < text.len)
			marked = text.ptr[end] == LISTING_MARK_BEGIN;
		text = str_skip(text, end + (end < text.len));
	}
}

static void draw_row(const struct layout *at, struct area line, size_t index, unsigned lines)
{
	const struct listing *l = at->l;
	bool chosen = index == l->marked;
	enum role_name role = chosen ? ROLE_SHEET_CHOSEN : ROLE_SHEET;
	struct listing_item item = { .title = STR_NONE };

	l->item(l->ctx, index, &item);
	if (chosen) {
		canvas_fill(at->canvas, (struct area){ line.row, line.column, lines, line.columns }, role);
		canvas_put(at->canvas, line.row, line.column + 1, 1, role, STR(">"));
	}
	if (item.current && (!chosen || at->indent > INDENT)) /* with room for one marker only, the chosen row's wins */
		canvas_put(at->canvas, line.row, line.column + at->indent - 2, 1, chosen ? role : ROLE_SHEET_MATCH, STR("\u25CF"));
	unsigned used = put_cut(at->canvas, line.row, line.column + at->indent, at->title, role, item.title);
	mark_letters(at, line.row, line.column + at->indent, used, chosen, item.title);
	put_facts(at, line, chosen ? role : ROLE_SHEET_MUTED, &item);
	if (lines > 1)
		put_marked(at->canvas, line.row + 1, line.column + at->indent, line.columns - at->indent - 1, item.below, chosen);
}

static void draw_rows(const struct layout *at, size_t top, struct area list, unsigned lines)
{
	for (unsigned r = 0; (r + 1) * lines <= list.rows && top + r < at->l->count; r++)
		draw_row(at, (struct area){ list.row + r * lines, list.column, 1, list.columns }, top + r, lines);
}

/* The marked row is in view. */
static void scroll(const struct listing *l, struct listing_state *state, unsigned page)
{
	if (state->top + page > l->count)
		state->top = l->count > page ? l->count - page : 0;
	if (l->marked < state->top)
		state->top = l->marked;
	if (page && l->marked >= state->top + page)
		state->top = l->marked - page + 1;
}

static void measure(const struct listing *l, struct listing_state *state, unsigned page)
{
	for (size_t i = state->top; i < state->top + page && i < l->count; i++) {
		struct listing_item item = { .title = STR_NONE };

		l->item(l->ctx, i, &item);
		widen(l, state, &item);
	}
}

/* --- the card --- */

/* With the filter and the names of the columns. While the user types, it ends below its last row and keeps its place. */
static struct card listing_card(const struct listing *l, struct listing_state *state, unsigned lines, bool names)
{
	struct card card = { .title = l->title, .figures = l->figures, .keys = l->keys, .columns = COLUMNS_WANTED };
	size_t wanted = l->count ? l->count * lines : 1;

	card.rows = 1 + names + (unsigned)(wanted < ROWS_WANTED ? wanted : ROWS_WANTED);
	state->held = card.rows > state->held ? card.rows : state->held;
	card.held = state->held;
	return card;
}

unsigned listing_draw(const struct listing *l, struct listing_state *state, struct canvas *canvas)
{
	unsigned lines = l->has_below ? 2 : 1;
	bool names = canvas->rows >= NAMES_ROWS;
	struct card card = listing_card(l, state, lines, names);
	struct area area = card_area(canvas, &card), list = { area.row + 1, area.column, area.rows - 1, area.columns };
	struct layout at = { .l = l, .canvas = canvas, .widths = state->widths };
	char place[48];

	if (!canvas->rows || area.columns < 2 * INDENT_DOT)
		return 1;
	if (names && list.rows > 1)
		list = (struct area){ list.row + 1, list.column, list.rows - 1, list.columns };
	lines = list.rows < lines ? 1 : lines;
	unsigned page = list.rows / lines;
	scroll(l, state, page);
	measure(l, state, page);
	at.indent = list.columns >= DOT_COLUMNS ? INDENT_DOT : INDENT;
	choose_columns(&at, list.columns - at.indent - 1);
	snprintf(place, sizeof place, "%zu of %zu", l->marked + 1, l->count);
	if (l->count > page)
		card.place = str_from(place);
	card_draw(canvas, &card);
	canvas_put(canvas, area.row, area.column + 1, 1, ROLE_SHEET_MATCH, STR(">"));
	edit_draw(l->filter, canvas, (struct area){ area.row, area.column + INDENT, 1, area.columns - INDENT - 1 }, ROLE_SHEET, true);
	if (names && l->count)
		put_facts(&at, (struct area){ list.row - 1, list.column, 1, list.columns }, ROLE_SHEET_MUTED, NULL);
	draw_rows(&at, state->top, list, lines);
	if (!l->count && list.rows)
		put_cut(canvas, list.row, list.column + INDENT, list.columns - INDENT - 1, ROLE_SHEET_MUTED, l->nothing);
	return page;
}
