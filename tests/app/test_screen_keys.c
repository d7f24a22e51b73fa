/* The focus of the full screen and the keys that move it; keys of old terminals. */
#include <stdio.h>

#include "stage.h"
#include "support/check.h"

static bool has_cursor(struct pty *p, const void *ctx)
{
	(void)ctx;
	return pty_cursor_is_shown(p);
}

static void tab_moves_the_focus_and_letters_become_commands(void)
{
	struct stage s;

	stage_open_answered(&s);
	pty_send(s.pty, "\t" "d");
	PTY_SEES(s.pty, "Details of the last turn");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of the last turn");
	pty_send(s.pty, "?");
	PTY_SEES(s.pty, "Help");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Help");
	pty_send(s.pty, "/");
	PTY_SEES(s.pty, "search");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "search");
	pty_send(s.pty, K_ESC); /* back to the input */
	PTY_WAIT(s.pty, has_cursor, NULL);
	pty_send(s.pty, "ddt");
	PTY_SEES(s.pty, " > ddt");
	pty_send(s.pty, "\t\tx"); /* through all panes and back */
	PTY_SEES(s.pty, " > ddtx");
	stage_close(&s);
}

static void panes_scroll_when_they_have_the_focus(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "think");
	for (int i = 1; i <= 30; i++) {
		char line[32];

		snprintf(line, sizeof line, "thought %d\n", i);
		hand_reasoning(s.server, line);
	}
	PTY_SEES(s.pty, "thought 30");
	PTY_LOSES(s.pty, "thought 5");
	pty_send(s.pty, K_SHIFT_TAB); /* the input's neighbours: transcript first, the reasoning last */
	pty_send(s.pty, K_HOME);
	PTY_SEES(s.pty, "thought 2");
	PTY_SEES(s.pty, "thought 5");
	hand_reasoning(s.server, "thought 31\n");
	pty_send(s.pty, K_END);
	PTY_SEES(s.pty, "thought 31");
	hand_text(s.server, "Done."); /* the pane closes; the focus moves to the input */
	PTY_SEES(s.pty, "Done.");
	pty_send(s.pty, "typed");
	PTY_SEES(s.pty, " > typed");
	stage_close(&s);
}

static void the_focus_can_be_seen(void)
{
	struct stage s;

	stage_open_answered(&s);
	CU_ASSERT_TRUE(pty_cursor_is_shown(s.pty));
	struct pty_cell with = pty_cell(s.pty, 22, 1);
	pty_send(s.pty, "\t");
	pty_settle(s.pty);
	struct pty_cell without = pty_cell(s.pty, 22, 1);
	CHECK(with.foreground != without.foreground || with.bold != without.bold || !pty_cursor_is_shown(s.pty), "the prompt sign or the cursor tells");
	stage_close(&s);
}

/* Keys in the encodings of old terminals, each with its own terminfo entry. */
static void keys_of_old_terminals_are_heard(void)
{
	static const struct { const char *term, *bytes, *sees; } keys[] = {
		{ "TERM=linux", "\x1B[[A", "Help" },     { "TERM=linux", "\x1B[[C", "Protocol" }, { "TERM=linux", "\x1B[[E", "Theme" },
		{ "TERM=rxvt", "\x1B[11~", "Help" },     { "TERM=rxvt", "\x1B[13~", "Protocol" }, { "TERM=rxvt", "one two\x1BOdx", "> one xtwo" },
		{ "TERM=vt220", "\x1BOP", "Help" },      { "TERM=vt220", "ab\bc", "> ac" },       { "TERM=vt100", "\x1BOR", "Protocol" },
		{ "TERM=vt100", "abc\x1BOD\x1BODx", "> axbc" }, { "TERM=screen", "abc\x1B[1~x", "> xabc" }, { "TERM=tmux-256color", "abc\x1B[1~x\x1B[4~y", "> xabcy" },
		{ "TERM=linux", "abc\x1B[1~\x1B[3~", "> bc" },  { "TERM=xterm", "abc\x1BOHx", "> xabc" },   { "TERM=xterm", "\x1B[27;5;112~", "Commands" },
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .environment = LIST(keys[i].term) });
		pty_send(s.pty, keys[i].bytes);
		pty_wait(s.pty, pty_shows, keys[i].sees, keys[i].term, __FILE__, __LINE__);
		stage_drop(&s);
	}
}

/* The Linux console's Shift-Tab is Alt-Tab of other terminals. */
static void shift_tab_of_the_console_moves_the_focus(void)
{
	struct stage s;

	stage_open_answered(&s);
	pty_send(s.pty, "\x1B\t");
	pty_send(s.pty, "d");
	PTY_SEES(s.pty, "Details of the last turn");
	stage_close(&s);
}

static void half_pages_are_scrolled(void)
{
	static const char *const openers[] = { "", "\t" };

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		stage_open(&s, NULL);
		stage_turn_rows(&s, "rows", 100);
		pty_send(s.pty, openers[i]);
		pty_send(s.pty, "\x1B[1;3A");
		PTY_LOSES(s.pty, "row 91");
		PTY_SEES(s.pty, "row 90");
		pty_send(s.pty, "\x1B[1;3A");
		PTY_LOSES(s.pty, "row 81");
		PTY_SEES(s.pty, "row 80");
		pty_send(s.pty, "\x1B[1;3B");
		PTY_SEES(s.pty, "row 90");
		PTY_LOSES(s.pty, "row 91");
		stage_close(&s);
	}
}

const struct suite suite_screen_keys = { "screen_keys", (const struct test[]){
	TEST(tab_moves_the_focus_and_letters_become_commands),
	TEST(panes_scroll_when_they_have_the_focus),
	TEST(the_focus_can_be_seen),
	TEST(keys_of_old_terminals_are_heard),
	TEST(shift_tab_of_the_console_moves_the_focus),
	TEST(half_pages_are_scrolled),
	{ 0 },
} };
