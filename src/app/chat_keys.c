/*
 * Where keys go: to the menu or sheet that is open, to a command, to the input or the pane with the focus - in this order.
 */
#include <string.h>

#include "app/chat.h"
#include "app/command.h"
#include "base/mem.h"

#define INTERRUPT_WINDOW_MS 1000
#define HISTORY_MOST 200

/* --- the input ---------------------------------------------------------------------------------------------------- */

static void remember(struct chat *c, struct str prompt)
{
	if (c->history_count == HISTORY_MOST) {
		mem_free(c->history[0]);
		memmove(c->history, c->history + 1, --c->history_count * sizeof *c->history);
	}
	mem_reserve(&c->history, &c->history_capacity, c->history_count + 1, sizeof *c->history);
	c->history[c->history_count++] = str_dup(prompt);
	c->history_at = c->history_count;
}

void chat_send_input(struct chat *c)
{
	struct str text = buf_str(&c->input.text);
	struct error err = { "" };
	if (str_is_blank(text))
		return;
	char *prompt = str_dup(text);
	if (*prompt == '/' && command_run_line(c, str_from(prompt + 1))) {
		edit_clear(&c->input);
	} else if (session_send(c->session, str_from(prompt), &err)) {
		remember(c, str_from(prompt));
		edit_clear(&c->input);
		transcript_to_end(c->panes[CHAT_TRANSCRIPT]);
	} else {
		chat_say(c, "%s", err.text);
		if (!*c->setup.target.model)
			chat_open_menu(c, MENU_MODELS);
	}
	mem_free(prompt);
}

/* Up in the first row and Down in the last walk the prompts; what was being typed is kept as the newest. */
static bool walk_history(struct chat *c, const struct key *key)
{
	bool up = key->code == KEY_UP;
	if ((!up && key->code != KEY_DOWN) || (up ? !c->history_at : c->history_at >= c->history_count))
		return key->code == KEY_UP || key->code == KEY_DOWN;
	if (c->history_at == c->history_count) {
		mem_free(c->draft);
		c->draft = str_dup(buf_str(&c->input.text));
	}
	c->history_at = up ? c->history_at - 1 : c->history_at + 1;
	edit_set(&c->input, str_from(c->history_at == c->history_count ? c->draft : c->history[c->history_at]));
	return true;
}

static bool scrolls(const struct key *key)
{
	return key->code == KEY_PAGE_UP || key->code == KEY_PAGE_DOWN ||
	       ((key->code == KEY_HOME || key->code == KEY_END) && key->modifiers & KEY_CTRL_HELD);
}

static void scroll_transcript(struct chat *c, const struct key *key)
{
	struct view view;
	struct key plain = *key;
	plain.modifiers = 0;
	chat_fill_view(c, &view);
	pane_transcript.key(c->panes[CHAT_TRANSCRIPT], &view, &plain);
}

static void input_key(struct chat *c, const struct key *key)
{
	bool empty = edit_is_empty(&c->input);
	bool ends = key->code == KEY_HOME || key->code == KEY_END;
	if (empty && key->code == KEY_TEXT && str_is(key->text, "?"))
		chat_open_help(c);
	else if (empty && key->code == KEY_TEXT && str_is(key->text, "/"))
		chat_open_menu(c, MENU_PALETTE);
	else if (scrolls(key) || (empty && ends))
		scroll_transcript(c, key);
	else if (key->code == KEY_ENTER && !key->modifiers)
		chat_send_input(c);
	else if (!edit_key(&c->input, key))
		walk_history(c, key);
}

/* --- control keys that mean several things ------------------------------------------------------------------------ */

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
	else if (!edit_is_empty(&c->input))
		edit_clear(&c->input);
	else
		chat_say(c, "Ctrl-C again quits");
}

static bool control_key(struct chat *c, const struct key *key)
{
	if (key->code != KEY_CONTROL)
		return false;
	if (key->letter == 'c') {
		chat_close_menu(c);
		chat_close_sheet(c);
		interrupt(c);
		return true;
	}
	if (key->letter == 'd' && edit_is_empty(&c->input) && !c->sheet && !c->menu) {
		c->quit = true;
		return true;
	}
	return false;
}

/* --- panes -------------------------------------------------------------------------------------------------------- */

static void pane_key(struct chat *c, const struct key *key)
{
	static const struct { enum chat_pane pane; const struct pane_ops *ops; } focused[FOCUS_COUNT] = {
		[FOCUS_TRANSCRIPT] = { CHAT_TRANSCRIPT, &pane_transcript },
		[FOCUS_REASONING] = { CHAT_REASONING, &pane_reasoning },
		[FOCUS_TOOLS] = { CHAT_TOOLS, &pane_tools },
	};
	struct view view;
	chat_fill_view(c, &view);
	if (focused[c->focus].ops->key(c->panes[focused[c->focus].pane], &view, key))
		return;
	if (key->code != KEY_TEXT || key->text.len != 1)
		return;
	const struct command *command = command_by_letter(key->text.ptr[0]);
	if (str_is(key->text, "?"))
		chat_open_help(c);
	else if (str_is(key->text, "/"))
		chat_open_menu(c, MENU_PALETTE);
	else if (command && (*key->text.ptr != 'q' || c->tape))
		command->run(c, STR(""));
}

void chat_key(void *chat, const struct key *key)
{
	struct chat *c = chat;
	c->dirty = true;
	if (control_key(c, key))
		return;
	if (c->menu) {
		chat_menu_key(c, key);
		return;
	}
	if (c->sheet) {
		chat_sheet_key(c, key);
		return;
	}
	const struct command *command = command_by_key(key);
	if (command)
		command->run(c, STR(""));
	else if (c->focus == FOCUS_INPUT)
		input_key(c, key);
	else
		pane_key(c, key);
}
