/*
 * Every answer of the demo in every protocol, with and without streaming: the decoded answer matches the script.
 */
#include <string.h>

#include "app/demo/demo.h"
#include "base/json.h"
#include "support/check.h"
#include "wire/encode/encode.h"
#include "wire/summary.h"

/* The request of each protocol, with %s for the prompt. */
static const struct way {
	const char *protocol;
	const char *path, *path_whole;
	const char *body;           /* format for the model, true or false, and the prompt */
	const char *body_result;    /* the same with a tool result */
} ways[] = {
	{ "openai-chat", "/v1/chat/completions", NULL,
	  "{\"model\":\"%s\",\"stream\":%s,\"messages\":[{\"role\":\"system\",\"content\":\"fail\"},{\"role\":\"user\",\"content\":\"%s\"}]}",
	  "{\"model\":\"%s\",\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"fail\"},{\"role\":\"assistant\",\"tool_calls\":[]},"
	  "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"%s\"}]}" },
	{ "openai-responses", "/v1/responses", NULL,
	  "{\"model\":\"%s\",\"stream\":%s,\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"%s\"}]}]}",
	  "{\"model\":\"%s\",\"stream\":%s,\"input\":[{\"role\":\"user\",\"content\":\"fail\"},"
	  "{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"n\",\"arguments\":\"{}\"},"
	  "{\"type\":\"function_call_output\",\"call_id\":\"a\",\"output\":\"%s\"}]}" },
	{ "anthropic", "/v1/messages", NULL,
	  "{\"model\":\"%s\",\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}]}",
	  "{\"model\":\"%s\",\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\","
	  "\"content\":\"%s\"}]}]}" },
	{ "gemini", "/v1beta/models/demo-1:streamGenerateContent?alt=sse", "/v1beta/models/demo-1:generateContent",
	  "{\"x\":\"%s\",\"y\":%s,\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"%s\"}]}]}",
	  "{\"x\":\"%s\",\"y\":%s,\"contents\":[{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"name\":\"n\",\"response\":"
	  "{\"result\":\"%s\"}}}]}]}" },
	{ "ollama", "/api/chat", NULL,
	  "{\"model\":\"%s\",\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}",
	  "{\"model\":\"%s\",\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"fail\"},{\"role\":\"tool\",\"tool_name\":\"n\","
	  "\"content\":\"%s\"}]}" },
};
enum { WAYS = sizeof ways / sizeof *ways };

/* The result of one request. */
struct heard {
	struct demo *demo;
	struct json_parser *parser;
	struct buf body;
	struct buf summary;
	const struct json *value;   /* the summary object */
	int status;
};

static void hear_body(struct heard *h, const struct way *way, bool stream, struct str body)
{
	const char *path = !stream && way->path_whole ? way->path_whole : way->path;
	struct serve_request request = { .method = STR("POST"), .path = str_from(path), .body = body };
	const struct tape *tape = demo_choose(h->demo, &request);
	struct stream_options options = { .protocol = protocol_find(str_from(way->protocol)), .asked.single_choice = true };
	struct summary *summary = summary_new();
	struct stream *decoder = stream_new(&options, summary_delta, summary);
	size_t used;

	CU_ASSERT_PTR_NOT_NULL_FATAL(tape);
	h->status = tape_at(tape, 0).head.status;
	tape_feed(tape, decoder, 0, NULL, NULL);
	buf_clear(&h->summary);
	summary_write(summary, str_from(way->protocol), STR("generic"), &h->summary);
	h->value = json_parse(h->parser, buf_str(&h->summary), &used);
	CU_ASSERT_PTR_NOT_NULL(h->value);
	stream_free(decoder);
	summary_free(summary);
}

static void hear(struct heard *h, const struct way *way, const char *model, bool stream, const char *prompt)
{
	buf_clear(&h->body);
	buf_printf(&h->body, way->body, model, stream ? "true" : "false", prompt);
	hear_body(h, way, stream, buf_str(&h->body));
}

static void heard_init(struct heard *h)
{
	*h = (struct heard){ .demo = demo_new(), .parser = json_parser_new() };
}

static void heard_fini(struct heard *h)
{
	buf_fini(&h->summary);
	buf_fini(&h->body);
	json_parser_free(h->parser);
	demo_free(h->demo);
}

static bool has(const struct heard *h, const char *member, const char *part)
{
	struct str text = json_get_text(h->value, member);

	return str_find(text, str_from(part)) < text.len;
}

