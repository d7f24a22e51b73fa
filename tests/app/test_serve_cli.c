#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/program.h"
#include "support/check.h"
#include "support/connect.h"

#define ANSWER(text) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

static void check_answer(const char *url, const char *expected)
{
	struct program ask;

	CU_ASSERT_EQUAL(program_run(&ask, STR_NONE, ARGS("ask", "--base-url", url, "-m", "m", "hi"), NULL), 0);
	CHECK_STR(str_trim(buf_str(&ask.output)), expected);
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
		CHECK_STR(str_trim(buf_str(&ask.output)), cases[i].text);
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

/* --- under attack --- */

/* The peak memory of the process. */
static long memory_mb(pid_t pid)
{
	char path[64], line[200];
	long kb = -1;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	FILE *file = fopen(path, "r");
	while (file && kb < 0 && fgets(line, sizeof line, file))
		if (strncmp(line, "VmHWM:", 6) == 0)
			kb = atol(line + 6);
	if (file)
		fclose(file);
	return kb >> 10;
}

#define GIANTS 8
#define GIANT "GET / HTTP/1.1\r\nHost: localhost\r\nx-weir-fault: giant=268435456\r\n\r\n"

static void giants_stop_nobody(void)
{
	struct program server;
	int clients[GIANTS];
	char url[64];

	program_serve(&server, url, ARGS(folder_file("a", ANSWER("one"))));
	for (size_t i = 0; i < GIANTS; i++) {
		clients[i] = connect_to_url(url);
		CU_ASSERT(send(clients[i], GIANT, strlen(GIANT), MSG_NOSIGNAL) == (ssize_t)strlen(GIANT));
	}
	check_answer(url, "one");
	CHECK(memory_mb(server.pid) > 0 && memory_mb(server.pid) < 256, "%ld MB", memory_mb(server.pid));
	kill(server.pid, SIGTERM);
	CU_ASSERT_EQUAL(program_wait(&server), 0);
	for (size_t i = 0; i < GIANTS; i++)
		close(clients[i]);
	program_free(&server);
	folder_remove();
}

#define FEW_FILES "ulimit -n 64; exec \"$0\" \"$@\""
#define CALLERS 90
#define SERVERS 8 /* several, because the tested error did not occur each time */

static void recovers_when_descriptors_ran_out(void)
{
	for (int n = 0; n < SERVERS; n++) {
		struct program server;
		int clients[CALLERS];
		char url[64];

		program_start_script(&server, FEW_FILES, ARGS("serve", folder_file("a", ANSWER("one"))), NULL);
		CU_ASSERT_FATAL(program_await_output(&server, "\n"));
		snprintf(url, sizeof url, "%.*s", STR_ARG(str_trim(buf_str(&server.output))));
		for (size_t i = 0; i < CALLERS; i++)
			clients[i] = connect_to_url(url);
		for (size_t i = 0; i < CALLERS; i++)
			close(clients[i]);
		check_answer(url, "one");
		program_free(&server);
	}
	folder_remove();
}

const struct suite suite_serve_cli = { "serve_cli", (const struct test[]){
	TEST(files_are_served_in_turn), TEST(a_signal_ends_it_with_status_0), TEST(a_port_that_is_taken_is_a_local_failure),
	TEST(a_file_that_is_not_there_is_exit_2), TEST(a_fault_is_ordered), TEST(a_fault_that_nobody_knows_is_exit_2),
	TEST(giants_stop_nobody), TEST(recovers_when_descriptors_ran_out), { 0 } } };
