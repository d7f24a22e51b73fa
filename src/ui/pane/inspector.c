#include "ui/pane/inspector.h"

#include <stdio.h>

#include "base/array.h"
#include "base/least.h"
#include "base/mem.h"
#include "base/search.h"
#include "chat/conversation/figure.h"
#include "ui/pane/frame_view.h"
#include "ui/rows.h"

#define BESIDE_LEAST 72u    /* columns from which the frame stands beside the list */
#define HIGH_ROWS 24u       /* a pane of so many rows and less than HIGH_COLUMNS has the frame below the list */
#define HIGH_COLUMNS 100u
#define LIST_MOST 60u       /* columns of the list beside a frame */
#define ROWS_WANTED 7u      /* on a low screen; else three fifths of it */
#define NEEDLE_LIMIT 256
#define WORD_COLUMNS 9u     /* of "reasoning" */
#define PLACE_COLUMNS 60u   /* of a hairline that says all of the place */
#define WORDS_ALIGNED 48u   /* columns of a list whose texts are below one another */
#define BIT(kind) (1u << DELTA_##kind)

/* What rows are left when the list is filtered. Words is what the hairline says. */
static const struct { const char *words; uint32_t kinds; } filters[] = {
	{ "all", ~0u },
	{ "text", BIT(TEXT) | BIT(REFUSAL) | BIT(CITATION) },
	{ "reasoning", BIT(REASONING) },
	{ "calls", BIT(TOOL_BEGIN) | BIT(TOOL_NAME) | BIT(TOOL_ARGUMENTS) | BIT(TOOL_END) },
	{ "repairs and errors", BIT(NOTICE) | BIT(ERROR) | BIT(RESTART) },
	{ "begin, usage, finish", BIT(BEGIN) | BIT(META) | BIT(USAGE) | BIT(ROUTE) | BIT(FINISH) | BIT(END) | BIT(OPAQUE) },
	{ "nothing came of it", 0 },
};
#define FILTER_REPAIRS 4u
#define FILTER_NOTHING 6u

struct inspector {
	struct pane pane;
	bool open;
	const struct trace *trace;  /* NULL: `sentence` stands in its place */
	char sentence[sizeof(struct error)];
	const char *keys, *typed;   /* borrowed; see inspector_set_words() */
	unsigned filter;
	size_t *shown;              /* the rows that the filter leaves, but for filter 0: all rows */
	size_t count, capacity;
	size_t known;               /* rows of the trace that were looked at */
	size_t findings;            /* in them: the end may find something in an earlier row */
	size_t at, top;             /* in the rows shown: the cursor, and the first one in view */
	bool follows, folded;
	struct frame_view frame;
	size_t frame_top;           /* first row of the frame in view */
	struct area list;           /* of the list in the last frame */
	struct buf needle;
};

static struct inspector *inspector_of(struct pane *pane)
{
	return (struct inspector *)pane;
}

/* --- rows --- */

static size_t inspector_row_of(const struct inspector *p, size_t index)
{
	return p->filter ? p->shown[index] : index;
}

bool inspector_at(const struct inspector *p, size_t *row)
{
	if (!p->open || !p->trace || p->at >= p->count)
		return false;
	*row = inspector_row_of(p, p->at);
	return true;
}

bool inspector_is_odd(const struct trace *trace, size_t at)
{
	const struct trace_row *row = trace_at(trace, at);

	for (unsigned mark = 0; mark < TRACE_MARKS; mark++)
		if (row->marks & 1u << mark && !trace_mark_is_usual(mark))
			return true;
	return row->kinds & (BIT(NOTICE) | BIT(RESTART));
}

static bool inspector_passes(const struct inspector *p, size_t at)
{
	const struct trace_row *row = trace_at(p->trace, at);

	if (p->filter == FILTER_NOTHING)
		return !row->kinds;
	return row->kinds & filters[p->filter].kinds || (p->filter == FILTER_REPAIRS && inspector_is_odd(p->trace, at));
}

/* The last row may still become something: it is looked at again. */
static void inspector_take_rows(struct inspector *p)
{
	size_t all = trace_count(p->trace), settled = trace_settled(p->trace);

	if (!p->filter) {
		p->count = p->known = all;
		return;
	}
	while (p->count && p->shown[p->count - 1] >= settled && p->shown[p->count - 1] >= p->known)
		p->count--;
	for (; p->known < settled; p->known++) {
		if (!inspector_passes(p, p->known))
			continue;
		*ARRAY_ADD(p->shown, p->count, p->capacity) = p->known;
	}
}

