/* Connections between and during turns: reuse, several addresses, proxies from the environment, compression. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "loopback.h"
#include "support/check.h"
#include "support/faulty.h"
#include "support/secure.h"

#define OK "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 2\r\n\r\nok"
#define OK_LOG "head 200 a/b\nbody ok\nend closed\n"
#define KEY "sk-0123456789"

/* Runs a request to its end; false when it cannot be started. */
static void ask(struct http *http, const char *url, const char *ca_file, struct recorder *r)
{
	const char *const headers[] = { "authorization: Bearer " KEY };
	struct http_request request = { .method = "POST", .url = url, .headers = headers, .header_count = 1, .body = STR("{}"),
		                        .http2 = true, /* nghttpd's only one */ .connect_timeout_ms = CHECK_PATIENCE_MS, .ca_file = ca_file };

	loop_ask(http, &request, r);
}

static void ask_and_expect(struct http *http, const char *url, const char *ca_file, const char *log, const char *words)
{
	struct recorder r;

	recorder_init(&r);
	ask(http, url, ca_file, &r);
	CHECK(str_is(buf_str(&r.log), log), "%s: %s", url, buf_z(&r.log));
	CHECK(strstr(buf_z(&r.detail), words) != NULL, "%s: %s", url, buf_z(&r.detail));
	recorder_fini(&r);
}

static void ask_port(struct http *http, const struct faulty *server, const char *log, const char *words)
{
	char url[64];

	snprintf(url, sizeof url, "http://127.0.0.1:%u/v1", faulty_port(server));
	ask_and_expect(http, url, NULL, log, words);
}

static unsigned count(const char *text, const char *words)
{
	unsigned found = 0;

	while ((text = strstr(text, words))) {
		text++;
		found++;
	}
	return found;
}

/* --- connection reuse --- */

static void one_connection_for_several_turns(void)
{
	struct faulty *server = FAULTY_ONE(OK FAULTY_REQUEST OK FAULTY_REQUEST OK FAULTY_HANG);
	struct http *http = http_new();

	for (int turn = 0; turn < 3; turn++)
		ask_port(http, server, OK_LOG, "");
	CU_ASSERT_EQUAL(faulty_accepted(server), 1);
	http_free(http);
	faulty_free(server);
}

/* A connection that is kept has no steps before the request was sent. */
static void a_head_says_how_its_connection_came(void)
{
	struct faulty *server = FAULTY_ONE(OK FAULTY_REQUEST OK FAULTY_HANG);
	struct http *http = http_new();
	struct recorder first, second;
	char url[64];

	snprintf(url, sizeof url, "http://127.0.0.1:%u/v1", faulty_port(server));
	recorder_init(&first);
	recorder_init(&second);
	ask(http, url, NULL, &first);
	ask(http, url, NULL, &second);
	CU_ASSERT(recorder_is_new_connection(&first, false));
	CHECK_STR(str_from(first.http), "1.1");
	CU_ASSERT(second.is_timed && second.reused && second.timings.first_byte_ms >= second.timings.sent_ms && second.timings.first_byte_ms > 0);
	CU_ASSERT(second.timings.name_ms == 0 && second.timings.connect_ms == 0 && second.timings.tls_ms == 0);
	recorder_fini(&first);
	recorder_fini(&second);
	http_free(http);
	faulty_free(server);
}

/* libcurl's buffers go away with the connections. */
static void no_connection_stays_where_a_key_was_repeated(void)
{
	static const struct { const char *answer, *log; unsigned accepted; } cases[] = {
		{ "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 13\r\n\r\n" KEY, "head 200 a/b\nbody *************\nend closed\n", 2 },
		{ "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nX-Id: " KEY "\r\nContent-Length: 2\r\n\r\nok", OK_LOG, 2 },
		{ OK, OK_LOG, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char script[400], url[64];
		struct redact_set secrets = { 0 };
		struct http_request request = { .method = "GET", .url = url, .connect_timeout_ms = CHECK_PATIENCE_MS, .secrets = &secrets };
		struct http *http = http_new();

		snprintf(script, sizeof script, "%s" FAULTY_REQUEST "%s" FAULTY_HANG, cases[i].answer, cases[i].answer);
		struct faulty *server = FAULTY_ONE(script);

		snprintf(url, sizeof url, "http://127.0.0.1:%u/v1", faulty_port(server));
		redact_set_add(&secrets, STR(KEY));
		for (int turn = 0; turn < 2; turn++) {
			struct recorder r;

			recorder_init(&r);
			loop_ask(http, &request, &r);
			CHECK(str_is(buf_str(&r.log), cases[i].log), "%zu: %s", i, buf_z(&r.log));
			recorder_fini(&r);
		}
		CU_ASSERT_EQUAL(faulty_accepted(server), cases[i].accepted);
		http_free(http);
		faulty_free(server);
		redact_set_fini(&secrets);
	}
}

static void a_connection_that_the_server_closed_is_opened_anew(void)
{
	static const char *const ends[] = { OK, OK FAULTY_RESET, OK FAULTY_HALF, OK "HTTP/1.1 408 Timeout\r\n\r\n" };

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		struct faulty *server = faulty_new((const char *const[]){ ends[i], OK, NULL });
		struct http *http = http_new();

		ask_port(http, server, OK_LOG, "");
		ask_port(http, server, OK_LOG, "");
		CU_ASSERT_EQUAL(faulty_accepted(server), 2);
		http_free(http);
		faulty_free(server);
	}
}

