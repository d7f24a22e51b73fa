/* The screen while an answer streams, and at its end. The test drives the server, so that every moment can be checked. */
#include <string.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"

#define CALL_BEGIN "{\"tool_calls\":[{\"index\":0,\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":\"get_weather\",\"arguments\":\"{\\\"city\\\": \\\"To\"}}]}"
#define CALL_REST "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"kyo\\\"}\"}}]}"

static void status_says_what_is_known(struct stage *s)
{
	const char *status = pty_row(s->pty, 23);

	CHECK(strstr(status, "m-1") && strstr(status, "out"), "status: %s", status);
	CHECK(strstr(status, " in ~2 "), "by our estimate: %s", status);
	CHECK(strstr(status, "~"), "an estimate is marked: %s", status);
}

static void reasoning_text_and_calls_stream_apart_and_fold(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "weather?");
	STAGE_STATE(&s, "waiting");
	hand_begin(s.server);
	hand_reasoning(s.server, "Clouds come to mind.");
	PTY_SEES(s.pty, "\u2500\u2500 reasoning \u2500");
	PTY_SEES(s.pty, " Clouds come to mind.");
	STAGE_STATE(&s, "streaming");
	PTY_SEES(s.pty, "Esc stop");
	hand_text(s.server, "Let me look.");
	PTY_SEES(s.pty, " Let me look.");
	PTY_LOSES(s.pty, "\u2500\u2500 reasoning \u2500");
	PTY_SEES(s.pty, "+ reasoned ");
	PTY_SEES(s.pty, "  Clouds come to mind."); /* its first words remain */
	CHECK(pty_find_row(s.pty, "+ reasoned") < pty_find_row(s.pty, "Let me look."), "folded at its place in the turn");
	hand_delta(s.server, CALL_BEGIN);
	PTY_SEES(s.pty, "\u2500\u2500 call 1  get_weather \u2500");
	PTY_SEES(s.pty, "assembling");
	PTY_SEES(s.pty, "city    To");
	PTY_SEES(s.pty, "12 B");
	CHECK(pty_find_row(s.pty, "Let me look.") < pty_find_row(s.pty, "\u2500\u2500 call 1 "), "content above the pane of calls");
	status_says_what_is_known(&s);
	hand_delta(s.server, CALL_REST);
	PTY_SEES(s.pty, "city    Tokyo");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	PTY_LOSES(s.pty, "assembling");
	PTY_SEES(s.pty, "+ get_weather  city=Tokyo ");
	PTY_SEES(s.pty, "  no such tool");
	PTY_SEES(s.pty, "The model asks for 1 tool call.");
	PTY_SEES(s.pty, "in 12");
	PTY_SEES(s.pty, "out 34");
	pty_send(s.pty, K_CTRL('t'));
	PTY_SEES(s.pty, "- reasoned");
	PTY_SEES(s.pty, "   Clouds come to mind.");
	PTY_SEES(s.pty, "- get_weather");
	PTY_SEES(s.pty, "   city    Tokyo");
	pty_send(s.pty, K_CTRL('t'));
	PTY_LOSES(s.pty, "   Clouds come to mind.");
	PTY_LOSES(s.pty, "\"Tokyo\"");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

/* --- scrolling --- */

static bool status_differs(struct pty *p, const void *before)
{
	return strcmp(pty_row(p, pty_rows(p) - 1), before) != 0;
}

static void wait_for_figures(struct stage *s)
{
	char *before = mem_dup_z(pty_row(s->pty, pty_rows(s->pty) - 1));

	stage_rows(s, 1000, 50);
	PTY_WAIT(s->pty, status_differs, before);
	mem_free(before);
}

static void the_readers_line_holds_while_text_streams(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "rows");
	stage_rows(&s, 1, 100);
	PTY_SEES(s.pty, "row 100");
	pty_send(s.pty, K_PGUP K_PGUP);
	PTY_LOSES(s.pty, "row 100");
	PTY_REDRAWS(s.pty);
	char *top = mem_dup_z(pty_row(s.pty, 0)), *last = mem_dup_z(pty_row(s.pty, 20));
	wait_for_figures(&s);
	CHECK_STR(str_from(pty_row(s.pty, 0)), top);
	CHECK_STR(str_from(pty_row(s.pty, 20)), last);
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	CHECK_STR(str_from(pty_row(s.pty, 0)), top);
	PTY_SEES(s.pty, "End for the latest");
	pty_send(s.pty, K_END);
	PTY_SEES(s.pty, "row 1049");
	PTY_LOSES(s.pty, "End for the latest");
	pty_send(s.pty, K_HOME);
	PTY_SEES(s.pty, "\u258C rows");
	PTY_SEES(s.pty, "row 1");
	pty_send(s.pty, K_PGDN);
	PTY_SEES(s.pty, "row 30");
	pty_send(s.pty, "x" K_HOME "y"); /* in a nonempty input Home moves the cursor */
	PTY_SEES(s.pty, " > yx");
	PTY_SEES(s.pty, "row 30");
	mem_free(top);
	mem_free(last);
	stage_close(&s);
}

