/* weir ask --tools-allow, and weir tools: the real program with real children. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/program.h"
#include "base/json.h"
#include "base/os/process.h"
#include "support/check.h"

struct asked {
	struct program server, ask;
	char url[64];
	struct json_parser *parser;
};

#define CALL(index, name, arguments) "{\"index\":" #index ",\"id\":\"c" #index "\",\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}"
#define CALLS(calls) "data: {\"choices\":[{\"delta\":{\"tool_calls\":[" calls "]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"
#define DONE "data: {\"choices\":[{\"delta\":{\"content\":\"done\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

/* The server answers with the calls, then with words. */
static void begin(struct asked *a, const char *settings, const char *calls)
{
	const char *first = folder_file("calls.sse", calls), *then = folder_file("done.sse", DONE);

	*a = (struct asked){ .parser = json_parser_new() };
	folder_file("weir.conf", settings);
	program_serve(&a->server, a->url, ARGS(first, then));
}

static int ask(struct asked *a, const char *allow, const char *form)
{
	static const char *const env[] = { "WEIR_API_KEY=geheim", "SHOWN=yes", NULL };
	char config[300];

	snprintf(config, sizeof config, "%s/weir.conf", folder_path());
	return program_run(&a->ask, STR_NONE, allow ? ARGS("ask", "--base-url", a->url, "-m", "m", "--config", config, form, "--tools-allow", allow, "hi")
	                                            : ARGS("ask", "--base-url", a->url, "-m", "m", "--config", config, form, "hi"), env);
}

static void end(struct asked *a)
{
	program_free(&a->ask);
	program_free(&a->server);
	json_parser_free(a->parser);
	folder_remove();
}

static const struct json *summary(struct asked *a)
{
	size_t used;

	return json_parse(a->parser, buf_str(&a->ask.output), &used);
}

#define ECHO "[tool echo]\ncommand = printf '<%s>' {a}\n"
#define MARK(path) "[tool mark]\ncommand = touch " path "\n"

static void a_call_runs_and_its_result_goes_back(void)
{
	struct asked a;

	begin(&a, ECHO, CALLS(CALL(0, "echo", "{\\\"a\\\":\\\"x y\\\"}") "," CALL(1, "echo", "{\\\"a\\\":[1]}")));
	CU_ASSERT_EQUAL(ask(&a, "echo", "--raw"), 0);
	CHECK_STR(buf_str(&a.ask.output), "done\n");
	CHECK(strstr(buf_z(&a.ask.errors), "\"name\":\"echo\"") && strstr(buf_z(&a.ask.errors), "note: echo ran: ok, "), "%s", buf_z(&a.ask.errors));
	CHECK(strstr(buf_z(&a.ask.errors), "note: echo: It was not run: ") && !strstr(buf_z(&a.ask.errors), "ran: error"), "%s", buf_z(&a.ask.errors));
	end(&a);
}