static void inspector_move_to(struct inspector *p, size_t at)
{
	p->at = p->count ? least_size(at, p->count - 1) : 0;
	p->frame_top = 0;
}

static void inspector_set_filter(struct inspector *p, unsigned filter);

void inspector_update(struct inspector *p)
{
	size_t before = p->count;

	if (!p->open || !p->trace)
		return;
	if (p->filter == FILTER_REPAIRS && p->findings != trace_findings(p->trace))
		inspector_set_filter(p, p->filter);
	p->findings = trace_findings(p->trace);
	inspector_take_rows(p);
	if (p->follows && p->count && (p->count != before || p->at + 1 != p->count))
		inspector_move_to(p, p->count - 1);
}

bool inspector_follows(const struct inspector *p)
{
	return p->follows;
}

void inspector_follow(struct inspector *p, bool follows)
{
	p->follows = follows;
	inspector_update(p);
}

/* The first of the rows shown that is at or behind a row of the trace. */
static size_t inspector_index_of(const struct inspector *p, size_t row)
{
	struct search s = search_in(0, p->count);

	while (search_next(&s))
		search_take(&s, inspector_row_of(p, s.middle) < row);
	return s.low;
}

static void inspector_set_filter(struct inspector *p, unsigned filter)
{
	size_t row = 0;
	bool any = inspector_at(p, &row);

	p->filter = filter;
	p->count = p->known = 0;
	inspector_take_rows(p);
	inspector_move_to(p, any ? inspector_index_of(p, row) : 0);
}

void inspector_go(struct inspector *p, size_t row)
{
	if (!p->trace)
		return;
	inspector_update(p);
	size_t index = inspector_index_of(p, row);
	if (p->filter && (index >= p->count || inspector_row_of(p, index) != row)) {
		inspector_set_filter(p, 0);
		index = row;
	}
	inspector_move_to(p, index);
}

bool inspector_go_to_row(struct inspector *p, unsigned row, unsigned column)
{
	struct area list = p->list;

	if (!p->trace || row < list.row || row >= list.row + list.rows || column < list.column || column >= list.column + list.columns ||
	    p->top + row - list.row >= p->count)
		return false;
	p->follows = false;
	inspector_move_to(p, p->top + row - list.row);
	return true;
}

void inspector_next_filter(struct inspector *p)
{
	unsigned filter = p->filter;

	if (!p->trace)
		return;
	do
		inspector_set_filter(p, filter = (filter + 1) % ARRAY_LEN(filters));
	while (!p->count && filter);
}

void inspector_toggle_fold(struct inspector *p)
{
	p->folded = !p->folded;
	p->frame_top = 0;
}

/* --- searching --- */

void inspector_search(struct inspector *p, struct str needle)
{
	buf_clear(&p->needle);
	buf_add(&p->needle, str_head(needle, NEEDLE_LIMIT));
}

/* Whether a row of those shown has the needle. */
static bool inspector_has(const struct inspector *p, size_t index, struct buf *scratch)
{
	struct str bytes = trace_view(p->trace, inspector_row_of(p, index), scratch);

	return str_find(bytes, buf_str(&p->needle)) < bytes.len;
}

bool inspector_find(struct inspector *p, int step)
{
	struct buf scratch;
	size_t looked = step ? 1 : 0, at = p->at;
	bool found = false;

	if (!p->trace || !p->needle.len)
		return false;
	buf_init(&scratch, TAPE_LIMIT);
	for (; looked < p->count && !found; looked++) { /* only a new search goes on from the other end */
		at = step < 0 ? p->at - looked : p->at + looked;
		if (at >= p->count && step)
			break;
		at %= p->count;
		found = inspector_has(p, at, &scratch);
	}
	buf_fini(&scratch);
	if (found)
		inspector_move_to(p, at);
	p->follows &= !found;
	return found;
}

/* --- opening --- */

void inspector_open(struct inspector *p, const struct trace *trace, const char *sentence)
{
	inspector_close(p);
	p->open = true;
	p->trace = trace;
	p->follows = true;
	snprintf(p->sentence, sizeof p->sentence, "%s", sentence ? sentence : "");
	inspector_update(p);
}

void inspector_close(struct inspector *p)
{
	p->open = false;
	p->trace = NULL;
	p->filter = 0;
	p->count = p->known = p->at = p->top = p->frame_top = 0;
	frame_view_forget(&p->frame);
	buf_clear(&p->needle);
}

