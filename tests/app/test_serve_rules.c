#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/program.h"
#include "base/json.h"
#include "support/check.h"

/* A tape of openai-chat with a text, a call and usage. */
static const char *tape_file(const char *name, const char *model, const char *text)
{
	static const char form[] =
		"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"model\":\"%s\",\"url\":\"https://h.example/v1/chat/completions\"}\n"
		"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\",\"headers\":{}}}\n"
		"{\"t\":2,\"body\":\"data: {\\\"id\\\":\\\"c1\\\",\\\"model\\\":\\\"%s\\\",\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"%s\\\"}}]}\\n\\n\"}\n"
		"{\"t\":3,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"tool_calls\\\":[{\\\"index\\\":0,\\\"id\\\":\\\"call_1\\\",\\\"function\\\":"
		"{\\\"name\\\":\\\"look\\\",\\\"arguments\\\":\\\"{\\\\\\\"a\\\\\\\":1}\\\"}}]},\\\"finish_reason\\\":\\\"tool_calls\\\"}],"
		"\\\"usage\\\":{\\\"prompt_tokens\\\":3,\\\"completion_tokens\\\":4,\\\"total_tokens\\\":7}}\\n\\ndata: [DONE]\\n\\n\"}\n"
		"{\"t\":4,\"end\":\"closed\"}\n";
	char content[2000];

	snprintf(content, sizeof content, form, model, model, text);
	return folder_file(name, content);
}

/* Asks for a summary and checks text and outcome; a protocol or model of NULL is the default. */
struct asked { const char *protocol, *model, *prompt; bool whole; };

static void check_summary(const char *url, struct asked asked, const char *text, const char *outcome)
{
	const char *args[16] = { "ask", "--base-url", url, "--retries", "0", "--summary", "-m", asked.model ? asked.model : "m" };
	size_t count = 8, used;
	struct json_parser *parser = json_parser_new();
	struct program p;

	if (asked.protocol) {
		args[count++] = "--protocol";
		args[count++] = asked.protocol;
	}
	if (asked.whole)
		args[count++] = "--no-stream";
	args[count] = asked.prompt ? asked.prompt : "hello";
	program_run(&p, STR_NONE, args, NULL);
	const struct json *value = json_parse(parser, buf_str(&p.output), &used);
	CHECK(str_is(json_get_text(value, "text"), text) && str_is(json_get_text(value, "outcome"), outcome), "%s %s: %s%s",
	      asked.protocol ? asked.protocol : "", asked.whole ? "whole" : "", buf_z(&p.output), buf_z(&p.errors));
	program_free(&p);
	json_parser_free(parser);
}

static void rules_choose_the_answer(void)
{
	struct program server;
	char url[64];

	tape_file("a.tape", "m-a", "weather");
	tape_file("b.tape", "m-b", "rest");
	const char *rules = folder_file("rules.ini",
		"[fails first]\nword = Weather\nrequest = 1\ntape = a.tape\nfault = status=503\n"
		"[weather]\nword = weather\ntape = a.tape\n"
		"[model]\nmodel = special-*\npath = */messages\ntape = a.tape\nas = anthropic\n");
	program_serve(&server, url, ARGS("--rules", rules, tape_file("b.tape", "m-b", "rest")));
	check_summary(url, (struct asked){ .prompt = "the weather" }, "", "error");
	check_summary(url, (struct asked){ .prompt = "the weather" }, "weather", "tool_calls");
	check_summary(url, (struct asked){ .prompt = "else" }, "rest", "tool_calls");
	check_summary(url, (struct asked){ .protocol = "anthropic", .model = "special-1" }, "weather", "tool_calls");
	check_summary(url, (struct asked){ .model = "special-1" }, "rest", "tool_calls");
	program_free(&server);
	folder_remove();
}

