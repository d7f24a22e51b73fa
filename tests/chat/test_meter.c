#include "chat/conversation/meter.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "wire/request.h"

static int64_t tokens_of(const char *text)
{
	struct estimate e = { 0 };

	estimate_add(&e, str_from(text));
	return estimate_tokens(&e);
}

static void feed(struct meter *m, enum delta_kind kind, const char *text, double at_ms)
{
	meter_delta(m, &(struct delta){ .kind = kind, .text = str_from(text), .at_ms = at_ms });
}

static void estimates_by_code_points(void)
{
	CU_ASSERT_EQUAL(tokens_of(""), 0);
	CU_ASSERT_EQUAL(tokens_of("a"), 1);
	CU_ASSERT_EQUAL(tokens_of("abcd"), 1);
	CU_ASSERT_EQUAL(tokens_of("abcde"), 2);
	CU_ASSERT_EQUAL(tokens_of("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"), 1);             /* é */
	CU_ASSERT_EQUAL(tokens_of("\xe2\xb9\xbf"), 1);                                 /* U+2E7F, the last one below U+2E80 */
	CU_ASSERT_EQUAL(tokens_of("\xe2\xba\x80\xe2\xba\x80"), 2);                     /* U+2E80 */
	CU_ASSERT_EQUAL(tokens_of("\xe4\xbd\xa0\xe5\xa5\xbd" "a"), 3);                 /* two ideographs and a letter */
	CU_ASSERT_EQUAL(tokens_of("\xf0\x9f\x98\x80" "abcd"), 2);
}

/* A wide character at each place of a text of letters, which are counted in runs. */
static void a_wide_character_is_found_anywhere(void)
{
	for (size_t length = 0; length < 40; length++)
		for (size_t at = 0; at <= length; at++) {
			struct estimate e = { 0 };
			char text[64];

			memset(text, 'a', sizeof text);
			memcpy(text + at, "\xe4\xbd\xa0", 3);
			estimate_add(&e, str_of(text, length + 3));
			CHECK(e.narrow == length && e.wide == 1, "at %zu of %zu: %llu and %llu", at, length, (unsigned long long)e.narrow, (unsigned long long)e.wide);
		}
}

static void rounds_the_whole_and_not_each_piece(void)
{
	struct estimate e = { 0 };

	for (int i = 0; i < 8; i++)
		estimate_add(&e, STR("a"));
	CU_ASSERT_EQUAL(estimate_tokens(&e), 2);
}

static void counts_what_was_generated(void)
{
	struct meter m = { 0 };

	feed(&m, DELTA_TEXT, "12345678", 10);
	feed(&m, DELTA_REFUSAL, "1234", 20);
	feed(&m, DELTA_REASONING, "1234", 30);
	feed(&m, DELTA_TOOL_ARGUMENTS, "1234", 40);
	CU_ASSERT_EQUAL(meter_tokens(&m), 5);
	feed(&m, DELTA_TOOL_END, "1234", 50); /* the same arguments again */
	meter_delta(&m, &(struct delta){ .kind = DELTA_USAGE, .at_ms = 60 });
	meter_delta(&m, &(struct delta){ .kind = DELTA_END, .at_ms = 70 });
	CU_ASSERT_EQUAL(meter_tokens(&m), 5);
	CU_ASSERT_EQUAL(m.text.narrow, 12);
	CU_ASSERT_EQUAL(m.reasoning.narrow, 4);
	CU_ASSERT_EQUAL(m.tools.narrow, 4);
}

