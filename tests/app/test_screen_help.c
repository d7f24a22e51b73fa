/* Help and details of the full screen, and copying the id of a response. */
#include "stage.h"
#include "support/check.h"

static void help_opens_by_key_and_closes(void)
{
	static const char *const keys[] = { K_F1, "?" };

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		stage_open(&s, NULL);
		pty_send(s.pty, keys[i]);
		PTY_SEES(s.pty, "Help");
		PTY_SEES(s.pty, "list the commands, filtered as you type");
		pty_send(s.pty, "\t\t" K_END);
		PTY_SEES(s.pty, "close; F8, too");
		pty_send(s.pty, K_ESC);
		PTY_LOSES(s.pty, "Help");
		PTY_SEES(s.pty, "A live view");
		stage_close(&s);
	}
}

static void help_lists_what_the_demo_answers_to(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .rows = 170 });

	PTY_SEES(p, "A live view");
	pty_send(p, "/help\r");
	PTY_SEES(p, "two tools, parallel");
	PTY_SEES(p, "refuse, refusal");
	pty_free(p);
}

const struct suite suite_screen_help = { "screen_help", (const struct test[]){
	TEST(help_opens_by_key_and_closes),
	TEST(help_lists_what_the_demo_answers_to),
	{ 0 },
} };
