/* The pane at the bottom: the input with its hints, the search in its place, or the timeline of a replay. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/screen/chat_inside.h"
#include "app/session/cost_report.h"
#include "app/session/session_prompts.h"
#include "app/session/session_tree.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"
#include "chat/conversation/figure.h"
#include "ui/page/page_words.h"
#include "ui/rows.h"

/* --- the hairline --- */

/* Adds text to the hints: figures, or several hints that stay together. */
static void PRINTF_LIKE(2, 3) hints_add_words(struct buf *hints, const char *format, ...)
{
	char words[400];
	va_list args;

	va_start(args, format);
	vsnprintf(words, sizeof words, format, args);
	va_end(args);
	if (*words)
		buf_printf(hints, "%s%s", hints->len ? "   " : "", words);
}

bool chat_input_is_empty(const struct chat *c)
{
	return c->stack.focus == c->prompt && !c->replay && edit_is_empty(&c->composer.input) && !c->find_bar.open && !cards_are_open(&c->cards) &&
	       !composer_title(&c->composer).len;
}

static bool page_has_focus(const struct chat *c)
{
	return c->stack.focus == transcript_pane(c->transcript);
}

/* The key that goes to the end of the transcript from the current focus; "": none. */
static const char *end_key(const struct chat *c)
{
	bool writes = c->stack.focus == c->prompt;

	if (page_has_focus(c) || (writes && edit_is_empty(&c->composer.input)))
		return "End";
	return writes ? "Ctrl-End" : "";
}

/* Adds the number of new lines below the visible rows, and the key that goes there. */
static void add_latest(const struct chat *c, struct buf *hints)
{
	char figure[FIGURE_SIZE];
	size_t lines = transcript_new_lines(c->transcript);

	if (lines)
		hints_add_words(hints, "%s", figure_of(figure, (int64_t)lines, "new line"));
	if (lines || !transcript_at_end(c->transcript))
		hints_add(hints, 0, end_key(c), "for the latest");
}

/* While the input has the focus, letters are text. */
static void add_hits(const struct chat *c, const char *figures, struct buf *hints)
{
	bool letters = c->stack.focus != c->prompt || c->replay;

	hints_add_words(hints, "%s", figures);
	hints_add(hints, 0, letters ? "n" : host_key(&c->host, "older-hit"), "older");
	hints_add(hints, 0, letters ? "N" : host_key(&c->host, "newer-hit"), "newer");
	hints_add(hints, 0, "Esc", "done");
}

/* Adds the selection, or the hits of a finished search; false if there is neither. */
static bool add_mode(const struct chat *c, struct buf *hints)
{
	char words[120], figures[2 * FIGURE_SIZE];

	line_select_words(&c->line_select, c->terminal.canvas->columns, words, sizeof words);
	find_bar_figures(&c->find_bar, figures, sizeof figures);
	if (*words)
		hints_add_words(hints, "%s", words);
	else if (*figures)
		add_hits(c, figures, hints);
	return *words || *figures;
}

bool chat_escapes_twice(const struct chat *c)
{
	return c->stack.focus == c->prompt && edit_wants_escape(&c->composer.input);
}

/* Adds what Esc does, as the last hint: it is the last to be dropped. */
static void add_escape(const struct chat *c, const struct view *view, struct buf *hints)
{
	const char *escape = chat_escapes_twice(c) ? "Esc Esc" : "Esc";

	if (composer_offers(&c->composer) && c->stack.focus == c->prompt)
		hints_add_words(hints, "Tab take   Esc close");
	else if (c->stack.focus == inspector_pane(c->inspector)) /* its own hairline says what Esc does */
		return;
	else if (view->live || view->run_count)
		hints_add(hints, 0, escape, "stop");
	else if (session_is_editing(c->session))
		hints_add(hints, 0, escape, "leave");
	else if (c->stack.focus != c->prompt)
		hints_add(hints, 0, "Esc", "back");
}

