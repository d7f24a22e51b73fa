/* What has arrived: into the answer, once per frame, and the end of the answer. */
#include "app/session/session_inside.h"

#include "chat/exchange/answer_finish.h"

void session_to_turn(void *ctx, const struct delta *delta)
{
	struct session *s = ctx;

	turn_delta(s->live, delta);
}

static void session_finish_turn(struct session *s)
{
	struct turn *t = s->live;
	struct str tape_error = answer_finish(t, s->exchange, s->owned.request.schema);

	session_note_change(s);
	s->live = NULL;
	tape_choice_over(&s->tapes, tape_error);
	session_drop_exchange(s);
	s->refused = session_was_refused(t) && t != s->summary ? t : NULL;
	if (t == s->summary)
		session_end_compaction(s, t);
	if (s->ended)
		s->ended(s->ctx, t);
	s->left = 0;
}

bool session_has_news(const struct session *s)
{
	return s->player ? player_moves(s->player) != s->played_moves : !queue_is_empty(s->queue);
}

bool session_drain(struct session *s)
{
	if (s->player)
		return session_drain_played(s);
	if (!s->live)
		return false;
	bool told = answer_tell_waiting(s->live, s->exchange, clock_now_ms());
	if (queue_is_empty(s->queue))
		return told;
	if (!s->live->scope.protocol && exchange_protocol(s->exchange))
		turn_set_protocol(s->live, exchange_protocol(s->exchange));
	if (s->live->joint_count)
		s->live->joints[s->live->joint_count - 1].by_words = exchange_way(s->exchange) == CONTINUATION_WORDS;
	queue_drain(s->queue);
	session_note_change(s);
	if (!s->live->tape && exchange_tape_path(s->exchange).len)
		str_replace(&s->live->tape, exchange_tape_path(s->exchange));
	if (s->live->ended) {
		struct turn *t = s->live;

		session_finish_turn(s);
		session_send_next(s, t);
	}
	return true;
}