/* Each of several models has rounds of its own. */
static void compared_models_run_calls_each(void)
{
	struct asked a;
	const char *first = folder_file("calls.sse", CALLS(CALL(0, "echo", "{\\\"a\\\":\\\"x\\\"}"))), *then = folder_file("done.sse", DONE);
	char config[300], text[400];

	a = (struct asked){ .parser = json_parser_new() };
	program_serve(&a.server, a.url, ARGS(first, first, then, then));
	snprintf(text, sizeof text, "%s[provider p]\nbase_url = %s\nauth = none\n", ECHO, a.url);
	snprintf(config, sizeof config, "%s", folder_file("weir.conf", text));
	CU_ASSERT_EQUAL(program_run(&a.ask, STR_NONE, ARGS("ask", "--config", config, "--compare", "p/m,p/n", "--tools-allow", "echo", "--json", "hi"), NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		const struct json *item = json_at(summary(&a), i), *ran = json_at(json_get(item, "tool_runs"), 0);

		CHECK_STR(json_get_text(item, "text"), "done");
		CHECK_STR(json_get_text(item, "outcome"), "complete");
		CHECK_STR(json_get_text(item, "asked_model"), i ? "n" : "m");
		CHECK_STR(json_get_text(ran, "state"), "ok");
		CHECK_STR(json_get_text(ran, "output"), "<x>");
	}
	CHECK(strstr(buf_z(&a.ask.errors), "note: p/m: echo ran: ok, ") && strstr(buf_z(&a.ask.errors), "note: p/n: echo ran: ok, "), "%s", buf_z(&a.ask.errors));
	end(&a);
}

static void summary_and_events_tell_runs(void)
{
	struct asked a;

	begin(&a, ECHO, CALLS(CALL(0, "echo", "{\\\"a\\\":\\\"x\\\"}") "," CALL(1, "echo", "{\\\"a\\\":[1]}")));
	CU_ASSERT_EQUAL(ask(&a, "echo", "--summary"), 0);
	const struct json *all = summary(&a), *runs = json_get(all, "tool_runs"), *first = json_at(runs, 0), *second = json_at(runs, 1);
	CHECK_STR(json_get_text(all, "text"), "done");
	CU_ASSERT_EQUAL(json_length(runs), 2);
	CHECK_STR(json_get_text(first, "id"), "c0");
	CHECK_STR(json_get_text(first, "name"), "echo");
	CHECK_STR(json_get_text(first, "arguments"), "{\"a\":\"x\"}");
	CHECK_STR(json_get_text(first, "state"), "ok");
	CHECK_STR(json_get_text(first, "output"), "<x>");
	CHECK_STR(json_get_text(second, "state"), "error");
	CU_ASSERT(str_starts(json_get_text(second, "output"), "It was not run: "));
	end(&a);
	begin(&a, ECHO, CALLS(CALL(0, "echo", "{\\\"a\\\":\\\"x\\\"}")));
	CU_ASSERT_EQUAL(ask(&a, "echo", "--events"), 0);
	const char *at = buf_z(&a.ask.output);
	static const char *const order[] = { "\"type\":\"end\"", "{\"type\":\"tool_run_begin\",\"id\":\"c0\",\"name\":\"echo\"}\n",
		"{\"type\":\"tool_run_output\",\"id\":\"c0\",\"text\":\"<x>\"}\n", "{\"type\":\"tool_run_end\",\"id\":\"c0\",\"state\":\"ok\",\"ms\":",
		"\"type\":\"begin\"", "\"type\":\"end\"" };
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		const char *next = strstr(at, order[i]);

		CHECK(next != NULL, "%s: %s", order[i], buf_z(&a.ask.output));
		at = next ? next + 1 : at;
	}
	end(&a);
}

/* Nothing runs that the command line does not name, whatever its setting says. */
static void nothing_else_runs(void)
{
	static const struct { const char *allow, *calls; } rows[] = {
		{ NULL, CALLS(CALL(0, "mark", "{}")) },
		{ "echo", CALLS(CALL(0, "mark", "{}")) },
		{ "mark", CALLS(CALL(0, "mark", "{}") "," CALL(1, "other", "{}")) },
		{ "mark", CALLS(CALL(0, "mark", "{}") "," CALL(1, "echo", "{\\\"a\\\":\\\"x\\\"}")) },
		{ "mark", CALLS(CALL(0, "mark", "{") ) },
	};
	char settings[600];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct asked a;
		char mark[300];

		snprintf(mark, sizeof mark, "%s/marked", folder_path());
		snprintf(settings, sizeof settings, "%s" MARK("%s") "approve = always\n", ECHO, mark);
		begin(&a, settings, rows[i].calls);
		CU_ASSERT_EQUAL(ask(&a, rows[i].allow, "--summary"), 0);
		CHECK_STR(json_get_text(summary(&a), "outcome"), "tool_calls");
		CU_ASSERT_PTR_NULL(json_get(summary(&a), "tool_runs"));
		CHECK(access(mark, F_OK) != 0, "row %zu", i);
		end(&a);
	}
}

