/*
 * Where keys go: to the menu or sheet that is open, to a command, to the input or the pane with the focus - in this order.
 */
#include <assert.h>

#include "app/bare.h"
#include "app/chat.h"
#include "app/command.h"
#include "app/finder.h"
#include "app/selecting.h"

#define INTERRUPT_WINDOW_MS 1000

/* --- the input --- */

static bool scrolls(const struct key *key)
{
	return key->code == KEY_PAGE_UP || key->code == KEY_PAGE_DOWN ||
	       ((key->code == KEY_UP || key->code == KEY_DOWN) && key->modifiers & KEY_ALT_HELD) ||
	       ((key->code == KEY_HOME || key->code == KEY_END) && key->modifiers & KEY_CTRL_HELD);
}

static void scroll_transcript(struct chat *c, const struct key *key)
{
	struct view view;
	struct key plain = *key;

	plain.modifiers &= KEY_ALT_HELD;
	chat_fill_view(c, &view);
	pane_transcript.key(c->panes[CHAT_TRANSCRIPT], &view, &plain);
}

static void input_key(struct chat *c, const struct key *key)
{
	bool empty = edit_is_empty(&c->input);
	bool ends = key->code == KEY_HOME || key->code == KEY_END;
	bool sideways = c->clips && (key->code == KEY_LEFT || key->code == KEY_RIGHT);

	if (empty && key->code == KEY_TEXT && str_is(key->text, "?"))
		chat_open_help(c);
	else if (empty && key->code == KEY_TEXT && str_is(key->text, "/"))
		chat_open_menu(c, MENU_PALETTE);
	else if (scrolls(key) || (empty && (ends || sideways)))
		scroll_transcript(c, key);
	else
		composer_key(c, key);
}

/* --- control keys that mean several things --- */

/* Stop, else clear, else hint; twice within a second quits. */
static void interrupt(struct chat *c)
{
	int64_t now_ms = clock_now_ms();
	bool twice = now_ms - c->last_interrupt_ms < INTERRUPT_WINDOW_MS;

	c->last_interrupt_ms = now_ms;
	if (twice)
		c->quit = true;
	else if (session_live(c->session) && !c->tape)
		session_stop(c->session);
	else if (composer_leave_edit(c))
		return;
	else if (!edit_is_empty(&c->input))
		composer_clear(c);
	else
		chat_say_for(c, INTERRUPT_WINDOW_MS, "Ctrl-C again quits");
}

static bool control_key(struct chat *c, const struct key *key)
{
	if (key->code != KEY_CONTROL)
		return false;
	if (key->letter == 'c') {
		chat_close_menu(c);
		chat_close_sheet(c);
		if (!composer_leave_search(c) && !(c->finder.open && finder_leave(c)))
			interrupt(c);
		return true;
	}
	if (key->letter == 'd' && edit_is_empty(&c->input) && !c->sheet && !c->menu && !c->finder.open) {
		c->quit |= !composer_leave_search(c);
		return true;
	}
	return false;
}

/* --- panes --- */

static void pane_key(struct chat *c, const struct key *key)
{
	static const struct { enum chat_pane pane; const struct pane_ops *ops; } focused[FOCUS_COUNT] = {
		[FOCUS_TRANSCRIPT] = { CHAT_TRANSCRIPT, &pane_transcript },
		[FOCUS_REASONING] = { CHAT_REASONING, &pane_reasoning },
		[FOCUS_TOOLS] = { CHAT_TOOLS, &pane_tools },
	};
	struct view view;
	assert(focused[c->focus].ops); /* the input takes its keys itself */
	chat_fill_view(c, &view);
	if (focused[c->focus].ops->key(c->panes[focused[c->focus].pane], &view, key))
		return;
	if (key->code != KEY_TEXT || key->text.len != 1)
		return;
	const struct command *command = command_by_letter(key->text.ptr[0]);
	if (str_is(key->text, "?"))
		chat_open_help(c);
	else if (command && (*key->text.ptr != 'q' || c->tape))
		command_run(c, command, STR(""));
}

/* --- the wheel --- */

/* It scrolls what it is over; a menu has only its choice to move. */
static void wheel(struct chat *c, const struct key *key)
{
	static const enum key_code arrows[] = { KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT };
	struct key step = { .code = arrows[key->code - KEY_WHEEL_UP] };
	unsigned transcript = c->pane_rows[CHAT_TRANSCRIPT], reasoning = transcript + c->pane_rows[CHAT_REASONING];
	struct view view;

	chat_fill_view(c, &view);
	if (c->menu)
		chat_menu_key(c, &step);
	for (int i = 0; c->sheet && i < WHEEL_ROWS; i++)
		chat_sheet_key(c, &step);
	if (c->menu || c->sheet)
		return;
	if (key->row >= transcript && key->row < reasoning)
		pane_reasoning.key(c->panes[CHAT_REASONING], &view, key);
	else if (key->row >= reasoning && key->row < reasoning + c->pane_rows[CHAT_TOOLS])
		pane_tools.key(c->panes[CHAT_TOOLS], &view, key);
	else
		pane_transcript.key(c->panes[CHAT_TRANSCRIPT], &view, key);
}

static bool is_wheel(const struct key *key)
{
	return key->code >= KEY_WHEEL_UP && key->code <= KEY_WHEEL_RIGHT;
}

static bool is_mouse(const struct key *key)
{
	return key->code == KEY_MOUSE_DOWN || key->code == KEY_MOUSE_DRAG || key->code == KEY_MOUSE_UP;
}

void chat_key(void *chat, const struct key *key)
{
	struct chat *c = chat;

	if (key->code == KEY_FOCUS_IN || key->code == KEY_FOCUS_OUT) /* nothing was pressed: no list is left for it */
		return;
	c->dirty = true;
	const struct command *command = command_by_key(key);
	if (command && command->anywhere) {
		command_run(c, command, STR(""));
		return;
	}
	if (bare_takes(c, key))
		return;
	if (is_mouse(key)) {
		if (!c->menu && !c->sheet)
			selecting_mouse(c, key);
		return;
	}
	if (!is_wheel(key) && selecting_takes(c, key))
		return;
	if (control_key(c, key))
		return;
	if (is_wheel(key)) {
		wheel(c, key);
		return;
	}
	if (c->menu) {
		chat_menu_key(c, key);
		return;
	}
	if (c->sheet) {
		chat_sheet_key(c, key);
		return;
	}
	if (!c->finder.open && c->focus == FOCUS_INPUT && composer_takes(c, key))
		return;
	if (finder_takes(c, key))
		return;
	if (command)
		command_run(c, command, STR(""));
	else if (c->focus == FOCUS_INPUT)
		input_key(c, key);
	else
		pane_key(c, key);
}
