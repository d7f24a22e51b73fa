/*
 * Leaps in any tape. Rule: after each leap the answer is, in all its members, what a decoder makes of the tape up to there.
 *
 * input: 4 bytes that choose the leaps, then the file
 */
#include <string.h>

#include "chat/conversation/conversation.h"
#include "chat/player/player.h"
#include "fuzz.h"

#define LEAPS 12

static void add_text(struct buf *out, const char *name, const char *text)
{
	buf_printf(out, "%s=%s\n", name, text ? text : "(none)");
}

static void add_part(struct buf *out, const struct part *p)
{
	buf_printf(out, "part %d %u %d %d%d %g %g %llu %llu ", p->kind, p->number, p->call, p->open, p->valid, p->begun_ms, p->ended_ms,
	           (unsigned long long)p->size.narrow, (unsigned long long)p->size.wide);
	add_text(out, "id", p->id);
	add_text(out, "name", p->name);
	buf_add(out, buf_str(&p->text));
	buf_add_byte(out, '\n');
}

static void add_meter(struct buf *out, const struct meter *m)
{
	buf_printf(out, "meter %d %g %g %lld %u", m->begun, m->first_ms, m->last_ms, (long long)m->slot_at, m->profile_doubled);
	for (size_t i = 0; i < METER_SLOTS; i++)
		buf_printf(out, " %lld", (long long)m->slots[i]);
	for (size_t i = 0; i < METER_PROFILE; i++)
		buf_printf(out, " %lld", (long long)m->profile[i]);
	buf_printf(out, " %lld\n", (long long)meter_tokens(m));
}

/* All that deltas make of an answer. */
static void write_answer(struct buf *out, const struct turn *t)
{
	const char *const texts[] = { t->id, t->model, t->routed_model, t->finish_reason, t->error_message, t->error_type, t->error_code };

	buf_clear(out);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		add_text(out, "text", texts[i]);
	buf_printf(out, "%d %d %g %d %d %d %g %zu %zu\n", t->routed_known, t->route.routed, t->route.routing_latency_ms, t->has_error, t->error_status,
	           t->ended, t->ended_ms, t->open_from, t->restarted_at);
	buf_printf(out, "%d %g %d\n", t->reported.known, t->reported.usd, t->ended ? (int)t->outcome : -1);
	for (size_t i = 0; i < USAGE_FIGURE_COUNT; i++)
		buf_printf(out, "%d %lld\n", t->usage.of[i].sent, (long long)t->usage.of[i].number);
	for (size_t i = 0; i < t->part_count; i++)
		add_part(out, &t->parts[i]);
	for (size_t i = 0; i < t->note_count; i++)
		buf_printf(out, "note %zu %s %s\n", t->notes[i].part, t->notes[i].rule, t->notes[i].text);
	for (size_t i = 0; i < t->citations.source_count; i++)
		add_text(out, "source", t->citations.sources[i].url);
	for (size_t i = 0; i < t->citations.place_count; i++)
		buf_printf(out, "place %zu %lld\n", t->citations.places[i].source, (long long)t->citations.places[i].end);
	add_meter(out, &t->meter);
}

/* Decodes up to a frame: what is brought by a later one is left out. */
struct reference {
	struct turn *turn;
	struct stream *stream;
	size_t frame;
};

static void to_turn(void *ctx, const struct delta *delta)
{
	struct reference *r = ctx;

	if (stream_frames(r->stream) > r->frame)
		return;
	meter_delta(&r->turn->meter, delta);
	turn_delta(r->turn, delta);
}

/* `frame` as in player_seek_frame(). */
static void decode_to(const struct tape *tape, const struct stream_options *options, size_t frame, struct buf *out)
{
	struct conversation *c = conversation_new();
	struct reference r = { .turn = conversation_answer(c, STR("p"), NULL, STR("m")), .frame = frame };

	r.stream = stream_new(options, to_turn, &r);
	for (size_t i = 0; i < tape_length(tape) && stream_frames(r.stream) < frame; i++) {
		struct tape_step step = tape_at(tape, i);

		tape_feed_step(&step, r.stream);
		if (stream_is_done(r.stream))
			stream_conclude(r.stream, step.at_ms);
	}
	write_answer(out, r.turn);
	stream_free(r.stream);
	conversation_free(c);
}

static void check_leaps(const struct tape *tape, unsigned seed)
{
	struct stream_options options = { .protocol = protocol_find(tape_facts(tape)->protocol), .asked = tape_asked(tape),
		                          .untimed = tape_is_plain(tape) };
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
	struct player *player = player_new(tape, &options, NULL, 0, 1, 0);
	struct buf shown = { 0 }, wanted = { 0 };

	player_show(player, t);
	(void)player_seek_frame(player, SIZE_MAX, 0); /* then it is known how many there are */
	for (unsigned i = 0; i < LEAPS; i++) {
		seed = seed * 1664525u + 1013904223u;
		size_t frame = (seed >> 8) % (player_frames(player) + 2);

		if (seed >> 30 == 0) /* a delta within a frame, on the way */
			(void)player_step_delta(player, seed >> 29 & 1 ? 1 : -1, 0);
		(void)player_seek_frame(player, frame, 0);
		write_answer(&shown, t);
		decode_to(tape, &options, frame, &wanted);
		FUZZ_CHECK(str_equal(buf_str(&shown), buf_str(&wanted)), "a leap makes the answer that decoding makes");
	}
	player_free(player);
	conversation_free(c);
	buf_fini(&shown);
	buf_fini(&wanted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tape *tape = NULL;
	struct error err = { "" };
	unsigned seed;

	if (size < sizeof seed)
		return 0;
	memcpy(&seed, data, sizeof seed);
	if (!tape_from_text(&tape, str_of((const char *)data + sizeof seed, size - sizeof seed), &err))
		return 0;
	check_leaps(tape, seed);
	tape_free(tape);
	return 0;
}
