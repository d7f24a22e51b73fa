/* Tool calls answered by hand: the sheet, skipping, parallel calls, and what goes back to the server. */
#include <stdio.h>
#include <string.h>

#include "stage.h"
#include "support/check.h"

#define CALL(index, id, name, arguments) \
	"{\"tool_calls\":[{\"index\":" #index ",\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}]}"

static void ask_for_weather(struct stage *s)
{
	stage_open(s, NULL);
	stage_begin(s, "weather?");
	hand_delta(s->server, CALL(0, "call_a", "get_weather", "{\\\"city\\\":\\\"Tokyo\\\",\\\"unit\\\":\\\"celsius\\\"}"));
	hand_finish(s->server, "tool_calls");
	PTY_SEES(s->pty, "The model asks for 1 tool call.");
	STAGE_STATE(s, "ready");
}

static void a_call_is_answered_by_hand(void)
{
	struct stage s;

	ask_for_weather(&s);
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "Tool call 1 of 1: get_weather");
	PTY_SEES(s.pty, "   city    Tokyo");
	PTY_SEES(s.pty, "   unit    celsius");
	pty_send(s.pty, "21 degrees, d?/r");
	PTY_SEES(s.pty, "21 degrees, d?/r"); /* all printable keys type */
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	PTY_LOSES(s.pty, "Tool call 1 of 1");
	CU_ASSERT_TRUE(stage_sent(&s, "21 degrees, d?/r"));
	CU_ASSERT_TRUE(stage_sent(&s, "\"call_a\""));
	CU_ASSERT_TRUE(stage_sent(&s, "\"tool\""));
	PTY_SEES(s.pty, "\u2514 21 degrees, d?/r");
	hand_whole(s.server, "It is warm in Tokyo.", "stop");
	PTY_SEES(s.pty, "It is warm in Tokyo.");
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "no tool call waits for an answer");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void parallel_calls_are_answered_and_skipped_in_one_request(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "both");
	hand_delta(s.server, CALL(0, "call_a", "get_weather", "{\\\"city\\\":\\\"Lisbon\\\"}"));
	hand_delta(s.server, CALL(1, "call_b", "find_trains", "{\\\"to\\\":\\\"Porto\\\"}"));
	hand_finish(s.server, "tool_calls");
	PTY_SEES(s.pty, "The model asks for 2 tool calls.");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "Tool call 1 of 2: get_weather");
	pty_enter(s.pty, "sunny");
	PTY_SEES(s.pty, "Tool call 2 of 2: find_trains");
	PTY_SEES(s.pty, "Porto");
	pty_send(s.pty, K_ALT("s"));
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "sunny"));
	CU_ASSERT_TRUE(stage_sent(&s, "\"call_a\""));
	CU_ASSERT_TRUE(stage_sent(&s, "\"call_b\""));
	CU_ASSERT_TRUE(stage_sent(&s, "not to run"));
	PTY_SEES(s.pty, "\u2514 sunny");
	PTY_SEES(s.pty, "  answered");
	CHECK(pty_find_row(s.pty, "\u2514 sunny") == pty_find_row(s.pty, "+ get_weather") + 1, "below its call: %s", pty_dump(s.pty));
	CHECK(pty_find_row(s.pty, "  not run") == pty_find_row(s.pty, "+ find_trains"), "beside its call: %s", pty_dump(s.pty));
	stage_close(&s);
}

/* The page ends above the sheet: the call is in view, and one hairline is between the sheet and the input. */
static void check_docked(struct pty *p, const char *call, const char *title, const char *above, const char *below)
{
	int keys = pty_find_row(p, "Enter gives this result"), shown = pty_find_row(p, call);

	CHECK(shown >= 0 && shown < pty_find_row(p, title), "%s above %s: %s", call, title, pty_dump(p));
	CHECK(keys > 0 && strstr(pty_row(p, (unsigned)keys - 1), above), "%s", pty_dump(p));
	CHECK(keys > 0 && strstr(pty_row(p, (unsigned)keys + 1), below), "%s", pty_dump(p));
}

static void the_page_ends_above_the_sheet(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "many");
	stage_rows(&s, 1, 40);
	for (int i = 0; i < 6; i++) {
		char call[300];

		snprintf(call, sizeof call, "{\"tool_calls\":[{\"index\":%d,\"id\":\"c%d\",\"type\":\"function\",\"function\":{\"name\":\"find_%d\",\"arguments\":\"{"
		         "\\\"from\\\":\\\"Lisbon\\\",\\\"to\\\":[\\\"Porto\\\",%d],\\\"day\\\":1,\\\"class\\\":2,\\\"seats\\\":3,\\\"bags\\\":4}\"}}]}", i, i, i, i);
		hand_delta(s.server, call);
	}
	hand_finish(s.server, "tool_calls");
	PTY_SEES(s.pty, "The model asks for 6 tool calls.");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "Tool call 1 of 6");
	check_docked(s.pty, "+ find_0", "Tool call 1 of 6", ">", " >");
	CHECK(pty_find_row(s.pty, "a new prompt reports them") > pty_find_row(s.pty, "+ find_5"), "the whole end of the page: %s", pty_dump(s.pty));
	pty_resize(s.pty, 12, 40);
	PTY_SEES(s.pty, "PgDn more");
	check_docked(s.pty, "+ find_0", "Tool call 1 of 6", ">", "ready");
	pty_enter(s.pty, "by bus");
	PTY_SEES(s.pty, "Tool call 2 of 6");
	check_docked(s.pty, "+ find_1", "Tool call 2 of 6", ">", "ready");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Tool call 2 of 6");
	PTY_SEES(s.pty, "as not run"); /* the end again */
	CHECK(pty_find_row(s.pty, "for the latest") < 0, "%s", pty_dump(s.pty));
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void arguments_have_the_rows_of_the_page(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_delta(s.server, CALL(0, "call_a", "look", "{\\\"a_name_that_is_too_long_for_a_label\\\":{\\\"at\\\":1}}"));
	hand_delta(s.server, CALL(1, "call_b", "find", "{\\\"to\\\":{\\\"at\\\":[1]},\\\"line\\\":\\\"a\\\\n\\\\u0062\\\"}"));
	hand_delta(s.server, CALL(2, "call_c", "nothing", "{}"));
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "   a_name_that_is_too_long_for_a_label  {\"at\":1}");
	pty_enter(s.pty, "one");
	PTY_SEES(s.pty, "   to      {\"at\":[1]}");
	PTY_SEES(s.pty, "   line    a");
	PTY_SEES(s.pty, "           b");
	pty_enter(s.pty, "two");
	PTY_SEES(s.pty, "   {}");
	pty_send(s.pty, K_ESC);
	stage_drop(&s);
}

