/* What the chat keeps, in the linear mode: requests after opening a stored conversation, and what is private. */
#include "app/keep/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/program.h"
#include "base/array.h"
#include "base/mem.h"
#include "store/maintain/maintain.h"
#include "support/check.h"
#include "support/hand.h"

static struct hand *server;
static const char *config;
static char data[160], state[160];

static void begin_with(const char *top)
{
	struct buf settings = { 0 };

	server = hand_new();
	buf_add_z(&settings, top);
	buf_printf(&settings, "provider = hand\n[provider hand]\nprotocols = openai-chat, openai-responses, anthropic, gemini, ollama\n"
	           "base_url = http://127.0.0.1:%u\nauth = none\nmodel = m-1\nretries = 0\n[provider spare]\nprotocols = openai-chat\nbase_url = http://127.0.0.1:%u\n"
	           "auth = none\nmodel = spare-1\nretries = 0\n[role tester]\nsystem = Write as a tester.\ntop_p = 0.5\n",
	           hand_port(server), hand_port(server));
	config = folder_file("weir.conf", buf_z(&settings));
	buf_fini(&settings);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	snprintf(state, sizeof state, "XDG_STATE_HOME=%s/state", folder_path());
}

static void begin(void)
{
	begin_with("");
}

static void end(void)
{
	hand_free(server);
	folder_remove();
}

/* --- every protocol, with all that a request carries --- */

/* A whole answer with opaque data of its own; %s: its text. */
static const struct { const char *protocol, *body, *opaque; } answers_in[] = {
	{ "openai-chat", "{\"id\":\"c\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\","
	  "\"reasoning_details\":[{\"type\":\"reasoning.encrypted\",\"data\":\"b3BhcXVl\",\"index\":0}]},\"finish_reason\":\"stop\"}]}", "b3BhcXVl" },
	{ "openai-responses", "{\"id\":\"r\",\"object\":\"response\",\"status\":\"completed\",\"model\":\"m-1\",\"output\":[{\"type\":\"reasoning\",\"id\":\"rs\","
	  "\"summary\":[],\"encrypted_content\":\"b3BhcXVl\"},{\"type\":\"message\",\"id\":\"m\",\"role\":\"assistant\",\"content\":[{\"type\":"
	  "\"output_text\",\"text\":\"%s\",\"annotations\":[]}]}]}", "b3BhcXVl" },
	{ "anthropic", "{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m-1\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"Hm\","
	  "\"signature\":\"b3BhcXVl\"},{\"type\":\"text\",\"text\":\"%s\"}],\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":3,"
	  "\"output_tokens\":2}}", "b3BhcXVl" },
	{ "gemini", "{\"candidates\":[{\"index\":0,\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"%s\",\"thoughtSignature\":\"b3BhcXVl\"}]},"
	  "\"finishReason\":\"STOP\"}]}", "b3BhcXVl" },
	{ "ollama", "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},\"done\":true,\"done_reason\":\"stop\"}\n", "One." },
};

static size_t wire; /* the row of answers_in in use */

static void answer(const char *text)
{
	struct buf body = { 0 };

	if (!hand_accept(server))
		return;
	buf_add_z(&body, answers_in[wire].body);
	size_t at = str_find(buf_str(&body), STR("%s"));
	struct buf whole = { 0 };
	buf_add(&whole, str_head(buf_str(&body), at));
	buf_add_z(&whole, text);
	buf_add(&whole, str_skip(buf_str(&body), at + 2));
	hand_reply(server, 200, "application/json", buf_z(&whole));
	buf_fini(&whole);
	buf_fini(&body);
}

/* Types the lines that are not prompts, then a prompt for each answer. The body of the last request is returned; heap. */
static char *talk(const char *first, const char *const *answers, const char *const *more)
{
	const char *args[24] = { "--plain", "--config", config };
	struct buf lines = { 0 };
	struct program p;
	char *body = NULL;

	for (size_t i = 0; more[i]; i++)
		args[3 + i] = more[i];
	buf_add_z(&lines, first);
	for (size_t i = 0; answers[i]; i++)
		buf_printf(&lines, "about %s\n", answers[i]);
	program_start(&p, args, ARGS(data, state));
	program_send(&p, buf_str(&lines));
	program_end_input(&p);
	for (size_t i = 0; answers[i]; i++) {
		answer(answers[i]);
		mem_free(body);
		body = mem_dup_z(hand_body(server));
	}
	CHECK(program_wait(&p) == 0 && !p.errors.len, "%d: %s", p.status, buf_z(&p.errors));
	program_free(&p);
	buf_fini(&lines);
	return body;
}

