/* Searching, jumping, the wheel and copying on the full screen. */
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "stage.h"
#include "support/check.h"

#define WHEEL_UP_AT_TOP "\x1B[<64;10;5M"
#define WHEEL_DOWN_AT_TOP "\x1B[<65;10;5M"

static void open_with_rows(struct stage *s, unsigned rows)
{
	stage_open(s, NULL);
	stage_turn_rows(s, "question", rows);
}

/* Whether the clipboard received exactly this text. */
static bool has_copied(const struct stage *s, const char *text)
{
	struct buf sequence;

	buf_init(&sequence, 1 << 20);
	buf_add_z(&sequence, "\x1B]52;c;");
	base64_encode(str_from(text), &sequence);
	buf_add_z(&sequence, "\a");
	bool copied = pty_has_written(s->pty, buf_z(&sequence));
	buf_fini(&sequence);
	return copied;
}

/* --- copying --- */

#define ANSWER "Some **bold** words:\n\n1. first\n\n   ```c\n   int a;\n\n   \treturn a;\n   ```\n\nand the end."

static void copies_what_was_said_as_its_source(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "there is no answer yet");
	stage_turn(&s, "hello", ANSWER);
	CHECK(!pty_has_written(s.pty, "\x1B]52;"), "not before it was asked for");
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "sent the answer, 85 characters, to the terminal (OSC 52)");
	CHECK(has_copied(&s, ANSWER), "the answer");
	pty_send(s.pty, "/copy code\r");
	PTY_SEES(s.pty, "sent the code block, 19 characters, to the terminal (OSC 52)");
	CHECK(has_copied(&s, "int a;\n\n\treturn a;\n"), "the code, without list and fence");
	pty_send(s.pty, "/copy turn\r");
	PTY_SEES(s.pty, "sent the question and its answer, 92 characters, to the terminal (OSC 52)");
	CHECK(has_copied(&s, "hello\n\n" ANSWER), "question and answer");
	pty_send(s.pty, "/copy id\r");
	PTY_SEES(s.pty, "sent the response id chatcmpl-hand to the terminal (OSC 52)");
	CHECK(has_copied(&s, "chatcmpl-hand"), "the id");
	pty_send(s.pty, "/copy sense\r");
	PTY_SEES(s.pty, "it can be answer, code, table, turn, all, reasoning, calls, picture, id, tape,");
	stage_close(&s);
}

/* Where an id or a name is pasted, it is one line and acts on nothing. */
static void names_are_copied_as_they_are_shown(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "hello");
	hand_answer(s.server, 200, "text/event-stream");
	hand_send(s.server, "data: {\"id\":\"i\\u001b[201~\\nls\\u202e\",\"model\":\"m\\u001b[2J\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi.\",\"tool_calls\":"
	                    "[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"n\\u001b]0;x\",\"arguments\":\"{}\"}}]},\"finish_reason\":null}]}\n\n");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, "/id\r");
	PTY_SEES(s.pty, "(OSC 52)");
	CHECK(has_copied(&s, "i\u241b[201~\u240als\uFFFD"), "the id");
	pty_send(s.pty, "/copy calls\r");
	PTY_SEES(s.pty, "sent the tool calls, 10 characters");
	CHECK(has_copied(&s, "n\u241b]0;x {}\n"), "the call");
	stage_close(&s);
}