static const struct { const char *allow, *error; } refused[] = {
	{ "", "--tools-allow takes names of tools, separated by commas, not ''" },
	{ " ", "--tools-allow needs the names of tools; `weir tools` lists them" },
	{ "*", "there is no tool '*'; known are echo, no, clock" },
	{ "echo,ech*", "there is no tool 'ech*'" },
	{ "echo,", "--tools-allow needs the names of tools" },
	{ "echo,,no", "there is no tool ''" },
	{ "Echo", "there is no tool 'Echo'" },
	{ "no", "the tool no is never to run: its setting `approve` says so" },
};

static void names_are_checked_before_anything_is_sent(void)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct asked a;

		begin(&a, ECHO "[tool no]\ncommand = x\napprove = never\n", CALLS(CALL(0, "echo", "{}")));
		CHECK(ask(&a, refused[i].allow, "--raw") == 2, "%s", refused[i].allow);
		CHECK(strstr(buf_z(&a.ask.errors), refused[i].error) != NULL, "%s: %s", refused[i].allow, buf_z(&a.ask.errors));
		end(&a);
	}
}

/* What comes of programs: all of them in one answer, beside each other. Of two members of one name, the one that was checked goes to them. */
static const struct { const char *name, *settings, *state, *output; } ends[] = {
	{ "t0", "command = sh -c 'echo out; echo err >&2; exit 3'\n", "error", "out\n[standard error]\nerr\n[exit status 3]\n" },
	{ "t1", "command = sh -c 'kill -9 $$'\n", "error", "[ended by signal 9]\n" },
	{ "t2", "command = sh -c 'echo begun; sleep 1000'\ntimeout = 1\n", "timeout", "begun\n[ended after 1 s, its limit]\n" },
	{ "t3", "command = head -c 3000000 /dev/zero\noutput_limit = 2\n", "ok", NULL },
	{ "t4", "command = /nowhere/at/all\n", "error", "It could not be run: /nowhere/at/all: No such file or directory." },
	{ "t5", "command = cat\ninput = json\n", "ok", "{\"a\":\"x\\ny\"}" },
	{ "t6", "command = sh -c 'echo \"$SHOWN$WEIR_API_KEY\"'\nenv = SHOWN\n", "ok", "yes\n" },
	{ "t7", "command = sh -c 'echo \"$SHOWN$WEIR_API_KEY\"; test -t 0 && echo tty'\n", "error", "\n[exit status 1]\n" },
	{ "t8", "command = pwd\nfolder = /\n", "ok", "/\n" },
	{ "t9", "command = printf '\\303(\\033[2J'\n", "ok", "\xEF\xBF\xBD(\x1b[2J" },
};

static void ends_of_programs_are_told(void)
{
	struct buf settings = { 0 }, names = { 0 }, calls = { 0 };
	struct asked a;

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		buf_printf(&settings, "[tool %s]\n%s", ends[i].name, ends[i].settings);
		buf_printf(&names, "%s%s", i ? "," : "", ends[i].name);
		buf_printf(&calls, "%s{\"index\":%zu,\"id\":\"c%zu\",\"function\":{\"name\":\"%s\",\"arguments\":\"{\\\"a\\\":0,\\\"a\\\":\\\"x\\\\ny\\\"}\"}}", i ? "," : "",
		           i, i, ends[i].name);
	}
	struct buf stream = { 0 };
	buf_printf(&stream, CALLS("%s"), buf_z(&calls));
	begin(&a, buf_z(&settings), buf_z(&stream));
	CHECK(ask(&a, buf_z(&names), "--summary") == 0, "%s", buf_z(&a.ask.errors));
	const struct json *runs = json_get(summary(&a), "tool_runs");
	CU_ASSERT_EQUAL(json_length(runs), sizeof ends / sizeof *ends);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		CHECK_STR(json_get_text(json_at(runs, i), "state"), ends[i].state);
		if (ends[i].output)
			CHECK_STR(json_get_text(json_at(runs, i), "output"), ends[i].output);
		else
			CU_ASSERT(str_ends(json_get_text(json_at(runs, i), "output"), "\n[2999998 bytes left out]\n"));
	}
	buf_fini(&stream);
	buf_fini(&settings);
	buf_fini(&names);
	buf_fini(&calls);
	end(&a);
}

