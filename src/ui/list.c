#include "ui/list.h"

#include <limits.h>
#include <stdio.h>

#include "base/least.h"
#include "render/flow.h"
#include "ui/card.h"
#include "ui/rows.h"

#define INDENT 3u          /* the marker of the marked row */
#define INDENT_DOT 5u      /* ... and of the current one */
#define DOT_COLUMNS 30u    /* with fewer columns there is one marker only */
#define GAP 2u
#define NARROW_COLUMNS 56u /* of a canvas; with fewer, long texts wrap */
#define HANG 2u            /* before the further lines of a text */
#define GAP_FACTS 3u       /* between facts that are not ranked */
#define TITLE_LEAST 20u    /* columns of a text; ranked facts give way to it */
#define WHOLE_LEAST 12u    /* columns of a text beside whole facts */
#define HALF_LEAST 24u     /* columns of a row from which on facts take up to half of it */
#define FACTS_MOST 100u    /* columns of a fact */
#define WHOLE_MOST 24u     /* ... that is whole */
#define ASIDE_LEAST 20u    /* columns of an aside; with fewer it is left out */
#define NAMES_ROWS 16u     /* least height of a canvas with the names of the columns */
#define BELOW_ROWS 4u      /* for what stands below the list; it scrolls as if all were taken, so that rows do not move */
#define BELOW_ROWS_LOW 2u  /* on a low card */
#define LOW_ROWS 16u       /* of its content, below which it is one; */
#define LOWEST_ROWS 8u     /* below which nothing stands there */

/* How one frame is laid out. */
struct layout {
	const struct list *l;
	struct list_state *state;
	struct canvas *canvas;
	unsigned indent;
	unsigned room;            /* columns of a row behind its markers */
	bool shown[LIST_FACTS];
	unsigned gap;             /* before a fact, if there is one at its left */
	unsigned facts;           /* columns of ranked facts with the gap before them */
};

bool list_key(struct list_state *state, const struct key *key, unsigned keys, unsigned page, size_t count)
{
	long rows = scroll_rows(key, keys, page);

	if (rows)
		state->marked = scroll_to(state->marked, rows, count ? count - 1 : 0);
	return rows != 0;
}

void list_mark(struct list_state *state, size_t row, size_t count)
{
	state->marked = row < count ? row : count ? count - 1 : 0;
}

/* --- columns --- */

static unsigned fact_width(const struct layout *at, const struct list_item *item, size_t index)
{
	unsigned most = at->l->fit == LIST_RANKED ? at->l->ranked[index].most : at->l->fit == LIST_WHOLE ? WHOLE_MOST : FACTS_MOST;

	return flow_columns(item->facts[index], most);
}

/* A ranked column is as wide as what it showed so far, so that scrolling moves nothing back. */
static void measure_ranked(const struct layout *at, size_t first, size_t end)
{
	for (size_t row = first; row < end && row < at->l->count; row++) {
		struct list_item item = { .current = false };

		at->l->item(at->l->ctx, row, &item);
		for (size_t i = 0; i < LIST_FACTS; i++) {
			unsigned name = flow_columns(str_from(at->l->ranked[i].name), at->l->ranked[i].most), fact = fact_width(at, &item, i);
			unsigned *width = &at->state->widths.of[i];

			fact = fact && fact < name ? name : fact;
			*width = fact > *width ? fact : *width;
		}
	}
}

/* Takes columns in the order of their ranks while the text keeps its least width. */
static void choose_ranked(struct layout *at)
{
	unsigned left = at->room > TITLE_LEAST ? at->room - TITLE_LEAST : 0, limit = UINT_MAX;

	for (size_t n = 0; n < LIST_FACTS; n++) {
		size_t best = LIST_FACTS;

		for (size_t i = 0; i < LIST_FACTS; i++)
			if (at->l->ranked[i].rank < limit && (best == LIST_FACTS || at->l->ranked[i].rank > at->l->ranked[best].rank))
				best = i;
		limit = at->l->ranked[best].rank;
		if (!at->state->widths.of[best])
			continue;
		if (at->facts + at->state->widths.of[best] + GAP > left)
			break;
		at->facts += at->state->widths.of[best] + GAP;
		at->shown[best] = true;
	}
}

