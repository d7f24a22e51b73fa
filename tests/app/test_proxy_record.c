#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "app/between.h"
#include "app/options/options.h"
#include "app/serve/proxy_record.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "chat/provider/provider.h"
#include "net/tape.h"
#include "support/check.h"

#define ONCE "Host: localhost\r\nConnection: close\r\n"
#define KEY "sk-secret-of-the-client"
#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"

/* data: {"choices":[{"index":0,"delta":{"content":KEY},"finish_reason":"stop"}]}, data: [DONE] */
static const char packed[] =
	"\x1F\x8B\x08\x00\x00\x00\x00\x00\x02\xFF\x1D\xCD\x31\x0A\xC3\x30\x0C\x46\xE1\xDD\xA7\x28\xFF\x1C\x43\x67\xCD\xED\x9A\x1E\x20\x84\x62\x6C"
	"\x05\x8B\x04\xA9\xC4\x1A\x0A\xC1\x77\x4F\xD3\xF9\x7B\xF0\x4A\xF2\x44\xB7\x03\xB9\x9A\x64\x6E\xA0\xE9\x80\x68\xE1\x2F\xE8\x3E\xA0\xF0\xE6"
	"\x09\xF4\x63\x53\x67\x75\x10\xDA\x1A\x1B\xE7\x9D\x3D\xDA\x12\xBD\x72\xCC\x9B\x5C\xD2\x07\x2C\xA2\xD2\xEA\x7B\xE7\xD4\x4C\xAF\xD4\xED\x83"
	"\x3E\xF7\x10\xCA\xFF\x32\x3D\x5E\xE3\x73\x0E\xE1\x04\xB9\x16\xB0\xF9\x74\x00\x00\x00";

/* --- content codings --- */

static void only_the_tape_is_unpacked(void)
{
	char *script = faulty_script("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n", str_of(packed, sizeof packed - 1));
	struct between b;
	struct buf tape = { 0 };

	between_begin_faulty(&b, (const char *const[]){ script, NULL }, NULL);
	(void)between_asked(&b, STR("POST /v1/chat/completions HTTP/1.0\r\nAuthorization: Bearer " KEY "\r\nContent-Length: 2\r\n\r\n{}"));
	CHECK(str_equal(str_skip(buf_str(&b.seen), b.seen.len - (sizeof packed - 1)), str_of(packed, sizeof packed - 1)), "%s", buf_z(&b.seen));
	between_read_tape(&b, "200 complete", &tape);
	CHECK(strstr(buf_z(&tape), "\\\"content\\\":\\\"***********************\\\"") && strstr(buf_z(&tape), "\"end\":\"closed\""), "%s", buf_z(&tape));
	CHECK(!strstr(buf_z(&tape), KEY), "%s", buf_z(&tape));
	buf_fini(&tape);
	mem_free(script);
	between_end(&b);
}

/* The client may know the coding: it gets all of it. */
static void what_cannot_be_unpacked_passes(void)
{
	static const struct { const char *coding, *told; } cases[] = { { "gzip", "cannot be unpacked: gzip: incorrect header check" }, { "dcb", "its encoding dcb is not gzip" } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct between b;
		struct buf tape = { 0 };
		char script[200];

		snprintf(script, sizeof script, "HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nConnection: close\r\n\r\nno such coding", cases[i].coding);
		between_begin_faulty(&b, (const char *const[]){ script, NULL }, NULL);
		CHECK(strstr(between_asked(&b, STR("POST /v1/messages HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}")), "no such coding"), "%s", buf_z(&b.seen));
		between_read_tape(&b, cases[i].told, &tape);
		CHECK(strstr(buf_z(&tape), "\"end\":\"cut\"") && !strstr(buf_z(&b.proxy.errors), " lint "), "%s%s", buf_z(&tape), buf_z(&b.proxy.errors));
		buf_fini(&tape);
		between_end(&b);
	}
}

/* --- secrets --- */

