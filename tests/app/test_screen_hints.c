/* The hairline above the input, shared by messages and keys; the state word, which nothing replaces; and the mark of the focused pane. */
#include <string.h>

#include "base/array.h"
#include "stage.h"
#include "support/check.h"

static bool stands_on_a_row_with(struct pty *p, const char *text, const char *other)
{
	int row = pty_find_row(p, text);

	return row >= 0 && strstr(pty_row(p, (unsigned)row), other);
}

/* Messages are shown beside the keys and disappear by themselves. */
static void passing_words_leave_state_and_keys_alone(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .turns = true });
	stage_begin(&s, "go");
	stage_rows(&s, 1, 60);
	PTY_SEES(s.pty, "row 60");
	pty_send(s.pty, K_PGUP);
	PTY_SEES(s.pty, "End for the latest   Esc stop");
	pty_send(s.pty, K_ALT("m"));
	PTY_SEES(s.pty, "answers as their source");
	STAGE_STATE(&s, "streaming");
	CHECK(stands_on_a_row_with(s.pty, "answers as their source", "End for the latest   Esc stop"), "%s", pty_dump(s.pty));
	PTY_LOSES_LATER(s.pty, "answers as their source");
	PTY_SEES(s.pty, "End for the latest   Esc stop");
	pty_send(s.pty, "draft");
	PTY_SEES(s.pty, "Ctrl-End for the latest"); /* End moves in the draft */
	pty_send(s.pty, "\x1B[1;5F");
	PTY_SEES(s.pty, "row 60");
	PTY_LOSES(s.pty, "for the latest");
	pty_send(s.pty, "\x15");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	stage_close(&s);
}

/* A message without room beside the keys covers the page, unshortened. */
static void a_long_passing_word_takes_no_key_away(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 12, .columns = 40, .turns = true });
	stage_begin(&s, "go");
	hand_text(s.server, "Something.");
	PTY_SEES(s.pty, "Something.");
	pty_send(s.pty, "/thoughts sideways\r");
	PTY_WAIT(s.pty, pty_tells, "reasoning is shown in one of these ways: pane, tail, folded, hidden (not \"sideways\")");
	CHECK(pty_find_row(s.pty, "Esc stop") >= 0, "%s", pty_dump(s.pty));
	STAGE_STATE(&s, "streaming");
	PTY_LOSES_LATER(s.pty, "sideways");
	PTY_REDRAWS(s.pty);
	stage_drop(&s);
}

#define WORDS "sent chatcmpl-hand to the terminal"

/* Beside a card they are on the hairline above the input, whose keys do not work then; the card's own stay. */
static void passing_words_take_no_key_of_a_card_away(void)
{
	static const struct { unsigned rows, columns; } sizes[] = { { 24, 80 }, { 40, 120 }, { 12, 40 }, { 15, 60 } };
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "go", "Something.");
	pty_send(s.pty, "\x0F");
	PTY_SEES(s.pty, "Details of the last turn");
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		pty_resize(s.pty, sizes[i].rows, sizes[i].columns);
		pty_send(s.pty, "y");
		CU_ASSERT_TRUE(pty_settle(s.pty));
		CHECK(pty_find_row(s.pty, WORDS) >= 0 && pty_find_row(s.pty, "Esc back") >= 0, "%u rows: %s", sizes[i].rows, pty_dump(s.pty));
		CHECK(sizes[i].rows < 24 || stands_on_a_row_with(s.pty, WORDS, "\u2500\u2500\u2500\u2500"), "%s", pty_dump(s.pty));
	}
	pty_send(s.pty, "p");
	PTY_WAIT(s.pty, pty_tells, "to the terminal");
	PTY_SEES(s.pty, "Esc back"); /* a path is too long for the hairline */
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc back");
	stage_close(&s);
}

#define AT_ONCE "the result arrived at once"

/* A docked sheet's keys are on that hairline: the words share it, or stand above the sheet. */
static void passing_words_take_no_key_of_a_docked_sheet_away(void)
{
	static const char keys[] = "Alt-s skip, not run   Esc later   Enter gives this result";
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 160 });
	stage_begin(&s, "weather?");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "Tool call 1 of 1");
	pty_send(s.pty, "at once\r");
	PTY_SEES(s.pty, AT_ONCE);
	CHECK(stands_on_a_row_with(s.pty, AT_ONCE, keys), "%s", pty_dump(s.pty));
	pty_resize(s.pty, 24, 80);
	CU_ASSERT_TRUE(pty_settle(s.pty));
	CHECK(pty_find_row(s.pty, AT_ONCE) == pty_find_row(s.pty, "Tool call 1 of 1") - 1, "%s", pty_dump(s.pty));
	CHECK(pty_find_row(s.pty, keys) >= 0 && pty_find_row(s.pty, "> at once") >= 0, "%s", pty_dump(s.pty));
	pty_send(s.pty, K_ESC);
	stage_close(&s);
}

