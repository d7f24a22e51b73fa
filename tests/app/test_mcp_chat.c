/* Tools of MCP servers in a session: when they are asked for, what goes to the model, what runs, and what a server that misbehaves leaves. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/mcp_life.h"
#include "app/program.h"
#include "app/session/session_inside.h"
#include "base/os/process.h"
#include "chat/conversation/conversation.h"
#include "store/config/mcp_tokens.h"
#include "support/check.h"
#include "support/clock.h"

static void add_row(void *ctx, const char *name, struct str value)
{
	buf_printf(ctx, "%s=%.*s|", name, STR_ARG(value));
}

/* No argument looks like another row, and of two of one name the one is shown that is sent. */
static void a_call_is_asked_for_and_its_result_goes_back(void)
{
	struct buf rows = { 0 };
	char wanted[900];
	struct life l;

	mcp_life_begin(&l, "", "");
	life_answer_with(&l, CALL("fake__first", "{\\\"say\\\":\\\"y\\\",\\\"say\\\":\\\"x\\\\ntool\\\"}"));
	life_answer_with(&l, ANSWER("thanks"));
	CU_ASSERT_EQUAL(mcp_hub_at(l.setup.servers, 0).state, MCP_HUB_IDLE); /* nothing runs before it is needed */
	life_send(&l, "go");
	CHECK(life_asked(&l, "fake__first"), "%s %s", buf_z(&l.bodies), life_note(conversation_last(session_conversation(l.session)), "weir"));
	CU_ASSERT_TRUE(life_asked(&l, "\"name\":\"fake__second\""));
	const struct tool_call *asks = session_asking(l.session);
	CU_ASSERT_PTR_NOT_NULL_FATAL(asks);
	CU_ASSERT_EQUAL(asks->run.begun_ms, 0);
	tool_plan_tell_all(&asks->plan, add_row, &rows);
	snprintf(wanted, sizeof wanted,
	         "server=fake|program=%s|tool=first|given=\"say\": x\u240a\ntool|variables=PATH, HOME, the locale and the like|", mcp_server_path());
	CHECK_STR(buf_str(&rows), wanted);
	buf_fini(&rows);
	session_approve(l.session, asks->shown);
	mcp_life_settle(&l);
	CU_ASSERT_TRUE(life_asked(&l, "\"content\":\"said\""));
	CHECK_STR(buf_str(&conversation_last(session_conversation(l.session))->parts[0].text), "thanks");
	life_end(&l);
}

