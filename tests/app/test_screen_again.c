/* On the screen: requests repeated by weir or by the user, the wait before them, and silent streams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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
	PTY_SEES(s.pty, "HTTP 503 from hand: The model is overloaded; asked again 2 times, after 0.0");
	PTY_LOSES(s.pty, "Asking again");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void what_refused_each_time_is_said_once(void)
{
	struct stage s;

	open_patient(&s);
	stage_ask(&s, "go");
	refuse(&s, "\r\nRetry-After-Ms: 30");
	hand_accept(s.server);
	refuse(&s, "\r\nRetry-After-Ms: 30");
	hand_accept(s.server);
	refuse(&s, "");
	STAGE_OVER(&s);
	PTY_SEES(s.pty, "   Asked again 2 times, after 0.0");
	PTY_SEES(s.pty, " ! HTTP 503 from hand: The model is overloaded");
	PTY_LOSES(s.pty, "overloaded; asked");
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

/* Counts the attempts that a frame tells; none is there for long. */
static void note_attempts(struct pty *p, void *attempts)
{
	unsigned *told = attempts;

	if (*told < 2 && pty_find_row(p, *told ? "(2 of 2)" : "Asking again in 1 s (1 of 2)") >= 0)
		++*told;
}

struct attempts { const unsigned *told; unsigned wanted; };

static bool has_told(struct pty *p, const void *attempts)
{
	const struct attempts *a = attempts;

	(void)p;
	return *a->told >= a->wanted;
}

static void the_demo_recovers(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .rows = 24, .turns = true });
	unsigned told = 0;

	PTY_SEES(p, "ready");
	pty_watch(p, note_attempts, &told);
	pty_send(p, "are you busy?\r");
	PTY_WAIT(p, has_told, (&(struct attempts){ &told, 1 }));
	pty_turn(p, 1000);
	PTY_WAIT(p, has_told, (&(struct attempts){ &told, 2 }));
	pty_watch(p, NULL, NULL);
	PTY_SEES_LATER(p, "That took a moment.");
	pty_send(p, K_ESC);
	PTY_LOSES(p, "Esc stop");
	pty_send(p, "\x03\x03\x03");
	PTY_ENDS(p, 0);
	PTY_RESTORED(p);
	pty_free(p);
}

/* --- continuing --- */

/* If the beginning was sent along, the continued text is one text, even within a block of code. */
static void a_given_beginning_leaves_no_seam(void)
{
	static const char delta[] = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}}\n\n";
	char bytes[400];
	struct stage s;

	stage_open(&s, &(struct stage_options){ .arguments = LIST("--protocol", "anthropic") });
	stage_ask(&s, "go");
	hand_answer(s.server, 200, "text/event-stream");
	snprintf(bytes, sizeof bytes, delta, "```c\\nint ha");
	hand_send(s.server, bytes);
	hand_close(s.server);
	PTY_SEES(s.pty, "int ha");
	PTY_SEES(s.pty, "Alt-c continue");
	pty_send(s.pty, K_ALT("c"));
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"```c\\nint ha\"}]}]"));
	hand_answer(s.server, 200, "text/event-stream");
	snprintf(bytes, sizeof bytes, delta, "lf;\\n```\\n");
	hand_send(s.server, bytes);
	PTY_SEES(s.pty, "int half;");
	CHECK(pty_find_row(s.pty, "```") < 0, "it is a block of code: %s", pty_dump(s.pty));
	hand_send(s.server, "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"
	                    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
	hand_close(s.server);
	PTY_SEES(s.pty, "Continued after 11 characters, where it had been cut");
	STAGE_STATE(&s, "ready");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

/* --- Esc --- */

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

/* Shown from 5 s on; a busy machine may skip a second. */
static bool tells_silence(struct pty *p, const void *ctx)
{
	const char *quiet = strstr(pty_dump(p), "quiet ");

	(void)ctx;
	return quiet && atoi(quiet + strlen("quiet ")) >= 5;
}

/* The provider's limit is shown during the silence. */
static void silence_is_counted_against_its_limit(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = "idle = 77\n", .turns = true });
	stage_begin(&s, "go");
	hand_text(s.server, "Something.");
	PTY_SEES(s.pty, "Something.");
	pty_turn(s.pty, 5000);
	PTY_WAIT(s.pty, tells_silence, NULL);
	PTY_SEES(s.pty, "stalled at 77 s   Esc stop");
	hand_text(s.server, " And more.");
	PTY_SEES(s.pty, "streaming");
	PTY_LOSES(s.pty, "stalled at");
	stage_close(&s);
}

/* --- by the user --- */

static void retrying_sends_the_turn_again(void)
{
	static const char *const keys[] = { K_ALT("r"), "/retry\r", K_SHIFT_TAB K_ALT("r") };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct stage s;

		stage_open_answered(&s);
		char *first = mem_dup_z(hand_body(s.server));
		pty_send(s.pty, keys[i]);
		hand_accept(s.server);
		CHECK_STR(str_from(hand_body(s.server)), first);
		PTY_SEES(s.pty, "\u2039 2/2 \u203A");
		hand_whole(s.server, "Better day.", "stop");
		PTY_SEES(s.pty, "Better day.");
		mem_free(first);
		stage_close(&s);
	}
}

static void go_to_first_turn(struct stage *s)
{
	pty_send(s->pty, "{{{{{{");
	PTY_SEES(s->pty, "prompt 1 of 3");
}

static bool holds_all(struct pty *p, const void *words)
{
	for (const char *const *word = words; *word; word++)
		if (pty_find_row(p, *word) < 0)
			return false;
	return true;
}

/* What stands behind it is not gone: where it is, and the key that goes there, are told while that works. */
static void what_an_old_turn_leaves_behind_is_told(void)
{
	static const char *const marked[] = { "\u2039 2/2 \u203A", "2 later turns are in another branch: Alt-< goes there", NULL };
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "first", "One.");
	stage_turn(&s, "second", "Two.");
	stage_turn(&s, "third", "Three.");
	pty_send(s.pty, "\t");
	go_to_first_turn(&s);
	pty_send(s.pty, K_ALT("r"));
	hand_accept(s.server);
	PTY_SEES(s.pty, "2 later turns are in another branch; when this answer ends, Alt-< goes there");
	hand_whole(s.server, "Again.", "stop");
	PTY_WAIT(s.pty, holds_all, marked);
	CHECK(pty_find_row(s.pty, "Three.") < 0, "the other branch is not shown");
	pty_send(s.pty, K_ALT("<"));
	PTY_SEES(s.pty, "Three.");
	go_to_first_turn(&s);
	pty_send(s.pty, K_ALT("u"));
	PTY_SEES(s.pty, " > first");
	pty_send(s.pty, " of all\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "first of all"));
	hand_whole(s.server, "New.", "stop");
	PTY_WAIT(s.pty, holds_all, marked);
	stage_close(&s);
}

const struct suite suite_screen_again = { "screen_again", (const struct test[]){
	TEST(a_busy_server_is_asked_again), TEST(what_refused_each_time_is_said_once),
	TEST(the_wait_is_counted_down_and_cancelled),
	TEST(after_the_last_attempt_it_is_an_error),
	TEST(the_demo_recovers),
	TEST(a_given_beginning_leaves_no_seam),
	TEST(esc_closes_the_connection_at_once),
	TEST(silence_is_counted_against_its_limit),
	TEST(retrying_sends_the_turn_again),
	TEST(what_an_old_turn_leaves_behind_is_told),
	{ 0 },
} };