/* A variable with a key is refused when the settings are read, whoever asks. */
static void no_key_is_named(void)
{
	static const char *const names[] = { "OPENAI_API_KEY", "WEIR_API_KEY", "LANG, ANTHROPIC_API_KEY", "MINE" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char settings[300];
		struct program p;

		snprintf(settings, sizeof settings, "[provider mine]\nprotocols = openai-chat\nbase_url = http://127.0.0.1:9\nkey_env = MINE\n"
		         "[tool t]\ncommand = x\nenv = %s\n", names[i]);
		CHECK(program_run(&p, STR_NONE, ARGS("tools", "--config", folder_file("weir.conf", settings)), NULL) == 2, "%s", names[i]);
		CHECK(strstr(buf_z(&p.errors), ":7: tool t: it names a variable that holds the key of a provider") != NULL, "%s", buf_z(&p.errors));
		program_free(&p);
		folder_remove();
	}
}

/* What ran stands on the tape, with what it wrote, and neither key nor environment, nor the command. */
static void what_ran_is_on_the_tape(void)
{
	static const char *const env[] = { "WEIR_API_KEY=geheim", "SHOWN=secret", NULL };
	char config[300], path[300];
	struct buf text = { 0 };
	struct error err;
	struct asked a;

	begin(&a, "[tool t]\nenv = SHOWN\ncommand = sh -c 'test -n \"$SHOWN\" && printf \"<%s\\377>\" \"$1\"; echo no >&2; exit 3' hidden {a}\n",
	      CALLS(CALL(0, "t", "{\\\"a\\\": \\\"x y\\\"}")));
	snprintf(config, sizeof config, "%s/weir.conf", folder_path());
	snprintf(path, sizeof path, "%s/t.tape", folder_path());
	CU_ASSERT_EQUAL(program_run(&a.ask, STR_NONE, ARGS("ask", "--base-url", a.url, "-m", "m", "--config", config, "--tape", path, "--tools-allow",
	                                                   "t", "hi"), env), 0);
	CHECK(buf_read_file(&text, path, &err), "%s", err.text);
	const char *behind = strstr(buf_z(&text), "\"end\":\"closed\"}\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(behind);
	CHECK(strstr(behind, "\"run\":1,\"call\":0,\"id\":\"c0\",\"name\":\"t\",\"origin\":\"settings\",\"arguments\":\"{\\\"a\\\":\\\"x y\\\"}\"}\n"),
	      "%s", behind);
	CHECK(strstr(behind, "\"run\":1,\"from\":\"output\",\"b64\":\"PHggef8+\"}\n"), "%s", behind);
	CHECK(strstr(behind, "\"run\":1,\"from\":\"errors\",\"text\":\"no\\n\"}\n"), "%s", behind);
	CHECK(strstr(behind, "\"run\":1,\"state\":\"error\",\"ms\":") && strstr(behind, "[exit status 3]\\n\"}\n"), "%s", behind);
	CHECK(!strstr(buf_z(&text), "geheim") && !strstr(buf_z(&text), "secret") && !strstr(buf_z(&text), "hidden"), "%s", buf_z(&text));
	buf_fini(&text);
	end(&a);
}

/* While it runs. A character whose bytes come apart is one. */
static void output_is_told_as_it_arrives(void)
{
	char settings[700], config[300], path[300];
	struct asked a;

	snprintf(path, sizeof path, "%s/go", folder_path());
	CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
	snprintf(settings, sizeof settings, "[tool t]\ncommand = sh -c 'printf \"one\\303\"; cat %s; printf \"\\251 two\"; exit 3'\n", path);
	begin(&a, settings, CALLS(CALL(0, "t", "{}")));
	snprintf(config, sizeof config, "%s/weir.conf", folder_path());
	program_start(&a.ask, ARGS("ask", "--base-url", a.url, "-m", "m", "--config", config, "--events", "--tools-allow", "t", "hi"), NULL);
	program_end_input(&a.ask);
	CU_ASSERT_FATAL(program_await_output(&a.ask, "{\"type\":\"tool_run_output\",\"id\":\"c0\",\"text\":\"one\"}\n"));
	close(open(path, O_WRONLY));
	CU_ASSERT_EQUAL(program_wait(&a.ask), 0);
	CHECK(strstr(buf_z(&a.ask.output), "\"text\":\"\u00e9 two\"}\n") != NULL, "%s", buf_z(&a.ask.output));
	CHECK(strstr(buf_z(&a.ask.output), "\"text\":\"\\n[exit status 3]\\n\"}\n") != NULL, "%s", buf_z(&a.ask.output));
	end(&a);
}

/* The process whose id a file in the folder holds; 0: none yet. */
static pid_t pid_in(const char *name)
{
	char path[300];
	struct buf text = { 0 };
	struct error err;

	snprintf(path, sizeof path, "%s/%s", folder_path(), name);
	pid_t pid = buf_read_file(&text, path, &err) && str_ends(buf_str(&text), "\n") ? (pid_t)strtol(buf_z(&text), NULL, 10) : 0;
	buf_fini(&text);
	return pid;
}

static void a_signal_leaves_no_child(void)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGKILL };

	if (!process_adopts) {
		check_skip("POSIX does not know what a child leaves behind");
		return;
	}
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		char settings[900], config[300], pid_path[300];
		struct asked a;
		pid_t pid = 0, other = 0;

		snprintf(pid_path, sizeof pid_path, "%s", folder_path());
		snprintf(settings, sizeof settings, "[tool t]\ncommand = sh -c 'trap \"\" TERM; (setsid sleep 1000 & echo $! >%s/other.pid); echo $$ >%s/own.pid; "
		         "sleep 1000'\n", pid_path, pid_path);
		begin(&a, settings, CALLS(CALL(0, "t", "{}")));
		snprintf(config, sizeof config, "%s/weir.conf", folder_path());
		program_start(&a.ask, ARGS("ask", "--base-url", a.url, "-m", "m", "--config", config, "--tools-allow", "t", "hi"), NULL);
		program_end_input(&a.ask);
		for (int wait = 0; wait < 20000 && !(pid && other); wait++) {
			usleep(1000);
			pid = pid_in("own.pid");
			other = pid_in("other.pid");
		}
		CU_ASSERT_FATAL(pid && other);
		kill(a.ask.pid, signals[i]);
		int status = program_wait(&a.ask);
		CHECK(signals[i] == SIGKILL || status == 130 || status == 143, "signal %d: status %d", signals[i], status);
		int left = 20000; /* killed by the kernel and the supervisor, where weir itself was killed */
		while (left-- && (kill(pid, 0) == 0 || kill(other, 0) == 0))
			usleep(1000);
		CHECK(kill(pid, 0) != 0 && errno == ESRCH && kill(other, 0) != 0, "signal %d leaves a process", signals[i]);
		end(&a);
	}
}