/* The list is what the settings let a model see. */
static void patterns_and_never_keep_tools_back(void)
{
	static const struct { const char *more; bool first, second; } rows[] = {
		{ "tools = fir*\n", true, false }, { "tools = x, *cond\n", false, true }, { "approve = never\n", false, false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct life l;

		mcp_life_begin(&l, "", rows[i].more);
		life_answer_with(&l, ANSWER("so"));
		life_send(&l, "go");
		CHECK(life_asked(&l, "fake__first") == rows[i].first, "%s", rows[i].more);
		CHECK(life_asked(&l, "fake__second") == rows[i].second, "%s", rows[i].more);
		life_end(&l);
	}
}

/* It costs its timeout once, and one sentence. */
static void a_server_that_hangs_leaves_the_chat_going(void)
{
	static const struct { const char *does, *words; } rows[] = {
		{ "deaf", "The MCP server fake has no tools here: " }, { "future", "The MCP server fake has no tools here: " },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct life l;

		mcp_life_begin(&l, rows[i].does, "timeout = 0.2\n");
		life_answer_with(&l, ANSWER("so"));
		struct turn *t = life_send(&l, "go");
		CHECK_STR(buf_str(&t->parts[0].text), "so");
		CHECK(!strncmp(life_note(t, "weir"), rows[i].words, strlen(rows[i].words)), "%s", life_note(t, "weir"));
		CU_ASSERT_FALSE(life_asked(&l, "fake__"));
		t = life_send(&l, "again");
		CHECK_STR(str_from(life_note(t, "weir")), "");
		CU_ASSERT_EQUAL(mcp_hub_at(l.setup.servers, 0).state, MCP_HUB_FAILED);
		life_end(&l);
	}
}

/* A server that failed is not asked again, unless somebody has logged in since. */
static void after_a_login_a_server_that_failed_is_asked_again(void)
{
	static char id[] = "c", text[] = "x";
	static const char url[] = "http://127.0.0.1:1/mcp"; /* where nobody listens */
	struct mcp_token token = { .resource = text, .issuer = text, .access = text, .client.id = id };
	struct error err;
	struct life l;

	mcp_life_begin(&l, "", "[mcp web]\nurl = http://127.0.0.1:1/mcp\n");
	life_answer_with(&l, ANSWER("so"));
	struct turn *t = life_send(&l, "go");
	CHECK(!strncmp(life_note(t, "weir"), "The MCP server web has no tools here: ", 38), "%s", life_note(t, "weir"));
	uint64_t tried = mcp_hub_changes(l.setup.servers);
	life_send(&l, "again");
	CU_ASSERT_EQUAL(mcp_hub_changes(l.setup.servers), tried);
	CHECK(mcp_token_keep(&token, url, &err), "%s", err.text);
	life_send(&l, "after a login");
	CU_ASSERT(mcp_hub_changes(l.setup.servers) > tried);
	tried = mcp_hub_changes(l.setup.servers);
	life_send(&l, "again");
	CU_ASSERT_EQUAL(mcp_hub_changes(l.setup.servers), tried);
	CU_ASSERT(mcp_token_forget(url, &err));
	life_end(&l);
}

/* Each is a result for the model, and the chat goes on. */
static void what_servers_do_is_a_result(void)
{
	static const struct { const char *does, *more, *sent; bool is_error; } rows[] = {
		{ "isError", "", "it did not work", true },
		{ "error", "", "The call failed: it is \\u001b[31mbroken.", true },
		{ "die", "", "The call failed: the program has gone: it ended with status 7", true },
		{ "hang", "timeout = 0.3\n", "The call failed: no answer came within 0.3 s.", true },
		{ "lie", "", "[the structured content breaks the tool's own schema: $.n is a string, the schema wants a number]", false },
		{ "empty", "", "{\\\"n\\\":3}", false },
		{ "mixed", "", "[image image/png, 8 bytes, attached]\\n[link to u:1: n]\\n[a part of an unknown kind]", false },
		{ "other", "", "done", false },
		{ "twice", "", "done", false },
		{ "asks", "", "done", false },
		{ "flood", "timeout = 0.3\n", "The call failed: ", true },
		{ "long", "", "The call failed: the program sent a line of more than 32 MB", true },
		{ "deep", "", "The call failed: what the server sent is too large, or nested too deeply.", true },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct life l;

		mcp_life_begin(&l, rows[i].does, rows[i].more);
		life_answer_with(&l, CALL("fake__first", "{}"));
		life_answer_with(&l, ANSWER("so be it"));
		life_send(&l, "go");
		CU_ASSERT_PTR_NOT_NULL_FATAL(session_asking(l.session));
		session_approve(l.session, session_asking(l.session)->shown);
		mcp_life_settle(&l);
		CHECK(life_asked(&l, rows[i].sent), "%s: %s", rows[i].does, buf_z(&l.bodies) + l.body_at);
		const struct turn *last = conversation_last(session_conversation(l.session));
		CHECK_STR(buf_str(&last->parts[0].text), "so be it");
		CHECK(last->parent->parts[0].is_error == rows[i].is_error, "%s", rows[i].does);
		life_end(&l);
	}
}

/* What was allowed is this server with this tool; another one of its name is asked for, or not called at all. */
static void a_tool_that_changes_is_not_called(void)
{
	struct life l;

	mcp_life_begin(&l, "renames", "approve = once\n");
	life_answer_with(&l, CALL("fake__first", "{}"));
	life_answer_with(&l, ANSWER("one"));
	life_answer_with(&l, CALL("fake__first", "{}"));
	life_answer_with(&l, ANSWER("two"));
	life_send(&l, "go");
	CHECK(session_approve_all(l.session, session_asking(l.session)->shown, &l.err), "%s", l.err.text);
	mcp_life_settle(&l);
	CU_ASSERT_TRUE(life_asked(&l, "\"content\":\"done\"")); /* and with it the server says that its list is another one */
	life_send(&l, "again");
	const struct tool_call *asks = session_asking(l.session);
	CU_ASSERT_PTR_NOT_NULL_FATAL(asks);
	CHECK(asks->change && strstr(asks->change, "- description: ") && strstr(asks->change, "+ description: "), "%s", asks->change);
	session_approve(l.session, asks->shown);
	mcp_life_settle(&l);
	CHECK_STR(buf_str(&conversation_last(session_conversation(l.session))->parts[0].text), "two");
	life_end(&l);
}

static void a_call_that_waits_does_not_reach_another_tool(void)
{
	struct life l;

	mcp_life_begin(&l, "renames", "");
	life_answer_with(&l, CALL("fake__first", "{}"));
	life_answer_with(&l, CALL("fake__first", "{}"));
	life_answer_with(&l, ANSWER("end"));
	life_send(&l, "go");
	session_approve(l.session, session_asking(l.session)->shown);
	while (session_runs_tools(l.session)) /* its result is not sent yet: the second call has been shown the old tool */
		loop_turn(l.setup.loop);
	mcp_hub_want(l.setup.servers, 0, false);
	struct tool *tool = tool_set_find(&l.setup.tool_set, STR("fake__first"));
	struct tool_run run = { 0 };
	struct tool_plan plan;
	CHECK(tool_plan_make(&plan, tool, STR("{}"), &l.err), "%s", l.err.text);
	tool_run_start(&run, &plan);
	while (run.runs)
		loop_turn(l.setup.loop);
	CHECK_STR(buf_str(&run.result), "The call failed: the server has no such tool any more, or another one of that name.");
	tool_run_fini(&run);
	tool_plan_fini(&plan);
	life_end(&l);
}

/* Two servers whose names give one name: the second has no tool of it, and `weir tools` says why. */
static void names_that_collide_are_told(void)
{
	struct program p;
	char text[1500];

	snprintf(text, sizeof text, "[mcp a+b]\ncommand = %s\n[mcp a.b]\ncommand = %s\n[mcp gone]\ncommand = /no/such\n", mcp_server_path(),
	         mcp_server_path());
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("tools", "--config", folder_file("w.conf", text)), NULL), 1); /* `gone` did not answer */
	CHECK(strstr(buf_z(&p.output), "a_b__first\tmcp a+b\task\t/"), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "the tool first of the MCP server a.b is not offered: another tool has the name a_b__first\n"), "%s",
	      buf_z(&p.output));
	CHECK_STR(buf_str(&p.errors), "weir: note: The MCP server gone has no tools here: /no/such cannot be started: No such file or directory.\n");
	program_free(&p);
	folder_remove();
}