static bool is_on_top(struct pty *p, const void *row)
{
	return !strcmp(pty_row(p, 0), row);
}

static void the_readers_line_holds_when_a_pane_folds_and_windows_change(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "rows");
	stage_rows(&s, 1, 60);
	PTY_SEES(s.pty, "row 60");
	pty_send(s.pty, K_PGUP K_PGUP);
	PTY_LOSES(s.pty, "row 60");
	pty_settle(s.pty);
	char *top = mem_dup_z(pty_row(s.pty, 0));
	hand_delta(s.server, CALL_BEGIN);
	PTY_SEES(s.pty, "\u2500\u2500 call 1 ");
	CHECK_STR(str_from(pty_row(s.pty, 0)), top);
	hand_delta(s.server, CALL_REST);
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	CHECK_STR(str_from(pty_row(s.pty, 0)), top);
	pty_resize(s.pty, 12, 40);
	STAGE_STATE(&s, "ready");
	PTY_REDRAWS(s.pty);
	PTY_WAIT(s.pty, is_on_top, top);
	pty_resize(s.pty, 24, 80);
	STAGE_STATE(&s, "ready");
	PTY_REDRAWS(s.pty);
	PTY_WAIT(s.pty, is_on_top, top);
	mem_free(top);
	stage_close(&s);
}

static void windows_may_change_wildly_while_text_streams(void)
{
	static const unsigned sizes[][2] = { { 24, 80 }, { 6, 20 }, { 50, 200 }, { 5, 19 }, { 12, 40 }, { 1, 1 }, { 24, 21 }, { 40, 120 }, { 7, 300 } };
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "storm");
	hand_reasoning(s.server, "Some thoughts before.");
	for (unsigned i = 0; i < 90; i++) {
		const unsigned *size = sizes[i % (sizeof sizes / sizeof *sizes)];

		pty_resize(s.pty, size[0], size[1]);
		pty_pump(s.pty);
		stage_rows(&s, i, 1);
	}
	pty_resize(s.pty, 24, 80);
	hand_text(s.server, "The storm is over.");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "row 89");
	PTY_SEES(s.pty, "The storm is over.");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

/* --- endings --- */

static void an_error_in_mid_stream_is_told_and_the_text_kept(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_text(s.server, "So far so good");
	hand_send(s.server, "data: {\"error\":{\"message\":\"The disk is full.\",\"type\":\"server_error\",\"code\":null}}\n\n");
	PTY_SEES(s.pty, "! The disk is full (server_error). What arrived is kept.");
	PTY_SEES(s.pty, "So far so good");
	STAGE_STATE(&s, "ready");
	CHECK_STR(str_from(pty_row(s.pty, 22)), " >");
	stage_close(&s);
}

static void a_refused_turn_puts_its_prompt_back(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "my long prompt");
	hand_reply(s.server, 400, "application/json",
	           "{\"error\":{\"message\":\"This question is too hard.\",\"type\":\"invalid_request_error\",\"code\":\"too_hard\"}}");
	PTY_SEES(s.pty, "400");
	PTY_SEES(s.pty, "This question is too hard.");
	PTY_SEES(s.pty, " > my long prompt");
	pty_send(s.pty, K_END "!\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "my long prompt!"));
	CHECK(strstr(hand_body(s.server), "my long prompt\"") == NULL, "the refused one is not part of the conversation");
	stage_close(&s);
}

static void refuse(struct stage *s)
{
	hand_reply(s->server, 400, "application/json", "{\"error\":{\"message\":\"Not now.\"}}");
	PTY_SEES(s->pty, "Not now.");
	PTY_SEES(s->pty, " > my prompt");
}

static bool is_marked(struct pty *p, const void *text)
{
	unsigned row, column;

	return pty_find(p, text, &row, &column) && pty_cell(p, row, column + 2).reverse;
}