static const struct expectation {
	const char *prompt;
	const char *outcome;
	const char *member, *part; /* member of the summary (text, reasoning or refusal) and an expected part of it */
	size_t calls;
	bool has_usage;
} expectations[] = {
	{ "hello", "complete", "text", "`/help` lists them all.", 0, true },
	{ "", "complete", "text", "`/help` lists them all.", 0, true },
	{ "a LONG one, please", "complete", "text", "\n```json\n{\n  \"id\"", 0, true },
	{ "markdown", "complete", "text", "| Ollama | one JSON object a line |", 0, true },
	{ "show me reasoning", "complete", "reasoning", "so 2x = 0.10 and x = 0.05.\nCheck:", 0, true },
	{ "I am thinking", "complete", "text", "The ball costs **0.05**.\n\nIt is", 0, true },
	{ "use a tool", "tool_calls", "text", "I will look that up.", 1, true },
	{ "how is the weather?", "tool_calls", "text", "I will look that up.", 1, true },
	{ "call two tools at once", "tool_calls", "text", "Two questions, two tools.", 2, true },
	{ "draw a boat", "complete", "text", "64 pixels wide", 0, true },
	{ "play a tune", "complete", "text", "its length and its words", 0, true },
	{ "search the web for flicker", "complete", "text", "The server searched the web by itself", 0, true },
	{ "run code, please", "complete", "text", "**17** prime numbers", 0, true },
	{ "fail in the middle", "error", "", "", 0, false },
	{ "an error!", "error", "", "", 0, false },
	{ "cut it", "cut", "", "", 0, false },
	{ "stall", "stalled", "", "", 0, false },
	{ "a routed answer", "complete", "text", "A router chose", 0, true },
	{ "limit", "length", "text", "which is a pity", 0, true },
	{ "emoji", "complete", "text", "👩‍🚀", 0, true },
	{ "japanese", "complete", "text", "一つずつ届きます", 0, true },
	{ "json", "complete", "text", "  \"vegetarian\": true,\n", 0, true },
	{ "401", "error", "", "", 0, false },
	{ "a cute stool", "complete", "text", "`/help` lists them all.", 0, true }, /* words, not letters */
};

static void check_expectation(const struct heard *h, const struct expectation *e, const struct way *way, bool stream)
{
	const char *form = stream ? "stream" : "whole";

	CHECK(str_is(json_get_text(h->value, "outcome"), e->outcome), "%s %s %s: %s", way->protocol, form, e->prompt, buf_z(&h->summary));
	if (*e->member)
		CHECK(has(h, e->member, e->part), "%s %s %s: %s", way->protocol, form, e->prompt, buf_z(&h->summary));
	CHECK(json_length(json_get(h->value, "tool_calls")) == e->calls, "%s %s %s", way->protocol, form, e->prompt);
	CHECK((json_get(h->value, "usage") != NULL) == e->has_usage || way == &ways[2], "%s %s %s: usage", way->protocol, form, e->prompt);
}

static void tells_every_answer_in_every_protocol(void)
{
	struct heard h;

	heard_init(&h);
	for (size_t w = 0; w < WAYS; w++)
		for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
			for (int stream = 0; stream < 2; stream++) {
				hear(&h, &ways[w], DEMO_MODEL, stream, expectations[i].prompt);
				check_expectation(&h, &expectations[i], &ways[w], stream);
			}
	heard_fini(&h);
}

/* All protocols, with and without streaming, give the same words. */
static void says_the_same_everywhere(void)
{
	static const char *const members[] = { "text", "reasoning" };
	struct heard h, other;

	heard_init(&h);
	heard_init(&other);
	for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
		if (!expectations[i].has_usage)
			continue;
		hear(&h, &ways[0], DEMO_MODEL, true, expectations[i].prompt);
		struct str text = json_get_text(h.value, "text");
		CHECK(str_find(text, STR("F4")) == text.len && str_find(text, STR("Esc")) == text.len, "%s: keys that lines of text have too",
		      expectations[i].prompt);
		for (size_t w = 0; w < 2 * WAYS; w++) {
			hear(&other, &ways[w / 2], DEMO_MODEL, w % 2, expectations[i].prompt);
			for (size_t m = 0; m < 2; m++)
				CHECK(str_equal(json_get_text(h.value, members[m]), json_get_text(other.value, members[m])), "%s %s: %s",
				      ways[w / 2].protocol, expectations[i].prompt, buf_z(&other.summary));
		}
	}
	heard_fini(&other);
	heard_fini(&h);
}