/* Without a question, since the command line names it; another tool of the server is not offered. */
static void a_script_names_what_may_run(void)
{
	struct program p;
	char text[800];

	snprintf(text, sizeof text, "[mcp fake]\ncommand = %s\n", mcp_server_path());
	const char *config = folder_file("w.conf", text);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", config, "-p", "demo", "--raw", "--tools-allow", "fake__first",
	                                               "call fake__first {\"say\":\"x\"}"), NULL), 0);
	CHECK(strstr(buf_z(&p.output), "\nsaid\n"), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.errors), "note: fake__first ran: ok"), "%s", buf_z(&p.errors));
	program_free(&p);
	/* Both directions are on the tape. */
	snprintf(text, sizeof text, "%s/t.tape", folder_path());
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", config, "-p", "demo", "--tape", text, "--tools-allow", "fake__first",
	                                               "call fake__first {\"say\":\"x\"}"), NULL), 0);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("decode", "--frames", text), NULL), 0);
	CHECK(strstr(buf_z(&p.output), "\"kind\":\"client\",") && strstr(buf_z(&p.output), "\"data\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":") &&
	      strstr(buf_z(&p.output), "\\\"method\\\":\\\"tools/call\\\"") && strstr(buf_z(&p.output), "\"kind\":\"server\","), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "\"kind\":\"run\",\"marks\":[],\"became\":[],\"data\":\"said\"}\n"), "%s", buf_z(&p.output));
	program_free(&p);
	(void)program_run(&p, STR_NONE, ARGS("ask", "--config", config, "-p", "demo", "--raw", "--tools-allow", "fake__first",
	                                     "call fake__second {}"), NULL);
	CHECK(strstr(buf_z(&p.errors), "fake__second") && !strstr(buf_z(&p.errors), "ran:"), "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", config, "-p", "demo", "--tools-allow", "fake__none", "hi"), NULL), 2);
	program_free(&p);
	folder_remove();
}