/* The server closes the kept connection while the second request is being sent. No byte of a response came, so it is sent again. */
static void a_kept_connection_that_dies_is_tried_once_more(void)
{
	static const char *const ends[] = { OK FAULTY_REQUEST, OK FAULTY_REQUEST FAULTY_RESET };

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		struct faulty *server = faulty_new((const char *const[]){ ends[i], OK, NULL });
		struct http *http = http_new();
		char *requests;

		ask_port(http, server, OK_LOG, "");
		ask_port(http, server, OK_LOG, "");
		requests = faulty_requests(server);
		CHECK(count(requests, "POST /v1") == 3, "%zu: %s", i, requests);
		mem_free(requests);
		http_free(http);
		faulty_free(server);
	}
}

/* For libcurl, a complete line is the beginning of a response; fewer bytes are not. */
static void a_kept_connection_that_began_to_answer_is_not_tried_again(void)
{
	static const char *const ends[] = { OK FAULTY_REQUEST "HTTP/1.1 200 OK\r\n", OK FAULTY_REQUEST "HTTP/1.1 200 OK\r\n" FAULTY_REST FAULTY_RESET };

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		struct faulty *server = faulty_new((const char *const[]){ ends[i], OK, NULL });
		struct http *http = http_new();
		char *requests;

		ask_port(http, server, OK_LOG, "");
		ask_port(http, server, "end cut\n", "");
		requests = faulty_requests(server);
		CHECK(count(requests, "POST /v1") == 2, "%zu: %s", i, requests);
		mem_free(requests);
		http_free(http);
		faulty_free(server);
	}
}

static void a_first_connection_is_not_tried_again(void)
{
	struct faulty *server = faulty_new((const char *const[]){ "", OK, NULL });
	struct http *http = http_new();

	ask_port(http, server, "end cut\n", "without an answer");
	CU_ASSERT_EQUAL(faulty_accepted(server), 1);
	http_free(http);
	faulty_free(server);
}

/* --- redirects --- */

static void a_key_never_follows_a_redirect(void)
{
	static const char *const statuses[] = { "301", "302", "303", "307", "308" };

	for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
		struct faulty *thief = FAULTY_ONE(OK), *server;
		struct http *http = http_new();
		char script[200], log[64], *requests;

		snprintf(script, sizeof script, "HTTP/1.1 %s Moved\r\nLocation: http://127.0.0.1:%u/\r\nContent-Type: a/b\r\nContent-Length: 0\r\n\r\n",
		         statuses[i], faulty_port(thief));
		snprintf(log, sizeof log, "head %s a/b\nend closed\n", statuses[i]);
		server = FAULTY_ONE(script);
		ask_port(http, server, log, "");
		CU_ASSERT_EQUAL(faulty_accepted(thief), 0);
		requests = faulty_requests(server);
		CU_ASSERT_EQUAL(count(requests, KEY), 1);
		mem_free(requests);
		http_free(http);
		faulty_free(server);
		faulty_free(thief);
	}
}

/* --- addresses --- */

