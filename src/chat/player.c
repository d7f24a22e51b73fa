#include "chat/player.h"

#include <math.h>

#include "base/mem.h"

#define READ_BYTES ((size_t)1 << 20)      /* of one pass of decoding */
#define PORTION_BYTES ((size_t)256 << 10) /* of one run, so that it is short */

struct player {
	const struct tape *tape;
	struct delta_log *log;
	struct turn *answer;
	double speed;
	bool paused;
	size_t frame, delta;  /* played; a frame that was begun counts */
	double position_ms;   /* in the tape at the real time `since_ms` */
	int64_t since_ms;
	uint64_t moves;
};

struct player *player_new(const struct tape *tape, const struct stream_options *stream, double speed, int64_t now_ms)
{
	struct player *p = mem_new(sizeof *p);

	*p = (struct player){ .tape = tape, .log = delta_log_new(tape, stream), .speed = speed, .since_ms = now_ms };
	while (delta_log_read(p->log, READ_BYTES))
		continue;
	return p;
}

void player_free(struct player *p)
{
	if (!p)
		return;
	delta_log_free(p->log);
	mem_free(p);
}

void player_show(struct player *p, struct turn *answer)
{
	p->answer = answer;
	if (!answer->scope.protocol)
		turn_set_protocol(answer, delta_log_protocol(p->log));
}

/* --- positions --- */

/* Of the last of `frames` frames. */
static double frame_ms(const struct player *p, size_t frames)
{
	return frames ? tape_at(p->tape, frames - 1).at_ms : 0;
}

