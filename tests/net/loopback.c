#include "loopback.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"

void recorder_init(struct recorder *r)
{
	*r = (struct recorder){ .heads = 0 };
}

void recorder_fini(struct recorder *r)
{
	struct buf *const all[] = { &r->log, &r->body, &r->detail, &r->content_type, &r->headers };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		buf_fini(all[i]);
}

bool recorder_says(const struct recorder *r, const char *words)
{
	struct str rest = str_from(words), either;
	bool found = !rest.len;

	while (!found && str_split(&rest, '|', &either))
		found = str_find(buf_str(&r->detail), either) < r->detail.len;
	return found;
}

static void note_time(struct recorder *r, double at_ms)
{
	r->time_went_back |= at_ms < r->last_ms;
	r->last_ms = at_ms;
}

static void on_head(void *ctx, const struct response_head *head, double at_ms)
{
	struct recorder *r = ctx;

	note_time(r, at_ms);
	r->heads++;
	r->status = head->status;
	r->head_ms = at_ms;
	snprintf(r->http, sizeof r->http, "%.*s", STR_ARG(head->http));
	r->is_timed = head->is_timed;
	r->reused = head->reused;
	r->timings = head->timings;
	buf_add(&r->content_type, head->content_type);
	for (size_t i = 0; i < head->header_count; i++)
		buf_printf(&r->headers, "%.*s=%.*s;", STR_ARG(head->headers[i].name), STR_ARG(head->headers[i].value));
	buf_printf(&r->log, "head %d %.*s\n", head->status, STR_ARG(head->content_type));
	if (r->on_head)
		r->on_head(r->ctx);
}

static void on_body(void *ctx, struct str bytes, double at_ms)
{
	struct recorder *r = ctx;

	note_time(r, at_ms);
	if (!r->bodies++)
		buf_add_z(&r->log, "body ");
	if (r->log.len < 10000)
		buf_add(&r->log, bytes);
	buf_add(&r->body, bytes);
	if (r->on_body)
		r->on_body(r->ctx);
}

static void on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct recorder *r = ctx;

	note_time(r, at_ms);
	r->ends++;
	buf_add(&r->detail, detail);
	buf_printf(&r->log, "%send %s\n", r->bodies ? "\n" : "", end_how_name(how));
}

struct source_sink recorder_sink(struct recorder *r)
{
	return (struct source_sink){ r, on_head, on_body, on_end };
}

bool recorder_is_new_connection(const struct recorder *r, bool tls)
{
	const struct response_timings *t = &r->timings;

	return r->is_timed && !r->reused && t->name_ms > 0 && t->name_ms <= t->connect_ms && (tls ? t->tls_ms >= t->connect_ms : t->tls_ms == 0) &&
	       t->connect_ms <= t->sent_ms && t->tls_ms <= t->sent_ms && t->sent_ms <= t->first_byte_ms;
}

/* --- the event loop --- */

static int wait_ms(const struct loop *loop)
{
	int64_t due_ms = loop->serve ? serve_answer_deadline(loop->serve) : NO_DEADLINE;
	int64_t left_ms = due_ms == NO_DEADLINE ? 1000 : due_ms - clock_now_ms();

	return left_ms < 0 ? 0 : left_ms > 1000 ? 1000 : (int)left_ms;
}

/* Runs the server at its deadline, however late that is: what is due at two different times is never sent together. */
void loop_serve(struct loop *loop)
{
	int64_t due_ms = serve_answer_deadline(loop->serve), now_ms = clock_now_ms();

	serve_run(loop->serve, due_ms < now_ms ? due_ms : now_ms);
}

void loop_once(struct loop *loop)
{
	struct pollfd fds[WATCH_MOST];
	size_t count = 0;

	if (loop->serve)
		count = serve_fds(loop->serve, fds, WATCH_MOST);
	http_wait(loop->http, fds, count, wait_ms(loop));
	if (loop->serve)
		loop_serve(loop);
}

void loop_until(struct loop *loop, const unsigned *counter, unsigned count)
{
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (*counter < count && check_now_ms() < give_up_ms)
		loop_once(loop);
	CHECK(*counter >= count, "%u of %u callbacks came", *counter, count);
}

static struct source *start(struct http *http, const struct http_request *request, struct recorder *r)
{
	struct source_sink sink = recorder_sink(r);
	struct source *source = NULL;
	struct error err;

	CU_ASSERT_FATAL(http_start(http, request, &sink, &source, &err));
	return source;
}

void loop_ask(struct http *http, const struct http_request *request, struct recorder *r)
{
	struct loop loop = { .http = http };
	struct source *source = start(http, request, r);

	loop_until(&loop, &r->ends, 1);
	source_free(source);
}

static struct source *start_path(struct loop *loop, const char *method, unsigned port, const char *path, struct str body, struct recorder *r)
{
	char url[200];
	const char *const headers[] = { "Content-Type: application/json" };
	struct http_request request = { .method = method, .url = url, .headers = headers, .header_count = 1, .body = body,
		                        .connect_timeout_ms = CHECK_PATIENCE_MS };

	snprintf(url, sizeof url, "http://127.0.0.1:%u%s", port, path);
	return start(loop->http, &request, r);
}

struct source *loop_get(struct loop *loop, unsigned port, const char *path, struct recorder *r)
{
	return start_path(loop, "GET", port, path, STR_NONE, r);
}

struct source *loop_post(struct loop *loop, unsigned port, const char *path, struct str body, struct recorder *r)
{
	return start_path(loop, "POST", port, path, body, r);
}

void loop_forget_proxies(void)
{
	static const char *const variables[] = { "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY" };

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		unsetenv(variables[i]);
}

struct tape *tape_of(const char *text)
{
	struct tape *tape = NULL;
	struct error err;

	CU_ASSERT_FATAL(tape_from_text(&tape, str_from(text), &err));
	return tape;
}
