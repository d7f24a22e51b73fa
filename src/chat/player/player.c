#include "chat/player/player.h"

#include <math.h>

#include "base/least.h"
#include "base/mem.h"
#include "base/search.h"
#include "chat/conversation/turn.h"

#define READ_BYTES ((size_t)256 << 10)     /* decoded in one run, ahead of the position */
#define PORTION_BYTES ((size_t)256 << 10) /* of one run, so that it is short */
#define REST_MS 1000                      /* a loop stands still at its end so long */

struct player {
	const struct tape *tape;
	struct delta_log *log;
	struct findings *findings; /* NULL: it is not checked */
	struct turn *answer;
	double speed;
	bool paused;
	size_t moment, delta; /* played; a moment that was begun counts */
	double idle_ms;       /* longer gaps are played as if they were so long; 0: none is */
	bool followed;        /* player_follow() was called */
	bool follows;         /* the tape is still being written */
	size_t known;         /* moments of the tape when it was last followed */
	bool loops, rests;    /* rests: at the end of the loop, since `since_ms` */
	double from_ms, to_ms; /* the range; to_ms 0: there is none */
	double position_ms;   /* in the tape at the real time `since_ms` */
	int64_t since_ms;
	uint64_t moves;
};

struct player *player_new(const struct tape *tape, const struct stream_options *stream, struct findings *findings, int status, double speed,
                          int64_t now_ms)
{
	struct player *p = mem_new(sizeof *p);

	*p = (struct player){ .tape = tape, .log = delta_log_new(tape, stream, status), .findings = findings, .speed = speed, .since_ms = now_ms };
	delta_log_read(p->log, READ_BYTES);
	return p;
}

void player_free(struct player *p)
{
	if (!p)
		return;
	delta_log_free(p->log);
	findings_free(p->findings);
	mem_free(p);
}

void player_show(struct player *p, struct turn *answer)
{
	p->answer = answer;
	if (!answer->scope.protocol)
		turn_set_protocol(answer, delta_log_protocol(p->log));
}

/* --- the log --- */

bool player_is_read(const struct player *p)
{
	return delta_log_is_read(p->log);
}

static void read_on(struct player *p)
{
	delta_log_read(p->log, READ_BYTES);
	if (!p->answer->scope.protocol)
		turn_set_protocol(p->answer, delta_log_protocol(p->log));
}

static void read_all(struct player *p)
{
	while (!player_is_read(p))
		read_on(p);
}

/* --- positions --- */

static size_t moments(const struct player *p)
{
	return delta_log_moments(p->log);
}

static double moment_ms(const struct player *p, size_t moment)
{
	return delta_log_moment(p->log, moment).at_ms;
}

/* The last moment up to a time, as far as the tape was decoded. */
static size_t moment_at(const struct player *p, double at_ms)
{
	struct search s = search_in(0, moments(p));

	while (search_next(&s))
		search_take(&s, moment_ms(p, s.middle + 1) <= at_ms);
	return s.low;
}

/* The first moment behind a frame, as far as the tape was decoded. */
static size_t moment_behind(const struct player *p, size_t frame)
{
	struct search s = search_in(0, moments(p));

	while (frame && search_next(&s))
		search_take(&s, delta_log_moment(p->log, s.middle + 1).frames < frame);
	return frame ? least_size(s.low + 1, moments(p)) : 0;
}

/* The place without the clock. */
static bool go_to(struct player *p, size_t moment, size_t delta)
{
	bool moved = moment != p->moment || delta != p->delta;

	if (delta_log_move(p->log, p->answer, p->delta, delta) || moved)
		p->moves++;
	p->moment = moment;
	p->delta = delta;
	return moved;
}

static bool go_to_moment(struct player *p, size_t moment)
{
	return go_to(p, moment, delta_log_moment(p->log, moment).deltas);
}

/* Stands still at a moment. */
static bool stand_at(struct player *p, size_t moment, size_t delta, int64_t now_ms)
{
	bool moved = go_to(p, moment, delta);

	p->paused = true;
	p->rests = false;
	if (moved)
		p->position_ms = moment_ms(p, moment);
	p->since_ms = now_ms;
	return moved;
}

static bool stand_at_moment(struct player *p, size_t moment, int64_t now_ms)
{
	return stand_at(p, moment, delta_log_moment(p->log, moment).deltas, now_ms);
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
	return p->delta < delta_log_moment(p->log, p->moment).deltas;
}

/* All that there is was played. */
static bool is_at_edge(const struct player *p)
{
	return player_is_read(p) && p->moment == moments(p) && !is_partial(p);
}

/* Whether playing ends before the next frame: at the end of the range that the position is in. */
static bool ends_before(const struct player *p, double next_ms)
{
	return p->to_ms > 0 && p->position_ms < p->to_ms && next_ms > p->to_ms;
}

