/* Calls that ask in the linear mode. */
#include "lines.h"
#include "support/check.h"

#define TOOL "[tool f]\ncommand = echo ran {a}\n"
#define CALL "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\\\"one two\\\"}\"}}]}"

/* Types a line as a person does, some time after another one. */
static void types_later(struct lines *l, const char *line, const char *said)
{
	SAYS(l, "Run it? ");
	pty_turn(l->pty, 1000);
	pty_send(l->pty, line);
	pty_send(l->pty, "\n");
	SAYS_LATER(l, said);
}

/* A prompt that was being typed when the question came may begin with any word. */
static void only_a_word_alone_allows_a_call(void)
{
	struct lines l;

	lines_open(&l, TOOL, LIST("--plain"), NULL);
	SAYS(&l, "You: ");
	lines_ask(&l, "first");
	hand_begin(l.server);
	hand_delta(l.server, CALL);
	hand_finish(l.server, "tool_calls");
	SAYS(&l, "Call 1 of 1 would run f (settings):\r\nprogram: echo\r\nargument 1: ran\r\nargument 2: one two\r\n");
	types_later(&l, "a list of all that is there", "That is none of y, a, n and e.");
	types_later(&l, "Yes, but not that", "That is none of y, a, n and e.");
	types_later(&l, "e {\"a\":\"three\"}", "argument 2: three\r\n");
	SAYS(&l, "Run it? ");
	pty_turn(l.pty, 1000);
	lines_ask(&l, "y");
	CU_ASSERT_TRUE(lines_sent(&l, "ran three"));
	hand_whole(l.server, "It ran.", "stop");
	DIALOGUE(&l, "m-1: It ran.", "You: ");
	lines_close(&l);
}

/* What holds for a tool is listed, and what was allowed is taken back. */
static void what_was_allowed_is_taken_back(void)
{
	struct lines l;

	lines_open(&l, TOOL, LIST("--plain"), NULL);
	SAYS(&l, "You: ");
	for (int i = 0; i < 3; i++) {
		lines_ask(&l, "go");
		hand_begin(l.server);
		hand_delta(l.server, CALL);
		hand_finish(l.server, "tool_calls");
		if (i != 1) /* it was allowed */
			types_later(&l, "a", "f runs without a question now: /tools f ask takes that back.");
		CU_ASSERT(hand_accept(l.server));
		CU_ASSERT(lines_sent(&l, "ran one two"));
		hand_whole(l.server, "It ran.", "stop");
		DIALOGUE(&l, "m-1: It ran.", "You: ");
		pty_send(l.pty, "/tools\n");
		SAYS(&l, "f (always in this conversation), clock (off)");
		if (!i)
			continue;
		pty_send(l.pty, "/tools f ask\n");
		SAYS(&l, "f asks again before it runs, in this conversation.");
		pty_send(l.pty, "/tools\n");
		SAYS(&l, "f (ask), clock (off)");
	}
	lines_close(&l);
}

const struct suite suite_plain_allow = { "plain_allow", (const struct test[]){ TEST(only_a_word_alone_allows_a_call), TEST(what_was_allowed_is_taken_back), { 0 } } };
