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

const struct suite suite_plain_allow = { "plain_allow", (const struct test[]){ TEST(only_a_word_alone_allows_a_call), { 0 } } };
