/* TLS, always verified; HTTP/2 by nghttpd and HTTP/1.1 behind it. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "loopback.h"
#include "support/check.h"
#include "support/faulty.h"
#include "support/secure.h"

/* A request to its end; a POST when there is a body. */
static void ask(struct http *http, const char *url, const char *ca_file, struct str body, struct recorder *r)
{
	struct http_request request = { .method = body.ptr ? "POST" : "GET", .url = url, .body = body, .connect_timeout_ms = 10000, .ca_file = ca_file };

	loop_ask(http, &request, r);
}

static void ask_at(struct http *http, unsigned port, const char *ca_file, struct str body, struct recorder *r)
{
	char url[100];

	snprintf(url, sizeof url, "https://127.0.0.1:%u/page.sse", port);
	ask(http, url, ca_file, body, r);
}

static void trusts_only_what_it_is_told_to(void)
{
	static const struct { enum secure_certificate kind; bool trusted; const char *words[2]; } cases[] = {
		{ SECURE_OURS, true, { NULL } },
		{ SECURE_OURS, false, { "TLS failed: SSL certificate problem: self-signed certificate", "ca_file or SSL_CERT_FILE" } },
		{ SECURE_EXPIRED, true, { "certificate has expired", "the clock of this machine" } },
		{ SECURE_FOREIGN, true, { "127.0.0.1", "the certificate is another host's" } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct secure *server = secure_new(SECURE_H2, cases[i].kind);
		struct http *http;
		struct recorder r;

		if (!server)
			return;
		http = http_new();
		recorder_init(&r);
		secure_serve(server, "page.sse", STR("hello"));
		ask_at(http, secure_port(server), cases[i].trusted ? secure_ca_file(server) : NULL, STR_NONE, &r);
		CHECK(str_is(buf_str(&r.log), cases[i].words[0] ? "end cut\n" : "head 200 text/event-stream\nbody hello\nend closed\n"), "%zu: %s", i, buf_z(&r.log));
		for (size_t j = 0; j < 2 && cases[i].words[j]; j++)
			CHECK(strstr(buf_z(&r.detail), cases[i].words[j]) != NULL, "%zu: %s", i, buf_z(&r.detail));
		recorder_fini(&r);
		http_free(http);
		secure_free(server);
	}
}

static void names_a_file_of_certificates_that_cannot_be_read(void)
{
	static const char *const files[] = { "/nowhere/ca.pem", "/dev/null" };

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		struct faulty *server = FAULTY_ONE(FAULTY_AT_ONCE FAULTY_HANG);
		struct http *http = http_new();
		struct recorder r;

		recorder_init(&r);
		ask_at(http, faulty_port(server), files[i], STR_NONE, &r);
		CHECK(strstr(buf_z(&r.detail), files[i]) && strstr(buf_z(&r.detail), "cannot be read"), "%s", buf_z(&r.detail));
		recorder_fini(&r);
		http_free(http);
		faulty_free(server);
	}
}

