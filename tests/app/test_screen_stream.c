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
	CHECK(strstr(status, " in - "), "not known yet: %s", status);
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
	PTY_SEES(s.pty, "city  To");
	PTY_SEES(s.pty, "12 B");
	CHECK(pty_find_row(s.pty, "Let me look.") < pty_find_row(s.pty, "\u2500\u2500 call 1 "), "content above the pane of calls");
	status_says_what_is_known(&s);
	hand_delta(s.server, CALL_REST);
	PTY_SEES(s.pty, "city  Tokyo");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	PTY_LOSES(s.pty, "assembling");
	PTY_SEES(s.pty, "+ get_weather  city=Tokyo ");
	PTY_SEES(s.pty, "  waiting");
	PTY_SEES(s.pty, "The model asks for 1 tool call.");
	PTY_SEES(s.pty, "in 12");
	PTY_SEES(s.pty, "out 34");
	pty_send(s.pty, K_CTRL('t'));
	PTY_SEES(s.pty, "- reasoned");
	PTY_SEES(s.pty, "   Clouds come to mind.");
	PTY_SEES(s.pty, "- get_weather");
	PTY_SEES(s.pty, "\"city\": \"Tokyo\"");
	pty_send(s.pty, K_CTRL('t'));
	PTY_LOSES(s.pty, "   Clouds come to mind.");
	PTY_LOSES(s.pty, "\"Tokyo\"");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void parallel_calls_share_the_pane(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "both");
	hand_delta(s.server, CALL_BEGIN);
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":1,\"id\":\"call_2\",\"type\":\"function\",\"function\":{\"name\":\"find_trains\",\"arguments\":\"{\\\"to\\\": \\\"Po\"}}]}");
	PTY_SEES(s.pty, "call 1  get_weather");
	PTY_SEES(s.pty, "call 2  find_trains");
	PTY_SEES(s.pty, "city  To");
	PTY_SEES(s.pty, "to  Po");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "You stopped the answer");
	PTY_SEES(s.pty, "+ get_weather  {\"city\": \"To");
	PTY_SEES(s.pty, "  incomplete");
	PTY_LOSES(s.pty, "\u2500\u2500 call 1 ");
	stage_close(&s);
}

/* --- stopping --- */

static void esc_stops_and_keeps_what_came(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_text(s.server, "Half of an");
	PTY_SEES(s.pty, "Half of an");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "\u00b7 You stopped the answer after 10 characters. What arrived is kept.");
	PTY_SEES(s.pty, "Alt-r retry");
	PTY_SEES(s.pty, " Half of an");
	STAGE_STATE(&s, "ready");
	hand_is_left(s.server);
	stage_ask(&s, "and then?");
	CU_ASSERT_TRUE(stage_sent(&s, "Half of an"));
	stage_close(&s);
}

static void esc_stops_before_the_first_byte_too(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "go");
	STAGE_STATE(&s, "waiting");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "You stopped the answer");
	hand_is_left(s.server);
	stage_close(&s);
}

static void ctrl_c_stops_and_twice_quits(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_text(s.server, "Something");
	PTY_SEES(s.pty, "Something");
	pty_send(s.pty, "\x03");
	PTY_SEES(s.pty, "You stopped the answer after 9 characters");
	STAGE_STATE(&s, "ready");
	stage_begin(&s, "again");
	hand_text(s.server, "Once more");
	PTY_SEES(s.pty, "Once more");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	PTY_RESTORED(s.pty);
	stage_drop(&s);
}

static void typing_goes_on_while_an_answer_streams(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "first");
	hand_text(s.server, "Answer one ");
	PTY_SEES(s.pty, "Answer one");
	pty_send(s.pty, "second\r");
	PTY_SEES(s.pty, "1 queued");
	PTY_SEES(s.pty, " 1  second");
	PTY_SEES(s.pty, "Esc stop");
	pty_send(s.pty, "third");
	PTY_SEES(s.pty, " > third");
	hand_text(s.server, "ends.");
	hand_finish(s.server, "stop");
	hand_accept(s.server); /* the queued prompt is sent by itself */
	CU_ASSERT_TRUE(stage_sent(&s, "Answer one ends."));
	CU_ASSERT_TRUE(stage_sent(&s, "second"));
	PTY_LOSES(s.pty, "queued");
	PTY_SEES(s.pty, " > third");
	hand_whole(s.server, "Answer two.", "stop");
	PTY_SEES(s.pty, "Answer two.");
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

static void every_ending_is_told_in_words(void)
{
	static const struct { const char *reason, *words; } cases[] = {
		{ "length", "! The answer reached its token limit after 9 characters (length)." },
		{ "content_filter", "! The model or its server declined (content_filter)." },
	};
	struct stage s;
	stage_open(&s, NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		stage_begin(&s, "go");
		hand_text(s.server, "Something");
		hand_finish(s.server, cases[i].reason);
		pty_wait(s.pty, pty_shows, cases[i].words, cases[i].words, __FILE__, __LINE__);
		pty_send(s.pty, "/new\r\r");
		PTY_SEES(s.pty, "A live view");
	}
	stage_close(&s);
}

