#include "chat/conversation/queue.h"

#include <string.h>

#include "base/mem.h"
#include "support/check.h"
#include "wire/event.h"

/* The drained deltas as event lines, which contain every member. */
struct drain {
	struct buf lines;
	size_t count;
};

static void to_lines(void *ctx, const struct delta *d)
{
	struct drain *drain = ctx;

	drain->count++;
	event_write(d, &drain->lines);
}

static struct queue *new_queue(size_t limit, struct drain *drain)
{
	*drain = (struct drain){ 0 };
	return queue_new(limit, to_lines, drain);
}

static void end_queue(struct queue *q, struct drain *drain)
{
	queue_free(q);
	buf_fini(&drain->lines);
}

static void put_text(struct queue *q, enum delta_kind kind, unsigned part, const char *text, double at_ms)
{
	char copy[64];

	snprintf(copy, sizeof copy, "%s", text);
	queue_delta(q, &(struct delta){ .kind = kind, .part = part, .text = str_from(copy), .at_ms = at_ms });
	memset(copy, '!', sizeof copy); /* the queue must have copied it */
}

static void holds_until_it_is_drained(void)
{
	struct drain drain;
	struct queue *q = new_queue(QUEUE_LIMIT, &drain);

	CU_ASSERT_TRUE(queue_is_empty(q));
	queue_drain(q);
	put_text(q, DELTA_TEXT, 0, "a", 1);
	CU_ASSERT_FALSE(queue_is_empty(q));
	CU_ASSERT_EQUAL(drain.count, 0);
	queue_drain(q);
	CU_ASSERT_TRUE(queue_is_empty(q));
	CHECK_STR(buf_str(&drain.lines), "{\"t\":1,\"type\":\"text\",\"text\":\"a\"}\n");
	queue_drain(q);
	CU_ASSERT_EQUAL(drain.count, 1);
	end_queue(q, &drain);
}

static void joins_neighbours_of_one_part(void)
{
	struct drain drain;
	struct queue *q = new_queue(QUEUE_LIMIT, &drain);

	put_text(q, DELTA_REASONING, 0, "hm", 1);
	put_text(q, DELTA_REASONING, 0, "m", 2);
	put_text(q, DELTA_REASONING, 1, "x", 3);
	put_text(q, DELTA_TEXT, 1, "a", 4);
	put_text(q, DELTA_TEXT, 1, "b", 5);
	put_text(q, DELTA_TEXT, 1, "c", 6);
	put_text(q, DELTA_TEXT, 2, "d", 7);
	put_text(q, DELTA_REFUSAL, 2, "n", 8);
	put_text(q, DELTA_REFUSAL, 2, "o", 9);
	put_text(q, DELTA_TEXT, 1, "e", 10); /* not adjacent any more */
	queue_drain(q);
	CHECK_STR(buf_str(&drain.lines),
	          "{\"t\":1,\"type\":\"reasoning\",\"text\":\"hmm\"}\n{\"t\":3,\"type\":\"reasoning\",\"text\":\"x\"}\n"
	          "{\"t\":4,\"type\":\"text\",\"text\":\"abc\"}\n{\"t\":7,\"type\":\"text\",\"text\":\"d\"}\n"
	          "{\"t\":8,\"type\":\"refusal\",\"text\":\"no\"}\n{\"t\":10,\"type\":\"text\",\"text\":\"e\"}\n");
	end_queue(q, &drain);
}

static void does_not_join_over_a_drain(void)
{
	struct drain drain;
	struct queue *q = new_queue(QUEUE_LIMIT, &drain);

	put_text(q, DELTA_TEXT, 0, "a", 1);
	queue_drain(q);
	put_text(q, DELTA_TEXT, 0, "b", 2);
	queue_drain(q);
	CU_ASSERT_EQUAL(drain.count, 2);
	end_queue(q, &drain);
}

static void takes_absent_text(void)
{
	struct drain drain;
	struct queue *q = new_queue(QUEUE_LIMIT, &drain);

	queue_delta(q, &(struct delta){ .kind = DELTA_TEXT, .text = STR_NONE });
	put_text(q, DELTA_TEXT, 0, "b", 0);
	queue_drain(q);
	CU_ASSERT_PTR_NOT_NULL(strstr(buf_z(&drain.lines), "\"text\":\"b\""));
	end_queue(q, &drain);
}

