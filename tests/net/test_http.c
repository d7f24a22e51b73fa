#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "loopback.h"
#include "support/check.h"
#include "support/faulty.h"

/* --- a resolver that blocks on one name and resolves no other: curl's threads find it before the C library's --- */

#define SLOW_NAME "slow.invalid"
#define THREADS_OF_ONE 3 /* links of /proc/self/task: ".", ".." and one per thread */
#define SLOW_GIVES_UP_S (CHECK_PATIENCE_MS / 1000)

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool asked, released, gave_up, answered;
} slow = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static void resolve_slowly(void)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += SLOW_GIVES_UP_S;
	pthread_mutex_lock(&slow.lock);
	slow.asked = true;
	while (!slow.released && !slow.gave_up)
		slow.gave_up = pthread_cond_timedwait(&slow.changed, &slow.lock, &end) != 0;
	slow.answered = true;
	pthread_cond_broadcast(&slow.changed);
	pthread_mutex_unlock(&slow.lock);
}

int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict result)
{
	int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

	void *symbol = dlsym(RTLD_NEXT, "getaddrinfo");

	if (node && !strcmp(node, SLOW_NAME)) {
		resolve_slowly();
		return EAI_NONAME;
	}
	if (node && str_ends(str_from(node), ".invalid"))
		return EAI_NONAME;
	memcpy(&real, &symbol, sizeof real);
	return real(node, service, hints, result);
}

static bool slow_was_asked(void)
{
	pthread_mutex_lock(&slow.lock);
	bool asked = slow.asked;
	pthread_mutex_unlock(&slow.lock);
	return asked;
}

/* --- fixtures --- */

static const struct tape *always(void *ctx, const struct serve_request *request)
{
	(void)request;
	return ctx;
}

static void open_loop(struct loop *loop, struct tape *tape)
{
	struct error err;

	*loop = (struct loop){ .http = http_new() };
	if (tape)
		CU_ASSERT_FATAL(serve_open(&loop->serve, 0, 1.0, always, tape, &err));
}

static void close_loop(struct loop *loop, struct tape *tape)
{
	http_free(loop->http);
	serve_free(loop->serve);
	tape_free(tape);
}

/* Runs one GET against a scripted server to its end. */
static void get_scripted(const char *script, struct recorder *r)
{
	struct faulty *server = FAULTY_ONE(script);
	struct loop loop;
	struct source *source;

	open_loop(&loop, NULL);
	recorder_init(r);
	source = loop_get(&loop, faulty_port(server), "/", r);
	loop_until(&loop, &r->ends, 1);
	source_free(source);
	close_loop(&loop, NULL);
	faulty_free(server);
}

#define FIRST "{\"weir_tape\":1}\n"
#define HEAD_200 "{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\",\"headers\":{\"x-request-id\":\"r1\"}}}\n"

/* --- tests --- */

static void calls_back_in_order(void)
{
	struct tape *tape = tape_of(FIRST HEAD_200 "{\"t\":2,\"body\":\"one \"}\n{\"t\":12,\"body\":\"two\"}\n{\"t\":14,\"end\":\"closed\"}\n");
	struct loop loop;
	struct recorder r;
	struct source *source;

	open_loop(&loop, tape);
	recorder_init(&r);
	CU_ASSERT_FALSE(http_is_busy(loop.http));
	source = loop_post(&loop, serve_port(loop.serve), "/v1?x=1", STR("{}"), &r);
	CU_ASSERT(http_is_busy(loop.http));
	loop_until(&loop, &r.ends, 1);
	CHECK_STR(buf_str(&r.log), "head 200 text/event-stream\nbody one two\nend closed\n");
	CU_ASSERT_EQUAL(r.bodies, 2);
	CU_ASSERT_FALSE(r.time_went_back);
	CU_ASSERT(str_find(buf_str(&r.headers), STR("x-request-id=r1;")) < r.headers.len);
	CHECK_STR(buf_str(&r.detail), "");
	CU_ASSERT_FALSE(http_is_busy(loop.http));
	source_free(source);
	recorder_fini(&r);
	close_loop(&loop, tape);
}

