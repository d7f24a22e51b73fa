/*
 * What stands where: panes stacked over the full width, from the bottom up - status, input, tool calls, reasoning - and the
 * transcript in what is left. A pane with nothing to show takes no room; a sheet or menu lies over all.
 */
#include <stdio.h>

#include "app/bare.h"
#include "app/chat.h"
#include "app/finder.h"
#include "app/selecting.h"
#include "ui/figure.h"
#include "ui/rows.h"

#define ROWS_LEAST 6u
#define COLUMNS_LEAST 20u

static void draw_too_small(struct chat *c)
{
	canvas_put(c->canvas, 0, 0, c->canvas->columns, ROLE_TEXT, STR("weir needs 20 x 6"));
}

/* --- the first page --- */

struct welcome_line { const char *key, *does; };

static void draw_welcome_keys(struct canvas *canvas, unsigned row, unsigned column, unsigned columns)
{
	static const struct welcome_line keys[][2] = {
		{ { "Enter", "send" },      { "F2", "model" } },
		{ { "Ctrl-J", "new line" }, { "F3", "protocol" } },
		{ { "Ctrl-P", "commands" }, { "F4", "provider" } },
	};

	for (unsigned i = 0; i < 3; i++) {
		canvas_put(canvas, row + i, column, columns, ROLE_ACCENT, str_from(keys[i][0].key));
		canvas_put(canvas, row + i, column + 8, columns > 8 ? columns - 8 : 0, ROLE_MUTED, str_from(keys[i][0].does));
		if (columns < 40)
			continue;
		canvas_put(canvas, row + i, column + 22, columns - 22, ROLE_ACCENT, str_from(keys[i][1].key));
		canvas_put(canvas, row + i, column + 26, columns - 26, ROLE_MUTED, str_from(keys[i][1].does));
	}
}

static void draw_welcome_demo(struct canvas *canvas, unsigned row, unsigned column, unsigned columns)
{
	static const char *const tries[] = { "show me reasoning", "call two tools at once", "fail in the middle" };

	if (columns < 74)
		return;
	canvas_put(canvas, row, column + 40, 6, ROLE_ACCENT, STR("Try"));
	for (unsigned i = 0; i < 3; i++)
		canvas_put(canvas, row + i, column + 46, columns - 46, ROLE_MUTED, str_from(tries[i]));
}

static void draw_welcome(struct canvas *canvas, struct area area, const struct view *view)
{
	char target[200];

	if (area.rows < 3)
		return;
	unsigned gutter = area.columns >= 40 ? 1 : 0, columns = area.columns - 2 * gutter;
	canvas_put(canvas, area.row, area.column + gutter, columns, ROLE_ACCENT, STR("weir"));
	snprintf(target, sizeof target, "%.*s \u00b7 %.*s \u00b7 %.*s", STR_ARG(str_head(view->provider, 40)),
	         STR_ARG(view->model.len ? str_head(view->model, 80) : STR("no model: F2")), STR_ARG(view->protocol));
	if (utf8_width(str_from(target)) + 6 <= columns)
		canvas_put_right(canvas, area.row, area.column + gutter, columns, ROLE_MUTED, str_from(target));
	unsigned row = area.row + (area.rows > 10 ? area.rows / 2 - 3 : 2), column = area.column + (columns >= 60 ? 6 : 1);
	if (row >= area.row + area.rows)
		return;
	columns = area.column + area.columns - column;
	canvas_put(canvas, row, column, columns, ROLE_TEXT, STR("A live view of what models say."));
	if (area.row + area.rows < row + 5)
		return;
	draw_welcome_keys(canvas, row + 2, column, columns);
	if (view->is_demo)
		draw_welcome_demo(canvas, row + 2, column, columns);
}

/* --- the input and the timeline --- */

/* What has come below what is read, and the key that leads there. */
static void latest_words(const struct chat *c, char *words, size_t size)
{
	char figure[FIGURE_SIZE];
	const struct pane *transcript = c->panes[CHAT_TRANSCRIPT];
	size_t lines = transcript_new_lines(transcript);

	*words = 0;
	if (lines)
		snprintf(words, size, "%s new line%s   End for the latest", figure_count(figure, (int64_t)lines), lines == 1 ? "" : "s");
	else if (!transcript_at_end(transcript))
		snprintf(words, size, "End for the latest");
}

/* What is selected, or what a search found, once it has left the input's place; "" while neither is. */
static void mode_words(const struct chat *c, char *words, size_t size)
{
	char figures[2 * FIGURE_SIZE];

	selecting_words(c, words, size);
	if (*words)
		return;
	finder_figures(c, figures, sizeof figures);
	snprintf(words, size, "%s%s", figures, *figures ? "   n older   N newer   Esc done" : "");
}

