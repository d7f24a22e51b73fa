/* `weir mcp` with servers that are programs: what it prints, what it says about servers that do what they should not, and what it leaves. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/json.h"
#include "base/os/process.h"
#include "program.h"
#include "support/check.h"
#include "support/pty.h"
#include "wire/mcp/rpc.h"

#define WORDS_MOST 20u

/* Starts `weir mcp WORDS... -- the server DOES`. */
static void start(struct program *p, const char *does, const char *const *words)
{
	const char *all[WORDS_MOST] = { "mcp" };
	char what[100];
	size_t count = 1;

	snprintf(what, sizeof what, "%s", does);
	while (*words)
		all[count++] = *words++;
	all[count++] = "--";
	all[count++] = mcp_server_path();
	for (char *word = strtok(what, " "); word; word = strtok(NULL, " "))
		all[count++] = word;
	program_start(p, all, NULL);
}

static int run(struct program *p, const char *does, const char *const *words)
{
	start(p, does, words);
	return program_wait(p);
}

#define RUN(p, does, ...) run(p, does, ARGS(__VA_ARGS__))

static void lists_are_columns_or_json(void)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	size_t used;

	CU_ASSERT_EQUAL(RUN(&p, "", "list"), 0);
	CHECK_STR(buf_str(&p.output), "server\tfake 1\tMCP 2025-11-25\ntool\tfirst\tThe \xE2\x90\x9B[1mfirst\ntool\tsecond\t\n"
	                              "resource\tfile:///a\tA title\nprompt\task who [how]\t\n");
	CHECK_STR(buf_str(&p.errors), "");
	program_free(&p);
	CU_ASSERT_EQUAL(RUN(&p, "modern", "list", "--json"), 0);
	const struct json *all = json_parse(parser, buf_str(&p.output), &used);
	CHECK_STR(json_text(json_find(all, "server.version")), "2");
	CHECK_STR(json_get_text(all, "protocol"), "2026-07-28");
	CU_ASSERT_EQUAL(json_length(json_get(all, "tools")), 2);
	CU_ASSERT(json_find(json_at(json_get(all, "tools"), 0), "outputSchema.properties.n") != NULL);
	CU_ASSERT(json_kind(json_get(all, "prompts")) == JSON_ARRAY && json_kind(json_get(all, "templates")) == JSON_ARRAY);
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

static void results_are_texts_and_lines_of_json(void)
{
	const char *media = folder_file("media", NULL);
	char picture[300];
	struct program p;

	CU_ASSERT_EQUAL(RUN(&p, "", "call", "first", "{\"say\":\"x\"}"), 0);
	CHECK_STR(buf_str(&p.output), "said\n");
	program_free(&p);
	CU_ASSERT_EQUAL(RUN(&p, "mixed", "call", "first", "--media", media), 0);
	CHECK_STR(buf_str(&p.output), "a \033]0;x\007b\n{\"type\":\"image\",\"mimeType\":\"image/png\",\"bytes\":8}\n"
	                              "{\"type\":\"resource_link\",\"uri\":\"u:1\",\"name\":\"n\"}\n{\"type\":\"hologram\",\"x\":1}\n");
	CHECK_STR(buf_str(&p.errors), "weir: mcp_server: a part of the result lacks what its type must have; it is left out\n");
	snprintf(picture, sizeof picture, "%s/01.png", media);
	CU_ASSERT_EQUAL(access(picture, R_OK), 0);
	program_free(&p);
	CU_ASSERT_EQUAL(RUN(&p, "empty", "call", "first"), 0);
	CHECK_STR(buf_str(&p.output), "{\"n\":3}\n");
	program_free(&p);
	CU_ASSERT_EQUAL(RUN(&p, "", "call", "first", "--json"), 0);
	CHECK_STR(buf_str(&p.output), "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}\n");
	program_free(&p);
	CU_ASSERT_EQUAL(RUN(&p, "", "read", "file:///a"), 0);
	CHECK_STR(buf_str(&p.output), "line one\nline two{\"type\":\"resource\",\"uri\":\"file:///b\",\"bytes\":3}\n");
	program_free(&p);
	CU_ASSERT_EQUAL(RUN(&p, "", "prompt", "ask", "{\"who\":\"me\"}"), 0);
	CHECK_STR(buf_str(&p.output), "user:\nWho?\n\nassistant:\nMe.\n");
	program_free(&p);
	for (int modern = 0; modern < 2; modern++) {
		CU_ASSERT_EQUAL(RUN(&p, modern ? "modern" : "", "ping"), 0);
		CHECK(str_starts(buf_str(&p.output), modern ? "fake 2, MCP 2026-07-28, " : "fake 1, MCP 2025-11-25, "), "%s", buf_z(&p.output));
		program_free(&p);
	}
	folder_remove();
}