/* The same prompts in one run, and in two with what is kept between them. */
static void requests_after_opening_are_the_same(void)
{
	char *whole, *resumed;

	begin();
	whole = talk("/system Be brief.\n/parameters temperature 0.25\n/server-tools image\n", ARGS("One.", "Two.", "Three."), ARGS("--no-history"));
	mem_free(talk("/system Be brief.\n/parameters temperature 0.25\n/server-tools image\n", ARGS("One.", "Two."), ARGS(NULL)));
	resumed = talk("", ARGS("Three."), ARGS("-c"));
	CHECK(!strcmp(whole, resumed), "%s\n%s", whole, resumed);
	CHECK(strstr(resumed, "\"modalities\":[\"image\",\"text\"]"), "%s", resumed);
	mem_free(whole);
	mem_free(resumed);
	end();
}

/* They are kept with the conversation, and go with their header; what the command line says goes before. */
static void server_tools_are_kept(void)
{
	char *body;

	begin();
	wire = 2;
	mem_free(talk("/protocol anthropic\n/server-tools code\n", ARGS("One."), ARGS(NULL)));
	body = talk("", ARGS("Two."), ARGS("-c"));
	CHECK(strstr(body, "\"tools\":[{\"type\":\"code_execution_20250825\",\"name\":\"code_execution\"}]"), "%s", body);
	CHECK(strstr(hand_head(server), "\r\nanthropic-beta: code-execution-2025-08-25\r\n"), "%s", hand_head(server));
	mem_free(body);
	body = talk("", ARGS("Three."), ARGS("-c", "--server-tools", "off"));
	CHECK(!strstr(body, "tools") && !strstr(hand_head(server), "anthropic-beta"), "%s %s", hand_head(server), body);
	mem_free(body);
	wire = 0;
	end();
}

/* Naming the provider that it was held with changes nothing; naming another one brings that one's own protocol and model. */
static void the_provider_of_the_conversation_may_be_named(void)
{
	char *body;

	begin();
	wire = 2;
	mem_free(talk("/protocol anthropic\n/model other-model\n", ARGS("One."), ARGS(NULL)));
	body = talk("", ARGS("Two."), ARGS("-c", "-p", "hand"));
	CHECK(strstr(hand_head(server), "/v1/messages") && strstr(body, "other-model") && strstr(body, "One."), "%s %s", hand_head(server), body);
	mem_free(body);
	body = talk("", ARGS("Three."), ARGS("-c", "-p", "hand", "-m", "m-2"));
	CHECK(strstr(hand_head(server), "/v1/messages") && strstr(body, "m-2"), "%s %s", hand_head(server), body);
	mem_free(body);
	wire = 0;
	body = talk("", ARGS("Four."), ARGS("-c", "-p", "spare"));
	CHECK(strstr(hand_head(server), "/chat/completions") && strstr(body, "\"spare-1\"") && strstr(body, "Three."), "%s %s", hand_head(server), body);
	mem_free(body);
	end();
}

/* --- every protocol, with all that a request carries --- */

/* What only the first program is told; the others find it in the history. */
static char *talk_with_all(const char *const *answers, const char *history)
{
	const char *tools = folder_file("tools.json", "[{\"type\":\"function\",\"function\":{\"name\":\"get_weather\",\"parameters\":{\"type\":\"object\"}}}]");
	const char *schema = folder_file("schema.json", "{\"type\":\"object\",\"properties\":{\"quux\":{\"type\":\"string\"}}}");

	return talk("", answers, ARGS("-r", "tester", "--protocol", answers_in[wire].protocol, "--tools", tools, "--schema", schema, "--temperature",
	            "0.125", history));
}