/* While it is quiet, how long that may last. */
static void live_words(const struct view *view, const char *latest, char *words, size_t size)
{
	char limit[64] = "";

	if (view->quiet_ms >= VIEW_QUIET_MS && view->quiet_limit_ms && view->state != VIEW_RETRYING)
		snprintf(limit, sizeof limit, "stalled at %lld s   ", (long long)view->quiet_limit_ms / 1000);
	snprintf(words, size, "%s%s%sEsc stop", latest, *latest ? "   " : "", limit);
}

static void draw_hints(const struct chat *c, const struct view *view, struct area hairline)
{
	char words[200] = "", latest[80], hits[120];

	latest_words(c, latest, sizeof latest);
	mode_words(c, hits, sizeof hits);
	struct str title = composer_title(c);
	if (title.len)
		snprintf(words, sizeof words, "Enter take   Ctrl-R older   Esc back");
	else if (*hits)
		snprintf(words, sizeof words, "%s", hits);
	else if (session_is_editing(c->session))
		snprintf(words, sizeof words, "Enter sends it in place of the old one   Esc leave");
	else if (view->queued)
		snprintf(words, sizeof words, "%u queued   Esc %s", view->queued, view->live ? "stop" : "take back");
	else if (view->live)
		live_words(view, latest, words, sizeof words);
	else if (c->focus != FOCUS_INPUT)
		snprintf(words, sizeof words, "%s%sr retry   d details   t unfold   v select   Esc back", latest, *latest ? "   " : "");
	else
		snprintf(words, sizeof words, "%s", latest);
	char files[40] = "";
	size_t attached = session_attached(c->session);
	if (attached)
		snprintf(files, sizeof files, "%zu file%s attached", attached, attached == 1 ? "" : "s");
	if (!title.len && session_is_editing(c->session))
		title = STR("the last prompt");
	struct str name = title.len ? title : str_from(files);
	unsigned room = hairline.columns, taken = 8 + (name.len ? (unsigned)utf8_width(name) + 2 : 0); /* as a hairline parts them */
	canvas_hairline(c->canvas, hairline, ROLE_MUTED, name, hints_fitting(str_from(words), room > taken ? room - taken : 0));
}

static void draw_input(struct chat *c, const struct view *view, struct area area)
{
	draw_hints(c, view, (struct area){ area.row, area.column, 1, area.columns });
	bool focused = c->focus == FOCUS_INPUT && !c->menu && !c->sheet;
	if (focused)
		composer_draw_list(c, (struct area){ 0, area.column, area.row, area.columns });
	struct str sign = composer_title(c).len ? STR("?") : STR(">");
	canvas_put(c->canvas, area.row + 1, area.column + 1, 1, focused ? ROLE_ACCENT : ROLE_MUTED, sign);
	struct area text = { area.row + 1, area.column + 3, area.rows - 1, area.columns > 4 ? area.columns - 4 : 1 };
	edit_draw(&c->input, c->canvas, text, ROLE_INPUT, focused);
}

#define TIMELINE_MARGIN 16 /* "replay", and what parts it from the edges and the figures */

static void draw_timeline(struct chat *c, struct area area)
{
	char name[200], figures[160];
	const struct exchange *x = session_exchange(c->session);
	struct source *player = x ? exchange_player(x) : NULL;

	if (!player)
		return;
	size_t length = tape_length(c->tape), at = tape_player_index(player);
	double end_ms = length ? tape_at(c->tape, length - 1).at_ms : 0;
	const char *state = exchange_is_over(x) ? "at the end" : tape_player_paused(player) ? "paused" : "playing";
	snprintf(figures, sizeof figures, "frame %zu of %zu \u2500\u2500 %.2f s of %.2f s \u2500\u2500 %s", at, length,
	         tape_player_position_ms(player, clock_now_ms()) / 1000, end_ms / 1000, state);
	if (utf8_width(str_from(figures)) + TIMELINE_MARGIN > area.columns)
		snprintf(figures, sizeof figures, "%zu of %zu \u2500\u2500 %s", at, length, state);
	size_t taken = utf8_width(str_from(figures)) + utf8_width(str_from(c->tape_name)) + TIMELINE_MARGIN;
	bool fits = taken + utf8_width(STR(" \u2500\u2500 ")) <= area.columns; /* where the figures are is worth more than the name */
	snprintf(name, sizeof name, fits ? "replay \u2500\u2500 %s" : "replay", c->tape_name);
	canvas_hairline(c->canvas, (struct area){ area.row, area.column, 1, area.columns }, ROLE_ACCENT, str_from(name), str_from(figures));
	char hits[120], latest[80], words[200];
	mode_words(c, hits, sizeof hits);
	latest_words(c, latest, sizeof latest);
	const char *play = exchange_is_over(x) ? "" : tape_player_paused(player) ? "space go on   . step   " : "space pause   . step   ";
	snprintf(words, sizeof words, "Ctrl-O details   Ctrl-T unfold   %s%s%sq leave", latest, *latest ? "   " : "", play);
	struct str hints = hints_fitting(str_from(*hits ? hits : words), area.columns > 2 ? area.columns - 2 : 0);
	canvas_put(c->canvas, area.row + 1, area.column + 1, area.columns, ROLE_MUTED, hints);
}