/* It is selected: typing replaces it, moving the cursor keeps it. */
static void a_prompt_that_was_put_back_gives_way_to_typing(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "my prompt");
	refuse(&s);
	PTY_WAIT(s.pty, is_marked, "> my prompt");
	PTY_SEES(s.pty, "typing replaces it");
	pty_send(s.pty, K_HOME);
	PTY_LOSES(s.pty, "typing replaces it");
	CHECK(!is_marked(s.pty, "> my prompt"), "%s", pty_dump(s.pty));
	pty_send(s.pty, "not ");
	PTY_SEES(s.pty, "> not my prompt");
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	hand_reply(s.server, 400, "application/json", "{\"error\":{\"message\":\"Not now.\"}}");
	PTY_WAIT(s.pty, is_marked, "> not my prompt");
	pty_send(s.pty, "another one");
	PTY_SEES(s.pty, "> another one");
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "\"another one\""));
	stage_close(&s);
}

/* A restored prompt does not block the offered keys, but once edited it does. */
static void a_prompt_that_was_put_back_is_retried_and_edited(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "my prompt");
	refuse(&s);
	pty_send(s.pty, "\033u");
	PTY_SEES(s.pty, "the last prompt");
	CU_ASSERT_FALSE(pty_shows(s.pty, "the input is not empty"));
	pty_send(s.pty, " of mine\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "my prompt of mine"));
	refuse(&s);
	pty_send(s.pty, "\033r");
	hand_accept(s.server);
	PTY_LOSES(s.pty, " > my prompt");
	refuse(&s);
	pty_send(s.pty, "\033u");
	PTY_SEES(s.pty, "the last prompt");
	pty_send(s.pty, "\033r");
	hand_accept(s.server);
	PTY_LOSES(s.pty, " > my prompt");
	refuse(&s);
	pty_send(s.pty, K_END "!");
	PTY_SEES(s.pty, " > my prompt of mine!");
	pty_send(s.pty, "\033u");
	PTY_SEES(s.pty, "the input is not empty");
	stage_close(&s);
}

/* --- wide text --- */

static void wide_text_keeps_its_columns(void)
{
	unsigned row = 0, column = 0;
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 12, .columns = 40 });
	stage_turn(&s, "\u6771\u4eac?", "\u5c4f\u5e55\u4e0a\u7684\u6bcf\u4e2a\u6c49\u5b57\u5360\u4e24\u683c\u3002\u7ec8\u7aef\u53ea\u8ba4\u683c\u5b50\uff0c\u4e0d\u8ba4\u5b57\u3002|\n\U0001F30A wave\ne\u0301t\u00e9|");
	PTY_SEES(s.pty, "\u6771\u4eac?");
	PTY_SEES(s.pty, "\u5c4f\u5e55\u4e0a");
	CHECK(pty_find(s.pty, "\u5e55", &row, &column) && column == 3, "two cells each: %u", column);
	CU_ASSERT_EQUAL(pty_cell(s.pty, row, 1).width, 2);
	CHECK(pty_find(s.pty, "wave", &row, &column) && column == 4, "behind a wide sign and a blank: %u", column);
	PTY_SEES(s.pty, "e\u0301t\u00e9|");
	for (unsigned r = 0; r < 12; r++) {
		struct str text = str_from(pty_row(s.pty, r));

		CHECK(!str_starts(text, " \u3002") && !str_starts(text, " \uff0c"), "no row begins with a full stop: %s", pty_row(s.pty, r));
	}
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, "\u4f60\u597d");
	PTY_SEES(s.pty, " > \u4f60\u597d");
	CU_ASSERT_EQUAL(pty_cursor_column(s.pty), 7);
	pty_send(s.pty, "\x7F");
	PTY_LOSES(s.pty, "\u597d");
	CU_ASSERT_EQUAL(pty_cursor_column(s.pty), 5);
	stage_close(&s);
}

const struct suite suite_screen_stream = { "screen_stream", (const struct test[]){
	TEST(reasoning_text_and_calls_stream_apart_and_fold),
	TEST(the_readers_line_holds_while_text_streams),
	TEST(the_readers_line_holds_when_a_pane_folds_and_windows_change),
	TEST(windows_may_change_wildly_while_text_streams),
	TEST(an_error_in_mid_stream_is_told_and_the_text_kept),
	TEST(a_refused_turn_puts_its_prompt_back),
	TEST(a_prompt_that_was_put_back_gives_way_to_typing),
	TEST(a_prompt_that_was_put_back_is_retried_and_edited),
	TEST(wide_text_keeps_its_columns),
	{ 0 },
} };
