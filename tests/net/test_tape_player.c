#include "loopback.h"
#include "support/check.h"

/* Tests set the clock: `now` is the current time. */
struct deck {
	struct tape *tape;
	struct recorder r;
	struct source *player;
};

static void load(struct deck *deck, const char *text, double speed, int64_t now_ms)
{
	deck->tape = tape_of(text);
	recorder_init(&deck->r);
	struct source_sink sink = recorder_sink(&deck->r);
	deck->player = tape_player_new(deck->tape, &sink, speed, now_ms);
}

static size_t steps_of(const struct deck *deck)
{
	return (size_t)(deck->r.heads + deck->r.bodies + deck->r.ends);
}

static void unload(struct deck *deck)
{
	source_free(deck->player);
	recorder_fini(&deck->r);
	tape_free(deck->tape);
}

#define THREE "{\"weir_tape\":1}\n{\"t\":10,\"head\":{\"status\":200}}\n{\"t\":20.4,\"body\":\"a\"}\n{\"t\":30,\"body\":\"b\"}\n{\"t\":30,\"end\":\"cut\"}\n"

static void plays_by_its_own_timing(void)
{
	static const struct { int64_t now_ms; size_t index; int64_t deadline_ms; } cases[] = {
		{ 1000, 0, 1010 }, { 1009, 0, 1010 }, { 1010, 1, 1021 }, { 1020, 1, 1021 }, { 1021, 2, 1030 }, { 1030, 4, NO_DEADLINE },
		{ 2000, 4, NO_DEADLINE },
	};
	struct deck deck;

	load(&deck, THREE, 1.0, 1000);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		source_run(deck.player, cases[i].now_ms);
		CHECK(steps_of(&deck) == cases[i].index, "at %lld: %zu", (long long)cases[i].now_ms, steps_of(&deck));
		CHECK(source_deadline(deck.player) == cases[i].deadline_ms, "at %lld: %lld", (long long)cases[i].now_ms,
		      (long long)source_deadline(deck.player));
	}
	CHECK_STR(buf_str(&deck.r.log), "head 200 \nbody ab\nend cut\n");
	CU_ASSERT(deck.r.detail.len > 0);
	CU_ASSERT_EQUAL(deck.r.last_ms, 30);
	unload(&deck);
}

/* A deadline that run() does not treat as due would make the caller spin. */
static void takes_its_own_deadline_as_due(void)
{
	static const double speeds[] = { 0.1, 0.3, 1, 1.7, 3, 7.3, 1000 };

	for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
		struct deck deck;
		size_t runs = 0;

		load(&deck, THREE, speeds[i], 5);
		for (; source_deadline(deck.player) != NO_DEADLINE && runs < 10; runs++) {
			size_t before = steps_of(&deck);

			source_run(deck.player, source_deadline(deck.player));
			CHECK(steps_of(&deck) > before, "speed %g", speeds[i]);
		}
		CU_ASSERT_EQUAL(deck.r.ends, 1);
		unload(&deck);
	}
}

static void is_silent_after_cancel(void)
{
	struct deck deck;

	load(&deck, THREE, 1.0, 0);
	source_run(deck.player, 10);
	source_cancel(deck.player);
	source_run(deck.player, 1000);
	CHECK_STR(buf_str(&deck.r.log), "head 200 \n");
	CU_ASSERT_EQUAL(source_deadline(deck.player), NO_DEADLINE);
	unload(&deck);
}

static void plays_a_large_tape_in_portions(void)
{
	struct buf text = { 0 };
	struct deck deck;
	unsigned runs = 0;

	buf_add_z(&text, "{\"weir_tape\":1}\n");
	for (int i = 0; i < 1000; i++)
		buf_printf(&text, "{\"t\":%d,\"body\":\"%01000d\"}\n", i, i);
	load(&deck, buf_z(&text), 0, 0);
	while (!deck.r.ends && runs < 1000) {
		source_run(deck.player, 0);
		runs++;
	}
	CU_ASSERT(runs > 1 && runs < 10);
	CU_ASSERT_EQUAL(deck.r.body.len, 1000 * 1000);
	unload(&deck);
	buf_fini(&text);
}

static void plays_a_plain_body_at_once(void)
{
	struct deck deck;

	load(&deck, "data: 1\n\n", 1.0, 77);
	CU_ASSERT_EQUAL(source_deadline(deck.player), 77);
	source_run(deck.player, 77);
	CHECK_STR(buf_str(&deck.r.log), "body data: 1\n\n\nend closed\n");
	CU_ASSERT_EQUAL(deck.r.heads, 0);
	unload(&deck);
}

const struct suite suite_tape_player = { "tape_player", (const struct test[]){
	TEST(plays_by_its_own_timing), TEST(takes_its_own_deadline_as_due), TEST(is_silent_after_cancel), TEST(plays_a_large_tape_in_portions), TEST(plays_a_plain_body_at_once), { 0 } } };
