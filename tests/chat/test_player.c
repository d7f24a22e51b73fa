/* The player's clock and its moves. What the screen shows after a move: tests/ui/test_seek.c. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chat/conversation/conversation.h"
#include "chat/player/player.h"
#include "support/check.h"
#include "talk_tapes.h"

#define DATA(t, delta) "{\"t\":" #t ",\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":" delta "}]}\\n\\n\"}\n"
#define CONTENT(t, text) DATA(t, "{\\\"content\\\":\\\"" text "\\\"}")

/* Frames at 20.4, 30, 30, 5000 and 5001 ms, the head at 10 and the end at 5002. */
#define FIVE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n{\"t\":10,\"head\":{\"status\":200}}\n" \
	DATA(20.4, "{\\\"reasoning_content\\\":\\\"hm\\\"}") CONTENT(30, "one ") CONTENT(30, "two ") CONTENT(5000, "three") \
	"{\"t\":5001,\"body\":\"data: {\\\"choices\\\":[],\\\"usage\\\":{\\\"prompt_tokens\\\":1,\\\"completion_tokens\\\":2}}\\n\\n\"}\n" \
	"{\"t\":5002,\"end\":\"cut\"}\n"

struct deck {
	struct tape *tape;
	struct conversation *conversation;
	struct turn *answer;
	struct player *player;
};

static void load(struct deck *deck, const char *text, double speed, int64_t now_ms)
{
	struct stream_options options = { .protocol = NULL };
	struct error err;

	CHECK(tape_from_text(&deck->tape, str_from(text), &err), "%s", err.text);
	options.untimed = tape_is_plain(deck->tape);
	deck->conversation = conversation_new();
	deck->answer = conversation_answer(deck->conversation, STR("box"), NULL, STR("m"));
	deck->player = player_new(deck->tape, &options, NULL, 0, speed, now_ms);
	player_show(deck->player, deck->answer);
}

static void unload(struct deck *deck)
{
	player_free(deck->player);
	conversation_free(deck->conversation);
	tape_free(deck->tape);
}

/* The text of the answer, of all text parts. */
static void expect_text(const struct deck *deck, const char *text)
{
	struct buf all = { 0 };

	for (size_t i = 0; i < deck->answer->part_count; i++)
		if (deck->answer->parts[i].kind == PART_TEXT)
			buf_add(&all, buf_str(&deck->answer->parts[i].text));
	CHECK_STR(buf_str(&all), text);
	buf_fini(&all);
}

static void plays_by_the_times_of_the_tape(void)
{
	static const struct { int64_t now_ms; size_t frame; int64_t deadline_ms; } cases[] = {
		{ 1000, 0, 1021 }, { 1020, 0, 1021 }, { 1021, 1, 1030 }, { 1030, 3, 6000 }, { 6000, 4, 6001 }, { 6001, 5, 6002 },
		{ 6002, 5, NO_DEADLINE }, { 9000, 5, NO_DEADLINE },
	};
	struct deck deck;

	load(&deck, FIVE, 1.0, 1000);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		player_run(deck.player, cases[i].now_ms);
		CHECK(player_frame(deck.player) == cases[i].frame, "at %lld: %zu", (long long)cases[i].now_ms, player_frame(deck.player));
		CHECK(player_deadline(deck.player) == cases[i].deadline_ms, "at %lld: %lld", (long long)cases[i].now_ms,
		      (long long)player_deadline(deck.player));
	}
	CU_ASSERT(player_at_end(deck.player));
	CU_ASSERT_EQUAL(player_position_ms(deck.player, 99999), 5002);
	expect_text(&deck, "one two three");
	CU_ASSERT_EQUAL(deck.answer->outcome, OUTCOME_CUT);
	unload(&deck);
}