/* A message gives way to the next key once it could be read, and never covers the keys of the panes. */
static void passing_words_give_way(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 24, .columns = 60, .turns = true });
	stage_begin(&s, "go");
	hand_text(s.server, "Something.");
	PTY_SEES(s.pty, "Something.");
	pty_enter(s.pty, "second");
	PTY_SEES(s.pty, "1 queued");
	pty_enter(s.pty, "/thoughts sideways");
	PTY_WAIT(s.pty, pty_tells, "(not \"sideways\")");
	CHECK(pty_find_row(s.pty, "Up edit") >= 0 && pty_find_row(s.pty, " 1  second") >= 0, "%s", pty_dump(s.pty));
	pty_turn(s.pty, 1100);
	pty_send(s.pty, "x");
	PTY_SEES(s.pty, "> x");
	CHECK(pty_find_row(s.pty, "sideways") < 0, "%s", pty_dump(s.pty));
	stage_drop(&s);
}

static bool is_accented(struct pty *p, const void *text)
{
	unsigned row, column;

	return pty_find(p, text, &row, &column) && pty_cell(p, row, column).foreground == 6;
}

static bool is_not_accented(struct pty *p, const void *text)
{
	return pty_shows(p, text) && !is_accented(p, text);
}

/* Line, name and keys of the focused pane, also during an answer; the prompt sign of the input is accented when it has the focus. */
static void the_focus_shows_while_an_answer_streams(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "why?");
	hand_reasoning(s.server, "thought 1.\nthought 2.\n");
	PTY_SEES(s.pty, "thought 2.");
	PTY_WAIT(s.pty, is_accented, ">");
	CHECK(is_not_accented(s.pty, "\u2500\u2500 reasoning"), "%s", pty_dump(s.pty));
	pty_send(s.pty, K_SHIFT_TAB);
	PTY_WAIT(s.pty, is_accented, "\u2500\u2500 reasoning");
	CHECK(stands_on_a_row_with(s.pty, "\u2500\u2500 reasoning", "j k scroll   y copy"), "%s", pty_dump(s.pty));
	CHECK(is_not_accented(s.pty, ">"), "%s", pty_dump(s.pty));
	CHECK(pty_find_row(s.pty, "Esc stop") >= 0, "%s", pty_dump(s.pty));
	pty_send(s.pty, "y");
	PTY_SEES(s.pty, "sent 22 characters to the terminal"); /* of the reasoning */
	pty_send(s.pty, K_SHIFT_TAB);
	PTY_WAIT(s.pty, is_accented, "\u2500\u2500 page");
	CHECK(is_not_accented(s.pty, "\u2500\u2500 reasoning"), "%s", pty_dump(s.pty));
	CHECK(stands_on_a_row_with(s.pty, "\u2500\u2500 page", "j k scroll"), "%s", pty_dump(s.pty));
	pty_send(s.pty, "\t\t");
	PTY_WAIT(s.pty, is_accented, ">");
	stage_drop(&s);
}

/* What `t` does to the fold that the page is on; nothing is offered without one, and no retry while an answer comes. */
static void the_page_names_the_keys_that_work(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "why?");
	hand_text(s.server, "Because.");
	PTY_SEES(s.pty, "Because.");
	pty_send(s.pty, K_SHIFT_TAB);
	PTY_SEES(s.pty, "Alt-v select   d details   j k scroll   y copy   Esc stop");
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "Alt-r retry   d details   j k scroll   y copy   Esc back");
	pty_send(s.pty, K_ESC);
	stage_begin(&s, "and why that?");
	hand_reasoning(s.server, "a thought");
	hand_text(s.server, "Therefore.");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_SHIFT_TAB);
	PTY_SEES(s.pty, "f unfold   j k scroll");
	pty_send(s.pty, "f");
	PTY_SEES(s.pty, "f fold   j k scroll");
	pty_send(s.pty, "f");
	PTY_SEES(s.pty, "f unfold   j k scroll");
	stage_close(&s);
}