static char *ask(const char *text, const char *const *more)
{
	const char *args[24] = { "ask", "--config", config };
	struct program p;
	char *body;

	for (size_t i = 0; more[i]; i++)
		args[3 + i] = more[i];
	program_start(&p, args, ARGS(data, state));
	program_end_input(&p);
	answer(text);
	body = mem_dup_z(hand_body(server));
	CHECK(program_wait(&p) == 0, "%d: %s", p.status, buf_z(&p.errors));
	program_free(&p);
	return body;
}

static void check_carried(const char *body)
{
	static const char *const carried[] = { "as a tester", "get_weather", "0.125", "quux", "One.", "about Three." };

	for (size_t i = 0; i < ARRAY_LEN(carried); i++)
		CHECK(strstr(body, carried[i]) != NULL, "%s: no %s in %s", answers_in[wire].protocol, carried[i], body);
	CHECK(strstr(body, answers_in[wire].opaque) != NULL, "%s: no opaque data in %s", answers_in[wire].protocol, body);
}

static void requests_carry_all_in_every_protocol(void)
{
	for (wire = 0; wire < ARRAY_LEN(answers_in); wire++) {
		begin();
		char *whole = talk_with_all(ARGS("One.", "Two.", "Three."), "--no-history");
		check_carried(whole);
		mem_free(talk_with_all(ARGS("One.", "Two."), NULL));
		char *resumed = talk("", ARGS("Three."), ARGS("-c"));
		CHECK(!strcmp(whole, resumed), "%s\n%s", whole, resumed);
		mem_free(talk_with_all(ARGS("One.", "Two."), NULL));
		char *asked = ask("Three.", ARGS("-c", "about Three."));
		CHECK(!strcmp(whole, asked), "ask:\n%s\n%s", whole, asked);
		mem_free(asked);
		mem_free(resumed);
		mem_free(whole);
		end();
	}
	wire = 0;
}

/* The first prompt has files. Then two prompts in one run of the chat, and two runs of ask. */
static void files_are_carried_in_every_protocol(void)
{
	for (wire = 0; wire < ARRAY_LEN(answers_in); wire++) {
		begin();
		const char *protocol = answers_in[wire].protocol, *notes = folder_file("notes.txt", "words of the file\n");
		const char *image = folder_file("image.png", "\x89PNG\r\n\x1A\n....");
		const char *const *first = ARGS("--protocol", protocol, "--file", notes, "--file", image, "about One.");

		mem_free(ask("One.", first));
		char *chatted = talk("", ARGS("Two.", "Three."), ARGS("--conversation", "last"));
		mem_free(ask("One.", first));
		mem_free(ask("Two.", ARGS("-c", "about Two.")));
		char *asked = ask("Three.", ARGS("-c", "about Three."));
		CHECK(!strcmp(chatted, asked), "%s\n%s", chatted, asked);
		CHECK(strstr(asked, "words of the file") && strstr(asked, "iVBORw0KGg"), "%s: %s", protocol, asked);
		mem_free(asked);
		mem_free(chatted);
		end();
	}
	wire = 0;
}

/* --- who goes on with what --- */