/* Real time from `since_ms` until the position is at a time of the tape. Gaps are capped. */
static double wait_ms(const struct player *p, double next_ms)
{
	double ahead_ms = next_ms - p->position_ms;

	if (p->idle_ms > 0 && ahead_ms > p->idle_ms)
		ahead_ms = p->idle_ms;
	return ahead_ms > 0 && p->speed > 0 ? ceil(ahead_ms / p->speed) : 0;
}

/* Real time at which the next moment is due, or the rest of this one, or the end of the range. */
static int64_t due_ms(const struct player *p)
{
	if (is_partial(p) || p->speed <= 0)
		return p->since_ms;
	double next_ms = moment_ms(p, p->moment + 1);
	double wait = wait_ms(p, ends_before(p, next_ms) ? p->to_ms : next_ms);
	return wait < 1e15 ? p->since_ms + (int64_t)wait : NO_DEADLINE;
}

int64_t player_deadline(const struct player *p)
{
	if (!player_is_read(p))
		return 0;
	if (p->rests && !p->paused)
		return p->since_ms + REST_MS;
	return p->paused || is_at_edge(p) ? NO_DEADLINE : due_ms(p);
}

/* The end of the range or of the tape. */
static void end_play(struct player *p, double at_ms, int64_t now_ms)
{
	p->position_ms = at_ms;
	p->since_ms = now_ms;
	p->rests = p->loops;
	p->paused |= !p->loops && !player_at_end(p);
}

/* Plays what is due. */
static void play_due(struct player *p, int64_t now_ms)
{
	size_t moment = p->moment, from = delta_log_moment(p->log, moment).bytes;
	bool ends = false;

	for (; moment < moments(p) && delta_log_moment(p->log, moment).bytes - from < PORTION_BYTES && !ends; moment += !ends) {
		double wait, next_ms = moment_ms(p, moment + 1);

		ends = ends_before(p, next_ms);
		wait = wait_ms(p, ends ? p->to_ms : next_ms);
		if (p->speed > 0 && (int64_t)fmin(wait, 1e15) > now_ms - p->since_ms) {
			ends = false;
			break;
		}
		if (!ends && p->idle_ms > 0 && next_ms - p->position_ms > p->idle_ms) { /* the rest of the gap is left out */
			p->position_ms = next_ms;
			p->since_ms += (int64_t)wait;
		}
	}
	(void)go_to_moment(p, moment);
	if (ends)
		end_play(p, p->to_ms, now_ms);
	else if (player_at_end(p))
		end_play(p, player_length_ms(p), now_ms);
	else if (p->speed <= 0 || is_at_edge(p)) {
		p->position_ms = moment_ms(p, moment);
		p->since_ms = now_ms;
	}
}

