/* `weir mcp` with servers that have an address: what is sent to them, and what is said about those that do what they should not. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "program.h"
#include "support/check.h"
#include "support/hand.h"

#define DISCOVERED "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}," \
	"\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"web\",\"version\":\"3\"}}}}"
#define INITIALIZED(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}," \
	"\"serverInfo\":{\"name\":\"web\",\"version\":\"3\"}}}"

static char url[80];

static struct hand *start(struct program *p, const char *const *words)
{
	struct hand *h = hand_new();
	const char *all[20] = { "mcp", *words++, url };
	size_t count = 3;

	snprintf(url, sizeof url, "http://127.0.0.1:%u/mcp", hand_port(h));
	while (*words)
		all[count++] = *words++;
	program_start(p, all, NULL);
	return h;
}

static void end(struct program *p, struct hand *h, int status, const char *output, const char *errors)
{
	program_wait(p);
	CHECK(p->status == status, "status %d: %s", p->status, buf_z(&p->errors));
	if (output)
		CHECK_STR(buf_str(&p->output), output);
	if (errors)
		CHECK(str_find(buf_str(&p->errors), str_from(errors)) < p->errors.len || (!*errors && !p->errors.len), "\"%s\", not \"%s\"",
		      buf_z(&p->errors), errors);
	program_free(p);
	hand_free(h);
	folder_remove();
}

#define CHECK_HEAD(h, line) CHECK(hand_head_has(h, line), "%s is not in %s", line, hand_head(h))
#define CHECK_NO_HEAD(h, text) CHECK(!str_has_nocase(str_from(hand_head(h)), STR(text)), "%s", hand_head(h))
#define CHECK_BODY(h, text) CHECK(strstr(hand_body(h), text) != NULL, "%s is not in %s", text, hand_body(h))

static void a_modern_server_is_asked_without_a_session(void)
{
	struct program p;
	struct hand *h = start(&p, ARGS("call", "first", "{\"a\":\"x y\",\"b\":\"\\n\"}"));

	CU_ASSERT(hand_accept(h));
	CU_ASSERT(str_starts(str_from(hand_head(h)), "POST /mcp HTTP/1.1\r\n"));
	CHECK_HEAD(h, "accept: application/json, text/event-stream");
	CHECK_HEAD(h, "content-type: application/json");
	CHECK_HEAD(h, "mcp-protocol-version: 2026-07-28");
	CHECK_HEAD(h, "mcp-method: server/discover");
	hand_reply(h, 200, "application/json", DISCOVERED);
	CU_ASSERT(hand_accept(h));
	CHECK_HEAD(h, "mcp-method: tools/list");
	CHECK_NO_HEAD(h, "mcp-session-id");
	/* An event stream is as good, with what stands before the answer. */
	hand_reply(h, 200, "text/event-stream", ": comment\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n"
	           "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"first\",\"inputSchema\":{\"properties\":{"
	           "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"string\",\"x-mcp-header\":\"B\"}}}}]}}\n\n");
	CU_ASSERT(hand_accept(h));
	CHECK_HEAD(h, "mcp-method: tools/call");
	CHECK_HEAD(h, "mcp-name: first");
	CHECK_HEAD(h, "mcp-param-a: x y");
	CHECK_HEAD(h, "mcp-param-b: =?base64?Cg==?=");
	CHECK_BODY(h, "\"arguments\":{\"a\":\"x y\",\"b\":\"\\n\"}");
	hand_reply(h, 200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"well\"}]}}");
	end(&p, h, 0, "well\n", "");
}

static void reply_with_session(struct hand *h, const char *session, const char *body)
{
	char text[600];

	snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
	         session, strlen(body), body);
	hand_send(h, text);
	hand_close(h);
}

/* From initialize up to the GET that listens, which this server does not have. */
static void begin_session(struct hand *h, const char *session, const char *answer)
{
	CU_ASSERT(hand_accept(h));
	CHECK_BODY(h, "\"method\":\"initialize\"");
	CHECK_NO_HEAD(h, "mcp-session-id");
	CHECK_NO_HEAD(h, "mcp-protocol-version");
	reply_with_session(h, session, answer);
	CU_ASSERT(hand_accept(h));
	CHECK_BODY(h, "notifications/initialized");
	CHECK(hand_head_has(h, "mcp-protocol-version: 2025-11-25") && strstr(hand_head(h), session), "%s", hand_head(h));
	hand_reply(h, 202, "text/plain", "");
	CU_ASSERT(hand_accept(h));
	CHECK(str_starts(str_from(hand_head(h)), "GET /mcp ") && hand_head_has(h, "accept: text/event-stream"), "%s", hand_head(h));
	hand_reply(h, 405, "text/plain", "");
}