static void tells_calls_whole(void)
{
	struct heard h;
	struct str name, arguments;

	heard_init(&h);
	for (size_t w = 0; w < 2 * WAYS; w++) {
		const struct json *calls;
		bool valid = false;

		hear(&h, &ways[w / 2], DEMO_MODEL, w % 2, "parallel");
		calls = json_get(h.value, "tool_calls");
		name = json_get_text(json_at(calls, 1), "name");
		arguments = json_get_text(json_at(calls, 1), "arguments");
		CHECK(str_is(name, "find_trains"), "%s", ways[w / 2].protocol);
		CHECK(str_find(arguments, STR("Porto Campanha")) < arguments.len, "%s: %s", ways[w / 2].protocol, buf_z(&h.summary));
		CHECK(json_flag(json_get(json_at(calls, 0), "valid"), &valid) && valid, "%s", ways[w / 2].protocol);
		CHECK(!str_equal(json_get_text(json_at(calls, 0), "id"), json_get_text(json_at(calls, 1), "id")) ||
		      !json_get(json_at(calls, 0), "id"), "%s", ways[w / 2].protocol);
	}
	heard_fini(&h);
}

/* What an answer has besides text, where the protocol has a place for it. `partials`: where it has one for them. */
static const struct {
	const char *prompt, *list;
	enum encode_feature feature;
	const char *member, *value;
	int64_t partials;
} items[] = {
	{ "paint a boat", "media", ENCODE_PICTURE, "type", "image/png", 2 },
	{ "make a sound", "media", ENCODE_SOUND, "type", "audio/wav", 0 },
	{ "search the web", "server_tools", ENCODE_SERVER_TOOL, "state", "completed", 0 },
	{ "which primes?", "server_tools", ENCODE_SERVER_TOOL, "output", "2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59\n17 primes below 60", 0 },
};

static void tells_pictures_sounds_and_what_the_server_runs(void)
{
	struct heard h;

	heard_init(&h);
	for (size_t w = 0; w < 2 * WAYS; w++)
		for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
			const struct protocol *protocol = protocol_find(str_from(ways[w / 2].protocol));
			size_t count = encode_carries(protocol, items[i].feature);
			int64_t partials = 0;
			bool whole = true;

			hear(&h, &ways[w / 2], DEMO_MODEL, w % 2, items[i].prompt);
			const struct json *list = json_get(h.value, items[i].list), *item = json_at(list, 0);
			CHECK(json_length(list) == count, "%s %s: %s", ways[w / 2].protocol, items[i].prompt, buf_z(&h.summary));
			if (!count)
				continue;
			CHECK(str_is(json_get_text(item, items[i].member), items[i].value), "%s: %s", ways[w / 2].protocol, buf_z(&h.summary));
			(void)json_flag(json_get(item, "whole"), &whole);
			(void)json_count(json_get(item, "partials"), &partials);
			CHECK(whole && partials == (w % 2 && encode_carries(protocol, ENCODE_PARTIAL) ? items[i].partials : 0), "%s: %s",
			      ways[w / 2].protocol, buf_z(&h.summary));
		}
	hear(&h, &ways[1], DEMO_MODEL, true, "draw a boat");
	CHECK_STR(json_get_text(json_at(json_get(h.value, "media"), 0), "text"), "A small sailing boat on a calm blue sea, in the light of the afternoon");
	heard_fini(&h);
}

static void keeps_what_came_before_trouble(void)
{
	static const struct { const char *prompt, *part; } troubles[] = {
		{ "fail", "the server behind the gateway goes" }, { "cut", "would take the answer for" }, { "stall", "end it as stalled" },
	};
	struct heard h;

	heard_init(&h);
	for (size_t w = 0; w < WAYS; w++)
		for (size_t i = 0; i < 3; i++) {
			hear(&h, &ways[w], DEMO_MODEL, true, troubles[i].prompt);
			CHECK(has(&h, "text", troubles[i].part), "%s %s", ways[w].protocol, troubles[i].prompt);
		}
	heard_fini(&h);
}

static void refuses_before_the_stream(void)
{
	struct heard h;

	heard_init(&h);
	for (size_t w = 0; w < 2 * WAYS; w++) {
		int64_t status = 0;

		hear(&h, &ways[w / 2], DEMO_MODEL, w % 2, "401");
		CHECK(h.status == 401, "%s", ways[w / 2].protocol);
		CHECK(json_count(json_get(json_get(h.value, "error"), "status"), &status) && status == 401, "%s", ways[w / 2].protocol);
		CHECK(str_starts(json_get_text(json_get(h.value, "error"), "message"), "The demo server refuses"), "%s", ways[w / 2].protocol);
	}
	heard_fini(&h);
}