static bool is_offered(const struct json *list, size_t index)
{
	bool offered = false;

	CU_ASSERT(json_flag(json_get(json_at(list, index), "offered"), &offered));
	return offered;
}

static void tools_are_listed(void)
{
	struct json_parser *parser = json_parser_new();
	const char *config = folder_file("weir.conf", ECHO "approve = once\ndescription = says it\n[tool bad]\ncommand = {x}\n");
	struct program p;
	size_t used;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("tools", "--json", "--config", config), NULL), 0);
	const struct json *list = json_parse(parser, buf_str(&p.output), &used), *echo = json_at(list, 0);
	CHECK_STR(json_get_text(echo, "name"), "echo");
	CHECK_STR(json_get_text(echo, "origin"), "settings");
	CHECK_STR(json_get_text(echo, "approve"), "once");
	CHECK_STR(json_text(json_at(json_get(echo, "command"), 1)), "<%s>");
	CHECK_STR(json_get_text(json_find(echo, "schema.properties.a"), "type"), "string");
	CU_ASSERT(str_ends(json_get_text(json_at(list, 1), "trouble"), "its first word is the program, which no call can choose"));
	CHECK_STR(json_get_text(json_at(list, 2), "origin"), "built-in");
	program_free(&p);
	/* What is built in is offered to the demo alone. */
	for (size_t demo = 0; demo < 2; demo++) {
		const char *const env[] = { "WEIR_API_KEY=geheim", NULL };

		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("tools", "--json", "--config", config, demo ? "-pdemo" : "-popenai"), env), 0);
		list = json_parse(parser, buf_str(&p.output), &used);
		CU_ASSERT(is_offered(list, 0) && !is_offered(list, 1));
		CU_ASSERT_EQUAL(is_offered(list, 2), demo);
		program_free(&p);
		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("tools", "--config", config, demo ? "-pdemo" : "-popenai"), env), 0);
		CHECK(strstr(buf_z(&p.output), demo ? "clock\tbuilt-in\task\t" : "clock\tbuilt-in\toff\t"), "%s", buf_z(&p.output));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("tools", "--config", config), NULL), 0);
	CU_ASSERT(str_starts(buf_str(&p.output), "echo\tsettings\tonce\tprintf <%s> {a}\n"));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("tools", "echo", "--config", config), NULL), 2);
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

