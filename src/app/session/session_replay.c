/* A replay: the player of a tape in the place of an exchange. */
#include "app/session/session_inside.h"
#include "app/setup/setup.h"

#include "base/timestamp.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/request_prompt.h"
#include "chat/exchange/answer_finish.h"

struct player *session_player(const struct session *s)
{
	return s->player;
}

bool session_plays_messages(const struct session *s)
{
	return s->player && str_is(tape_facts(delta_log_tape(player_log(s->player)))->protocol, "mcp");
}

const struct played_runs *session_played_runs(const struct session *s)
{
	return &s->played_runs;
}

void session_replay(struct session *s, const struct tape *tape, const struct stream_options *stream, int status, double speed)
{
	const struct tape_info *facts = tape_facts(tape);
	int64_t started_ms = 0;

	awaited_drop(&s->awaited);
	played_runs_fini(&s->played_runs);
	struct turn *asked = s->conversation->count ? NULL : request_prompt_add(facts->request, s->conversation);
	s->live = s->played = conversation_answer(s->conversation, facts->provider, stream->protocol, facts->model);
	(void)timestamp_read(facts->started, &started_ms);
	s->live->wall = (time_t)(started_ms / 1000); /* time of the recording; 0, unknown, for a plain body */
	if (asked)
		asked->wall = s->live->wall;
	struct stream_options watched = *stream;
	struct findings *findings = findings_of_tape(s->setup ? s->setup->settings.lint : LINT_LEVEL_OFF, tape, stream);
	watched.tap = findings_tap(findings);
	s->player = player_new(tape, &watched, findings, status, speed, clock_now_ms());
	s->played_moves = 0;
	player_show(s->player, s->played);
}

/* The results that the next request has, as far as the tape has them. */
static void session_add_played_results(struct session *s)
{
	struct turn *results = NULL;

	for (size_t i = 0; i < s->played_runs.count; i++) {
		const struct played_run *run = &s->played_runs.items[i];
		const struct part *call = turn_call(s->played, run->call);

		if (!run->ended || !call)
			continue;
		results = results ? results : conversation_ask(s->conversation);
		struct part *p = turn_add(results, PART_TOOL_RESULT, buf_str(&run->output), str_from(call->id), str_from(call->name));
		p->call = (int)run->call;
		p->is_error = run->state != CALL_RUN_RAN;
	}
	if (results)
		results->wall = s->played->wall;
}

void session_keep_played(struct session *s)
{
	(void)player_seek_frame(s->player, SIZE_MAX, clock_now_ms());
	(void)session_drain_played(s);
	session_add_played_results(s);
	player_free(s->player);
	played_runs_fini(&s->played_runs);
	s->player = NULL;
	s->live = s->played = NULL;
}

/* The player is at the end. When it moves back, it restores the turn without this (chat/player/turn_mark.h). */
static void session_end_played(struct session *s)
{
	struct buf details;

	buf_init(&details, (size_t)1 << 20);
	delta_log_details(player_log(s->player), &details);
	str_replace(&s->played->details, buf_str(&details));
	buf_fini(&details);
	answer_note_findings(s->played, player_findings(s->player));
	if (s->ended)
		s->ended(s->ctx, s->played);
}

bool session_drain_played(struct session *s)
{
	bool was_live = s->live != NULL;

	if (!session_has_news(s))
		return false;
	s->played_moves = player_moves(s->player);
	(void)played_runs_go(&s->played_runs, delta_log_tape(player_log(s->player)), player_behind(s->player), s->played);
	session_note_change(s);
	s->live = s->played->ended ? NULL : s->played;
	if (!s->live && (was_live || !s->played->details))
		session_end_played(s);
	return true;
}