static void j_and_k_scroll(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	stage_rows(&s, 1, 60);
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "row 60");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_SHIFT_TAB "kk");
	PTY_LOSES(s.pty, "row 59");
	PTY_SEES(s.pty, "row 58");
	pty_send(s.pty, "j");
	PTY_SEES(s.pty, "row 59");
	PTY_SEES(s.pty, "Esc back");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc back");
	stage_close(&s);
}

static bool shows_without(struct pty *p, const char *shown, const char *hidden)
{
	return pty_find_row(p, shown) >= 0 && pty_find_row(p, hidden) < 0;
}

static void the_end_is_offered_by_the_key_that_leads_there(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "rows");
	stage_rows(&s, 1, 60);
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "row 60");
	STAGE_OVER(&s);
	pty_send(s.pty, K_PGUP);
	PTY_SEES(s.pty, "End for the latest");
	pty_send(s.pty, "draft");
	PTY_SEES(s.pty, "Ctrl-End for the latest"); /* End belongs to the draft */
	pty_send(s.pty, "\x1B[1;5F");
	PTY_SEES(s.pty, "row 60");
	PTY_LOSES(s.pty, "for the latest");
	stage_close(&s);
}

static void esc_is_offered_where_it_takes_prompts_back(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "first");
	pty_send(s.pty, "second\r");
	PTY_SEES(s.pty, "1 queued");
	PTY_SEES(s.pty, "Esc stop");
	pty_send(s.pty, "draft" K_ESC);
	PTY_LOSES(s.pty, "Esc stop");
	PTY_SEES(s.pty, "1 queued");
	CHECK(shows_without(s.pty, " > draft", "take back"), "with a draft it does nothing");
	pty_send(s.pty, "\x15");
	PTY_SEES(s.pty, "1 queued");
	PTY_SEES(s.pty, "Up edit   Esc take back");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, " > second");
	stage_close(&s);
}

static void letters_are_offered_where_they_are_commands(void)
{
	struct stage s;

	stage_open(&s, NULL);
	PTY_SEES(s.pty, "? help");
	pty_send(s.pty, "a");
	PTY_SEES(s.pty, "F1 help"); /* a question mark would be text */
	pty_send(s.pty, "\x15\t");
	PTY_SEES(s.pty, "? help");
	CHECK(pty_find_row(s.pty, "r retry") < 0, "there is no turn");
	pty_send(s.pty, K_ESC);
	stage_turn(&s, "hello", "Good day, good day.");
	PTY_SEES(s.pty, "Good day, good day.");
	pty_send(s.pty, "\t");
	PTY_SEES(s.pty, "Alt-r retry   d details");
	pty_send(s.pty, "/");
	PTY_SEES(s.pty, "search");
	pty_send(s.pty, "good\r");
	PTY_SEES(s.pty, "n older   N newer   Esc done");
	pty_send(s.pty, "\t"); /* to the input, where letters are text */
	PTY_SEES(s.pty, "Alt-n older   Alt-N newer   Esc done");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc done");
	pty_send(s.pty, "x\x01/re");
	PTY_SEES(s.pty, "Tab take   Esc close");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc close");
	stage_close(&s);
}

/* The end of an error says why: on the smallest screen it is there, and what has no room is marked. */
static void a_long_message_has_room_on_the_smallest_screen(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 6, .columns = 20 });
	pty_enter(s.pty, "/attach /nowhere/at/all/of/it");
	PTY_SEES(s.pty, "cannot open");
	PTY_WAIT(s.pty, pty_tells, "No such file or directory");
	PTY_SEES(s.pty, " >");
	pty_enter(s.pty, "/attach /nowhere/at/all/nor/in/any/other/place/that/is/known/to/anyone/here");
	PTY_SEES(s.pty, "\u2026");
	stage_close(&s);
}

const struct suite suite_screen_hints = { "screen_hints", (const struct test[]){
	TEST(a_long_message_has_room_on_the_smallest_screen),
	TEST(passing_words_leave_state_and_keys_alone),
	TEST(a_long_passing_word_takes_no_key_away),
	TEST(passing_words_take_no_key_of_a_card_away),
	TEST(passing_words_take_no_key_of_a_docked_sheet_away),
	TEST(passing_words_give_way),
	TEST(the_focus_shows_while_an_answer_streams),
	TEST(the_page_names_the_keys_that_work),
	TEST(j_and_k_scroll),
	TEST(the_end_is_offered_by_the_key_that_leads_there),
	TEST(esc_is_offered_where_it_takes_prompts_back),
	TEST(letters_are_offered_where_they_are_commands),
	{ 0 },
} };
