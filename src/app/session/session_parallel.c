/* One question, several answers at once: what the session has to do with them (session_parallel.h). */
#include "app/session/session_inside.h"
#include "chat/conversation/conversation.h"

void session_hold(struct session *s, const struct session_holder *holder)
{
	s->holder = holder ? *holder : (struct session_holder){ 0 };
}

bool session_is_held(const struct session *s)
{
	return s->holder.halt != NULL;
}

bool session_is_busy(const struct session *s)
{
	return s->live || session_is_held(s) || session_runs_tools(s);
}

void session_halt_holder(struct session *s)
{
	struct session_holder holder = s->holder;

	s->holder = (struct session_holder){ 0 };
	if (holder.halt)
		holder.halt(holder.ctx);
}

bool session_is_idle(const struct session *s, struct error *err)
{
	return session_is_free(s, err) && (!s->waiting_count || error_set(err, "prompts are queued: they are sent first"));
}

unsigned session_count_tape(struct session *s)
{
	return s->awaited.tapes.turns++;
}

bool session_ask_in_parallel(struct session *s, struct str prompt, struct turn **question, struct error *err)
{
	if (!prompt.len) {
		struct turn *last = conversation_last(s->conversation);

		*question = last && last->role == TURN_ASSISTANT ? last->parent : last;
		if (!*question)
			return error_set(err, "there is no question yet: write one behind the targets");
		return session_may_branch(s, err) && session_has_its_own_path(*question, err);
	}
	session_set_aside(s);
	*question = session_add_question(s, prompt);
	s->refused = NULL;
	s->gave_back = false;
	s->edited = NULL;
	return true;
}