static void a_session_is_kept_begun_anew_and_ended(void)
{
	struct program p;
	struct hand *h = start(&p, ARGS("ping"));

	CU_ASSERT(hand_accept(h));
	hand_reply(h, 400, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"Bad Request: Server not initialized\"}}");
	begin_session(h, "s-1", INITIALIZED(2));
	CU_ASSERT(hand_accept(h));
	CHECK_HEAD(h, "mcp-session-id: s-1");
	CHECK_NO_HEAD(h, "mcp-method");
	hand_reply(h, 404, "application/json", "{}");
	begin_session(h, "s-2", INITIALIZED(4));
	CU_ASSERT(hand_accept(h));
	CHECK_HEAD(h, "mcp-session-id: s-2");
	CHECK_BODY(h, "\"id\":5");
	hand_reply(h, 200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}");
	CU_ASSERT(hand_accept(h));
	CHECK(str_starts(str_from(hand_head(h)), "DELETE /mcp ") && hand_head_has(h, "mcp-session-id: s-2"), "%s", hand_head(h));
	hand_reply(h, 200, "text/plain", "");
	end(&p, h, 0, NULL, "weir: 127.0.0.1:");
}

/* Each time it has answered something since. */
static void a_session_is_begun_anew_as_often_as_the_server_restarts(void)
{
	struct program p;
	struct hand *h = start(&p, ARGS("call", "t", "--protocol-version", "2025-11-25"));

	begin_session(h, "s-1", INITIALIZED(1));
	CU_ASSERT(hand_accept(h));
	CHECK_BODY(h, "tools/list");
	hand_reply(h, 404, "application/json", "{}");
	begin_session(h, "s-2", INITIALIZED(3));
	CU_ASSERT(hand_accept(h));
	hand_reply(h, 200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"tools\":[]}}");
	CU_ASSERT(hand_accept(h));
	CHECK_BODY(h, "tools/call");
	hand_reply(h, 404, "application/json", "{}");
	begin_session(h, "s-3", INITIALIZED(6));
	CU_ASSERT(hand_accept(h));
	hand_reply(h, 404, "application/json", "{}");
	end(&p, h, 4, "", "the server has forgotten the session again (HTTP 404)");
}

static void a_stream_that_breaks_off_is_resumed(void)
{
	struct program p;
	struct hand *h = start(&p, ARGS("ping", "--protocol-version", "2025-11-25"));

	begin_session(h, "s-1", INITIALIZED(1));
	CU_ASSERT(hand_accept(h));
	hand_reply(h, 200, "text/event-stream", "id: e-1\nretry: 10\ndata: \n\nid: e-2\n");
	CU_ASSERT(hand_accept(h));
	CHECK_HEAD(h, "last-event-id: e-1");
	CHECK_HEAD(h, "mcp-session-id: s-1");
	hand_reply(h, 200, "text/event-stream", "id: e-3\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n");
	CU_ASSERT(hand_accept(h)); /* DELETE */
	hand_reply(h, 405, "text/plain", "");
	end(&p, h, 0, NULL, "");
}