/* One delta of each kind, with all its strings set. */
static const struct delta samples[] = {
	{ .kind = DELTA_BEGIN, .meta = { { "id-1", 4 }, { "m", 1 } } },
	{ .kind = DELTA_META, .meta = { { "id-2", 4 }, { NULL, 0 } } },
	{ .kind = DELTA_TEXT, .text = { "hello", 5 } },
	{ .kind = DELTA_REASONING, .text = { "think", 5 } },
	{ .kind = DELTA_REFUSAL, .text = { "no", 2 } },
	{ .kind = DELTA_TOOL_BEGIN, .tool = { 0, { NULL, 0 }, { "", 0 }, false } },
	{ .kind = DELTA_TOOL_NAME, .tool = { 0, { "call_1", 6 }, { "look", 4 }, false } },
	{ .kind = DELTA_TOOL_ARGUMENTS, .text = { "{\"a", 3 }, .tool = { 0, { "call_1", 6 }, { "look", 4 }, false } },
	{ .kind = DELTA_TOOL_END, .text = { "{\"a\":1}", 7 }, .tool = { 0, { "call_1", 6 }, { "look", 4 }, true } },
	{ .kind = DELTA_MEDIA_BEGIN, .media = { .facts = { .kind = MEDIA_IMAGE, .id = { "ig_1", 4 } } } },
	{ .kind = DELTA_MEDIA, .media = { .is_partial = true, .data = { "\x89PNG\0", 5 }, .facts = { .kind = MEDIA_IMAGE, .type = { "image/png", 9 }, .bytes = 5 } } },
	{ .kind = DELTA_MEDIA_TEXT, .text = { "a boat", 6 }, .media = { .facts.id = { "ig_1", 4 } } },
	{ .kind = DELTA_MEDIA_END, .text = { "a boat", 6 }, .media = { .facts = {
		.kind = MEDIA_IMAGE, .id = { "ig_1", 4 }, .type = { "image/png", 9 }, .url = { "u", 1 }, .sha256 = { "5d", 2 }, .bytes = 5, .whole = true } } },
	{ .kind = DELTA_SERVER_TOOL_BEGIN, .server_tool = { .id = { "ws_1", 4 }, .name = { "web_search", 10 } } },
	{ .kind = DELTA_SERVER_TOOL_INPUT, .text = { "{\"q", 3 }, .server_tool = { .name = { "web_search", 10 } } },
	{ .kind = DELTA_SERVER_TOOL_END, .text = { "{\"q\":1}", 7 }, .server_tool = { .state = SERVER_TOOL_FAILED, .output = { "no", 2 } } },
	{ .kind = DELTA_OPAQUE, .part = 3, .opaque = { { "format", 6 }, { "data\0data", 9 }, -1 } },
	{ .kind = DELTA_CITATION, .citation = { { "https://a", 9 }, { "title", 5 }, { "words", 5 }, CITATION_BYTES, 12 } },
	{ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(1), [USAGE_REASONING] = COUNT_SENT(0) } },
	{ .kind = DELTA_ROUTE, .route = { 1, { "routed", 6 }, 12.5 } },
	{ .kind = DELTA_NOTICE, .notice = { { "rule", 4 }, { "sentence", 8 } } },
	{ .kind = DELTA_RESTART },
	{ .kind = DELTA_FINISH, .finish = { { "stop", 4 } } },
	{ .kind = DELTA_ERROR, .error = { { "message", 7 }, { "type", 4 }, { NULL, 0 }, 500 } },
	{ .kind = DELTA_END, .end = { OUTCOME_ERROR } },
};

static void expect_samples(size_t limit)
{
	struct drain drain;
	struct queue *q = new_queue(limit, &drain);
	struct buf straight = { 0 };

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		event_write(&samples[i], &straight);
		queue_delta(q, &samples[i]);
	}
	queue_drain(q);
	CHECK(str_equal(buf_str(&drain.lines), buf_str(&straight)), "limit %zu:\n%s", limit, buf_z(&drain.lines));
	buf_fini(&straight);
	end_queue(q, &drain);
}

