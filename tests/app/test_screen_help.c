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
		PTY_SEES(s.pty, "new line (also Alt-Enter)");
		pty_send(s.pty, K_END);
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

static void details_show_the_response_id(void)
{
	struct stage s;

	stage_open_answered(&s);
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "Details of the last turn");
	PTY_SEES(s.pty, "response id  chatcmpl-hand");
	PTY_SEES(s.pty, "outcome      complete");
	PTY_SEES(s.pty, "finish       stop");
	PTY_SEES(s.pty, "prompt      12");
	pty_send(s.pty, "y");
	PTY_SEES(s.pty, "sent chatcmpl-hand to the terminal (OSC 52)");
	CHECK(pty_has_written(s.pty, "\x1B]52;c;Y2hhdGNtcGwtaGFuZA==\a"), "OSC 52 with the id");
	pty_send(s.pty, K_CTRL('o'));
	PTY_LOSES(s.pty, "Details of the last turn");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void slash_id_copies_the_response_id(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/id\r");
	PTY_SEES(s.pty, "there is no answer yet");
	stage_turn(&s, "hello", "Good day.");
	CHECK(!pty_has_written(s.pty, "\x1B]52;"), "not before it was asked for");
	pty_send(s.pty, "/id\r");
	PTY_SEES(s.pty, "sent chatcmpl-hand to the terminal (OSC 52)");
	CHECK(pty_has_written(s.pty, "\x1B]52;c;Y2hhdGNtcGwtaGFuZA==\a"), "OSC 52 with the id");
	stage_close(&s);
}

const struct suite suite_screen_help = { "screen_help", (const struct test[]){
	TEST(help_opens_by_key_and_closes),
	TEST(help_lists_what_the_demo_answers_to),
	TEST(details_show_the_response_id),
	TEST(slash_id_copies_the_response_id),
	{ 0 },
} };
