/* The full screen from the start: a newcomer's first minutes, leaving, and what the terminal is left as. */
#include <signal.h>
#include <string.h>

#include "support/check.h"
#include "support/home.h"
#include "support/pty.h"

static struct pty *start(void)
{
	struct pty *p = pty_start(&(struct pty_options){ 0 });
	PTY_SEES(p, "A live view of what models say.");
	return p;
}

static void a_newcomer_sees_the_demo(void)
{
	struct pty *p = start();
	PTY_SEES(p, "demo \u00b7 demo-1 \u00b7 openai-chat");
	PTY_SEES(p, "show me reasoning");
	PTY_SEES(p, "Ctrl-P commands   ? help");
	CU_ASSERT_TRUE(pty_is_alternate(p));
	CU_ASSERT_TRUE(pty_takes_paste(p));
	CU_ASSERT_TRUE(pty_cursor_is_shown(p));
	CU_ASSERT_EQUAL(pty_cursor_row(p), 22);
	CU_ASSERT_EQUAL(pty_cursor_column(p), 3);
	CHECK_STR(str_from(pty_row(p, 22)), " >");
	pty_send(p, K_CTRL('d'));
	PTY_ENDS(p, 0);
	PTY_RESTORED(p);
	pty_free(p);
}

const struct suite suite_screen_start = { "screen_start", (const struct test[]){
	TEST(a_newcomer_sees_the_demo),
	{ 0 },
} };
