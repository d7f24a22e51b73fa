#include "app/session/replay.h"

#include <string.h>

#include "app/options/options.h"
#include "app/session/session.h"
#include "app/setup/saved_stream.h"
#include "chat/conversation/turn.h"
#include "chat/player/player.h"

#define FOLLOW_MS 50        /* how often a tape that is being written is looked at */
#define FOLLOW_RUNS_MS 250  /* one that has ended with calls: what runs for them comes behind its end */

/* What is open stays if this fails; else the caller closes it. Rounds before the last one are over. */
static bool replay_read(struct replay *r, size_t at, struct error *err)
{
	const char *path = r->options->arguments[at], *slash = strrchr(path, '/');
	struct stream_options stream;
	struct tape *tape = NULL;
	struct tape_tail *tail = NULL;
	bool follow = r->options->follow && (!r->rounds || at + 1 == r->count);

	if (follow ? !tape_tail_open(&tail, path, err) : !saved_any_open(&tape, r->options, path, err))
		return false;
	if (!saved_stream_choose(r->options, follow ? tape_tail_tape(tail) : tape, &stream, err)) {
		tape_free(tape);
		tape_tail_free(tail);
		return false;
	}
	r->at = at;
	r->tape = tape;
	r->tail = tail;
	r->stream = stream;
	r->name = slash ? slash + 1 : path;
	return true;
}

bool replay_open(struct replay *r, const struct options *o, struct error *err)
{
	*r = (struct replay){ .options = o, .count = o->argument_count, .rounds = o->round > 0 };
	if (o->round > (long long)r->count)
		return error_set(err, "--round %lld: there %s", o->round, r->count == 1 ? "is only one file" : "are fewer files");
	if (!replay_read(r, r->rounds ? (size_t)o->round - 1 : 0, err))
		return false;
	if (r->tape)
		saved_stream_tell_others(r->tape, o, o->arguments[0]);
	return true;
}

void replay_close(struct replay *r)
{
	tape_free(r->tape);
	tape_tail_free(r->tail);
	r->tape = NULL;
	r->tail = NULL;
}

/* What was played before, and is over. One that cannot be read is left out. */
static void replay_rounds_before(const struct replay *r, struct session *s)
{
	for (size_t i = 0; i < r->at; i++) {
		struct replay before = { .options = r->options, .count = r->count, .rounds = true };
		struct error err;

		if (!replay_read(&before, i, &err))
			continue;
		session_replay(s, before.tape, &before.stream, r->options->status, 0);
		session_keep_played(s);
		replay_close(&before);
	}
}

/* Plays the tape that is open. */
static void replay_play(struct replay *r, struct session *s)
{
	const struct options *o = r->options;
	int64_t now_ms = clock_now_ms();

	session_replay(s, r->tail ? tape_tail_tape(r->tail) : r->tape, &r->stream, o->status, o->speed);
	struct player *player = session_player(s);
	player_set_idle(player, o->idle_s * 1000, now_ms);
	player_set_range(player, o->range_from_s * 1000, o->range_to_s * 1000, now_ms);
	player_set_loop(player, o->loop, now_ms);
	if (o->range_from_s > 0)
		player_seek_ms(player, o->range_from_s * 1000, now_ms);
	if (r->tail)
		player_follow(player, !tape_tail_ended(r->tail), now_ms);
}

void replay_start(struct replay *r, struct session *s)
{
	r->session = s;
	if (r->rounds)
		replay_rounds_before(r, s);
	replay_play(r, s);
}

/* --- the loop's member --- */

/* The round has been played to its end, and not been moved there. */
static bool replay_goes_on(const struct replay *r)
{
	const struct player *player = session_player(r->session);

	return r->rounds && r->at + 1 < r->count && player_at_end(player) && !player_paused(player) && !player_loops(player);
}

static bool replay_awaits_runs(const struct replay *r)
{
	return r->tail && delta_log_answer(player_log(session_player(r->session)))->outcome == OUTCOME_TOOL_CALLS;
}

static int64_t replay_deadline(void *ctx)
{
	const struct replay *r = ctx;
	const struct player *player = session_player(r->session);

	if (replay_goes_on(r))
		return 0;
	return r->tail && player_follows(player) ? r->read_ms + FOLLOW_MS : replay_awaits_runs(r) ? r->read_ms + FOLLOW_RUNS_MS : NO_DEADLINE;
}

static void replay_follow(struct replay *r, int64_t now_ms)
{
	struct error err = { "" };
	bool grew;

	r->read_ms = now_ms;
	bool good = tape_tail_read(r->tail, &grew, &err);
	if (grew || !good)
		player_follow(session_player(r->session), good && !tape_tail_ended(r->tail), now_ms);
	if (!good && r->tell)
		r->tell(r->ctx, err.text);
}

static void replay_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct replay *r = ctx;
	struct error err = { "" };

	(void)fds, (void)count;
	if (now_ms < replay_deadline(r))
		return;
	if (!replay_goes_on(r)) {
		replay_follow(r, now_ms);
	} else if (!replay_walk(r, r->session, 1, &err)) {
		player_pause(session_player(r->session), true, now_ms);
		if (r->tell)
			r->tell(r->ctx, err.text);
	}
}

struct loop_member replay_member(struct replay *r)
{
	return (struct loop_member){ .ctx = r, .deadline = replay_deadline, .run = replay_run };
}

bool replay_walk(struct replay *r, struct session *s, int step, struct error *err)
{
	struct tape *before = r->tape;
	struct tape_tail *tail_before = r->tail;

	if (step < 0 ? !r->at : r->at + 1 >= r->count)
		return error_set(err, r->count == 1 ? "this is the only tape" : step < 0 ? "this is the first tape" : "this is the last tape");
	if (!replay_read(r, step < 0 ? r->at - 1 : r->at + 1, err))
		return false;
	bool gone = !r->rounds || step < 0;
	if (!gone) {
		session_keep_played(s);
		replay_play(r, s);
	} else {
		session_forget(s);
		replay_start(r, s);
	}
	tape_free(before);
	tape_tail_free(tail_before);
	if (r->walked)
		r->walked(r->ctx, gone);
	return true;
}
