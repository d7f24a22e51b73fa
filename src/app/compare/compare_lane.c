#include "app/compare/compare_lane.h"

#include "base/mem.h"
#include "chat/conversation/attachments.h"
#include "chat/exchange/answer_finish.h"

/* Output of the render queue. */
static void lane_to_turn(void *ctx, const struct delta *delta)
{
	turn_delta(((struct compare_lane *)ctx)->turn, delta);
}

/* Input of the render queue. The meter gets every delta at its own time, before the queue merges them. */
static void lane_from_exchange(void *ctx, const struct delta *delta)
{
	struct compare_lane *l = ctx;

	meter_delta(&l->turn->meter, delta);
	queue_delta(l->queue, delta);
}

void lane_init(struct compare_lane *l, struct compare_target *target, const struct setup *s)
{
	*l = (struct compare_lane){ .target = target };
	l->queue = queue_new(QUEUE_LIMIT, lane_to_turn, l);
	recording_init(&l->recording, s);
}

static void lane_drop_exchange(struct compare_lane *l)
{
	exchange_free(l->exchange);
	l->exchange = NULL;
	owned_request_fini(&l->owned);
}

void lane_fini(struct compare_lane *l)
{
	lane_drop_exchange(l);
	queue_free(l->queue);
	recording_fini(&l->recording);
}

/* --- asking --- */

bool lane_prepare(struct compare_lane *l, struct setup *s, struct error *err)
{
	struct target before;

	compare_target_enter(l->target, s, &before);
	bool good = owned_request_fill(&l->owned, s, err);
	compare_target_leave(l->target, s, &before);
	if (good && l->target->reasoning != REASONING_LEVEL_UNSET)
		l->owned.request.reasoning = l->target->reasoning;
	return good;
}

static void lane_tell_left_out(void *ctx, struct str sentence)
{
	turn_note(((struct compare_lane *)ctx)->turn, STR("weir"), sentence);
}

static void lane_project(struct compare_lane *l, struct session *session, struct turn *question)
{
	const struct compare_target *t = l->target;
	struct conversation *c = session_conversation(session);
	struct scope scope = { .provider = t->provider->name, .model = t->model, .protocol = t->protocol };

	conversation_branch(c, question);
	owned_request_project(&l->owned, c, &scope);
	l->turn = conversation_answer(c, str_from(t->provider->name), t->protocol, str_from(t->model));
	l->findings = 0;
	attachments_fit(attachment_limits_of(str_from(t->protocol->name), str_from(t->provider->name)), &l->owned.projection, lane_tell_left_out, l);
	l->owned.request.model = str_from(l->turn->scope.model);
}

static char *lane_tape(struct compare_lane *l, struct session *session)
{
	struct error note;

	l->recording.turns = session_count_tape(session);
	char *tape = recording_next(&l->recording, &note);
	if (*note.text)
		turn_note(l->turn, STR("weir"), str_from(note.text));
	return tape;
}

void lane_launch(struct compare_lane *l, struct setup *s, struct session *session, struct turn *question)
{
	lane_project(l, session, question);
	char *tape = lane_tape(l, session);
	struct exchange_options options = {
		.http = s->http, .provider = l->target->provider, .protocol = l->target->protocol, .dialect = l->target->dialect,
		.base_url = str_from(l->owned.base_url), .request = &l->owned.request, .tape_path = tape, .tape_folder = recording_folder(&l->recording),
		.tape_bytes = recording_bytes(&l->recording), .tape_may_fail = recording_may_fail(&l->recording),
		.env = process_environment, .retries = setup_retries(s), .allow_http = s->options->allow_http,
		.sink = lane_from_exchange, .ctx = l, .lint = s->settings.lint,
		.sink_waits = true, /* the painter runs after the exchange */
	};
	l->exchange = exchange_new(&options, clock_now_ms());
	mem_free(tape);
}

/* --- while it runs --- */

bool lane_runs(const struct compare_lane *l)
{
	return l->exchange != NULL;
}

void lane_stop(struct compare_lane *l)
{
	if (l->exchange)
		exchange_cancel(l->exchange, clock_now_ms());
}

bool lane_has_news(const struct compare_lane *l)
{
	return l->exchange && !queue_is_empty(l->queue);
}

static void lane_end(struct compare_lane *l)
{
	l->findings = findings_count(exchange_findings(l->exchange));
	struct str tape_error = answer_finish(l->turn, l->exchange, l->owned.request.schema);
	recording_over(&l->recording, tape_error);
	lane_drop_exchange(l);
}

bool lane_drain(struct compare_lane *l, bool *ended)
{
	*ended = false;
	if (!l->exchange)
		return false;
	bool told = answer_tell_waiting(l->turn, l->exchange, clock_now_ms());
	if (queue_is_empty(l->queue))
		return told;
	queue_drain(l->queue);
	if (!l->turn->tape && exchange_tape_path(l->exchange).len)
		str_replace(&l->turn->tape, exchange_tape_path(l->exchange));
	if (l->turn->ended) {
		*ended = true;
		lane_end(l);
	}
	return true;
}