static void keeps_every_member_of_every_kind(void)
{
	CU_ASSERT_EQUAL(sizeof samples / sizeof *samples, (size_t)DELTA_KIND_COUNT);
	expect_samples(QUEUE_LIMIT);
}

static void keeps_order_however_small_it_is(void)
{
	for (size_t limit = 0; limit < 2048; limit += 7)
		expect_samples(limit);
}

static void drains_itself_when_it_is_full(void)
{
	struct drain drain;
	struct queue *q = new_queue(1000, &drain);
	char text[400];

	memset(text, 'x', sizeof text);
	for (unsigned part = 0; part < 5; part++)
		queue_delta(q, &(struct delta){ .kind = DELTA_TEXT, .part = part, .text = { text, sizeof text } });
	CU_ASSERT(drain.count >= 2);
	CU_ASSERT_FALSE(queue_is_empty(q));
	queue_drain(q);
	CU_ASSERT_EQUAL(drain.count, 5);
	end_queue(q, &drain);
}

static void drains_itself_while_it_joins(void)
{
	struct drain drain;
	struct queue *q = new_queue(1000, &drain);
	char text[400];

	memset(text, 'x', sizeof text);
	for (int i = 0; i < 5; i++)
		queue_delta(q, &(struct delta){ .kind = DELTA_TEXT, .text = { text, sizeof text } });
	queue_drain(q);
	CU_ASSERT_EQUAL(drain.count, 3); /* 800, 800, 400 bytes */
	size_t letters = 0;
	for (size_t i = 0; i < drain.lines.len; i++)
		letters += drain.lines.ptr[i] == 'x' && drain.lines.ptr[i + 1] != 't';
	CU_ASSERT(letters >= 5 * sizeof text - 3);
	end_queue(q, &drain);
}

static void counts_what_deltas_without_text_take(void)
{
	struct drain drain;
	struct queue *q = new_queue(4096, &drain);

	for (int i = 0; i < 1000; i++)
		queue_delta(q, &(struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(i) } });
	CU_ASSERT(drain.count > 900);
	queue_drain(q);
	CU_ASSERT_EQUAL(drain.count, 1000);
	end_queue(q, &drain);
}

static void lets_through_what_is_larger_than_itself(void)
{
	struct drain drain;
	struct queue *q = new_queue(4096, &drain);
	char *large = mem_new(10000);

	memset(large, 'x', 10000);
	put_text(q, DELTA_TEXT, 0, "before", 1);
	queue_delta(q, &(struct delta){ .kind = DELTA_OPAQUE, .at_ms = -1, .opaque = { { "f", 1 }, { large, 10000 }, -1 } });
	CU_ASSERT_EQUAL(drain.count, 2);
	CU_ASSERT_TRUE(queue_is_empty(q));
	put_text(q, DELTA_TEXT, 0, "a", 2);
	queue_delta(q, &(struct delta){ .kind = DELTA_TEXT, .text = { large, 10000 } });
	CU_ASSERT_EQUAL(drain.count, 4);
	put_text(q, DELTA_TEXT, 0, "z", 3);
	queue_drain(q);
	const char *begin = strstr(buf_z(&drain.lines), "before"), *end = strstr(buf_z(&drain.lines), "\"z\"");
	CU_ASSERT(begin && end && begin < end && end - begin > 20000);
	mem_free(large);
	end_queue(q, &drain);
}

static void drops_what_was_not_drained(void)
{
	struct drain drain;
	struct queue *q = new_queue(QUEUE_LIMIT, &drain);

	put_text(q, DELTA_TEXT, 0, "a", 1);
	queue_free(q);
	CU_ASSERT_EQUAL(drain.count, 0);
	queue_free(NULL);
	buf_fini(&drain.lines);
}

const struct suite suite_queue = { "queue", (const struct test[]){
	TEST(holds_until_it_is_drained),
	TEST(joins_neighbours_of_one_part),
	TEST(does_not_join_over_a_drain),
	TEST(takes_absent_text),
	TEST(keeps_every_member_of_every_kind),
	TEST(keeps_order_however_small_it_is),
	TEST(drains_itself_when_it_is_full),
	TEST(drains_itself_while_it_joins),
	TEST(counts_what_deltas_without_text_take),
	TEST(lets_through_what_is_larger_than_itself),
	TEST(drops_what_was_not_drained),
	{ 0 },
} };
