#include "app/replay.h"

#include <string.h>

#include "app/saved_stream.h"

/* What is open stays if this fails; else the caller closes it. */
static bool replay_read(struct replay *r, size_t at, struct error *err)
{
	const char *path = r->options->arguments[at], *slash = strrchr(path, '/');
	struct stream_options stream;
	struct tape *tape;

	if (!tape_open(&tape, path, err))
		return false;
	if (!saved_stream_choose(r->options, tape, &stream, err)) {
		tape_free(tape);
		return false;
	}
	r->at = at;
	r->tape = tape;
	r->stream = stream;
	r->name = slash ? slash + 1 : path;
	return true;
}

bool replay_open(struct replay *r, const struct options *o, struct error *err)
{
	*r = (struct replay){ .options = o, .count = o->argument_count };
	return replay_read(r, 0, err);
}

void replay_close(struct replay *r)
{
	tape_free(r->tape);
	r->tape = NULL;
}

void replay_start(const struct replay *r, struct session *s)
{
	const struct options *o = r->options;
	int64_t now_ms = clock_now_ms();

	session_replay(s, r->tape, &r->stream, o->speed);
	struct player *player = session_player(s);
	player_set_idle(player, o->idle_s * 1000, now_ms);
	player_set_range(player, o->range_from_s * 1000, o->range_to_s * 1000, now_ms);
	player_set_loop(player, o->loop, now_ms);
	if (o->range_from_s > 0)
		player_seek_ms(player, o->range_from_s * 1000, now_ms);
}

bool replay_walk(struct replay *r, struct session *s, int step, struct error *err)
{
	struct tape *before = r->tape;

	if (step < 0 ? !r->at : r->at + 1 >= r->count)
		return error_set(err, r->count == 1 ? "this is the only tape" : step < 0 ? "this is the first tape" : "this is the last tape");
	if (!replay_read(r, step < 0 ? r->at - 1 : r->at + 1, err))
		return false;
	session_forget(s);
	replay_start(r, s);
	tape_free(before);
	return true;
}
