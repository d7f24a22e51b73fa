/*
 * Findings of lint at the frames of a tape: as many as a live answer has counted by then, whatever the player has decoded ahead. And at the
 * rows of its trace.
 */
#include "chat/conversation/conversation.h"
#include "chat/exchange/findings.h"

#include "chat/player/player.h"
#include "chat/player/trace.h"
#include "support/check.h"

#define CHUNK(t, delta, finish) \
	"{\"t\":" #t ",\"body\":\"data: {\\\"id\\\":\\\"c1\\\",\\\"object\\\":\\\"chat.completion.chunk\\\",\\\"created\\\":1700000000,\\\"model\\\":\\\"m-1\\\"," \
	"\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{" delta "},\\\"finish_reason\\\":" finish "}]}\\n\\n\"}\n"
#define ROLE "\\\"role\\\":\\\"assistant\\\",\\\"content\\\":\\\"a\\\""
/* Frames: a role, an empty finish reason, an empty list of calls, the finish word; then an end without [DONE]. */
#define NO_CALLS "\\\"content\\\":\\\"c\\\",\\\"tool_calls\\\":[]"
#define TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n" \
	CHUNK(10, ROLE, "null") CHUNK(20, "\\\"content\\\":\\\"b\\\"", "\\\"\\\"") CHUNK(30, NO_CALLS, "null") CHUNK(40, "", "\\\"stop\\\"") \
	"{\"t\":50,\"end\":\"closed\"}\n"
#define FRAMES 4

struct deck {
	struct tape *tape;
	struct findings *findings;
	struct conversation *conversation;
	struct player *player;
};

static void load(struct deck *deck, enum lint_level level)
{
	struct lint_options options = { .dialect = dialect_find(STR("generic")), .stops_early = true };
	struct stream_options stream = { .protocol = NULL };
	struct error err;

	CHECK(tape_from_text(&deck->tape, STR(TAPE), &err), "%s", err.text);
	deck->findings = findings_new(level, &options);
	stream.tap = findings_tap(deck->findings);
	deck->conversation = conversation_new();
	deck->player = player_new(deck->tape, &stream, deck->findings, 0, 1, 0);
	player_show(deck->player, conversation_answer(deck->conversation, STR("box"), NULL, STR("m")));
}

static void unload(struct deck *deck)
{
	player_free(deck->player);
	conversation_free(deck->conversation);
	tape_free(deck->tape);
}

/* After each frame, and at the end. */
static void expect_at(const struct deck *deck, const size_t *expected)
{
	size_t at = player_frame(deck->player) + player_at_end(deck->player), count = player_found(deck->player);

	CHECK(count == expected[at], "%zu findings at %zu", count, at);
}

static void expect_everywhere(enum lint_level level, const size_t *expected, const char *told)
{
	struct buf words = { 0 };
	struct deck deck;

	load(&deck, level);
	expect_at(&deck, expected);
	while (player_step_frame(deck.player, 1, 0))
		expect_at(&deck, expected);
	CU_ASSERT(player_frame(deck.player) == FRAMES && player_at_end(deck.player));
	while (player_step_frame(deck.player, -1, 0))
		expect_at(&deck, expected);
	CU_ASSERT_EQUAL(player_frame(deck.player), 0);
	findings_tell(player_findings(deck.player), &words);
	CHECK_STR(buf_str(&words), told);
	buf_fini(&words);
	unload(&deck);
}

static void are_counted_up_to_the_position(void)
{
	expect_everywhere(LINT_LEVEL_STRICT, (const size_t[FRAMES + 2]){ 0, 0, 1, 2, 2, 3 }, "lint: 3 findings: finish-empty, tool-calls-empty, no-done");
}

static void are_those_that_the_level_counts(void)
{
	expect_everywhere(LINT_LEVEL_DIALECT, (const size_t[FRAMES + 2]){ 0, 0, 1, 1, 1, 2 }, "lint: 2 findings: finish-empty, no-done");
	expect_everywhere(LINT_LEVEL_OFF, (const size_t[FRAMES + 2]){ 0 }, "");
}

static void are_kept_with_their_places(void)
{
	struct deck deck;

	load(&deck, LINT_LEVEL_STRICT);
	player_seek_frame(deck.player, SIZE_MAX, 0);
	const struct findings *f = player_findings(deck.player);
	CU_ASSERT_EQUAL_FATAL(findings_count(f), 3);
	const struct finding *first = findings_at(f, 0), *last = findings_at(f, 2);
	CHECK_STR(str_from(first->message), "finish_reason is empty");
	CU_ASSERT(first->place.frame == 2 && first->place.at_ms == 20 && first->frames == 2);
	CU_ASSERT(last->place.frame == FRAMES && last->frames == FRAMES + 1);
	unload(&deck);
}

/* --- in a trace --- */