/* The number of frames up to a time. */
static size_t frames_to(const struct player *p, double at_ms)
{
	size_t low = 0, high = player_frames(p);

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (frame_ms(p, middle + 1) <= at_ms)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The place without the clock. */
static bool go_to(struct player *p, size_t frame, size_t delta)
{
	bool moved = frame != p->frame || delta != p->delta;

	if (delta_log_move(p->log, p->answer, p->delta, delta) || moved)
		p->moves++;
	p->frame = frame;
	p->delta = delta;
	return moved;
}

static bool go_to_frame(struct player *p, size_t frame)
{
	return go_to(p, frame, delta_log_end(p->log, frame));
}

/* Stands still at a frame. */
static bool stand_at(struct player *p, size_t frame, size_t delta, int64_t now_ms)
{
	bool moved = go_to(p, frame, delta);

	p->paused = true;
	if (moved)
		p->position_ms = frame_ms(p, frame);
	p->since_ms = now_ms;
	return moved;
}

/* Restarts the clock: from now on, time counts from `now_ms`. */
static void anchor(struct player *p, int64_t now_ms)
{
	p->position_ms = player_position_ms(p, now_ms);
	p->since_ms = now_ms;
}

/* --- playing --- */

static bool is_partial(const struct player *p)
{
	return p->delta < delta_log_end(p->log, p->frame);
}

/* Real time at which the next frame is due, or the rest of this one. */
static int64_t due_ms(const struct player *p)
{
	if (is_partial(p) || p->speed <= 0)
		return p->since_ms;
	double ahead_ms = ceil((frame_ms(p, p->frame + 1) - p->position_ms) / p->speed);
	if (ahead_ms <= 0)
		return p->since_ms;
	return ahead_ms < 1e15 ? p->since_ms + (int64_t)ahead_ms : NO_DEADLINE;
}

int64_t player_deadline(const struct player *p)
{
	return p->paused || player_at_end(p) ? NO_DEADLINE : due_ms(p);
}

void player_run(struct player *p, int64_t now_ms)
{
	size_t played = 0, frame = p->frame;

	if (p->paused || player_at_end(p))
		return;
	for (; frame < player_frames(p) && played < PORTION_BYTES; frame++) {
		struct tape_step step = tape_at(p->tape, frame);

		if (p->speed > 0 && (step.at_ms - p->position_ms) / p->speed > (double)(now_ms - p->since_ms))
			break;
		played += step.bytes.len;
	}
	go_to_frame(p, frame);
	if (p->speed <= 0 || player_at_end(p)) {
		p->position_ms = frame_ms(p, frame);
		p->since_ms = now_ms;
	}
}

void player_pause(struct player *p, bool paused, int64_t now_ms)
{
	anchor(p, now_ms);
	p->paused = paused;
}

void player_set_speed(struct player *p, double speed, int64_t now_ms)
{
	anchor(p, now_ms);
	p->speed = speed;
}

/* --- moving --- */

bool player_step_frame(struct player *p, int step, int64_t now_ms)
{
	size_t frame = p->frame;

	if (step > 0)
		frame += !is_partial(p) && frame < player_frames(p);
	else
		frame -= frame > 0;
	return stand_at(p, frame, delta_log_end(p->log, frame), now_ms);
}

/* The place behind a delta. */
static bool stand_behind(struct player *p, size_t deltas, int64_t now_ms)
{
	size_t frame = deltas ? delta_log_frame(p->log, deltas - 1) + 1 : 0;

	return stand_at(p, frame, deltas, now_ms);
}

bool player_step_delta(struct player *p, int step, int64_t now_ms)
{
	if (step > 0 ? p->delta == delta_log_count(p->log) : !p->delta) {
		player_pause(p, true, now_ms);
		return false;
	}
	return stand_behind(p, step > 0 ? p->delta + 1 : p->delta - 1, now_ms);
}

bool player_seek_frame(struct player *p, size_t frames, int64_t now_ms)
{
	frames = frames < player_frames(p) ? frames : player_frames(p);
	return stand_at(p, frames, delta_log_end(p->log, frames), now_ms);
}

bool player_seek_ms(struct player *p, double at_ms, int64_t now_ms)
{
	double before_ms = player_position_ms(p, now_ms), to_ms = fmax(0, fmin(at_ms, player_length_ms(p)));

	bool moved = go_to_frame(p, at_ms < 0 ? 0 : frames_to(p, to_ms));
	p->position_ms = to_ms;
	p->since_ms = now_ms;
	return moved || to_ms != before_ms;
}

/* --- finding --- */

/* Whether a delta is the first of the run of reasoning that it belongs to. */
static bool begins_reasoning(const struct player *p, size_t delta)
{
	if (delta_log_kind(p->log, delta) != DELTA_REASONING)
		return false;
	return !delta || delta_log_kind(p->log, delta - 1) != DELTA_REASONING || delta_log_part(p->log, delta - 1) != delta_log_part(p->log, delta);
}

static bool is_stop(const struct player *p, enum player_stop what, size_t delta)
{
	enum delta_kind kind = delta_log_kind(p->log, delta);

	switch (what) {
	case PLAYER_REASONING: return begins_reasoning(p, delta);
	case PLAYER_CALL:      return kind == DELTA_TOOL_BEGIN;
	case PLAYER_ERROR:     return kind == DELTA_ERROR || (kind == DELTA_END && outcome_is_trouble(delta_log_answer(p->log)->outcome));
	case PLAYER_USAGE:     return kind == DELTA_USAGE;
	case PLAYER_REPAIR:    return kind == DELTA_NOTICE;
	case PLAYER_GAP:
	case PLAYER_STOP_COUNT: break;
	}
	return false;
}

/* To the frame that ended a gap. */
static bool find_gap(struct player *p, int step, int64_t now_ms)
{
	for (size_t n = step > 0 ? p->frame + 1 : p->frame - 1; n > 0 && n <= player_frames(p); n = step > 0 ? n + 1 : n - 1)
		if (frame_ms(p, n) - frame_ms(p, n - 1) >= PLAYER_GAP_MS)
			return stand_at(p, n, delta_log_end(p->log, n), now_ms);
	return false;
}

bool player_find(struct player *p, enum player_stop what, int step, int64_t now_ms)
{
	size_t count = delta_log_count(p->log);

	if (what == PLAYER_GAP)
		return p->frame + 1 > 1 || step > 0 ? find_gap(p, step, now_ms) : false;
	if (step > 0) {
		for (size_t i = p->delta; i < count; i++)
			if (is_stop(p, what, i))
				return stand_behind(p, i + 1, now_ms);
		return false;
	}
	for (size_t i = p->delta; i-- > 1;)
		if (is_stop(p, what, i - 1))
			return stand_behind(p, i, now_ms);
	return false;
}

/* --- asking --- */

const struct delta_log *player_log(const struct player *p)
{
	return p->log;
}

bool player_paused(const struct player *p)
{
	return p->paused;
}

bool player_at_end(const struct player *p)
{
	return p->frame == player_frames(p) && !is_partial(p);
}

double player_speed(const struct player *p)
{
	return p->speed;
}

double player_position_ms(const struct player *p, int64_t now_ms)
{
	double position_ms = p->position_ms;

	if (!player_at_end(p) && !p->paused && p->speed > 0)
		position_ms += (double)(now_ms - p->since_ms) * p->speed;
	return fmin(position_ms, player_length_ms(p));
}

double player_length_ms(const struct player *p)
{
	return frame_ms(p, player_frames(p));
}

size_t player_frame(const struct player *p)
{
	return p->frame;
}

size_t player_frames(const struct player *p)
{
	return delta_log_frames(p->log);
}

size_t player_delta(const struct player *p)
{
	return p->delta;
}

uint64_t player_moves(const struct player *p)
{
	return p->moves;
}