static void reaches_ipv6(void)
{
	struct faulty *server = faulty_new_ipv6((const char *const[]){ OK, NULL });
	struct http *http;
	char url[64], words[64];

	if (!server) {
		check_skip("this machine has no IPv6");
		return;
	}
	http = http_new();
	snprintf(url, sizeof url, "http://[::1]:%u/v1", faulty_port(server));
	ask_and_expect(http, url, NULL, OK_LOG, "");
	faulty_free(server);
	unsigned port = faulty_free_port();
	snprintf(url, sizeof url, "http://[::1]:%u/v1", port);
	snprintf(words, sizeof words, "cannot connect to [::1]:%u: Connection refused", port);
	ask_and_expect(http, url, NULL, "end cut\n", words);
	http_free(http);
}

static void says_that_no_server_listens(void)
{
	struct http *http = http_new();
	char url[64], words[128];
	unsigned port = faulty_free_port();

	snprintf(url, sizeof url, "http://127.0.0.1:%u/secret?key=K", port);
	snprintf(words, sizeof words, "cannot connect to 127.0.0.1:%u: Connection refused (check that the server runs, and the base URL)", port);
	ask_and_expect(http, url, NULL, "end cut\n", words);
	http_free(http);
}

/* --- compression --- */

#define GZIP_START "\037\213\010" FAULTY_NUL FAULTY_NUL FAULTY_NUL FAULTY_NUL FAULTY_NUL "\002\003\313\110\315\311\311\127\310\100\047\271"
#define GZIP GZIP_START FAULTY_NUL FAULTY_NUL "\210\131\013\030" FAULTY_NUL FAULTY_NUL FAULTY_NUL
#define ZLIB "\170\234\313\110\315\311\311\127\310\100\047\271" FAULTY_NUL "\160\276\010\273"
#define PACKED(encoding) "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Encoding: " encoding "\r\n"

static void compressed_answers_are_understood(void)
{
	static const char log[] = "head 200 a/b\nbody hello hello hello hello\n\nend closed\n";
	static const char *const whole[] = {
		PACKED("gzip") "\r\n" GZIP,
		PACKED("x-gzip") "Content-Length: 29\r\n\r\n" GZIP,
		PACKED("deflate") "\r\n" ZLIB,
		FAULTY_BYTES PACKED("gzip") "\r\n" GZIP,
		PACKED("gzip") "Transfer-Encoding: chunked\r\n\r\n5\r\n\037\213\010" FAULTY_NUL FAULTY_NUL "\r\n18\r\n" FAULTY_NUL FAULTY_NUL FAULTY_NUL
		"\002\003\313\110\315\311\311\127\310\100\047\271" FAULTY_NUL FAULTY_NUL "\210\131\013\030" FAULTY_NUL FAULTY_NUL FAULTY_NUL "\r\n0\r\n\r\n",
	};

	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
		struct faulty *server = FAULTY_ONE(whole[i]);
		struct http *http = http_new();

		ask_port(http, server, log, "");
		http_free(http);
		faulty_free(server);
	}
}

static void a_compressed_answer_that_breaks_off_keeps_what_came(void)
{
	struct faulty *server = FAULTY_ONE(PACKED("gzip") "Content-Length: 29\r\n\r\n" GZIP_START);
	struct http *http = http_new();
	struct recorder r;
	char url[64];

	recorder_init(&r);
	snprintf(url, sizeof url, "http://127.0.0.1:%u/", faulty_port(server));
	ask(http, url, NULL, &r);
	CHECK_STR(buf_str(&r.log), "head 200 a/b\nbody hello hello hello hello\nend cut\n");
	CHECK(strstr(buf_z(&r.detail), "before the end of the answer") != NULL, "%s", buf_z(&r.detail));
	recorder_fini(&r);
	http_free(http);
	faulty_free(server);
}

/* --- proxies --- */

static void set_proxy(const char *variable, unsigned port)
{
	char url[64];

	snprintf(url, sizeof url, "http://127.0.0.1:%u", port);
	setenv(variable, url, 1);
}

static void a_proxy_carries_plain_http(void)
{
	struct faulty *proxy = FAULTY_ONE(OK);
	struct http *http = http_new();
	char *requests;

	loop_forget_proxies();
	set_proxy("http_proxy", faulty_port(proxy));
	ask_and_expect(http, "http://weir.invalid/v1", NULL, OK_LOG, "");
	requests = faulty_requests(proxy);
	CHECK(str_starts(str_from(requests), "POST http://weir.invalid/v1 HTTP/1.1\r\n"), "%s", requests);
	mem_free(requests);
	loop_forget_proxies();
	http_free(http);
	faulty_free(proxy);
}