/* The last columns are left out until the others have room in all rows: beside each text, or in half of a row. One stays, maybe cut. */
static void choose_first(struct layout *at)
{
	const struct list_widths *w = &at->state->widths;
	size_t most = LIST_FACTS, first = 0;

	while (first + 1 < LIST_FACTS && !w->of[first])
		first++;
	while (at->l->fit == LIST_HALF && most > first + 1 && w->beside[most - 1] > at->room && w->facts[most - 1] > at->room / 2)
		most--;
	for (size_t i = 0; i < most; i++)
		at->shown[i] = true;
}

/* The columns of the facts of a row, of those that are shown: from the first one that it has to the end. */
static unsigned facts_wanted(const struct layout *at, const struct list_item *item)
{
	unsigned columns = 0;

	for (size_t i = 0; i < LIST_FACTS; i++) {
		if (!at->shown[i])
			continue;
		if (columns)
			columns += at->state->widths.of[i] ? at->state->widths.of[i] + at->gap : 0;
		else
			columns = fact_width(at, item, i);
	}
	return columns;
}

/* The columns for the facts of a row; `text`: those that are left for its text. */
static unsigned share_room(const struct layout *at, const struct list_item *item, unsigned room, unsigned *text)
{
	unsigned wanted = at->l->fit == LIST_RANKED ? at->facts : facts_wanted(at, item), facts = 0;
	bool beside = flow_columns(item->text, room) + GAP + wanted <= room;

	switch (at->l->fit) {
	case LIST_RANKED:
		*text = room - wanted;
		return wanted ? wanted - GAP : 0;
	case LIST_HALF:
		facts = beside ? wanted : room >= HALF_LEAST ? least(wanted, room / 2) : 0;
		break;
	case LIST_WHOLE:
		facts = WHOLE_LEAST + GAP + wanted <= room ? wanted : 0;
		break;
	case LIST_BESIDE:
		facts = beside ? wanted : 0;
		break;
	}
	*text = facts ? room - facts - GAP : room;
	return facts;
}

/* --- rows --- */

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

/* Each fact stands in its column, in `columns` that end one before the end of the line. `facts` NULL: the names of the columns. */
static void put_facts(const struct layout *at, struct area line, unsigned columns, enum role_name role, const struct str *facts)
{
	unsigned end = line.column + line.columns - 1;

	for (size_t i = LIST_FACTS; i-- > 0 && columns;) {
		const struct list_column *ranked = at->l->fit == LIST_RANKED ? &at->l->ranked[i] : NULL;
		struct str text = facts ? facts[i] : str_from(ranked->name);
		unsigned own = flow_columns(text, columns), width = at->state->widths.of[i];

		if (!at->shown[i])
			continue;
		if (at->l->fit == LIST_WHOLE || at->l->fit == LIST_BESIDE)
			width = own;
		own = ranked ? least(own, width) : own;
		put_cut(at->canvas, line.row, ranked && ranked->left ? end - width : end - own, own, role, text);
		width = least(columns, width ? width + at->gap : 0);
		columns -= width;
		end -= width;
	}
}

/* Redraws the letters of a piece of the text that matched: highlighted, or underlined on the marked row. */
static void mark_letters(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, bool chosen, const struct list_item *item,
                         struct str piece)
{
	struct str text = item->text, rest = str_skip(text, (size_t)(piece.ptr - text.ptr));
	struct flow_cell next;
	unsigned used = 0;

	while (used < columns && text.len - rest.len < FUZZY_TEXT_BYTES) {
		size_t from = text.len - rest.len;

		if (!flow_next(&rest, used, &next))
			return;
		if (item->matched[from])
			canvas_put_styled(canvas, row, column + used, columns - used, chosen ? ROLE_SHEET_CHOSEN : ROLE_SHEET_MATCH,
			                  chosen ? STYLE_UNDERLINE : 0, str_of(text.ptr + from, text.len - rest.len - from));
		used += next.columns;
	}
}

/* Marked words stand out by their role and, for terminals without colours, by a line under them. */
static void put_below(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, struct str text, bool chosen)
{
	bool marked = false;

	if (columns && flow_columns(text, columns + 1) > columns) /* the marks take no column, so this is not exact: it may cut too early */
		canvas_put(canvas, row, column + --columns, 1, chosen ? ROLE_SHEET_CHOSEN : ROLE_SHEET_MUTED, STR("\u2026"));
	while (text.len && columns) {
		size_t end = 0;

		while (end < text.len && text.ptr[end] != LIST_MARK_BEGIN && text.ptr[end] != LIST_MARK_END)
			end++;
		unsigned used = canvas_put_styled(canvas, row, column, columns,
		                                  chosen ? ROLE_SHEET_CHOSEN : marked ? ROLE_SHEET_MATCH : ROLE_SHEET_MUTED,
		                                  marked ? STYLE_UNDERLINE : 0, str_head(text, end));
		column += used;
		columns -= used;
		if (end < text.len)
			marked = text.ptr[end] == LIST_MARK_BEGIN;
		text = str_skip(text, end + (end < text.len));
	}
}

