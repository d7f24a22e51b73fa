/* Tools that run, in the linear mode: the question, and who may answer it. */
#include <stdio.h>
#include <string.h>

#include "app/program.h"
#include "lines.h"
#include "support/check.h"

#define TOOL "[tool f]\ncommand = printf 'ran <%s>' {a}\nfolder = /\n"
#define QUESTION "Run it? y, a, n WORDS or e ARGUMENTS: "

static void lines_open_tool(struct lines *l)
{
	lines_open(l, TOOL, LIST("--plain"), NULL);
	SAYS(l, "You: ");
}

static void the_model_calls(struct lines *l, const char *id)
{
	hand_begin(l->server);
	hand_delta(l->server, id);
	hand_finish(l->server, "tool_calls");
}

#define CALL_OF(name, arguments) "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}]}"
#define CALL(arguments) CALL_OF("f", arguments)

/* A line that is held until it is clear that it came alone. */
static void types(struct lines *l, const char *line, const char *says)
{
	pty_send(l->pty, line);
	pty_send(l->pty, "\n");
	lines_say_later(l, says, __FILE__, __LINE__);
}

static void a_call_is_asked_for_in_lines(void)
{
	struct lines l;

	lines_open_tool(&l);
	lines_ask(&l, "go");
	the_model_calls(&l, CALL("{\\\"a\\\":\\\"one\\\\ntwo\\\"}"));
	SAYS(&l, "Call 1 of 1 would run f (settings):\r\nprogram: printf\r\nargument 1: ran <%s>\r\nargument 2: one\u240a\r\n  and: two\r\nfolder: /\r\n");
	SAYS(&l, QUESTION);
	types(&l, "maybe", "That is none of y, a, n and e.");
	types(&l, "e {\"a\":[5]}", "the schema wants a string");
	types(&l, "e {\"a\":\"three\"}", "argument 2: three\r\n");
	types(&l, "y", "Sent back: the result of f");
	CU_ASSERT(hand_accept(l.server));
	CU_ASSERT(lines_sent(&l, "ran <three>"));
	hand_whole(l.server, "It ran.", "stop");
	SAYS(&l, "It ran.");
	SAYS(&l, "You: ");
	pty_send(l.pty, "/replay\n");
	SAYS(&l, "plays round 1 of 2.");
	SAYS(&l, "plays round 2 of 2.");
	lines_ask(&l, "again");
	the_model_calls(&l, CALL("{\\\"a\\\":\\\"four\\\"}"));
	SAYS(&l, QUESTION);
	types(&l, "", "Left for later: /answer asks again.");
	pty_send(l.pty, "/answer\n");
	SAYS(&l, "argument 2: four");
	SAYS(&l, QUESTION);
	types(&l, "y", "It came with other lines"); /* no time has passed since /answer */
	SAYS(&l, QUESTION);
	pty_turn(l.pty, 200);
	types(&l, "n not now", "Sent back as not run: f");
	CU_ASSERT(hand_accept(l.server));
	CU_ASSERT(lines_sent(&l, "The user says: not now"));
	hand_whole(l.server, "Well.", "stop");
	SAYS(&l, "Well.");
	SAYS(&l, "You: ");
	lines_close(&l);
}

/* Lines that come together may be pasted: none of them allows a call. */
static void lines_that_come_together_allow_nothing(void)
{
	struct lines l;

	lines_open_tool(&l);
	lines_ask(&l, "go");
	the_model_calls(&l, CALL("{\\\"a\\\":\\\"one\\\"}"));
	SAYS(&l, QUESTION);
	types(&l, "y\ny", "It came with other lines, so it decides nothing.");
	SAYS_LATER(&l, QUESTION);
	pty_turn(l.pty, 200);
	types(&l, "a", "Sent back: the result of f");
	CU_ASSERT(hand_accept(l.server));
	CU_ASSERT(lines_sent(&l, "ran <one>"));
	the_model_calls(&l, CALL("{\\\"a\\\":\\\"two\\\"}"));
	CU_ASSERT(hand_accept(l.server)); /* always, in this conversation */
	CU_ASSERT(lines_sent(&l, "ran <two>"));
	hand_whole(l.server, "It ran.", "stop");
	SAYS(&l, "It ran.");
	SAYS(&l, "You: ");
	lines_close(&l);
}

