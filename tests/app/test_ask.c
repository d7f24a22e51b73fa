#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "app/program.h"
#include "base/json.h"
#include "base/regular_file.h"
#include "support/check.h"
#include "support/secure.h"
#include "support/turned.h"

#define CHUNK(delta) "data: {\"id\":\"c1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":" delta "}]}\n\n"
#define FINISH(word) "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" word "\"}]}\n\ndata: [DONE]\n\n"
#define HELLO CHUNK("{\"content\":\"Hello \"}") CHUNK("{\"content\":\"w\xc3\xb6rld\\n\\u001b[31mred\\u0007\"}") FINISH("stop")
#define HELLO_TEXT "Hello w\xc3\xb6rld\n\033[31mred\007"

/* An answer of one word, followed by hours of silence. */
#define HANGING "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n" \
	"{\"t\":0,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\",\"headers\":{}}}\n" \
	"{\"t\":1,\"body\":\"data: {\\\"id\\\":\\\"c1\\\",\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"first\\\"}}]}\\n\\n\"}\n" \
	"{\"t\":9000000,\"end\":\"closed\"}\n"

#define TAPE(status, headers, body, end) "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n" \
	"{\"t\":0,\"head\":{\"status\":" status ",\"content_type\":\"application/json\",\"headers\":{" headers "}}}\n" \
	"{\"t\":1,\"body\":\"" body "\"}\n{\"t\":2,\"end\":\"" end "\"}\n"

struct asked {
	struct program server, ask;
	char url[64];
};

static void serve(struct asked *a, const char *name, const char *stream)
{
	program_serve(&a->server, a->url, ARGS(folder_file(name, stream)));
}

static void finish(struct asked *a)
{
	program_free(&a->ask);
	program_free(&a->server);
	folder_remove();
}

/* Serves a stream and requests it with up to two additional arguments. */
static void ask(struct asked *a, const char *name, const char *stream, const char *more, const char *value)
{
	serve(a, name, stream);
	program_run(&a->ask, STR_NONE, ARGS("ask", "--base-url", a->url, "-m", "m", "hi", more, value), NULL);
}

static void text_is_all_of_standard_output(void)
{
	struct asked a;

	ask(&a, "hello.sse", HELLO, NULL, NULL);
	CHECK_STR(buf_str(&a.ask.output), HELLO_TEXT "\n");
	CHECK_STR(buf_str(&a.ask.errors), "");
	CU_ASSERT_EQUAL(a.ask.status, 0);
	finish(&a);
}