static void add_search(const struct chat *c, struct buf *hints)
{
	if (composer_has_matches(&c->composer)) {
		hints_add(hints, 0, "Enter", "take");
		hints_add(hints, 0, host_key(&c->host, "prompts"), "older");
	}
	hints_add(hints, 0, "Esc", "back");
}

static void add_page_keys(struct chat *c, const struct view *view, struct buf *hints)
{
	static const char *const copies[] = { "y copy", [TRANSCRIPT_CODE] = "y copy code", [TRANSCRIPT_TABLE] = "y copy table" };
	bool unfolded;

	hints_add(hints, 0, host_key(&c->host, "select"), "select");
	if (!view->live)
		hints_add(hints, 0, c->look.keys.retry, "retry");
	hints_add(hints, 0, "d", "details");
	if (transcript_on_fold(c->transcript, view, &unfolded)) {
		hints_add(hints, 0, unfolded ? host_key(&c->host, "raw") : NULL, c->look.raw ? "not as source" : "source");
		hints_add(hints, 0, "f", unfolded ? "fold" : "unfold");
	}
	if (!view->live && transcript_branching(c->transcript, view))
		hints_add(hints, 0, host_key(&c->host, "older-version"), "older version");
	hints_add_words(hints, "j k scroll");
	hints_add_words(hints, "%s", chat_item(c, view) && !c->replay ? COMMAND_ITEM_KEYS : copies[chat_block(c)]);
}

/* Writes the hints, the least important first: a narrow hairline keeps the last ones. */
static void write_hints(struct chat *c, const struct view *view, struct buf *hints)
{
	char typed[200] = "";

	if (composer_writes_system(&c->composer)) {
		hints_add_words(hints, "Enter keep");
		hints_add(hints, 0, host_key(&c->host, "new-line"), "new line");
		hints_add_words(hints, "Esc leave it unchanged");
		return;
	}
	if (composer_title(&c->composer).len) { /* a search of prompts has all the keys */
		add_search(c, hints);
		return;
	}
	if (c->stack.focus == c->prompt)
		composer_hint(&c->composer, typed, sizeof typed);
	if (c->stack.focus == c->prompt && edit_takes_commands(&c->composer.input))
		hints_add(hints, 0, "i", "insert");
	hints_add_words(hints, "%s", typed);
	if (session_is_editing(c->session))
		hints_add_words(hints, "Enter sends it in place of the old one");
	if (page_has_focus(c) && !c->line_select.open && view->conversation->count)
		add_page_keys(c, view, hints);
	/* The status bar has the share of the window; this is what can be done. */
	if (chat_input_is_empty(c) && cost_report_percent_to_compact(c->session, &c->models))
		hints_add_words(hints, "/compact makes room");
	if (transcript_is_cut(c->transcript) && (page_has_focus(c) || chat_input_is_empty(c)))
		hints_add(hints, 0, page_has_focus(c) ? "< >" : "Left Right", "columns");
	add_latest(c, hints);
	/* While the stream is quiet, adds the time after which it counts as stalled. */
	if (view->live && view->quiet_ms >= VIEW_QUIET_MS && view->quiet_limit_ms && view->state != VIEW_RETRYING)
		hints_add_words(hints, "stalled at %lld s", (long long)view->quiet_limit_ms / 1000);
	if (!add_mode(c, hints))
		add_escape(c, view, hints);
}

static struct str edited_name(const struct chat *c, char *words, size_t size)
{
	unsigned number = turn_ordinal(session_edited(c->session)), count = turn_ordinal(conversation_last(session_conversation(c->session)));

	if (number == count)
		return STR("the last prompt");
	snprintf(words, size, "prompt %u of %u", number, count);
	return str_from(words);
}

/* Keys act on the turn that the page is on; if that is not the last one, its number is told. */
static struct str page_name(const struct chat *c, char *words, size_t size)
{
	struct view view;