/* What is said about the answer to the first request, and how often it is asked. */
static void refusals_are_sentences(void)
{
	static const struct { int status; const char *type, *body; unsigned requests; const char *says; } cases[] = {
		{ 401, "text/plain", "", 1, "the server wants authorization (HTTP 401): weir mcp login http://127.0.0.1:" },
		{ 403, "text/plain", "not \033[31myou", 1, "the server forbids it (HTTP 403): not \xEF\xBF\xBD[31myou" },
		{ 302, "text/plain", "", 1, "the server redirects (HTTP 302) to nowhere; redirects are not followed" },
		{ 500, "text/html", "<p>oops", 2, "the server answers with HTTP 500: <p>oops" },
		{ 200, "text/html", "<html>hello</html>", 2, "the response to initialize holds no message" },
		{ 200, "application/json", "{\"hello\":1}", 2, "what the server sent is no message of JSON-RPC: its jsonrpc is not \"2.0\"" },
		{ 400, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32020,\"message\":\"bad header\"}}", 1,
		  "the server refuses server/discover: bad header (-32020)" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct program p;
		struct hand *h = start(&p, ARGS("ping"));

		for (unsigned request = 0; request < cases[i].requests; request++) {
			CU_ASSERT(hand_accept(h));
			hand_reply(h, cases[i].status, cases[i].type, cases[i].body);
		}
		end(&p, h, 4, "", cases[i].says);
	}
}

/* The transport of 2024-11-05: a GET whose first event says where messages go. A place on another host is not taken: it would get the key. */
static void the_older_transport_is_tried(void)
{
	static const struct { const char *stream; int status; const char *says; } cases[] = {
		{ "event: endpoint\ndata: /messages?s=1\n\n", 3, "the connection ended" },
		{ "event: endpoint\ndata: http://elsewhere.invalid/messages\n\n", 4, "the server answers with HTTP 405, and has no event stream either" },
		{ "event: endpoint\ndata: //elsewhere.invalid/messages\n\n", 4, "the server answers with HTTP 405, and has no event stream either" },
		{ ": nothing\n\n", 4, "the server answers with HTTP 405, and has no event stream either" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct program p;
		struct hand *h = start(&p, ARGS("ping"));

		for (int request = 0; request < 2; request++) {
			CU_ASSERT(hand_accept(h));
			hand_reply(h, 405, "text/plain", "");
		}
		CU_ASSERT(hand_accept(h));
		CHECK(str_starts(str_from(hand_head(h)), "GET /mcp ") && hand_head_has(h, "accept: text/event-stream"), "%s", hand_head(h));
		hand_reply(h, 200, "text/event-stream", cases[i].stream);
		end(&p, h, cases[i].status, "", cases[i].says);
	}
}

/* Each answer to what a server asks takes a connection. */
static void a_server_that_asks_for_too_much_is_left(void)
{
	struct program p;
	struct hand *h = start(&p, ARGS("ping", "--protocol-version", "2025-11-25"));
	struct buf flood = { 0 };

	begin_session(h, "s-1", INITIALIZED(1));
	CU_ASSERT(hand_accept(h));
	for (int i = 0; i < 2000; i++)
		buf_add_z(&flood, "data: {\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}\n\n");
	hand_reply(h, 200, "text/event-stream", buf_z(&flood));
	buf_fini(&flood);
	end(&p, h, 4, "", "the server asks for more than 64 things at once");
}

static void a_connection_that_ends_is_cut(void)
{
	struct program p;
	struct hand *h = start(&p, ARGS("ping"));

	CU_ASSERT(hand_accept(h));
	hand_reply(h, 200, "application/json", DISCOVERED);
	CU_ASSERT(hand_accept(h));
	hand_reply(h, 200, "text/event-stream", ": nothing\n\n");
	end(&p, h, 3, "", "the connection ended before the answer to server/discover");
	/* Nobody is there. */
	h = start(&p, ARGS("ping"));
	CU_ASSERT(hand_accept(h));
	hand_close(h);
	end(&p, h, 4, "", "weir: 127.0.0.1:");
}

static void a_request_that_takes_too_long_is_closed(void)
{
	struct program p;
	struct hand *h = start(&p, ARGS("ping", "--timeout", "0.3"));

	CU_ASSERT(hand_accept(h));
	hand_reply(h, 200, "application/json", DISCOVERED);
	CU_ASSERT(hand_accept(h));
	hand_answer(h, 200, "text/event-stream");
	hand_send(h, ": waiting\n\n");
	CU_ASSERT(hand_is_left(h)); /* which is how a modern server hears of it */
	hand_close(h);
	end(&p, h, 3, "", "no answer came within 0.3 s");
}

#define KEY "a-secret/of-this-test"

static void the_key_goes_into_a_header_and_nowhere_else(void)
{
	struct hand *h = hand_new();
	struct buf text = { 0 };
	struct program p;
	char settings[300];
	const char *tape = folder_file("t.tape", NULL);

	snprintf(settings, sizeof settings, "[mcp web]\nurl = http://127.0.0.1:%u/mcp\nkey_env = WEB_KEY\nheader.X-Team = blue\n", hand_port(h));
	program_start(&p, ARGS("mcp", "ping", "web", "--json", "--config", folder_file("weir.conf", settings), "--tape", tape),
	              (const char *const[]){ "WEB_KEY=" KEY, NULL });
	CU_ASSERT(hand_accept(h));
	CHECK_HEAD(h, "authorization: Bearer " KEY);
	CHECK_HEAD(h, "x-team: blue");
	hand_reply(h, 200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},"
	           "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"" KEY " a-secret\\/of-this-test\"}}}}");
	CU_ASSERT(hand_accept(h));
	hand_reply(h, 200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
	program_wait(&p);
	CU_ASSERT_EQUAL(p.status, 0);
	CHECK(strstr(buf_z(&p.output), "*********************") && !strstr(buf_z(&p.output), "-test"), "%s", buf_z(&p.output));
	CU_ASSERT(buf_read_file(&text, tape, NULL));
	CU_ASSERT(!strstr(buf_z(&text), "-test"));
	buf_fini(&text);
	program_free(&p);
	hand_free(h);
	folder_remove();
}

const struct suite suite_mcp_http = { "mcp_http", (const struct test[]){
	TEST(a_modern_server_is_asked_without_a_session), TEST(a_session_is_kept_begun_anew_and_ended), TEST(a_session_is_begun_anew_as_often_as_the_server_restarts),
	TEST(a_stream_that_breaks_off_is_resumed),
	TEST(refusals_are_sentences), TEST(the_older_transport_is_tried), TEST(a_connection_that_ends_is_cut), TEST(a_server_that_asks_for_too_much_is_left), TEST(a_request_that_takes_too_long_is_closed),
	TEST(the_key_goes_into_a_header_and_nowhere_else), { 0 } } };