/* `weir -c` goes on with the last conversation in which a chat has spoken, `weir ask -c` with the last of all. */
static void a_chat_does_not_go_on_with_what_a_script_asked(void)
{
	struct program p;
	char *body;

	begin();
	mem_free(ask("Asked.", ARGS("about a script")));
	CHECK(program_run(&p, STR_NONE, ARGS("--plain", "--config", config, "-c"), ARGS(data, state)) == 0, "%d", p.status);
	CHECK(strstr(buf_z(&p.output), "There is no chat to go on with: see weir history list") && !strstr(buf_z(&p.output), "Asked."), "%s", buf_z(&p.output));
	program_free(&p);
	mem_free(talk("", ARGS("Chatted."), ARGS(NULL)));
	mem_free(ask("Asked again.", ARGS("about another script")));
	body = talk("", ARGS("More."), ARGS("-c"));
	CHECK(strstr(body, "Chatted.") && !strstr(body, "Asked"), "%s", body);
	mem_free(body);
	body = ask("Asked of the chat.", ARGS("-c", "about it"));
	CHECK(strstr(body, "Chatted.") && strstr(body, "More."), "%s", body);
	mem_free(body);
	mem_free(ask("Third.", ARGS("about a third script")));
	body = ask("Fourth.", ARGS("-c", "about it"));
	CHECK(strstr(body, "Third.") && !strstr(body, "Chatted."), "%s", body);
	mem_free(body);
	body = talk("", ARGS("Spoken."), ARGS("-c"));
	CHECK(strstr(body, "Asked of the chat.") && !strstr(body, "Third."), "%s", body);
	mem_free(body);
	mem_free(ask("Fifth.", ARGS("about a fifth script")));
	mem_free(talk("", ARGS("Taken up."), ARGS("--conversation", "last")));
	mem_free(ask("Sixth.", ARGS("about a sixth script")));
	body = talk("", ARGS("On."), ARGS("-c")); /* it is a chat now */
	CHECK(strstr(body, "Fifth.") && strstr(body, "Taken up."), "%s", body);
	mem_free(body);
	end();
}

/* --- what was imported --- */

static const char imported[] =
	"[{\"uuid\":\"k\",\"name\":\"Talk\",\"chat_messages\":[{\"uuid\":\"1\",\"sender\":\"human\",\"text\":\"how warm?\"},"
	"{\"uuid\":\"2\",\"sender\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":null,\"name\":\"weather\",\"input\":{\"city\":\"Oslo\"}},"
	"{\"type\":\"tool_use\",\"id\":\"toolu_7\",\"name\":\"My App:log\",\"input\":{}},"
	"{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_7\",\"name\":\"My App:log\",\"is_error\":true,\"content\":[{\"type\":\"text\",\"text\":\"denied\"}]},"
	"{\"type\":\"tool_result\",\"name\":\"weather\",\"content\":[{\"type\":\"text\",\"text\":\"3 degrees\"}]},{\"type\":\"text\",\"text\":\"Three.\"}]}]}]";

/* The results as the protocol has them, in the order of the calls. */
static const char *const sent_results[] = {
	"{\"role\":\"tool\",\"tool_call_id\":\"call_1_0\",\"content\":\"3 degrees\"},{\"role\":\"tool\",\"tool_call_id\":\"toolu_7\",\"content\":\"denied\"}",
	"{\"type\":\"function_call_output\",\"call_id\":\"call_1_0\",\"output\":\"3 degrees\"},{\"type\":\"function_call_output\",\"call_id\":\"toolu_7\",\"output\":\"denied\"}",
	"{\"type\":\"tool_result\",\"tool_use_id\":\"call_1_0\",\"content\":\"3 degrees\"},{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_7\",\"content\":\"denied\",\"is_error\":true}",
	"{\"functionResponse\":{\"name\":\"weather\",\"response\":{\"result\":\"3 degrees\"}}},{\"functionResponse\":{\"id\":\"toolu_7\",\"name\":\"My_App_log\",\"response\":{\"error\":\"denied\"}}}",
	"{\"role\":\"tool\",\"content\":\"3 degrees\",\"tool_name\":\"weather\"},{\"role\":\"tool\",\"content\":\"denied\",\"tool_name\":\"My_App_log\",\"tool_call_id\":\"toolu_7\"}",
};

static void imported_results_are_sent_as_results(void)
{
	for (wire = 0; wire < ARRAY_LEN(answers_in); wire++) {
		struct program p;
		char *body;

		begin();
		CHECK(program_run(&p, STR_NONE, ARGS("history", "import", folder_file("claude.json", imported)), ARGS(data, state)) == 0, "%s", buf_z(&p.errors));
		CHECK_STR(buf_str(&p.output), "1 added, 0 there already\n");
		program_free(&p);
		body = ask("One.", ARGS("--conversation", "last", "-p", "hand", "--protocol", answers_in[wire].protocol, "-m", "m", "go on"));
		CHECK(strstr(body, sent_results[wire]) != NULL, "%s: %s", answers_in[wire].protocol, body);
		mem_free(body);
		end();
	}
	wire = 0;
}

