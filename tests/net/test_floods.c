/* Servers and proxies that send without end, or little that decompresses to much. No pass takes long, and memory stays bounded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/mem.h"
#include "loopback.h"
#include "net/http_inside.h"
#include "support/check.h"
#include "support/faulty.h"

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n"
#define MOST_LOOKS 200000

/* --- one request, pass by pass --- */

struct flood {
	struct faulty *server;
	struct http *http;
	struct source *source;
	struct recorder r;
	size_t most;       /* largest number of body bytes in one pass */
	bool cancels;      /* cancels at the first of them */
	int deaf[2];       /* a pipe that is always readable */
	unsigned unheard;  /* passes that did not report it */
};

static void take_body(void *ctx)
{
	struct flood *f = ctx;

	if (f->cancels)
		source_cancel(f->source);
}

static void begin(struct flood *f, const char *script)
{
	*f = (struct flood){ .server = FAULTY_ONE(script), .http = http_new() };
	CU_ASSERT_FATAL(pipe(f->deaf) == 0 && write(f->deaf[1], "x", 1) == 1);
	recorder_init(&f->r);
	f->r.on_body = take_body;
	f->r.ctx = f;
	f->source = loop_get(&(struct loop){ .http = f->http }, faulty_port(f->server), "/", &f->r);
}

static void look(struct flood *f)
{
	struct pollfd fd = { .fd = f->deaf[0], .events = POLLIN };
	size_t before = f->r.body.len;

	f->unheard += http_wait(f->http, &fd, 1, 1000) != 1 || !fd.revents;
	f->most = f->r.body.len - before > f->most ? f->r.body.len - before : f->most;
}

static void look_until_end(struct flood *f)
{
	for (unsigned looks = 0; !f->r.ends && looks < MOST_LOOKS; looks++)
		look(f);
	CU_ASSERT_EQUAL(f->r.ends, 1);
}

static void finish(struct flood *f)
{
	source_free(f->source);
	http_free(f->http);
	faulty_free(f->server);
	recorder_fini(&f->r);
	close(f->deaf[0]);
	close(f->deaf[1]);
}

/* Runs to the end: everything arrived, each pass was short, and other descriptors were polled. */
static void check_flood(const char *what, const char *script, struct str unit, size_t bytes, const char *words)
{
	struct flood f;
	size_t wrong = 0;

	begin(&f, script);
	look_until_end(&f);
	CHECK(f.r.body.len == bytes, "%s: %zu of %zu bytes", what, f.r.body.len, bytes);
	for (size_t i = 0; i < f.r.body.len; i++)
		wrong += f.r.body.ptr[i] != unit.ptr[i % unit.len];
	CHECK(!wrong, "%s: %zu bytes are wrong", what, wrong);
	CHECK(f.most <= PASS_BYTES + UNPACK_PIECE_BYTES, "%s: %zu bytes in one pass", what, f.most);
	CHECK(!f.unheard, "%s: %u looks saw nothing else", what, f.unheard);
	CHECK(strstr(buf_z(&f.r.detail), words) && !*words == !f.r.detail.len, "%s: %s", what, buf_z(&f.r.detail));
	finish(&f);
}

/* --- bodies --- */

static void no_pass_delivers_much(void)
{
	check_flood("plain", HEAD "\r\n" FAULTY_FILL(8000000), STR("x"), 8000000, "");
	check_flood("chunks", HEAD "Transfer-Encoding: chunked\r\n\r\n" FAULTY_REPEAT(500000, "10\r\n0123456789abcdef\r\n") "0\r\n\r\n",
	            STR("0123456789abcdef"), 8000000, "");
	check_flood("cut", HEAD "Content-Length: 9000000\r\n\r\n" FAULTY_FILL(8000000), STR("x"), 8000000, "before the end of the answer");
}

#define BOMB_BYTES ((size_t)32 << 20)