/* What a tool gives besides text is written to the folder of --media, as what a model gives is. */
static void a_script_keeps_what_is_no_text(void)
{
	struct program p;
	char text[800], media[300], picture[320];

	snprintf(text, sizeof text, "[mcp fake]\ncommand = %s mixed\n", mcp_server_path());
	const char *config = folder_file("w.conf", text);
	snprintf(media, sizeof media, "%s/media", folder_path());
	snprintf(picture, sizeof picture, "%s/01.png", media);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", config, "-p", "demo", "--raw", "--tools-allow", "fake__first", "--media", media,
	                                               "call fake__first {}"), NULL), 0);
	CHECK(strstr(buf_z(&p.output), "[image image/png, 8 bytes, attached]"), "%s", buf_z(&p.output));
	CU_ASSERT_EQUAL(access(picture, R_OK), 0);
	program_free(&p);
	folder_remove();
}

static size_t starts(const char *path)
{
	struct stat facts;

	return stat(path, &facts) == 0 ? (size_t)facts.st_size : 0;
}

static void read_again(struct life *l, const char *path, const char *before, const char *tools)
{
	struct error sentence = { "" };
	char text[1200];

	snprintf(text, sizeof text, "%s[mcp other]\ncommand = %s counts %s/other\n[mcp fake]\ncommand = %s counts %s\ntools = %s\n", before,
	         mcp_server_path(), folder_path(), mcp_server_path(), path, tools);
	folder_file("weir/weir.conf", text);
	CHECK(setup_reread(&l->setup, NULL, NULL, &sentence) == REREAD_TAKEN, "%s", sentence.text);
}

/* Another weir.conf ends the servers whose settings are others, and what these are then is asked for anew. The others go on. */
static void a_change_of_the_settings_ends_its_server(void)
{
	char path[300];
	struct life l;

	snprintf(path, sizeof path, "%s/starts", folder_path());
	mcp_life_begin(&l, "", "");
	life_answer_with(&l, ANSWER("so"));
	read_again(&l, path, "", "second");
	life_send(&l, "go");
	CU_ASSERT_EQUAL(starts(path), 1);
	read_again(&l, path, "[tool t]\ncommand = true\n", "second");
	CU_ASSERT_EQUAL(mcp_hub_at(l.setup.servers, 1).state, MCP_HUB_KNOWN);
	life_send(&l, "again");
	CU_ASSERT_EQUAL(starts(path), 1);
	CU_ASSERT_TRUE(life_asked(&l, "fake__second"));
	read_again(&l, path, "", "first");
	CU_ASSERT_EQUAL(mcp_hub_at(l.setup.servers, 1).state, MCP_HUB_IDLE);
	CU_ASSERT_EQUAL(mcp_hub_at(l.setup.servers, 0).state, MCP_HUB_KNOWN);
	life_send(&l, "again");
	CU_ASSERT_EQUAL(starts(path), 2);
	CU_ASSERT_TRUE(life_asked(&l, "fake__first"));
	CU_ASSERT_FALSE(life_asked(&l, "fake__second"));
	snprintf(path, sizeof path, "%s/other", folder_path());
	CU_ASSERT_EQUAL(starts(path), 1);
	life_end(&l);
}

static void has_ended(void *ctx, const struct mcp_answer *answer)
{
	*(bool *)ctx = true;
	CHECK(answer->ending == MCP_COMPLETE, "%.*s", STR_ARG(answer->words));
}

/* Of both eras: older servers tell it, a modern one those who have asked for it. Nobody waits for the list, and it is not asked for at once. */
static void a_list_that_changes_is_fetched_while_idle(void)
{
	static const char *const rows[] = { "renames", "renames modern tells" };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct mcp_call reads = { 0 };
		bool ended = false;
		struct life l;

		mcp_life_begin(&l, rows[i], "");
		life_answer_with(&l, ANSWER("so"));
		life_send(&l, "go");
		CU_ASSERT(mcp_call_ask(&reads, l.setup.servers, "fake", "resources/read", "res:text", "{\"uri\":\"res:text\"}",
		                       &(struct mcp_call_sink){ .ctx = &ended, .ended = has_ended }, &l.err));
		while (!ended)
			loop_turn(l.setup.loop);
		CU_ASSERT_EQUAL(mcp_hub_at(l.setup.servers, 0).count, 2);
		clock_turn(2000);
		for (int64_t end = check_now_ms() + CHECK_PATIENCE_MS; mcp_hub_at(l.setup.servers, 0).count == 2 && check_now_ms() < end;)
			loop_turn(l.setup.loop);
		struct mcp_hub_server now = mcp_hub_at(l.setup.servers, 0);
		CHECK(now.count == 1 && !strcmp(now.tools[0].description, "Deletes files"), "%s: %zu, state %d", rows[i], now.count, now.state);
		life_end(&l);
	}
}