static void one_tape_answers_in_every_protocol(void)
{
	static const char *const protocols[] = { "openai-chat", "openai-responses", "anthropic", "gemini", "ollama" };
	struct program server;
	char url[64];

	program_serve(&server, url, ARGS("--as", "auto", tape_file("a.tape", "m-a", "hi there")));
	for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
		for (int whole = 0; whole < 2; whole++)
			check_summary(url, (struct asked){ .protocol = protocols[i], .whole = whole }, "hi there", "tool_calls");
	program_free(&server);
	folder_remove();
}

/* Clients take a body with status 200 for an answer. */
static void a_body_that_is_an_error_has_its_status(void)
{
	static const struct { const char *code, *status; } cases[] = { { "503", "\"status\":503" }, { "\"slow_down\"", "\"status\":500" } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct program server, ask;
		char content[200], url[64];

		snprintf(content, sizeof content, "data: {\"error\":{\"message\":\"Full.\",\"code\":%s}}\n\n", cases[i].code);
		program_serve(&server, url, ARGS("--as", "auto", folder_file("a.sse", content)));
		program_run(&ask, STR_NONE, ARGS("ask", "--base-url", url, "-m", "m", "--protocol", "anthropic", "--no-stream", "--retries", "0", "--summary", "hi"), NULL);
		CHECK(strstr(buf_z(&ask.output), cases[i].status) != NULL, "%s: %s", cases[i].code, buf_z(&ask.output));
		program_free(&ask);
		program_free(&server);
		folder_remove();
	}
}

static void files_are_chosen_by_model_or_path(void)
{
	struct program server;
	const char *a = tape_file("a.tape", "m-a", "one"), *b = tape_file("b.tape", "m-b", "two");
	char url[64];

	program_serve(&server, url, ARGS("--choose", "model", a, b));
	check_summary(url, (struct asked){ .model = "m-b" }, "two", "tool_calls");
	check_summary(url, (struct asked){ .model = "m-b" }, "two", "tool_calls");
	check_summary(url, (struct asked){ .model = "m-a" }, "one", "tool_calls");
	check_summary(url, (struct asked){ .model = "m-c" }, "", "error");
	program_free(&server);
	program_serve(&server, url, ARGS("--choose", "path", a, b));
	check_summary(url, (struct asked){ .protocol = "openai-chat" }, "one", "tool_calls");
	check_summary(url, (struct asked){ .protocol = "anthropic" }, "", "error");
	program_free(&server);
	folder_remove();
}

static void an_echo_repeats_the_prompt(void)
{
	struct program server;
	char url[64];

	program_serve(&server, url, ARGS("--echo", "--speed", "max"));
	check_summary(url, (struct asked){ .prompt = "one\n\nthree" }, "one\n\nthree", "complete");
	check_summary(url, (struct asked){ .protocol = "gemini", .prompt = "text in text", .whole = true }, "text in text", "complete");
	program_free(&server);
	folder_remove();
}

static void models_are_listed(void)
{
	static const char *const protocols[] = { "openai-chat", "anthropic", "gemini", "ollama" };
	struct program server, p;
	const char *a = tape_file("a.tape", "m-a", "one"), *b = tape_file("b.tape", "m-b", "two");
	char url[64];

	program_serve(&server, url, ARGS("--as", "auto", "--fault", "status=500", a, b, a));
	for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("models", "--base-url", url, "--protocol", protocols[i]), NULL), 0);
		CHECK(str_starts(buf_str(&p.output), "m-a\t") && strstr(buf_z(&p.output), "\nm-b\t") && str_find(buf_str(&p.output), STR("m-a")) == 0, "%s: %s%s",
		      protocols[i], buf_z(&p.output), buf_z(&p.errors));
		program_free(&p);
	}
	program_free(&server);
	program_serve(&server, url, ARGS("--as", "auto", "tests/streams/openai-chat/sansa-tool.sse")); /* it does not name its model */
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("models", "--base-url", url), NULL), 0);
	CHECK(str_starts(buf_str(&p.output), "saved-stream"), "%s", buf_z(&p.output));
	program_free(&p);
	program_free(&server);
	folder_remove();
}

