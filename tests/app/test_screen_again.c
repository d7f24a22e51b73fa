/* On the screen: requests that are sent again, the wait for it, and silence. */
#include <string.h>

#include "stage.h"
#include "support/check.h"

#define BUSY "{\"error\":{\"message\":\"The model is overloaded.\",\"type\":\"overloaded_error\"}}"

static void refuse(struct stage *s, const char *headers)
{
	char type[100] = "application/json";
	hand_reply(s->server, 503, strcat(type, headers), BUSY);
}

static void open_patient(struct stage *s)
{
	stage_open(s, &(struct stage_options){ .settings = "retries = 2\n" });
}

static void a_busy_server_is_asked_again(void)
{
	struct stage s;
	open_patient(&s);
	stage_ask(&s, "go");
	refuse(&s, "\r\nRetry-After-Ms: 30");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "\"go\""));
	refuse(&s, "\r\nRetry-After-Ms: 30");
	hand_accept(s.server);
	hand_whole(s.server, "Here it is.", "stop");
	PTY_SEES(s.pty, "Here it is.");
	STAGE_OVER(&s);
	PTY_SEES(s.pty, "HTTP 503 from hand: The model is overloaded; asked again after 0.0 s");
	PTY_LOSES(s.pty, "Asking again");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void the_wait_is_counted_down_and_cancelled(void)
{
	struct stage s;
	open_patient(&s);
	stage_ask(&s, "go");
	refuse(&s, "\r\nRetry-After: 50");
	PTY_SEES(s.pty, "! HTTP 503 from hand: The model is overloaded. Asking again in");
	PTY_SEES(s.pty, "1 of");
	PTY_SEES(s.pty, " retry 4"); /* 49 s and so on */
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "You stopped the answer before any text had arrived");
	PTY_LOSES(s.pty, "Asking again");
	STAGE_STATE(&s, "ready");
	stage_close(&s);
}

static void after_the_last_attempt_it_is_an_error(void)
{
	struct stage s;
	open_patient(&s);
	stage_ask(&s, "go");
	for (int i = 0; i < 3; i++) {
		refuse(&s, "\r\nRetry-After-Ms: 10");
		if (i < 2)
			hand_accept(s.server);
	}
	PTY_SEES(s.pty, "! HTTP 503 from hand: The model is overloaded.");
	PTY_SEES(s.pty, "Alt-r retry");
	STAGE_OVER(&s);
	PTY_SEES(s.pty, "> go"); /* the prompt is back */
	pty_send(s.pty, K_ALT("r"));
	hand_say(s.server, "Third time lucky.");
	PTY_SEES(s.pty, "Third time lucky.");
	STAGE_OVER(&s);
	stage_close(&s);
}

static void the_demo_recovers(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .rows = 24 });
	PTY_SEES(p, "ready");
	pty_send(p, "are you busy?\r");
	PTY_SEES(p, "Asking again in 1 s (1 of 2)");
	PTY_SEES(p, "(2 of 2)");
	PTY_SEES(p, "That took a moment.");
	pty_send(p, K_ESC);
	PTY_LOSES(p, "Esc stop");
	pty_send(p, "\x03\x03\x03");
	PTY_ENDS(p, 0);
	PTY_RESTORED(p);
	pty_free(p);
}

/* --- Esc ---------------------------------------------------------------------------------------------------------- */

static void esc_closes_the_connection_at_once(void)
{
	static const char *const begun[] = { "nothing", "head", "text" };
	for (size_t i = 0; i < sizeof begun / sizeof *begun; i++) {
		struct stage s;
		stage_open(&s, NULL);
		stage_ask(&s, "go");
		if (i == 1)
			hand_answer(s.server, 200, "text/event-stream");
		if (i == 2) {
			hand_begin(s.server);
			hand_text(s.server, "Something.");
			PTY_SEES(s.pty, "Something.");
		}
		PTY_SEES(s.pty, "Esc stop");
		pty_send(s.pty, K_ESC);
		CHECK(hand_is_left(s.server), "after %s", begun[i]);
		PTY_SEES(s.pty, "You stopped the answer");
		stage_close(&s);
	}
}

/* The limit of the provider is named while the silence lasts. */
static void silence_is_counted_against_its_limit(void)
{
	struct stage s;
	stage_open(&s, &(struct stage_options){ .settings = "idle = 77\n" });
	stage_begin(&s, "go");
	hand_text(s.server, "Something.");
	PTY_SEES(s.pty, "Something.");
	PTY_SEES(s.pty, "quiet 5 s");
	PTY_SEES(s.pty, "stalled at 77 s   Esc stop");
	hand_text(s.server, " And more.");
	PTY_SEES(s.pty, "streaming");
	PTY_LOSES(s.pty, "stalled at");
	stage_close(&s);
}

static void silence_beyond_the_limit_is_stalled(void)
{
	struct stage s;
	stage_open(&s, &(struct stage_options){ .settings = "idle = 0.2\n" });
	stage_begin(&s, "go");
	hand_text(s.server, "Something.");
	PTY_SEES(s.pty, "! The stream stalled after 10 characters");
	PTY_SEES(s.pty, "What arrived is kept.");
	PTY_SEES(s.pty, "Something.");
	CU_ASSERT_TRUE(hand_is_left(s.server));
	stage_close(&s);
}

const struct suite suite_screen_again = { "screen_again", (const struct test[]){
	TEST(a_busy_server_is_asked_again),
	TEST(the_wait_is_counted_down_and_cancelled),
	TEST(after_the_last_attempt_it_is_an_error),
	TEST(the_demo_recovers),
	TEST(esc_closes_the_connection_at_once),
	TEST(silence_is_counted_against_its_limit),
	TEST(silence_beyond_the_limit_is_stalled),
	{ 0 },
} };
