#include <math.h>

#include "base/mem.h"
#include "net/tape.h"

#define PORTION_BYTES ((size_t)256 << 10) /* limit of one run */

struct tape_player {
	struct source source;
	const struct tape *tape;
	struct source_sink sink;
	size_t index;
	double speed;
	bool over;
	int64_t since_ms;    /* when it began */
};

static struct tape_player *player_of(const struct source *s)
{
	return (struct tape_player *)(uintptr_t)s;
}

/* Real time at which the next step is due. */
static int64_t due_ms(const struct tape_player *p)
{
	double ahead_ms = tape_at(p->tape, p->index).at_ms;

	if (ahead_ms <= 0 || p->speed <= 0)
		return p->since_ms;
	ahead_ms = ceil(ahead_ms / p->speed);
	return ahead_ms < 1e15 ? p->since_ms + (int64_t)ahead_ms : NO_DEADLINE;
}

static int64_t player_deadline(const struct source *s)
{
	const struct tape_player *p = player_of(s);

	return p->over ? NO_DEADLINE : due_ms(p);
}

static size_t play_next(struct tape_player *p)
{
	static const char *const details[] = {
		[END_CLOSED] = "", [END_CUT] = "the recorded connection broke off here", [END_STALLED] = "", [END_CANCELLED] = "",
	};
	struct tape_step step = tape_at(p->tape, p->index++);

	switch (step.kind) {
	case TAPE_HEAD:
		p->sink.head(p->sink.ctx, &step.head, step.at_ms);
		break;
	case TAPE_BODY:
		p->sink.body(p->sink.ctx, step.bytes, step.at_ms);
		break;
	case TAPE_SENT:
	case TAPE_CAME:
	case TAPE_RUN:
		break; /* of no response */
	case TAPE_END:
		p->over = true;
		p->sink.end(p->sink.ctx, step.how, str_from(details[step.how]), step.at_ms);
		break;
	}
	return step.bytes.len;
}

static bool is_due(const struct tape_player *p, int64_t now_ms)
{
	return !p->over && due_ms(p) <= now_ms;
}

static void player_run(struct source *s, int64_t now_ms)
{
	struct tape_player *p = player_of(s);
	size_t played = 0;

	while (played < PORTION_BYTES && is_due(p, now_ms))
		played += play_next(p);
}

static void player_cancel(struct source *s)
{
	player_of(s)->over = true;
}

static void player_free(struct source *s)
{
	mem_free(player_of(s));
}

static const struct source_ops player_ops = {
	.deadline = player_deadline,
	.run = player_run,
	.cancel = player_cancel,
	.free = player_free,
};

struct source *tape_player_new(const struct tape *tape, const struct source_sink *sink, double speed, int64_t now_ms)
{
	struct tape_player *p = mem_new(sizeof *p);

	*p = (struct tape_player){ .source = { &player_ops }, .tape = tape, .sink = *sink, .speed = speed, .since_ms = now_ms };
	return &p->source;
}

bool tape_player_run_step(struct source *player, int64_t now_ms)
{
	struct tape_player *p = player_of(player);

	if (!is_due(p, now_ms))
		return false;
	play_next(p);
	return true;
}