/* No file below the folders holds the words. */
static bool is_on_disk(const char *words)
{
	char script[400];
	struct program p;
	int status;

	snprintf(script, sizeof script, "exec grep -rqaF '%s' '%s/data' '%s/state'", words, folder_path(), folder_path());
	program_start_script(&p, script, ARGS(NULL), ARGS(NULL));
	status = program_wait(&p);
	program_free(&p);
	return status == 0;
}

static void what_is_private_is_not_on_the_disk(void)
{
	begin();
	mem_free(talk("", ARGS("Openly."), ARGS(NULL)));
	CU_ASSERT_TRUE(is_on_disk("Openly."));
	mem_free(talk("/private\n", ARGS("Sesame."), ARGS("-c")));
	mem_free(talk("", ARGS("Quietly."), ARGS("--no-history")));
	CU_ASSERT_FALSE(is_on_disk("Sesame."));
	CU_ASSERT_FALSE(is_on_disk("Quietly."));
	end();
}

/* --- the table "What is kept" of the README; prompts and draft: test_screen_kept.c --- */

enum { KEEPS_TALK = 1, KEEPS_TAPE = 2, KEEPS_CHOICES = 4 };

static const struct { const char *settings, *typed, *option; unsigned keeps; } kept_by[] = {
	{ "", "", NULL, KEEPS_TALK | KEEPS_TAPE | KEEPS_CHOICES },
	{ "history = chat\n", "", NULL, KEEPS_TALK | KEEPS_TAPE | KEEPS_CHOICES },
	{ "history = no\n", "", NULL, KEEPS_CHOICES },
	{ "", "", "--no-history", KEEPS_CHOICES },
	{ "history = chat\n", "", "--no-history", KEEPS_CHOICES },
	{ "", "/private\n", NULL, KEEPS_CHOICES },
	{ "history = chat\n", "/private\n", NULL, KEEPS_CHOICES },
	{ "history = no\n", "/private\n/private\n", NULL, KEEPS_CHOICES },
	{ "", "/private\n/private\n", NULL, KEEPS_TALK | KEEPS_TAPE | KEEPS_CHOICES },
	{ "tapes = 0\n", "", NULL, KEEPS_TALK | KEEPS_CHOICES },
	{ "history = chat\ntapes = 0\n", "", NULL, KEEPS_TALK | KEEPS_CHOICES },
	{ "tapes = 0\n", "/private\n", NULL, KEEPS_CHOICES },
	{ "remember = no\n", "", NULL, KEEPS_TALK | KEEPS_TAPE },
	{ "remember = no\nhistory = no\n", "", NULL, 0 },
};

/* Whether a file whose path matches has the words. */
static bool is_in(const char *files, const char *words)
{
	struct program p;
	char script[600];
	int status;

	snprintf(script, sizeof script, "exec grep -qaF '%s' %s/%s 2>/dev/null", words, folder_path(), files);
	program_start_script(&p, script, ARGS(NULL), ARGS(NULL));
	status = program_wait(&p);
	program_free(&p);
	return status == 0;
}

static void what_is_kept_is_what_was_said(void)
{
	for (size_t i = 0; i < ARRAY_LEN(kept_by); i++) {
		struct buf typed = { 0 };
		unsigned keeps = 0;

		begin_with(kept_by[i].settings);
		buf_printf(&typed, "%s/model chosen\n", kept_by[i].typed);
		mem_free(talk(buf_z(&typed), ARGS("Sesame."), ARGS(kept_by[i].option)));
		keeps |= is_in("data/weir/*", "Sesame.") ? KEEPS_TALK : 0;
		keeps |= is_in("state/weir/tapes/*", "Sesame.") ? KEEPS_TAPE : 0;
		keeps |= is_in("state/weir/choices", "chosen") ? KEEPS_CHOICES : 0;
		CHECK(keeps == kept_by[i].keeps, "row %zu keeps %x in place of %x", i, keeps, kept_by[i].keeps);
		CHECK(is_on_disk("Sesame.") == ((keeps & ~(unsigned)KEEPS_CHOICES) != 0), "row %zu: another file has it", i);
		buf_fini(&typed);
		end();
	}
}

