#include "chat/provider/parameters.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

/* Every parameter: a value in the range, one outside, and what a request writes. */
static const struct { enum parameter which; const char *good, *written, *bad, *range; } cases[] = {
	{ PARAMETER_TEMPERATURE, "1.5", "1.5", "2.1", "from 0 to 2" },
	{ PARAMETER_MAX_TOKENS, "0", "0", "10000001", "a whole number" },
	{ PARAMETER_REASONING, "high", "high", "very", "off, low, medium or high" },
	{ PARAMETER_TOP_P, "0.95", "0.95", "0", "above 0, up to 1" },
	{ PARAMETER_THINKING_BUDGET, "2000", "2000", "0", "tokens from 1" },
	{ PARAMETER_TOP_K, "40", "40", "1.5", "a whole number from 1" },
	{ PARAMETER_SEED, "7", "7", "-1", "a whole number from 0" },
	{ PARAMETER_PRESENCE_PENALTY, "-0.5", "-0.5", "-2.1", "from -2 to 2" },
	{ PARAMETER_FREQUENCY_PENALTY, "2", "2", "2.000001", "from -2 to 2" },
	{ PARAMETER_VERBOSITY, "low", "low", "off", "low, medium or high" },
	{ PARAMETER_STOP, "END", "END", "", "a text that ends the answer" },
	{ PARAMETER_EXTRA, "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1}}", "{\"messages\":[]}", "without the members of the conversation" },
	{ PARAMETER_SERVER_TOOLS, "code, web_search", "web_search,code", "coding", "web_search, web_fetch, code" },
};

static void every_one_is_checked_and_written(void)
{
	CU_ASSERT_EQUAL(sizeof cases / sizeof *cases, PARAMETER_COUNT);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct parameters p = parameters_unset, copy = parameters_unset;
		struct buf written = { 0 };
		struct error err = { "" };
		enum parameter found = PARAMETER_COUNT;

		CU_ASSERT(parameter_find(str_from(parameter_name(cases[i].which)), &found) && found == cases[i].which);
		CU_ASSERT_FALSE(parameter_is_set(&p, cases[i].which));
		CU_ASSERT_FALSE(parameter_set(&p, cases[i].which, str_from(cases[i].bad), NULL, &err));
		CU_ASSERT_FALSE(parameter_is_set(&p, cases[i].which));
		CHECK(str_find(str_from(err.text), str_from(cases[i].range)) < str_from(err.text).len, "%s", err.text);
		CU_ASSERT(parameter_set(&p, cases[i].which, str_from(cases[i].good), NULL, &err));
		parameter_copy(&copy, &p, cases[i].which);
		CU_ASSERT(parameter_is_set(&copy, cases[i].which));
		parameter_write(&copy, cases[i].which, &written);
		CHECK_STR(buf_str(&written), cases[i].written);
		buf_fini(&written);
	}
}

static void a_protocol_has_a_range_of_its_own(void)
{
	struct parameters p = parameters_unset;
	struct error err;

	CU_ASSERT_FALSE(parameter_set(&p, PARAMETER_TEMPERATURE, STR("1.5"), &protocol_anthropic, &err));
	CHECK_STR(str_from(err.text), "temperature = 1.5: it must be a number from 0 to 1 (anthropic)");
	CU_ASSERT(parameter_set(&p, PARAMETER_TEMPERATURE, STR("1"), &protocol_anthropic, &err));
	CU_ASSERT(parameter_set(&p, PARAMETER_TEMPERATURE, STR("1.5"), &protocol_openai_chat, &err));
}

static void what_is_not_sent_is_said(void)
{
	struct parameters p = { .temperature = 0.5, .max_tokens = 5, .reasoning = REASONING_LEVEL_LOW };

	CU_ASSERT_PTR_NOT_NULL(parameter_why_not_sent(&p, PARAMETER_TEMPERATURE, &protocol_anthropic));
	CU_ASSERT_PTR_NULL(parameter_why_not_sent(&p, PARAMETER_MAX_TOKENS, &protocol_anthropic));
	CU_ASSERT_PTR_NULL(parameter_why_not_sent(&p, PARAMETER_TEMPERATURE, &protocol_openai_chat));
	p.reasoning = REASONING_LEVEL_OFF;
	CU_ASSERT_PTR_NULL(parameter_why_not_sent(&p, PARAMETER_TEMPERATURE, &protocol_anthropic));
}