static void the_smallest_window_has_room_for_a_sheet_and_the_status(void)
{
	struct stage s;

	ask_for_weather(&s);
	pty_resize(s.pty, 6, 20);
	PTY_SEES(s.pty, "ready");
	pty_send(s.pty, K_ALT("a") "a result of several words");
	PTY_SEES(s.pty, "several words");
	PTY_SEES(s.pty, "Enter gives this");
	CU_ASSERT_EQUAL(pty_find_row(s.pty, "ready"), 5);
	stage_close(&s);
}

static void a_sheet_can_be_left_and_opened_again(void)
{
	struct stage s;

	ask_for_weather(&s);
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "Tool call 1 of 1");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Tool call 1 of 1");
	pty_send(s.pty, "/answer\r");
	PTY_SEES(s.pty, "Tool call 1 of 1");
	pty_paste(s.pty, "pasted\nresult");
	PTY_SEES(s.pty, "pasted");
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "pasted"));
	stage_close(&s);
}

static void an_empty_result_is_asked_about_once(void)
{
	struct stage s;

	ask_for_weather(&s);
	pty_resize(s.pty, 12, 40);
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "Enter gives this result"); /* also in a narrow window */
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "Enter again gives an empty result");
	pty_send(s.pty, "x\x7F");
	PTY_SEES(s.pty, "Enter gives this result");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "Enter again gives an empty result");
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "\"call_a\",\"content\":\"\""));
	stage_close(&s);
}

static void calls_left_alone_go_back_as_not_run(void)
{
	struct stage s;

	ask_for_weather(&s);
	stage_ask(&s, "never mind");
	CU_ASSERT_TRUE(stage_sent(&s, "\"call_a\""));
	CU_ASSERT_TRUE(stage_sent(&s, "\"tool\""));
	CU_ASSERT_TRUE(stage_sent(&s, "never mind"));
	stage_close(&s);
}

static void calls_that_are_not_whole_are_not_offered(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "weather?");
	hand_delta(s.server, CALL(0, "call_a", "get_weather", "{\\\"city\\\":\\\"Tok"));
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "  not JSON");
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "no tool call waits for an answer");
	stage_close(&s);
}

/* A megabyte of arguments: the card comes at once, and its end must be seen before it is approved. */
static void a_huge_call_is_read_to_its_end(void)
{
	struct stage s;
	struct buf delta = { 0 };

	stage_open(&s, &(struct stage_options){ .settings = "[tool f]\ncommand = wc -c\ninput = json\n", .turns = true });
	stage_begin(&s, "count");
	buf_add_z(&delta, "{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\\\"");
	for (int i = 0; i < 50000; i++)
		buf_add_z(&delta, "rm -rf /tmp/all      ");
	buf_add_z(&delta, "\\\"}\"}}]}");
	hand_delta(s.server, buf_z(&delta));
	hand_finish(s.server, "tool_calls");
	PTY_SEES(s.pty, "Run f? Call 1 of 1");
	PTY_SEES_LATER(s.pty, "PgDn to the end, then y");
	pty_send(s.pty, "y");
	PTY_SEES(s.pty, "there is more of it");
	CU_ASSERT_PTR_NULL(strstr(pty_dump(s.pty), "variables"));
	pty_send(s.pty, K_END);
	PTY_SEES(s.pty, "variables");
	pty_send(s.pty, "y");
	hand_accept(s.server);
	CHECK(stage_sent(&s, "1050008"), "%.400s", hand_body(s.server) + strlen(hand_body(s.server)) - 400);
	hand_whole(s.server, "That is long.", "stop");
	PTY_SEES(s.pty, "That is long.");
	buf_fini(&delta);
	stage_close(&s);
}

const struct suite suite_screen_tools = { "screen_tools", (const struct test[]){
	TEST(a_call_is_answered_by_hand),
	TEST(parallel_calls_are_answered_and_skipped_in_one_request),
	TEST(the_page_ends_above_the_sheet),
	TEST(arguments_have_the_rows_of_the_page),
	TEST(the_smallest_window_has_room_for_a_sheet_and_the_status),
	TEST(a_sheet_can_be_left_and_opened_again),
	TEST(an_empty_result_is_asked_about_once),
	TEST(calls_left_alone_go_back_as_not_run),
	TEST(calls_that_are_not_whole_are_not_offered),
	TEST(a_huge_call_is_read_to_its_end),
	{ 0 },
} };
