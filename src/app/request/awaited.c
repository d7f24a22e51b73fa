#include "app/request/awaited.h"

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "app/system/loop.h"
#include "base/mem.h"
#include "chat/conversation/attachments.h"
#include "chat/conversation/turn.h"
#include "chat/conversation/meter.h"
#include "chat/exchange/answer_finish.h"

static void awaited_to_turn(void *ctx, const struct delta *delta)
{
	turn_delta(((struct awaited *)ctx)->turn, delta);
}

void awaited_init(struct awaited *a, struct setup *setup, const struct awaited_owner *owner)
{
	*a = (struct awaited){ .setup = setup, .owner = *owner };
	a->queue = owner->by_frame ? queue_new(QUEUE_LIMIT, awaited_to_turn, a) : NULL;
	tape_choice_init(&a->tapes, setup);
}

void awaited_drop(struct awaited *a)
{
	exchange_free(a->exchange);
	a->exchange = NULL;
	owned_request_fini(&a->owned);
}

void awaited_fini(struct awaited *a)
{
	awaited_drop(a);
	queue_free(a->queue);
	tape_choice_fini(&a->tapes);
}

/* --- asking --- */

static void awaited_note(void *ctx, struct str sentence)
{
	struct awaited *a = ctx;

	if (a->owner.note)
		a->owner.note(a->owner.ctx, sentence);
	else
		turn_note(a->turn, STR("weir"), sentence);
}

static void awaited_changed(struct awaited *a)
{
	if (a->owner.changed)
		a->owner.changed(a->owner.ctx);
}

/* The meter gets every delta at its own time, before the queue merges them. */
static void awaited_take(void *ctx, const struct delta *delta)
{
	struct awaited *a = ctx;

	meter_delta(&a->turn->meter, delta);
	if (a->queue) {
		queue_delta(a->queue, delta);
	} else {
		turn_delta(a->turn, delta);
		awaited_changed(a);
	}
	if (a->owner.delta)
		a->owner.delta(a->owner.ctx, delta);
}

static void awaited_choose_tape(struct awaited *a, struct exchange_options *options, char **path)
{
	struct error note;

	options->tape_path = *path = tape_choice_next(&a->tapes, &note);
	if (*note.text)
		awaited_note(a, str_from(note.text));
	options->tape_folder = tape_choice_folder(&a->tapes);
	options->tape_bytes = tape_choice_bytes(&a->tapes);
	options->tape_may_fail = tape_choice_may_fail(&a->tapes);
}

/* What fails is told once, and the request goes without its tools. */
static void awaited_tell_servers(struct awaited *a)
{
	struct error sentence;

	while (setup_tell_servers(a->setup, &sentence))
		awaited_note(a, str_from(sentence.text));
}

static bool awaited_waits_for_servers(const struct awaited *a)
{
	struct buf names = { 0 };
	bool waits = setup_servers_hold(a->setup, &names);

	buf_fini(&names);
	return waits;
}

/* The servers whose tools go with it have their own time. */
static bool awaited_is_held(void *ctx, struct str *tools)
{
	struct awaited *a = ctx;

	if (awaited_waits_for_servers(a))
		return true;
	awaited_tell_servers(a);
	owned_request_take_tools(&a->owned, a->setup);
	meter_ask(&a->turn->meter, &a->owned.request);
	*tools = a->owned.request.tools;
	return false;
}

void awaited_begin(struct awaited *a, struct turn *turn, const struct awaited_how *how)
{
	const struct target *to = how->target ? how->target : &a->setup->target;
	bool held = a->owned.of_set && !how->body.len && awaited_waits_for_servers(a);
	int64_t now_ms = clock_now_ms();
	char *chosen = NULL;

	a->turn = turn;
	a->findings = 0;
	a->ends_ms = how->limit_ms ? now_ms + how->limit_ms : NO_DEADLINE;
	a->retry = 0;
	a->late = a->over = false;
	a->owned.request.model = how->model.len ? how->model : str_from(turn->scope.model);
	attachments_fit(attachment_limits_of(str_from(to->protocol->name), str_from(to->provider->name)), &a->owned.projection, awaited_note, a);
	if (a->owned.of_set && !held)
		awaited_tell_servers(a);
	if (!how->body.len)
		meter_ask(&turn->meter, &a->owned.request);
	struct exchange_options options = {
		.http = a->setup->http, .provider = to->provider, .protocol = to->protocol, .dialect = to->dialect,
		.base_url = str_from(a->owned.base_url), .request = &a->owned.request, .body = how->body,
		.tape_path = how->tape, .tape_folder = how->tape_folder, .tape_bytes = how->tape_bytes,
		.retries = how->once ? 0 : setup_retries(a->setup), .env = how->env ? how->env : process_environment,
		.allow_http = a->setup->options->allow_http, .lint = how->lint,
		.held = held ? awaited_is_held : NULL,
		.media_bytes = (size_t)a->setup->settings.media_mb << 20, .sink = awaited_take, .ctx = a,
		.defers_tape = a->queue, /* frames are painted after awaited_run() */
	};
	if (!how->tape && !how->no_tape)
		awaited_choose_tape(a, &options, &chosen);
	a->exchange = exchange_new(&options, now_ms);
	mem_free(chosen);
}