/* What the target does not have is a usage error, before anything is sent. The demo takes whatever it is asked for. */
static void server_tools_are_those_of_the_target(void)
{
	static const struct { const char *protocol, *names, *refused; } cases[] = {
		{ "openai-chat", "web_search,image,audio", NULL }, { "openai-responses", "web_search,code,image", NULL },
		{ "anthropic", "web_search,web_fetch,code", NULL }, { "gemini", "web_search,code,image", NULL }, { "ollama", "off", NULL },
		{ "anthropic", "web_search,image", "anthropic has no server tool image at demo: it has web_search, web_fetch, code" },
		{ "ollama", "code", "ollama has no server tool code at demo: it has none; ask for it with the protocol openai-responses, anthropic or gemini" },
		{ "gemini", "mcp", "server_tool.mcp of [provider demo] in weir.conf" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct program p;

		program_run(&p, STR_NONE, ARGS("ask", "-p", "demo", "--protocol", cases[i].protocol, "--server-tools", cases[i].names, "hi"), NULL);
		CHECK(p.status == (cases[i].refused ? 2 : 0), "%s: %d: %s", cases[i].names, p.status, buf_z(&p.errors));
		CHECK(!cases[i].refused || strstr(buf_z(&p.errors), cases[i].refused), "%s", buf_z(&p.errors));
		CU_ASSERT(!cases[i].refused == (p.output.len > 0));
		program_free(&p);
	}
}

static void a_schema_is_checked(void)
{
	struct asked a;

	ask(&a, "seven.sse", CHUNK("{\"content\":\"7\"}") FINISH("stop"), "--schema", folder_file("s.json", "{\"type\":\"string\"}"));
	CHECK_STR(buf_str(&a.ask.output), "7\n");
	CHECK_STR(buf_str(&a.ask.errors), "weir: note: The answer does not follow the schema: $ is a number, the schema wants a string.\n");
	CU_ASSERT_EQUAL(a.ask.status, 0);
	finish(&a);
}

static void text_comes_while_the_answer_is_under_way(void)
{
	struct asked a;

	serve(&a, "slow.tape", HANGING);
	program_start(&a.ask, ARGS("ask", "--base-url", a.url, "-m", "m", "hi", "--no-stdin"), NULL);
	CU_ASSERT(program_await_output(&a.ask, "first"));
	kill(a.ask.pid, SIGINT);
	CU_ASSERT_EQUAL(program_wait(&a.ask), 130);
	CHECK_STR(buf_str(&a.ask.output), "first\n");
	finish(&a);
}

static bool await_file(const char *path, const char *text)
{
	struct error err;
	struct buf content;
	bool found = false;

	buf_init(&content, 1 << 20);
	for (int i = 0; i < 6000 && !found; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
		found = buf_read_file(&content, path, &err) && str_find(buf_str(&content), str_from(text)) < content.len;
	}
	buf_fini(&content);
	return found;
}

static void an_interrupt_still_gives_the_summary(void)
{
	const char *tape;
	struct asked a;

	serve(&a, "slow.tape", HANGING);
	tape = folder_file("turn.tape", NULL);
	program_start(&a.ask, ARGS("ask", "--base-url", a.url, "-m", "m", "--summary", "--tape", tape, "--no-stdin", "hi"), NULL);
	CU_ASSERT(await_file(tape, "delta"));
	kill(a.ask.pid, SIGINT);
	CU_ASSERT_EQUAL(program_wait(&a.ask), 130);
	CU_ASSERT(str_find(buf_str(&a.ask.output), STR("\"outcome\":\"cancelled\"")) < a.ask.output.len);
	CU_ASSERT(str_find(buf_str(&a.ask.output), STR("\"text\":\"first\"")) < a.ask.output.len);
	CU_ASSERT(await_file(tape, "\"end\":\"cancelled\""));
	finish(&a);
}

static void it_says_when_it_waits_for_standard_input(void)
{
	struct program p;

	program_start(&p, ARGS("ask", "-p", "demo", "--summary", "hi"), turned_skipping());
	CU_ASSERT(program_await_errors(&p, "waiting for standard input (--no-stdin skips it)"));
	kill(p.pid, SIGINT);
	CU_ASSERT_EQUAL(program_wait(&p), 130);
	CU_ASSERT(str_find(buf_str(&p.output), STR("\"outcome\":\"cancelled\"")) < p.output.len);
	program_free(&p);
	folder_remove();
}

static void a_closed_standard_output_ends_it_quietly(void)
{
	struct asked a;

	serve(&a, "slow.tape", HANGING);
	program_start(&a.ask, ARGS("ask", "--base-url", a.url, "-m", "m", "hi", "--no-stdin"), NULL);
	CU_ASSERT(program_await_output(&a.ask, "first"));
	program_leave_output(&a.ask);
	CU_ASSERT_EQUAL(program_wait(&a.ask), 0);
	CHECK_STR(buf_str(&a.ask.errors), "");
	finish(&a);
}

static void a_terminal_gets_no_control_bytes(void)
{
	struct asked a;

	serve(&a, "hello.sse", HELLO);
	program_start_on_terminal(&a.ask, ARGS("ask", "--raw", "--base-url", a.url, "-m", "m", "hi"), NULL);
	CU_ASSERT_EQUAL(program_wait(&a.ask), 0);
	CU_ASSERT(str_find(buf_str(&a.ask.output), STR("w\xc3\xb6rld\r\n")) < a.ask.output.len);
	CU_ASSERT(str_find(buf_str(&a.ask.output), STR("red")) < a.ask.output.len);
	CU_ASSERT(str_ends(buf_str(&a.ask.output), "\r\n"));
	for (size_t i = 0; i < a.ask.output.len; i++)
		CHECK((unsigned char)a.ask.output.ptr[i] >= 0x20 || strchr("\r\n", a.ask.output.ptr[i]), "byte %d", a.ask.output.ptr[i]);
	finish(&a);
}

/* Rows of cells: what the answer holds of controls is shown, and signs of markdown are not. */
static void a_terminal_gets_a_page(void)
{
	struct asked a;

	serve(&a, "page.sse", CHUNK("{\"content\":\"Some **bold** \\u001b[31mred\\n\\n\"}") CHUNK("{\"content\":\"|a|b|\\n|-|-|\\n|1|2|\\n\"}") FINISH("stop"));
	program_start_on_terminal(&a.ask, ARGS("ask", "--base-url", a.url, "-m", "m", "hi"), ARGS("TERM=xterm-256color"));
	CU_ASSERT_EQUAL(program_wait(&a.ask), 0);
	CU_ASSERT(str_find(buf_str(&a.ask.output), STR("Some \033[1mbold\033[m")) < a.ask.output.len);
	CU_ASSERT(str_find(buf_str(&a.ask.output), STR("\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80")) < a.ask.output.len);
	CU_ASSERT_EQUAL(str_find(buf_str(&a.ask.output), STR("**")), a.ask.output.len);
	CU_ASSERT_EQUAL(str_find(buf_str(&a.ask.output), STR("\033[31mred")), a.ask.output.len);
	CU_ASSERT(str_ends(buf_str(&a.ask.output), "\033[J"));
	finish(&a);
}

/* What runs `weir ... 2>&1` reads a call as a line of its own; two pipes get exactly the text, and exactly the call. */
static void a_call_begins_a_line_where_streams_are_one(void)
{
#define CALL "{\"id\":\"call_1\",\"name\":\"add\",\"arguments\":\"{}\",\"valid\":true}\n"
	struct asked a;

	serve(&a, "call.sse", CHUNK("{\"content\":\"I look\"}") CHUNK("{\"tool_calls\":[{\"index\":0,\"id\":\"call_1\",\"type\":\"function\","
	      "\"function\":{\"name\":\"add\",\"arguments\":\"{}\"}}]}") FINISH("tool_calls"));
	program_start_script(&a.ask, "exec \"$0\" \"$@\" 2>&1", ARGS("ask", "--no-stdin", "--base-url", a.url, "-m", "m", "hi"), NULL);
	CU_ASSERT_EQUAL(program_wait(&a.ask), 0);
	CHECK_STR(buf_str(&a.ask.output), "I look\n" CALL);
	program_free(&a.ask);
	program_run(&a.ask, STR_NONE, ARGS("ask", "--base-url", a.url, "-m", "m", "hi"), NULL);
	CHECK_STR(buf_str(&a.ask.output), "I look\n");
	CHECK_STR(buf_str(&a.ask.errors), CALL);
	finish(&a);
#undef CALL
}

static void a_reason_to_ask_again_is_told_once(void)
{
	struct program p;

	program_run(&p, STR_NONE, ARGS("ask", "--base-url", "http://127.0.0.1:1/v1", "-m", "m", "hi"), NULL);
	CU_ASSERT_EQUAL(p.status, 4);
	CHECK(strstr(buf_z(&p.errors), "; asking again in ") && strstr(buf_z(&p.errors), "\nweir: the same: asking again in "), "%s", buf_z(&p.errors));
	program_free(&p);
	folder_remove();
}

static void a_file_takes_the_place_of_standard_output(void)
{
	struct asked a;
	struct buf path = { 0 }, text = { 0 };
	struct error err = { "" };

	serve(&a, "hello.sse", HELLO);
	buf_printf(&path, "%s/answer.md", folder_path());
	program_run(&a.ask, STR_NONE, ARGS("ask", "--base-url", a.url, "-m", "m", "hi", "-o", buf_z(&path)), NULL);
	CHECK_STR(buf_str(&a.ask.output), "");
	CU_ASSERT_EQUAL(a.ask.status, 0);
	program_free(&a.ask);
	program_run(&a.ask, STR_NONE, ARGS("ask", "--base-url", a.url, "-m", "m", "hi", "-o", buf_z(&path)), NULL);
	CU_ASSERT_EQUAL(a.ask.status, 2);
	CU_ASSERT(strstr(buf_z(&a.ask.errors), "--force overwrites it") != NULL);
	CU_ASSERT(regular_file_read(&text, buf_z(&path), &err));
	CHECK_STR(buf_str(&text), HELLO_TEXT "\n");
	buf_fini(&text);
	buf_fini(&path);
	finish(&a);
}

static void reasoning_calls_and_notes_go_to_standard_error(void)
{
	struct asked a;

	ask(&a, "call.sse", CHUNK("{\"reasoning_content\":\"let me see\"}") CHUNK("{\"content\":\"I ask.\"}")
	    CHUNK("{\"tool_calls\":[{\"index\":0,\"id\":\"k\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\"}}]}")
	    CHUNK("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}\"}}]}") FINISH("tool_calls"), NULL, NULL);
	CHECK_STR(buf_str(&a.ask.output), "I ask.\n");
	CHECK_STR(buf_str(&a.ask.errors), "let me see\n{\"id\":\"k\",\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\",\"valid\":true}\n");
	CU_ASSERT_EQUAL(a.ask.status, 0);
	finish(&a);
}

static void summary_and_events_are_json_only(void)
{
	struct json_parser *parser = json_parser_new();
	struct asked a;
	size_t used;
	const struct json *value;
	struct str rest, line, last = STR_NONE;

	ask(&a, "hello.sse", HELLO, "--summary", NULL);
	value = json_parse(parser, buf_str(&a.ask.output), &used);
	CHECK_STR(json_get_text(value, "text"), HELLO_TEXT);
	CHECK_STR(json_get_text(value, "model"), "m-1");
	CHECK_STR(json_get_text(value, "protocol"), "openai-chat");
	CU_ASSERT_EQUAL(str_find(buf_str(&a.ask.output), STR("\n")) + 1, a.ask.output.len);
	CU_ASSERT_EQUAL(a.ask.status, 0);
	finish(&a);
	ask(&a, "hello.sse", HELLO, "--events", NULL);
	rest = buf_str(&a.ask.output);
	while (str_split(&rest, '\n', &line)) {
		CHECK(json_get(json_parse(parser, line, &used), "t") != NULL, "%.*s", STR_ARG(line));
		last = line;
	}
	CHECK_STR(json_get_text(json_parse(parser, last, &used), "outcome"), "complete");
	finish(&a);
	json_parser_free(parser);
}

static void the_outcome_is_the_exit_status(void)
{
	static const struct { const char *stream; int status; const char *words[3]; } cases[] = {
		{ CHUNK("{\"content\":\"x\"}") FINISH("length"), 0, { "maximum of tokens" } },
		{ CHUNK("{\"content\":\"x\"}") FINISH("content_filter"), 0, { "filtered" } },
		{ CHUNK("{\"content\":\"x\"}"), 3, { "connection ended" } },
		{ "data: {\"error\":{\"message\":\"out of order\",\"code\":502}}\n\n", 4, { "out of order", "502" } },
		{ "data: [{\"error\":{\"message\":\"in an array\",\"code\":503}}]\n\n", 4, { "in an array", "503" } },
		{ TAPE("429", "\"x-request-id\":\"req-7\",\"x-should-retry\":\"false\"", "{\\\"error\\\":{\\\"message\\\":\\\"slow down\\\"}}", "closed"), 4, { "slow down", "429", "req-7" } },
		{ TAPE("401", "", "{\\\"error\\\":{\\\"message\\\":\\\"bad key\\\"}}", "closed"), 4, { "bad key", "401", "WEIR_API_KEY" } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct asked a;

		ask(&a, "s.sse", cases[i].stream, NULL, NULL);
		CHECK(a.ask.status == cases[i].status, "case %zu: %d, %s", i, a.ask.status, buf_z(&a.ask.errors));
		for (size_t j = 0; j < 3 && cases[i].words[j]; j++)
			CHECK(strstr(buf_z(&a.ask.errors), cases[i].words[j]) != NULL, "case %zu: %s", i, buf_z(&a.ask.errors));
		CHECK(strchr(buf_z(&a.ask.errors), '\n') == a.ask.errors.ptr + a.ask.errors.len - 1, "one line: %s", buf_z(&a.ask.errors));
		finish(&a);
	}
}

/* A body that is the beginning of nothing valid is an error and is shown, not an answer that was cut. */
static void what_is_no_answer_is_shown(void)
{
	struct asked a;

	ask(&a, "s.json", "{malformed json: <<<chaos>>>", NULL, NULL);
	CU_ASSERT_EQUAL(a.ask.status, 4);
	CHECK(strstr(buf_z(&a.ask.errors), "is not an answer of this protocol: {malformed json: <<<chaos>>>") != NULL, "%s", buf_z(&a.ask.errors));
	finish(&a);
}

static void nobody_there_is_an_error(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--base-url", "http://127.0.0.1:1", "-m", "m", "--summary", "hi"), turned_skipping()), 4);
	CU_ASSERT(str_find(buf_str(&p.output), STR("\"outcome\":\"error\"")) < p.output.len);
	CU_ASSERT(str_starts(buf_str(&p.errors), "weir: "));
	program_free(&p);
	folder_remove();
}

/* Checks the request, read from the tape of the turn. */
static void check_asked(struct str input, const char *const *words, const char *expected)
{
	struct json_parser *parser = json_parser_new();
	const char *tape = folder_file("turn.tape", NULL);
	struct asked a;
	struct buf text;
	struct error err = { "" };
	const struct json *request;
	size_t used;

	serve(&a, "hello.sse", HELLO);
	program_run(&a.ask, input, ARGS("ask", "--base-url", a.url, "-m", "m", "--tape", tape, words[0], words[1]), ARGS("WEIR_API_KEY=geheim"));
	buf_init(&text, 1 << 20);
	CU_ASSERT(buf_read_file(&text, tape, &err));
	CHECK(str_find(buf_str(&text), STR("geheim")) == text.len, "the key is in the tape");
	request = json_get(json_parse(parser, buf_str(&text), &used), "request");
	CHECK_STR(json_get_text(json_at(json_get(request, "messages"), 0), "content"), expected);
	buf_fini(&text);
	finish(&a);
	json_parser_free(parser);
}

static void prompt_and_input_are_one_message(void)
{
	check_asked(STR_NONE, ARGS("two", "words"), "two words");
	check_asked(STR("from a pipe\n"), ARGS(NULL), "from a pipe");
	check_asked(STR("a\n\nb\n\n"), ARGS("explain", "this"), "explain this\n\na\n\nb\n");
	check_asked(STR("bad \xff byte"), ARGS(NULL), "bad \xef\xbf\xbd byte");
	check_asked(STR("unread"), ARGS("alone", "--no-stdin"), "alone");
}

static void a_tape_is_private_and_never_overwritten(void)
{
	const char *tape;
	struct stat facts;
	struct program p;

	tape = folder_file("turn.tape", NULL);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "-p", "demo", "route", "--tape", tape), NULL), 0);
	CU_ASSERT_EQUAL(stat(tape, &facts), 0);
	CU_ASSERT_EQUAL(facts.st_mode & 0777, 0600);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "-p", "demo", "route", "--tape", tape), NULL), 2);
	CHECK(strstr(buf_z(&p.errors), tape) != NULL, "%s", buf_z(&p.errors));
	CU_ASSERT_EQUAL(p.output.len, 0);
	program_free(&p);
	folder_remove();
}