	chat_fill_view(c, &view);
	const struct turn *turn = transcript_turn(c->transcript, &view);
	if (!turn || turn->depth + 1 == view.conversation->count)
		return STR("page");
	snprintf(words, size, "%s %u of %u", turn->role == TURN_USER ? "prompt" : "turn", turn_ordinal(turn),
	         turn_ordinal(conversation_last(view.conversation)));
	return str_from(words);
}

/* The text at the left: the use of the input, what is attached to the prompt, or that the page has the focus. */
static struct str name_of(struct chat *c, char *words, size_t size)
{
	struct str title = composer_title(&c->composer);
	size_t attached = session_attached(c->session);
	const struct context_size *named = composer_named(&c->composer);

	if (title.len)
		return title;
	if (session_is_editing(c->session))
		return edited_name(c, words, size);
	if (page_has_focus(c))
		return page_name(c, words, size);
	if (named->files || named->folders.count || named->fetched) {
		struct buf sum = { 0 };

		cost_report_attached(c->session, &c->models, named, &sum);
		snprintf(words, size, "%s", buf_z(&sum));
		buf_fini(&sum);
		return str_from(words);
	}
	snprintf(words, size, "%zu file%s attached", attached, attached == 1 ? "" : "s");
	return attached ? str_from(words) : STR_NONE;
}

#define DOCKED_ROWS_LEAST 15u /* rows of a screen on which the input stays below a docked sheet */
#define HAIRLINE_MARGIN 8u /* columns of line and spaces around figures; a name takes two more */

/* Whether the temporary message fits at the left beside all hints; otherwise it covers the last rows of the page. */
static bool has_room_for(struct str message, struct str hints, unsigned columns)
{
	return utf8_width(message) + utf8_width(hints) + HAIRLINE_MARGIN + 2 <= columns;
}

/* The hairline while a sheet is docked above it: the sheet's keys, all of which stay, and the message beside or above the sheet. */
static void draw_docked_keys(const struct chat *c, const struct view *view, struct canvas *canvas, struct area hairline)
{
	struct str message = str_from(view->message);
	bool has_room = has_room_for(message, sheet_keys(cards_docked(&c->cards), hairline.columns), hairline.columns);

	sheet_draw_keys(cards_docked(&c->cards), canvas, hairline, has_room ? message : STR_NONE);
	if (!has_room)
		chat_draw_message(view, canvas, hairline, stack_area(&c->stack, c->dock).row);
}

#define PAGE_ROWS_LEAST 4u /* a page of fewer rows leaves messages to the panes below it */

/* Whether the newest rows of an answer under way are in view. */
static bool follows_answer(const struct chat *c, const struct view *view)
{
	return view->live && transcript_at_end(c->transcript);
}

/*
 * A message that has no room beside the hints covers the end of the page, not the panes below it, whose hairlines name keys. While newest
 * rows arrive there, it covers the start.
 */
static unsigned message_row(const struct chat *c, const struct view *view, struct area hairline)
{
	struct area page = stack_area(&c->stack, transcript_pane(c->transcript));
	unsigned rows = chat_message_rows(view, hairline);

	if (page.rows < PAGE_ROWS_LEAST)
		return hairline.row;
	if (follows_answer(c, view) && transcript_drawn_rows(c->transcript) + rows > page.rows)
		return page.row + (rows < page.rows ? rows : page.rows);
	return page.row + page.rows;
}

/* Hints give way to a message, but for the last one: eyes are on the hairline, whichever pane has the focus. */
static struct str hints_beside(const struct view *view, struct str hints, unsigned columns)
{
	unsigned message = HAIRLINE_MARGIN + 2 + (unsigned)utf8_width(str_from(view->message));
	struct str left = hints_fitting(hints, columns > message ? columns - message : 0);

	return view->message && has_room_for(str_from(view->message), left, columns) ? left : hints;
}