static void refuses_in_the_protocols_own_way(void)
{
	static const struct { const char *outcome, *member; } expected[WAYS] = {
		{ "filtered", "refusal" }, { "filtered", "refusal" }, { "filtered", "text" }, { "filtered", "text" },
		{ "complete", "text" }, /* Ollama has no value for it */
	};
	struct heard h;

	heard_init(&h);
	for (size_t w = 0; w < 2 * WAYS; w++) {
		hear(&h, &ways[w / 2], DEMO_MODEL, w % 2, "please refuse");
		CHECK(str_is(json_get_text(h.value, "outcome"), expected[w / 2].outcome), "%s: %s", ways[w / 2].protocol, buf_z(&h.summary));
		CHECK(has(&h, expected[w / 2].member, "the answer was filtered."), "%s: %s", ways[w / 2].protocol, buf_z(&h.summary));
	}
	heard_fini(&h);
}

static void models_differ(void)
{
	struct heard h;

	heard_init(&h);
	hear(&h, &ways[0], "demo-thinking", true, "hello");
	CU_ASSERT(has(&h, "reasoning", "My first impulse"));
	hear(&h, &ways[0], "demo-router", true, "hello");
	CHECK_STR(json_get_text(json_get(h.value, "route"), "routed_model"), DEMO_MODEL);
	hear(&h, &ways[0], "demo-router", false, "route");
	CHECK_STR(json_get_text(json_get(h.value, "route"), "routed_model"), "demo/small-and-quick");
	hear(&h, &ways[0], DEMO_MODEL, true, "hello");
	CU_ASSERT_PTR_NULL(json_get(h.value, "route"));
	heard_fini(&h);
}

static void uses_tool_results(void)
{
	struct heard h;

	heard_init(&h);
	for (size_t w = 0; w < 2 * WAYS; w++) {
		buf_clear(&h.body);
		buf_printf(&h.body, ways[w / 2].body_result, DEMO_MODEL, w % 2 ? "true" : "false", "18 degrees,\\nerror \\\"rain\\\"\\n");
		hear_body(&h, &ways[w / 2], w % 2, buf_str(&h.body));
		CHECK(has(&h, "text", "The tool says:\n\n18 degrees,\nerror \"rain\"\n"), "%s: %s", ways[w / 2].protocol, buf_z(&h.summary));
		CHECK(str_is(json_get_text(h.value, "outcome"), "complete"), "%s", ways[w / 2].protocol);
	}
	heard_fini(&h);
}

/* Answers that repeat a part of the request get tapes that live as long as the demo, so their number is limited. */
static void many_results_still_get_an_answer(void)
{
	struct heard h;

	heard_init(&h);
	for (unsigned i = 0; i < 200; i++) {
		buf_clear(&h.body);
		buf_printf(&h.body, ways[0].body_result, DEMO_MODEL, "true", "x");
		hear_body(&h, &ways[0], true, buf_str(&h.body));
		CU_ASSERT(has(&h, "text", "The tool says:"));
	}
	heard_fini(&h);
}

#define SCHEMA "{\"type\":\"object\",\"properties\":{\"kind\":{\"enum\":[\"bird\",\"fish\"]},\"weight\":{\"type\":\"number\",\"minimum\":4}," \
	"\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"seen\":{\"$ref\":\"#/$defs/day\"},\"rare\":{\"type\":[\"boolean\",\"null\"]}," \
	"\"self\":{\"$ref\":\"#\"}},\"$defs\":{\"day\":{\"type\":\"string\",\"format\":\"date\"}}}"

