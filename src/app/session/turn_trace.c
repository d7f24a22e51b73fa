#include "app/session/turn_trace.h"

#include "app/session/session.h"
#include "chat/conversation/turn.h"
#include "chat/player/player.h"

static bool trace_of_tape(struct turn_trace *t, const struct turn *turn, enum lint_level lint, struct error *err)
{
	if (!turn->tape)
		return error_set(err, "the frames are not known: there is no recording of the answer (/private and tapes = 0 make none)");
	if (!tape_tail_open(&t->tail, turn->tape, err))
		return false;
	t->tape = tape_tail_tape(t->tail);
	const struct tape_info *facts = tape_facts(t->tape);
	t->trace = trace_new(t->tape, &(struct stream_options){
		.protocol = turn->scope.protocol ? turn->scope.protocol : protocol_find(facts->protocol), .dialect = dialect_find(facts->dialect),
		.asked = tape_asked(t->tape) }, 0, lint);
	return true;
}

bool turn_trace_open(struct turn_trace *t, const struct session *s, const struct turn *turn, enum lint_level lint, struct error *err)
{
	const struct player *player = session_player(s);
	int status;

	*t = (struct turn_trace){ 0 };
	if (!player)
		return trace_of_tape(t, turn, lint, err);
	t->tape = delta_log_tape(player_log(player));
	const struct stream_options *stream = delta_log_stream(player_log(player), &status);
	t->trace = trace_new(t->tape, stream, status, lint);
	return true;
}

void turn_trace_close(struct turn_trace *t)
{
	trace_free(t->trace);
	tape_tail_free(t->tail);
	*t = (struct turn_trace){ 0 };
}

size_t turn_trace_first_part(const struct turn *turn)
{
	return turn->joint_count ? turn->joints[turn->joint_count - 1].part : 0;
}