static void draw_hints(struct chat *c, const struct view *view, struct canvas *canvas, struct area hairline)
{
	char name_words[80];
	struct str name = name_of(c, name_words, sizeof name_words), message = str_from(view->message);
	struct buf all = { 0 };

	if (!cards_are_open(&c->cards))
		write_hints(c, view, &all);
	unsigned taken = HAIRLINE_MARGIN + (name.len ? (unsigned)utf8_width(name) + 2 : 0);
	struct str hints = hints_fitting(buf_str(&all), hairline.columns > taken ? hairline.columns - taken : 0);
	hints = hints_beside(view, hints, hairline.columns);
	bool covered = cards_are_open(&c->cards), has_room = !covered && message.len && has_room_for(message, hints, hairline.columns);
	if (has_room)
		canvas_hairline(canvas, hairline, view->message_is_error ? ROLE_TROUBLE : ROLE_TEXT, message, hints);
	else if (page_has_focus(c) && !covered)
		canvas_hairline_focused(canvas, hairline, name, hints);
	else
		canvas_hairline(canvas, hairline, ROLE_MUTED, name, hints);
	if (!has_room && !covered) /* if covered, chat_draw() draws it beside the card */
		chat_draw_message(view, canvas, hairline, message_row(c, view, hairline));
	buf_fini(&all);
}

/* --- chips --- */

#define CHIP_ROWS_LEAST 10u /* from this height on, the files of the prompt have a row */

static unsigned chip_rows(const struct chat *c)
{
	return session_attached(c->session) && c->terminal.canvas->rows >= CHIP_ROWS_LEAST;
}

static void write_chip(const struct chat *c, size_t index, struct buf *out)
{
	buf_add_z(out, "[");
	page_words_file(session_attached_at(c->session, index), "  ", out);
	buf_add_z(out, "]");
}

/* Whether the sum of the files has room: it hides none that would be shown without it, unless some are left out anyway. */
static bool chips_leave_room(const struct chat *c, unsigned wide, unsigned columns)
{
	size_t count = session_attached(c->session);
	unsigned all = 0;

	for (size_t i = 0; i < count && all <= columns; i++) {
		struct buf chip = { 0 };

		write_chip(c, i, &chip);
		all += (i > 0) + (unsigned)utf8_width(buf_str(&chip));
		buf_fini(&chip);
	}
	return columns >= 2 * wide && (all + wide <= columns || all > columns);
}

/* The files of the next prompt, as many as there is room for, then how many more there are. */
static void draw_chips(struct chat *c, struct canvas *canvas, struct area row)
{
	size_t count = session_attached(c->session);
	struct buf sum = { 0 };
	unsigned used = 0;

	cost_report_attached(c->session, &c->models, NULL, &sum);
	unsigned wide = (unsigned)utf8_width(buf_str(&sum)) + 2;
	if (!composer_named(&c->composer)->files && chips_leave_room(c, wide, row.columns)) {
		canvas_put_right(canvas, row.row, row.column, row.columns, ROLE_MUTED, buf_str(&sum));
		row.columns -= wide;
	}
	buf_fini(&sum);
	for (size_t i = 0; i < count; i++) {
		struct buf chip = { 0 };
		char more[24] = "";

		write_chip(c, i, &chip);
		unsigned width = (unsigned)utf8_width(buf_str(&chip));
		if (i + 1 < count)
			snprintf(more, sizeof more, " +%zu", count - i - 1);
		if (i && used + 1 + width + (unsigned)strlen(more) > row.columns) {
			snprintf(more, sizeof more, " +%zu", count - i);
			canvas_put(canvas, row.row, row.column + used, row.columns - used, ROLE_MUTED, str_from(more));
			i = count;
		} else {
			used += i > 0;
			used += canvas_put(canvas, row.row, row.column + used, row.columns - used, ROLE_MUTED, buf_str(&chip));
		}
		buf_fini(&chip);
	}
}