/* Requests carry top_p under the protocol's name, and nothing of it when it is not set. */
static void every_protocol_sends_top_p(void)
{
	struct request_part part = { .kind = PART_TEXT, .text = STR("hi") };
	struct request_message message = { .role = TURN_USER, .parts = &part, .part_count = 1 };
	struct request request = { .model = STR("m"), .messages = &message, .message_count = 1, .max_tokens = 9, .temperature = NAN, .stream = true };

	for (size_t i = 0; protocol_at(i); i++) {
		struct buf with = { 0 }, without = { 0 };
		struct str name = protocol_at(i) == &protocol_gemini ? STR("\"topP\":0.9") : STR("\"top_p\":0.9");

		request.top_p = 0.9;
		CU_ASSERT(protocol_build(protocol_at(i), &request, &with));
		request.top_p = 0;
		CU_ASSERT(protocol_build(protocol_at(i), &request, &without));
		CHECK(str_find(buf_str(&with), name) < with.len, "%s: %s", protocol_at(i)->name, buf_z(&with));
		CHECK(str_find(buf_str(&without), STR("top")) == without.len, "%s: %s", protocol_at(i)->name, buf_z(&without));
		buf_fini(&with);
		buf_fini(&without);
	}
}

/* Requests carry the stop sequence in every protocol that has one, and nothing of it when it is not set. */
static void protocols_send_a_stop_sequence(void)
{
	static const struct { const struct protocol *protocol; const char *sent; } forms[] = {
		{ &protocol_openai_chat, "\"stop\":[\"END\"]" }, { &protocol_anthropic, "\"stop_sequences\":[\"END\"]" },
		{ &protocol_gemini, "\"generationConfig\":{\"stopSequences\":[\"END\"]}" }, { &protocol_ollama, "\"options\":{\"stop\":[\"END\"]}" },
		{ &protocol_openai_responses, NULL },
	};
	struct request_part part = { .kind = PART_TEXT, .text = STR("hi") };
	struct request_message message = { .role = TURN_USER, .parts = &part, .part_count = 1 };
	struct request request = { .model = STR("m"), .messages = &message, .message_count = 1, .temperature = NAN, .stream = true };

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct buf with = { 0 }, without = { 0 };

		request.stop = STR("END");
		CU_ASSERT(protocol_build(forms[i].protocol, &request, &with));
		request.stop = STR_NONE;
		CU_ASSERT(protocol_build(forms[i].protocol, &request, &without));
		CHECK(forms[i].sent ? strstr(buf_z(&with), forms[i].sent) != NULL : str_equal(buf_str(&with), buf_str(&without)), "%s", buf_z(&with));
		CHECK(!strstr(buf_z(&without), "stop"), "%s", buf_z(&without));
		buf_fini(&with);
		buf_fini(&without);
	}
}