/* What servers do, the exit status, and the one sentence about it. All run at once, because some wait long. */
static void one_sentence_about_a_server(void)
{
	static const struct { const char *does; int status; const char *output, *errors; } cases[] = {
		{ "isError", 1, "it did not work\n", "" },
		{ "error", 4, "", "it is \xEF\xBF\xBD[31mbroken (error -32603)" },
		{ "lie", 4, "", "the structured content breaks the tool's own schema: $.n is a string, the schema wants a number" },
		{ "die", 3, "", "the program has gone: it ended with status 7; its last words were: out of \xEF\xBF\xBD[31mluck" },
		{ "crash", 3, "", "the program has gone: signal 6 ended it" },
		{ "close", 3, "", "the program closed its output" },
		{ "long", 4, "", "the program sent a line of more than 32 MB and was ended" },
		{ "hang", 3, "", "no answer came within 2 s" },
		{ "notify", 3, "", "no answer came within 2 s" },
		{ "errors", 3, "", "no answer came within 2 s" },
		{ "progress", 3, "", "no answer came within 10 s, in spite of progress" },
		{ "deaf", 3, "", "the server does not answer: the session did not begin within 2 s" },
		{ "mute", 0, "done\n", "" },
		{ "touchy", 0, "done\n", "" },
		{ "stubborn", 0, "done\n", "" },
		{ "future", 4, "", "the server speaks a revision of the protocol that weir does not: \"2030-01-01\"" },
		{ "twice", 0, "done\n", "the server answered request 1 a second time; that is ignored" },
		{ "other", 0, "done\n", "the server answered what was not asked, request 1002; that is ignored" },
		{ "banner", 0, "done\n", "what the server sent is no JSON: \"Fake server, listening\"; it is ignored" },
		{ "asks", 0, "done\n", "the server asked for \"sampling/createMessage\", which weir does not offer; that was refused" },
	};
	struct program programs[ARRAY_LEN(cases)];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bool is_late = strstr(cases[i].errors, "within") || !strcmp(cases[i].does, "mute");

		start(&programs[i], cases[i].does, ARGS("call", "first", "--timeout", !strcmp(cases[i].does, "progress") ? "1" : is_late ? "2" : "1000"));
	}
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct program *p = &programs[i];
		char sentence[300] = "";

		if (*cases[i].errors)
			snprintf(sentence, sizeof sentence, "weir: mcp_server: %s\n", cases[i].errors);
		program_wait(p);
		CHECK(p->status == cases[i].status, "%s: status %d, not %d: %s", cases[i].does, p->status, cases[i].status, buf_z(&p->errors));
		CHECK(str_is(buf_str(&p->output), cases[i].output), "%s: \"%s\"", cases[i].does, buf_z(&p->output));
		if (strcmp(cases[i].does, "twice") != 0)
			CHECK(str_is(buf_str(&p->errors), sentence), "%s: \"%s\", not \"%s\"", cases[i].does, buf_z(&p->errors), sentence);
		else
			CHECK(str_find(buf_str(&p->errors), STR("a second time")) < p->errors.len, "%s", buf_z(&p->errors));
		program_free(p);
	}
	folder_remove();
}

