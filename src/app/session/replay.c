#include "app/session/replay.h"

#include <string.h>

#include "app/options/options.h"
#include "app/session/session.h"
#include "app/setup/saved_stream.h"
#include "chat/player/player.h"

#define FOLLOW_MS 50 /* how often a tape that is being written is looked at */

/* What is open stays if this fails; else the caller closes it. */
static bool replay_read(struct replay *r, size_t at, struct error *err)
{
	const char *path = r->options->arguments[at], *slash = strrchr(path, '/');
	struct stream_options stream;
	struct tape *tape = NULL;
	struct tape_tail *tail = NULL;
	bool follow = r->options->follow;

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
	*r = (struct replay){ .options = o, .count = o->argument_count };
	if (!replay_read(r, 0, err))
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

void replay_start(struct replay *r, struct session *s)
{
	const struct options *o = r->options;
	int64_t now_ms = clock_now_ms();

	r->session = s;
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

/* --- following --- */

static int64_t replay_deadline(void *ctx)
{
	const struct replay *r = ctx;

	return r->tail && player_follows(session_player(r->session)) ? r->read_ms + FOLLOW_MS : NO_DEADLINE;
}

static void replay_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct replay *r = ctx;
	struct error err = { "" };
	bool grew;

	(void)fds, (void)count;
	if (now_ms < replay_deadline(r))
		return;
	r->read_ms = now_ms;
	bool good = tape_tail_read(r->tail, &grew, &err);
	if (grew || !good)
		player_follow(session_player(r->session), good && !tape_tail_ended(r->tail), now_ms);
	if (!good && r->tell)
		r->tell(r->ctx, err.text);
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
	session_forget(s);
	replay_start(r, s);
	tape_free(before);
	tape_tail_free(tail_before);
	return true;
}