static void ends_when_there_is_no_tls(void)
{
	static const struct { const char *script, *words; } cases[] = {
		{ FAULTY_AT_ONCE "HTTP/1.1 400 Bad Request\r\n\r\n", "begins with http://" },
		{ FAULTY_AT_ONCE FAULTY_RESET, "TLS failed|Connection reset by peer (check that the server runs" }, /* the handshake may not have begun */
		{ FAULTY_AT_ONCE, "TLS failed" },
		{ FAULTY_AT_ONCE "\025\003\003\0002\002\050", "TLS failed" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct faulty *server = FAULTY_ONE(cases[i].script);
		struct http *http = http_new();
		struct recorder r;

		recorder_init(&r);
		ask_at(http, faulty_port(server), NULL, STR_NONE, &r);
		CHECK(strstr(buf_z(&r.detail), "cannot connect to 127.0.0.1:") != NULL, "%zu: %s", i, buf_z(&r.detail));
		CHECK(recorder_says(&r, cases[i].words), "%zu: %s", i, buf_z(&r.detail));
		CHECK_STR(buf_str(&r.log), "end cut\n");
		recorder_fini(&r);
		http_free(http);
		faulty_free(server);
	}
}

/* A handshake that never ends is the connection's time, not the answer's. */
static void gives_up_a_handshake(void)
{
	struct faulty *server = FAULTY_ONE(FAULTY_AT_ONCE FAULTY_HANG);
	struct http *http = http_new();
	struct recorder r;
	char url[100];
	struct http_request request = { .method = "GET", .url = url, .connect_timeout_ms = 80 };

	recorder_init(&r);
	snprintf(url, sizeof url, "https://127.0.0.1:%u/", faulty_port(server));
	loop_ask(http, &request, &r);
	CHECK(strstr(buf_z(&r.detail), "no connection within 0.08 s") != NULL, "%s", buf_z(&r.detail));
	recorder_fini(&r);
	http_free(http);
	faulty_free(server);
}

/* --- HTTP/2 --- */

static void http2_carries_requests_and_answers(void)
{
	struct secure *server = secure_new(SECURE_H2, SECURE_OURS);
	struct http *http;
	struct recorder r;

	if (!server)
		return;
	http = http_new();
	secure_serve(server, "page.sse", STR("data: {}\n\n"));
	for (int turn = 0; turn < 3; turn++) {
		recorder_init(&r);
		ask_at(http, secure_port(server), secure_ca_file(server), turn ? STR("{\"stream\":true}") : STR_NONE, &r);
		CHECK_STR(buf_str(&r.log), "head 200 text/event-stream\nbody data: {}\n\n\nend closed\n");
		CHECK(strstr(buf_z(&r.headers), "server=nghttpd") != NULL, "%s", buf_z(&r.headers));
		recorder_fini(&r);
	}
	http_free(http);
	secure_free(server);
}

static void http2_tells_other_statuses(void)
{
	struct secure *server = secure_new(SECURE_H2, SECURE_OURS);
	struct http *http;
	struct recorder r;

	if (!server)
		return;
	http = http_new();
	recorder_init(&r);
	ask_at(http, secure_port(server), secure_ca_file(server), STR_NONE, &r);
	CU_ASSERT_EQUAL(r.status, 404);
	CU_ASSERT(str_ends(buf_str(&r.log), "end closed\n"));
	recorder_fini(&r);
	http_free(http);
	secure_free(server);
}

static void end_server(void *server)
{
	secure_end(server);
}

/* Large enough that the server cannot have sent all of it when it dies. */
static void http2_breaks_off(void)
{
	struct secure *server = secure_new(SECURE_H2, SECURE_OURS);
	struct str large = { NULL, (size_t)64 << 20 };
	struct http *http;
	struct recorder r;
	char *bytes;

	if (!server)
		return;
	http = http_new();
	bytes = mem_new(large.len);
	large.ptr = memset(bytes, 'x', large.len);
	secure_serve(server, "page.sse", large);
	mem_free(bytes);
	recorder_init(&r);
	r.on_body = end_server;
	r.ctx = server;
	ask_at(http, secure_port(server), secure_ca_file(server), STR_NONE, &r);
	CU_ASSERT(r.body.len > 0 && r.body.len < large.len);
	CU_ASSERT(str_ends(buf_str(&r.log), "end cut\n"));
	CHECK(strstr(buf_z(&r.detail), "closed the connection before the end of the answer") != NULL, "%s", buf_z(&r.detail));
	recorder_fini(&r);
	http_free(http);
	secure_free(server);
}

/* --- frames of HTTP/2 by hand --- */

/* Length, type, flags and stream 1. */
#define FRAME(length, type, flags) "\0\0" length type flags "\0\0\0\1"
#define STATUS_200 "\x88"
#define STATUS_204 "\x89"
#define HEADERS FRAME("\x01", "\1", "\4") STATUS_200
#define TEXT FRAME("\x05", "\0", "\0") "Hello"

struct frames {
	struct secure *server;
	struct str last;
};

static void send_last(void *frames)
{
	const struct frames *f = frames;

	secure_send(f->server, f->last);
}

static void http2_frames_end_as_they_should(void)
{
	const struct { const char *what; struct str first, last; const char *log, *words; } cases[] = {
		{ "an end of the stream", STR(HEADERS TEXT), STR(FRAME("\0", "\0", "\1")), "head 200 \nbody Hello\nend closed\n", "" },
		{ "RST_STREAM behind the text", STR(HEADERS TEXT), STR(FRAME("\x04", "\3", "\0") "\0\0\0\2"), "head 200 \nbody Hello\nend cut\n", "broke off: HTTP/2 stream 1" },
		{ "RST_STREAM before the head", STR(FRAME("\x04", "\3", "\0") "\0\0\0\2"), STR_NONE, "end cut\n", "no answer from 127.0.0.1" },
		{ "GOAWAY before the head", STR("\0\0\x08\7\0\0\0\0\0" "\0\0\0\0\0\0\0\2"), STR_NONE, "end cut\n", "127.0.0.1" },
		{ "204", STR(FRAME("\x01", "\1", "\5") STATUS_204), STR_NONE, "head 204 \nend closed\n", "" },
		{ "a frame of an unknown type", STR(FRAME("\x01", "\x77", "\0") "x" HEADERS FRAME("\x05", "\0", "\1") "Hello"), STR_NONE,
		  "head 200 \nbody Hello\nend closed\n", "" },
		{ "no frames at all", STR("HTTP/1.1 200 OK\r\n\r\nHello, this is long enough for the head of a frame"), STR_NONE, "end cut\n", "127.0.0.1" },
		{ "a head that cannot be unpacked", STR(FRAME("\x02", "\1", "\4") "\xFF\xFF"), STR_NONE, "end cut\n", "127.0.0.1" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct frames frames = { secure_new(SECURE_FRAMES, SECURE_OURS), cases[i].last };
		struct http *http;
		struct recorder r;

		if (!frames.server)
			return;
		http = http_new();
		recorder_init(&r);
		r.on_body = frames.last.len ? send_last : NULL;
		r.ctx = &frames;
		secure_send(frames.server, SECURE_SETTINGS);
		secure_send(frames.server, cases[i].first);
		ask_at(http, secure_port(frames.server), secure_ca_file(frames.server), STR("{}"), &r);
		CHECK(str_is(buf_str(&r.log), cases[i].log), "%s: %s", cases[i].what, buf_z(&r.log));
		CHECK(strstr(buf_z(&r.detail), cases[i].words) && !*cases[i].words == !r.detail.len, "%s: %s", cases[i].what, buf_z(&r.detail));
		recorder_fini(&r);
		http_free(http);
		secure_free(frames.server);
	}
}

/* --- HTTP/1.1 behind TLS --- */

static void http1_behind_tls(void)
{
	static const struct { const char *answer, *log; } cases[] = {
		{ "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 4\r\n\r\ntext", "head 200 a/b\nbody text\nend closed\n" },
		{ "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\ntext", "head 200 a/b\nbody text\nend closed\n" },
		{ "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 9\r\n\r\ntext", "head 200 a/b\nbody text\nend cut\n" },
		{ "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n", "head 200 a/b\nbody text\nend cut\n" },
	};
	struct secure *server = secure_new(SECURE_H1, SECURE_OURS);

	for (size_t i = 0; server && i < sizeof cases / sizeof cases[0]; i++) {
		struct http *http = http_new();
		struct recorder r;

		recorder_init(&r);
		secure_serve(server, "page.sse", str_from(cases[i].answer));
		ask_at(http, secure_port(server), secure_ca_file(server), STR_NONE, &r);
		CHECK_STR(buf_str(&r.log), cases[i].log);
		CHECK(!r.detail.len || strstr(buf_z(&r.detail), "before the end of the answer"), "%zu: %s", i, buf_z(&r.detail));
		recorder_fini(&r);
		http_free(http);
	}
	secure_free(server);
}

const struct suite suite_tls = { "tls", (const struct test[]){
	TEST(trusts_only_what_it_is_told_to), TEST(names_a_file_of_certificates_that_cannot_be_read), TEST(ends_when_there_is_no_tls),
	TEST(gives_up_a_handshake), TEST(http2_carries_requests_and_answers), TEST(http2_tells_other_statuses), TEST(http2_breaks_off),
	TEST(http2_frames_end_as_they_should),
	TEST(http1_behind_tls), { 0 } } };