static void follows_a_schema(void)
{
	static const struct { size_t way; const char *body; } asks[] = {
		{ 0, "{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"a bird\"}],\"response_format\":{\"type\":\"json_schema\","
		     "\"json_schema\":{\"name\":\"x\",\"schema\":" SCHEMA "}}}" },
		{ 1, "{\"stream\":true,\"input\":\"json\",\"text\":{\"format\":{\"type\":\"json_schema\",\"schema\":" SCHEMA "}}}" },
		{ 2, "{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"output_config\":{\"format\":{\"schema\":" SCHEMA "}}}" },
		{ 3, "{\"contents\":[],\"generationConfig\":{\"responseJsonSchema\":" SCHEMA "}}" },
		{ 4, "{\"messages\":[],\"format\":" SCHEMA "}" },
	};
	struct json_parser *parser = json_parser_new();
	struct heard h;

	heard_init(&h);
	for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
		const struct json *answer;
		double weight = 0;
		size_t used;

		hear_body(&h, &ways[asks[i].way], true, str_from(asks[i].body));
		answer = json_parse(parser, json_get_text(h.value, "text"), &used);
		CHECK(json_kind(answer) == JSON_OBJECT, "%s: %s", ways[i].protocol, buf_z(&h.summary));
		CHECK_STR(json_get_text(answer, "kind"), "bird");
		CU_ASSERT(json_number(json_get(answer, "weight"), &weight) && weight >= 4);
		CU_ASSERT_EQUAL(json_length(json_get(answer, "tags")), 2);
		CHECK_STR(json_get_text(answer, "seen"), "2026-01-01");
		CU_ASSERT_EQUAL(json_kind(json_get(answer, "rare")), JSON_BOOL);
	}
	heard_fini(&h);
	json_parser_free(parser);
}

static void count_model(void *count, const struct model_facts *facts)
{
	CU_ASSERT(str_starts(facts->id, "demo-"));
	++*(size_t *)count;
}

static void lists_models(void)
{
	static const struct { const char *protocol, *path; } lists[] = {
		{ "openai-chat", "/models" }, { "openai-responses", "/models" }, { "anthropic", "/v1/models?limit=1000" },
		{ "gemini", "/v1beta/models?pageSize=1000" }, { "ollama", "/api/tags" },
	};
	struct json_parser *parser = json_parser_new();
	struct demo *demo = demo_new();

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct serve_request request = { .method = STR("GET"), .path = str_from(lists[i].path), .body = STR_NONE };
		const struct tape *tape = demo_choose(demo, &request);
		struct buf next;
		size_t count = 0, used;

		CU_ASSERT_PTR_NOT_NULL_FATAL(tape);
		buf_init(&next, 1024);
		CU_ASSERT(protocol_find(str_from(lists[i].protocol))->read_models(json_parse(parser, tape_at(tape, 1).bytes, &used), count_model,
		                                                                  &count, &next));
		CHECK(count == 3 && next.len == 0, "%s: %zu models", lists[i].protocol, count);
		buf_fini(&next);
	}
	CU_ASSERT_PTR_NULL(demo_choose(demo, &(struct serve_request){ .method = STR("GET"), .path = STR("/v1/chat/completions") }));
	CU_ASSERT_PTR_NULL(demo_choose(demo, &(struct serve_request){ .method = STR("POST"), .path = STR("/elsewhere"), .body = STR("{}") }));
	demo_free(demo);
	json_parser_free(parser);
}

static void helps(void)
{
	size_t count = 0;

	for (; demo_help_at(count); count++) {
		CU_ASSERT(strlen(demo_help_at(count)->words) > 0 && strlen(demo_help_at(count)->words) < 24);
		CU_ASSERT(strlen(demo_help_at(count)->help) > 0);
	}
	CU_ASSERT(count >= 12);
}

/* No request can do harm, even if it is not JSON. */
static void odd_requests_get_an_answer(void)
{
	static const char *const bodies[] = {
		"", "null", "[]", "{\"messages\":7}", "{\"messages\":[1,null]}", "{\"input\":{}}", "{\"contents\":[{\"parts\":[[]]}]}",
		"{\"messages\":[{\"role\":\"user\",\"content\":[{\"text\":1},\"x\"]}],\"stream\":\"yes\"}", "\xff\xfe{",
	};
	struct heard h;

	heard_init(&h);
	for (size_t w = 0; w < WAYS; w++)
		for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
			hear_body(&h, &ways[w], true, str_from(bodies[i]));
			CHECK(str_is(json_get_text(h.value, "outcome"), "complete"), "%s %s: %s", ways[w].protocol, bodies[i], buf_z(&h.summary));
		}
	heard_fini(&h);
}

const struct suite suite_demo = { "demo", (const struct test[]){
	TEST(tells_every_answer_in_every_protocol), TEST(says_the_same_everywhere), TEST(tells_calls_whole),
	TEST(tells_pictures_sounds_and_what_the_server_runs), TEST(keeps_what_came_before_trouble), TEST(refuses_before_the_stream), TEST(refuses_in_the_protocols_own_way),
	TEST(models_differ), TEST(uses_tool_results), TEST(many_results_still_get_an_answer), TEST(follows_a_schema), TEST(lists_models),
	TEST(helps), TEST(odd_requests_get_an_answer), { 0 },
} };