void inspector_set_words(struct inspector *p, const char *keys, const char *typed)
{
	p->keys = keys;
	p->typed = typed;
}

/* --- drawing --- */

const char *inspector_word(const struct trace *trace, size_t at, enum role_name *role)
{
	static const struct { uint32_t kinds; const char *word; enum role_name role; } words[] = {
		{ BIT(ERROR), "error", ROLE_TROUBLE }, { BIT(TOOL_BEGIN) | BIT(TOOL_NAME) | BIT(TOOL_ARGUMENTS), "call", ROLE_TOOL },
		{ BIT(TEXT), "text", ROLE_TEXT }, { BIT(REFUSAL), "refusal", ROLE_TROUBLE }, { BIT(REASONING), "reasoning", ROLE_REASONING },
		{ BIT(CITATION), "citation", ROLE_LINK }, { BIT(RESTART), "restart", ROLE_NOTICE }, { BIT(END), "end", ROLE_MUTED },
		{ BIT(FINISH), "finish", ROLE_MUTED }, { BIT(TOOL_END), "call ends", ROLE_TOOL }, { BIT(USAGE), "usage", ROLE_MUTED },
		{ BIT(NOTICE), "notice", ROLE_NOTICE }, { BIT(OPAQUE), "opaque", ROLE_MUTED }, { BIT(ROUTE), "route", ROLE_MUTED },
		{ BIT(BEGIN) | BIT(META), "begin", ROLE_MUTED },
	};
	const struct trace_row *row = trace_at(trace, at);

	if (trace_words(trace, at).len) {
		*role = row->kind == TRACE_SERVER ? ROLE_TOOL : ROLE_ACCENT;
		return trace_kind_name((enum trace_kind)row->kind);
	}
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (row->kinds & words[i].kinds) {
			*role = words[i].role;
			return words[i].word;
		}
	*role = ROLE_MUTED;
	if (row->marks & 1u << TRACE_DONE)
		return "end mark";
	if (row->marks & 1u << TRACE_FINISH)
		return "finish";
	if (row->kind == TRACE_EVENT || row->kind == TRACE_JSON)
		return "nothing";
	return row->kind == TRACE_FIELDS ? "no data" : trace_kind_name((enum trace_kind)row->kind);
}

struct str inspector_text(const struct trace *trace, size_t at)
{
	if (trace_words(trace, at).len)
		return trace_words(trace, at);
	for (size_t i = trace_first_delta(trace, at); i < trace_at(trace, at)->deltas_end; i++)
		if (delta_log_text(trace_log(trace), i))
			return delta_log_at(trace_log(trace), i).text;
	return STR_NONE;
}

/* Writes text cut at the end of its room; line ends are blanks. Returns the columns used. */
static unsigned put_text(struct canvas *canvas, struct area at, enum role_name role, struct str text)
{
	return at.columns ? canvas_put(canvas, at.row, at.column, at.columns, role, str_head(text, 4 * (size_t)at.columns)) : 0;
}

struct list_columns { unsigned number, time, gap, bytes; };

/* As many columns as there is room for beside the word. */
static struct list_columns list_columns_of(const struct inspector *p, unsigned columns)
{
	char figure[FIGURE_SIZE];
	struct list_columns c = { .number = 3 };

	unsigned digits = (unsigned)snprintf(figure, sizeof figure, "%zu", trace_frames(p->trace));
	c.number = digits > c.number ? digits : c.number;
	bool timed = trace_count(p->trace) && trace_at(p->trace, 0)->at_ms >= 0;
	unsigned left = columns > c.number + 14 ? columns - c.number - 14 : 0;
	if (timed && left >= 10)
		c.time = 10, left -= 10;
	if (left >= 9)
		c.bytes = 9, left -= 9;
	if (timed && left >= 9)
		c.gap = 9;
	return c;
}