/* A modern server says how long its list holds. One that says nothing of it, nor tells changes, is asked again after a while; an older one is not. */
static void a_list_is_fetched_again_after_its_time(void)
{
	static const struct { const char *does; int64_t ms; size_t lists; } rows[] = {
		{ "modern counts-lists", 1000, 1 },       { "modern counts-lists", 6000, 2 },  { "modern lasts counts-lists", 6000, 1 },
		{ "modern lasts counts-lists", 61000, 2 }, { "modern tells counts-lists", 99000, 1 }, { "counts-lists", 99000, 1 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char does[400], path[300];
		struct life l;

		snprintf(path, sizeof path, "%s/lists", folder_path());
		snprintf(does, sizeof does, "%s %s", rows[i].does, path);
		mcp_life_begin(&l, does, "");
		life_answer_with(&l, ANSWER("so"));
		life_send(&l, "go");
		CU_ASSERT_EQUAL(starts(path), 1);
		clock_turn(rows[i].ms);
		life_send(&l, "again");
		CHECK(starts(path) == rows[i].lists, "%s, %lld: %zu", rows[i].does, (long long)rows[i].ms, starts(path));
		life_end(&l);
	}
}

/* The number in a file that is being written. */
static int left_process(const char *path)
{
	int pid = 0;

	for (int64_t end = check_now_ms() + CHECK_PATIENCE_MS; pid <= 1 && check_now_ms() < end; poll(NULL, 0, 5)) {
		FILE *left = fopen(path, "re");

		if (left && fscanf(left, "%d", &pid) != 1)
			pid = 0;
		if (left)
			fclose(left);
	}
	return pid;
}

/* Stopped in the middle, and at the end of the program: no process is left. */
static void no_process_is_left(void)
{
	if (!process_adopts) {
		check_skip("POSIX does not know what a child leaves behind");
		return;
	}
	for (int stops = 0; stops < 2; stops++) {
		char does[400], path[300];
		struct life l;

		snprintf(path, sizeof path, "%s/left", folder_path());
		snprintf(does, sizeof does, "hang strays %s", path);
		mcp_life_begin(&l, does, "");
		life_answer_with(&l, CALL("fake__first", "{}"));
		life_answer_with(&l, ANSWER("so"));
		life_send(&l, "go");
		session_approve(l.session, session_asking(l.session)->shown);
		loop_turn(l.setup.loop);
		CU_ASSERT_TRUE(session_runs_tools(l.session));
		if (stops) {
			session_stop(l.session);
			loop_turn(l.setup.loop);
			CU_ASSERT_FALSE(session_runs_tools(l.session));
			session_drain(l.session);
			CU_ASSERT_EQUAL(session_runs(l.session)->items[0].outcome, TOOL_RUN_CUT);
		}
		int pid = left_process(path);
		CHECK(pid > 1, "%d", pid);
		session_free(l.session);
		l.session = session_new(&l.setup, NULL, NULL);
		mcp_hub_free(l.setup.servers);
		l.setup.servers = NULL;
		for (int64_t end = check_now_ms() + CHECK_PATIENCE_MS; kill(pid, 0) == 0 && check_now_ms() < end;)
			poll(NULL, 0, 5);
		CHECK(kill(pid, 0) != 0, "%d is left", pid);
		life_end(&l);
	}
}

const struct suite suite_mcp_chat = { "mcp_chat", (const struct test[]){
	TEST(a_call_is_asked_for_and_its_result_goes_back), TEST(patterns_and_never_keep_tools_back),
	TEST(a_server_that_hangs_leaves_the_chat_going), TEST(after_a_login_a_server_that_failed_is_asked_again), TEST(what_servers_do_is_a_result),
	TEST(a_tool_that_changes_is_not_called),
	TEST(a_call_that_waits_does_not_reach_another_tool), TEST(a_change_of_the_settings_ends_its_server),
	TEST(a_list_that_changes_is_fetched_while_idle), TEST(a_list_is_fetched_again_after_its_time), TEST(names_that_collide_are_told),
	TEST(a_script_names_what_may_run), TEST(a_script_keeps_what_is_no_text), TEST(no_process_is_left), { 0 } } };
