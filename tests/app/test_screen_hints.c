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

#define WORDS "sent the response id chatcmpl-hand"

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

	stage_open(&s, &(struct stage_options){ .top = "text_width = 0\n", .columns = 160 });
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
	PTY_SEES(s.pty, "sent the reasoning, 22 characters, to the terminal"); /* of the reasoning */
	pty_send(s.pty, K_SHIFT_TAB);
	PTY_WAIT(s.pty, is_accented, "\u2500\u2500 page");
	CHECK(is_not_accented(s.pty, "\u2500\u2500 reasoning"), "%s", pty_dump(s.pty));
	CHECK(stands_on_a_row_with(s.pty, "\u2500\u2500 page", "j k scroll"), "%s", pty_dump(s.pty));
	pty_send(s.pty, "\t\t");
	PTY_WAIT(s.pty, is_accented, ">");
	stage_drop(&s);
}

static bool shows_without(struct pty *p, const char *shown, const char *hidden)
{
	return pty_find_row(p, shown) >= 0 && pty_find_row(p, hidden) < 0;
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

const struct suite suite_screen_hints = { "screen_hints", (const struct test[]){
	TEST(passing_words_take_no_key_of_a_card_away),
	TEST(passing_words_take_no_key_of_a_docked_sheet_away),
	TEST(the_focus_shows_while_an_answer_streams),
	TEST(esc_is_offered_where_it_takes_prompts_back),
	{ 0 },
} };