/* A deadline that player_run() does not treat as due would make the caller spin. */
static void takes_its_own_deadline_as_due(void)
{
	static const double speeds[] = { 0, 0.1, 0.3, 1, 1.7, 3, 7.3, 1000 };

	for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
		struct deck deck;
		size_t runs = 0;

		load(&deck, FIVE, speeds[i], 5);
		for (; player_deadline(deck.player) != NO_DEADLINE && runs < 10; runs++) {
			uint64_t before = player_moves(deck.player);

			player_run(deck.player, player_deadline(deck.player));
			CHECK(player_moves(deck.player) > before, "speed %g", speeds[i]);
		}
		CU_ASSERT(player_at_end(deck.player));
		unload(&deck);
	}
}

static void pauses_and_goes_on(void)
{
	struct deck deck;

	load(&deck, FIVE, 1.0, 0);
	player_pause(deck.player, true, 4);
	player_run(deck.player, 500);
	CU_ASSERT_EQUAL(player_frame(deck.player), 0);
	CU_ASSERT_EQUAL(player_deadline(deck.player), NO_DEADLINE);
	CU_ASSERT_EQUAL(player_position_ms(deck.player, 500), 4);
	player_pause(deck.player, false, 1000);
	CU_ASSERT_EQUAL(player_deadline(deck.player), 1017);
	player_set_speed(deck.player, 2, 1002);
	CU_ASSERT_EQUAL(player_deadline(deck.player), 1010);
	unload(&deck);
}

static void steps_by_frames_and_by_deltas(void)
{
	struct deck deck;

	load(&deck, FIVE, 1.0, 0);
	CU_ASSERT(!player_step_frame(deck.player, -1, 0));
	CU_ASSERT(player_paused(deck.player));
	for (int i = 0; i < 2; i++)
		CU_ASSERT(player_step_frame(deck.player, 1, 0));
	expect_text(&deck, "one ");
	CU_ASSERT_EQUAL(player_position_ms(deck.player, 700), 30);
	size_t deltas = player_delta(deck.player);
	CU_ASSERT(player_step_delta(deck.player, 1, 0));
	expect_text(&deck, "one two ");
	CU_ASSERT_EQUAL(player_delta(deck.player), deltas + 1);
	CU_ASSERT(player_step_delta(deck.player, -1, 0));
	CU_ASSERT(player_step_frame(deck.player, -1, 0));
	expect_text(&deck, "");
	CU_ASSERT_EQUAL(deck.answer->part_count, 2); /* the reasoning, and how it was sent */
	while (player_step_delta(deck.player, -1, 0))
		continue;
	CU_ASSERT_EQUAL(player_delta(deck.player), 0);
	CU_ASSERT_EQUAL(player_frame(deck.player), 0);
	CU_ASSERT_EQUAL(deck.answer->part_count, 0);
	unload(&deck);
}

/* The end of a frame that was played in part comes at once, and a seek goes on playing. */
static void seeks_to_a_time(void)
{
	struct deck deck;

	load(&deck, FIVE, 1.0, 0);
	CU_ASSERT(player_seek_ms(deck.player, 4000, 100));
	CU_ASSERT_EQUAL(player_frame(deck.player), 3);
	expect_text(&deck, "one two ");
	CU_ASSERT_EQUAL(player_position_ms(deck.player, 100), 4000);
	CU_ASSERT_EQUAL(player_deadline(deck.player), 1100);
	CU_ASSERT(player_seek_ms(deck.player, 1e9, 100));
	CU_ASSERT(player_at_end(deck.player));
	CU_ASSERT(deck.answer->ended);
	CU_ASSERT(!player_seek_ms(deck.player, 1e9, 100));
	CU_ASSERT(player_seek_ms(deck.player, 29.9, 100));
	CU_ASSERT(!deck.answer->ended);
	CU_ASSERT_EQUAL(player_frame(deck.player), 1);
	CU_ASSERT(player_seek_ms(deck.player, -5, 100));
	CU_ASSERT_EQUAL(player_frame(deck.player), 0);
	CU_ASSERT_EQUAL(player_position_ms(deck.player, 100), 0);
	CU_ASSERT(!player_seek_ms(deck.player, -5, 100));
	unload(&deck);
}