static void an_echo_is_no_server(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "list", "--", "cat"), NULL), 4);
	CHECK_STR(buf_str(&p.errors), "weir: cat: what it is asked comes back as it was, so it is no MCP server; check the command or address: many "
	          "programs serve only with a word such as mcp, serve or --stdio\n");
	program_free(&p);
	folder_remove();
}

/* --- what is left --- */

/* The number of the process that the server has left, from its file in the folder of the test. */
static long left_process(const char *path)
{
	struct buf text = { 0 };
	long pid = 0;

	for (int64_t end = check_now_ms() + CHECK_PATIENCE_MS; !pid && check_now_ms() < end; poll(NULL, 0, 5)) {
		buf_clear(&text);
		if (access(path, R_OK) == 0 && buf_read_file(&text, path, NULL) && text.len)
			pid = strtol(buf_z(&text), NULL, 10);
	}
	buf_fini(&text);
	return pid;
}

static void no_process_is_left(void)
{
	const struct { const char *how, *what; int signal, status; } cases[] = {
		{ "stubborn", "", 0, 0 }, { "", "hang", SIGINT, 130 }, { "", "hang", SIGTERM, 130 }, { "stubborn", "hang", SIGKILL, -1 },
	};
	struct program programs[ARRAY_LEN(cases)];
	long pids[ARRAY_LEN(cases)];

	if (!process_adopts) {
		check_skip("POSIX does not know what a child leaves behind");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *left = folder_file((const char[]){ (char)('a' + i), 0 }, NULL);

		program_start(&programs[i], ARGS("mcp", "call", "first", "--timeout", "1000", "--", mcp_server_path(), "strays", cases[i].how, cases[i].what,
		                                 left), NULL);
		pids[i] = left_process(left);
		CHECK(pids[i] > 1, "%zu", i);
		if (cases[i].signal)
			kill(programs[i].pid, cases[i].signal);
	}
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct program *p = &programs[i];

		CHECK(program_wait(p) == cases[i].status, "%zu: status %d: %s", i, p->status, buf_z(&p->errors));
		for (int64_t end = check_now_ms() + CHECK_PATIENCE_MS; kill((pid_t)pids[i], 0) == 0 && check_now_ms() < end;)
			poll(NULL, 0, 5);
		CHECK(kill((pid_t)pids[i], 0) != 0, "%zu with signal %d leaves %ld", i, cases[i].signal, pids[i]);
		program_free(p);
	}
	folder_remove();
}

static void a_tape_has_both_directions(void)
{
	const char *tape = folder_file("t.tape", NULL);
	struct json_parser *parser = json_parser_new();
	struct buf text = { 0 };
	struct str rest, line;
	size_t used, in = 0, out = 0;
	struct program p;

	CU_ASSERT_EQUAL(RUN(&p, "banner", "call", "first", "--tape", tape), 0);
	program_free(&p);
	CU_ASSERT(buf_read_file(&text, tape, NULL));
	rest = buf_str(&text);
	CU_ASSERT(str_split(&rest, '\n', &line));
	const struct json *first = json_parse(parser, line, &used);
	CHECK_STR(json_get_text(first, "protocol"), "mcp");
	CHECK_STR(json_get_text(first, "transport"), "stdio");
	while (str_split(&rest, '\n', &line)) {
		const struct json *step = json_parse(parser, line, &used);

		in += json_get(step, "in") != NULL;
		out += json_get(step, "out") != NULL;
		if (!rest.len)
			CHECK_STR(json_get_text(step, "end"), "closed");
	}
	CHECK(in == 6 && out == 6, "%zu in, %zu out", in, out); /* discover, initialize (and initialized), two pages, the call */
	/* It is never overwritten. */
	CU_ASSERT_EQUAL(RUN(&p, "", "ping", "--tape", tape), 2);
	CU_ASSERT(str_find(buf_str(&p.errors), STR("exists already")) < p.errors.len);
	program_free(&p);
	buf_fini(&text);
	json_parser_free(parser);
	folder_remove();
}