static void gives_every_status(void)
{
	static const int statuses[] = { 200, 201, 302, 400, 401, 404, 429, 500, 503, 529 };

	for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
		char answer[200], expected[200];
		struct recorder r;

		snprintf(answer, sizeof answer, "HTTP/1.1 %d Word\r\nContent-Type: application/json\r\nLocation: /elsewhere\r\n"
		         "Content-Length: 2\r\n\r\n{}", statuses[i]);
		snprintf(expected, sizeof expected, "head %d application/json\nbody {}\nend closed\n", statuses[i]);
		get_scripted(answer, &r);
		CHECK_STR(buf_str(&r.log), expected);
		recorder_fini(&r);
	}
}

static void skips_interim_answers(void)
{
	struct recorder r;

	get_scripted("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 1\r\n\r\nx", &r);
	CHECK_STR(buf_str(&r.log), "head 200 a/b\nbody x\nend closed\n");
	recorder_fini(&r);
}

static void refuses_what_cannot_be_sent(void)
{
	static const struct { const char *url, *header, *word; } cases[] = {
		{ "no url at all", NULL, "https://host/path" }, { "ftp://h/x", NULL, "neither http nor https" },
		{ "file:///etc/passwd", NULL, "URL" },          { "", NULL, "https://host/path" },
		{ "http://h/", "X-Key: sec\nret: 1", "X-Key" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct http *http = http_new();
		struct http_request request = { .method = "GET", .url = cases[i].url, .headers = &cases[i].header,
			                        .header_count = cases[i].header != NULL };
		struct source_sink sink = { NULL, NULL, NULL, NULL };
		struct source *source = NULL;
		struct error err = { "" };

		CHECK(!http_start(http, &request, &sink, &source, &err), "%s", cases[i].url);
		CHECK(str_has_nocase(str_from(err.text), str_from(cases[i].word)), "%s", err.text);
		CHECK(!str_has_nocase(str_from(err.text), STR("sec")), "%s", err.text);
		CU_ASSERT_FALSE(http_is_busy(http));
		http_free(http);
	}
}

static void sends_what_it_was_given(void)
{
	struct faulty *server = FAULTY_ONE("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
	struct loop loop;
	struct recorder r;
	struct source *source;
	char *request;

	open_loop(&loop, NULL);
	recorder_init(&r);
	source = loop_post(&loop, faulty_port(server), "/a%20b?c=d", STR("{}"), &r);
	loop_until(&loop, &r.ends, 1);
	request = faulty_requests(server);
	CHECK(str_starts(str_from(request), "POST /a%20b?c=d HTTP/1.1\r\n") && str_ends(str_from(request), "\r\n\r\n{}"), "%s", request);
	CHECK(str_has_nocase(str_from(request), STR("\r\naccept-encoding: identity\r\n")), "%s", request);
	CHECK(!str_has_nocase(str_from(request), STR("expect:")), "%s", request);
	mem_free(request);
	source_free(source);
	recorder_fini(&r);
	close_loop(&loop, NULL);
	faulty_free(server);
}

static void cancels_at_once(void)
{
	struct tape *tape = tape_of(FIRST HEAD_200 "{\"t\":2,\"body\":\"part\"}\n{\"t\":3,\"end\":\"stalled\"}\n");
	struct loop loop;
	struct recorder r;
	struct source *source;

	open_loop(&loop, tape);
	recorder_init(&r);
	source = loop_get(&loop, serve_port(loop.serve), "/", &r);
	loop_until(&loop, &r.bodies, 1);
	source_cancel(source);
	CU_ASSERT_FALSE(http_is_busy(loop.http));
	for (int i = 0; i < 5; i++) {
		http_wait(loop.http, NULL, 0, 0);
		loop_serve(&loop);
	}
	CHECK_STR(buf_str(&r.log), "head 200 text/event-stream\nbody part");
	source_cancel(source);
	source_free(source);
	recorder_fini(&r);
	close_loop(&loop, tape);
}

static void cancel_source(void *ctx)
{
	struct source **source = ctx;

	source_cancel(*source);
}

static void cancels_inside_a_callback(void)
{
	struct tape *tape = tape_of(FIRST HEAD_200 "{\"t\":2,\"body\":\"one\"}\n{\"t\":3,\"body\":\"two\"}\n{\"t\":3,\"end\":\"closed\"}\n");

	for (int in_head = 0; in_head < 2; in_head++) {
		struct loop loop;
		struct recorder r;
		struct source *source;

		open_loop(&loop, tape);
		recorder_init(&r);
		r.ctx = &source;
		*(in_head ? &r.on_head : &r.on_body) = cancel_source;
		source = loop_get(&loop, serve_port(loop.serve), "/", &r);
		loop_until(&loop, in_head ? &r.heads : &r.bodies, 1);
		for (int i = 0; i < 20; i++) {
			http_wait(loop.http, NULL, 0, 1);
			loop_serve(&loop);
		}
		CU_ASSERT_EQUAL(r.ends, 0);
		CU_ASSERT_EQUAL(r.bodies, in_head ? 0 : 1);
		CU_ASSERT_FALSE(http_is_busy(loop.http));
		source_free(source);
		recorder_fini(&r);
		close_loop(&loop, NULL);
	}
	tape_free(tape);
}

struct follower {
	struct loop *loop;
	struct recorder second;
	struct source *source;
};

static void start_second(void *ctx)
{
	struct follower *f = ctx;

	if (!f->source)
		f->source = loop_get(f->loop, serve_port(f->loop->serve), "/", &f->second);
}

static void starts_inside_a_callback(void)
{
	struct tape *tape = tape_of(FIRST HEAD_200 "{\"t\":2,\"body\":\"one\"}\n{\"t\":3,\"end\":\"closed\"}\n");
	struct loop loop;
	struct recorder r;
	struct follower f = { .loop = &loop };
	struct source *source;

	open_loop(&loop, tape);
	recorder_init(&r);
	recorder_init(&f.second);
	r.on_body = start_second;
	r.ctx = &f;
	source = loop_get(&loop, serve_port(loop.serve), "/", &r);
	loop_until(&loop, &r.ends, 1);
	loop_until(&loop, &f.second.ends, 1);
	CHECK_STR(buf_str(&f.second.body), "one");
	source_free(source);
	source_free(f.source);
	recorder_fini(&r);
	recorder_fini(&f.second);
	close_loop(&loop, tape);
}

/* Requests the slow name; its thread blocks until release_slow_name(). */
static struct source *start_slowly(struct http *http, int64_t connect_timeout_ms, struct recorder *r)
{
	struct http_request request = { .method = "GET", .url = "http://" SLOW_NAME ":81/", .connect_timeout_ms = connect_timeout_ms };
	struct source_sink sink = recorder_sink(r);
	struct source *source = NULL;
	struct error err;

	slow.asked = slow.released = slow.gave_up = slow.answered = false;
	CU_ASSERT_FATAL(http_start(http, &request, &sink, &source, &err));
	while (!slow_was_asked())
		http_wait(http, NULL, 0, 10);
	return source;
}

/* Waits for the thread to clean up, which the leak check would miss. */
static void await_thread(void)
{
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;
	struct stat tasks = { .st_nlink = 0 };

	while (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > THREADS_OF_ONE && check_now_ms() < give_up_ms)
		usleep(1000);
}

/* Returns false when the thread was not blocked on this: then the client waited for the thread. */
static bool release_slow_name(void)
{
	bool waited;

	pthread_mutex_lock(&slow.lock);
	waited = !slow.answered;
	slow.released = true;
	pthread_cond_broadcast(&slow.changed);
	while (!slow.answered)
		pthread_cond_wait(&slow.changed, &slow.lock);
	pthread_mutex_unlock(&slow.lock);
	await_thread();
	return waited;
}

static void cancels_while_a_name_is_resolved(void)
{
	struct http *http = http_new();
	struct recorder r;
	struct source *source;

	recorder_init(&r);
	source = start_slowly(http, 60000, &r);
	source_cancel(source);
	CU_ASSERT_FALSE(http_is_busy(http));
	source_free(source);
	http_free(http);
	CU_ASSERT(release_slow_name());
	CU_ASSERT_EQUAL(r.ends, 0);
	recorder_fini(&r);
}

static void gives_up_connecting(void)
{
	struct http *http = http_new();
	struct loop loop = { .http = http };
	struct recorder r;
	struct source *source;

	recorder_init(&r);
	source = start_slowly(http, 50, &r);
	loop_until(&loop, &r.ends, 1);
	source_free(source);
	CHECK_STR(buf_str(&r.log), "end cut\n");
	CHECK_STR(buf_str(&r.detail), "cannot connect to " SLOW_NAME ":81: no connection within 0.05 s (check the base URL and the network)");
	http_free(http);
	CU_ASSERT(release_slow_name());
	recorder_fini(&r);
}

static void says_that_a_name_cannot_be_resolved(void)
{
	struct http *http = http_new();
	struct loop loop = { .http = http };
	struct recorder r;
	struct source *source;

	recorder_init(&r);
	source = start_slowly(http, 60000, &r);
	CU_ASSERT(release_slow_name());
	loop_until(&loop, &r.ends, 1);
	CU_ASSERT(str_starts(buf_str(&r.detail), "cannot connect to " SLOW_NAME ":81: the name cannot be resolved"));
	source_free(source);
	http_free(http);
	recorder_fini(&r);
}

static void runs_several_at_once(void)
{
	enum { COUNT = 8 };
	struct tape *tape = tape_of(FIRST HEAD_200 "{\"t\":5,\"body\":\"a\"}\n{\"t\":9,\"body\":\"b\"}\n{\"t\":9,\"end\":\"closed\"}\n");
	struct loop loop;
	struct recorder r[COUNT];
	struct source *sources[COUNT];

	open_loop(&loop, tape);
	for (int i = 0; i < COUNT; i++) {
		recorder_init(&r[i]);
		sources[i] = loop_get(&loop, serve_port(loop.serve), "/", &r[i]);
	}
	for (int i = COUNT - 1; i >= 0; i--) {
		loop_until(&loop, &r[i].ends, 1);
		CHECK_STR(buf_str(&r[i].log), "head 200 text/event-stream\nbody ab\nend closed\n");
		source_free(sources[i]);
		recorder_fini(&r[i]);
	}
	close_loop(&loop, tape);
}

static const struct tape *check_body(void *ctx, const struct serve_request *request)
{
	CU_ASSERT_EQUAL(request->body.len, 5u << 20);
	CU_ASSERT(request->body.len == 5u << 20 && request->body.ptr[request->body.len - 1] == 'z');
	CU_ASSERT(str_is(request->method, "POST"));
	CU_ASSERT(str_is(request->path, "/big?x=%20y&z"));
	return ctx;
}

static void carries_large_bodies(void)
{
	struct str up = { NULL, 5u << 20 };
	char *bytes = mem_new(up.len);
	struct loop loop = { .http = http_new() };
	struct tape *tape = NULL;
	struct recorder r;
	struct source *source;
	struct error err;

	memset(bytes, 'z', up.len);
	up.ptr = bytes;
	CU_ASSERT_FATAL(tape_from_text(&tape, up, &err));
	CU_ASSERT_FATAL(serve_open(&loop.serve, 0, 1.0, check_body, tape, &err));
	recorder_init(&r);
	source = loop_post(&loop, serve_port(loop.serve), "/big?x=%20y&z", up, &r);
	loop_until(&loop, &r.ends, 1);
	CU_ASSERT(str_equal(buf_str(&r.body), up));
	source_free(source);
	recorder_fini(&r);
	close_loop(&loop, tape);
	mem_free(bytes);
}

static void sees_every_event_of_other_descriptors(void)
{
	struct tape *tape = tape_of(FIRST HEAD_200 "{\"t\":2,\"end\":\"stalled\"}\n");
	struct loop loop;
	struct recorder r;
	struct source *source;
	int pipe_fds[2];

	open_loop(&loop, tape);
	recorder_init(&r);
	CU_ASSERT_FATAL(pipe(pipe_fds) == 0);
	struct pollfd fd = { .fd = pipe_fds[0], .events = POLLIN };
	CU_ASSERT_EQUAL(http_wait(loop.http, &fd, 1, 0), 0);
	CU_ASSERT_EQUAL(fd.revents, 0);
	source = loop_get(&loop, serve_port(loop.serve), "/", &r);
	loop_until(&loop, &r.heads, 1);
	CU_ASSERT_EQUAL(http_wait(loop.http, &fd, 1, 0), 0);
	CU_ASSERT_EQUAL(write(pipe_fds[1], "x", 1), 1);
	CU_ASSERT_EQUAL(http_wait(loop.http, &fd, 1, -1), 1);
	CU_ASSERT_EQUAL(fd.revents, POLLIN);
	CU_ASSERT_EQUAL(read(pipe_fds[0], &(char){ 0 }, 1), 1);
	close(pipe_fds[1]);
	CU_ASSERT_EQUAL(http_wait(loop.http, &fd, 1, -1), 1);
	CU_ASSERT_EQUAL(fd.revents, POLLHUP);
	source_free(source);
	CU_ASSERT_EQUAL(http_wait(loop.http, &fd, 1, -1), 1);
	CU_ASSERT_EQUAL(fd.revents, POLLHUP);
	close(pipe_fds[0]);
	recorder_fini(&r);
	close_loop(&loop, tape);
}

static void lets_transfers_wait(void)
{
	struct tape *tape = tape_of(FIRST HEAD_200 "{\"t\":1,\"body\":\"text\"}\n{\"t\":1,\"end\":\"closed\"}\n");
	struct loop loop;
	struct recorder r;
	struct source *source;
	int pipe_fds[2];

	open_loop(&loop, tape);
	recorder_init(&r);
	CU_ASSERT_FATAL(pipe(pipe_fds) == 0);
	struct pollfd fd = { .fd = pipe_fds[0], .events = POLLIN };
	source = loop_get(&loop, serve_port(loop.serve), "/", &r);
	http_defer_reading(loop.http, clock_now_ms() + 3600000);
	for (int i = 0; i < 20; i++)
		CU_ASSERT_EQUAL(http_wait(loop.http, &fd, 1, 1), 0);
	CU_ASSERT_EQUAL(write(pipe_fds[1], "x", 1), 1);
	CU_ASSERT_EQUAL(http_wait(loop.http, &fd, 1, -1), 1);
	CU_ASSERT_EQUAL(r.heads, 0);
	http_defer_reading(loop.http, clock_now_ms());
	loop_until(&loop, &r.ends, 1);
	CHECK_STR(buf_str(&r.log), "head 200 text/event-stream\nbody text\nend closed\n");
	source_free(source);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	recorder_fini(&r);
	close_loop(&loop, tape);
}

/* Connects within the shortest limit this machine can keep at the moment, up to the head. Returns the limit. */
static int64_t start_within_limit(struct loop *loop, struct recorder *r, struct source **source)
{
	struct source_sink sink = recorder_sink(r);
	int64_t limit_ms = 30;
	struct error err;
	char url[60];

	snprintf(url, sizeof url, "http://127.0.0.1:%u/", serve_port(loop->serve));
	do {
		struct http_request request = { .method = "GET", .url = url, .connect_timeout_ms = limit_ms *= 2 };

		r->ends = 0;
		CU_ASSERT_FATAL(http_start(loop->http, &request, &sink, source, &err));
		while (!r->heads && !r->ends)
			loop_once(loop);
		if (r->ends)
			source_free(*source);
	} while (r->ends);
	return limit_ms;
}

/* curl's own timers (the last one of 200 ms) expire during a response. They must not wake the loop repeatedly. */
static void sleeps_when_a_limit_has_passed(void)
{
	struct tape *tape = tape_of(FIRST HEAD_200 "{\"t\":2,\"end\":\"stalled\"}\n");
	struct loop loop;
	struct recorder r;
	struct source *source;
	unsigned turns = 0;

	open_loop(&loop, tape);
	recorder_init(&r);
	int64_t wait_ms = start_within_limit(&loop, &r, &source) + 340;
	for (int64_t until_ms = clock_now_ms() + wait_ms; clock_now_ms() < until_ms; turns++)
		http_wait(loop.http, NULL, 0, 50);
	CHECK(turns < 40 + wait_ms / 50, "%u", turns);
	CU_ASSERT_EQUAL(r.ends, 0);
	source_free(source);
	recorder_fini(&r);
	close_loop(&loop, tape);
}

static void knows_this_machine(void)
{
	static const char *const here[] = { "127.0.0.1", "127.8.9.1", "localhost", "LocalHost", "[::1]" };
	static const char *const elsewhere[] = { "", "127.example.com", "128.0.0.1", "localhost.example.com", "[::2]" };

	for (size_t i = 0; i < sizeof here / sizeof here[0]; i++)
		CHECK(http_is_loopback(str_from(here[i])), "%s", here[i]);
	for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
		CHECK(!http_is_loopback(str_from(elsewhere[i])), "%s", elsewhere[i]);
}

const struct suite suite_http = { "http", (const struct test[]){
	TEST(calls_back_in_order), TEST(gives_every_status), TEST(skips_interim_answers),
	TEST(refuses_what_cannot_be_sent), TEST(sends_what_it_was_given),
	TEST(cancels_at_once), TEST(cancels_inside_a_callback), TEST(starts_inside_a_callback), TEST(cancels_while_a_name_is_resolved),
	TEST(gives_up_connecting), TEST(says_that_a_name_cannot_be_resolved), TEST(runs_several_at_once), TEST(carries_large_bodies),
	TEST(sees_every_event_of_other_descriptors), TEST(lets_transfers_wait), TEST(sleeps_when_a_limit_has_passed),
	TEST(knows_this_machine), { 0 } } };
