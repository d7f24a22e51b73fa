/* Limits: an answer that exceeds one ends with an error message; what was received before is kept. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "support/check.h"
#include "wire/framer.h"
#include "wire/guard.h"
#include "wire/stream.h"
#include "wire/summary.h"

#define MEGABYTE ((size_t)1 << 20)

static struct str filled(size_t bytes, char with)
{
	char *text = mem_resize(NULL, bytes, 1);

	memset(text, with, bytes);
	return str_of(text, bytes);
}

static void drop(struct str text)
{
	mem_free((void *)(uintptr_t)text.ptr);
}

static void expect(const struct summary *summary, size_t text_bytes, const char *message)
{
	const struct error_report *error = summary_error(summary);

	CU_ASSERT_EQUAL(summary_outcome(summary), OUTCOME_ERROR);
	CHECK(summary_text(summary).len == text_bytes, "%zu bytes", summary_text(summary).len);
	CU_ASSERT_PTR_NOT_NULL_FATAL(error);
	CHECK_STR(error->message, message);
}

static const struct guard_ending closing = { .finish_is_end = true, .understood = true };

static void an_answer(void)
{
	struct summary *summary = summary_new();
	struct guard *g = guard_new(summary_delta, summary);
	struct str piece = filled(MEGABYTE, 'x');

	for (size_t i = 0; i < GUARD_ANSWER_LIMIT / MEGABYTE + 3; i++)
		guard_text(g, 0, piece);
	guard_end(g, END_CLOSED, &closing);
	CU_ASSERT_EQUAL(summary_outcome(summary), OUTCOME_ERROR);
	CHECK_STR(summary_error(summary)->message, "The answer is longer than 256 MB; the rest was not read.");
	CU_ASSERT(summary_text(summary).len >= GUARD_ANSWER_LIMIT);
	guard_free(g);
	summary_free(summary);
	drop(piece);
}

static void arguments(void)
{
	struct summary *summary = summary_new();
	struct guard *g = guard_new(summary_delta, summary);
	struct str piece = filled(MEGABYTE, '1');

	guard_text(g, 0, STR("kept"));
	unsigned call = guard_tool_begin(g, STR("c"), STR("f"));
	for (size_t i = 0; i < GUARD_ARGUMENTS_LIMIT / MEGABYTE + 1; i++)
		guard_tool_arguments(g, call, piece);
	guard_end(g, END_CLOSED, &closing);
	expect(summary, 4, "The arguments of the tool call 'f' are larger than 8 MB; the rest was not read.");
	guard_free(g);
	summary_free(summary);
	drop(piece);
}

#define CHUNK(text) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"}}]}\n\n"

static struct stream *open_stream(struct summary *summary)
{
	struct stream *s = stream_new(&(struct stream_options){ .protocol = &protocol_openai_chat }, summary_delta, summary);

	stream_head(s, &(struct response_head){ .status = 200 }, 0);
	stream_body(s, STR(CHUNK("kept")), 1);
	return s;
}

/* Incomplete and complete. */
static void an_event(void)
{
	for (int ends = 0; ends < 2; ends++) {
		struct summary *summary = summary_new();
		struct stream *s = open_stream(summary);
		struct str piece = filled(MEGABYTE, 'x');

		stream_body(s, STR("data: {\"choices\":[{\"delta\":{\"content\":\""), 2);
		for (size_t i = 0; i < FRAMER_EVENT_LIMIT / MEGABYTE; i++)
			stream_body(s, piece, 3);
		if (ends)
			stream_body(s, STR("\"}}]}\n\n" CHUNK("late")), 4);
		CU_ASSERT_TRUE(stream_is_done(s));
		stream_end(s, END_CLOSED, 5);
		expect(summary, 4, "One event of the answer is larger than 96 MB; the rest was not read.");
		stream_free(s);
		summary_free(summary);
		drop(piece);
	}
}

struct seen { const char *rule, *words; bool seen; };

static void see_notice(void *ctx, const struct delta *delta)
{
	struct seen *s = ctx;

	s->seen |= delta->kind == DELTA_NOTICE && str_is(delta->notice.rule, s->rule) &&
	           str_find(delta->notice.text, str_from(s->words)) < delta->notice.text.len;
}