/* What each protocol gets of the parameters that are texts. */
static void protocols_get_them_under_their_names(void)
{
	static const struct { const struct protocol *protocol; const char *extra; long long budget; } bodies[] = {
		{ &protocol_openai_chat, "{'top_k':3,'seed':7,'presence_penalty':-0.5,'frequency_penalty':1,'verbosity':'low','stop':['a','b'],'zz':1}", 0 },
		{ &protocol_openai_responses, "{'text':{'verbosity':'low'},'zz':1}", 0 },
		{ &protocol_anthropic, "{'stop_sequences':['a','b'],'zz':1}", 2000 }, /* top_k does not go with thinking */
		{ &protocol_gemini, "{'generationConfig':{'topK':3,'seed':7,'presencePenalty':-0.5,'frequencyPenalty':1,'stopSequences':['a','b']},'zz':1}", 2000 },
		{ &protocol_ollama, "{'options':{'top_k':3,'seed':7,'presence_penalty':-0.5,'frequency_penalty':1,'stop':['a','b']},'zz':1}", 0 },
	};
	static const struct { enum parameter which; const char *value; } values[] = {
		{ PARAMETER_TOP_K, "3" }, { PARAMETER_SEED, "7" }, { PARAMETER_PRESENCE_PENALTY, "-0.5" }, { PARAMETER_FREQUENCY_PENALTY, "1" },
		{ PARAMETER_VERBOSITY, "low" }, { PARAMETER_STOP, "[\"a\",\"b\"]" }, { PARAMETER_THINKING_BUDGET, "2000" }, { PARAMETER_EXTRA, "{\"zz\":1}" },
	};
	struct parameters p = parameters_unset;
	struct error err;

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		CU_ASSERT(parameter_set(&p, values[i].which, str_from(values[i].value), NULL, &err));
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		struct buf extra = { 0 }, expected = { 0 };

		for (const char *at = bodies[i].extra; *at; at++)
			buf_add_byte(&expected, *at == '\'' ? '"' : *at);
		parameters_write_extra(&p, bodies[i].protocol, &extra);
		CHECK_STR(buf_str(&extra), buf_z(&expected));
		CU_ASSERT_EQUAL(parameters_thinking_budget(&p, bodies[i].protocol), bodies[i].budget);
		buf_fini(&extra);
		buf_fini(&expected);
	}
	CHECK_STR(str_from(parameter_why_not_sent(&p, PARAMETER_STOP, &protocol_openai_responses)), "this protocol has none: not sent");
	CHECK_STR(str_from(parameter_why_not_sent(&p, PARAMETER_TOP_K, &protocol_anthropic)), "anthropic takes none with reasoning: not sent");
	CU_ASSERT_PTR_NULL(parameter_why_not_sent(&p, PARAMETER_EXTRA, &protocol_anthropic));
}

/* `extra` is merged into what is there, and wins; a budget of thinking has its place and room. */
static void a_body_is_merged_with_what_is_extra(void)
{
	static const struct { const struct protocol *protocol; const char *holds[4], *lacks; } bodies[] = {
		{ &protocol_openai_chat, { "\"temperature\":0.9", "\"messages\":[{", "\"options\":{\"num_ctx\":9}" }, "0.5" },
		{ &protocol_anthropic, { "\"max_tokens\":2009", "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2000", "\"temperature\":0.9" }, "0.5" },
		{ &protocol_gemini, { "\"thinkingBudget\":2000", "\"temperature\":0.5", "\"topK\":9" }, NULL },
		{ &protocol_ollama, { "\"options\":{\"num_predict\":9,\"temperature\":0.5,\"num_ctx\":9}", "\"temperature\":0.9" }, NULL },
	};
	struct request_part part = { .kind = PART_TEXT, .text = STR("hi") };
	struct request_message message = { .role = TURN_USER, .parts = &part, .part_count = 1 };
	struct request request = { .model = STR("m"), .messages = &message, .message_count = 1, .max_tokens = 9, .temperature = 0.5, .stream = true,
		.thinking_budget = 2000, .extra = STR("{\"temperature\":0.9,\"options\":{\"num_ctx\":9},\"generationConfig\":{\"topK\":9}}") };

	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		struct buf body = { 0 };

		CU_ASSERT(protocol_build(bodies[i].protocol, &request, &body));
		for (size_t k = 0; bodies[i].holds[k]; k++)
			CHECK(strstr(buf_z(&body), bodies[i].holds[k]), "%s in %s", bodies[i].holds[k], buf_z(&body));
		CHECK(!bodies[i].lacks || !strstr(buf_z(&body), bodies[i].lacks), "%s", buf_z(&body));
		buf_fini(&body);
	}
}

const struct suite suite_parameters = { "parameters", (const struct test[]){
	TEST(every_one_is_checked_and_written), TEST(a_protocol_has_a_range_of_its_own), TEST(what_is_not_sent_is_said),
	TEST(every_protocol_sends_top_p), TEST(protocols_send_a_stop_sequence),
	TEST(protocols_get_them_under_their_names), TEST(a_body_is_merged_with_what_is_extra), { 0 } } };
