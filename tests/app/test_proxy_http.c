#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/between.h"
#include "base/mem.h"
#include "support/check.h"
#include "support/connect.h"
#include "support/preload.h"

#define HOST "Host: localhost\r\n"
#define ONCE HOST "Connection: close\r\n"
#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
#define TEXT(literal) { literal, sizeof(literal) - 1 }

/* --- requests --- */

/* Whatever one of two servers may read as another request: refused, and nothing reaches the provider. (What: test_request_head.) */
static void nothing_is_smuggled(void)
{
	static const struct { const char *status; struct str request; } cases[] = {
		{ "400", TEXT("POST /a HTTP/1.1\r\n" HOST "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\nPOST /b HTTP/1.1\r\n" HOST "\r\n") },
		{ "400", TEXT("POST /a HTTP/1.1\r\n" HOST "Content-Length: 4\r\nX: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n") },
		{ "400", TEXT("POST /a HTTP/1.1\r\n" HOST "Content-Length: 0\r\nContent-Length: 30\r\n\r\nGET /b HTTP/1.1\r\n" HOST "\r\n") },
		{ "400", TEXT("POST /a HTTP/1.1\r\n" HOST "Content-Length: 30\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /b HTTP/1.1\r\n" HOST "\r\n") },
		{ "400", TEXT("GET /a HTTP/1.1\n" HOST "\r\n") },
		{ "400", TEXT("G\x01" "ET /a HTTP/1.1\r\n" HOST "\r\n") },
		{ "400", TEXT("GET /a\0b HTTP/1.1\r\n" HOST "\r\n") },
		{ "400", TEXT("GET /a HTTP/1.1\r\n" HOST "X\0Y: z\r\n\r\n") },
		{ "400", TEXT("CONNECT llm.example:443 HTTP/1.1\r\n" HOST "\r\n") },
		{ "501", TEXT("POST /a HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n") },
		{ "421", TEXT("GET http://llm.example/a HTTP/1.1\r\n" HOST "\r\n") },
		{ "403", TEXT("GET /a HTTP/1.1\r\n" HOST "Origin: https://page.example\r\n\r\n") },
		{ "403", TEXT("GET /a HTTP/1.1\r\n" HOST "Sec-Fetch-Site: cross-site\r\n\r\n") },
		{ "400", TEXT("GET /a/../../admin HTTP/1.1\r\n" ONCE "\r\n") },
		{ "400", TEXT("GET /%2e%2e/admin HTTP/1.1\r\n" ONCE "\r\n") },
		{ "400", TEXT("HEAD /a HTTP/1.1\r\n" ONCE "Content-Length: 2\r\n\r\n{}") },
	};
	struct between b;

	between_begin_faulty(&b, (const char *const[]){ OK, NULL }, NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *seen = between_asked(&b, cases[i].request);

		CHECK(str_starts(str_from(seen), "HTTP/1.1 ") && str_starts(str_from(seen + 9), cases[i].status), "%s: %s", cases[i].request.ptr, seen);
		CHECK(!strstr(seen + 1, "HTTP/1.1"), "%s: %s", cases[i].request.ptr, seen);
	}
	CU_ASSERT_EQUAL(faulty_accepted(b.faulty), 0);
	CU_ASSERT_EQUAL(between_tape_count(&b), 0);
	between_end(&b);
}

/* A tape with some of them masked is none that may be kept, and to search for thousands in each byte would hold up all others. */
static void more_keys_than_can_be_masked_are_refused(void)
{
	struct buf request = { 0 };
	struct between b;

	buf_add_z(&request, "GET /a-key-00000299 HTTP/1.1\r\n" ONCE "Cookie: ");
	for (int i = 0; i < 300; i++)
		buf_printf(&request, "a=a-key-%08d; ", i);
	buf_add_z(&request, "\r\n\r\n");
	between_begin_faulty(&b, (const char *const[]){ OK, NULL }, NULL);
	CU_ASSERT(str_starts(str_from(between_asked(&b, buf_str(&request))), "HTTP/1.1 431 "));
	CU_ASSERT(program_await_errors(&b.proxy, "more keys"));
	CHECK(!strstr(buf_z(&b.proxy.errors), "a-key-"), "%s", buf_z(&b.proxy.errors));
	CU_ASSERT_EQUAL(faulty_accepted(b.faulty), 0);
	CU_ASSERT_EQUAL(between_tape_count(&b), 0);
	between_end(&b);
	buf_fini(&request);
}

