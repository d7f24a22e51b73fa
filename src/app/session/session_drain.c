/* Moves what has arrived into the answer, once per frame, and ends the answer. */
#include "app/session/session_inside.h"

static void session_finish_turn(struct session *s)
{
	struct turn *t = s->live;

	session_note_change(s);
	s->live = NULL;
	awaited_drop(&s->awaited);
	s->refused = session_was_refused(t) && t != s->summary ? t : NULL;
	if (t == s->summary)
		session_end_compaction(s, t);
	session_begin_runs(s, t);
	if (s->ended)
		s->ended(s->ctx, t);
	s->left = 0;
}

bool session_has_news(const struct session *s)
{
	return s->player ? player_moves(s->player) != s->played_moves : awaited_has_news(&s->awaited) || session_runs(s)->changed;
}

bool session_drain(struct session *s)
{
	if (s->player)
		return session_drain_played(s);
	struct turn *t = s->live;
	bool changed = t && awaited_drain(&s->awaited);
	if (awaited_is_over(&s->awaited)) {
		session_finish_turn(s);
		session_send_next(s, t);
	}
	return session_drain_runs(s) || changed;
}
