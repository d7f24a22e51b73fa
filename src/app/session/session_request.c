/* The request: what is sent, and the exchange that carries it. */
#include "app/session/session_inside.h"

#include "base/mem.h"
#include "chat/conversation/attachments.h"

/* Input of the render queue. The meter gets every delta at its own time, before the queue merges them. */
static void session_from_exchange(void *ctx, const struct delta *delta)
{
	struct session *s = ctx;

	meter_delta(&s->live->meter, delta);
	queue_delta(s->queue, delta);
}

void session_drop_exchange(struct session *s)
{
	exchange_free(s->exchange);
	s->exchange = NULL;
	owned_request_fini(&s->owned);
}

bool session_has_model(const struct session *s, struct error *err)
{
	return *s->setup->target.model || error_set(err, "no model is chosen: /model opens the list, /model NAME takes one");
}

const struct attachment_limits *session_limits(const struct session *s)
{
	const struct target *target = &s->setup->target;

	return attachment_limits_of(str_from(target->protocol->name), str_from(target->provider->name));
}

/* True if the page has that notice: once is enough. */
static bool session_has_told(const struct session *s, struct str sentence)
{
	for (size_t i = 0; i < s->conversation->count; i++) {
		const struct turn *t = s->conversation->turns[i];

		for (size_t n = 0; n < t->note_count; n++)
			if (str_is(sentence, t->notes[n].text))
				return true;
	}
	return false;
}

static void session_tell_left_out(void *ctx, struct str sentence)
{
	struct session *s = ctx;

	if (!session_has_told(s, sentence))
		turn_note(s->live, STR("weir"), sentence);
}

bool session_prepare(struct session *s, struct error *err)
{
	session_note_change(s); /* whatever comes of it: the question is in the path */
	if (!session_has_model(s, err) || !session_is_whole(s, err))
		return false;
	session_drop_exchange(s);
	return owned_request_fill(&s->owned, s->setup, err);
}

bool session_start(struct session *s, struct turn *goes_on, struct error *err)
{
	if (!session_prepare(s, err)) {
		s->left = 0;
		return false;
	}
	session_launch(s, s->conversation, goes_on);
	return true;
}

void session_launch(struct session *s, const struct conversation *sent, struct turn *goes_on)
{
	struct target *target = &s->setup->target;

	struct scope scope = { .provider = target->provider->name, .model = target->model, .protocol = target->protocol };
	owned_request_project(&s->owned, sent, &scope);
	if (goes_on) {
		s->owned.request.continues = goes_on->outcome == OUTCOME_PAUSED ? CONTINUE_PAUSED : CONTINUE_TEXT;
		turn_continue(goes_on);
	}
	s->live = goes_on ? goes_on
	                  : conversation_answer(s->conversation, str_from(target->provider->name), target->protocol, str_from(target->model));
	attachments_fit(session_limits(s), &s->owned.projection, session_tell_left_out, s);
	session_begin_exchange(s, STR_NONE);
}

void session_begin_exchange(struct session *s, struct str body)
{
	struct target *target = &s->setup->target;

	s->owned.request.model = str_from(s->live->scope.model);
	s->refused = NULL;
	s->gave_back = false;
	s->edited = NULL;
	struct error no_tape;
	char *tape = tape_choice_next(&s->tapes, &no_tape);
	if (*no_tape.text)
		turn_note(s->live, STR("weir"), str_from(no_tape.text));
	struct exchange_options options = {
		.http = s->setup->http, .provider = target->provider, .protocol = target->protocol, .dialect = target->dialect,
		.base_url = str_from(s->owned.base_url), .request = &s->owned.request, .body = body, .tape_path = tape,
		.tape_folder = tape_choice_folder(&s->tapes),
		.tape_bytes = tape_choice_bytes(&s->tapes),
		.tape_may_fail = tape_choice_may_fail(&s->tapes), .env = process_environment, .retries = setup_retries(s->setup),
		.allow_http = s->setup->options->allow_http, .sink = session_from_exchange, .ctx = s,
		.lint = s->setup->settings.lint,
		.sink_waits = true, /* the painter runs after the exchange */
	};
	s->exchange = exchange_new(&options, clock_now_ms());
	mem_free(tape);
}

void session_stop(struct session *s)
{
	if (s->exchange)
		exchange_cancel(s->exchange, clock_now_ms());
}

void session_halt(struct session *s)
{
	session_halt_holder(s);
	if (s->live)
		queue_drain(s->queue);
	session_drop_exchange(s);
	tape_choice_fini(&s->tapes);
	s->live = NULL;
	s->left = 0;
}