/* A chunk that is none: what has gone on cannot be taken back, but it is not completed. */
static void a_broken_body_ends_its_request(void)
{
	struct between b;

	between_begin_faulty(&b, (const char *const[]){ FAULTY_AT_ONCE FAULTY_HANG, NULL }, NULL);
	const char *seen = between_asked(&b, STR("POST /a HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0 \r\n\r\nGET /b HTTP/1.1\r\n" HOST "\r\n"));
	CHECK(str_starts(str_from(seen), "HTTP/1.1 400 "), "%s", seen);
	CU_ASSERT(program_await_errors(&b.proxy, "POST /a cancelled"));
	between_end(&b);
}

static void methods_and_bodies_pass(void)
{
	static const struct { const char *request, *as; } cases[] = {
		{ "GET /a?b=c HTTP/1.1\r\n" ONCE "\r\n", "GET /a?b=c HTTP/1.1\r\n" },
		{ "GET /a HTTP/1.1\r\n" ONCE "Content-Length: 4\r\n\r\nbody", "Content-Length: 4\r\n\r\nbody" },
		{ "DELETE /a HTTP/1.1\r\n" ONCE "\r\n", "DELETE /a HTTP/1.1\r\n" },
		{ "POST /a HTTP/1.1\r\n" ONCE "Content-Length: 0\r\n\r\n", "Content-Length: 0\r\n" },
		{ "POST /a HTTP/1.0\r\nContent-Length: 4\r\n\r\nbody", "\r\n\r\nbody" },
		{ "POST http://127.0.0.1/a HTTP/1.1\r\n" ONCE "Content-Length: 4\r\n\r\nbody", "POST /a HTTP/1.1\r\nHost: 127.0.0.1:" },
		{ "\r\nPOST /a HTTP/1.1\r\n" ONCE "Transfer-Encoding: chunked\r\n\r\n2;ext\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n" },
		{ "GET /a HTTP/1.1\r\n" ONCE "Accept-Encoding: br;q=1, zstd\r\nX-Empty:\r\n\r\n", "Accept-Encoding: br;q=1, zstd\r\nX-Empty:\r\n" },
		{ "GET /a HTTP/1.1\r\n" HOST "Connection: close, X-Hop\r\nX-Hop: x\r\nKeep-Alive: 1\r\nUpgrade: websocket\r\nProxy-Connection: x\r\n\r\n", NULL },
	};
	struct between b;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		between_begin_faulty(&b, (const char *const[]){ OK, NULL }, NULL);
		const char *seen = between_asked(&b, str_from(cases[i].request));
		char *requests = faulty_requests(b.faulty);

		CHECK(str_starts(str_from(seen), "HTTP/1.1 200 OK\r\n") && strstr(seen, "\r\n\r\nok"), "%s: %s", cases[i].request, seen);
		CHECK(cases[i].as ? strstr(requests, cases[i].as) != NULL : !strcasestr(requests, "hop") && !strcasestr(requests, "keep-alive") &&
		      !strcasestr(requests, "upgrade") && !strcasestr(requests, "proxy"), "%s: %s", cases[i].request, requests);
		CHECK(!strcasestr(requests, "user-agent") && !strcasestr(requests, "accept:") && !strcasestr(requests, "expect"), "%s", requests);
		mem_free(requests);
		between_end(&b);
	}
}

/* The answer to HEAD has a head only, and is over with it. */
static void a_head_has_no_body(void)
{
	struct between b;

	between_begin_faulty(&b, (const char *const[]){ "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nX-A: b\r\n\r\n" FAULTY_HANG, NULL }, NULL);
	const char *seen = between_asked(&b, STR("HEAD /v1/messages HTTP/1.1\r\n" ONCE "\r\n"));
	CHECK(strstr(seen, "Content-Length: 1234\r\n") && strstr(seen, "X-A: b\r\n") && str_ends(str_from(seen), "\r\n\r\n") && !strstr(seen, "chunked"), "%s", seen);
	CU_ASSERT(program_await_errors(&b.proxy, "HEAD /v1/messages 200 closed"));
	between_end(&b);
}