static void a_proxy_carries_tls_unseen(void)
{
	struct secure *server = secure_new(SECURE_H2, SECURE_OURS);
	struct faulty *proxy;
	struct http *http;
	char url[64], *requests;

	if (!server)
		return;
	proxy = FAULTY_ONE("HTTP/1.1 200 Connection established\r\nX-Proxy: y\r\n\r\n" FAULTY_TUNNEL);
	http = http_new();
	secure_serve(server, "page.txt", STR("ok"));
	faulty_tunnel_to(proxy, secure_port(server));
	loop_forget_proxies();
	set_proxy("https_proxy", faulty_port(proxy));
	snprintf(url, sizeof url, "https://" SECURE_NAME ":%u/page.txt", secure_port(server));
	ask_and_expect(http, url, secure_ca_file(server), "head 200 text/plain\nbody ok\nend closed\n", "");
	requests = faulty_requests(proxy);
	CHECK(str_starts(str_from(requests), "CONNECT " SECURE_NAME ":"), "%s", requests);
	CHECK(!strstr(requests, KEY) && !strstr(requests, "page.txt"), "%s", requests);
	mem_free(requests);
	loop_forget_proxies();
	http_free(http);
	faulty_free(proxy);
	secure_free(server);
}

static void a_proxy_that_fails_is_named(void)
{
	static const struct { const char *script, *words; } cases[] = {
		{ "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", "the proxy refuses with status 407 (check https_proxy)" },
		{ "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", "the proxy refuses with status 502 (check https_proxy)" },
		{ "", "proxy" },
		{ FAULTY_RESET, "proxy" },
		{ "no proxy at all", "proxy" },
		{ "HTTP/1.1 200 Connection established\r\n\r\n", "TLS failed" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct faulty *proxy = FAULTY_ONE(cases[i].script);
		struct http *http = http_new();

		loop_forget_proxies();
		set_proxy("https_proxy", faulty_port(proxy));
		ask_and_expect(http, "https://weir.invalid/v1", NULL, "end cut\n", cases[i].words);
		loop_forget_proxies();
		http_free(http);
		faulty_free(proxy);
	}
}

static void a_proxy_that_is_not_there_is_named(void)
{
	struct http *http = http_new();

	loop_forget_proxies();
	set_proxy("all_proxy", faulty_free_port());
	ask_and_expect(http, "https://weir.invalid/v1", NULL, "end cut\n", "Connection refused (check the network, the base URL, and the proxy in all_proxy)");
	setenv("https_proxy", "http://proxy.invalid:3128", 1);
	ask_and_expect(http, "https://weir.invalid/v1", NULL, "end cut\n", "the name of the proxy cannot be resolved (check https_proxy)");
	loop_forget_proxies();
	http_free(http);
}

static void some_hosts_go_without_a_proxy(void)
{
	struct faulty *proxy = FAULTY_ONE(OK), *server = FAULTY_ONE(OK);
	struct http *http = http_new();

	loop_forget_proxies();
	set_proxy("http_proxy", faulty_port(proxy));
	ask_port(http, server, OK_LOG, "");
	setenv("no_proxy", ".invalid,10.0.0.1", 1);
	ask_and_expect(http, "http://weir.invalid/v1", NULL, "end cut\n", "the name cannot be resolved");
	CU_ASSERT_EQUAL(faulty_accepted(proxy), 0);
	loop_forget_proxies();
	http_free(http);
	faulty_free(proxy);
	faulty_free(server);
}

const struct suite suite_connections = { "connections", (const struct test[]){
	TEST(one_connection_for_several_turns), TEST(a_head_says_how_its_connection_came), TEST(no_connection_stays_where_a_key_was_repeated), TEST(a_connection_that_the_server_closed_is_opened_anew),
	TEST(a_kept_connection_that_dies_is_tried_once_more), TEST(a_kept_connection_that_began_to_answer_is_not_tried_again),
	TEST(a_first_connection_is_not_tried_again), TEST(a_key_never_follows_a_redirect), TEST(reaches_ipv6), TEST(says_that_no_server_listens),
	TEST(compressed_answers_are_understood), TEST(a_compressed_answer_that_breaks_off_keeps_what_came),
	 TEST(a_proxy_carries_plain_http), TEST(a_proxy_carries_tls_unseen),
	TEST(a_proxy_that_fails_is_named), TEST(a_proxy_that_is_not_there_is_named), TEST(some_hosts_go_without_a_proxy), { 0 } } };
