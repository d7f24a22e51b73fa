/* Two taps of one stream see the same, the first one first; either may be left out, and so may what is not of interest. */
#include "wire/taps.h"

#include "support/check.h"

#define BODY \
	": comment\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"<think>a</think>b\"},\"finish_reason\":\"stop\"}]}\n\n" \
	"data: nonsense\n\ndata: [DONE]\n\n"

struct observer { struct buf *log; char name; };

#define SEES(function, letter, parameters) \
	static void see_##function parameters \
	{ \
		const struct observer *o = observer; \
		buf_printf(o->log, "%c" letter, o->name); \
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
SEES(head, "h ", (void *observer, const struct response_head *head, double at_ms))
SEES(read, "r ", (void *observer, struct str bytes, double at_ms))
SEES(oddity, "o ", (void *observer, enum framer_oddity oddity, enum framer_whose whose, size_t offset))
SEES(frame, "f ", (void *observer, const struct frame *frame, const struct frame_place *place, bool is_utf8))
SEES(broken, "b ", (void *observer, struct str text, const struct frame_place *place))
SEES(done, "d ", (void *observer, const struct frame_place *place))
SEES(value, "v ", (void *observer, const struct protocol *protocol, const struct message *message))
SEES(repair, "m ", (void *observer, enum guard_mended repair))
SEES(delta, ". ", (void *observer, const struct delta *delta))
SEES(end, "e ", (void *observer, const struct protocol *protocol, enum end_how how, double at_ms))
#pragma GCC diagnostic pop

static struct stream_tap tap_of(struct observer *o)
{
	return (struct stream_tap){ .ctx = o, .head = see_head, .read = see_read, .oddity = see_oddity, .frame = see_frame, .broken = see_broken,
		                    .done = see_done, .value = see_value, .repair = see_repair, .delta = see_delta, .end = see_end };
}

static void count_notices(void *count, const struct delta *delta)
{
	*(unsigned *)count += delta->kind == DELTA_NOTICE;
}

static unsigned notices_behind_the_end_mark(const struct stream_tap *tap)
{
	unsigned count = 0;
	struct stream *s = stream_new(&(struct stream_options){ .protocol = &protocol_openai_chat, .tap = tap }, count_notices, &count);

	stream_head(s, &(struct response_head){ .status = 200 }, 0);
	stream_body(s, STR(BODY "data: {\"error\""), 1);
	stream_end(s, END_CLOSED, 2);
	stream_free(s);
	return count;
}

/* A tap gets what follows the end mark; what becomes of the answer is the same with it. */
static void a_frame_that_is_cut_behind_the_end_is_nothing(void)
{
	struct buf log = { 0 };
	struct observer o = { &log, '1' };
	struct stream_tap tap = tap_of(&o);

	CU_ASSERT_EQUAL(notices_behind_the_end_mark(NULL), 1); /* of the nonsense before it */
	CU_ASSERT_EQUAL(notices_behind_the_end_mark(&tap), 1);
	buf_fini(&log);
}

static void discard(void *ctx, const struct delta *delta)
{
	(void)ctx, (void)delta;
}

static void decode(const struct stream_tap *tap)
{
	struct stream *s = stream_new(&(struct stream_options){ .protocol = &protocol_openai_chat, .tap = tap }, discard, NULL);

	stream_head(s, &(struct response_head){ .status = 200 }, 0);
	stream_body(s, STR(BODY), 1);
	stream_end(s, END_CLOSED, 2);
	stream_free(s);
}

/* What one tap alone sees. */
static void write_alone(char name, struct buf *log)
{
	struct observer o = { log, name };
	struct stream_tap tap = tap_of(&o);
	struct taps taps;

	decode(name == '1' ? taps_join(&taps, &tap, NULL) : taps_join(&taps, NULL, &tap));
}

static void both_see_the_same(void)
{
	struct buf one = { 0 }, other = { 0 }, both = { 0 };
	struct observer first = { &both, '1' }, second = { &both, '2' };
	struct stream_tap a = tap_of(&first), b = tap_of(&second);
	struct taps taps;

	write_alone('1', &one);
	write_alone('2', &other);
	decode(taps_join(&taps, &a, &b));
	for (const char *kind = "hrofbdvm.e"; *kind; kind++)
		CHECK(str_find(buf_str(&one), str_of((const char[]){ '1', *kind }, 2)) < one.len, "%c: %s", *kind, buf_z(&one));
	CHECK(one.len && both.len == one.len + other.len, "%s", buf_z(&both));
	for (size_t i = 0; i + 3 <= one.len && 2 * i + 6 <= both.len; i += 3)
		CHECK(str_equal(str_of(both.ptr + 2 * i, 3), str_of(one.ptr + i, 3)) && str_equal(str_of(both.ptr + 2 * i + 3, 3), str_of(other.ptr + i, 3)),
		      "%zu: %s", i, buf_z(&both));
	buf_fini(&one);
	buf_fini(&other);
	buf_fini(&both);
}

static void what_is_left_out_is_not_called(void)
{
	struct buf log = { 0 };
	struct observer o = { &log, '1' };
	struct stream_tap a = tap_of(&o), b = { .ctx = NULL };
	struct taps taps;

	decode(taps_join(&taps, &b, &a));
	struct buf alone = { 0 };
	write_alone('1', &alone);
	CHECK_STR(buf_str(&log), buf_z(&alone));
	buf_fini(&log);
	buf_fini(&alone);
}

const struct suite suite_taps = { "taps", (const struct test[]){
	TEST(a_frame_that_is_cut_behind_the_end_is_nothing), TEST(both_see_the_same), TEST(what_is_left_out_is_not_called), { 0 } } };