static void keys_copy_in_the_transcript(void)
{
	static const struct { const char *keys, *says, *copied; } cases[] = {
		{ "\t\x19", "sent the answer, 85 characters, to the terminal (OSC 52)", ANSWER }, { "\ty", "sent the answer, 85 characters, to the terminal (OSC 52)", ANSWER },
		{ "/copy code\r", "sent the code block, 19 characters, to the terminal (OSC 52)", "int a;\n\n\treturn a;\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;

		stage_open(&s, NULL);
		stage_turn(&s, "hello", ANSWER);
		pty_send(s.pty, cases[i].keys);
		PTY_WAIT(s.pty, pty_shows, cases[i].says);
		CHECK(has_copied(&s, cases[i].copied), "case %zu", i);
		stage_close(&s);
	}
}

static void what_is_too_long_for_terminals_is_told(void)
{
	struct stage s;

	open_with_rows(&s, 9000);
	pty_send(s.pty, "/copy\r");
	PTY_WAIT(s.pty, pty_tells, "nothing was copied: the answer, 79,893 characters, which is more than terminals take (OSC 52)");
	CHECK(!pty_has_written(s.pty, "\x1B]52;"), "nothing was sent");
	pty_send(s.pty, "/copy code\r");
	PTY_SEES(s.pty, "there is no code block above");
	stage_close(&s);
}

/* --- the wheel --- */

static void the_wheel_scrolls_by_three_rows(void)
{
	struct stage s;

	open_with_rows(&s, 60);
	CU_ASSERT_TRUE(pty_takes_mouse(s.pty));
	CHECK_STR(str_from(pty_row(s.pty, 20)), " row 60");
	pty_send(s.pty, "typed" WHEEL_UP_AT_TOP);
	PTY_LOSES(s.pty, "row 58");
	PTY_SEES(s.pty, "row 57");
	PTY_SEES(s.pty, "End for the latest");
	PTY_SEES(s.pty, "> typed");
	pty_send(s.pty, WHEEL_DOWN_AT_TOP);
	PTY_SEES(s.pty, "row 60");
	PTY_LOSES(s.pty, "End for the latest");
	stage_close(&s);
}

static void the_wheel_scrolls_the_pane_under_it(void)
{
	struct stage s;
	char row[32];

	stage_open(&s, NULL);
	stage_begin(&s, "think");
	for (int i = 1; i <= 30; i++) {
		snprintf(row, sizeof row, "thought %d\n", i);
		hand_reasoning(s.server, row);
	}
	PTY_SEES(s.pty, "thought 30");
	snprintf(row, sizeof row, "\x1B[<64;3;%dM", pty_find_row(s.pty, "thought 30") + 1);
	pty_send(s.pty, row);
	PTY_LOSES(s.pty, "thought 28");
	PTY_SEES(s.pty, "thought 27");
	row[4] = '5'; /* down */
	pty_send(s.pty, row);
	PTY_SEES(s.pty, "thought 30");
	stage_close(&s);
}

static void the_wheel_moves_in_menus_and_sheets(void)
{
	struct stage s;

	stage_open_answered(&s);
	pty_resize(s.pty, 16, 60);
	pty_send(s.pty, "\x0F");
	PTY_SEES(s.pty, "outcome");
	pty_send(s.pty, WHEEL_DOWN_AT_TOP);
	PTY_LOSES(s.pty, "outcome");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details");
	pty_resize(s.pty, 24, 80);
	pty_send(s.pty, K_F5);
	PTY_SEES(s.pty, "Theme");
	pty_send(s.pty, WHEEL_DOWN_AT_TOP WHEEL_DOWN_AT_TOP WHEEL_UP_AT_TOP);
	PTY_SEES(s.pty, ">   auto");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Theme");
	stage_close(&s);
}

static bool leaves_the_mouse(struct pty *p, const void *ctx)
{
	(void)ctx;
	return !pty_takes_mouse(p);
}

static void the_mouse_is_let_go_by_key_word_and_setting(void)
{
	static const char *const keys[] = { K_ALT("w"), "/mouse\r" };

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		stage_open(&s, NULL);
		CU_ASSERT_TRUE(pty_takes_mouse(s.pty));
		pty_send(s.pty, keys[i]);
		PTY_SEES(s.pty, "the mouse is the terminal's");
		PTY_WAIT(s.pty, leaves_the_mouse, NULL);
		pty_send(s.pty, keys[i]);
		PTY_SEES(s.pty, "hold Shift for");
		CU_ASSERT_TRUE(pty_takes_mouse(s.pty));
		stage_close(&s);
	}
	char *home = home_new();
	home_write(home, ".config/weir/weir.conf", "mouse = no\n");
	struct pty *p = pty_start(&(struct pty_options){ .home = home });
	PTY_SEES(p, "A live view");
	CHECK(!pty_has_written(p, "\x1B[?1000h"), "the terminal keeps the mouse");
	pty_free(p);
	home_free(home);
}

/* --- search --- */

/* Whether the cells of a text on the screen differ in style from the word before them. */
static bool is_marked(struct pty *p, const char *text)
{
	unsigned row, column;

	if (!pty_find(p, text, &row, &column))
		return false;
	struct pty_cell cell = pty_cell(p, row, column), plain = pty_cell(p, row, 0);
	return cell.reverse != plain.reverse || cell.background != plain.background || cell.bold != plain.bold || cell.underline != plain.underline;
}

static bool shows_marked(struct pty *p, const void *text)
{
	return is_marked(p, text);
}

static bool shows_plain(struct pty *p, const void *text)
{
	return pty_shows(p, text) && !is_marked(p, text);
}