/* The gap of 4970 ms takes 100. */
static void long_gaps_are_capped(void)
{
	struct deck deck;

	load(&deck, FIVE, 2.0, 0);
	player_set_idle(deck.player, 200, 0);
	player_run(deck.player, 15);
	CU_ASSERT_EQUAL(player_frame(deck.player), 3);
	CU_ASSERT_EQUAL(player_deadline(deck.player), 100);
	player_run(deck.player, 115);
	player_run(deck.player, 116);
	CU_ASSERT(player_at_end(deck.player));
	unload(&deck);
	load(&deck, FIVE, 1.0, 0);
	player_set_idle(deck.player, 200, 0);
	for (size_t runs = 0; player_deadline(deck.player) != NO_DEADLINE && runs < 10; runs++)
		player_run(deck.player, player_deadline(deck.player));
	CU_ASSERT(player_at_end(deck.player));
	unload(&deck);
}

static void plays_a_range_and_loops(void)
{
	struct deck deck;
	double from_ms, to_ms;

	load(&deck, FIVE, 1.0, 0);
	CU_ASSERT(!player_range(deck.player, &from_ms, &to_ms));
	player_set_range(deck.player, 20, 40, 0);
	CU_ASSERT(player_range(deck.player, &from_ms, &to_ms));
	CU_ASSERT_EQUAL(from_ms, 20);
	CU_ASSERT_EQUAL(to_ms, 40);
	player_run(deck.player, 30);
	CU_ASSERT_EQUAL(player_deadline(deck.player), 40);
	player_run(deck.player, 40);
	CU_ASSERT(player_paused(deck.player));
	CU_ASSERT_EQUAL(player_position_ms(deck.player, 99), 40);
	player_pause(deck.player, false, 100); /* beyond it */
	CU_ASSERT_EQUAL(player_deadline(deck.player), 100 + 4960);
	player_set_loop(deck.player, true, 100);
	player_seek_ms(deck.player, 0, 200);
	player_run(deck.player, 240);
	CU_ASSERT(!player_paused(deck.player));
	CU_ASSERT_EQUAL(player_frame(deck.player), 3);
	CU_ASSERT_EQUAL(player_deadline(deck.player), 1240);
	player_run(deck.player, 1240);
	CU_ASSERT_EQUAL(player_position_ms(deck.player, 1240), 20);
	CU_ASSERT_EQUAL(player_frame(deck.player), 0);
	expect_text(&deck, "");
	player_set_range(deck.player, 0, 0, 1240);
	player_run(deck.player, 9000);
	CU_ASSERT(player_at_end(deck.player));
	CU_ASSERT_EQUAL(player_deadline(deck.player), 10000);
	player_run(deck.player, 10000);
	CU_ASSERT_EQUAL(player_frame(deck.player), 0);
	unload(&deck);
}

static void append(const char *path, const char *text)
{
	FILE *file = fopen(path, "a");

	CU_ASSERT(file && fputs(text, file) >= 0);
	if (file)
		CU_ASSERT_EQUAL(fclose(file), 0);
}

static void read_tail(struct tape_tail *tail, struct player *player, int64_t now_ms)
{
	struct error err = { "" };
	bool grew;

	CHECK(tape_tail_read(tail, &grew, &err), "%s", err.text);
	if (grew)
		player_follow(player, !tape_tail_ended(tail), now_ms);
}

