/* `weir probe`, against the demo and against servers with planted faults: each fault is named in its cell. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/probe/probe_cases.h"
#include "app/program.h"
#include "base/json.h"
#include "support/check.h"
#include "support/hand.h"
#include "support/pty.h"
#include "support/turned.h"

#define HEAD "\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m-1\""
#define CHUNK(delta, finish) "data: {" HEAD ",\"choices\":[{\"index\":0,\"delta\":" delta ",\"finish_reason\":" finish "}]}\n\n"
#define USAGE "data: {" HEAD ",\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3,\"total_tokens\":15}}\n\n"
#define DONE "data: [DONE]\n\n"
#define BEGIN CHUNK("{\"role\":\"assistant\",\"content\":\"\"}", "null")
#define SAID(text, finish) BEGIN CHUNK("{\"content\":\"" text "\"}", "null") CHUNK("{}", "\"" finish "\"")
#define TEXT(text) SAID(text, "stop") USAGE DONE
#define CALL(index, name, arguments) CHUNK("{\"tool_calls\":[{\"index\":" index ",\"id\":\"call_" index "\",\"type\":\"function\"," \
	"\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}]}", "null")
#define CALLED(calls) BEGIN calls CHUNK("{}", "\"tool_calls\"") USAGE DONE
#define WEATHER(index) CALL(index, "get_weather", "{\\\"city\\\":\\\"Tokyo\\\"}")
#define ERROR(code) "{\"error\":{\"message\":\"it is so\",\"type\":\"invalid_request_error\",\"code\":\"" code "\"}}"

/* One case, one answer. `sent`: in the body of the request; with '!' before it, not in it. `status` 0: 200. */
static const struct planted {
	const char *name;
	int status;
	const char *answer;
	const char *cell, *reason; /* in the table, and below it; NULL: nothing is */
	const char *sent;
} planted[] = {
	{ "text", 0, TEXT("Hello."), "as promised", NULL, "!stream_options" },
	{ "text", 0, SAID("Hello.", "stop"), "1 finding", "no-done (breaks the promise)", NULL },
	{ "text", 0, BEGIN CHUNK("{\"content\":\"Hel", "null"), "failed", "text: failed", NULL },
	{ "text", 0, SAID("", "stop") USAGE DONE, "failed", "no text came", NULL },
	{ "text", 500, ERROR("server_error"), "failed", "status 500: it is so", NULL },
	{ "usage", 0, TEXT("Hello."), "as promised", NULL, "\"stream_options\":{\"include_usage\":true}" },
	{ "usage", 0, SAID("Hello.", "stop") DONE, "failed", "no prompt tokens were reported", NULL },
	{ "usage", 0, SAID("Hello.", "stop") "data: {" HEAD ",\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3,\"total_tokens\":20}}\n\n" DONE,
	  "1 finding", "usage-sum (breaks the promise)", NULL },
	{ "reasoning", 0, BEGIN CHUNK("{\"reasoning_content\":\"So.\"}", "null") CHUNK("{\"content\":\"0.05\"}", "null") CHUNK("{}", "\"stop\"") USAGE DONE,
	  "as promised", NULL, "\"reasoning_effort\":\"low\"" },
	{ "reasoning", 0, TEXT("0.05"), "not offered", "the answer has no reasoning", NULL },
	{ "call", 0, CALLED(WEATHER("0")), "as promised", NULL, "\"name\":\"get_weather\"" },
	{ "call", 0, TEXT("It is warm."), "failed", "no call came", NULL },
	{ "call", 0, CALLED(CALL("0", "get_weather", "{\\\"city\\\":")), "failed", "are not a JSON object", NULL },
	{ "call", 0, CALLED(CALL("0", "rm_rf", "{}")), "failed", "a call of 'rm_rf', which was not offered", NULL },
	{ "call", 400, ERROR("tools"), "failed", "status 400: it is so", NULL },
	{ "result", 0, TEXT("18 degrees."), "as promised", NULL, "\"tool_call_id\":\"call_weir_1\"" },
	{ "parallel", 0, CALLED(WEATHER("0") CALL("1", "find_trains", "{}")), "as promised", NULL, "\"name\":\"find_trains\"" },
	{ "parallel", 0, CALLED(WEATHER("0")), "not offered", "one call came, not two", NULL },
	{ "parallel", 0, CALLED(WEATHER("0") CALL("0", "find_trains", "{}")), "2 findings", "2 findings\n    call-id-shared (breaks clients)", NULL },
	{ "schema", 0, TEXT("{\\\"city\\\":\\\"Rome\\\",\\\"inhabitants\\\":2800000}"), "as promised", NULL, "\"type\":\"json_schema\"" },
	{ "schema", 0, TEXT("{\\\"city\\\":\\\"Rome\\\"}"), "failed", "does not follow the schema", NULL },
	{ "schema", 400, ERROR("response_format"), "not offered", "status 400: it is so", NULL },
	{ "length", 0, SAID("one two", "length") USAGE DONE, "as promised", NULL, "\"max_tokens\":16" },
	{ "length", 0, TEXT("one two"), "failed", "the answer ended as complete", NULL },
	{ "stop", 0, TEXT("alpha, bravo, "), "as promised", NULL, "\"stop\":[\"charlie\"]" },
	{ "stop", 0, TEXT("alpha, bravo, charlie, delta"), "failed", "has the stop sequence \"charlie\"", NULL },
	{ "stop", 0, TEXT("Hm."), "failed", "the words before the stop sequence", NULL },
	{ "system", 0, TEXT("Heron."), "as promised", NULL, "The code word is heron" },
	{ "system", 0, TEXT("I do not know."), "failed", "\"heron\" of the system prompt", NULL },
	{ "long-prompt", 0, TEXT("heron"), "as promised", NULL, "The river runs past" },
	{ "long-prompt", 0, TEXT("sea"), "failed", "\"heron\" of the prompt", NULL },
	{ "image", 0, BEGIN CHUNK("{\"images\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,iVBORw0KGgo=\"}}]}", "null")
	  CHUNK("{}", "\"stop\"") USAGE DONE, "as promised", NULL, "\"modalities\":[\"image\",\"text\"]" },
	{ "image", 0, TEXT("A boat."), "not offered", "no image came", NULL },
	{ "image", 400, ERROR("modalities"), "not offered", "status 400: it is so", NULL },
	{ "image", 0, BEGIN CHUNK("{\"images\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,?\"}}]}", "null")
	  CHUNK("{}", "\"stop\"") USAGE DONE, "failed", "the image did not come whole", NULL },
	{ "audio", 0, BEGIN CHUNK("{\"audio\":{\"id\":\"a\",\"data\":\"AAEC\",\"transcript\":\"La\"}}", "null")
	  CHUNK("{\"audio\":{\"id\":\"a\",\"expires_at\":1}}", "null") CHUNK("{}", "\"stop\"") USAGE DONE, "as promised", NULL, "\"audio\":{" },
	{ "audio", 0, TEXT("La."), "not offered", "no audio came", NULL },
	{ "web-search", 0, BEGIN CHUNK("{\"executed_tools\":[{\"index\":0,\"type\":\"search\",\"arguments\":\"{}\",\"output\":\"x\"}]}", "null")
	  CHUNK("{\"content\":\"8.0\"}", "null") CHUNK("{}", "\"stop\"") USAGE DONE, "as promised", NULL, "\"web_search_options\":{}" },
	{ "web-search", 0, BEGIN CHUNK("{\"executed_tools\":[{\"index\":0,\"type\":\"search\",\"arguments\":\"{}\"}]}", "null")
	  CHUNK("{\"content\":\"8.0\"}", "null") CHUNK("{}", "\"stop\"") USAGE DONE, "failed", "has no result", NULL },
	{ "web-search", 0, BEGIN CHUNK("{\"content\":\"8.0\",\"annotations\":[{\"type\":\"url_citation\",\"url_citation\":{\"url\":\"https://curl.se\","
	  "\"title\":\"curl\",\"start_index\":0,\"end_index\":3}}]}", "null") CHUNK("{}", "\"stop\"") USAGE DONE, "as promised", NULL, NULL },
	{ "web-search", 0, TEXT("8.0"), "not offered", "no call that the server ran came", NULL },
	{ "bad-key", 401, ERROR("invalid_api_key"), "as promised", NULL, NULL },
	{ "bad-key", 422, ERROR("not_found"), "findings", "status 422 for a wrong key; 401 is usual", NULL },
	{ "bad-key", 404, ERROR("not_found"), "absent", "bad-key: absent: status 404: it is so", NULL },
	{ "bad-key", 500, ERROR("server_error"), "failed", "status 500 for a wrong key", NULL },
	{ "bad-key", 0, TEXT("Hello."), "failed", "answers with a wrong key", NULL },
	{ "bad-key", 401, "{\"detail\":\"no\"}", "1 finding", "error-message (breaks clients)", NULL },
	{ "bad-model", 404, "{\"error\":{\"message\":\"no such model\"}}", "findings", "the error has neither a type nor a code", NULL },
	{ "bad-model", 404, ERROR("model_not_found"), "as promised", NULL, "\"model\":\"weir-probe-no-such-model\"" },
	{ "bad-model", 0, TEXT("Hello."), "failed", "answers with an unknown model", NULL },
	{ "bad-model", 404, ERROR("not_found"), "absent", "bad-model: absent: status 404: it is so", NULL },
	{ "reasoning", 405, "<html>Not Allowed</html>", "absent", "reasoning: absent: status 405", NULL },
};