/* The request of a question with the settings of the test, from its tape. */
static void check_request(struct str input, const char *const *more, const char *const *holds)
{
	const char *conf = folder_file("weir.conf",
		"provider = box\n[provider box]\nbase_url = http://127.0.0.1:9/v1\nmodel = m-box\n[role coder]\nsystem = Write C.\nmodel = m-role\ntop_p = 0.5\n"
		"[template translate]\nprompt = Into {1}: {input}\nrole = coder\n[template fix]\nprompt = Fix it.\nmodel = m-template\n");
	const char *args[16] = { "ask", "--config", conf, "--tape", folder_file("request.tape", NULL), "--retries", "0" };
	struct buf text = { 0 };
	struct error err;
	struct program p;
	size_t count = 7;

	for (; *more; more++)
		args[count++] = *more;
	program_run(&p, input, args, NULL);
	CHECK(buf_read_file(&text, folder_file("request.tape", NULL), &err), "%s", buf_z(&p.errors));
	for (; *holds; holds++)
		CHECK(str_find(buf_str(&text), str_from(*holds)) < text.len, "%s is not in %s", *holds, buf_z(&text));
	buf_fini(&text);
	program_free(&p);
	folder_remove();
}

/* A limit is an error before anything is sent. A kind that the protocol does not carry is left out. */
static void files_are_sent_as_they_can_be(void)
{
	const char *tiff = folder_file("scan.tiff", "MM scan"), *pdf = folder_file("paper.pdf", "%PDF-1.7");
	struct program p;

	CU_ASSERT_EQUAL(truncate(tiff, 2), 0);
	CU_ASSERT_EQUAL(truncate(tiff, 3), 0); /* a zero byte, then the mark's last one */
	FILE *f = fopen(tiff, "ab");
	fputs("* and more", f);
	fclose(f);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "-p", "demo", "hi", "--file", tiff), NULL), 2);
	CHECK(strstr(buf_z(&p.errors), "scan.tiff is image/tiff, and openai-chat takes images as PNG, JPEG, GIF, WEBP: convert it") != NULL, "%s", buf_z(&p.errors));
	CU_ASSERT_EQUAL(p.output.len, 0);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "-p", "demo", "hi", "--protocol", "ollama", "--file", pdf), turned_skipping()), 0);
	CHECK(strstr(buf_z(&p.errors), "note: paper.pdf was left out: ollama does not carry a PDF.") != NULL, "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "-p", "demo", "hi", "--file", pdf), turned_skipping()), 0);
	CHECK(!strstr(buf_z(&p.errors), "left out"), "%s", buf_z(&p.errors));
	program_free(&p);
	folder_remove();
}

