#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/between.h"
#include "base/os/other_end.h"
#include "support/check.h"

#define KEY "sk-secret-of-the-client"
#define POST(path, body) "POST " path " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer " KEY \
	"\r\nX-Own: kept\r\nAccept-Encoding: gzip\r\nContent-Length: " body

/* Without -o: the ring of tapes is in `b->tapes`, with an old one of a megabyte, and so is that of the chat. Settings come first. */
static void begin_with_ring(struct between *b, const char *more)
{
	char state[600], settings[1200], *megabyte = calloc(1, (1 << 20) + 1);

	*b = (struct between){ .hand = hand_new() };
	snprintf(settings, sizeof settings, "%s%s", more, hand_settings(b->hand, ""));
	memset(megabyte, '\n', 1 << 20);
	snprintf(state, sizeof state, "XDG_STATE_HOME=%s", folder_path());
	CU_ASSERT_EQUAL_FATAL(mkdir(folder_file("weir", NULL), 0700), 0);
	CU_ASSERT_EQUAL_FATAL(mkdir(folder_file("weir/tapes", NULL), 0700), 0);
	folder_file("weir/tapes/20200101-000000.000-1.tape", megabyte);
	b->tapes = folder_file("weir/proxy", NULL);
	CU_ASSERT_EQUAL_FATAL(mkdir(b->tapes, 0700), 0);
	folder_file("weir/proxy/20200101-000000.000-1.tape", megabyte);
	free(megabyte);
	between_begin_with(b, settings, ARGS("--to", "hand"), ARGS(state));
}

static void exchange_once(struct between *b)
{
	between_ask(b, POST("/v1/messages", "2\r\n\r\n{}"));
	CU_ASSERT_FATAL(hand_accept(b->hand));
	hand_reply(b->hand, 200, "application/json", "{}");
	CU_ASSERT(program_await_errors(&b->proxy, "POST /v1/messages 200"));
	CU_ASSERT(program_await_errors(&b->proxy, " ms"));
}

/* Each piece reaches the client before the next one is sent. */
static void every_piece_passes_at_once(void)
{
	struct between b;
	struct buf tape = { 0 };

	between_begin(&b, NULL);
	between_ask(&b, POST("/v1/chat/completions", "35\r\n\r\n{\"model\":\"m-9\",\"stream\":true,\"x\":1}\n"));
	CU_ASSERT_FATAL(hand_accept(b.hand));
	CHECK(strstr(hand_head(b.hand), "POST /v1/chat/completions HTTP/1.1") && strstr(hand_head(b.hand), "Authorization: Bearer " KEY) &&
	      strstr(hand_head(b.hand), "X-Own: kept") && strstr(hand_head(b.hand), "Accept-Encoding: gzip"), "%s", hand_head(b.hand));
	CHECK(strstr(hand_body(b.hand), "{\"model\":\"m-9\",\"stream\":true,\"x\":1}"), "%s", hand_body(b.hand));
	hand_begin(b.hand);
	CU_ASSERT(between_sees(&b, "\r\n\r\n"));
	hand_text(b.hand, "one ");
	CU_ASSERT(between_sees(&b, "one "));
	hand_text(b.hand, "two");
	CU_ASSERT(between_sees(&b, "two"));
	hand_finish(b.hand, "stop");
	CU_ASSERT(between_sees(&b, "[DONE]"));
	between_read_tape(&b, "200 complete", &tape);
	CHECK(str_starts(buf_str(&tape), "{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"dialect\":\"generic\",\"provider\":\"hand\""), "%s", buf_z(&tape));
	CHECK(strstr(buf_z(&tape), "\"request\":{\"model\":\"m-9\",\"stream\":true,\"x\":1},\"model\":\"m-9\"}"), "%s", buf_z(&tape));
	CHECK(strstr(buf_z(&tape), "one ") && strstr(buf_z(&tape), "\"end\":\"closed\""), "%s", buf_z(&tape));
	CHECK(!strstr(buf_z(&tape), "secret"), "%s", buf_z(&tape));
	CHECK(!strstr(buf_z(&b.proxy.errors), "secret"), "%s", buf_z(&b.proxy.errors));
	buf_fini(&tape);
	between_end(&b);
}

