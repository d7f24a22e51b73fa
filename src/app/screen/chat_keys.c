/*
 * Key dispatch: first commands that work anywhere, then the modes in order, other commands, and the focused pane.
 */
#include "app/command/bindings.h"
#include "app/compare/compare.h"
#include "app/screen/chat_commands.h"
#include "app/screen/chat_inside.h"
#include "app/setup/setup.h"
#include "base/array.h"

#define INTERRUPT_WINDOW_MS 1000
#define MESSAGE_LEAST_MS 1000 /* keys do not end a message before */
#define ERROR_LEAST_MS 3000   /* who types ahead while an answer comes looks elsewhere */

/* --- the input --- */

static bool key_scrolls(const struct key *key)
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
	pane_key(transcript_pane(c->transcript), &view, &plain);
}

void chat_columns_left(struct chat *c) { scroll_transcript(c, &(struct key){ .code = KEY_LEFT }); }
void chat_columns_right(struct chat *c) { scroll_transcript(c, &(struct key){ .code = KEY_RIGHT }); }

void chat_input_key(struct chat *c, const struct key *key)
{
	bool empty = edit_is_empty(&c->composer.input);
	bool ends = key->code == KEY_HOME || key->code == KEY_END;
	bool sideways = key->code == KEY_LEFT || key->code == KEY_RIGHT;

	bool writes = empty && !edit_takes_commands(&c->composer.input);

	if (writes && key_letter(key) == '?')
		chat_open_help(c);
	else if (writes && key->code == KEY_TEXT && str_is(key->text, "/"))
		menus_open(&c->cards.menus, MENU_PALETTE);
	else if (key_scrolls(key) || (empty && (ends || sideways)))
		scroll_transcript(c, key);
	else
		composer_key(&c->composer, key);
}

/* --- Ctrl-C --- */

static void chat_hint_quitting(struct chat *c)
{
	host_say_for(&c->host, INTERRUPT_WINDOW_MS, "Ctrl-C again quits");
}

/* Quits if this is the second time within INTERRUPT_WINDOW_MS, else stops a running answer. False: it did neither. */
static bool chat_interrupt_ends(struct chat *c)
{
	int64_t now_ms = clock_now_ms();
	bool stops = session_is_busy(c->session) && !c->replay, again = now_ms - c->last_interrupt_ms < INTERRUPT_WINDOW_MS;

	if (again) {
		chat_quit(c);
	} else if (collecting_stop(&c->collecting)) {
		stops = true;
		host_say(&c->host, "stopped: nothing was attached");
	} else if (stops) {
		session_stop(c->session);
		compare_stop(&c->compare);
	}
	c->last_interrupt_ms = now_ms;
	return again || stops;
}

/* Stops the answer, else leaves editing, else clears the input, else shows a hint. */
static void chat_interrupt(struct chat *c)
{
	if (chat_interrupt_ends(c) || composer_leave_edit(&c->composer))
		return;
	if (!edit_is_empty(&c->composer.input))
		composer_clear(&c->composer);
	else
		chat_hint_quitting(c);
}

void chat_interrupt_from_outside(struct chat *c)
{
	if (!chat_interrupt_ends(c))
		chat_hint_quitting(c);
}

/* --- modes --- */

/* The modes, in the order in which they get a key. */
static const struct {
	size_t offset; /* offset of the part in struct chat */
	const struct mode *mode;
} modes[] = {
	{ offsetof(struct chat, line_select), &line_select_mode },
#define CARD_ROW(name) { offsetof(struct chat, cards.name), &name##_kind.mode },
	CARDS(CARD_ROW)
#undef CARD_ROW
	{ offsetof(struct chat, compare_view), &compare_view_mode },
	{ offsetof(struct chat, composer), &composer_search_mode },
	{ offsetof(struct chat, composer), &composer_system_mode },
	{ offsetof(struct chat, find_bar), &find_bar_mode },
	{ offsetof(struct chat, inspect), &inspect_mode },
	{ offsetof(struct chat, find_bar), &find_bar_marks_mode },
	{ offsetof(struct chat, player_keys), &player_keys_mode },
};

/* Passes Ctrl-C to a mode. False: the mode did not handle it. */
static bool mode_takes_interrupt(struct chat *c, const struct mode *mode, void *part)
{
	if (!mode->leave && !mode->close)
		return false;
	if (!mode_leave(mode, part) && session_live(c->session) && !c->replay)
		session_stop(c->session);
	return true;
}

/* Offers the key to the open modes. True: a mode handled it. */
static bool modes_take(struct chat *c, const struct key *key)
{
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		const struct mode *mode = modes[i].mode;
		void *part = (char *)c + modes[i].offset;

		if (mode->is_open(part) && (key_is_control(key, 'c') ? mode_takes_interrupt(c, mode, part) : mode->takes(part, key)))
			return true;
	}
	return false;
}

static enum mode_paste modes_paste(const struct chat *c)
{
	enum mode_paste paste = PASTE_PASSES;

	for (size_t i = 0; i < ARRAY_LEN(modes) && paste == PASTE_PASSES; i++) {
		const struct mode *mode = modes[i].mode;
		const void *part = (const char *)c + modes[i].offset;

		if (mode->paste && mode->is_open(part))
			paste = mode->paste(part);
	}
	return paste;
}

/* --- panes --- */

/* A letter that has nothing to act on is text. */
static bool letter_acts(struct chat *c, const struct command *command)
{
	bool steps = command->screen == chat_older_hit || command->screen == chat_newer_hit;
	bool scrolls = command->screen == chat_columns_left || command->screen == chat_columns_right;
	struct error err;

	return command_works(command, c->replay != NULL) && command_can(command, c->session, &err) &&
	       (command->screen != chat_quit || c->replay) && (!steps || transcript_hits(c->transcript).searching) &&
	       (!scrolls || transcript_is_cut(c->transcript));
}