static void draw_list_row(const struct inspector *p, struct canvas *canvas, struct area line, size_t index, bool focused)
{
	size_t at = inspector_row_of(p, index);
	const struct trace_row *row = trace_at(p->trace, at);
	const struct list_columns c = list_columns_of(p, line.columns);
	const unsigned columns[] = { c.number, c.time, c.gap, c.bytes };
	char figures[ARRAY_LEN(columns)][FIGURE_SIZE] = { "" };
	enum role_name role;
	unsigned column = line.column + 2;
	bool chosen = index == p->at;

	if (chosen)
		canvas_put(canvas, line.row, line.column, 1, focused ? ROLE_ACCENT : ROLE_MUTED, STR(">"));
	if (trace_frame(p->trace, at))
		snprintf(figures[0], FIGURE_SIZE, "%zu", trace_frame(p->trace, at));
	snprintf(figures[1], FIGURE_SIZE, "%.3f s", row->at_ms / 1000);
	if (at)
		snprintf(figures[2], FIGURE_SIZE, "+%.3f", (row->at_ms - trace_at(p->trace, at - 1)->at_ms) / 1000);
	if (trace_length(p->trace, at))
		figure_bytes(figures[3], trace_length(p->trace, at));
	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		if (columns[i] && *figures[i])
			canvas_put_right(canvas, line.row, column, columns[i], ROLE_MUTED, str_from(figures[i]));
		column += columns[i];
	}
	canvas_put(canvas, line.row, column + 1, 1, ROLE_NOTICE, inspector_is_odd(p->trace, at) ? STR("!") : STR_NONE);
	column += 2;
	unsigned end = line.column + line.columns;
	const char *word = inspector_word(p->trace, at, &role);
	if (column < end) {
		unsigned used = put_text(canvas, (struct area){ line.row, column, 1, end - column }, role, str_from(word));

		column += (line.columns >= WORDS_ALIGNED && used < WORD_COLUMNS ? WORD_COLUMNS : used) + 2;
	}
	if (column < end)
		put_text(canvas, (struct area){ line.row, column, 1, end - column }, ROLE_MUTED, inspector_text(p->trace, at));
	if (chosen)
		canvas_restyle(canvas, line, focused ? ROLE_SELECTED : ROLE_TEXT);
}

static void draw_list(struct inspector *p, struct canvas *canvas, struct area area, bool focused)
{
	p->list = area;
	p->top = scroll_into_view(p->top, p->count, p->at, p->at, area.rows);
	for (unsigned r = 0; r < area.rows && p->top + r < p->count; r++)
		draw_list_row(p, canvas, (struct area){ area.row + r, area.column, 1, area.columns }, p->top + r, focused);
	if (!p->count)
		canvas_put(canvas, area.row, area.column + 2, area.columns > 2 ? area.columns - 2 : 0, ROLE_MUTED, STR("nothing has come"));
}

static void draw_frame(struct inspector *p, struct canvas *canvas, struct area area)
{
	size_t row;

	if (!inspector_at(p, &row) || !area.columns)
		return;
	if (frame_view_show(&p->frame, p->trace, row, p->folded))
		p->frame_top = 0;
	size_t rows = frame_view_rows(&p->frame, area.columns);
	p->frame_top = least_size(p->frame_top, rows > area.rows ? rows - area.rows : 0);
	frame_view_draw(&p->frame, canvas, area, p->frame_top, buf_str(&p->needle));
}

/* "frame 3 of 43   0.264 s", as the player says it: what is no frame stands behind the last one before it. */
static void write_place(const struct inspector *p, const struct trace_row *at, struct buf *out)
{
	buf_printf(out, "frame %zu of %zu", (size_t)at->frames, trace_frames(p->trace));
	if (at->at_ms >= 0)
		buf_printf(out, "   %.3f s", at->at_ms / 1000);
}

/* Name and place at the left, the keys at the right. Where the name is long or the line short, the place is a few figures beside the keys. */
static void draw_hairline(const struct inspector *p, struct canvas *canvas, struct area area, bool focused)
{
	struct buf name = { 0 }, right = { 0 };
	size_t row;
	bool any = inspector_at(p, &row), whole = any && area.columns >= PLACE_COLUMNS && !p->typed;

	if (p->typed)
		buf_printf(&name, "frames   / %s", p->typed);
	else if (p->filter)
		buf_printf(&name, "frames: %s%s", filters[p->filter].words, whole ? "   " : "");
	else if (!whole)
		buf_add_z(&name, "frames");
	if (whole)
		write_place(p, trace_at(p->trace, row), &name);
	else if (any)
		buf_printf(&right, "%zu of %zu", (size_t)trace_at(p->trace, row)->frames, trace_frames(p->trace));
	unsigned taken = (unsigned)utf8_width(buf_str(&name)) + (unsigned)utf8_width(buf_str(&right)) + (right.len ? 14 : 11);
	struct str keys = focused && p->keys && area.columns > taken ? hints_fitting(str_from(p->keys), area.columns - taken) : STR_NONE;
	if (keys.len && utf8_width(keys) + taken <= area.columns)
		buf_printf(&right, "%s%.*s", right.len ? "   " : "", STR_ARG(keys));
	if (focused)
		canvas_hairline_focused(canvas, area, buf_str(&name), buf_str(&right));
	else
		canvas_hairline(canvas, area, ROLE_MUTED, buf_str(&name), buf_str(&right));
	if (p->typed)
		canvas_cursor(canvas, area.row, area.column + 3 + (unsigned)utf8_width(buf_str(&name)));
	buf_fini(&name);
	buf_fini(&right);
}

