/* Answers as markdown on the full screen: code that is cut at the edge and scrolled, and bytes that must not reach a terminal. */

#include "stage.h"
#include "support/check.h"

#define LONG_CODE "above\n\n```c\nbegin(); /* and on, and on, and on, and on, and on, and on, and on, and on, and on, */ end();\n```\nbelow\n"
#define WHEEL_RIGHT "\x1B[<67;10;3M"
#define SHIFT_WHEEL_UP "\x1B[<68;10;3M"

static void long_code_is_cut_and_scrolled(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "code", LONG_CODE);
	PTY_SEES(s.pty, "\u21B3 ");
	PTY_SEES(s.pty, "end();");
	pty_send(s.pty, K_ALT("z"));
	PTY_SEES(s.pty, "on,\u203A");
	PTY_LOSES(s.pty, "\u21B3 ");
	pty_send(s.pty, K_RIGHT);
	PTY_SEES(s.pty, "\u2039/* and on");
	pty_send(s.pty, K_RIGHT K_RIGHT K_RIGHT K_RIGHT K_RIGHT K_RIGHT K_RIGHT);
	PTY_SEES(s.pty, "end();");
	PTY_LOSES(s.pty, "\u203A");
	pty_send(s.pty, "typed" K_LEFT); /* now the arrow keys belong to the input */
	PTY_SEES(s.pty, "> typed");
	PTY_SEES(s.pty, "end();");
	pty_send(s.pty, SHIFT_WHEEL_UP SHIFT_WHEEL_UP SHIFT_WHEEL_UP);
	PTY_SEES(s.pty, "begin();");
	pty_send(s.pty, WHEEL_RIGHT);
	PTY_LOSES(s.pty, "begin();");
	pty_send(s.pty, K_SHIFT_TAB "<");
	PTY_SEES(s.pty, "begin();");
	pty_send(s.pty, ">");
	PTY_LOSES(s.pty, "begin();");
	pty_send(s.pty, K_ALT("z"));
	PTY_SEES(s.pty, "\u21B3 ");
	stage_close(&s);
}

const struct suite suite_screen_markdown = { "screen_markdown", (const struct test[]){
	TEST(long_code_is_cut_and_scrolled),
	{ 0 },
} };
