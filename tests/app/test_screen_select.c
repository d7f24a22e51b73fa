/* Selecting on the full screen: lines by keys, of which the source is copied, and text with the mouse. */
#include <stdio.h>

#include "base/base64.h"
#include "stage.h"
#include "support/check.h"

#define ANSWER "Title\n=====\n\nSome **bold** words.\n\n```c\nint a;\nint b;\n```\n\nthe end"

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

static void open_with_answer(struct stage *s)
{
	stage_open(s, NULL);
	stage_turn(s, "hello", ANSWER);
}

/* `column` counts from 1, in the row of a text. */
static void mouse(const struct stage *s, unsigned button, unsigned column, const char *text, char final)
{
	char bytes[32];

	snprintf(bytes, sizeof bytes, "\x1B[<%u;%u;%d%c", button, column, pty_find_row(s->pty, text) + 1, final);
	pty_send(s->pty, bytes);
}

static bool is_marked(const struct stage *s, const char *text)
{
	int row = pty_find_row(s->pty, text);

	return row >= 0 && pty_cell(s->pty, (unsigned)row, 5).reverse && str_is(str_from(pty_cell(s->pty, (unsigned)row, 0).text), "\u2503");
}

/* --- keys --- */

static void keys_select_whole_lines(void)
{
	struct stage s;

	open_with_answer(&s);
	pty_send(s.pty, "\t" K_ALT("v"));
	PTY_SEES(s.pty, "1 line, 7 characters   y copy   o other end   Esc back");
	CU_ASSERT(is_marked(&s, "the end") && !is_marked(&s, "int b;"));
	CU_ASSERT(pty_cursor_is_shown(s.pty) && pty_cursor_row(s.pty) == (unsigned)pty_find_row(s.pty, "the end"));
	pty_send(s.pty, K_UP "k");
	PTY_SEES(s.pty, "4 lines, 19 characters");
	CU_ASSERT(is_marked(&s, "int b;") && !is_marked(&s, "int a;"));
	pty_send(s.pty, "y");
	PTY_SEES(s.pty, "sent 4 lines, 19 characters, to the terminal (OSC 52)");
	CHECK(has_copied(&s, "int b;\n```\n\nthe end"), "with the end of the block between");
	CU_ASSERT_FALSE(is_marked(&s, "the end"));
	stage_close(&s);
}

static void ends_are_swapped_and_set_anew(void)
{
	struct stage s;

	open_with_answer(&s);
	pty_send(s.pty, K_ALT("v") "kkk");
	PTY_SEES(s.pty, "5 lines, 26 characters");
	pty_send(s.pty, "o");
	pty_send(s.pty, "kk");
	PTY_SEES(s.pty, "2 lines, 13 characters");
	pty_send(s.pty, "k (");
	PTY_SEES(s.pty, "2 lines, 11 characters");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "sent 2 lines, 11 characters");
	CHECK(has_copied(&s, "```c\nint a;"), "the fence of the block has a row: its language");
	stage_close(&s);
}

/* --- the mouse --- */

/* Whether the cells [from, to) of a row are marked, and none beside them. */
static bool marks(const struct stage *s, const char *text, unsigned from, unsigned to)
{
	int row = pty_find_row(s->pty, text);

	for (unsigned column = 0; row >= 0 && column < 79; column++)
		if (pty_cell(s->pty, (unsigned)row, column).reverse != (column >= from && column < to))
			return false;
	return row >= 0;
}

static void dragging_selects_and_letting_go_copies(void)
{
	struct stage s;

	open_with_answer(&s);
	mouse(&s, 0, 4, "Some bold", 'M');
	mouse(&s, 32, 13, "Some bold", 'M');
	PTY_SEES(s.pty, "10 characters   release to copy");
	CU_ASSERT(marks(&s, "Some bold", 3, 13));
	mouse(&s, 32, 4, "int a", 'M');
	PTY_SEES(s.pty, "3 lines   release to copy");
	CU_ASSERT(marks(&s, "Some bold", 3, 17) && marks(&s, "int a", 3, 4) && marks(&s, "int b", 0, 0));
	mouse(&s, 32, 13, "Some bold", 'M');
	mouse(&s, 0, 13, "Some bold", 'm');
	PTY_SEES(s.pty, "sent 10 characters to the terminal (OSC 52)");
	CHECK(has_copied(&s, "me bold wo"), "the text of the cells");
	CU_ASSERT(marks(&s, "Some bold", 3, 13));
	pty_send(s.pty, "y"); /* letters are text again */
	PTY_SEES(s.pty, "> y");
	CU_ASSERT(marks(&s, "Some bold", 0, 0));
	stage_close(&s);
}

static void a_click_selects_nothing(void)
{
	struct stage s;

	open_with_answer(&s);
	mouse(&s, 0, 3, "Some bold", 'M');
	mouse(&s, 0, 3, "Some bold", 'm');
	mouse(&s, 2, 3, "Some bold", 'M');
	mouse(&s, 34, 4, "int a", 'M');
	mouse(&s, 2, 4, "int a", 'm');
	pty_send(s.pty, "typed");
	PTY_SEES(s.pty, "> typed");
	CU_ASSERT(marks(&s, "Some bold", 0, 0));
	mouse(&s, 0, 3, "> typed", 'M'); /* not over the transcript */
	mouse(&s, 32, 4, "int a", 'M');
	mouse(&s, 0, 4, "int a", 'm');
	mouse(&s, 0, 4, "int a", 'M');
	mouse(&s, 32, 4, "int a", 'M');
	PTY_SEES(s.pty, "1 character   release to copy");
	mouse(&s, 0, 4, "int a", 'm');
	PTY_SEES(s.pty, "1 character   Esc done");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc done");
	PTY_SEES(s.pty, "> typed");
	stage_close(&s);
}

static void dragging_to_the_edge_scrolls(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn_rows(&s, "question", 60);
	PTY_LOSES(s.pty, "row 39");
	mouse(&s, 0, 7, "row 41", 'M');
	for (int i = 0; i < 3; i++)
		pty_send(s.pty, "\x1B[<32;2;1M");
	PTY_SEES(s.pty, "row 37");
	PTY_SEES(s.pty, "5 lines   release to copy");
	pty_send(s.pty, "\x1B[<0;2;1m");
	PTY_SEES(s.pty, "sent 5 lines, 34 characters");
	CHECK(has_copied(&s, "row 37\nrow 38\nrow 39\nrow 40\nrow 41"), "what came into view");
	stage_close(&s);
}

const struct suite suite_screen_select = { "screen_select", (const struct test[]){
	TEST(keys_select_whole_lines),
	TEST(ends_are_swapped_and_set_anew),
	TEST(dragging_selects_and_letting_go_copies),
	TEST(a_click_selects_nothing),
	TEST(dragging_to_the_edge_scrolls),
	{ 0 } } };