/* What is added is played at once, unless it is paused or somewhere else. */
static void follows_a_tape_that_is_written(void)
{
	char path[] = "/tmp/weir-player-XXXXXX";
	struct stream_options options = { .protocol = NULL };
	struct tape_tail *tail;
	struct error err = { "" };
	struct deck deck = { .tape = NULL };
	bool grew;
	int fd = mkstemp(path);

	CU_ASSERT(fd >= 0);
	close(fd);
	append(path, "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n{\"t\":10,\"head\":{\"status\":200}}\n" CONTENT(30, "one ") "{\"t\":40,");
	CHECK(tape_tail_open(&tail, path, &err), "%s", err.text);
	deck.conversation = conversation_new();
	deck.answer = conversation_answer(deck.conversation, STR("box"), NULL, STR("m"));
	deck.player = player_new(tape_tail_tape(tail), &options, NULL, 0, 1, 0);
	player_show(deck.player, deck.answer);
	player_follow(deck.player, true, 0);
	expect_text(&deck, "one ");
	CU_ASSERT(!player_at_end(deck.player) && player_follows(deck.player));
	CU_ASSERT_EQUAL(player_deadline(deck.player), NO_DEADLINE);
	append(path, "\"other\":1}\n" CONTENT(50, "two "));
	read_tail(tail, deck.player, 500);
	expect_text(&deck, "one two ");
	CU_ASSERT_EQUAL(player_position_ms(deck.player, 900), 50);
	player_pause(deck.player, true, 900);
	append(path, CONTENT(60, "three "));
	read_tail(tail, deck.player, 900);
	expect_text(&deck, "one two ");
	player_run(deck.player, 950); /* decodes it */
	player_pause(deck.player, false, 1000);
	CU_ASSERT_EQUAL(player_deadline(deck.player), 1010);
	player_run(deck.player, 1010);
	expect_text(&deck, "one two three ");
	append(path, "{\"t\":70,\"end\":\"cut\"}\n");
	read_tail(tail, deck.player, 1020);
	CU_ASSERT(player_at_end(deck.player) && deck.answer->ended);
	CU_ASSERT_EQUAL(truncate(path, 0), 0);
	CU_ASSERT(!tape_tail_read(tail, &grew, &err));
	CHECK(str_ends(str_from(err.text), "the tape was started over"), "%s", err.text);
	unlink(path);
	player_free(deck.player);
	conversation_free(deck.conversation);
	tape_tail_free(tail);
}

static void only_a_tape_is_followed(void)
{
	char path[] = "/tmp/weir-player-XXXXXX";
	struct tape_tail *tail;
	struct error err = { "" };
	int fd = mkstemp(path);

	CU_ASSERT(fd >= 0);
	close(fd);
	append(path, "data: {}\n\n");
	CU_ASSERT(!tape_tail_open(&tail, path, &err));
	CHECK(str_ends(str_from(err.text), "a file of another kind"), "%s", err.text);
	unlink(path);
	CU_ASSERT(!tape_tail_open(&tail, path, &err));
}

static void finds_what_one_looks_for(void)
{
	static const struct { enum player_stop what; size_t frame; } cases[] = {
		{ PLAYER_REASONING, 1 }, { PLAYER_GAP, 4 }, { PLAYER_USAGE, 5 }, { PLAYER_ERROR, 5 },
	};
	struct deck deck;

	load(&deck, FIVE, 1.0, 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		player_seek_frame(deck.player, 0, 0);
		CU_ASSERT(!player_find(deck.player, cases[i].what, -1, 0));
		CHECK(player_find(deck.player, cases[i].what, 1, 0), "%d", cases[i].what);
		CHECK(player_frame(deck.player) == cases[i].frame, "%d: %zu", cases[i].what, player_frame(deck.player));
		CU_ASSERT(!player_find(deck.player, cases[i].what, 1, 0));
		CU_ASSERT_EQUAL(player_frame(deck.player), cases[i].frame);
		CU_ASSERT(!player_find(deck.player, cases[i].what, -1, 0));
		CU_ASSERT_EQUAL(player_frame(deck.player), cases[i].frame);
	}
	CU_ASSERT(!player_find(deck.player, PLAYER_CALL, -1, 0));
	player_seek_frame(deck.player, 6, 0);
	CU_ASSERT(player_at_end(deck.player) && deck.answer->ended);
	CU_ASSERT(player_find(deck.player, PLAYER_GAP, -1, 0));
	CU_ASSERT_EQUAL(player_frame(deck.player), 4);
	unload(&deck);
}

