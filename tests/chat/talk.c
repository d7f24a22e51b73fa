#include "talk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"
#include "support/clock.h"
#include "wire/event.h"

#define LOOK_MS 50
#define VARIABLES 16

/* --- environment --- */

static struct { char name[40], value[400]; } variables[VARIABLES];

void talk_set_variable(const char *name, const char *value)
{
	size_t i = 0;

	while (i < VARIABLES && variables[i].name[0] && strcmp(variables[i].name, name))
		i++;
	CU_ASSERT_FATAL(i < VARIABLES);
	snprintf(variables[i].name, sizeof variables[i].name, "%s", name);
	snprintf(variables[i].value, sizeof variables[i].value, "%s", value ? value : "");
}

const char *talk_environment(const char *name)
{
	for (size_t i = 0; i < VARIABLES && variables[i].name[0]; i++)
		if (!strcmp(variables[i].name, name) && variables[i].value[0])
			return variables[i].value;
	return strcmp(name, "HOME") ? NULL : "/proc/nonexistent";
}

/* --- the server --- */

/* The tape that answered the last request. */
static const struct tape *current_tape(const struct talk *t)
{
	return t->tapes[t->asked <= t->tape_count ? t->asked - 1 : t->tape_count - 1];
}

static const struct tape *choose(void *ctx, const struct serve_request *request)
{
	struct talk *t = ctx;

	t->asked++;
	buf_printf(&t->requests, "%.*s %.*s\n%.*s\n", STR_ARG(request->method), STR_ARG(request->path), STR_ARG(request->body));
	return t->tape_count ? current_tape(t) : NULL;
}

void talk_answer(struct talk *t, const char *text)
{
	struct error err = { "" };

	CU_ASSERT_FATAL(t->tape_count < TALK_TAPES);
	CHECK(tape_from_text(&t->tapes[t->tape_count], str_from(text), &err), "%s", err.text);
	t->tape_count++;
}

/* --- deltas --- */

static void check_grammar(struct talk *t, const struct delta *d)
{
	CHECK(t->ends == 0, "nothing after the end");
	CHECK(!t->after_error || d->kind == DELTA_END, "%s after an error", delta_kind_name(d->kind));
	CHECK((t->kinds.len == 0) == (d->kind == DELTA_BEGIN), "begin is the first and only the first: %s", delta_kind_name(d->kind));
	if (d->kind == DELTA_ERROR)
		t->after_error = true;
	if (d->kind == DELTA_END)
		t->ends++;
}

static void take_delta(void *ctx, const struct delta *d)
{
	struct talk *t = ctx;

	check_grammar(t, d);
	buf_printf(&t->kinds, "%s%s", t->kinds.len ? " " : "", delta_kind_name(d->kind));
	event_write(d, &t->events);
	summary_delta(t->summary, d);
	if (t->cancel_at && !strcmp(t->cancel_at, delta_kind_name(d->kind)))
		t->cancel_wanted = true;
}

static void forget_deltas(struct talk *t)
{
	summary_free(t->summary);
	t->summary = summary_new();
	buf_clear(&t->events);
	buf_clear(&t->kinds);
	buf_clear(&t->requests);
	t->ends = 0;
	t->asked = 0;
	t->after_error = false;
	t->cancel_wanted = false;
}

/* --- creation --- */

void talk_init(struct talk *t)
{
	struct error err = { "" };

	*t = (struct talk){ .http = http_new() };
	memset(variables, 0, sizeof variables);
	talk_set_variable("BOX_API_KEY", TALK_KEY);
	CHECK(serve_open(&t->serve, 0, 1, choose, t, &err), "%s", err.text);
	snprintf(t->base_url, sizeof t->base_url, "http://127.0.0.1:%u", serve_port(t->serve));
	t->providers = providers_new(talk_environment);
	t->provider = providers_add(t->providers, STR("box"));
	talk_set(t, "protocols", "openai-chat, openai-responses, anthropic, gemini, ollama");
	talk_set(t, "base_url", t->base_url);
	talk_set(t, "key_env", "BOX_API_KEY");
}

void talk_fini(struct talk *t)
{
	exchange_free(t->exchange);
	providers_free(t->providers);
	serve_free(t->serve);
	http_free(t->http);
	for (size_t i = 0; i < t->tape_count; i++)
		tape_free(t->tapes[i]);
	summary_free(t->summary);
	buf_fini(&t->requests);
	buf_fini(&t->events);
	buf_fini(&t->kinds);
}

void talk_set(struct talk *t, const char *name, const char *value)
{
	struct error err = { "" };

	CHECK(provider_set(t->provider, str_from(name), str_from(value), &err), "%s", err.text);
}

/* --- exchanges --- */

struct request talk_request(void)
{
	static const struct request_part part = { .kind = PART_TEXT, .text = { "hi", 2 } };
	static const struct request_message message = { .role = TURN_USER, .parts = &part, .part_count = 1 };