/* The tools of README.md, as they are copied from there. Its MCP server, which comes last, is read and not started: it is fetched from the network. */
static void the_tools_of_the_readme_are_read(void)
{
	static const char *const names[] = { "calculate", "web_page", "git_log", "read_note", "clock" };
	struct json_parser *parser = json_parser_new();
	struct error err;
	struct buf readme = { 0 }, conf = { 0 };
	struct program p;
	size_t used;

	CU_ASSERT_FATAL(buf_read_file(&readme, "README.md", &err));
	char *begin = strstr(buf_z(&readme), "[tool "), *end = begin ? strstr(begin, "[mcp ") : NULL; /* which would be fetched and run */
	CU_ASSERT_FATAL(end != NULL);
	*end = '\0';
	buf_printf(&conf, "%sapprove = never\n", begin);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("tools", "--json", "--config", folder_file("weir.conf", buf_z(&conf))), NULL), 0);
	CHECK_STR(buf_str(&p.errors), "");
	const struct json *list = json_parse(parser, buf_str(&p.output), &used);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		CHECK_STR(json_get_text(json_at(list, i), "name"), names[i]);
		CU_ASSERT_PTR_NULL(json_get(json_at(list, i), "trouble"));
	}
	program_free(&p);
	buf_fini(&readme);
	buf_fini(&conf);
	json_parser_free(parser);
	folder_remove();
}

const struct suite suite_ask_tools = { "ask_tools", (const struct test[]){
	TEST(a_call_runs_and_its_result_goes_back), TEST(compared_models_run_calls_each), TEST(summary_and_events_tell_runs), TEST(output_is_told_as_it_arrives), TEST(what_ran_is_on_the_tape), TEST(nothing_else_runs),
	TEST(names_are_checked_before_anything_is_sent), TEST(ends_of_programs_are_told), TEST(no_key_is_named), TEST(a_signal_leaves_no_child),
	TEST(tools_are_listed), TEST(the_tools_of_the_readme_are_read), { 0 } } };