/* The client gets neither an end that was not sent nor silence. */
static void a_broken_answer_breaks_for_the_client(void)
{
	struct between b;
	struct buf tape = { 0 };

	between_begin(&b, NULL);
	between_ask(&b, POST("/chat/completions", "2\r\n\r\n{}"));
	CU_ASSERT_FATAL(hand_accept(b.hand));
	hand_answer(b.hand, 200, "text/event-stream\r\nContent-Length: 1000");
	hand_text(b.hand, "half");
	CU_ASSERT(between_sees(&b, "half"));
	hand_close(b.hand);
	CU_ASSERT(between_sees(&b, NULL));
	CHECK(!strstr(buf_z(&b.seen), "\r\n0\r\n"), "%s", buf_z(&b.seen));
	between_read_tape(&b, "200 cut", &tape);
	CHECK(strstr(buf_z(&tape), "\"end\":\"cut\""), "%s", buf_z(&tape));
	buf_fini(&tape);
	between_end(&b);
}

static void a_client_that_leaves_stops_the_request(void)
{
	struct between b;
	struct buf tape = { 0 };

	if (!other_end_is_known) {
		check_skip("POSIX has no table of sockets: the next write tells");
		return;
	}
	between_begin(&b, NULL);
	between_ask(&b, POST("/v1/messages", "2\r\n\r\n{}"));
	CU_ASSERT_FATAL(hand_accept(b.hand));
	hand_begin(b.hand);
	CU_ASSERT(between_sees(&b, "\r\n\r\n"));
	close(b.client);
	b.client = -1;
	CU_ASSERT(hand_is_left(b.hand));
	between_read_tape(&b, "200 cancelled", &tape);
	CHECK(strstr(buf_z(&tape), "\"protocol\":\"anthropic\"") && strstr(buf_z(&tape), "\"end\":\"cancelled\""), "%s", buf_z(&tape));
	buf_fini(&tape);
	between_end(&b);
}

static void errors_pass_as_they_are(void)
{
	struct between b;

	between_begin(&b, NULL);
	between_ask(&b, POST("/v1/responses", "2\r\n\r\n{}"));
	CU_ASSERT_FATAL(hand_accept(b.hand));
	hand_reply(b.hand, 429, "application/json\r\nRetry-After: 7", "{\"error\":{\"message\":\"slow down\"}}");
	CU_ASSERT(between_sees(&b, "slow down"));
	CHECK(strstr(buf_z(&b.seen), "HTTP/1.1 429") && strcasestr(buf_z(&b.seen), "retry-after: 7"), "%s", buf_z(&b.seen));
	CHECK(program_await_errors(&b.proxy, "/v1/responses 429 error"), "%s", buf_z(&b.proxy.errors));
	between_end(&b);
}

/* A key in the URL goes to the provider, and to no tape. A server that repeats it gets it masked on the way back. */
static void keys_are_never_kept(void)
{
	struct between b;
	struct buf tape = { 0 };

	between_begin(&b, NULL);
	between_ask(&b, POST("/v1beta/models/m-7:streamGenerateContent?alt=sse&key=AIza-secret-key", "2\r\n\r\n{}"));
	CU_ASSERT_FATAL(hand_accept(b.hand));
	CHECK(strstr(hand_head(b.hand), "key=AIza-secret-key"), "%s", hand_head(b.hand));
	hand_reply(b.hand, 400, "application/json", "{\"error\":{\"message\":\"AIza-secret-key and " KEY " are wrong\"}}");
	CU_ASSERT(between_sees(&b, "are wrong"));
	between_read_tape(&b, ":streamGenerateContent 400 error", &tape);
	CHECK(!strstr(buf_z(&tape), "secret") && strstr(buf_z(&tape), "\"model\":\"m-7\""), "%s", buf_z(&tape));
	CHECK(!strstr(buf_z(&b.proxy.errors), "secret"), "%s", buf_z(&b.proxy.errors));
	buf_fini(&tape);
	between_end(&b);
}

static void what_cannot_be_reached_is_said(void)
{
	struct between b = { .tapes = folder_path() };

	between_begin_with(&b, "[provider far]\nbase_url = http://llm.example.invalid\n", ARGS("--to", "far", "-o", b.tapes), NULL);
	between_ask(&b, POST("/v1/chat/completions", "2\r\n\r\n{}"));
	CU_ASSERT(between_sees(&b, "over plain http"));
	CHECK(strstr(buf_z(&b.seen), "HTTP/1.1 502"), "%s", buf_z(&b.seen));
	CHECK(program_await_errors(&b.proxy, "POST /v1/chat/completions 502 refused") && program_await_errors(&b.proxy, "over plain http"), "%s",
	      buf_z(&b.proxy.errors));
	between_end(&b);
}