	return (struct request){
		.model = STR("m-1"),
		.messages = &message,
		.message_count = 1,
		.max_tokens = 100,
		.temperature = NAN,
		.stream = true,
	};
}

struct exchange_options talk_options(struct talk *t, const struct protocol *protocol, const struct request *request)
{
	return (struct exchange_options){
		.http = t->http,
		.provider = t->provider,
		.protocol = protocol,
		.request = request,
		.env = talk_environment,
		.sink = take_delta,
		.ctx = t,
	};
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Whether the server has sent everything due before its next deadline, and the client has read it. */
static bool is_settled(const struct talk *t)
{
	const struct tape *tape = t->asked && t->tape_count ? current_tape(t) : NULL;
	int64_t due_ms = serve_answer_deadline(t->serve);
	struct pollfd served[WATCH_MOST];

	/* The end follows its last piece, unless the tape stalls. */
	if (!tape || !http_is_busy(t->http) || (due_ms == NO_DEADLINE && tape_at(tape, tape_length(tape) - 1).how != END_STALLED))
		return false;
	return due_ms > clock_now_ms() && poll(served, serve_fds(t->serve, served, WATCH_MOST), 0) == 0 && clock_is_safe_to_turn();
}

/* Handles what is available now, or within a moment. */
static void look(struct talk *t, struct pollfd *fds, size_t count, int64_t most_ms)
{
	struct pollfd all[4 + WATCH_MOST];
	size_t served = serve_fds(t->serve, all + count, WATCH_MOST);

	memcpy(all, fds, count * sizeof *fds);
	http_wait(t->http, all, count + served, most_ms < 0 ? 0 : (int)least(most_ms, LOOK_MS));
	memcpy(fds, all, count * sizeof *fds);
	serve_run(t->serve, clock_now_ms());
}

void talk_wait(struct talk *t, struct pollfd *fds, size_t count, int64_t due_ms)
{
	due_ms = least(due_ms, serve_answer_deadline(t->serve));
	if (!is_settled(t)) {
		look(t, fds, count, due_ms - clock_now_ms());
		return;
	}
	if (due_ms != NO_DEADLINE)
		clock_turn(due_ms - clock_now_ms());
	look(t, fds, count, 0);
}

static void run(struct talk *t)
{
	exchange_run(t->exchange, clock_now_ms());
	if (t->cancel_wanted && !t->ends)
		exchange_cancel(t->exchange, clock_now_ms());
}

void talk_turn(struct talk *t)
{
	struct pollfd fds[1];

	if (exchange_state(t->exchange) == EXCHANGE_RETRYING)
		clock_turn(exchange_deadline(t->exchange) - clock_now_ms());
	talk_wait(t, fds, exchange_fds(t->exchange, fds), exchange_deadline(t->exchange));
	run(t);
}

void talk_settle(struct talk *t)
{
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (!exchange_is_over(t->exchange) && !is_settled(t) && check_now_ms() < give_up_ms) {
		struct pollfd fds[1];

		look(t, fds, exchange_fds(t->exchange, fds), LOOK_MS);
		run(t);
	}
}

void talk_start(struct talk *t, const struct exchange_options *options)
{
	forget_deltas(t);
	exchange_free(t->exchange);
	t->exchange = exchange_new(options, clock_now_ms());
	CHECK(t->kinds.len == 0, "nothing is told before the first run");
}

void talk_finish(struct talk *t)
{
	int64_t give_up_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (!exchange_is_over(t->exchange) && check_now_ms() < give_up_ms)
		talk_turn(t);
	CHECK(t->ends == 1, "one end, not %u, after: %s", t->ends, buf_z(&t->kinds));
	if (!t->ends)
		exchange_cancel(t->exchange, clock_now_ms());
}

void talk_run(struct talk *t, const struct exchange_options *options)
{
	talk_start(t, options);
	talk_finish(t);
}

void talk_expect(const struct talk *t, enum outcome outcome, const char *text, const char *file, int line)
{
	enum outcome actual = summary_outcome(t->summary);

	check_that(actual == outcome, "outcome", file, line, "%s, not %s:\n%s", outcome_name(actual), outcome_name(outcome),
	           buf_z(&((struct talk *)(uintptr_t)t)->events));
	if (text)
		check_str(summary_text(t->summary), text, file, line);
}

bool talk_said(const struct talk *t, const char *words)
{
	struct str all = buf_str(&t->events);

	return str_find(all, str_from(words)) < all.len;
}

bool talk_asked(const struct talk *t, const char *words)
{
	struct str all = buf_str(&t->requests);

	return str_find(all, str_from(words)) < all.len;
}

/* --- files --- */

static char folder[] = "/tmp/weir-chat-XXXXXX";

static void remove_folder(void)
{
	char command[80];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	if (system(command) != 0)
		fprintf(stderr, "cannot remove %s\n", folder);
}

char *talk_path(const char *name)
{
	char path[200];

	if (strstr(folder, "XXXXXX")) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
		atexit(remove_folder);
	}
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return mem_dup_z(path);
}