static void lint_names_what_a_server_breaks(void)
{
	const char *tape = folder_file("t.tape", NULL);
	struct json_parser *parser = json_parser_new();
	const char *const *const others[] = { ARGS("decode", tape), ARGS("tape", "stats", tape), ARGS("tape", "scrub", tape), ARGS("serve", tape),
	                                      ARGS("tape", "convert", "--to", "body", tape) };
	struct program p;
	int64_t requests;
	size_t used;

	CU_ASSERT_EQUAL(RUN(&p, "banner twice plain", "call", "first", "--tape", tape), 0);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "lint", tape), NULL), 1);
	CHECK(str_find(buf_str(&p.output), STR(": mcp over stdio, ")) < p.output.len, "%s", buf_z(&p.output));
	CHECK(str_find(buf_str(&p.output), STR("  breaks clients\n    no-json: A program writes nothing to its standard output that is no message (transports, "
	                                       "stdio)\n      message 2, ")) < p.output.len, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "lint", "--json", tape), NULL), 1);
	const struct json *all = json_parse(parser, buf_str(&p.output), &used);
	CHECK_STR(json_get_text(json_at(all, 0), "rule"), "no-json");
	CHECK_STR(json_get_text(json_at(all, 1), "rule"), "answer-twice");
	CHECK_STR(json_get_text(json_at(all, 1), "severity"), "breaks-clients");
	program_free(&p);
	/* lint finds the same, and the others say that it is no stream of a model. */
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", tape), NULL), 1);
	CHECK(str_find(buf_str(&p.output), STR("    no-json: A program writes nothing")) < p.output.len, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--json", tape), NULL), 1);
	CHECK_STR(json_get_text(json_at(json_parse(parser, buf_str(&p.output), &used), 0), "file"), tape);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--quiet", tape), NULL), 1);
	CHECK_STR(buf_str(&p.output), "");
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--sarif", tape), NULL), 2);
	CHECK(str_find(buf_str(&p.errors), STR("which --sarif, ")) < p.errors.len, "%s", buf_z(&p.errors));
	program_free(&p);
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, others[i], NULL), 2);
		CHECK(str_find(buf_str(&p.errors), STR("holds a session with an MCP server, not a model's stream: weir replay shows it")) < p.errors.len,
		      "%s", buf_z(&p.errors));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("tape", "info", tape), NULL), 0);
	CHECK(str_find(buf_str(&p.output), STR("what      a tape of a session with an MCP server over stdio\n")) < p.output.len &&
	      str_find(buf_str(&p.output), STR("client    5 requests, 1 notification\nserver    ")) < p.output.len &&
	      str_find(buf_str(&p.output), STR("end       closed\n")) < p.output.len, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("tape", "info", "--json", tape), NULL), 0);
	all = json_parse(parser, buf_str(&p.output), &used);
	CHECK_STR(json_get_text(all, "transport"), "stdio");
	CU_ASSERT(json_count(json_find(all, "client.requests"), &requests) && requests == 5);
	program_free(&p);
	remove(tape);
	CU_ASSERT_EQUAL(RUN(&p, "modern", "list", "--tape", tape), 0);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "lint", tape), NULL), 1); /* the fake has no hints for caches in its lists */
	CHECK(str_find(buf_str(&p.output), STR("result-type")) < p.output.len, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "lint", folder_file("x", "data: {}\n\n")), NULL), 2);
	CHECK(str_find(buf_str(&p.errors), STR("is no tape of an MCP session")) < p.errors.len, "%s", buf_z(&p.errors));
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

/* --- the command line --- */