/* --- the stack --- */

static unsigned take(struct chat *c, const struct view *view, enum chat_pane pane, const struct pane_ops *ops, unsigned most)
{
	return c->pane_rows[pane] = ops->rows(c->panes[pane], view, c->canvas->columns, most);
}

static unsigned input_rows(const struct chat *c)
{
	unsigned most = c->canvas->rows / 3, columns = c->canvas->columns;
	unsigned rows = edit_rows(&c->input, columns > 4 ? columns - 4 : 1);

	return 1 + (rows < most ? rows : most);
}

/* The focus falls back when its pane has gone: at once, the next key may come before the next frame. */
static void settle_focus(struct chat *c)
{
	bool gone = (c->focus == FOCUS_REASONING && !c->pane_rows[CHAT_REASONING]) || (c->focus == FOCUS_TOOLS && !c->pane_rows[CHAT_TOOLS]);

	if (gone)
		c->focus = c->tape ? FOCUS_TRANSCRIPT : FOCUS_INPUT;
}

static void draw_stack(struct chat *c, const struct view *view)
{
	struct canvas *canvas = c->canvas;
	unsigned columns = canvas->columns, third = canvas->rows / 3;
	unsigned left = canvas->rows - take(c, view, CHAT_STATUS, &pane_status, 1);
	unsigned input = c->tape || c->finder.open ? 2 : input_rows(c);

	left -= input;
	unsigned tools = take(c, view, CHAT_TOOLS, &pane_tools, left > 2 ? (third < left - 1 ? third : left - 1) : 0);
	left -= tools;
	unsigned reasoning = take(c, view, CHAT_REASONING, &pane_reasoning, left > 2 ? (third < left - 1 ? third : left - 1) : 0);
	left -= reasoning;
	c->pane_rows[CHAT_TRANSCRIPT] = left;
	settle_focus(c);
	if (!view->conversation->count)
		draw_welcome(canvas, (struct area){ 0, 0, left, columns }, view);
	pane_transcript.draw(c->panes[CHAT_TRANSCRIPT], view, canvas, (struct area){ 0, 0, left, columns }, c->focus == FOCUS_TRANSCRIPT);
	if (reasoning)
		pane_reasoning.draw(c->panes[CHAT_REASONING], view, canvas, (struct area){ left, 0, reasoning, columns },
		                    c->focus == FOCUS_REASONING);
	if (tools)
		pane_tools.draw(c->panes[CHAT_TOOLS], view, canvas, (struct area){ left + reasoning, 0, tools, columns }, c->focus == FOCUS_TOOLS);
	struct area bottom = { left + reasoning + tools, 0, input, columns };
	if (c->finder.open)
		finder_draw(c, bottom);
	else if (c->tape)
		draw_timeline(c, bottom);
	else
		draw_input(c, view, bottom);
	pane_status.draw(c->panes[CHAT_STATUS], view, canvas, (struct area){ canvas->rows - 1, 0, 1, columns }, false);
}

void chat_draw(struct chat *c)
{
	struct view view;

	canvas_clear(c->canvas);
	if (c->canvas->rows < ROWS_LEAST || c->canvas->columns < COLUMNS_LEAST) {
		draw_too_small(c);
		canvas_settle(c->canvas);
		return;
	}
	chat_fill_view(c, &view);
	if (c->bare) {
		bare_draw(c, &view);
		canvas_settle(c->canvas);
		return;
	}
	draw_stack(c, &view);
	if (c->menu)
		menu_draw(c->menu, c->canvas);
	if (c->sheet)
		sheet_draw(c->sheet, c->canvas);
	canvas_settle(c->canvas);
}