/* Nobody can be asked. */
static void a_pipe_allows_nothing(void)
{
	struct program server, p;
	char url[64];

	program_serve(&server, url, ARGS(folder_file("a.sse", "data: {\"choices\":[{\"delta\":" CALL("{\\\"a\\\":\\\"one\\\"}")
	              ",\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n")));
	program_run(&p, STR("go\ny\n/answer\ny\n"), ARGS("--plain", "--base-url", url, "-m", "m", "--config", folder_file("weir.conf", TOOL)), NULL);
	CHECK(strstr(buf_z(&p.output), "It does not run: only a line that is typed can allow it.") != NULL, "%s", buf_z(&p.output));
	CHECK(!strstr(buf_z(&p.output), "Sent back"), "%s", buf_z(&p.output));
	program_free(&p);
	program_free(&server);
	folder_remove();
}

/* --- what an MCP server asks for --- */

/* Its questions come while the call runs; only a line that says so, and came alone, sends what was typed. */
static void a_server_asks_in_lines(void)
{
	char settings[1200];
	struct lines l;

	snprintf(settings, sizeof settings, "[mcp fake]\ncommand = %s\n elicit '{\"message\":\"Who?\\nYou: \",\"requestedSchema\":{\"required\":[\"n\"],\n"
	         " \"properties\":{\"n\":{\"type\":\"string\"},\"pin\":{\"type\":\"string\"},\"k\":{\"type\":\"integer\",\"default\":3}}}}'\n", mcp_server_path());
	for (int declines = 0; declines < 2; declines++) {
		lines_open(&l, settings, LIST("--plain"), NULL);
		SAYS(&l, "You: ");
		lines_ask(&l, "go");
		the_model_calls(&l, CALL_OF("fake__first", "{}"));
		SAYS(&l, QUESTION);
		types(&l, "y", "The MCP server fake asks you.\r\nIt asks during the call of its tool first.\r\n"
		      "It asks for what looks like a secret: pin. fake would get it as you type it; servers must not ask for secrets in a form.\r\n"
		      "It says: Who?\r\n  You:\r\n");
		SAYS(&l, "n (required)\r\nValue: ");
		if (declines) {
			types(&l, "/decline", "fake was told no.");
			CU_ASSERT(hand_accept(l.server));
			CU_ASSERT(lines_sent(&l, "{\\\"action\\\":\\\"decline\\\"}"));
		} else {
			types(&l, "", "n is required.");
			types(&l, "me", "pin (a secret, for fake)\r\nThe secret (hidden): ");
			types(&l, "1234", "k (a whole number) [3]\r\nValue: ");
			CU_ASSERT(str_find(pty_output(l.pty), STR("1234")) == pty_output(l.pty).len);
			types(&l, "", "fake would get:\r\n  n: me\r\n  pin: the secret\r\n  k: 3\r\nsend, decline or cancel: ");
			types(&l, "send", "It came with other lines"); /* no time has passed since the line before */
			SAYS_LATER(&l, "send, decline or cancel: ");
			pty_turn(l.pty, 200);
			types(&l, "send", "fake has your answer.");
			CU_ASSERT(hand_accept(l.server));
			CU_ASSERT(lines_sent(&l, "{\\\"n\\\":\\\"me\\\",\\\"pin\\\":\\\"1234\\\",\\\"k\\\":3}"));
		}
		hand_whole(l.server, "So be it.", "stop");
		SAYS(&l, "So be it.");
		lines_close(&l);
	}
}

/* A picture of a result is told, and can be saved. */
static void a_picture_of_a_result_is_told(void)
{
	char settings[700];
	struct lines l;

	snprintf(settings, sizeof settings, "[mcp fake]\ncommand = %s mixed\n", mcp_server_path());
	lines_open(&l, settings, LIST("--plain"), NULL);
	SAYS(&l, "You: ");
	lines_ask(&l, "go");
	the_model_calls(&l, CALL_OF("fake__first", "{}"));
	SAYS(&l, QUESTION);
	types(&l, "y", "Sent back: the result of fake__first");
	SAYS(&l, "A tool gave image 1, png, 8 B.");
	CU_ASSERT(hand_accept(l.server));
	CU_ASSERT(lines_sent(&l, "data:image/png;base64,iVBORw0KGgo="));
	hand_whole(l.server, "So be it.", "stop");
	SAYS(&l, "So be it.");
	SAYS(&l, "You: ");
	pty_send(l.pty, "/save ~/a.png\n");
	SAYS(&l, "is saved to");
	lines_close(&l);
}

const struct suite suite_plain_runs = { "plain_runs", (const struct test[]){
	TEST(a_call_is_asked_for_in_lines), TEST(lines_that_come_together_allow_nothing), TEST(a_pipe_allows_nothing),
	TEST(a_server_asks_in_lines), TEST(a_picture_of_a_result_is_told), { 0 } } };
