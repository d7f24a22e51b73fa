/* What messages of an MCP session are called. */
#include "wire/mcp/said.h"

#include <string.h>

#include "base/utf8.h"
#include "support/check.h"
#include "wire/mcp/rpc.h"

struct message { bool sent; const char *text, *line; enum said_kind kind; };

static void check_lines(const struct message *messages, size_t count)
{
	struct said *said = said_new();
	struct buf line = { 0 };

	for (size_t i = 0; i < count; i++) {
		buf_clear(&line);
		CHECK(said_read(said, messages[i].sent, str_from(messages[i].text), false, &line) == messages[i].kind, "%s", messages[i].text);
		CHECK(!strcmp(buf_z(&line), messages[i].line), "%s: %s", messages[i].text, buf_z(&line));
	}
	buf_fini(&line);
	said_free(said);
}

static void answers_say_what_was_asked(void)
{
	static const struct message messages[] = {
		{ true, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"}}", "request 1 tools/call echo", SAID_REQUEST },
		{ true, "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"resources/read\",\"params\":{\"uri\":\"file:///a\"}}",
		  "request \"b\" resources/read file:///a", SAID_REQUEST },
		{ false, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "request 1 ping", SAID_REQUEST }, /* of the other side: the same id is another */
		{ false, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1,\"total\":4}}",
		  "notification notifications/progress 1 of 4", SAID_NOTIFICATION },
		{ false, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"isError\":true}}",
		  "answer 1 tools/call echo, an error of the tool", SAID_ANSWER },
		{ true, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", "answer 1 ping", SAID_ANSWER },
		{ false, "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"error\":{\"code\":-32002,\"message\":\"gone\"}}",
		  "error \"b\" resources/read file:///a: -32002 gone", SAID_ERROR },
		{ false, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", "answer 1 ", SAID_ANSWER }, /* a second one */
		{ false, "hello", "no message it is no JSON", SAID_NOTHING },
		{ false, "[]", "no message it is a batch of messages", SAID_NOTHING },
		{ false, "{} {}", "no message it is no JSON", SAID_NOTHING },
		{ false, "", "no message it is no JSON", SAID_NOTHING },
	};

	check_lines(messages, sizeof messages / sizeof *messages);
}

static void lines_are_bounded_and_plain(void)
{
	struct said *said = said_new();
	struct buf text = { 0 }, line = { 0 };

	buf_add_z(&text, "{\"jsonrpc\":\"2.0\",\"id\":\"");
	for (int i = 0; i < 1000; i++)
		buf_add_z(&text, "\\u001b\\n\xC3\xA9");
	buf_add_z(&text, "\",\"method\":\"\\u001b[31m");
	for (int i = 0; i < 1000; i++)
		buf_add_z(&text, "\xC3\xA9\\n");
	buf_add_z(&text, "\"}");
	CU_ASSERT_EQUAL(said_read(said, false, buf_str(&text), false, &line), SAID_REQUEST);
	CHECK(line.len < 400 && utf8_is_valid(buf_str(&line)), "%s", buf_z(&line));
	for (size_t i = 0; i < line.len; i++)
		CHECK((unsigned char)line.ptr[i] >= ' ', "byte %zu", i);
	for (int i = 0; i < 2000; i++) { /* more requests than are remembered */
		buf_clear(&text);
		buf_printf(&text, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"m%d\"}", i, i);
		(void)said_read(said, true, buf_str(&text), false, &line);
	}
	buf_clear(&line);
	(void)said_read(said, false, STR("{\"jsonrpc\":\"2.0\",\"id\":1999,\"result\":{}}"), true, &line);
	CHECK_STR(buf_str(&line), "answer       1999  m1999");
	buf_clear(&line);
	(void)said_read(said, false, STR("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}"), true, &line);
	CHECK_STR(buf_str(&line), "answer         3  ");
	buf_fini(&text);
	buf_fini(&line);
	said_free(said);
}

/* What a form was answered with may be a secret. */
static void answers_of_the_user_are_left_out(void)
{
	static const struct { const char *message, *expected; } cases[] = {
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{\"password\":\"geheim\"}}}",
		  "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":\"left out\"}}" },
		{ "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"inputResponses\":{\"a\":{\"content\":{\"p\":\"geheim\"}}},\"name\":\"f\"}}",
		  "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"inputResponses\":\"left out\",\"name\":\"f\"}}" },
		{ "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"arguments\":{\"content\":1}}}",
		  "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"arguments\":{\"content\":1}}}" },
		{ "{\"id\":1,\"result\":{}}", "{\"id\":1,\"result\":{}}" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = { 0 };

		rpc_add_without_answers(&out, str_from(cases[i].message));
		CHECK_STR(buf_str(&out), cases[i].expected);
		buf_fini(&out);
	}
}

const struct suite suite_said = { "said", (const struct test[]){ TEST(answers_say_what_was_asked), TEST(lines_are_bounded_and_plain), TEST(answers_of_the_user_are_left_out), { 0 } } };