/* Rules by row, as "ROW RULE" lines; `bytes`: how much is decoded at a time. */
static void write_rows(const char *text, size_t bytes, struct buf *out)
{
	struct tape *tape;
	struct error err;
	const struct session_finding *s;
	const struct finding *f;

	CHECK(tape_from_text(&tape, str_from(text), &err), "%s", err.text);
	struct trace *trace = trace_new(tape, &(struct stream_options){ .protocol = NULL }, 0, LINT_LEVEL_STRICT);
	while (trace_read(trace, bytes))
		;
	size_t told = 0;
	for (size_t row = 0; (row = trace_row_of_finding(trace, row)) < trace_count(trace); row++) {
		const char *kind = trace_kind_name((enum trace_kind)trace_at(trace, row)->kind);

		for (size_t next = 0; (f = trace_finding(trace, row, &next)); told++)
			buf_printf(out, "%zu %s %s\n", row, kind, lint_rule_id(f->rule));
		for (size_t next = 0; (s = trace_session_finding(trace, row, &next)); told++)
			buf_printf(out, "%zu %s %s\n", row, kind, s->rule->id);
	}
	CHECK(told == trace_findings(trace), "%zu of %zu", told, trace_findings(trace));
	trace_free(trace);
	tape_free(tape);
}

static void expect_rows(const char *text, const char *expected)
{
	static const size_t bytes[] = { 0, 300, SIZE_MAX };

	for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
		struct buf rows = { 0 };

		write_rows(text, bytes[i], &rows);
		CHECK_STR(buf_str(&rows), expected);
		buf_fini(&rows);
	}
}

/* Those of a session stand on its messages; the first one is not answered, which only the end shows. */
static void of_a_session_stand_on_its_messages(void)
{
	expect_rows("{\"weir_tape\":1,\"protocol\":\"mcp\",\"transport\":\"stdio\"}\n"
	            "{\"t\":1,\"out\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"ping\\\"}\"}\n"
	            "{\"t\":2,\"in\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":7,\\\"result\\\":{}}\"}\n"
	            "{\"t\":3,\"in\":\"no JSON\"}\n{\"t\":4,\"end\":\"closed\"}\n",
	            "0 client answer-missing\n1 server answer-unknown\n2 server no-json\n");
}

#define BODY(t, bytes) "{\"t\":" #t ",\"body\":\"" bytes "\"}\n"
#define HEAD(type) "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"" type "\"}}\n"
#define END "{\"t\":90,\"end\":\"closed\"}\n"

static void belong_to_the_rows_that_they_are_about(void)
{
	expect_rows(TAPE, "2 event finish-empty\n3 event tool-calls-empty\n5 end no-done\n");
	/* Of the head, told at the end; of a line between two frames, and of one that is a row of its own; in the middle of a read. */
	expect_rows(HEAD("text/plain") CHUNK(10, ROLE, "null") BODY(15, ": a comment\\n\\nid: 7\\r") CHUNK(20, "\\\"content\\\":1", "null")
	            CHUNK(40, "", "\\\"stop\\\"") BODY(50, "data: [DONE]\\n\\n") END,
	            "0 head content-type\n3 event line-end\n3 event content-type-of\n");
	/* What is about a whole read belongs to the last frame of it, what is about the connection to the end. */
	expect_rows(HEAD("text/event-stream") CHUNK(10, ROLE, "null") CHUNK(50000, "\\\"content\\\":\\\"b\\\"", "null") "{\"t\":50001,\"end\":\"cut\"}\n",
	            "2 event gap\n3 end cut\n");
	/* An earlier row: the calls are known when the answer ends. */
	expect_rows(HEAD("text/event-stream") CHUNK(10, "\\\"role\\\":\\\"assistant\\\",\\\"tool_calls\\\":[{\\\"index\\\":0,\\\"id\\\":\\\"c\\\",\\\"type\\\":\\\"function\\\","
	            "\\\"function\\\":{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":\\\"{}\\\"}}]", "null") CHUNK(20, "", "\\\"stop\\\"") BODY(50, "data: [DONE]\\n\\n") END,
	            "2 event finish-stop\n");
}

/* The protocol is known late, and rows that came before it have findings too. */
static void belong_to_rows_before_the_protocol_is_known(void)
{
	expect_rows("{\"weir_tape\":1}\n{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n" BODY(2, "data: nonsense\\n\\n")
	            CHUNK(10, ROLE, "\\\"\\\"") CHUNK(40, "", "\\\"stop\\\"") BODY(50, "data: [DONE]\\n\\n") END,
	            "1 event json\n2 event finish-empty\n");
}

const struct suite suite_findings = { "findings", (const struct test[]){
	TEST(are_counted_up_to_the_position), TEST(are_those_that_the_level_counts), TEST(are_kept_with_their_places),
	TEST(belong_to_the_rows_that_they_are_about), TEST(belong_to_rows_before_the_protocol_is_known), TEST(of_a_session_stand_on_its_messages), { 0 } } };