static void a_role_and_a_template_make_the_request(void)
{
	check_request(STR_NONE, ARGS("-r", "coder", "hi"), ARGS("\"model\":\"m-role\"", "Write C.", "\"top_p\":0.5", "\"content\":\"hi\""));
	check_request(STR_NONE, ARGS("-r", "coder", "-m", "mine", "--system", "Other.", "hi"), ARGS("\"model\":\"mine\"", "Other.", "\"top_p\":0.5"));
	check_request(STR("Guten Tag\n"), ARGS("-t", "translate", "Old English"), ARGS("\"model\":\"m-role\"", "Write C.", "Into Old English: Guten Tag\""));
	check_request(STR_NONE, ARGS("-t", "translate", "French", "two", "words"), ARGS("Into French: two words\""));
	check_request(STR("text"), ARGS("-t", "fix", "-r", "coder", "this"), ARGS("\"model\":\"m-template\"", "Write C.", "Fix it.\\n\\nthis\\n\\ntext\""));
	check_request(STR_NONE, ARGS("-t", "translate", "-m", "mine", "a", "b"), ARGS("\"model\":\"mine\"", "Into a: b\""));
}

static void what_cannot_be_asked_is_a_usage_error(void)
{
	static const struct { const char *args[6]; const char *named; } cases[] = {
		{ { "ask" }, "nothing to ask" },
		{ { "ask", "-p", "openai", "hi" }, "no model" },
		{ { "ask", "--no-stdin", "hi" }, "no provider is chosen" },
		{ { "ask", "-p", "nobody", "hi" }, "nobody" },
		{ { "ask", "--file", "/nowhere/x.png", "hi" }, "/nowhere/x.png" },
		{ { "ask", "--tools", "/nowhere/t.json", "hi" }, "/nowhere/t.json" },
		{ { "ask", "--tape", "/nowhere/t.tape", "hi" }, "/nowhere/t.tape" },
		{ { "ask", "--config", "/nowhere/weir.conf", "hi" }, "/nowhere/weir.conf" },
		{ { "ask", "-r", "nobody", "hi" }, "there is no role 'nobody'; /role new in the chat makes one, or [role NAME] in weir.conf" },
		{ { "ask", "-t", "nothing", "hi" }, "there is no template 'nothing'" },
		{ { "bogus" }, "bogus" },
		{ { "chat", "hi" }, "chat takes no prompt" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program p;

		program_run(&p, STR_NONE, cases[i].args, NULL);
		CHECK(p.status == 2, "case %zu: %d", i, p.status);
		CHECK(strstr(buf_z(&p.errors), cases[i].named) != NULL, "case %zu: %s", i, buf_z(&p.errors));
		CHECK(p.errors.len && strchr(p.errors.ptr, '\n') == p.errors.ptr + p.errors.len - 1, "one line: %s", buf_z(&p.errors));
		CHECK(p.output.len == 0, "case %zu", i);
		program_free(&p);
	}
	folder_remove();
}

/* The order: option, what was chosen in the chat, settings, environment; the demo only where it is named. */
static void it_asks_whom_the_chat_asks(void)
{
	static const struct { const char *choices, *settings, *env, *option, *url; } cases[] = {
		{ "{\"provider\":\"a\",\"model\":\"m-a\"}", "provider = b\n", "OPENAI_API_KEY=k", NULL, "127.0.0.1:11:" },
		{ "{\"provider\":\"a\",\"model\":\"m-a\"}", "provider = b\n", NULL, "b", "127.0.0.1:12:" },
		{ "{\"provider\":\"demo\"}", "provider = b\n", NULL, NULL, "127.0.0.1:12:" },
		{ "{\"provider\":\"gone\",\"model\":\"m\"}", "provider = b\n", NULL, NULL, "127.0.0.1:12:" },
		{ NULL, "model = m\n", "OPENAI_API_KEY=k", NULL, "127.0.0.1:13:" },
		{ "{\"provider\":\"demo\",\"model\":\"demo-1\"}", "", NULL, NULL, NULL },
		{ "{\"provider\":\"a\",\"model\":\"m-a\"}", "remember = no\n", NULL, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char config[600], state[600];
		struct program p;
		struct buf text = { 0 };

		buf_printf(&text, "%s[provider a]\nbase_url = http://127.0.0.1:11\n[provider b]\nbase_url = http://127.0.0.1:12\nmodel = m-b\n"
		           "[provider openai]\nbase_url = http://127.0.0.1:13\n", cases[i].settings);
		snprintf(config, sizeof config, "%s", folder_file("weir.conf", buf_z(&text)));
		snprintf(state, sizeof state, "XDG_STATE_HOME=%s", folder_path());
		CHECK(!mkdir(folder_file("weir", NULL), 0700), "case %zu", i);
		if (cases[i].choices)
			(void)folder_file("weir/choices", cases[i].choices);
		program_run(&p, STR_NONE, ARGS("ask", "--config", config, "--retries", "0", "hi", cases[i].option ? "-p" : NULL, cases[i].option), ARGS(state, cases[i].env));
		CHECK(p.status == (cases[i].url ? 4 : 2), "case %zu: %d", i, p.status);
		CHECK(strstr(buf_z(&p.errors), cases[i].url ? cases[i].url : "no provider is chosen"), "case %zu: %s", i, buf_z(&p.errors));
		program_free(&p);
		buf_fini(&text);
		folder_remove();
	}
}

static void help_and_version_go_to_standard_output(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("--help"), NULL), 0);
	CU_ASSERT(str_find(buf_str(&p.output), STR("providers")) < p.output.len);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("decode", "--help"), NULL), 0);
	CU_ASSERT(str_find(buf_str(&p.output), STR("--status")) < p.output.len);
	CU_ASSERT_EQUAL(str_find(buf_str(&p.output), STR("--port")), p.output.len);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("-V"), NULL), 0);
	CU_ASSERT(str_starts(buf_str(&p.output), "weir "));
	program_free(&p);
	folder_remove();
}