/* What is sent on is what came; what is written does not have it. */
static void a_key_is_masked_wherever_it_stands(void)
{
	static const struct { const char *request, *sent; } cases[] = {
		{ "POST /v1/messages HTTP/1.1\r\n" ONCE "X-Api-Key: " KEY "\r\nContent-Length: 75\r\n\r\n{\"model\":\"" KEY "\",\"x\":[\"my key: " KEY "\"]}", "my key: " KEY },
		{ "POST /" KEY "/messages HTTP/1.1\r\n" ONCE "Authorization: Bearer " KEY "\r\nContent-Length: 2\r\n\r\n{}", "/" KEY "/messages" },
		{ "POST /s%6B-secret%2Dof-the-client/messages HTTP/1.1\r\n" ONCE "api-key: " KEY "\r\nContent-Length: 2\r\n\r\n{}", "/s%6B-secret%2Dof" },
		{ "POST /v1beta/models/" KEY ":generateContent?key=" KEY " HTTP/1.1\r\n" ONCE "Content-Length: 2\r\n\r\n{}", "?key=" KEY },
		{ "POST /v1/messages HTTP/1.1\r\n" ONCE "Cookie: a=b; c=" KEY "\r\nContent-Length: 35\r\n\r\n{\"model\":\"" KEY "\"}", "c=" KEY },
		/* "user:" KEY */
		{ "POST /v1/messages HTTP/1.1\r\n" ONCE "Authorization: Basic dXNlcjpzay1zZWNyZXQtb2YtdGhlLWNsaWVudA==\r\nContent-Length: 35\r\n\r\n{\"model\":\"" KEY "\"}",
		  "{\"model\":\"" KEY "\"}" },
		{ "GET /" KEY "/../.. HTTP/1.1\r\n" ONCE "Authorization: Bearer " KEY "\r\n\r\n", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct between b;
		struct buf tape = { 0 };

		between_begin_faulty(&b, (const char *const[]){ "HTTP/1.1 200 OK\r\nX-Request-Id: " KEY "\r\nConnection: close\r\n\r\n{\"id\":\"" KEY "\"}", NULL }, NULL);
		(void)between_asked(&b, str_from(cases[i].request));
		if (cases[i].sent) {
			char *requests = faulty_requests(b.faulty);

			CHECK(strstr(requests, cases[i].sent), "%s", requests);
			CHECK(strstr(buf_z(&b.seen), "X-Request-Id: " KEY) && strstr(buf_z(&b.seen), "{\"id\":\"" KEY "\"}"), "%s", buf_z(&b.seen));
			mem_free(requests);
			between_read_tape(&b, " ms ", &tape);
		}
		CHECK(program_await_errors(&b.proxy, " ms ") && !strstr(buf_z(&b.proxy.errors), "secret"), "%s", buf_z(&b.proxy.errors));
		CHECK(!strstr(buf_z(&tape), "secret"), "%s", buf_z(&tape));
		buf_fini(&tape);
		between_end(&b);
	}
}

/* Whatever the pieces are in which it passes; in the log of the wire, too. */
static void a_key_in_a_large_request_is_masked(void)
{
	enum { SIZE = 200000 };
	char *request = malloc(SIZE + 1000);
	struct buf tape = { 0 }, log = { 0 };
	struct between b;
	struct error err;
	int head = sprintf(request, "POST /v1/messages HTTP/1.1\r\n" ONCE "X-Api-Key: " KEY "\r\nContent-Length: %d\r\n\r\n", SIZE);
	const char *debug = folder_file("debug.log", NULL);

	memset(request + head, 'x', SIZE);
	memcpy(request + head, "{\"a\":\"", 6);
	for (int at = 100; at < SIZE - 100; at += 37)
		memcpy(request + head + at, KEY, strlen(KEY));
	memcpy(request + head + SIZE - 30, "\",\"model\":\"m-3\",\"stream\":true}", 30);
	between_begin_faulty(&b, (const char *const[]){ OK, NULL }, ARGS("--debug", debug));
	(void)between_asked(&b, str_of(request, (size_t)head + SIZE));
	char *requests = faulty_requests(b.faulty);
	CHECK(str_ends(str_from(requests), "m-3\",\"stream\":true}") && strstr(requests, KEY), "%.300s", requests);
	between_read_tape(&b, " ms ", &tape);
	CHECK(strstr(buf_z(&tape), ",\"model\":\"m-3\"}\n") && !strstr(buf_z(&tape), "secret"), "%.300s", buf_z(&tape));
	CU_ASSERT_TRUE(buf_read_file(&log, debug, &err));
	CHECK(strstr(buf_z(&log), "m-3") && !strstr(buf_z(&log), "secret"), "%.3000s", buf_z(&log));
	mem_free(requests);
	free(request);
	buf_fini(&tape);
	buf_fini(&log);
	between_end(&b);
}

/* --- the log --- */

static void findings_are_told_while_it_streams(void)
{
	struct between b;

	between_begin(&b, NULL);
	between_ask(&b, "POST /v1/chat/completions HTTP/1.1\r\n" ONCE "Content-Length: 15\r\n\r\n{\"stream\":true}");
	CU_ASSERT_FATAL(hand_accept(b.hand));
	hand_begin(b.hand);
	hand_send(b.hand, "data: {\"choices\":{}}\n\n");
	CHECK(program_await_errors(&b.proxy, "POST /v1/chat/completions lint "), "%s", buf_z(&b.proxy.errors));
	CHECK(!strstr(buf_z(&b.proxy.errors), " 200 "), "%s", buf_z(&b.proxy.errors));
	hand_finish(b.hand, "stop");
	CHECK(program_await_errors(&b.proxy, "POST /v1/chat/completions 200 complete"), "%s", buf_z(&b.proxy.errors));
	between_end(&b);
}

static void the_log_may_be_json(void)
{
	struct between b;

	between_begin(&b, ARGS("--json"));
	(void)between_asked(&b, STR("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"));
	between_connect(&b);
	between_ask(&b, "POST /v1/chat/completions HTTP/1.1\r\n" ONCE "Content-Length: 29\r\n\r\n{\"model\":\"m-1\",\"stream\":true}");
	CU_ASSERT_FATAL(hand_accept(b.hand));
	hand_begin(b.hand);
	hand_send(b.hand, "data: {\"choices\":{}}\n\n");
	hand_finish(b.hand, "stop");
	CHECK(program_await_errors(&b.proxy, ",\"tape_lacks\":null}\n"), "%s", buf_z(&b.proxy.errors));
	CHECK(strstr(buf_z(&b.proxy.errors), "{\"notice\":\"a request was refused with 421: "), "%s", buf_z(&b.proxy.errors));
	CHECK(strstr(buf_z(&b.proxy.errors), "{\"exchange\":1,\"method\":\"POST\",\"path\":\"/v1/chat/completions\",\"provider\":\"hand\",\"protocol\":\"openai-chat\",\"model\":\"m-1\",\"rule\":\""), "%s",
	      buf_z(&b.proxy.errors));
	CHECK(strstr(buf_z(&b.proxy.errors), ",\"model\":\"m-1\",\"status\":200,\"outcome\":\"complete\",\"ms\":"), "%s", buf_z(&b.proxy.errors));
	between_end(&b);
}

/* Requests are answered while nobody reads standard error. What was too much for the memory is counted. */
static void nobody_waits_for_the_log(void)
{
	enum { PATH = 8000, REQUESTS = 200 }; /* more than the pipe and the memory for lines hold */
	char *request = calloc(1, PATH + 200);
	struct between b;

	strcpy(request, "GET /");
	memset(request + 5, 'x', PATH);
	strcat(request, "/.. HTTP/1.1\r\n" ONCE "\r\n");
	between_begin_faulty(&b, (const char *const[]){ OK, NULL }, NULL);
	for (int i = 0; i < REQUESTS; i++)
		CU_ASSERT(str_starts(str_from(between_asked(&b, str_from(request))), "HTTP/1.1 400"));
	CHECK(program_await_errors(&b.proxy, "lines of this log are lost"), "%zu", b.proxy.errors.len);
	free(request);
	between_end(&b);
}

static size_t read_lines(int fd)
{
	char bytes[65536];
	size_t lines = 0;

	for (ssize_t at = 0, count = read(fd, bytes, sizeof bytes); at < count; at++)
		lines += bytes[at] == '\n';
	return lines;
}

/* What the reader has taken makes room for more, also while the log is never empty. */
static void a_slow_reader_of_the_log_loses_nothing(void)
{
	char text[1000];
	int ends[2];
	size_t lines = 0;
	struct proxy_log log;

	CU_ASSERT_FATAL(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	proxy_log_init(&log, false);
	log.out.fd = ends[1];
	for (int i = 0; i < 4000; i++) {
		proxy_log_notice(&log, text);
		if (i > 500 && i % 64 == 0)
			lines += read_lines(ends[0]);
	}
	for (; proxy_log_waits(&log); proxy_log_run(&log))
		lines += read_lines(ends[0]);
	CHECK(lines + read_lines(ends[0]) == 4000, "%zu", lines);
	proxy_log_fini(&log);
	close(ends[0]);
	close(ends[1]);
}

/* The program ends while a response is unpacked: the tape does not say that it is whole. */
static void a_record_that_is_behind_is_cut(void)
{
	enum { SIZE = 1 << 20 };
	const struct response_header coding = { STR("content-encoding"), STR("gzip") };
	struct options options = { .output = folder_path() };
	struct setup setup = { 0 };
	struct proxy p = { .o = &options, .setup = &setup, .folder_fd = open(folder_path(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	struct provider provider = { .name = "hand" };
	struct proxy_destination to = { .provider = &provider, .dialect = dialect_find(STR("generic")) };
	const struct redact_set none = { 0 };
	unsigned char *plain = calloc(1, SIZE), bytes[20000];
	z_stream z = { .next_in = plain, .avail_in = SIZE, .next_out = bytes, .avail_out = sizeof bytes };
	struct tape *tape;
	struct error err;
	char path[300];

	buf_add_z(&to.url, "http://localhost/");
	CU_ASSERT(deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY) == Z_OK && deflate(&z, Z_FINISH) == Z_STREAM_END);
	proxy_log_init(&p.log, false);
	p.log.out.fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct proxy_record *r = proxy_record_new(&p, &(struct proxy_request){ STR("GET"), STR("/"), false, &to, &none });
	proxy_record_head(r, &(struct response_head){ .status = 200, .headers = &coding, .header_count = 1 }, 1);
	proxy_record_body(r, str_of((char *)bytes, sizeof bytes - z.avail_out), 2);
	proxy_record_end(r, END_CLOSED, STR_NONE, 3);
	CU_ASSERT_TRUE(proxy_record_is_behind(r));
	proxy_record_free(r);
	snprintf(path, sizeof path, "%s/%ld-000001.tape", folder_path(), (long)getpid());
	CU_ASSERT_FATAL(tape_open(&tape, path, &err));
	CU_ASSERT_EQUAL(tape_at(tape, tape_length(tape) - 1).how, END_CUT);
	tape_free(tape);
	deflateEnd(&z);
	free(plain);
	close(p.log.out.fd);
	close(p.folder_fd);
	proxy_log_fini(&p.log);
	buf_fini(&to.url);
	unlink(path);
	folder_remove();
}

/* --- folders and providers --- */

static void the_folder_is_made(void)
{
	struct between b = { .hand = hand_new() };
	struct stat facts;

	b.tapes = folder_file("new/er/est", NULL);
	between_begin_with(&b, hand_settings(b.hand, ""), ARGS("--to", "hand", "-o", b.tapes), NULL);
	CU_ASSERT(stat(b.tapes, &facts) == 0 && S_ISDIR(facts.st_mode) && (facts.st_mode & 0777) == 0700);
	between_ask(&b, "POST /v1/messages HTTP/1.1\r\n" ONCE "Content-Length: 2\r\n\r\n{}");
	CU_ASSERT_FATAL(hand_accept(b.hand));
	hand_reply(b.hand, 200, "application/json", "{}");
	CHECK(program_await_errors(&b.proxy, "/new/er/est/"), "%s", buf_z(&b.proxy.errors));
	CU_ASSERT_EQUAL(between_tape_count(&b), 1);
	between_end(&b);
}

static void an_unusable_folder_ends_it_at_the_start(void)
{
	struct program p;
	const char *file = folder_file("file", "x"), *below = folder_file("file/below", NULL);

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("proxy", "--to", "demo", "-o", file), NULL), 2);
	CHECK(strstr(buf_z(&p.errors), "cannot be used for tapes") && !p.output.len, "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("proxy", "--to", "demo", "-o", below), NULL), 2);
	program_free(&p);
	folder_remove();
}

static void several_providers_have_one_port(void)
{
	struct between b = { .faulty = FAULTY_ONE(OK) };
	char settings[500];

	b.tapes = folder_file("tapes", NULL);
	snprintf(settings, sizeof settings, "[provider one]\nbase_url = http://127.0.0.1:%u/base?version=7&key=" KEY "\n[provider two]\nbase_url = http://127.0.0.1:%u/v1\n",
	         faulty_port(b.faulty), faulty_port(b.faulty));
	between_begin_with(&b, settings, ARGS("--to", "one", "--to", "two", "-o", b.tapes), NULL);
	CHECK(program_await_output(&b.proxy, "/one\n") && program_await_output(&b.proxy, "/two\n"), "%s", buf_z(&b.proxy.output));
	CU_ASSERT(strstr(between_asked(&b, STR("GET /one/a?b=c HTTP/1.1\r\n" ONCE "\r\n")), "200 OK") != NULL);
	CU_ASSERT(strstr(between_asked(&b, STR("GET /two/v1/a HTTP/1.1\r\n" ONCE "\r\n")), "200 OK") != NULL);
	CHECK(strstr(between_asked(&b, STR("GET /three/a HTTP/1.1\r\n" ONCE "\r\n")), "404") && strstr(buf_z(&b.seen), "/one, /two"), "%s", buf_z(&b.seen));
	CU_ASSERT(strstr(between_asked(&b, STR("GET /two/..%2Fone/a HTTP/1.1\r\n" ONCE "\r\n")), "400") != NULL);
	char *requests = faulty_requests(b.faulty);
	CHECK(strstr(requests, "GET /base/a?version=7&key=" KEY "&b=c HTTP/1.1\r\n") && strstr(requests, "GET /v1/a HTTP/1.1\r\n"), "%s", requests);
	CHECK(!strstr(buf_z(&b.proxy.errors), "secret"), "%s", buf_z(&b.proxy.errors));
	mem_free(requests);
	between_end(&b);
}

static void targets_are_checked(void)
{
	const char *const *const cases[] = {
		ARGS("proxy", "--to", "openai", "--to", "openai"), ARGS("proxy", "--to", "openai", "--to", "nobody"),
		ARGS("proxy", "--to", "openai", "--to", "anthropic", "--base-url", "https://llm.example"),
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct program p;

		CHECK(program_run(&p, STR_NONE, cases[i], NULL) == 2, "%zu: %s", i, buf_z(&p.errors));
		program_free(&p);
	}
	folder_remove();
}

const struct suite suite_proxy_record = { "proxy_record", (const struct test[]){
	TEST(only_the_tape_is_unpacked), TEST(what_cannot_be_unpacked_passes), TEST(a_key_is_masked_wherever_it_stands),
	TEST(a_key_in_a_large_request_is_masked), TEST(findings_are_told_while_it_streams), TEST(the_log_may_be_json), TEST(nobody_waits_for_the_log),
	TEST(a_slow_reader_of_the_log_loses_nothing), TEST(a_record_that_is_behind_is_cut), TEST(the_folder_is_made),
	TEST(an_unusable_folder_ends_it_at_the_start), TEST(several_providers_have_one_port), TEST(targets_are_checked), { 0 } } };