static void each_letter_finds_the_newest_hit_above(void)
{
	struct stage s;

	open_with_rows(&s, 200);
	pty_send(s.pty, K_CTRL('f'));
	PTY_SEES(s.pty, "search");
	pty_send(s.pty, "ROW 3");
	PTY_SEES(s.pty, "not found");
	PTY_SEES(s.pty, "row 200");
	pty_send(s.pty, "\x15row 3");
	PTY_SEES(s.pty, "11 of 11");
	PTY_SEES(s.pty, "row 39");
	PTY_LOSES(s.pty, "row 200");
	CHECK(pty_find_row(s.pty, "row 39") <= 8, "in the upper third: %d", pty_find_row(s.pty, "row 39"));
	PTY_WAIT(s.pty, shows_marked, "row 38");
	PTY_WAIT(s.pty, shows_plain, "row 41");
	pty_send(s.pty, K_UP K_UP "\x06");
	PTY_SEES(s.pty, "8 of 11");
	pty_send(s.pty, K_DOWN);
	PTY_SEES(s.pty, "9 of 11");
	pty_send(s.pty, "1");
	PTY_SEES(s.pty, "1 of 1");
	PTY_WAIT(s.pty, shows_marked, "row 31");
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "row 200");
	PTY_LOSES(s.pty, "search");
	stage_close(&s);
}

static void steps_go_on_after_enter(void)
{
	static const struct { const char *opens, *hint, *older, *newer; } ways[] = { /* from the page, where letters do it, and from the input */
		{ "\x06", "11 of 11   Alt-n older   Alt-N newer", K_ALT("n"), K_ALT("N") }, { "\t/", "11 of 11   n older   N newer", "n", "N" },
		{ "/search\r", "11 of 11   Alt-n older   Alt-N newer", K_ALT("n"), K_ALT("N") },
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct stage s;

		open_with_rows(&s, 200);
		pty_send(s.pty, ways[i].opens);
		PTY_SEES(s.pty, "search");
		pty_send(s.pty, "row 5\r");
		pty_wait(s.pty, pty_shows, ways[i].hint, ways[i].hint, __FILE__, __LINE__);
		PTY_WAIT(s.pty, shows_marked, "row 59");
		pty_send(s.pty, ways[i].newer);
		PTY_SEES(s.pty, "there is no newer hit");
		for (int n = 0; n < 10; n++) /* the key is held down */
			pty_send(s.pty, ways[i].older);
		PTY_SEES(s.pty, " 1 of 11");
		PTY_WAIT(s.pty, shows_marked, "row 5");
		pty_send(s.pty, ways[i].newer);
		PTY_SEES(s.pty, "2 of 11");
		pty_press(s.pty, K_ESC);
		PTY_LOSES(s.pty, "of 11");
		PTY_WAIT(s.pty, shows_plain, "row 50");
		pty_send(s.pty, K_ALT("n"));
		PTY_SEES(s.pty, "nothing is searched");
		stage_close(&s);
	}
}

static void a_search_begins_where_one_reads(void)
{
	struct stage s;

	open_with_rows(&s, 200);
	pty_send(s.pty, K_HOME);
	PTY_LOSES(s.pty, "row 200");
	PTY_SEES(s.pty, "row 15");
	pty_send(s.pty, K_CTRL('f'));
	pty_send(s.pty, "row 1");
	PTY_SEES(s.pty, "of 111");
	PTY_SEES(s.pty, "row 15");
	PTY_LOSES(s.pty, "row 199");
	pty_send(s.pty, "99");
	PTY_SEES(s.pty, "row 199");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "row 15");
	PTY_LOSES(s.pty, "row 199");
	stage_close(&s);
}