/* --- conversations that were deleted --- */

static void chat(struct program *p)
{
	program_start(p, ARGS("--plain", "--config", config), ARGS(data, state));
}

static void say(struct program *p, const char *prompt, const char *text)
{
	program_send(p, str_from(prompt));
	answer(text);
	CHECK(program_await_output(p, text), "%s", buf_z(&p->output));
}

/* A program that has ended may have left another one that maintains the history: who writes meanwhile is told that it is busy. */
static void await_maintained(void)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;
	enum history_status status;
	struct maintain_result result;
	struct error err = { "" };

	setenv("XDG_DATA_HOME", data + strlen("XDG_DATA_HOME="), 1);
	while ((status = history_maintain(&(struct maintain_options){ 0 }, &result, &err)) == HISTORY_BUSY && check_now_ms() < end_ms)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	CHECK(status == HISTORY_OK, "%s", err.text);
	maintain_result_fini(&result);
	unsetenv("XDG_DATA_HOME");
}

/* Until another program sees that text in the list. */
static void await_listed(const char *text)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;
	bool listed = false;

	while (!listed && check_now_ms() < end_ms) {
		struct program p;

		program_run(&p, STR_NONE, ARGS("history"), ARGS(data));
		listed = strstr(buf_z(&p.output), text) != NULL;
		program_free(&p);
	}
	CHECK(listed, "%s is not stored", text);
}

/* Another program deletes a row of the list. That says nothing about the conversation that goes on. */
static void a_row_that_is_gone_is_no_trouble(void)
{
	struct program p, other;

	begin();
	mem_free(talk("", ARGS("One."), ARGS(NULL)));
	await_maintained();
	chat(&p);
	say(&p, "about Two.\n", "Two.");
	await_listed("about Two.");
	program_send(&p, STR("/resume\n"));
	CHECK(program_await_output(&p, "2. about One."), "%s", buf_z(&p.output));
	CHECK(program_run(&other, STR_NONE, ARGS("history", "delete", "--yes", "2"), ARGS(data)) == 0, "%s", buf_z(&other.errors));
	program_free(&other);
	await_maintained();
	program_send(&p, STR("/resume rename 2 Other\n"));
	CHECK(program_await_output(&p, "another program deleted the conversation"), "%s", buf_z(&p.output));
	say(&p, "about Three.\n", "Three.");
	program_end_input(&p);
	CHECK(program_wait(&p) == 0 && !strstr(buf_z(&p.output), "not kept any more"), "%s", buf_z(&p.output));
	program_free(&p);
	CHECK(program_run(&other, STR_NONE, ARGS("history", "export", "last"), ARGS(data)) == 0, "%s", buf_z(&other.errors));
	CHECK(strstr(buf_z(&other.output), "about Three.") != NULL, "%s", buf_z(&other.output));
	program_free(&other);
	end();
}

static void what_was_deleted_is_not_opened(void)
{
	struct program p;

	begin();
	mem_free(talk("", ARGS("One."), ARGS(NULL)));
	await_maintained();
	chat(&p);
	program_send(&p, STR("/resume\n"));
	CHECK(program_await_output(&p, "1. about One."), "%s", buf_z(&p.output));
	program_send(&p, STR("/resume delete 1\nyes\n/resume 1\n"));
	CHECK(program_await_output(&p, "it has been deleted"), "%s", buf_z(&p.output));
	program_end_input(&p);
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	program_free(&p);
	end();
}

const struct suite suite_keep = { "keep", (const struct test[]){
	TEST(requests_after_opening_are_the_same), TEST(server_tools_are_kept), TEST(the_provider_of_the_conversation_may_be_named), TEST(requests_carry_all_in_every_protocol), TEST(files_are_carried_in_every_protocol),
	TEST(a_chat_does_not_go_on_with_what_a_script_asked), TEST(imported_results_are_sent_as_results), TEST(what_is_private_is_not_on_the_disk), TEST(what_is_kept_is_what_was_said), TEST(a_row_that_is_gone_is_no_trouble), TEST(what_was_deleted_is_not_opened),
	{ 0 },
} };
