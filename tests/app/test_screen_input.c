/* The input of the full screen: lines, pastes, earlier prompts, editing. */
#include <string.h>

#include "stage.h"
#include "support/check.h"

static void new_lines_do_not_send(void)
{
	static const char *const keys[] = { "\n", "\x1B\r" }; /* Ctrl-J, Alt-Enter */

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		stage_open(&s, NULL);
		pty_send(s.pty, "one");
		pty_send(s.pty, keys[i]);
		pty_send(s.pty, "two");
		PTY_SEES(s.pty, "   two");
		CHECK(pty_find_row(s.pty, "> one") == 21 && pty_find_row(s.pty, "   two") == 22, "key %zu: the input has grown upwards", i);
		pty_send(s.pty, "\r");
		hand_accept(s.server);
		CHECK(stage_sent(&s, "one\\ntwo"), "key %zu", i);
		stage_close(&s);
	}
}

/* A paste without brackets: line ends are not Enter, and a slash or a question mark opens nothing. */
static void a_paste_without_brackets_does_not_send(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/first\rsecond\r\n?third\r");
	PTY_SEES(s.pty, "> /first");
	PTY_SEES(s.pty, "   second");
	PTY_SEES(s.pty, "   ?third");
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "A live view");
	pty_send(s.pty, "end\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "/first\\nsecond\\n?third\\nend"));
	stage_close(&s);
}

static void a_long_input_takes_a_third_and_scrolls(void)
{
	struct stage s;

	stage_open(&s, NULL);
	for (int i = 1; i <= 30; i++)
		pty_send(s.pty, "poem\n");
	pty_send(s.pty, "the last");
	PTY_SEES(s.pty, "   the last");
	CHECK(pty_find_row(s.pty, "poem") >= 14, "a third at most: from row %d", pty_find_row(s.pty, "poem"));
	CU_ASSERT_EQUAL(pty_cursor_row(s.pty), 22);
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void up_and_down_walk_earlier_prompts(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "alpha", "A.");
	stage_turn(&s, "beta", "B.");
	pty_send(s.pty, "draft");
	PTY_SEES(s.pty, " > draft");
	pty_send(s.pty, K_UP);
	PTY_SEES(s.pty, " > beta");
	pty_send(s.pty, K_UP K_UP);
	PTY_SEES(s.pty, " > alpha");
	pty_send(s.pty, K_DOWN);
	PTY_SEES(s.pty, " > beta");
	pty_send(s.pty, K_DOWN);
	PTY_SEES(s.pty, " > draft");
	pty_send(s.pty, K_UP K_UP "\r");
	hand_accept(s.server);
	CHECK(strstr(hand_body(s.server), "alpha") != strrchr(hand_body(s.server), 'a'), "sent again: %s", hand_body(s.server));
	stage_close(&s);
}

const struct suite suite_screen_input = { "screen_input", (const struct test[]){
	TEST(new_lines_do_not_send),
	TEST(a_paste_without_brackets_does_not_send),
	TEST(a_long_input_takes_a_third_and_scrolls),
	TEST(up_and_down_walk_earlier_prompts),
	{ 0 },
} };