static void requests_on_one_connection_are_answered_in_order(void)
{
	struct between b;

	between_begin_faulty(&b, (const char *const[]){ "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none" FAULTY_REQUEST "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo", NULL }, NULL);
	const char *seen = between_asked(&b, STR("POST /1 HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\n{}\r\nGET /2 HTTP/1.1\r\n" ONCE "\r\n"));
	CHECK(strstr(seen, "\r\n\r\noneHTTP/1.1 200 OK\r\n") && str_ends(str_from(seen), "two"), "%s", seen);
	between_end(&b);
}

static void a_client_that_has_closed_its_sending_half_is_answered(void)
{
	struct between b;

	between_begin(&b, NULL);
	between_ask(&b, "POST /a HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\n{}");
	shutdown(b.client, SHUT_WR);
	CU_ASSERT_FATAL(hand_accept(b.hand));
	hand_reply(b.hand, 200, "text/plain", "late");
	CU_ASSERT(between_sees(&b, NULL));
	CHECK(strstr(buf_z(&b.seen), "late"), "%s", buf_z(&b.seen));
	between_end(&b);
}

/* A connection that was kept is gone when it is used again: the request is sent once more, with its body. */
static void a_kept_connection_may_be_gone(void)
{
	struct between b;
	char *body = calloc(1, 300001), *request = malloc(300200);

	memset(body, 'x', 300000);
	int head = sprintf(request, "POST /a HTTP/1.1\r\n" ONCE "Content-Length: 300000\r\n\r\n");
	memcpy(request + head, body, 300000);
	between_begin_faulty(&b, (const char *const[]){ "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none" FAULTY_REQUEST, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo", NULL }, NULL);
	CU_ASSERT(strstr(between_asked(&b, STR("GET /1 HTTP/1.1\r\n" ONCE "\r\n")), "one") != NULL);
	const char *seen = between_asked(&b, str_of(request, (size_t)head + 300000));
	CHECK(strstr(seen, "two") != NULL, "%s", seen);
	char *requests = faulty_requests(b.faulty);
	CHECK(str_ends(str_from(requests), body) && faulty_accepted(b.faulty) == 2, "%u", faulty_accepted(b.faulty));
	mem_free(requests);
	free(body);
	free(request);
	between_end(&b);
}

static void an_early_answer_passes_while_the_client_sends(void)
{
	struct between b;

	between_begin_faulty(&b, (const char *const[]){ FAULTY_AT_ONCE "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 2\r\n\r\nno" FAULTY_HANG, NULL }, NULL);
	between_ask(&b, "POST /a HTTP/1.1\r\n" HOST "Content-Length: 1000000000\r\n\r\n{\"a\":");
	CU_ASSERT(between_sees(&b, "\r\n\r\nno"));
	CHECK(strstr(buf_z(&b.seen), "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n"), "%s", buf_z(&b.seen));
	between_end(&b);
}

static void a_client_may_wait_for_100_continue(void)
{
	struct between b;

	between_begin_faulty(&b, (const char *const[]){ FAULTY_AT_ONCE "HTTP/1.1 100 Continue\r\n\r\n" FAULTY_REQUEST OK, NULL }, NULL);
	between_ask(&b, "POST /a HTTP/1.1\r\n" ONCE "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n");
	CU_ASSERT(between_sees(&b, "HTTP/1.1 100 Continue\r\n\r\n"));
	between_ask(&b, "body");
	CU_ASSERT(between_sees(&b, NULL));
	char *requests = faulty_requests(b.faulty);
	CHECK(strstr(requests, "Expect: 100-continue\r\n") && str_ends(str_from(requests), "\r\n\r\nbody") && str_ends(buf_str(&b.seen), "ok"), "%s", requests);
	mem_free(requests);
	between_end(&b);
}

/* --- responses --- */

static void responses_pass_as_they_are(void)
{
	static const struct { const char *script, *seen; } cases[] = {
		{ "HTTP/1.1 200 As you like\r\nX-UPPER: Value \r\nDate: today\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 As you like\r\nX-UPPER: Value\r\nDate: today\r\nContent-Length: 2\r\n" ONCE "\r\nok" },
		{ "HTTP/1.1 200 OK\r\n\r\nto the end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" ONCE "\r\na\r\nto the end\r\n0\r\n\r\n" },
		{ "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 204 No Content\r\n" ONCE "\r\n" },
		{ "HTTP/1.1 304 Not Modified\r\nContent-Length: 70\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 70\r\n" ONCE "\r\n" },
		{ "HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nContent-Length: 0\r\n" ONCE "\r\n" },
		{ "HTTP/1.1 103 Early Hints\r\nX-Hint: 1\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" OK,
		  "HTTP/1.1 103 Early Hints\r\nX-Hint: 1\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n" ONCE "\r\nok" },
		{ "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2;x=y\r\nok\r\n0\r\nX-T: end\r\nContent-Length: 9\r\nSet-Cookie: a=b\r\n\r\n",
		  "HTTP/1.1 200 OK\r\nTrailer: X-T\r\nTransfer-Encoding: chunked\r\n" ONCE "\r\n2\r\nok\r\n0\r\nX-T: end\r\n\r\n" },
		{ "HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nX-Stays: 1\r\nContent-Length: 2\r\n\r\nok",
		  "HTTP/1.1 200 OK\r\nX-Stays: 1\r\nContent-Length: 2\r\n" ONCE "\r\nok" },
		/* What a browser would keep or do for every server on this machine. */
		{ "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\naccess-control-anything: x\r\nSet-Cookie: a=b\r\nStrict-Transport-Security: max-age=1\r\n"
		  "Secure-Session-Registration: (ES256)\r\nReferrer-Policy: unsafe-url\r\nAlt-Svc: h3=\":1\"\r\nClear-Site-Data: \"*\"\r\nRefresh: 0;url=x\r\nLink: </a>; rel=preload\r\nReport-To: {}\r\nNEL: {}\r\n"
		  "Content-Security-Policy: x\r\nCross-Origin-Resource-Policy: cross-origin\r\nService-Worker-Allowed: /\r\nSourceMap: /m\r\nretry-after: 7\r\n"
		  "Content-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nretry-after: 7\r\nContent-Length: 2\r\n" ONCE "\r\nok" },
		/* What is not clear is not passed on. */
		{ "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!", NULL },
		{ "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", NULL },
		{ "no HTTP\r\n\r\n", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct between b;
		char expected[1000], *at;

		between_begin_faulty(&b, (const char *const[]){ cases[i].script, NULL }, NULL);
		const char *seen = between_asked(&b, STR("GET /a HTTP/1.1\r\n" ONCE "\r\n"));
		if (cases[i].seen) {
			snprintf(expected, sizeof expected, "%s", cases[i].seen);
			while ((at = strstr(expected, HOST))) /* ONCE is for requests */
				memmove(at, at + strlen(HOST), strlen(at + strlen(HOST)) + 1);
			CHECK_STR(str_from(seen), expected);
		} else {
			CHECK(str_starts(str_from(seen), "HTTP/1.1 502 ") && strstr(seen, "{\"error\":{\"message\":"), "%s: %s", cases[i].script, seen);
			CHECK(program_await_errors(&b.proxy, "GET /a cut"), "%s", buf_z(&b.proxy.errors));
		}
		between_end(&b);
	}
}

/* An end that was not sent is told to no client, however it finds the end. */
static void a_cut_response_is_cut(void)
{
	static const char *const scripts[] = { "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n" };

	for (size_t i = 0; i < 4; i++) {
		struct between b;
		char byte;

		between_begin_faulty(&b, (const char *const[]){ scripts[i / 2], NULL }, NULL);
		between_ask(&b, i % 2 ? "GET /a HTTP/1.0\r\n\r\n" : "GET /a HTTP/1.1\r\n" HOST "\r\n");
		CU_ASSERT(between_sees(&b, "half"));
		ssize_t end = recv(b.client, &byte, 1, 0);
		CHECK(i == 3 ? end < 0 : end == 0 || (end > 0 && byte == '\r'), "%zu: %zd", i, end); /* HTTP/1.0 without a length: a reset */
		CHECK(program_await_errors(&b.proxy, "GET /a 200 cut"), "%s", buf_z(&b.proxy.errors));
		between_end(&b);
	}
}

/* --- memory and slow readers --- */

#define GROWTH_KB_MOST ((size_t)48 << 10)
#define TURNS 10

/* The most memory that the proxy has had, in KB. */
static size_t peak_kb(const struct between *b)
{
	struct buf status = { 0 };
	struct error err;
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/status", (long)b->proxy.pid);
	CU_ASSERT_FATAL(buf_read_file(&status, path, &err) && strstr(buf_z(&status), "VmHWM:"));
	size_t kb = (size_t)strtoul(strstr(buf_z(&status), "VmHWM:") + strlen("VmHWM:"), NULL, 10);
	buf_fini(&status);
	return kb;
}

/* Other requests are answered: the proxy has done what it could for the rest. */
static void take_turns(struct between *b)
{
	for (int i = 0; i < TURNS; i++)
		CU_ASSERT(str_starts(str_from(between_asked(b, STR("GET /.. HTTP/1.1\r\n" ONCE "\r\n"))), "HTTP/1.1 400"));
}

/* Neither end is cut, and what is not read waits where it comes from. */
static void a_slow_reader_gets_everything(void)
{
	enum { BYTES = 100000000 };
	static char bytes[65536];
	size_t before, read = 0;
	struct between b;
	ssize_t count;

	between_begin_faulty(&b, (const char *const[]){ "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n" FAULTY_FILL(100000000), NULL }, NULL);
	before = peak_kb(&b);
	int slow = b.client;
	b.client = -1;
	CU_ASSERT(send(slow, "GET /a HTTP/1.0\r\n\r\n", 19, MSG_NOSIGNAL) == 19);
	take_turns(&b);
	while ((count = recv(slow, bytes, sizeof bytes, 0)) > 0) {
		struct str piece = str_of(bytes, (size_t)count);

		read += piece.len - (str_starts(piece, "HTTP/1.1 200") ? str_find(piece, STR("\r\n\r\n")) + 4 : 0);
	}
	CHECK(read == BYTES && count == 0, "%zu", read);
	CHECK(preload_is_sanitized() || peak_kb(&b) < before + GROWTH_KB_MOST, "%zu KB, then %zu KB", before, peak_kb(&b));
	close(slow);
	between_end(&b);
}

static bool sends_more(int fd)
{
	static char bytes[65536];
	bool more = false;

	while (send(fd, bytes, sizeof bytes, MSG_NOSIGNAL | MSG_DONTWAIT) > 0)
		more = true;
	return more;
}

/* The provider does not read: the clients' bytes wait with the clients. */
static void large_requests_wait_where_they_come_from(void)
{
	enum { CLIENTS = 10 };
	static const char head[] = "POST /v1/messages HTTP/1.1\r\n" HOST "Content-Length: 600000000\r\n\r\n";
	int clients[CLIENTS];
	struct between b;
	bool more = true;

	between_begin_faulty(&b, (const char *const[]){ FAULTY_AT_ONCE FAULTY_HANG, NULL }, NULL);
	size_t before = peak_kb(&b);
	for (size_t i = 0; i < CLIENTS; i++) {
		clients[i] = connect_to_url(buf_z(&b.proxy.output));
		CU_ASSERT(send(clients[i], head, sizeof head - 1, MSG_NOSIGNAL) == sizeof head - 1);
	}
	while (more) {
		more = false;
		for (size_t i = 0; i < CLIENTS; i++)
			more |= sends_more(clients[i]);
		take_turns(&b);
	}
	CHECK(preload_is_sanitized() || peak_kb(&b) < before + GROWTH_KB_MOST, "%zu KB, then %zu KB", before, peak_kb(&b));
	for (size_t i = 0; i < CLIENTS; i++)
		close(clients[i]);
	between_end(&b);
}

const struct suite suite_proxy_http = { "proxy_http", (const struct test[]){
	TEST(nothing_is_smuggled), TEST(more_keys_than_can_be_masked_are_refused), TEST(a_broken_body_ends_its_request),
	TEST(methods_and_bodies_pass), TEST(a_head_has_no_body),
	TEST(requests_on_one_connection_are_answered_in_order), TEST(a_client_that_has_closed_its_sending_half_is_answered),
	TEST(a_kept_connection_may_be_gone), TEST(an_early_answer_passes_while_the_client_sends), TEST(a_client_may_wait_for_100_continue),
	TEST(responses_pass_as_they_are), TEST(a_cut_response_is_cut), TEST(a_slow_reader_gets_everything), TEST(large_requests_wait_where_they_come_from), { 0 } } };