static void the_demo_answers_in_every_protocol(void)
{
	static const char *const protocols[] = { "openai-chat", "openai-responses", "anthropic", "gemini", "ollama" };
	struct program p[sizeof protocols / sizeof protocols[0]];

	for (size_t i = 0; i < sizeof p / sizeof p[0]; i++)
		program_start(&p[i], ARGS("ask", "-p", "demo", "--no-stdin", "--protocol", protocols[i], "route"), turned_skipping());
	for (size_t i = 0; i < sizeof p / sizeof p[0]; i++) {
		CU_ASSERT_EQUAL(program_wait(&p[i]), 0);
		CHECK(p[i].output.len > 0, "%s: %s", protocols[i], buf_z(&p[i].errors));
		program_free(&p[i]);
	}
	folder_remove();
}

/* Asks through its own TLS proxy; `words` are on standard output or standard error. */
static bool ask_through_tls(bool trusts, int status, const char *words)
{
	struct secure *proxy = secure_new(SECURE_BYTES, SECURE_OURS);
	char variable[64], ca_file[200];
	struct program p;

	if (!proxy)
		return false;
	snprintf(variable, sizeof variable, "http_proxy=https://127.0.0.1:%u", secure_port(proxy));
	snprintf(ca_file, sizeof ca_file, "SSL_CERT_FILE=%s", secure_ca_file(proxy));
	secure_send(proxy, STR("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" CHUNK("{\"content\":\"through\"}") FINISH("stop")));
	program_run(&p, STR_NONE, ARGS("ask", "--no-stdin", "--base-url", "http://box.invalid/v1", "-m", "m", "hi"),
	            ARGS(variable, trusts ? ca_file : NULL));
	CHECK(p.status == status, "%d: %s", p.status, buf_z(&p.errors));
	CHECK(strstr(buf_z(status ? &p.errors : &p.output), words), "%s", buf_z(&p.errors));
	program_free(&p);
	secure_free(proxy);
	folder_remove();
	return true;
}