static void plays_a_large_tape_in_portions(void)
{
	struct buf text = { 0 };
	struct deck deck;
	unsigned runs = 0;

	buf_add_z(&text, "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n");
	for (int i = 0; i < 1000; i++)
		buf_printf(&text, "{\"t\":%d,\"body\":\": %01000d\\n\\n\"}\n", i, i);
	load(&deck, buf_z(&text), 0, 0);
	while (!player_at_end(deck.player) && runs < 1000) {
		player_run(deck.player, 0);
		runs++;
	}
	CU_ASSERT(runs > 1 && runs < 10);
	unload(&deck);
	buf_fini(&text);
}

static void plays_a_plain_body_at_once(void)
{
	struct deck deck;

	load(&deck, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]\n\n", 1.0, 77);
	CU_ASSERT_EQUAL(player_deadline(deck.player), 77);
	player_run(deck.player, 77);
	CU_ASSERT(player_at_end(deck.player));
	expect_text(&deck, "x");
	CU_ASSERT_PTR_EQUAL(deck.answer->scope.protocol, protocol_find(STR("openai-chat")));
	CU_ASSERT(deck.answer->meter.begun == false);
	unload(&deck);
}

static void a_refusal_is_shown_as_it_is(void)
{
	struct deck deck;
	struct buf details = { 0 };

	load(&deck, REFUSAL(400, ERROR_JSON("Unknown parameter: 'stream_options'.")), 0, 0);
	player_run(deck.player, 0);
	CU_ASSERT_EQUAL(deck.answer->outcome, OUTCOME_ERROR);
	CU_ASSERT_STRING_EQUAL(deck.answer->error_message, "Unknown parameter: 'stream_options'.");
	CU_ASSERT_EQUAL(deck.answer->note_count, 0);
	delta_log_details(player_log(deck.player), &details);
	CHECK(str_starts(buf_str(&details), "HTTP 400\n"), "%s", buf_z(&details));
	CU_ASSERT(player_step_frame(deck.player, -1, 0));
	buf_fini(&details);
	unload(&deck);
}

/* --status: a plain body cannot tell it. */
static void a_plain_body_has_the_status_that_is_said(void)
{
	struct stream_options options = { .protocol = protocol_find(STR("openai-chat")), .untimed = true };
	struct error err;
	struct deck deck;

	CHECK(tape_from_text(&deck.tape, STR("{\"error\":{\"message\":\"No.\"}}"), &err), "%s", err.text);
	deck.conversation = conversation_new();
	deck.answer = conversation_answer(deck.conversation, STR("box"), NULL, STR("m"));
	deck.player = player_new(deck.tape, &options, NULL, 429, 0, 0);
	player_show(deck.player, deck.answer);
	player_run(deck.player, 0);
	CU_ASSERT_EQUAL(deck.answer->error_status, 429);
	CU_ASSERT_STRING_EQUAL(deck.answer->error_message, "No.");
	unload(&deck);
}

const struct suite suite_player = { "player", (const struct test[]){
	TEST(plays_by_the_times_of_the_tape), TEST(takes_its_own_deadline_as_due), TEST(pauses_and_goes_on), TEST(steps_by_frames_and_by_deltas),
	TEST(seeks_to_a_time), TEST(long_gaps_are_capped), TEST(plays_a_range_and_loops), TEST(follows_a_tape_that_is_written), TEST(only_a_tape_is_followed),
	TEST(finds_what_one_looks_for), TEST(plays_a_large_tape_in_portions), TEST(plays_a_plain_body_at_once),
	TEST(a_refusal_is_shown_as_it_is),
	TEST(a_plain_body_has_the_status_that_is_said), { 0 } } };