static void a_cut_stream_is_kept_and_told(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_text(s.server, "Nearly the whole");
	hand_close(s.server);
	PTY_SEES(s.pty, "! The stream was cut after 16 characters");
	PTY_SEES(s.pty, "Nearly the whole");
	PTY_SEES(s.pty, "Alt-r retry   Alt-c continue   Alt-u edit   Ctrl-O details");
	STAGE_STATE(&s, "ready");
	stage_close(&s);
}

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

static void a_silent_stream_stalls_and_says_so(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = "idle = 0.4\n" });
	hand_hold(s.server); /* sends both parts at once, so that the short limit is not reached between them */
	stage_begin(&s, "go");
	hand_text(s.server, "Then silence");
	hand_release(s.server);
	PTY_SEES(s.pty, "! The stream stalled after 12 characters");
	PTY_SEES(s.pty, "Then silence");
	STAGE_STATE(&s, "ready");
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

static void a_refusal_leaves_what_was_typed_meanwhile(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "refuse me");
	pty_send(s.pty, "typed meanwhile");
	PTY_SEES(s.pty, " > typed meanwhile");
	hand_reply(s.server, 400, "application/json", "{\"error\":{\"message\":\"No.\"}}");
	PTY_SEES(s.pty, "No.");
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, " > typed meanwhile");
	stage_close(&s);
}

/* No server listens at that address. */
static void a_server_that_is_not_there_is_a_sentence(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = "[provider gone]\nprotocols = openai-chat\nbase_url = http://127.0.0.1:1/v1\nauth = none\nmodel = x\n" });
	pty_send(s.pty, "/provider gone");
	PTY_SEES(s.pty, "gone");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "gone \u00b7 x");
	pty_send(s.pty, "anybody?\r");
	PTY_SEES(s.pty, "127.0.0.1");
	PTY_SEES(s.pty, " > anybody?");
	stage_close(&s);
}

#define CITED "{\"annotations\":[{\"type\":\"url_citation\",\"url_citation\":{\"url\":\"https://a.org/x\",\"title\":\"A\",\"start_index\":4,\"end_index\":9}}]}"
#define COPIED "\x1B]52;c;U2VlIHRoZXJlLgoKU291cmNlczoKMS4gQSBodHRwczovL2Eub3JnL3gK\a" /* "See there.", and the list "1. A https://a.org/x" */

static void sources_are_shown_linked_and_copied(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "where?");
	hand_text(s.server, "See there.");
	hand_delta(s.server, CITED);
	PTY_SEES(s.pty, "sources  1 a.org  A");
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "See there[1].");
	CHECK(pty_has_written(s.pty, "https://a.org/x"), "the link leads there");
	pty_send(s.pty, "/copy answer\r");
	PTY_SEES(s.pty, "to the terminal");
	CHECK(pty_has_written(s.pty, COPIED), "%s", pty_dump(s.pty));
	stage_ask(&s, "and then?");
	CHECK(!strstr(hand_body(s.server), "a.org") && stage_sent(&s, "See there."), "what goes back: %s", hand_body(s.server));
	hand_whole(s.server, "Nothing.", "stop");
	PTY_SEES(s.pty, "Nothing.");
	stage_close(&s);
}

/* A figure that lost its last digits would be a lie. */
static void figures_are_whole_in_the_narrowest_window(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 6, .columns = 20 });
	stage_begin(&s, "go");
	hand_text(s.server, "Something");
	PTY_SEES(s.pty, "streaming out ~3");
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "ready       out 34");
	pty_send(s.pty, "\x03");
	PTY_SEES(s.pty, "Ctrl-C again quits");
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
	TEST(parallel_calls_share_the_pane),
	TEST(esc_stops_and_keeps_what_came),
	TEST(esc_stops_before_the_first_byte_too),
	TEST(ctrl_c_stops_and_twice_quits),
	TEST(typing_goes_on_while_an_answer_streams),
	TEST(the_readers_line_holds_while_text_streams),
	TEST(the_readers_line_holds_when_a_pane_folds_and_windows_change),
	TEST(windows_may_change_wildly_while_text_streams),
	TEST(every_ending_is_told_in_words),
	TEST(a_cut_stream_is_kept_and_told),
	TEST(an_error_in_mid_stream_is_told_and_the_text_kept),
	TEST(a_silent_stream_stalls_and_says_so),
	TEST(a_refused_turn_puts_its_prompt_back),
	TEST(a_prompt_that_was_put_back_gives_way_to_typing),
	TEST(a_prompt_that_was_put_back_is_retried_and_edited),
	TEST(a_refusal_leaves_what_was_typed_meanwhile),
	TEST(a_server_that_is_not_there_is_a_sentence),
	TEST(sources_are_shown_linked_and_copied),
	TEST(figures_are_whole_in_the_narrowest_window),
	TEST(wide_text_keeps_its_columns),
	{ 0 },
} };
