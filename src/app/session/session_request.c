/* The request: what is sent, and the exchange that carries it. */
#include "app/session/session_inside.h"
#include "app/setup/setup.h"

#include "chat/conversation/attachments.h"
#include "chat/conversation/conversation.h"

bool session_has_model(const struct session *s, struct error *err)
{
	return *s->setup->target.model || error_set(err, "no model is chosen: /model opens the list, /model NAME takes one");
}

const struct attachment_limits *session_limits(const struct session *s)
{
	const struct target *target = &s->setup->target;

	return attachment_limits_of(str_from(target->protocol->name), str_from(target->provider->name));
}

bool session_prepare(struct session *s, struct error *err)
{
	session_note_change(s); /* whatever comes of it: the question is in the path */
	if (!session_has_model(s, err) || !session_is_whole(s, err))
		return false;
	awaited_drop(&s->awaited);
	return owned_request_fill(&s->awaited.owned, s->setup, err);
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
	owned_request_project(&s->awaited.owned, sent, &scope);
	if (goes_on) {
		s->awaited.owned.request.continues = goes_on->outcome == OUTCOME_PAUSED ? CONTINUE_PAUSED : CONTINUE_TEXT;
		turn_continue(goes_on);
	}
	s->live = goes_on ? goes_on
	                  : conversation_answer(s->conversation, str_from(target->provider->name), target->protocol, str_from(target->model));
	session_begin_exchange(s, STR_NONE);
}

void session_begin_exchange(struct session *s, struct str body)
{
	session_leave_runs(s);
	s->refused = NULL;
	s->gave_back = false;
	s->edited = NULL;
	awaited_begin(&s->awaited, s->live, &(struct awaited_how){ .body = body, .lint = s->setup->settings.lint });
}

void session_stop(struct session *s)
{
	awaited_stop(&s->awaited);
	session_stop_runs(s);
}

void session_halt(struct session *s)
{
	session_halt_holder(s);
	session_leave_runs(s);
	if (s->live)
		queue_drain(s->awaited.queue);
	awaited_drop(&s->awaited);
	tape_choice_fini(&s->awaited.tapes);
	s->live = NULL;
	s->left = 0;
}