void player_run(struct player *p, int64_t now_ms)
{
	if (!player_is_read(p))
		read_on(p);
	if (p->paused || (is_at_edge(p) && !p->rests))
		return;
	if (!p->rests)
		play_due(p, now_ms);
	else if (now_ms >= p->since_ms + REST_MS) { /* a loop begins again */
		p->rests = false;
		(void)go_to_moment(p, p->from_ms > 0 ? moment_at(p, p->from_ms) : 0);
		p->position_ms = p->from_ms;
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

void player_follow(struct player *p, bool more, int64_t now_ms)
{
	bool begins = !p->followed, at_edge = p->moment == p->known && !is_partial(p);

	p->followed = true;
	p->follows = more;
	read_all(p);
	p->moves += moments(p) > p->known;
	p->known = moments(p);
	if (!begins && (!at_edge || p->paused))
		return;
	(void)go_to_moment(p, p->known);
	p->position_ms = moment_ms(p, p->known);
	p->since_ms = now_ms;
}

bool player_follows(const struct player *p)
{
	return p->follows;
}

void player_set_idle(struct player *p, double idle_ms, int64_t now_ms)
{
	anchor(p, now_ms);
	p->idle_ms = idle_ms;
}

void player_set_loop(struct player *p, bool loops, int64_t now_ms)
{
	anchor(p, now_ms);
	p->loops = loops;
	p->rests = loops && player_at_end(p);
}

void player_set_range(struct player *p, double from_ms, double to_ms, int64_t now_ms)
{
	anchor(p, now_ms);
	p->from_ms = fmax(0, fmin(from_ms, player_length_ms(p)));
	p->to_ms = to_ms > p->from_ms ? to_ms : 0;
}

/* --- moving --- */

bool player_step_frame(struct player *p, int step, int64_t now_ms)
{
	size_t moment = p->moment;

	while (moment == moments(p) && !player_is_read(p))
		read_on(p);
	if (step > 0)
		moment += !is_partial(p) && moment < moments(p);
	else
		moment -= moment > 0;
	return stand_at_moment(p, moment, now_ms);
}

/* The place behind a delta. */
static bool stand_behind(struct player *p, size_t deltas, int64_t now_ms)
{
	return stand_at(p, deltas ? delta_log_moment_of(p->log, deltas - 1) : 0, deltas, now_ms);
}

bool player_step_delta(struct player *p, int step, int64_t now_ms)
{
	while (p->delta == delta_log_count(p->log) && !player_is_read(p))
		read_on(p);
	if (step > 0 ? p->delta == delta_log_count(p->log) : !p->delta) {
		player_pause(p, true, now_ms);
		return false;
	}
	return stand_behind(p, step > 0 ? p->delta + 1 : p->delta - 1, now_ms);
}

bool player_seek_frame(struct player *p, size_t frame, int64_t now_ms)
{
	while (delta_log_moment(p->log, moments(p)).frames < frame && !player_is_read(p))
		read_on(p);
	bool beyond = delta_log_moment(p->log, moments(p)).frames < frame;
	return stand_at_moment(p, beyond ? moments(p) : moment_behind(p, frame), now_ms);
}

bool player_seek_ms(struct player *p, double at_ms, int64_t now_ms)
{
	double before_ms = player_position_ms(p, now_ms), to_ms = fmax(0, fmin(at_ms, player_length_ms(p)));

	while (moment_ms(p, moments(p)) <= to_ms && !player_is_read(p))
		read_on(p);
	bool moved = go_to_moment(p, at_ms < 0 ? 0 : moment_at(p, to_ms));
	p->position_ms = to_ms;
	p->since_ms = now_ms;
	p->rests = false;
	p->paused |= p->speed <= 0; /* else it is at the end at once */
	return moved || to_ms != before_ms;
}

bool player_seek_share(struct player *p, double share, int64_t now_ms)
{
	if (player_length_ms(p) > 0)
		return player_seek_ms(p, share * player_length_ms(p), now_ms);
	read_all(p);
	return stand_at_moment(p, (size_t)(share * (double)moments(p) + 0.5), now_ms);
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
	case PLAYER_ERROR:     return kind == DELTA_END && outcome_is_trouble(delta_log_answer(p->log)->outcome); /* it ends what an error began */
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
	read_all(p);
	for (size_t n = step > 0 ? p->moment + 1 : p->moment - 1; n > 0 && n <= moments(p); n = step > 0 ? n + 1 : n - 1)
		if (moment_ms(p, n) - moment_ms(p, n - 1) >= PLAYER_GAP_MS)
			return stand_at_moment(p, n, now_ms);
	return false;
}

bool player_find(struct player *p, enum player_stop what, int step, int64_t now_ms)
{
	if (what == PLAYER_GAP)
		return step > 0 || p->moment ? find_gap(p, step, now_ms) : false;
	if (step > 0) {
		read_all(p);
		for (size_t i = p->delta; i < delta_log_count(p->log); i++)
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

const struct findings *player_findings(const struct player *p)
{
	return p->findings;
}

size_t player_found(const struct player *p)
{
	return findings_until(p->findings, delta_log_moment(p->log, p->moment).frames + (p->moment == moments(p) && player_is_read(p)));
}

bool player_paused(const struct player *p)
{
	return p->paused;
}

bool player_at_end(const struct player *p)
{
	return !p->follows && is_at_edge(p);
}

double player_speed(const struct player *p)
{
	return p->speed;
}

double player_idle_ms(const struct player *p)
{
	return p->idle_ms;
}

bool player_loops(const struct player *p)
{
	return p->loops;
}

bool player_range(const struct player *p, double *from_ms, double *to_ms)
{
	*from_ms = p->from_ms;
	*to_ms = p->to_ms > 0 ? p->to_ms : player_length_ms(p);
	return p->from_ms > 0 || p->to_ms > 0;
}

double player_position_ms(const struct player *p, int64_t now_ms)
{
	double position_ms = p->position_ms;

	if (!is_at_edge(p) && !p->paused && !p->rests && p->speed > 0)
		position_ms += (double)(now_ms - p->since_ms) * p->speed;
	return fmin(position_ms, player_length_ms(p));
}

double player_length_ms(const struct player *p)
{
	size_t steps = tape_length(p->tape) + tape_behind(p->tape);

	return steps ? tape_at(p->tape, steps - 1).at_ms : 0;
}

double player_next_ms(const struct player *p)
{
	return moment_ms(p, p->moment < moments(p) ? p->moment + 1 : p->moment);
}

size_t player_frame(const struct player *p)
{
	return delta_log_moment(p->log, p->moment).frames;
}

size_t player_frames(const struct player *p)
{
	return delta_log_frames(p->log);
}

size_t player_behind(const struct player *p)
{
	return delta_log_moment(p->log, p->moment).behind;
}

size_t player_delta(const struct player *p)
{
	return p->delta;
}

uint64_t player_moves(const struct player *p)
{
	return p->moves;
}