static void inspector_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	struct inspector *p = inspector_of(pane);
	unsigned rows = area.rows - 1, first = area.row + 1;

	(void)view;
	inspector_update(p);
	for (unsigned r = 0; r < area.rows && area.column; r++)
		canvas_put(canvas, area.row + r, area.column - 1, 1, ROLE_HAIRLINE, STR("\u2502"));
	draw_hairline(p, canvas, area, focused);
	if (!p->trace) {
		rows_put_words(canvas, (struct area){ first, rows_inside(area).column, rows, rows_width(area.columns, 0) }, ROLE_MUTED,
		               str_from(p->sentence));
	} else if (area.columns >= BESIDE_LEAST && (rows < HIGH_ROWS || area.columns >= HIGH_COLUMNS)) {
		unsigned list = least(area.columns / 2 - 1, LIST_MOST);

		draw_list(p, canvas, (struct area){ first, area.column, rows, list }, focused);
		for (unsigned r = 0; r < rows; r++)
			canvas_put(canvas, first + r, area.column + list + 1, 1, ROLE_HAIRLINE, STR("\u2502"));
		draw_frame(p, canvas, (struct area){ first, area.column + list + 3, rows, area.columns - list - 4 });
	} else {
		unsigned list = rows < 8 ? (rows + 1) / 2 : rows * 2 / 5;

		draw_list(p, canvas, (struct area){ first, area.column, list, area.columns }, focused);
		draw_frame(p, canvas, (struct area){ first + list, area.column + 2, rows - list, area.columns > 3 ? area.columns - 3 : 0 });
	}
}

static unsigned inspector_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	const struct inspector *p = inspector_of(pane);

	(void)view, (void)columns;
	if (!p->open || most < 2)
		return 0;
	return p->trace ? least(most, most * 3 / 5 > ROWS_WANTED ? most * 3 / 5 : ROWS_WANTED) : least(most, 4);
}

/* --- keys --- */

static bool inspector_key(struct pane *pane, const struct view *view, const struct key *key)
{
	struct inspector *p = inspector_of(pane);
	bool up = key->code == KEY_UP ? key->modifiers & KEY_SHIFT : key->code == KEY_TEXT && str_is(key->text, "K");
	bool down = key->code == KEY_DOWN ? key->modifiers & KEY_SHIFT : key->code == KEY_TEXT && str_is(key->text, "J");
	long frame = (long)down - up; /* rows that the key scrolls the frame by: with Shift those that move the cursor */

	(void)view;
	if (!p->open || !p->trace)
		return false;
	long rows = frame ? 0 : scroll_rows(key, SCROLL_LETTERS | SCROLL_ENDS | SCROLL_WHEEL, p->list.rows > 1 ? p->list.rows - 1 : 1);
	p->frame_top = scroll_to(p->frame_top, frame, SIZE_MAX);
	if (rows) {
		inspector_move_to(p, scroll_to(p->at, rows, p->count ? p->count - 1 : 0));
		p->follows = false;
	}
	return frame || rows;
}

static void inspector_free(struct pane *pane)
{
	struct inspector *p = inspector_of(pane);

	frame_view_fini(&p->frame);
	buf_fini(&p->needle);
	mem_free(p->shown);
	mem_free(p);
}

struct inspector *inspector_new(void)
{
	static const struct pane_ops ops = { .rows = inspector_rows, .draw = inspector_draw, .key = inspector_key, .free = inspector_free };
	struct inspector *p = mem_new(sizeof *p);

	p->pane.ops = &ops;
	frame_view_init(&p->frame);
	buf_init(&p->needle, NEEDLE_LIMIT);
	return p;
}

struct pane *inspector_pane(struct inspector *p)
{
	return &p->pane;
}