/* A script that sends `size` zeros, compressed with gzip. */
static char *bomb(const char *head, const char *last_bytes)
{
	char *zeros = mem_new(BOMB_BYTES), *script;
	z_stream z = { 0 };
	struct buf packed = { 0 };

	CU_ASSERT_FATAL(deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	z.next_out = (Bytef *)buf_extend(&packed, deflateBound(&z, BOMB_BYTES));
	z.avail_out = (uInt)packed.len;
	z.next_in = (Bytef *)zeros;
	z.avail_in = (uInt)BOMB_BYTES;
	CU_ASSERT_FATAL(deflate(&z, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&z);
	packed.len = z.total_out;
	memcpy(packed.ptr + packed.len - strlen(last_bytes), last_bytes, strlen(last_bytes));
	script = faulty_script(head, buf_str(&packed));
	buf_fini(&packed);
	mem_free(zeros);
	return script;
}

static void a_bomb_is_unpacked_in_small_pieces(void)
{
	static const struct { const char *head, *last_bytes, *words; } cases[] = {
		{ HEAD "Content-Encoding: gzip\r\n\r\n", "", "" },
		{ HEAD "Content-Encoding: gzip\r\nContent-Length: 9000000\r\n\r\n", "", "before the end of the answer" },
		{ HEAD "Content-Encoding: gzip\r\n\r\n", "12345678", "cannot be unpacked: gzip: incorrect data check" },
		{ "HTTP/1.1 500 No\r\nContent-Type: a/b\r\nContent-Encoding: gzip\r\n\r\n", "", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *script = bomb(cases[i].head, cases[i].last_bytes);

		check_flood(cases[i].head, script, STR("\0"), BOMB_BYTES, cases[i].words);
		mem_free(script);
	}
}

/* The first piece is the last: the rest of the received bytes is not delivered, and no more is read. */
static void a_cancelled_flood_stops_at_once(void)
{
	char *packed = bomb(HEAD "Content-Encoding: gzip\r\n\r\n", "");
	const char *const scripts[] = { HEAD "\r\n" FAULTY_FLOOD("x"), packed };

	for (size_t i = 0; i < 2; i++) {
		struct flood f;

		begin(&f, scripts[i]);
		f.cancels = true;
		while (http_is_busy(f.http))
			look(&f);
		CHECK(f.r.bodies == 1 && !f.r.ends, "%zu: %u bodies, %u ends", i, f.r.bodies, f.r.ends);
		finish(&f);
	}
	mem_free(packed);
}

/* Bytes kept by a pass are delivered in the next one, even if nothing more arrives. */
static void a_cancelled_rest_is_not_delivered(void)
{
	char *script = bomb(HEAD "Content-Encoding: gzip\r\n\r\n", "");
	struct flood f;
	size_t told;

	begin(&f, script);
	while (f.most < PASS_BYTES)
		look(&f);
	told = f.r.body.len;
	source_cancel(f.source);
	look(&f);
	CU_ASSERT(f.r.body.len == told && !f.r.ends);
	finish(&f);
	mem_free(script);
}

/* --- heads and trailers --- */

static void heads_and_trailers_have_one_ceiling(void)
{
	static const struct { const char *what, *script, *log, *words; } cases[] = {
		{ "a head", HEAD FAULTY_FLOOD("X-More: 0123456789\r\n"), "end cut\n", "no answer from 127.0.0.1:|its headers are larger than 300 KB or more than 4,000 lines" },
		{ "interim heads", FAULTY_FLOOD("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), "end cut\n", "its headers are larger than 300 KB or more than 4,000 lines" },
		{ "interim heads without headers", FAULTY_FLOOD("HTTP/1.1 100 Continue\r\n\r\n"), "end cut\n", "its headers are larger than 300 KB or more than 4,000 lines" },
		{ "trailers", HEAD "Transfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n0\r\n" FAULTY_FLOOD("X-Late: 0123456789\r\n"),
		  "head 200 a/b\nbody text\nend cut\n", "the answer of 127.0.0.1:|broke off: its headers are larger than 300 KB or more than 4,000 lines" },
		{ "trailers that end", HEAD "Transfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n0\r\n" FAULTY_REPEAT(1000, "X-Late: 0123456789\r\n") "\r\n",
		  "head 200 a/b\nbody text\nend closed\n", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str rest = str_from(cases[i].words), words;
		struct flood f;

		begin(&f, cases[i].script);
		look_until_end(&f);
		CHECK(str_is(buf_str(&f.r.log), cases[i].log), "%s: %s", cases[i].what, buf_z(&f.r.log));
		while (str_split(&rest, '|', &words))
			CHECK(str_find(buf_str(&f.r.detail), words) < f.r.detail.len, "%s: %s", cases[i].what, buf_z(&f.r.detail));
		CHECK(*cases[i].words || !f.r.detail.len, "%s: %s", cases[i].what, buf_z(&f.r.detail));
		CHECK(faulty_sent(f.server) < (size_t)64 << 20, "%s: %zu bytes", cases[i].what, faulty_sent(f.server));
		finish(&f);
	}
}

/* --- before the connection is established --- */

static void check_gives_up(const char *what, const char *script, const char *url_format, const char *proxy_format)
{
	struct faulty *server = FAULTY_ONE(script);
	struct http *http = http_new();
	char url[64], proxy[64];
	struct http_request request = { .method = "GET", .url = url, .connect_timeout_ms = 80 };
	struct recorder r;

	recorder_init(&r);
	snprintf(url, sizeof url, url_format, faulty_port(server));
	if (proxy_format) {
		snprintf(proxy, sizeof proxy, proxy_format, faulty_port(server));
		loop_forget_proxies();
		setenv("all_proxy", proxy, 1);
	}
	loop_ask(http, &request, &r);
	loop_forget_proxies();
	CHECK(strstr(buf_z(&r.detail), "no connection within 0.08 s") != NULL, "%s: %s", what, buf_z(&r.detail));
	recorder_fini(&r);
	http_free(http);
	faulty_free(server);
}

/* OpenSSL accepts HelloRequest, and waits for the next message, without end. */
static void a_handshake_without_end_is_given_up(void)
{
	check_gives_up("HelloRequest", FAULTY_AT_ONCE FAULTY_FLOOD("\026\003\003" FAULTY_NUL "\004" FAULTY_NUL FAULTY_NUL FAULTY_NUL FAULTY_NUL),
	               "https://127.0.0.1:%u/", NULL);
	check_gives_up("a part of a record", FAULTY_AT_ONCE FAULTY_BYTES "\026\003\003\077" FAULTY_REST "\377\002" FAULTY_HANG,
	               "https://127.0.0.1:%u/", NULL);
}

static void a_socks_proxy_is_given_up(void)
{
	static const char *const proxies[] = { "socks4://127.0.0.1:%u", "socks4a://127.0.0.1:%u", "socks5://127.0.0.1:%u", "socks5h://127.0.0.1:%u" };

	for (size_t i = 0; i < sizeof proxies / sizeof proxies[0]; i++)
		check_gives_up(proxies[i], FAULTY_AT_ONCE FAULTY_HANG, "https://192.0.2.1:%u/", proxies[i]);
}

/* With GSSAPI curl would block on the proxy. */
static void a_socks_proxy_is_not_offered_gssapi(void)
{
	struct faulty *proxy = FAULTY_ONE(FAULTY_AT_ONCE "\005\377" FAULTY_REQUEST); /* accepts no method */
	struct http *http = http_new();
	char variable[64], *greeting = mem_dup_z("");
	struct http_request request = { .method = "GET", .url = "https://192.0.2.1/", .connect_timeout_ms = 60000 };
	struct recorder r;

	recorder_init(&r);
	snprintf(variable, sizeof variable, "socks5h://127.0.0.1:%u", faulty_port(proxy));
	loop_forget_proxies();
	setenv("all_proxy", variable, 1);
	loop_ask(http, &request, &r);
	loop_forget_proxies();
	http_free(http);
	for (int tries = 0; !*greeting && tries < 2000; tries++) {
		mem_free(greeting);
		usleep(5000);
		greeting = faulty_requests(proxy);
	}
	CHECK_STR(str_from(greeting), "\005\001"); /* one method, 0: no authentication */
	mem_free(greeting);
	recorder_fini(&r);
	faulty_free(proxy);
}

/* --- a proxy's response to CONNECT --- */

static void an_answer_to_connect_has_an_end(void)
{
	static const struct { const char *script, *words; } cases[] = {
		{ "HTTP/1.1 407 No\r\nContent-Length: 99999999999\r\n\r\n" FAULTY_FLOOD("x"), "the proxy refuses with status 407 (check https_proxy)" },
		{ "HTTP/1.1 407 No\r\nTransfer-Encoding: chunked\r\n\r\n" FAULTY_FLOOD("1\r\nx\r\n"), "the proxy refuses with status 407 (check https_proxy)" },
		{ "HTTP/1.1 407 No\r\nContent-Length: 99\r\n\r\nx" FAULTY_HANG, "the proxy refuses with status 407 (check https_proxy)" },
		{ "HTTP/1.1 403 No\r\n" FAULTY_FLOOD("X-More: 0123456789\r\n"), "the proxy refuses with status 403 (check https_proxy)" },
		{ "HTTP/1.1 200 Yes\r\n" FAULTY_FLOOD("X-More: 0123456789\r\n"), "the proxy's answer to CONNECT has no end (check the proxy in https_proxy)" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct faulty *proxy = FAULTY_ONE(cases[i].script);
		struct http_request request = { .method = "GET", .url = "https://weir.invalid/", .connect_timeout_ms = 60000 };
		struct http *http = http_new();
		struct recorder r;
		char url[64];

		recorder_init(&r);
		snprintf(url, sizeof url, "http://user:password@127.0.0.1:%u", faulty_port(proxy));
		loop_forget_proxies();
		setenv("https_proxy", url, 1);
		loop_ask(http, &request, &r);
		loop_forget_proxies();
		CHECK_STR(buf_str(&r.log), "end cut\n");
		CHECK(strstr(buf_z(&r.detail), cases[i].words) != NULL, "%zu: %s", i, buf_z(&r.detail));
		recorder_fini(&r);
		http_free(http);
		faulty_free(proxy);
	}
}

const struct suite suite_floods = { "floods", (const struct test[]){
	TEST(no_pass_delivers_much), TEST(a_bomb_is_unpacked_in_small_pieces), TEST(a_cancelled_flood_stops_at_once), TEST(a_cancelled_rest_is_not_delivered),
	TEST(heads_and_trailers_have_one_ceiling), TEST(a_handshake_without_end_is_given_up), TEST(a_socks_proxy_is_given_up), TEST(a_socks_proxy_is_not_offered_gssapi),
	TEST(an_answer_to_connect_has_an_end), { 0 } } };