static void other_hosts_are_refused(void)
{
	struct between b;

	between_begin(&b, NULL);
	between_ask(&b, "POST /v1/messages HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}");
	CU_ASSERT(between_sees(&b, "HTTP/1.1 421"));
	between_end(&b);
}

/* "@host" behind "http://..." would be a request to another host. */
static void a_path_names_no_host(void)
{
	struct between b;
	char request[200];
	const char *port;

	between_begin(&b, NULL);
	port = strrchr(hand_settings(b.hand, ""), ':') + 1;
	snprintf(request, sizeof request, "POST @127.0.0.1:%lu/v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}", strtoul(port, NULL, 10));
	between_ask(&b, request);
	CU_ASSERT(between_sees(&b, "begin with a slash"));
	between_end(&b);
}

/* Nobody is sent to look for a file that is not there. */
static void a_tape_that_is_not_kept_is_not_named(void)
{
	struct between b;

	between_begin(&b, NULL);
	CU_ASSERT_EQUAL(rmdir(b.tapes), 0);
	exchange_once(&b);
	CHECK(program_await_errors(&b.proxy, "(no tape)") && !strstr(strstr(buf_z(&b.proxy.errors), "POST /v1"), ".tape"), "%s", buf_z(&b.proxy.errors));
	between_end(&b);
}

/* What the settings say of tapes holds here too: how much they take, and whether there are any. */
static void the_ring_is_that_of_the_settings(void)
{
	struct between b;

	begin_with_ring(&b, "tapes = 1\n");
	exchange_once(&b);
	CHECK(between_tape_count(&b) == 1 && access(folder_file("weir/proxy/20200101-000000.000-1.tape", NULL), F_OK) != 0, "%zu", between_tape_count(&b));
	CU_ASSERT_EQUAL(access(folder_file("weir/tapes/20200101-000000.000-1.tape", NULL), F_OK), 0); /* that of the chat */
	between_end(&b);
	begin_with_ring(&b, "tapes = 0\n");
	exchange_once(&b);
	CHECK(between_tape_count(&b) == 1 && strstr(buf_z(&b.proxy.errors), "no tapes are kept: the settings keep none"), "%s", buf_z(&b.proxy.errors));
	between_end(&b);
}

static void wrong_calls_are_usage_errors(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("proxy"), NULL), 2);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("proxy", "--to", "nobody"), NULL), 2);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("proxy", "--to", "demo", "more"), NULL), 2);
	program_free(&p);
	folder_remove();
}

/* What the client did not say, the server is not told. */
static void headers_are_those_of_the_client(void)
{
	struct between b;

	between_begin(&b, NULL);
	between_ask(&b, "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Own: kept\r\nContent-Length: 2\r\n\r\n{}");
	CU_ASSERT_FATAL(hand_accept(b.hand));
	struct str head = str_from(hand_head(b.hand));
	CHECK(str_has_nocase(head, STR("x-own: kept")), "%.*s", STR_ARG(head));
	CHECK(!str_has_nocase(head, STR("accept:")) && !str_has_nocase(head, STR("content-type:")) && !str_has_nocase(head, STR("user-agent:")) &&
	      !str_has_nocase(head, STR("expect:")), "%.*s", STR_ARG(head));
	hand_reply(b.hand, 200, "application/json", "{}");
	CU_ASSERT(program_await_errors(&b.proxy, "POST /v1/messages 200"));
	between_end(&b);
}

const struct suite suite_proxy = { "proxy", (const struct test[]){
	TEST(headers_are_those_of_the_client),
	TEST(every_piece_passes_at_once), TEST(a_broken_answer_breaks_for_the_client), TEST(a_client_that_leaves_stops_the_request),
	TEST(errors_pass_as_they_are), TEST(keys_are_never_kept), TEST(what_cannot_be_reached_is_said), TEST(other_hosts_are_refused),
	TEST(a_path_names_no_host), TEST(a_tape_that_is_not_kept_is_not_named),
	TEST(the_ring_is_that_of_the_settings),
	TEST(wrong_calls_are_usage_errors), { 0 },
} };