static void what_is_asked_for_is_checked_first(void)
{
	static const struct { const char *words[5], *says; } cases[] = {
		{ { "mcp" }, "mcp needs one of list, call, read, prompt, ping, login, logout, lint or import; weir mcp --help says what they do" },
		{ { "mcp", "lists" }, "mcp has no 'lists'; it has list, call, read, prompt, ping, login, logout, lint or import" },
		{ { "mcp", "list" }, "usage: weir mcp list TARGET" },
		{ { "mcp", "call", "x" }, "usage: weir mcp call TARGET TOOL [JSON]" },
		{ { "mcp", "list", "x" }, "there is no MCP server x: name one as [mcp x] in weir.conf, or give its URL, or -- COMMAND" },
		{ { "mcp", "list", "ftp://x/" }, "the URL of the server: it must begin with https:// or http://" },
		{ { "mcp", "list", "https://me:secret@x/" }, "the URL of the server: a user or a password cannot stand in it: use header.NAME or key_env" },
		{ { "mcp", "call", "x", "tool", "{" }, "the arguments: " },
		{ { "mcp", "call", "x", "tool", "[]" }, "the arguments: it must be a JSON object" },
		{ { "mcp", "ping", "x", "--protocol-version", "2025" }, "there is no revision '2025'; known are 2026-07-28, 2025-11-25" },
		{ { "mcp", "ping", "x", "--elicit", "[1]" }, "--elicit: it must be a JSON object" },
	};
	struct program p;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *words[6] = { cases[i].words[0], cases[i].words[1], cases[i].words[2], cases[i].words[3], cases[i].words[4] };

		CHECK(program_run(&p, STR_NONE, words, NULL) == 2, "%s: %d", cases[i].says, p.status);
		CHECK(str_find(buf_str(&p.errors), str_from(cases[i].says)) < p.errors.len, "\"%s\", not \"%s\"", buf_z(&p.errors), cases[i].says);
		program_free(&p);
	}
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "ping", "--", "no-such-program"), NULL), 4);
	CHECK_STR(buf_str(&p.errors), "weir: no-such-program: no-such-program cannot be started: No such file or directory\n");
	program_free(&p);
	folder_remove();
}

static void a_server_of_the_settings(void)
{
	struct program p;
	char text[1200];

	snprintf(text, sizeof text, "[mcp fake]\ncommand = \"%s\" modern\ntimeout = 10\nenv = WANTED\n[mcp other]\nurl = https://example.invalid/mcp\n"
	         "header.X-Thing = 1\nkey_env = MCP_KEY\n", mcp_server_path());
	const char *settings = folder_file("weir.conf", text);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "ping", "fake", "--config", settings), NULL), 0);
	CHECK(str_starts(buf_str(&p.output), "fake 2, MCP 2026-07-28"), "%s", buf_z(&p.output));
	program_free(&p);
	settings = folder_file("keys.conf", "[mcp a]\ncommand = 'one program' x\nenv = HOME, MCP_KEY\n[mcp b]\nurl = https://example.invalid/\nkey_env = MCP_KEY\n");
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "ping", "b", "--config", settings), (const char *const[]){ "MCP_KEY=a-key-of-b", NULL }), 2);
	CHECK(str_find(buf_str(&p.errors), STR("keys.conf:2: [mcp a]: env names MCP_KEY, which holds a key: no program gets it")) < p.errors.len, "%s",
	      buf_z(&p.errors));
	program_free(&p);
	settings = folder_file("weir.conf", NULL);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "ping", "fak", "--config", settings), NULL), 2);
	CHECK(str_find(buf_str(&p.errors), STR("fake")) < p.errors.len, "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "ping", "other", "--config", settings), NULL), 4);
	CHECK_STR(buf_str(&p.errors), "weir: other: no key for other: set the variable MCP_KEY, or key_file or key_command in [mcp other]\n");
	program_free(&p);
	folder_remove();
}

#define OWN "# mine\n[mcp old]\n; stays\ncommand = x\n"