/* The columns of an aside in `room`, which text and aside have together. */
static unsigned aside_room(const struct layout *at, unsigned room)
{
	unsigned before = at->l->aside_at + GAP;

	return at->l->aside_at && room >= before + ASIDE_LEAST ? room - before : 0;
}

/* A text in as many lines as it takes. Returns their number; `line` NULL: nothing is drawn. */
static unsigned draw_wrapped(const struct layout *at, unsigned wrap, const struct area *line, enum role_name role, const struct list_item *item)
{
	struct flow flow;

	flow_init(&flow);
	flow_update(&flow, item->text, wrap);
	for (unsigned r = 0; line && r < flow.count && r < line->rows; r++) {
		struct str piece = flow_row(&flow, item->text, r);
		unsigned column = line->column + (r ? HANG : 0), used = canvas_put(at->canvas, line->row + r, column, wrap, role, piece);

		if (item->matches)
			mark_letters(at->canvas, line->row + r, column, used, role == ROLE_SHEET_CHOSEN, item, piece);
	}
	unsigned lines = flow.count ? (unsigned)flow.count : 1;
	flow_fini(&flow);
	return lines;
}

static void draw_row(const struct layout *at, struct area line, size_t index, unsigned lines)
{
	bool chosen = index == at->state->marked && !at->l->unmarked;
	struct list_item item = { .current = false };
	unsigned column = line.column + at->indent, text;

	at->l->item(at->l->ctx, index, &item);
	enum role_name role = chosen ? ROLE_SHEET_CHOSEN : item.muted ? ROLE_SHEET_MUTED : ROLE_SHEET;
	enum role_name muted = chosen ? ROLE_SHEET_CHOSEN : ROLE_SHEET_MUTED;
	if (chosen) {
		canvas_fill(at->canvas, (struct area){ line.row, line.column, lines, line.columns }, role);
		canvas_put(at->canvas, line.row, line.column + 1, 1, role, STR(">"));
	}
	if (item.current && (!chosen || at->indent > INDENT)) /* with room for one marker only, that of the marked row wins */
		canvas_put(at->canvas, line.row, column - 2, 1, chosen ? role : ROLE_SHEET_MATCH, STR("\u25CF"));
	if (at->l->wrap) {
		draw_wrapped(at, at->l->wrap, &(struct area){ line.row, column, lines, at->room }, role, &item);
		return;
	}
	put_cut(at->canvas, line.row, column, at->room, muted, item.front);
	unsigned front = least(at->l->front_columns, at->room), facts = share_room(at, &item, at->room - front, &text);
	unsigned aside = aside_room(at, text);
	put_cut(at->canvas, line.row, column + front + text - aside, aside, muted, item.aside);
	text -= aside ? aside + GAP : 0;
	unsigned used = at->l->fit == LIST_BESIDE ? canvas_put(at->canvas, line.row, column + front, text, role, item.text)
	                                          : put_cut(at->canvas, line.row, column + front, text, role, item.text);
	if (item.matches)
		mark_letters(at->canvas, line.row, column + front, used, chosen, &item, item.text);
	put_facts(at, line, facts, muted, item.facts);
	if (lines > 1)
		put_below(at->canvas, line.row + 1, column, at->room, item.below, chosen);
}

/* --- lines: a row has one or two, and a heading above it is one --- */

static const char *heading_of(const struct list *l, size_t index)
{
	return l->heading && index < l->count ? l->heading(l->ctx, index) : NULL;
}

static unsigned lines_of(const struct list *l, size_t row, unsigned lines)
{
	struct list_item item = { .current = false };

	if (!l->wrap || row >= l->count)
		return row < l->one_line ? 1 : lines;
	l->item(l->ctx, row, &item);
	return draw_wrapped(NULL, l->wrap, NULL, ROLE_SHEET, &item);
}

/* Whether rows are not of one height. */
static bool is_mixed(const struct list *l)
{
	return l->heading || l->one_line || l->wrap;
}

static size_t lines_before(const struct list *l, size_t row, unsigned lines)
{
	size_t before = row < l->one_line ? row : l->one_line + (row - l->one_line) * lines;

	for (size_t i = 0; (l->heading || l->wrap) && i < row; i++)
		before += (heading_of(l, i) != NULL) + (l->wrap ? lines_of(l, i, lines) - 1 : 0);
	return before;
}