static void times_the_content_only(void)
{
	struct meter m = { 0 };

	meter_delta(&m, &(struct delta){ .kind = DELTA_BEGIN, .at_ms = 100 });
	CU_ASSERT_FALSE(m.begun);
	feed(&m, DELTA_TEXT, "", 150);
	CU_ASSERT_FALSE(m.begun);
	feed(&m, DELTA_REASONING, "x", 200);
	feed(&m, DELTA_TEXT, "y", 900);
	meter_delta(&m, &(struct delta){ .kind = DELTA_END, .at_ms = 5000 });
	CU_ASSERT_TRUE(m.begun);
	CU_ASSERT_DOUBLE_EQUAL(m.first_ms, 200, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(m.last_ms, 900, 1e-9);
}

static void rates_tokens_a_second(void)
{
	struct meter m = { 0 };
	struct usage usage = { 0 };

	CU_ASSERT(meter_rate(&m, &usage) < 0);
	feed(&m, DELTA_TEXT, "1234567890123456", 1000);
	CU_ASSERT(meter_rate(&m, &usage) < 0); /* one moment gives no rate */
	feed(&m, DELTA_TEXT, "1234567890123456", 3000);
	CU_ASSERT_DOUBLE_EQUAL(meter_rate(&m, NULL), 4, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(meter_rate(&m, &usage), 4, 1e-9);
	usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(50);
	CU_ASSERT_DOUBLE_EQUAL(meter_rate(&m, &usage), 25, 1e-9);
	usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(0); /* some servers send 0 first */
	CU_ASSERT_DOUBLE_EQUAL(meter_rate(&m, &usage), 4, 1e-9);
}

static void has_no_rate_without_times(void)
{
	struct meter m = { 0 };

	feed(&m, DELTA_TEXT, "1234567890123456", -1);
	feed(&m, DELTA_TEXT, "1234567890123456", -1);
	CU_ASSERT_EQUAL(meter_tokens(&m), 8);
	CU_ASSERT_FALSE(m.begun);
	CU_ASSERT(meter_rate(&m, NULL) < 0);
}

static int64_t sum(const struct meter *m)
{
	int64_t n = 0;

	for (size_t i = 0; i < METER_SLOTS; i++)
		n += m->slots[i];
	return n;
}

static void keeps_the_newest_quarter_seconds(void)
{
	struct meter m = { 0 };

	feed(&m, DELTA_TEXT, "12345678", 10);
	feed(&m, DELTA_TEXT, "1234", 249);
	CU_ASSERT_EQUAL(m.slot_at, 0);
	CU_ASSERT_EQUAL(m.slots[0], 3);
	feed(&m, DELTA_TEXT, "1234", 760);
	CU_ASSERT_EQUAL(m.slot_at, 3);
	CU_ASSERT_EQUAL(m.slots[1] + m.slots[2], 0);
	CU_ASSERT_EQUAL(m.slots[3], 1);
	feed(&m, DELTA_TEXT, "1234", METER_SLOTS * METER_SLOT_MS); /* reuses the first slot */
	CU_ASSERT_EQUAL(m.slots[0], 1);
	CU_ASSERT_EQUAL(m.slots[3], 1);
	CU_ASSERT_EQUAL(sum(&m), 2);
	feed(&m, DELTA_TEXT, "1234", 1000 * METER_SLOT_MS);
	CU_ASSERT_EQUAL(sum(&m), 1);
}

static void knows_the_pace_of_the_last_quarter_second(void)
{
	struct meter m = { 0 };

	feed(&m, DELTA_TEXT, "12345678", 10);
	CU_ASSERT_EQUAL(meter_pace(&m), 0);
	feed(&m, DELTA_TEXT, "1234", 260);
	CU_ASSERT_EQUAL(meter_pace(&m), 8);
	feed(&m, DELTA_TEXT, "1234", 1260);
	CU_ASSERT_EQUAL(meter_pace(&m), 0);
}

static void reports_the_last_half_seconds(void)
{
	struct meter m = { 0 };
	double recent[4];

	feed(&m, DELTA_TEXT, "1234", 100);
	feed(&m, DELTA_TEXT, "12345678", 1100);
	feed(&m, DELTA_TEXT, "1234", 1400);
	feed(&m, DELTA_TEXT, "1234", 1600); /* in a half second that has not ended */
	meter_recent(&m, 1999, recent, 4);
	CU_ASSERT(recent[0] == 0 && recent[1] == 1 && recent[2] == 0 && recent[3] == 3);
	meter_recent(&m, 2000, recent, 4);
	CU_ASSERT(recent[0] == 1 && recent[1] == 0 && recent[2] == 3 && recent[3] == 1);
	meter_recent(&m, 60000, recent, 4); /* silence */
	CU_ASSERT(recent[0] + recent[1] + recent[2] + recent[3] == 0);
	feed(&m, DELTA_TEXT, "1234", 60000);
	meter_recent(&m, 2000, recent, 4); /* older than the ring */
	CU_ASSERT(recent[0] + recent[1] + recent[2] + recent[3] == 0);
}

static void reports_the_whole_course(void)
{
	struct meter m = { 0 };
	double course[4];

	meter_course(&m, course, 4);
	CU_ASSERT(course[0] + course[1] + course[2] + course[3] == 0);
	feed(&m, DELTA_TEXT, "1234", 500);
	meter_course(&m, course, 4);
	CU_ASSERT(course[0] + course[1] + course[2] == 0 && course[3] == 1); /* all at one moment */
	for (int i = 0; i < 1000; i++)
		feed(&m, DELTA_TEXT, i < 500 ? "1234" : "123412341234", 500 + (i + 1) * 100);
	meter_course(&m, course, 4);
	CHECK(fabs(course[0] + course[1] + course[2] + course[3] - 2001) < 1e-6, "nothing is lost");
	CHECK(fabs(course[0] - 250) < 20 && fabs(course[1] - 250) < 20, "%f %f", course[0], course[1]);
	CHECK(fabs(course[2] - 750) < 40 && fabs(course[3] - 750) < 40, "%f %f", course[2], course[3]);
}

static void takes_times_that_go_backwards_or_far(void)
{
	struct meter m = { 0 };

	feed(&m, DELTA_TEXT, "1234", 1000);
	feed(&m, DELTA_TEXT, "1234", 10);
	CU_ASSERT_EQUAL(m.slot_at, 4);
	CU_ASSERT_EQUAL(m.slots[4], 2);
	feed(&m, DELTA_TEXT, "1234", 1e300); /* a tape may contain such a time */
	feed(&m, DELTA_TEXT, "1234", (double)INFINITY);
	CU_ASSERT_EQUAL(meter_tokens(&m), 4);
	CU_ASSERT_EQUAL(sum(&m), 2);
	double course[2];
	meter_course(&m, course, 2);
	CU_ASSERT(course[0] + course[1] > 0);
}

/* A picture has no estimate: one of the words beside it would be none of the request. */
static void a_request_is_estimated_by_its_text(void)
{
	const struct request_part parts[] = { { .kind = PART_TEXT, .text = STR("12345678") }, { .kind = PART_OPAQUE, .text = STR("bytes") },
	                                      { .kind = PART_ATTACHMENT, .text = STR("PNG"), .media = STR("image/png") } };
	struct request_message message = { .parts = parts, .part_count = 2 };
	struct request request = { .system = STR("be brief"), .messages = &message, .message_count = 1 };
	struct meter m = { 0 };

	CU_ASSERT_EQUAL(meter_estimate(&m, USAGE_PROMPT), -1);
	meter_ask(&m, &request);
	CU_ASSERT_EQUAL(meter_estimate(&m, USAGE_PROMPT), 4);
	m = (struct meter){ 0 };
	message.part_count = 3;
	meter_ask(&m, &request);
	CU_ASSERT_EQUAL(meter_estimate(&m, USAGE_PROMPT), -1);
}

const struct suite suite_meter = { "meter", (const struct test[]){
	TEST(estimates_by_code_points),
	TEST(a_wide_character_is_found_anywhere),
	TEST(rounds_the_whole_and_not_each_piece),
	TEST(counts_what_was_generated),
	TEST(times_the_content_only),
	TEST(rates_tokens_a_second),
	TEST(has_no_rate_without_times),
	TEST(keeps_the_newest_quarter_seconds),
	TEST(knows_the_pace_of_the_last_quarter_second),
	TEST(reports_the_last_half_seconds),
	TEST(reports_the_whole_course),
	TEST(takes_times_that_go_backwards_or_far),
	TEST(a_request_is_estimated_by_its_text),
	{ 0 },
} };