static void prompt_draw_input(struct chat *c, const struct view *view, struct canvas *canvas, struct area area, bool has_focus)
{
	struct area hairline = { area.row, area.column, 1, area.columns };

	if (cards_docked(&c->cards))
		draw_docked_keys(c, view, canvas, hairline);
	else
		draw_hints(c, view, canvas, hairline);
	if (area.rows < 2)
		return;
	bool focused = has_focus && !cards_are_open(&c->cards);
	if (focused)
		composer_draw_list(&c->composer, canvas, (struct area){ 0, area.column, area.row, area.columns });
	struct str sign = composer_title(&c->composer).len && !composer_writes_system(&c->composer) ? STR("?")
	                  : edit_takes_commands(&c->composer.input) ? STR(":") : STR(">");
	bool has_chips = chip_rows(c) && area.rows > 2;
	canvas_put(canvas, area.row + 1 + has_chips, area.column + 1, 1, focused ? ROLE_ACCENT : ROLE_MUTED, sign);
	struct area text = { area.row + 1, area.column + 3, area.rows - 1, area.columns > 4 ? area.columns - 4 : 1 };
	if (has_chips) {
		draw_chips(c, canvas, (struct area){ area.row + 1, text.column, 1, text.columns });
		text.row++;
		text.rows--;
	}
	edit_draw(&c->composer.input, canvas, text, ROLE_INPUT, focused);
}

/* --- a replay --- */

#define TIMELINE_MARGIN 16      /* columns of "replay" and of the gaps to the edges and the figures */
#define TIMELINE_ROWS_LEAST 12u /* on a lower screen there is no timeline */
#define NAMELESS_COLUMNS 32u    /* a screen as narrow as this shows the position only */
#define SPEED_SIZE 24
#define SPEED_COLUMNS 90u       /* from this width on, a speed of 1 is told, too */

static void draw_replay_keys(const struct chat *c, const struct view *view, struct canvas *canvas, struct area line)
{
	const struct player *player = session_player(c->session);
	struct buf words = { 0 };
	bool unfolded;

	if (!add_mode(c, &words)) {
		hints_add(&words, 0, c->look.keys.details, "details");
		if (transcript_has_folds(c->transcript, view, &unfolded))
			hints_add(&words, 0, c->look.keys.fold, unfolded ? "fold" : "unfold");
		if (player_at_end(player))
			hints_add_words(&words, "0 from the start   Left 5 s back");
		if (c->replay->count > 1)
			hints_add_words(&words, "{ } %s", c->replay->rounds ? "round" : "tape");
		add_latest(c, &words);
		if (player_at_end(player))
			hints_add_words(&words, ", back");
		else
			hints_add_words(&words, "Left Right 5 s   , . step   %s", player_paused(player) ? "space go on" : "space pause");
		hints_add(&words, 0, "q", "leave");
	}
	struct str hints = hints_fitting(buf_str(&words), line.columns > 2 ? line.columns - 2 : 0);
	canvas_put(canvas, line.row, line.column + 1, line.columns, ROLE_MUTED, hints);
	buf_fini(&words);
}

/* In front of the state. A narrow hairline does not say that it is the tape's own. */
static void write_speed(char out[SPEED_SIZE], double speed, unsigned columns)
{
	*out = 0;
	if (speed <= 0)
		snprintf(out, SPEED_SIZE, "max \u2500\u2500 ");
	else if (speed < 1 || speed > 1 || columns >= SPEED_COLUMNS)
		snprintf(out, SPEED_SIZE, "%.4gx \u2500\u2500 ", speed);
}

/* The figures of the hairline; those of a narrow one are fewer. */
static void write_position(const struct player *player, unsigned columns, char *out, size_t size)
{
	const char *state = player_at_end(player) ? "at the end" : player_paused(player) ? "paused" : player_follows(player) ? "following"
	                                          : "playing";
	size_t at = player_frame(player), all = player_frames(player);
	char speed[SPEED_SIZE], time[80] = "";
	double length_ms = player_length_ms(player);

	write_speed(speed, player_speed(player), columns);
	if (length_ms > 0) /* a plain body has no times */
		snprintf(time, sizeof time, "%.3f s of %.3f s \u2500\u2500 ", player_position_ms(player, clock_now_ms()) / 1000, length_ms / 1000);
	snprintf(out, size, "frame %zu of %zu \u2500\u2500 %s%s%s", at, all, time, speed, state);
	if (utf8_width(str_from(out)) + TIMELINE_MARGIN > columns)
		snprintf(out, size, "%zu of %zu \u2500\u2500 %s", at, all, state);
	if (columns < NAMELESS_COLUMNS)
		snprintf(out, size, "%zu of %zu", at, all);
}

