/* TLS, always verified; HTTP/2 with nghttpd, and HTTP/1.1 over TLS. */
#include <stdio.h>
#include <string.h>

#include <curl/curl.h>

#include "base/mem.h"
#include "loopback.h"
#include "support/check.h"
#include "support/faulty.h"
#include "support/secure.h"

/* Runs a request to its end: a POST if there is a body. */
static void ask(struct http *http, const char *url, const char *ca_file, struct str body, struct recorder *r)
{
	struct http_request request = { .method = body.ptr ? "POST" : "GET", .url = url, .body = body, .http2 = true, .connect_timeout_ms = CHECK_PATIENCE_MS, .ca_file = ca_file };

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
	static const struct { enum secure_certificate kind; bool trusted; const char *words[3]; } cases[] = {
		{ SECURE_OURS, true, { NULL } },
		{ SECURE_OURS, false, { "TLS failed: SSL certificate ", ": self-signed certificate", "ca_file or SSL_CERT_FILE" } },
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
		for (size_t j = 0; j < 3 && cases[i].words[j]; j++)
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
		{ FAULTY_AT_ONCE FAULTY_RESET, "TLS failed|Connection reset by peer (check that the server runs" }, /* perhaps before the handshake */
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

/* Debian's OpenSSL would accept this version: the key would be sent with weak encryption. */
static void no_key_goes_over_what_is_too_old(void)
{
	static const enum secure_kind kinds[] = { SECURE_TLS_1_0, SECURE_TLS_1_1 };

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		struct secure *server = secure_new(kinds[i], SECURE_OURS);
		const char *const headers[] = { "authorization: Bearer sk-0123456789" };
		char url[100], *received;
		struct http_request request = { .method = "GET", .url = url, .headers = headers, .header_count = 1, .connect_timeout_ms = CHECK_PATIENCE_MS };
		struct http *http;
		struct recorder r;

		if (!server)
			return;
		http = http_new();
		recorder_init(&r);
		snprintf(url, sizeof url, "https://127.0.0.1:%u/", secure_port(server));
		request.ca_file = secure_ca_file(server);
		secure_send(server, STR("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
		loop_ask(http, &request, &r);
		CHECK_STR(buf_str(&r.log), "end cut\n");
		CHECK(strstr(buf_z(&r.detail), "TLS failed: it does not offer TLS 1.2 or later"), "%s", buf_z(&r.detail));
		CHECK(strstr(buf_z(&r.detail), "have the server updated"), "%s", buf_z(&r.detail));
		received = secure_received(server);
		CHECK(!strstr(received, "sk-"), "%s", received);
		mem_free(received);
		recorder_fini(&r);
		http_free(http);
		secure_free(server);
	}
}

/* libcurl quotes the name in the server's certificate. */
static void a_complaint_repeats_no_secret(void)
{
	struct secure *server = secure_new(SECURE_BYTES, SECURE_NAMED);
	struct redact_set secrets = { 0 };
	char url[100];
	struct http_request request = { .method = "GET", .url = url, .connect_timeout_ms = 10000, .secrets = &secrets };

	if (!server)
		return;
	request.ca_file = secure_ca_file(server);
	snprintf(url, sizeof url, "https://127.0.0.1:%u/", secure_port(server));
	for (int known = 0; known < 2; known++) {
		struct http *http = http_new();
		struct recorder r;

		recorder_init(&r);
		loop_ask(http, &request, &r);
		CHECK(strstr(buf_z(&r.detail), known ? "'*****************'" : "'" SECURE_SUBJECT "'") != NULL, "%s", buf_z(&r.detail));
		recorder_fini(&r);
		http_free(http);
		redact_set_add(&secrets, STR(SECURE_SUBJECT));
	}
	redact_set_fini(&secrets);
	secure_free(server);
}

/* The time of an endless handshake counts as connecting, not as waiting for the response. */
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
		CHECK_STR(str_from(r.http), "2");
		CU_ASSERT(turn ? r.is_timed && r.reused && r.timings.tls_ms == 0 : recorder_is_new_connection(&r, true));
		recorder_fini(&r);
	}
	http_free(http);
	secure_free(server);
}

/* Takes more than one pass, so libcurl is paused repeatedly. */
static void large_answers_are_whole(void)
{
	static const enum secure_kind kinds[] = { SECURE_H2, SECURE_H1 };
	static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";

	for (size_t i = 0; i < 2; i++) {
		struct secure *server = secure_new(kinds[i], SECURE_OURS);
		struct http *http;
		struct buf file = { 0 };
		struct recorder r;
		size_t head_len = kinds[i] == SECURE_H1 ? strlen(head) : 0, wrong = 0;

		if (!server)
			return;
		http = http_new();
		buf_add(&file, str_of(head, head_len));
		for (unsigned n = 0; file.len < (size_t)8 << 20; n++)
			buf_printf(&file, "%u ", n);
		secure_serve(server, "page.sse", buf_str(&file));
		recorder_init(&r);
		ask_at(http, secure_port(server), secure_ca_file(server), STR_NONE, &r);
		CHECK(r.body.len == file.len - head_len && str_ends(buf_str(&r.log), "end closed\n"), "%zu: %zu bytes", i, r.body.len);
		for (size_t at = 0; at < r.body.len && at + head_len < file.len; at++)
			wrong += r.body.ptr[at] != file.ptr[head_len + at];
		CHECK(!wrong, "%zu: %zu bytes are wrong", i, wrong);
		recorder_fini(&r);
		buf_fini(&file);
		http_free(http);
		secure_free(server);
	}
}

static void http2_reports_other_statuses(void)
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

/* Large enough that the server cannot have sent everything when it dies. */
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

/* --- handmade frames of HTTP/2 --- */

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

#define LOOK_MS 5

/* No server answers a stream that the client has not opened: the frames follow the request. */
static void ask_and_send(struct http *http, struct secure *server, struct str frames, int64_t limit_ms, struct recorder *r)
{
	struct source_sink sink = recorder_sink(r);
	struct loop loop = { .http = http };
	struct source *source = NULL;
	struct error err;
	char url[100];
	const struct http_request request = { .method = "POST", .url = url, .body = STR("{}"), .http2 = true, .connect_timeout_ms = limit_ms,
		                              .ca_file = secure_ca_file(server) };
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;

	snprintf(url, sizeof url, "https://127.0.0.1:%u/page.sse", secure_port(server));
	CU_ASSERT_FATAL(http_start(http, &request, &sink, &source, &err));
	while (!secure_has(server, STR("{}")) && !r->ends && check_now_ms() < give_up_ms)
		http_wait(http, NULL, 0, LOOK_MS);
	if (!r->ends)
		secure_send(server, frames);
	loop_until(&loop, &r->ends, 1);
	source_free(source);
}

#define CASES_OF_NO_HTTP2 2u /* the last ones */
#define LIMIT_OF_THOSE_MS 2000 /* libcurl 8.14 ends them at this limit only, others at once: the sentence is the same */

/* libcurl 8.5 does not tell of bytes that are no HTTP/2: only the limit of the exchange ends such a transfer. */
static bool libcurl_waits(void)
{
	unsigned version = curl_version_info(CURLVERSION_NOW)->version_num;

	return version >= 0x080500 && version < 0x080600;
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

	size_t count = sizeof cases / sizeof cases[0], http2 = count - CASES_OF_NO_HTTP2;
	for (size_t i = 0; i < (libcurl_waits() ? http2 : count); i++) {
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
		ask_and_send(http, frames.server, cases[i].first, i < http2 ? CHECK_PATIENCE_MS : LIMIT_OF_THOSE_MS, &r);
		CHECK(str_is(buf_str(&r.log), cases[i].log), "%s: %s", cases[i].what, buf_z(&r.log));
		CHECK(strstr(buf_z(&r.detail), cases[i].words) && !*cases[i].words == !r.detail.len, "%s: %s", cases[i].what, buf_z(&r.detail));
		recorder_fini(&r);
		http_free(http);
		secure_free(frames.server);
	}
}

/* --- HTTP/1.1 over TLS --- */

/* The server prefers HTTP/2, in which libcurl loses data that arrives together with the end of a stream. */
static void http1_is_asked_for_by_default(void)
{
	struct secure *server = secure_new(SECURE_EITHER, SECURE_OURS);
	struct http *http;
	struct recorder r;
	char url[100];
	struct http_request request = { .method = "POST", .url = url, .body = STR("{}"), .connect_timeout_ms = CHECK_PATIENCE_MS };

	if (!server)
		return;
	http = http_new();
	recorder_init(&r);
	request.ca_file = secure_ca_file(server);
	snprintf(url, sizeof url, "https://127.0.0.1:%u/", secure_port(server));
	secure_send(server, STR("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 31\r\n\r\ndata: {\"error\":\"the last word\"}"));
	loop_ask(http, &request, &r);
	CHECK_STR(buf_str(&r.log), "head 200 a/b\nbody data: {\"error\":\"the last word\"}\nend closed\n");
	recorder_fini(&r);
	http_free(http);
	secure_free(server);
}

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
	TEST(no_key_goes_over_what_is_too_old), TEST(a_complaint_repeats_no_secret), TEST(gives_up_a_handshake), TEST(http2_carries_requests_and_answers), TEST(large_answers_are_whole),
	TEST(http2_reports_other_statuses), TEST(http2_breaks_off),
	TEST(http2_frames_end_as_they_should),
	TEST(http1_is_asked_for_by_default), TEST(http1_behind_tls), { 0 } } };