/* The row that has a line, or is headed there; `*begin`: its first line. */
static size_t row_at(const struct list *l, size_t line, unsigned lines, size_t *begin)
{
	size_t row = is_mixed(l) ? 0 : line / lines, next;

	*begin = lines_before(l, row, lines);
	while (row < l->count && (next = *begin + (heading_of(l, row) != NULL) + lines_of(l, row, lines)) <= line) {
		*begin = next;
		row++;
	}
	return row;
}

/* The marked row is in view, with the heading above it and the line below the last one where there is room. */
static void scroll_lines(const struct list *l, struct list_state *state, unsigned rows, unsigned lines)
{
	size_t count = lines_before(l, l->count, lines) + (l->more != NULL), from = lines_before(l, state->marked, lines), begin;
	size_t to = from + (heading_of(l, state->marked) != NULL) + lines_of(l, state->marked, lines) - 1;
	bool mixed = is_mixed(l);

	from = rows > 1 ? from : to;
	to += l->more && state->marked + 1 == l->count && rows > 1;
	to = l->wrap && rows > 1 ? least_size(to, from + rows - 1) : to; /* of a row that is too high the beginning */
	state->top = scroll_into_view(state->top, count, from, to, mixed ? rows : rows - rows % lines);
	size_t top = row_at(l, state->top, lines, &begin);
	if (mixed && (lines > 1 || l->wrap) && begin < state->top) /* else the first row would be half of one */
		state->top = begin + (heading_of(l, top) != NULL) + lines_of(l, top, lines);
}

static void draw_lines(const struct layout *at, struct area area, unsigned lines)
{
	const struct list *l = at->l;
	size_t top = at->state->top, line, row = row_at(l, top, lines, &line);

	for (; row < l->count && line < top + area.rows; row++) {
		const char *heading = heading_of(l, row);
		unsigned own = lines_of(l, row, lines);

		if (heading && line >= top)
			put_cut(at->canvas, area.row + (unsigned)(line - top), area.column + 1, area.columns - 2, ROLE_SHEET_MUTED,
			        str_from(heading));
		line += heading != NULL;
		unsigned left = line >= top && line < top + area.rows ? (unsigned)(top + area.rows - line) : 0;
		if (left && (own <= left || l->wrap)) /* of a text that wraps the beginning says enough */
			draw_row(at, (struct area){ area.row + (unsigned)(line - top), area.column, 1, area.columns }, row, least(own, left));
		line += own;
	}
	if (l->more && row == l->count && line >= top && line < top + area.rows)
		put_cut(at->canvas, area.row + (unsigned)(line - top), area.column + INDENT, at->room, ROLE_SHEET_MUTED, str_from(l->more));
	if (!l->count && area.rows)
		put_cut(at->canvas, area.row, area.column + INDENT, area.columns - INDENT - 1, ROLE_SHEET_MUTED, l->nothing);
}

static struct layout lay_out(const struct list *l, struct list_state *state, struct canvas *canvas, struct area area, unsigned lines)
{
	struct layout at = { .l = l, .state = state, .canvas = canvas, .gap = l->fit == LIST_RANKED ? GAP : GAP_FACTS };

	at.indent = l->dots && area.columns >= DOT_COLUMNS ? INDENT_DOT : INDENT;
	at.room = area.columns > at.indent + 1 ? area.columns - at.indent - 1 : 0;
	state->page = area.rows / lines;
	list_mark(state, state->marked, l->count);
	scroll_lines(l, state, area.rows, lines);
	if (l->fit == LIST_RANKED) {
		size_t line, first = row_at(l, state->top, lines, &line);

		measure_ranked(&at, first, area.rows ? row_at(l, state->top + area.rows - 1, lines, &line) + 1 : first);
		choose_ranked(&at);
	} else {
		choose_first(&at);
	}
	return at;
}

void list_draw_rows(const struct list *l, struct list_state *state, struct canvas *canvas, struct area area)
{
	if (!area.rows)
		return;
	struct layout at = lay_out(l, state, canvas, area, 1);
	canvas_fill(canvas, area, ROLE_SHEET);
	draw_lines(&at, area, 1);
}

/* --- the card --- */

static unsigned rows_of(const struct list *l, size_t lines)
{
	size_t most = l->rows_most ? l->rows_most : UINT16_MAX;

	lines = lines < l->rows_least ? l->rows_least : lines ? lines : 1;
	return (unsigned)(lines < most ? lines : most);
}

