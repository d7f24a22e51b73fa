/*
 * Layout of the screen: the stack of panes (ui/pane/stack.h), menus and sheets over it.
 */
#include "app/screen/chat_inside.h"

#include <string.h>

#include "app/screen/welcome.h"
#include "app/session/session_prompts.h"
#include "app/session/session_runs.h"
#include "base/array.h"
#include "chat/conversation/conversation.h"
#include "ui/rows.h"

#define ROWS_LEAST 6u
#define COLUMNS_LEAST 20u
#define MESSAGE_ROWS 2u   /* rows of a long message */
#define SMALL_ROWS 12u    /* on a lower screen a long message covers the row below its place, too */
#define MESSAGE_MARGIN 8u /* columns of a hairline that a message leaves free */

unsigned chat_message_rows(const struct view *view, struct area of)
{
	struct flow flow;

	flow_init(&flow);
	if (view->message)
		flow_update(&flow, str_from(view->message), rows_width(of.columns, 0));
	unsigned rows = view->message ? (unsigned)flow.count : 0;
	flow_fini(&flow);
	return rows;
}

void chat_draw_message(const struct view *view, struct canvas *canvas, struct area of, unsigned below)
{
	enum role_name role = view->message_is_error ? ROLE_SHEET_TROUBLE : ROLE_SHEET;
	struct str message = str_from(view->message);
	unsigned columns = rows_width(of.columns, 0);
	struct flow flow;

	if (!message.len)
		return;
	flow_init(&flow);
	flow_update(&flow, message, columns);
	unsigned end = below + (flow.count > below && canvas->rows < SMALL_ROWS), rows = flow.count < end ? (unsigned)flow.count : end;
	for (unsigned r = 0; r < rows; r++) {
		struct area line = { end - rows + r, of.column, 1, of.columns };

		canvas_fill(canvas, line, ROLE_SHEET);
		rows_put(canvas, line.row, rows_inside(line).column, columns, role, &flow, message, r);
		if (r + 1 == rows && rows < flow.count) /* what is left out is said */
			canvas_put(canvas, line.row, of.column + of.columns - 1, 1, ROLE_SHEET, STR("\u2026"));
	}
	flow_fini(&flow);
}

/*
 * The message while a card lies over the page: on the hairline above the input, whose own keys do not work then, else in rows above it,
 * or in the last rows of the card above its keys, between its sides.
 */
static void draw_message_beside_card(const struct chat *c, const struct view *view, struct canvas *canvas)
{
	struct area prompt = stack_area(&c->stack, c->prompt);
	struct area card = canvas->card;
	unsigned row = prompt.row, end = card.row + card.rows, side = card.column > 0;
	struct area inside = { card.row, card.column + side, card.rows, card.columns - 2 * side };
	struct str message = str_from(view->message);
	bool in_line = utf8_width(message) + MESSAGE_MARGIN <= prompt.columns;

	if (in_line && end <= row && !c->find_bar.open && !c->replay)
		canvas_hairline(canvas, (struct area){ row, prompt.column, 1, prompt.columns }, view->message_is_error ? ROLE_TROUBLE : ROLE_TEXT,
		                message, STR_NONE);
	else if (end + MESSAGE_ROWS > row)
		chat_draw_message(view, canvas, inside, end - 1);
	else
		chat_draw_message(view, canvas, prompt, row);
}

/* The call that a docked sheet is about stays in view. */
static void reveal_call(struct chat *c, const struct view *view)
{
	bool asks = c->cards.approval_card.sheet != NULL;
	const struct tool_call *shown = asks ? session_shown(c->session, c->cards.approval_card.shown) : NULL;
	const struct turn *last = conversation_last(view->conversation);
	bool is_known = last && cards_docked(&c->cards) && (shown || !asks);
	const struct part *part = is_known ? turn_call(last, shown ? shown->call : c->cards.sheets.call) : NULL;

	if (part)
		transcript_reveal(c->transcript, view, stack_area(&c->stack, transcript_pane(c->transcript)),
		                  (size_t)(part - conversation_last(view->conversation)->parts));
}

static void draw_stack(struct chat *c, const struct view *view, struct canvas *canvas)
{
	inspect_draw_words(&c->inspect);
	stack_layout(&c->stack, view, canvas->rows, canvas->columns);
	reveal_call(c, view);
	bool tries_theme = c->cards.menus.menu && c->cards.menus.kind == MENU_THEMES;
	if (!view->conversation->count && (!cards_are_open(&c->cards) || tries_theme)) /* scraps of it beside a card say nothing */
		welcome_draw(canvas, stack_area(&c->stack, transcript_pane(c->transcript)), view, &c->newest);
	stack_draw(&c->stack, view, canvas);
	cards_draw(&c->cards, canvas);
	if (view->message && canvas->card.rows)
		draw_message_beside_card(c, view, canvas);
}

static void draw_comparison(struct chat *c, const struct view *view, struct canvas *canvas)
{
	compare_view_draw(&c->compare_view, view, cards_docked(&c->cards), canvas);
	cards_draw(&c->cards, canvas);
}

/* The longest of these words that have room. */
static void draw_too_small(struct canvas *canvas)
{
	static const char *const words[] = { "weir needs 20 x 6", "needs 20 x 6", "20 x 6", "20x6" };
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(words) && strlen(words[i]) > canvas->columns)
		i++;
	canvas_put(canvas, 0, 0, canvas->columns, ROLE_TEXT, str_from(words[i]));
}

void chat_draw(struct chat *c, const struct view *view)
{
	struct canvas *canvas = c->terminal.canvas;

	canvas_clear(canvas);
	c->look.code_band = theme_has_band(&c->theme.theme, ROLE_CODE, screen_colours(c->terminal.screen));
	c->look.picture_rows = canvas->rows / 2;
	if (canvas->rows < ROWS_LEAST || canvas->columns < COLUMNS_LEAST)
		draw_too_small(canvas);
	else if (compare_view_is_open(&c->compare_view))
		draw_comparison(c, view, canvas);
	else
		draw_stack(c, view, canvas);
}