/* --- while it runs --- */

bool awaited_runs(const struct awaited *a)
{
	return a->exchange != NULL;
}

bool awaited_is_over(const struct awaited *a)
{
	return a->exchange && a->over;
}

bool awaited_is_closed(const struct awaited *a)
{
	return awaited_is_over(a) && exchange_deadline(a->exchange) == NO_DEADLINE;
}

bool awaited_has_news(const struct awaited *a)
{
	return a->exchange && !queue_is_empty(a->queue);
}

size_t awaited_findings(const struct awaited *a)
{
	return a->exchange && !a->over ? findings_count(exchange_findings(a->exchange)) : a->findings;
}

struct str awaited_close_tape(struct awaited *a)
{
	struct str failed = exchange_tape_error(a->exchange);

	tape_choice_over(&a->tapes, failed);
	return failed;
}

static void awaited_take_tape(struct awaited *a)
{
	struct str path = exchange_tape_path(a->exchange);

	if (a->turn->tape || !path.len)
		return;
	str_replace(&a->turn->tape, path);
	awaited_changed(a);
}

static void awaited_end(struct awaited *a)
{
	a->over = true;
	a->findings = findings_count(exchange_findings(a->exchange));
	if (a->queue)
		tape_choice_over(&a->tapes, answer_finish(a->turn, a->exchange, a->owned.request.schema));
	if (a->owner.models)
		model_list_price(a->owner.models, a->turn);
}

/* Without a queue: what is not in the turn yet, and its end. */
static void awaited_settle(struct awaited *a, int64_t now_ms)
{
	struct exchange_retry retry;

	awaited_take_tape(a);
	if (a->owner.retry && exchange_retry(a->exchange, now_ms, &retry) && retry.number != a->retry) {
		a->retry = retry.number;
		a->owner.retry(a->owner.ctx, &retry);
	}
	if (exchange_is_over(a->exchange) && !a->over)
		awaited_end(a);
}

void awaited_stop(struct awaited *a)
{
	int64_t now_ms = clock_now_ms();

	if (!a->exchange)
		return;
	exchange_cancel(a->exchange, now_ms);
	if (!a->queue)
		awaited_settle(a, now_ms);
}

/* True: there is another sentence about what it waits for. */
static bool awaited_tell_waiting(struct awaited *a)
{
	uint64_t before = a->turn->revision;
	struct buf names = { 0 };
	struct error words;

	if (exchange_state(a->exchange) == EXCHANGE_HELD && setup_servers_hold(a->setup, &names)) {
		error_set(&words, "Waiting for the tools of MCP servers: %s.", buf_z(&names));
		turn_hold(a->turn, str_from(words.text));
	} else {
		(void)answer_tell_waiting(a->turn, a->exchange, clock_now_ms());
	}
	buf_fini(&names);
	return a->turn->revision != before;
}

bool awaited_drain(struct awaited *a)
{
	struct turn *t = a->turn;

	if (!a->exchange || a->over)
		return false;
	bool told = awaited_tell_waiting(a);
	if (queue_is_empty(a->queue))
		return told;
	if (!t->scope.protocol && exchange_protocol(a->exchange))
		turn_set_protocol(t, exchange_protocol(a->exchange));
	if (t->joint_count)
		t->joints[t->joint_count - 1].by_words = exchange_way(a->exchange) == CONTINUATION_WORDS;
	queue_drain(a->queue);
	awaited_changed(a);
	awaited_take_tape(a);
	if (t->ended)
		awaited_end(a);
	return true;
}

/* --- the loop's member --- */

size_t awaited_fds(void *awaited, struct pollfd *fds, size_t room)
{
	const struct awaited *a = awaited;

	return a->exchange && room ? exchange_fds(a->exchange, fds) : 0;
}

int64_t awaited_deadline(void *awaited)
{
	const struct awaited *a = awaited;
	int64_t due_ms = a->exchange ? exchange_deadline(a->exchange) : NO_DEADLINE;

	return a->exchange && !exchange_is_over(a->exchange) && a->ends_ms < due_ms ? a->ends_ms : due_ms;
}

void awaited_run(void *awaited, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct awaited *a = awaited;

	(void)fds, (void)count;
	if (!a->exchange)
		return;
	exchange_run(a->exchange, now_ms);
	if (now_ms >= a->ends_ms && !exchange_is_over(a->exchange)) {
		a->late = true;
		exchange_cancel(a->exchange, now_ms);
	}
	if (!a->queue)
		awaited_settle(a, now_ms);
}

struct loop_member awaited_member(struct awaited *a)
{
	return (struct loop_member){ .ctx = a, .fds = awaited_fds, .deadline = awaited_deadline, .run = awaited_run };
}