/* While the user types, the card ends below its last row and keeps its place. */
static struct card card_of(const struct list *l, struct list_state *state, size_t lines, unsigned others)
{
	state->held = !l->filter ? 0 : lines > state->held ? lines : state->held;
	return (struct card){ .title = l->title, .figures = l->figures, .keys = l->keys, .columns = l->columns,
		.rows = others + rows_of(l, lines), .held = others + rows_of(l, l->rows_held ? l->rows_held : state->held) };
}

static unsigned wrap_of(const struct list *l, const struct canvas *canvas)
{
	unsigned taken = (l->dots && canvas->columns >= DOT_COLUMNS ? INDENT_DOT : INDENT) + 1 + HANG;

	return l->wraps && canvas->columns < NARROW_COLUMNS && canvas->columns > 2 * taken ? canvas->columns - taken : 0;
}

/* What the words below the list leave of their rows shows rows that would be hidden. */
static unsigned rows_spared(const struct list *l, const struct list_state *state, struct area list, unsigned below, unsigned lines)
{
	size_t end = lines_before(l, l->count, lines) + (l->more != NULL), seen = state->top + list.rows;
	struct flow flow;

	if (!below || list.columns <= 2 * INDENT || seen >= end)
		return 0;
	flow_init(&flow);
	flow_update(&flow, l->below, list.columns - 2 * INDENT);
	unsigned taken = (unsigned)least_size(below, flow.count);
	flow_fini(&flow);
	return (unsigned)least_size(below - taken, end - seen);
}

/* Rows of the words below: all of them if that hides no row of the list, or if the card is high. */
static unsigned rows_below(const struct list *l, unsigned rows, size_t all)
{
	if (!l->has_below)
		return 0;
	return rows >= LOW_ROWS || rows >= all + 1 + BELOW_ROWS ? BELOW_ROWS : rows >= LOWEST_ROWS ? BELOW_ROWS_LOW : 0;
}

struct area list_draw(const struct list *given, struct list_state *state, struct canvas *canvas)
{
	struct list own = *given;
	const struct list *l = &own;

	own.wrap = wrap_of(given, canvas);
	unsigned lines = l->two_lines ? 2 : 1, names = l->fit == LIST_RANKED && canvas->rows >= NAMES_ROWS, filter = l->filter != NULL;
	size_t all = lines_before(l, l->count, lines);
	struct card card = card_of(l, state, all, filter + names + (l->has_below ? 1 + BELOW_ROWS : 0));
	struct area area = card_area(canvas, &card), list = { area.row + filter, area.column, area.rows - filter, area.columns };
	unsigned below = rows_below(l, area.rows, filter + names + all);
	char place[48];

	if (!canvas->rows || area.columns <= INDENT)
		return (struct area){ 0 };
	list.rows -= below ? below + 1 : 0;
	if (names && list.rows > 1)
		list.row++, list.rows--;
	lines = list.rows < lines ? 1 : lines;
	struct layout at = lay_out(l, state, canvas, list, lines);
	if (l->unmarked)
		snprintf(place, sizeof place, "%zu row%s", l->count, l->count == 1 ? "" : "s");
	else
		snprintf(place, sizeof place, "%zu of %zu", state->marked + 1, l->count);
	if (lines_before(l, l->count, lines) > list.rows)
		card.place = str_from(place);
	card_draw(canvas, &card);
	canvas->cursor_shown = false;
	if (filter) {
		unsigned columns = area.columns > INDENT + 1 ? area.columns - INDENT - 1 : 1;

		canvas_put(canvas, area.row, area.column + 1, 1, ROLE_SHEET_MATCH, STR(">"));
		edit_draw(l->filter, canvas, (struct area){ area.row, area.column + INDENT, 1, columns }, ROLE_SHEET, true);
	}
	if (names && l->count)
		put_facts(&at, (struct area){ list.row - 1, list.column, 1, list.columns }, at.facts ? at.facts - GAP : 0, ROLE_SHEET_MUTED, NULL);
	unsigned spared = rows_spared(l, state, list, below, lines);
	list.rows += spared;
	draw_lines(&at, list, lines);
	if (below && area.columns > 2 * INDENT)
		rows_put_words(canvas, (struct area){ list.row + list.rows + 1, area.column + INDENT, below - spared, area.columns - 2 * INDENT },
		               ROLE_SHEET_MUTED, l->below);
	return list;
}
