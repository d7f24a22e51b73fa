#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "app/program.h"
#include "support/check.h"

#define ANSWER(text) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

static void check_answer(const char *url, const char *expected)
{
	struct program ask;

	CU_ASSERT_EQUAL(program_run(&ask, STR_NONE, ARGS("ask", "--base-url", url, "-m", "m", "hi"), NULL), 0);
	CHECK_STR(buf_str(&ask.output), expected);
	program_free(&ask);
}

static void files_are_served_in_turn(void)
{
	struct program server;
	char url[64];

	program_serve(&server, url, ARGS(folder_file("a", ANSWER("one")), folder_file("b", ANSWER("two"))));
	CU_ASSERT(str_starts(str_from(url), "http://127.0.0.1:"));
	check_answer(url, "one");
	check_answer(url, "two");
	check_answer(url, "one");
	program_free(&server);
	folder_remove();
}

static void a_signal_ends_it_with_status_0(void)
{
	static const int signals[] = { SIGTERM, SIGINT };

	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		struct program server;
		char url[64];

		program_serve(&server, url, ARGS(folder_file("a", ANSWER("one"))));
		kill(server.pid, signals[i]);
		program_wait(&server);
		CHECK(server.status == 0, "signal %d: %d", signals[i], server.status);
		CHECK_STR(buf_str(&server.errors), "");
		program_free(&server);
	}
	folder_remove();
}

static void a_port_that_is_taken_is_a_local_failure(void)
{
	struct program server, second;
	const char *file = folder_file("a", ANSWER("one"));
	char url[64];

	program_serve(&server, url, ARGS(file));
	CU_ASSERT_EQUAL(program_run(&second, STR_NONE, ARGS("serve", "--port", strrchr(url, ':') + 1, file), NULL), 1);
	CHECK(strstr(buf_z(&second.errors), strrchr(url, ':') + 1) != NULL, "%s", buf_z(&second.errors));
	program_free(&second);
	program_free(&server);
	folder_remove();
}

static void a_file_that_is_not_there_is_exit_2(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("serve", "/nowhere/x.sse"), NULL), 2);
	CHECK(strstr(buf_z(&p.errors), "/nowhere/x.sse") != NULL, "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("serve"), NULL), 2);
	program_free(&p);
	folder_remove();
}

static void a_fault_is_ordered(void)
{
	static const struct { const char *fault, *header; int status; const char *text; } cases[] = {
		{ "bytes,gzip,crlf", NULL, 0, "one" },
		{ "cut=20", NULL, 3, "" },
		{ "status=500", NULL, 4, "" },
		{ "status=500", "header.X-Weir-Fault = bytes\n", 0, "one" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program server, ask;
		char url[64], settings[300];

		program_serve(&server, url, ARGS("--fault", cases[i].fault, folder_file("a", ANSWER("one"))));
		snprintf(settings, sizeof settings, "[provider box]\nbase_url = %s\nauth = none\nmodel = m\n%s", url,
		         cases[i].header ? cases[i].header : "");
		program_run(&ask, STR_NONE, ARGS("ask", "--config", folder_file("c", settings), "-p", "box", "hi"), NULL);
		CHECK(ask.status == cases[i].status, "%zu: %d, %s", i, ask.status, buf_z(&ask.errors));
		CHECK_STR(buf_str(&ask.output), cases[i].text);
		program_free(&ask);
		program_free(&server);
		folder_remove();
	}
}

static void a_fault_that_nobody_knows_is_exit_2(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("serve", "--fault", "cut=1,explode", "x"), NULL), 2);
	CHECK_STR(buf_str(&p.errors), "weir: there is no fault 'explode'\n");
	program_free(&p);
	folder_remove();
}

const struct suite suite_serve_cli = { "serve_cli", (const struct test[]){
	TEST(files_are_served_in_turn), TEST(a_signal_ends_it_with_status_0), TEST(a_port_that_is_taken_is_a_local_failure),
	TEST(a_file_that_is_not_there_is_exit_2), TEST(a_fault_is_ordered), TEST(a_fault_that_nobody_knows_is_exit_2), { 0 } } };