/* The error message names the variable that helps. */
static void a_proxy_behind_tls_is_trusted_by_the_variable(void)
{
	if (ask_through_tls(false, 4, "name its CA's file in SSL_CERT_FILE"))
		ask_through_tls(true, 0, "through");
}

/* Of 1.1 MB nothing is left where the limit is 1 MB. */
static void media_limit_is_a_setting(void)
{
	struct buf stream = { 0 };
	struct asked a;

	buf_add_z(&stream, "data: {\"choices\":[{\"index\":0,\"delta\":{\"images\":[{\"b64_json\":\"");
	for (size_t i = 0; i < 1100000 / 3; i++)
		buf_add_z(&stream, "QUFB");
	buf_add_z(&stream, "\"}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
	serve(&a, "big.sse", buf_z(&stream));
	const char *config = folder_file("weir.conf", "media_limit = 1\n");
	for (int limited = 0; limited < 2; limited++) {
		program_run(&a.ask, STR_NONE, ARGS("ask", "--base-url", a.url, "-m", "m", "hi", "--summary", limited ? "--config" : NULL, config), NULL);
		CHECK(!strstr(buf_z(&a.ask.output), "does not fit in 1 MB") == !limited, "%s", buf_z(&a.ask.output));
		if (!limited)
			program_free(&a.ask);
	}
	finish(&a);
	buf_fini(&stream);
}

#define PICTURE "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\",\"images\":[{\"b64_json\":\"R0lGODlh\"},{\"url\":\"https://a/b\"}]}}]}\n\n" \
	"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

/* Without --media one line says what came and how to get it. */
static void media_are_told_or_written(void)
{
	char path[700];
	struct asked a;

	ask(&a, "pictures.sse", PICTURE, NULL, NULL);
	CHECK_STR(buf_str(&a.ask.output), "Hi\n");
	CHECK(strstr(buf_z(&a.ask.errors), "note: the answer came with 2 pictures; --media FOLDER writes the data to files"), "%s", buf_z(&a.ask.errors));
	finish(&a);
	snprintf(path, sizeof path, "%s/m", folder_path());
	ask(&a, "pictures.sse", PICTURE, "--media", path);
	CHECK_STR(buf_str(&a.ask.output), "Hi\n");
	CHECK_STR(buf_str(&a.ask.errors), "");
	snprintf(path, sizeof path, "%s/m/01.gif", folder_path());
	CU_ASSERT_EQUAL(access(path, R_OK), 0);
	finish(&a);
}

const struct suite suite_ask = { "ask", (const struct test[]){
	TEST(media_are_told_or_written), TEST(media_limit_is_a_setting), TEST(text_is_all_of_standard_output), TEST(a_schema_is_checked), TEST(text_comes_while_the_answer_is_under_way), TEST(an_interrupt_still_gives_the_summary),
	TEST(it_says_when_it_waits_for_standard_input), 	TEST(a_closed_standard_output_ends_it_quietly), TEST(a_terminal_gets_no_control_bytes),
	TEST(a_terminal_gets_a_page), TEST(a_call_begins_a_line_where_streams_are_one), TEST(a_reason_to_ask_again_is_told_once), TEST(a_file_takes_the_place_of_standard_output),
	TEST(reasoning_calls_and_notes_go_to_standard_error), TEST(server_tools_are_those_of_the_target), TEST(summary_and_events_are_json_only), TEST(the_outcome_is_the_exit_status),
	TEST(what_is_no_answer_is_shown),
	TEST(nobody_there_is_an_error), TEST(prompt_and_input_are_one_message), TEST(files_are_sent_as_they_can_be), TEST(a_role_and_a_template_make_the_request), TEST(a_tape_is_private_and_never_overwritten),
	TEST(it_asks_whom_the_chat_asks),
	TEST(what_cannot_be_asked_is_a_usage_error), TEST(help_and_version_go_to_standard_output), TEST(the_demo_answers_in_every_protocol),
	TEST(a_proxy_behind_tls_is_trusted_by_the_variable),
	{ 0 } } };