/* Which of 16 requests fail, as a text of 0 and 1. */
static void gather_faults(const char *seed, char faults[17])
{
	struct program server, p;
	char url[64];

	program_serve(&server, url, ARGS("--fault", "status=500", "--fault-rate", "50", "--seed", seed, tape_file("a.tape", "m", "x")));
	for (size_t i = 0; i < 16; i++) {
		program_run(&p, STR_NONE, ARGS("ask", "--base-url", url, "-m", "m", "--retries", "0", "hi"), NULL);
		faults[i] = p.status ? '1' : '0';
		program_free(&p);
	}
	faults[16] = '\0';
	program_free(&server);
}

static void faults_at_random_depend_on_the_seed(void)
{
	char first[17], again[17], other[17];

	gather_faults("7", first);
	gather_faults("7", again);
	gather_faults("8", other);
	CHECK(!strcmp(first, again), "%s\n%s", first, again);
	CHECK(strcmp(first, other) != 0, "%s", first);
	CHECK(strchr(first, '0') && strchr(first, '1'), "%s", first);
	folder_remove();
}

static void requests_are_logged_without_keys(void)
{
	const char *log = folder_file("log", NULL);
	struct program server;
	struct buf text = { 0 };
	struct error err;
	char url[64];

	program_serve(&server, url, ARGS("--log", log, tape_file("a.tape", "m-a", "one")));
	struct program p;
	program_run(&p, STR_NONE, ARGS("ask", "--base-url", url, "-m", "m-x", "what?"), ARGS("WEIR_API_KEY=sk-secret-secret"));
	program_free(&p);
	CHECK(buf_read_file(&text, log, &err), "%s", err.text);
	CHECK(strstr(buf_z(&text), "\"method\":\"POST\",\"path\":\"/chat/completions\",\"protocol\":\"openai-chat\",\"model\":\"m-x\",\"answer\":\"file\",\"request\":{\"model\":\"m-x\""),
	      "%s", buf_z(&text));
	CHECK(strstr(buf_z(&text), "what?") && !strstr(buf_z(&text), "secret"), "%s", buf_z(&text));
	program_free(&server);
	buf_fini(&text);
	folder_remove();
}

static void mistakes_are_named(void)
{
	static const struct { const char *rules, *said; } cases[] = {
		{ "[a]\nword = x\n", "[a] names no tape" }, { "word = x\n", "before the first rule" }, { "[a]\ntape = absent\n", "absent" },
		{ "[a]\nas = klingon\n", "klingon" }, { "[a]\nfault = odd\n", "odd" }, { "[a]\nrate = 101\n", "percentage" },
		{ "[a]\nrequest = 0\n", "above 0" }, { "[a]\nmodels = x\n", "it has path, model" }, { "\n", "holds no rule" },
	};
	struct program p;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("serve", "--rules", folder_file("r.ini", cases[i].rules)), NULL), 2);
		CHECK(strstr(buf_z(&p.errors), cases[i].said) != NULL, "%s: %s", cases[i].rules, buf_z(&p.errors));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("serve", "--as", "klingon", tape_file("a", "m", "x")), NULL), 2);
	program_free(&p);
	folder_remove();
}

const struct suite suite_serve_rules = { "serve_rules", (const struct test[]){
	TEST(rules_choose_the_answer), TEST(one_tape_answers_in_every_protocol), TEST(a_body_that_is_an_error_has_its_status), TEST(files_are_chosen_by_model_or_path),
	TEST(an_echo_repeats_the_prompt), TEST(models_are_listed), TEST(faults_at_random_depend_on_the_seed),
	TEST(requests_are_logged_without_keys), TEST(mistakes_are_named), { 0 },
} };