static void draw_replay(struct chat *c, const struct view *view, struct canvas *canvas, struct area area)
{
	char name[200], figures[160], which[48] = "";
	const struct player *player = session_player(c->session);
	struct area line = { area.row, area.column, 1, area.columns };

	write_position(player, area.columns, figures, sizeof figures);
	size_t taken = utf8_width(str_from(figures)) + utf8_width(str_from(c->replay->name)) + TIMELINE_MARGIN;
	bool fits = taken + utf8_width(STR(" \u2500\u2500 ")) <= area.columns; /* the figures are more important than the name */
	if (c->replay->count > 1)
		snprintf(which, sizeof which, " %zu of %zu", c->replay->at + 1, c->replay->count);
	if (area.columns < NAMELESS_COLUMNS)
		*name = 0;
	else
		snprintf(name, sizeof name, fits ? "replay%s \u2500\u2500 %s" : "replay%s", which, c->replay->name);
	canvas_hairline(canvas, line, ROLE_ACCENT, str_from(name), str_from(figures));
	line.row++;
	c->player_keys.area = (struct area){ 0 };
	if (area.rows > 2) {
		c->player_keys.area = (struct area){ line.row, area.column + 1, 1, area.columns > 2 ? area.columns - 2 : 1 };
		timeline_draw(&c->player_keys.timeline, player, clock_now_ms(), c->look.ascii, canvas, c->player_keys.area);
		line.row++;
	}
	draw_replay_keys(c, view, canvas, line);
}

/* --- the input pane --- */

struct prompt_pane {
	struct pane pane;
	struct chat *chat;
};

static struct chat *chat_of(struct pane *pane)
{
	return ((struct prompt_pane *)pane)->chat;
}

static unsigned prompt_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	struct chat *c = chat_of(pane);
	unsigned third = c->terminal.canvas->rows / 3;
	unsigned timeline = c->replay && !c->find_bar.open && c->terminal.canvas->rows >= TIMELINE_ROWS_LEAST;
	unsigned lines = c->replay || c->find_bar.open ? 1 + timeline : edit_rows(&c->composer.input, columns > 4 ? columns - 4 : 1);

	(void)view;
	if (cards_docked(&c->cards)) /* few rows are for the sheet; its keys stay */
		lines = c->terminal.canvas->rows >= DOCKED_ROWS_LEAST;
	lines = lines < third ? lines : third;
	lines += c->replay || c->find_bar.open ? 0 : chip_rows(c);
	return lines < most ? lines + 1 : most;
}

static void prompt_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	struct chat *c = chat_of(pane);

	if (c->find_bar.open && !cards_docked(&c->cards))
		find_bar_draw(&c->find_bar, canvas, area, !cards_are_open(&c->cards));
	else if (c->replay)
		draw_replay(c, view, canvas, area);
	else
		prompt_draw_input(c, view, canvas, area, focused);
	if ((c->find_bar.open || c->replay) && !cards_are_open(&c->cards))
		chat_draw_message(view, canvas, area, message_row(c, view, area));
}

/* Handles every key; the input does not scroll. */
static bool prompt_key(struct pane *pane, const struct view *view, const struct key *key)
{
	(void)view;
	if (key_is_wheel(key))
		return false;
	chat_input_key(chat_of(pane), key);
	return true;
}

static void prompt_free(struct pane *pane)
{
	mem_free(pane);
}

struct pane *chat_prompt_new(struct chat *c)
{
	static const struct pane_ops ops = { .rows = prompt_rows, .draw = prompt_draw, .key = prompt_key, .free = prompt_free };
	struct prompt_pane *p = mem_new(sizeof *p);

	*p = (struct prompt_pane){ { &ops }, c };
	return &p->pane;
}