/* What is written stands behind what is there; nothing is written with --dry-run, or if the file is not taken. */
static void servers_of_another_client_are_imported(void)
{
	const char *settings = folder_file("weir.conf", OWN), *none = folder_file("none.json", "{}");
	const char *json = folder_file("mcp.json",
		"{\"mcpServers\":{\"fake one\":{\"command\":\"/bin/x\",\"args\":[\"a b\"],\"env\":{\"WANTED\":\"SECRET\"}},"
		"\"old\":{\"command\":\"y\"},\"far\":{\"url\":\"https://h/\",\"headers\":{\"x-api-key\":\"SECRET\"}}}}");
	const char *shown = "[mcp fake-one]\ncommand = /bin/x 'a b'\nenv = WANTED\n\n[mcp far]\nurl = https://h/\nauth = x-api-key\nkey_env = MCP_FAR_KEY\n";
	struct buf text = { 0 }, wanted = { 0 };
	struct program p;

	for (int round = 0; round < 3; round++) { /* a look, the import, and again */
		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "import", json, "--config", settings, round ? "--json" : "--dry-run"), NULL), 0);
		CHECK_STR(buf_str(&p.output), round < 2 ? shown : "");
		CHECK(str_find(buf_str(&p.errors), STR("SECRET")) == p.errors.len, "%s", buf_z(&p.errors));
		CHECK(str_find(buf_str(&p.errors), str_from(round ? " written to " : "nothing is written (--dry-run): 2 servers are ready for ")) < p.errors.len,
		      "%s", buf_z(&p.errors));
		program_free(&p);
		buf_clear(&wanted);
		buf_printf(&wanted, OWN "%s%s", round ? "\n" : "", round ? shown : "");
		CU_ASSERT(buf_read_file(&text, settings, NULL));
		CHECK_STR(buf_str(&text), buf_z(&wanted));
	}
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "import", none, "--config", settings), NULL), 2);
	CHECK(str_find(buf_str(&p.errors), STR("none.json: it has no servers: neither mcpServers nor servers\n")) < p.errors.len, "%s", buf_z(&p.errors));
	program_free(&p);
	folder_file("none.json", "{\"servers\":{\"a\":{}}}");
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "import", none, "--config", settings), NULL), 1);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "import", folder_file("gone", NULL), "--config", settings), NULL), 2);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("mcp", "import"), NULL), 2);
	CHECK_STR(buf_str(&p.errors), "weir: usage: weir mcp import FILE\n");
	program_free(&p);
	buf_fini(&text);
	buf_fini(&wanted);
	folder_remove();
}

/* On a terminal what would be written is shown, and then asked about. */
static void an_import_asks_on_a_terminal(void)
{
	static const struct { const char *answer, *said; int status; } cases[] = { { "n\r", "nothing is written", 130 }, { "y\r", "1 server is written to", 0 } };
	const char *settings = folder_file("weir.conf", OWN), *json = folder_file("mcp.json", "{\"mcpServers\":{\"far\":{\"url\":\"https://h/\"}}}");
	struct buf text = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct pty *pty = pty_start(&(struct pty_options){ .columns = 200, .arguments = LIST("mcp", "import", json, "--config", settings) });

		PTY_SEES(pty, "[mcp far]");
		PTY_SEES(pty, "Write it to");
		pty_send(pty, cases[i].answer);
		PTY_ENDS(pty, cases[i].status);
		PTY_SEES(pty, cases[i].said);
		pty_free(pty);
		CU_ASSERT(buf_read_file(&text, settings, NULL));
		CHECK((str_find(buf_str(&text), STR("[mcp far]")) < text.len) == (i == 1), "%s", buf_z(&text));
	}
	buf_fini(&text);
	folder_remove();
}

const struct suite suite_mcp = { "mcp", (const struct test[]){
	TEST(lists_are_columns_or_json), TEST(results_are_texts_and_lines_of_json), TEST(one_sentence_about_a_server), TEST(an_echo_is_no_server),
	TEST(no_process_is_left), TEST(a_tape_has_both_directions), TEST(lint_names_what_a_server_breaks), TEST(what_is_asked_for_is_checked_first),
	TEST(a_server_of_the_settings), TEST(servers_of_another_client_are_imported), TEST(an_import_asks_on_a_terminal), { 0 } } };