/* The frame is ignored with a notice that says why. The next frame is decoded. */
static void check_ignored(struct str frame, const char *rule, const char *words)
{
	struct seen seen = { rule, words, false };
	struct stream *s = stream_new(&(struct stream_options){ .protocol = &protocol_openai_chat }, see_notice, &seen);

	stream_body(s, STR("data: "), 1);
	stream_body(s, frame, 2);
	stream_body(s, STR("\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"), 3);
	CU_ASSERT_TRUE(seen.seen);
	CU_ASSERT_TRUE(stream_finish_seen(s));
	stream_end(s, END_CLOSED, 4);
	stream_free(s);
}

static void nesting_is_reported(void)
{
	struct buf text = { 0 };

	for (int i = 0; i < 600; i++)
		buf_add_byte(&text, i < 300 ? '[' : ']');
	check_ignored(buf_str(&text), "deep-json", "nested deeper than 256 levels");
	buf_fini(&text);
}

/* Small texts that make large trees: an object of three bytes needs hundreds of bytes of memory. */
static void large_trees_are_reported(void)
{
	const size_t count = JSON_TREE_MOST / 500;
	struct buf text = { 0 };

	buf_add_byte(&text, '[');
	for (size_t i = 0; i < count; i++)
		buf_add_z(&text, "{},");
	buf_add_z(&text, "{}]");
	CU_ASSERT(text.len < FRAMER_EVENT_LIMIT);
	check_ignored(buf_str(&text), "large-json", "too many JSON values");
	buf_fini(&text);
}

/* What is nested too deeply is ignored with a notice, the rest of its frame is decoded. */
static void nesting(void)
{
	struct str opened = filled(300, '['), closed = filled(300, ']');

	for (int is_whole = 0; is_whole < 2; is_whole++) {
		struct summary *summary = summary_new();
		struct stream *s = open_stream(summary);

		stream_body(s, STR("data: {\"deep\":"), 2);
		stream_body(s, opened, 2);
		stream_body(s, STR("\"]\""), 2);
		stream_body(s, str_head(closed, is_whole ? 300 : 299), 2);
		stream_body(s, STR(",\"choices\":[{\"delta\":{\"content\":\" and this\"}}]}\n\n" CHUNK(" and more") "data: [DONE]\n\n"), 3);
		stream_end(s, END_CLOSED, 5);
		CU_ASSERT_EQUAL(summary_outcome(summary), is_whole ? OUTCOME_COMPLETE : OUTCOME_ERROR);
		CHECK_STR(summary_text(summary), is_whole ? "kept and this and more" : "kept and more");
		stream_free(s);
		summary_free(summary);
	}
	drop(opened);
	drop(closed);
}

static void a_request(void)
{
	struct request_part part = { .kind = PART_TEXT, .text = STR("a question of some length, longer than there is room for") };
	struct request_message message = { .role = TURN_USER, .parts = &part, .part_count = 1 };
	struct request request = { .model = STR("m"), .messages = &message, .message_count = 1, .temperature = NAN };

	for (size_t i = 0; protocol_at(i); i++) {
		struct buf small, large;

		buf_init(&small, 100);
		buf_init(&large, 1000);
		CHECK(!protocol_build(protocol_at(i), &request, &small), "%s", protocol_at(i)->name);
		CHECK(protocol_build(protocol_at(i), &request, &large), "%s", protocol_at(i)->name);
		buf_fini(&small);
		buf_fini(&large);
	}
}

static void an_attachment(void)
{
	char bytes[3000] = "\x89PNG\r\n";
	struct request_part part = { .kind = PART_ATTACHMENT, .text = str_of(bytes, sizeof bytes), .name = STR("a.png"), .media = STR("image/png") };
	struct request_message message = { .role = TURN_USER, .parts = &part, .part_count = 1 };
	struct request request = { .model = STR("m"), .messages = &message, .message_count = 1, .temperature = NAN };

	for (size_t i = 0; protocol_at(i); i++) {
		struct buf small, large;

		buf_init(&small, 3900); /* the attachment has 4,000 bytes in base64 */
		buf_init(&large, 9000);
		CHECK(!protocol_build(protocol_at(i), &request, &small), "%s", protocol_at(i)->name);
		CHECK(protocol_build(protocol_at(i), &request, &large), "%s", protocol_at(i)->name);
		buf_fini(&small);
		buf_fini(&large);
	}
}

const struct suite suite_ceilings = { "ceilings", (const struct test[]){
	TEST(an_answer),
	TEST(arguments),
	TEST(an_event),
	TEST(nesting), TEST(nesting_is_reported),
	TEST(large_trees_are_reported),
	TEST(a_request),
	TEST(an_attachment),
	{ 0 },
} };