/* The provider takes a key, which no output has. */
static void start(struct program *p, const struct hand *hand, const char *const *more)
{
	const char *args[20] = { "probe", "-p", "hand", "--protocol", "openai-chat", "--yes", "--config",
		folder_file("weir.conf", hand_settings(hand, "auth = bearer\nkey_env = HAND_KEY\n")) };
	char state[300];
	size_t count = 8;

	snprintf(state, sizeof state, "XDG_STATE_HOME=%s", folder_path());
	while (*more)
		args[count++] = *more++;
	program_start(p, args, ARGS("HAND_KEY=the-real-key", state));
	program_end_input(p);
}

static bool says(const struct program *p, const char *words)
{
	return strstr(buf_z(&p->output), words) != NULL;
}

static void check_planted(const struct planted *c)
{
	bool clean = !strcmp(c->cell, "as promised") || !strcmp(c->cell, "not offered");
	const char *type = c->status ? "application/json" : "text/event-stream";
	struct hand *hand = hand_new();
	char row[100];
	struct program p;

	start(&p, hand, ARGS("--cases", c->name));
	if (hand_accept(hand)) {
		bool wrong_key = strstr(hand_head(hand), "Bearer " PROBE_WRONG_KEY) != NULL;

		CHECK(wrong_key == !strcmp(c->name, "bad-key") && wrong_key == !strstr(hand_head(hand), "the-real-key"), "%s", c->name);
		if (c->sent)
			CHECK((strstr(hand_body(hand), c->sent + (*c->sent == '!')) != NULL) == (*c->sent != '!'), "%s: %s", c->name, hand_body(hand));
		hand_reply(hand, c->status ? c->status : 200, type, c->answer);
	}
	CHECK(program_wait(&p) == (clean ? 0 : 1), "%s, %s: exit %d", c->name, c->cell, p.status);
	snprintf(row, sizeof row, "%-11s  %s", c->name, c->cell);
	CHECK(says(&p, row) && (!c->reason || says(&p, c->reason)), "%s, %s, %s: %s%s", c->name, c->cell,
	      c->reason ? c->reason : "", buf_z(&p.output), buf_z(&p.errors));
	CHECK(!says(&p, "the-real-key") && !strstr(buf_z(&p.errors), "the-real-key"), "%s", c->name);
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

static void planted_faults_are_named_in_their_cell(void)
{
	for (size_t i = 0; i < sizeof planted / sizeof *planted; i++)
		check_planted(&planted[i]);
}

/* Keys in headers and in the base URL: with a wrong key all of them are wrong, and other headers are sent as they are. */
static void a_wrong_key_is_the_only_one(void)
{
	struct hand *hand = hand_new();
	struct program p;
	char settings[400];
	const char *path;

	snprintf(settings, sizeof settings, "[provider keyed]\nprotocols = openai-chat\nbase_url = http://127.0.0.1:%u/v1?team_token=url-real-token&v=2&keyspace=main\n"
	         "model = m-1\nretries = 0\nauth = bearer\nkey_env = HAND_KEY\nheader.x-gateway-token = the-real-token\nheader.x-team = blue\n"
	         "header.x-portkey-api-key = the-real-portkey\nheader.x-portkey-provider = openai\nheader.x-country-code = de\nheader.x-token-budget = 7\n", hand_port(hand));
	path = folder_file("weir.conf", settings);
	program_start(&p, ARGS("probe", "-p", "keyed", "--yes", "--cases", "bad-key", "--config", path, "-o", folder_file("tapes", NULL)), ARGS("HAND_KEY=the-real-key"));
	program_end_input(&p);
	if (hand_accept(hand)) {
		CHECK(!strstr(hand_head(hand), "real"), "%s", hand_head(hand));
		CHECK(strstr(hand_head(hand), "x-gateway-token: " PROBE_WRONG_KEY "\r\n") && strstr(hand_head(hand), "x-team: blue\r\n"), "%s", hand_head(hand));
		CHECK(strstr(hand_head(hand), "x-portkey-provider: openai\r\n") && strstr(hand_head(hand), "x-country-code: de\r\n") &&
		      strstr(hand_head(hand), "x-token-budget: 7\r\n"), "%s", hand_head(hand));
		CHECK(strstr(hand_head(hand), "?team_token=" PROBE_WRONG_KEY "&v=2&keyspace=main HTTP"), "%s", hand_head(hand));
		hand_reply(hand, 401, "application/json", ERROR("invalid_api_key"));
	}
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK(says(&p, "bad-key      as promised"), "%s%s", buf_z(&p.output), buf_z(&p.errors));
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

#define UNASKED 8 /* chat: code; Responses: audio; Anthropic: image, audio; Ollama: all four */

static void the_demo_keeps_its_promises(void)
{
	struct program p;
	char sum[80];
	size_t count = 0, unable;

	while (probe_case_at(count))
		count++;
	/* It takes no key, Responses have no stop sequence, and not every protocol can be asked for what a server does itself. */
	unable = PROTOCOL_COUNT + 1 + UNASKED;
	snprintf(sum, sizeof sum, "\n%zu as promised, %zu not offered\n", count * PROTOCOL_COUNT - unable, unable);
	CHECK(program_run(&p, STR_NONE, ARGS("probe", "-p", "demo", "--yes"), turned_skipping()) == 0, "%s%s", buf_z(&p.output), buf_z(&p.errors));
	CHECK(says(&p, sum), "%s", buf_z(&p.output));
	program_free(&p);
}

/* The case `result` sends the result of the call that the case `call` got, with its id. */
static void the_result_follows_the_call(void)
{
	struct hand *hand = hand_new();
	struct program p;

	start(&p, hand, ARGS("--cases", "call,result"));
	CU_ASSERT(hand_accept(hand));
	hand_reply(hand, 200, "text/event-stream", CALLED(CALL("7", "get_weather", "{\\\"city\\\":\\\"Kyoto\\\"}")));
	CU_ASSERT(hand_accept(hand));
	CHECK(strstr(hand_body(hand), "\"tool_call_id\":\"call_7\"") && strstr(hand_body(hand), "Kyoto") && strstr(hand_body(hand), "18 degrees"), "%s", hand_body(hand));
	hand_reply(hand, 200, "text/event-stream", TEXT("It is mild."));
	program_wait(&p);
	CHECK(says(&p, "result       as promised"), "%s", buf_z(&p.output));
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

/* The answer is left at its first content, and the next request is answered. */
static void an_answer_is_cancelled_midway(void)
{
	static const struct { const char *next, *cell; int status; } cases[] = {
		{ TEXT("Hello."), "as promised", 0 }, { "data: {\"error\":{\"message\":\"busy\"}}\n\n", "failed", 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct hand *hand = hand_new();
		struct program p;

		start(&p, hand, ARGS("--cases", "cancelled"));
		CU_ASSERT(hand_accept(hand));
		hand_answer(hand, 200, "text/event-stream");
		hand_send(hand, BEGIN CHUNK("{\"content\":\"Once\"}", "null"));
		CU_ASSERT(hand_is_left(hand));
		CU_ASSERT(hand_accept(hand));
		hand_reply(hand, 200, "text/event-stream", cases[i].next);
		CHECK(program_wait(&p) == cases[i].status, "%s: %d", cases[i].cell, p.status);
		CHECK(says(&p, "cancelled    ") && says(&p, cases[i].cell), "%s", buf_z(&p.output));
		program_free(&p);
		hand_free(hand);
		folder_remove();
	}
}

/* A signal ends it: the table has what is known until then. */
static void an_interrupt_keeps_what_is_known(void)
{
	struct hand *hand = hand_new();
	struct program p;

	start(&p, hand, ARGS("--cases", "text,usage,call"));
	CU_ASSERT(hand_accept(hand));
	hand_reply(hand, 200, "text/event-stream", TEXT("Hello."));
	CU_ASSERT(hand_accept(hand));
	kill(p.pid, SIGINT);
	CU_ASSERT_EQUAL(program_wait(&p), 130);
	CHECK(says(&p, "text         as promised\nusage        not run\ncall         not run\n"), "%s", buf_z(&p.output));
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

static void a_server_that_is_not_there_is_asked_once(void)
{
	struct program p;
	const char *settings = folder_file("weir.conf", "[provider gone]\nbase_url = http://127.0.0.1:9/v1\nauth = none\nmodel = m\nretries = 0\n");
	char tapes[300];

	snprintf(tapes, sizeof tapes, "%s/tapes", folder_path());
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("probe", "-p", "gone", "--yes", "--cases", "text,call", "--config", settings, "-o", tapes), NULL), 1);
	CHECK(says(&p, "text         failed\ncall         not run\n") && says(&p, "cannot connect"), "%s", buf_z(&p.output));
	CHECK(says(&p, tapes), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* A 404 ends the column at its first request, and no other; the refusal of an unknown model is judged only where others are found. */
static void an_endpoint_that_is_not_there_is_asked_once(void)
{
	struct hand *hand = hand_new();
	const char *settings = folder_file("weir.conf", hand_settings(hand, "protocols = openai-chat, anthropic, ollama\n"));
	char tapes[300];
	struct program p;

	snprintf(tapes, sizeof tapes, "%s/tapes", folder_path());
	program_start(&p, ARGS("probe", "-p", "hand", "--yes", "--cases", "text,call,bad-model", "--config", settings, "-o", tapes), NULL);
	program_end_input(&p);
	for (int i = 0; i < 5 && hand_accept(hand); i++) {
		bool chat = strstr(hand_head(hand), "/chat/completions") != NULL;

		hand_reply(hand, chat && i == 0 ? 200 : 404, chat && i == 0 ? "text/event-stream" : "application/json", chat && i == 0 ? TEXT("Hello.") : ERROR("not_found"));
	}
	CU_ASSERT_EQUAL(program_wait(&p), 1);
	CHECK(says(&p, "text         as promised  absent       absent\n"), "%s%s", buf_z(&p.output), buf_z(&p.errors));
	CHECK(says(&p, "call         failed       not run      not run\n") && says(&p, "bad-model    as promised  not run      not run\n"), "%s", buf_z(&p.output));
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

/* Two requests at the same time, of a server that answers both; its answers have a fault. */
static void two_at_once_are_both_judged(void)
{
	struct program server, p;
	char url[64], settings[300];

	program_serve(&server, url, ARGS(folder_file("a.sse", SAID("Hello.", "stop"))));
	snprintf(settings, sizeof settings, "[provider served]\nbase_url = %s\nauth = none\nmodel = m-1\nretries = 0\n", url);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("probe", "-p", "served", "--yes", "--cases", "two-at-once", "--config", folder_file("weir.conf", settings), "--json",
	                                               "-o", folder_file("tapes", NULL)), NULL), 1);
	CHECK(says(&p, "\"rule\":\"no-done\",\"severity\":\"breaks-promise\",\"count\":2"), "%s%s", buf_z(&p.output), buf_z(&p.errors));
	CHECK(says(&p, "\"tapes\":[\"openai-chat-two-at-once.tape\",\"openai-chat-two-at-once-2.tape\"]"), "%s", buf_z(&p.output));
	program_free(&p);
	/* The tapes are kept, and lint finds the same in them. */
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", folder_file("tapes", NULL)), NULL), 1);
	CHECK(says(&p, "openai-chat-two-at-once-2.tape: ") && says(&p, "4 findings in 2 of 2 files"), "%s", buf_z(&p.output));
	program_free(&p);
	program_free(&server);
	folder_remove();
}

/* Two columns: what differs is marked. */
static void differences_are_marked(void)
{
	struct json_parser *parser = json_parser_new();
	struct hand *hand = hand_new();
	struct program p;
	size_t used;

	start(&p, hand, ARGS("--cases", "text,usage", "--against", "demo/demo-1:openai-chat"));
	for (int i = 0; i < 2; i++) {
		CU_ASSERT(hand_accept(hand));
		hand_reply(hand, 200, "text/event-stream", i ? SAID("Hello.", "stop") DONE : TEXT("Hello."));
	}
	CU_ASSERT_EQUAL(program_wait(&p), 1);
	CHECK(says(&p, "a: hand/m-1:openai-chat\nb: demo/demo-1:openai-chat\n             a            b\ntext         as promised  as promised\n"
	               "usage        failed       as promised  differs\n"), "%s%s", buf_z(&p.output), buf_z(&p.errors));
	program_free(&p);
	start(&p, hand, ARGS("--cases", "text", "--against", "demo:ollama", "--json"));
	CU_ASSERT(hand_accept(hand));
	hand_reply(hand, 200, "text/event-stream", SAID("Hello.", "stop"));
	CU_ASSERT_EQUAL(program_wait(&p), 1);
	const struct json *value = json_parse(parser, buf_str(&p.output), &used);
	const struct json *columns = json_get(value, "columns");
	CHECK(json_length(columns) == 2, "%s", buf_z(&p.output));
	CHECK_STR(json_get_text(json_at(columns, 1), "protocol"), "ollama");
	CHECK_STR(json_get_text(json_at(columns, 1), "model"), "demo-1");
	CHECK_STR(json_text(json_at(json_get(value, "differs"), 0)), "text");
	const struct json *cell = json_at(json_get(json_at(columns, 0), "cases"), 0);
	CHECK_STR(json_get_text(cell, "verdict"), "findings");
	CHECK_STR(json_get_text(json_at(json_get(cell, "findings"), 0), "rule"), "no-done");
	CHECK_STR(json_text(json_at(json_get(cell, "tapes"), 0)), "a-openai-chat-text.tape");
	program_free(&p);
	json_parser_free(parser);
	hand_free(hand);
	folder_remove();
}

/* Words of the server act neither in Markdown nor on the lines of the table. */
static void words_of_the_server_are_plain(void)
{
	static const struct { const char *form, *said; } cases[] = {
		{ "--markdown", "status 400: a \\| b  \\[x\\]\\(y\\)" }, { "--yes", "failed: status 400: a | b  [x](y)" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct hand *hand = hand_new();
		struct program p;

		start(&p, hand, ARGS("--cases", "text", cases[i].form));
		CU_ASSERT(hand_accept(hand));
		hand_reply(hand, 400, "application/json", "{\"error\":{\"message\":\"a | b \\n[x](y)\",\"type\":\"t\",\"code\":\"c\"}}");
		CU_ASSERT_EQUAL(program_wait(&p), 1);
		CHECK(says(&p, cases[i].said), "%s: %s", cases[i].form, buf_z(&p.output));
		CHECK(i || says(&p, "| case | hand/m-1:openai-chat |\n|---|---|\n| text | failed |\n"), "%s", buf_z(&p.output));
		program_free(&p);
		hand_free(hand);
		folder_remove();
	}
}

/* Nothing is sent: there is no server at that port. Prices give the most that it costs. */
static void a_dry_run_says_what_it_would_send(void)
{
	static const char conf[] = "[provider far]\nbase_url = http://127.0.0.1:9/v1\nauth = none\nprotocols = openai-chat, anthropic\n";
	struct program p;
	char with[400];

	snprintf(with, sizeof with, "%s[price m*]\ninput = 3\noutput = 15\n", conf);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("probe", "-p", "far", "-m", "m", "--dry-run", "--config", folder_file("weir.conf", conf)), NULL), 0);
	for (size_t i = 0; probe_case_at(i); i++)
		CHECK(says(&p, probe_case_at(i)->name) && says(&p, probe_case_at(i)->help), "%s", probe_case_at(i)->name);
	CHECK(says(&p, "far/m:openai-chat: 19 requests, about ") && says(&p, "far/m:anthropic: 18 requests, about ") && says(&p, "37 in all; no prices are known") &&
	      says(&p, PROBE_WRONG_KEY) && says(&p, PROBE_WRONG_MODEL), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("probe", "-p", "far", "-m", "m", "--dry-run", "--cases", "text,usage", "--protocol", "anthropic", "--config",
	                                               folder_file("weir.conf", with)), NULL), 0);
	CHECK(says(&p, "far/m:anthropic: 2 requests, about 16 tokens in, at most 2,048 out\n2 in all, at most ~$0.031\n"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void mistakes_are_usage_errors(void)
{
	static const struct { const char *args[10]; const char *said; } cases[] = {
		{ { "probe" }, "name the provider with -p" },
		{ { "probe", "-p", "demo", "more" }, "takes no argument 'more'" },
		{ { "probe", "-p", "demo" }, "--yes sends without asking" },
		{ { "probe", "-p", "nobody", "--yes" }, "nobody" },
		{ { "probe", "-p", "vllm", "--yes" }, "name a model of vllm" },
		{ { "probe", "-p", "openai", "-m", "m", "--yes" }, "OPENAI_API_KEY" },
		{ { "probe", "-p", "demo", "--yes", "--cases", "text,nonsense" }, "there is no case 'nonsense'; known are text, usage" },
		{ { "probe", "-p", "demo", "--yes", "--protocol", "smoke" }, "smoke" },
		{ { "probe", "-p", "demo", "--yes", "--against", "nobody/m" }, "there is no provider 'nobody'" },
		{ { "probe", "-p", "demo", "--yes", "--against", "anthropic/m:ollama" }, "anthropic does not offer ollama" },
		{ { "probe", "-p", "demo", "--yes", "--json", "--markdown" }, "exclude each other" },
		{ { "probe", "-p", "demo", "--yes", "-o", "/dev" }, "/dev" },
	};
	struct program p;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK(program_run(&p, STR_NONE, cases[i].args, NULL) == 2, "%s: exit %d", cases[i].said, p.status);
		CHECK(strstr(buf_z(&p.errors), cases[i].said), "%s: %s", cases[i].said, buf_z(&p.errors));
		program_free(&p);
	}
	folder_file("x", "");
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("probe", "-p", "demo", "--yes", "--cases", "bad-key", "-o", folder_path()), NULL), 2);
	CHECK(strstr(buf_z(&p.errors), "want a folder of their own"), "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("probe", "-p", "demo", "--yes", "--cases", "bad-key", "--config", folder_file("weir.conf", "history = no\n")), NULL), 2);
	CHECK(strstr(buf_z(&p.errors), "name a folder for the tapes with -o"), "%s", buf_z(&p.errors));
	program_free(&p);
	folder_remove();
}

/* `weir serve` answers in all protocols, with faults to order. */
static void faults_of_serve_are_named_in_every_protocol(void)
{
	static const struct { const char *fault, *named; bool fails; } cases[] = {
		{ "cut=100", "cut (breaks clients)", true }, { "bom", "bom (breaks clients)", false }, { "gzip", "compression (unusual)", false },
		{ "status=503", "status 503: ", true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct program server, p;
		char url[64], settings[300];
		size_t named = 0;

		program_serve(&server, url, ARGS("--as", "auto", "--speed", "max", "--fault", cases[i].fault, folder_file("a.sse", TEXT("Hello."))));
		snprintf(settings, sizeof settings, "[provider served]\nbase_url = %s\nauth = none\nmodel = m-1\nretries = 0\n"
		         "protocols = openai-chat, openai-responses, anthropic, gemini, ollama\n", url);
		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("probe", "-p", "served", "--yes", "--cases", "usage", "--config", folder_file("weir.conf", settings)), NULL), 1);
		for (const char *at = buf_z(&p.output); (at = strstr(at, cases[i].named)); at++)
			named++;
		CHECK(named == PROTOCOL_COUNT, "%s: %zu: %s", cases[i].fault, named, buf_z(&p.output));
		CHECK(says(&p, cases[i].fails ? "\n5 failed\n" : "\n5 with findings\n"), "%s: %s", cases[i].fault, buf_z(&p.output));
		program_free(&p);
		program_free(&server);
		folder_remove();
	}
}

/* What a server refuses by name is left out or renamed, which the cell says; the next cases know it. */
static void repairs_are_told(void)
{
	struct hand *hand = hand_new();
	struct program p;

	start(&p, hand, ARGS("--cases", "usage,length"));
	CU_ASSERT(hand_accept(hand));
	hand_reply(hand, 400, "application/json", "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.\","
	           "\"type\":\"invalid_request_error\",\"param\":\"max_tokens\",\"code\":\"unsupported_parameter\"}}");
	CU_ASSERT(hand_accept(hand));
	hand_reply(hand, 200, "text/event-stream", TEXT("Hello."));
	CU_ASSERT(hand_accept(hand));
	CHECK(strstr(hand_body(hand), "\"max_completion_tokens\":16"), "%s", hand_body(hand));
	hand_reply(hand, 200, "text/event-stream", SAID("one two", "length") USAGE DONE);
	CU_ASSERT_EQUAL(program_wait(&p), 1);
	CHECK(says(&p, "usage        findings\nlength       as promised\n") && says(&p, "sent again with the other one"), "%s", buf_z(&p.output));
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

/* A failure that passes is told, and is no finding. */
static void a_second_attempt_is_told(void)
{
	struct hand *hand = hand_new();
	struct program p;

	start(&p, hand, ARGS("--cases", "text", "--retries", "1"));
	CU_ASSERT(hand_accept(hand));
	hand_reply(hand, 503, "application/json", ERROR("overloaded"));
	CU_ASSERT(hand_accept(hand));
	hand_reply(hand, 200, "text/event-stream", TEXT("Hello."));
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK(says(&p, "text         as promised") && says(&p, "asked again after"), "%s", buf_z(&p.output));
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

/* The state folder has the last 50 runs; what is not a run's is left alone. */
static void earlier_runs_make_room(void)
{
	char state[300], name[100], path[400];
	struct program p;

	snprintf(state, sizeof state, "XDG_STATE_HOME=%s", folder_path());
	for (const char *const *step = ARGS("weir", "weir/probes", "weir/probes/mine"); *step; step++) {
		snprintf(path, sizeof path, "%s/%s", folder_path(), *step);
		CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	}
	for (int i = 0; i < 51; i++) {
		snprintf(name, sizeof name, "weir/probes/20200101-0000%02d-1", i);
		snprintf(path, sizeof path, "%s/%s", folder_path(), name);
		CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
		snprintf(name, sizeof name, "weir/probes/20200101-0000%02d-1/openai-chat-text.tape", i);
		folder_file(name, "x");
	}
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("probe", "-p", "demo", "--yes", "--protocol", "ollama", "--cases", "text"), ARGS(state)), 0);
	for (int i = 0; i < 51; i++) {
		snprintf(path, sizeof path, "%s/weir/probes/20200101-0000%02d-1", folder_path(), i);
		CHECK((access(path, F_OK) == 0) == (i >= 2), "%s", path);
	}
	snprintf(path, sizeof path, "%s/weir/probes/mine", folder_path());
	CU_ASSERT_EQUAL(access(path, F_OK), 0);
	CHECK(says(&p, "1 as promised") && says(&p, "/weir/probes/20"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* On a terminal it asks. */
static void a_terminal_is_asked(void)
{
	static const struct { const char *answer, *said; int status; } cases[] = {
		{ "y", "1 as promised, 1 not offered", 0 }, { "n", "Send them? [y/N] n", 130 }, { "", "Send them? [y/N]", 130 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty *pty = pty_start(&(struct pty_options){ .arguments = LIST("probe", "-p", "demo", "--protocol", "openai-chat", "--cases", "text,bad-key"),
		                                                   .environment = LIST("NO_COLOR=1") });

		PTY_SEES(pty, "Send them? [y/N]");
		pty_send(pty, cases[i].answer);
		pty_send(pty, "\r");
		PTY_ENDS(pty, cases[i].status);
		PTY_SEES(pty, cases[i].said);
		CHECK((pty_find_row(pty, "text         as promised") >= 0) == (i == 0) && !pty_is_coloured(pty), "%s", pty_dump(pty));
		pty_free(pty);
	}
}

const struct suite suite_probe = { "probe", (const struct test[]){
	TEST(planted_faults_are_named_in_their_cell), TEST(a_wrong_key_is_the_only_one), TEST(the_demo_keeps_its_promises), TEST(the_result_follows_the_call), TEST(an_answer_is_cancelled_midway),
	TEST(an_interrupt_keeps_what_is_known), TEST(a_server_that_is_not_there_is_asked_once), TEST(an_endpoint_that_is_not_there_is_asked_once), TEST(two_at_once_are_both_judged), TEST(differences_are_marked),
	TEST(words_of_the_server_are_plain), TEST(a_dry_run_says_what_it_would_send), TEST(mistakes_are_usage_errors), TEST(faults_of_serve_are_named_in_every_protocol),
	TEST(repairs_are_told), TEST(a_second_attempt_is_told), TEST(earlier_runs_make_room), TEST(a_terminal_is_asked), { 0 } } };
