#include "app/compare/compared_answer.h"

#include "base/mem.h"
#include "chat/conversation/attachments.h"
#include "chat/exchange/answer_finish.h"

/* Output of the render queue. */
static void compared_answer_to_turn(void *ctx, const struct delta *delta)
{
	turn_delta(((struct compared_answer *)ctx)->turn, delta);
}

/* Input of the render queue. The meter gets every delta at its own time, before the queue merges them. */
static void compared_answer_from_exchange(void *ctx, const struct delta *delta)
{
	struct compared_answer *a = ctx;

	meter_delta(&a->turn->meter, delta);
	queue_delta(a->queue, delta);
}

void compared_answer_init(struct compared_answer *a, struct compare_target *target, const struct setup *s)
{
	*a = (struct compared_answer){ .target = target };
	a->queue = queue_new(QUEUE_LIMIT, compared_answer_to_turn, a);
	tape_choice_init(&a->tapes, s);
}

static void compared_answer_drop_exchange(struct compared_answer *a)
{
	exchange_free(a->exchange);
	a->exchange = NULL;
	owned_request_fini(&a->owned);
}

void compared_answer_fini(struct compared_answer *a)
{
	compared_answer_drop_exchange(a);
	queue_free(a->queue);
	tape_choice_fini(&a->tapes);
}

/* --- asking --- */

bool compared_answer_prepare(struct compared_answer *a, struct setup *s, struct error *err)
{
	struct target before;

	compare_target_enter(a->target, s, &before);
	bool good = owned_request_fill(&a->owned, s, err);
	compare_target_leave(a->target, s, &before);
	if (good && a->target->reasoning != REASONING_LEVEL_UNSET)
		a->owned.request.reasoning = a->target->reasoning;
	return good;
}

static void compared_answer_tell_left_out(void *ctx, struct str sentence)
{
	turn_note(((struct compared_answer *)ctx)->turn, STR("weir"), sentence);
}

static void compared_answer_project(struct compared_answer *a, struct session *session, struct turn *question)
{
	const struct compare_target *t = a->target;
	struct conversation *c = session_conversation(session);
	struct scope scope = { .provider = t->provider->name, .model = t->model, .protocol = t->protocol };

	conversation_branch(c, question);
	owned_request_project(&a->owned, c, &scope);
	a->turn = conversation_answer(c, str_from(t->provider->name), t->protocol, str_from(t->model));
	a->findings = 0;
	attachments_fit(attachment_limits_of(str_from(t->protocol->name), str_from(t->provider->name)), &a->owned.projection, compared_answer_tell_left_out, a);
	a->owned.request.model = str_from(a->turn->scope.model);
}

static char *compared_answer_tape(struct compared_answer *a, struct session *session)
{
	struct error note;

	a->tapes.turns = session_count_tape(session);
	char *tape = tape_choice_next(&a->tapes, &note);
	if (*note.text)
		turn_note(a->turn, STR("weir"), str_from(note.text));
	return tape;
}

void compared_answer_launch(struct compared_answer *a, struct setup *s, struct session *session, struct turn *question)
{
	compared_answer_project(a, session, question);
	char *tape = compared_answer_tape(a, session);
	struct exchange_options options = {
		.http = s->http, .provider = a->target->provider, .protocol = a->target->protocol, .dialect = a->target->dialect,
		.base_url = str_from(a->owned.base_url), .request = &a->owned.request, .tape_path = tape, .tape_folder = tape_choice_folder(&a->tapes),
		.tape_bytes = tape_choice_bytes(&a->tapes), .tape_may_fail = tape_choice_may_fail(&a->tapes),
		.env = process_environment, .retries = setup_retries(s), .allow_http = s->options->allow_http,
		.sink = compared_answer_from_exchange, .ctx = a, .lint = s->settings.lint,
		.sink_waits = true, /* the painter runs after the exchange */
	};
	a->exchange = exchange_new(&options, clock_now_ms());
	mem_free(tape);
}

/* --- while it runs --- */

bool compared_answer_runs(const struct compared_answer *a)
{
	return a->exchange != NULL;
}

void compared_answer_stop(struct compared_answer *a)
{
	if (a->exchange)
		exchange_cancel(a->exchange, clock_now_ms());
}

bool compared_answer_has_news(const struct compared_answer *a)
{
	return a->exchange && !queue_is_empty(a->queue);
}

static void compared_answer_end(struct compared_answer *a)
{
	a->findings = findings_count(exchange_findings(a->exchange));
	struct str tape_error = answer_finish(a->turn, a->exchange, a->owned.request.schema);
	tape_choice_over(&a->tapes, tape_error);
	compared_answer_drop_exchange(a);
}

bool compared_answer_drain(struct compared_answer *a, bool *ended)
{
	*ended = false;
	if (!a->exchange)
		return false;
	bool told = answer_tell_waiting(a->turn, a->exchange, clock_now_ms());
	if (queue_is_empty(a->queue))
		return told;
	queue_drain(a->queue);
	if (!a->turn->tape && exchange_tape_path(a->exchange).len)
		str_replace(&a->turn->tape, exchange_tape_path(a->exchange));
	if (a->turn->ended) {
		*ended = true;
		compared_answer_end(a);
	}
	return true;
}