static void folded_parts_unfold_on_a_hit(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "think");
	hand_reasoning(s.server, "So many words that the line of a fold has no room for all of them, and then: a hidden Pearl lies here.");
	hand_text(s.server, "Done.");
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "Done.");
	STAGE_STATE(&s, "ready");
	PTY_LOSES(s.pty, "Pearl");
	pty_send(s.pty, K_CTRL('f'));
	pty_send(s.pty, "pearl");
	PTY_WAIT(s.pty, shows_marked, "Pearl");
	pty_send(s.pty, "x");
	PTY_SEES(s.pty, "not found");
	PTY_LOSES(s.pty, "Pearl");
	pty_send(s.pty, "\x7F");
	PTY_SEES(s.pty, "Pearl");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Pearl");
	pty_send(s.pty, "/search pearl\r");
	PTY_SEES(s.pty, "1 of 1");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "n older");
	PTY_WAIT(s.pty, shows_marked, "Pearl");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void hits_are_marked_over_line_breaks(void)
{
	static const char answer[] = "Words and words and words to fill this row up to its end, so that the amber lantern is cut";
	static const char prompt[] = "Words and words to fill this row of a prompt, so that the amber lantern is cut";
	char item[200];

	for (int i = 0; i < 3; i++) {
		struct stage s;

		stage_open(&s, NULL);
		snprintf(item, sizeof item, "%s%s", i == 1 ? "- " : "", answer);
		stage_turn(&s, i == 2 ? prompt : "hello", i == 2 ? "Yes." : item);
		pty_send(s.pty, K_CTRL('f'));
		pty_send(s.pty, "amber lantern");
		PTY_SEES(s.pty, "1 of 1");
		CHECK(pty_find_row(s.pty, "amber") < pty_find_row(s.pty, "lantern"), "text %d is broken there", i);
		PTY_WAIT(s.pty, shows_marked, "amber");
		PTY_WAIT(s.pty, shows_marked, "lantern");
		PTY_WAIT(s.pty, shows_plain, "is cut");
		stage_close(&s);
	}
}

/* --- new lines and jumps --- */

static bool begins_with(struct pty *p, const void *text)
{
	return strstr(pty_row(p, 0), text) || strstr(pty_row(p, 1), text); /* a prompt, or an answer below its head */
}

static void braces_jump_by_turn(void)
{
	char answer[2000];
	struct stage s;

	stage_open(&s, NULL);
	strcpy(answer, "First");
	for (int i = 0; i < 40; i++)
		strcat(answer, "\n\nmore");
	stage_turn(&s, "alpha", "A.");
	stage_begin(&s, "beta");
	hand_text(s.server, answer);
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "more");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, "\t{");
	PTY_WAIT(s.pty, begins_with, "First");
	pty_send(s.pty, "{");
	PTY_WAIT(s.pty, begins_with, "beta");
	pty_send(s.pty, "{{");
	PTY_WAIT(s.pty, begins_with, "alpha");
	pty_send(s.pty, "}}");
	PTY_WAIT(s.pty, begins_with, "beta");
	pty_send(s.pty, "}}");
	PTY_LOSES(s.pty, "End for the latest");
	stage_close(&s);
}

static bool is_first(struct pty *p, const void *text)
{
	return strstr(pty_row(p, 0), text) != NULL;
}

static void letters_jump_by_code_and_by_error(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "code");
	stage_rows(&s, 1, 30);
	hand_text(s.server, "\n```c\nint a;\n```\n\n");
	stage_rows(&s, 31, 30);
	hand_finish(s.server, "length");
	STAGE_STATE(&s, "ready");
	stage_begin(&s, "more");
	stage_rows(&s, 61, 40);
	hand_text(s.server, "\n```py\nb = 1\n```\n\n");
	stage_rows(&s, 101, 30);
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "row 130");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, "\t(");
	PTY_WAIT(s.pty, is_first, "py");
	pty_send(s.pty, "(");
	PTY_WAIT(s.pty, is_first, "c");
	PTY_SEES(s.pty, "int a;");
	pty_send(s.pty, "(");
	PTY_SEES(s.pty, "there is no code block or table above");
	pty_send(s.pty, ")");
	PTY_WAIT(s.pty, is_first, "py");
	pty_send(s.pty, "-");
	PTY_WAIT(s.pty, is_first, "The answer reached its token limit");
	pty_send(s.pty, K_HOME "+");
	PTY_WAIT(s.pty, is_first, "The answer reached its token limit");
	pty_send(s.pty, "+"); /* there is no error below: it is text */
	PTY_SEES(s.pty, " > +");
	stage_close(&s);
}

const struct suite suite_screen_find = { "screen_find", (const struct test[]){
	TEST(copies_what_was_said_as_its_source), TEST(names_are_copied_as_they_are_shown),
	TEST(keys_copy_in_the_transcript),
	TEST(what_is_too_long_for_terminals_is_told),
	TEST(the_wheel_scrolls_by_three_rows),
	TEST(the_wheel_scrolls_the_pane_under_it),
	TEST(the_wheel_moves_in_menus_and_sheets),
	TEST(the_mouse_is_let_go_by_key_word_and_setting),
	TEST(each_letter_finds_the_newest_hit_above),
	TEST(steps_go_on_after_enter),
	TEST(a_search_begins_where_one_reads),
	TEST(folded_parts_unfold_on_a_hit),
	TEST(hits_are_marked_over_line_breaks),
	TEST(braces_jump_by_turn),
	TEST(letters_jump_by_code_and_by_error),
	{ 0 },
} };