static bool chat_is_on_item(struct chat *c)
{
	struct view view;

	chat_fill_view(c, &view);
	return c->stack.focus == transcript_pane(c->transcript) && chat_item(c, &view);
}

/* Letters only read here: none of them changes the conversation. False: the key is no such letter. */
static bool pane_letter(struct chat *c, const struct key *key)
{
	char letter = key->code == KEY_TEXT && key->text.len == 1 ? *key->text.ptr : 0;
	const struct command *command = chat_is_on_item(c) ? command_of_item(letter) : NULL;

	command = command && letter_acts(c, command) ? command : command_by_letter(letter);
	if (command && command->jump.to == PAGE_TROUBLE && command->jump.step)
		return chat_goes_to(c, command->jump);
	if (command && letter_acts(c, command)) {
		chat_run(c, command, STR(""));
		c->find_bar.slashed = c->find_bar.open; /* only the slash opens it */
		return true;
	}
	if (key->code != KEY_TEXT || !str_is(key->text, "?"))
		return false;
	chat_open_help(c);
	return true;
}

/* All other characters are written into the input. */
static void focused_key(struct chat *c, const struct key *key)
{
	struct key own = c->replay ? *key : scroll_key(key);
	struct view view;

	if (c->stack.focus != c->prompt && pane_letter(c, key))
		return;
	chat_fill_view(c, &view);
	if (!stack_key(&c->stack, &view, c->stack.focus == c->prompt ? key : &own) && host_types(&c->host, key))
		chat_input_key(c, key);
}

/* A click on a figure of the status bar that leads somewhere. */
static bool chat_click_status(struct chat *c, const struct key *key)
{
	if (key->code != KEY_MOUSE_DOWN || stack_pane_at(&c->stack, key->row, key->column) != c->status ||
	    pane_status_at(c->status, key->column) != STATUS_LINT)
		return false;
	chat_findings(c);
	return true;
}

static void chat_mouse(struct chat *c, const struct key *key)
{
	if (chat_click_status(c, key))
		return;
	inspect_press(&c->inspect, key);
	line_select_mouse(&c->line_select, key);
}

static void chat_wheel(struct chat *c, const struct key *key)
{
	struct view view;

	chat_fill_view(c, &view);
	stack_wheel(&c->stack, &view, key);
}

/* --- pasted text --- */

/* Whether pasted text is dropped. If no mode takes it, it goes to the input. */
static bool loses_paste(struct chat *c)
{
	enum mode_paste paste = modes_paste(c);

	if (paste != PASTE_PASSES || c->replay)
		return paste != PASTE_TAKEN;
	stack_focus(&c->stack, c->prompt);
	return false;
}

/* A key ends a message that could be read: its time is over when the user goes on. An error, which has no end of its own, has it then. */
static void chat_end_message(struct chat *c)
{
	bool is_error = c->message_severity == SEVERITY_ERROR;
	int64_t now_ms = clock_now_ms(), read_ms = c->message_since_ms + (is_error ? ERROR_LEAST_MS : MESSAGE_LEAST_MS);

	if ((is_error || now_ms >= read_ms) && now_ms < c->message_until_ms)
		c->message_until_ms = now_ms < read_ms ? read_ms : now_ms;
}

static const struct command *chat_command_of_key(const struct chat *c, const struct key *key)
{
	const struct command *command = bindings_find(c->setup->bindings, key);
	bool is_editors = command && command->when_empty && command_own_key(command, key) && !edit_is_empty(&c->composer.input);

	return is_editors || (command && command->is_key) ? NULL : command;
}

/*
 * With vi's keys, a character that came with Escape is no Alt where Escape has something to leave, as in a shell: else who types Esc and r quickly,
 * or over a tmux that waits after Escape, would ask for another answer.
 */
static bool chat_hears_escape(struct chat *c, const struct key *key)
{
	const struct edit *input = &c->composer.input;

	if (!key->by_escape || c->stack.focus != c->prompt || edit_is_empty(input) || !edit_wants_escape(input))
		return false;
	chat_key(c, &(struct key){ .code = KEY_ESCAPE });
	chat_key(c, &(struct key){ .code = KEY_TEXT, .text = key->text });
	return true;
}

void chat_key(void *chat, const struct key *pressed)
{
	struct chat *c = chat;
	struct key own;
	const struct key *key = bindings_hear(c->setup->bindings, pressed, &own);

	if (key && (key->code == KEY_FOCUS_IN || key->code == KEY_FOCUS_OUT)) { /* not a key press: must not close a list */
		c->notice.away = key->code == KEY_FOCUS_OUT;
		return;
	}
	if (!key)
		return;
	c->dirty = true;
	composer_heed_place(&c->composer);
	chat_end_message(c);
	if (!key_is_control(key, 'c')) /* else a Ctrl-C that clears what was typed since the first one would quit */
		c->last_interrupt_ms = -INTERRUPT_WINDOW_MS;
	if ((key->code == KEY_PASTE || (key->code == KEY_TEXT && key->at_once)) && loses_paste(c))
		return;
	const struct command *command = chat_command_of_key(c, key);
	if (command && command->anywhere)
		chat_run(c, command, STR(""));
	else if (modes_take(c, key) || chat_hears_escape(c, key))
		return;
	else if (key_is_mouse(key))
		chat_mouse(c, key);
	else if (key_is_wheel(key))
		chat_wheel(c, key);
	else if (key_is_control(key, 'c'))
		chat_interrupt(c);
	else if (c->stack.focus == c->prompt && composer_takes(&c->composer, key))
		return;
	else if (command)
		chat_run(c, command, STR(""));
	else
		focused_key(c, key);
}
