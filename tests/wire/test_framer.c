#include <string.h>

#include "base/array.h"
#include "support/check.h"
#include "wire/framer.h"

#define TEXT_LIMIT ((size_t)1 << 24)

/* Writes each frame as a line: event|data| and whether it is unclosed. LF in data is written as "~". */
static void write_frame(void *ctx, const struct frame *frame)
{
	struct buf *out = ctx;

	buf_printf(out, "%.*s|", STR_ARG(frame->event));
	for (size_t i = 0; i < frame->data.len; i++)
		buf_add_byte(out, frame->data.ptr[i] == '\n' ? '~' : frame->data.ptr[i]);
	buf_add_z(out, frame->unclosed ? "|unclosed\n" : "|\n");
}

static void frame_in_reads_of(struct str body, size_t step, struct buf *out)
{
	struct framer *f = framer_new(write_frame, out);

	for (size_t i = 0; i < body.len; i += step)
		framer_feed(f, str_head(str_skip(body, i), step));
	framer_end(f);
	framer_end(f);
	CU_ASSERT_EQUAL(framer_bytes(f), body.len);
	framer_free(f);
}

static void check_frames(const char *body, const char *expected)
{
	struct buf out;

	buf_init(&out, TEXT_LIMIT);
	for (size_t step = strlen(body) + 1; step; step--) {
		buf_clear(&out);
		frame_in_reads_of(str_from(body), step, &out);
		CHECK_STR(buf_str(&out), expected);
		if (!str_is(buf_str(&out), expected))
			break;
	}
	buf_fini(&out);
}

/* Writes each oddity as "name@offset", with "<" if it is of the frame before and ">" if of the next one, and each frame as "@offset". */
static void write_oddity(void *ctx, enum framer_oddity oddity, enum framer_whose whose, size_t offset)
{
	static const char *const names[] = {
		[FRAMER_BOM] = "bom", [FRAMER_LONE_CR] = "cr", [FRAMER_CRLF] = "crlf", [FRAMER_NO_BLANK] = "blank", [FRAMER_DATA_LINES] = "lines", [FRAMER_NO_DATA] = "no-data",
		[FRAMER_FIELD] = "field", [FRAMER_ERROR_FIELD] = "error", [FRAMER_RAW_JSON] = "raw", [FRAMER_OPEN_ARRAY] = "array", [FRAMER_SAME_LINE] = "same", [FRAMER_BETWEEN] = "between",
		[FRAMER_COMMENT] = "comment", [FRAMER_FIELDS] = "fields", [FRAMER_TOO_LARGE] = "large",
	};

	buf_printf(ctx, "%s%s@%zu ", whose == FRAMER_OF_NEXT ? ">" : whose == FRAMER_OF_LAST ? "<" : "", names[oddity], offset);
}

static void write_offset(void *ctx, const struct frame *frame)
{
	buf_printf(ctx, "@%zu ", frame->offset);
}

static void check_oddities(const char *body, const char *expected)
{
	for (size_t step = strlen(body) + 1; step; step--) {
		struct buf out = { 0 };
		struct framer *f = framer_new(write_offset, &out);

		framer_watch(f, write_oddity);
		for (size_t i = 0; i < strlen(body); i += step)
			framer_feed(f, str_head(str_from(body + i), step));
		framer_end(f);
		CHECK_STR(buf_str(&out), expected);
		framer_free(f);
		buf_fini(&out);
	}
}

static void says_where_frames_are_and_what_is_odd(void)
{
	check_oddities("data: a\n\n: c\nevent: e\ndata: b\n\n", "@0 comment@9 @13 ");
	check_oddities(": a\n\nid: 1\nretry: 5\n\ndata: b\n: c\n\n: d\n", "comment@0 fields@5 @21 comment@34 ");
	check_oddities("\xEF\xBB\xBF" "data: a\n\n", ">bom@0 @3 ");
	check_oddities("\xEF\xBB\xBF" ": c\n\ndata: a\n\n", "comment@3 bom@0 @8 ");
	check_oddities("\n\ndata:a\n\ndata: b\ndata: c\ndata: d\n\n", ">blank@2 @2 >lines@10 @10 ");
	check_oddities("event: x\n\nfoo: 1\nbar: 2\ndata: a\n\n", "no-data@0 >field@10 @10 ");
	check_oddities("data: a\n\nfoo: 1\n\ndata: b\n\nfoo: 2\n", "@0 fields@9 field@9 @17 <field@26 ");
	check_oddities("data: b\r\n\r\n\r\n", ">crlf@7 @0 ");
	check_oddities("data: b\n\r\n: c\r\n\r\n", "@0 <crlf@8 comment@10 crlf@13 ");
	check_oddities("data: a\r\rdata: b\n\n", ">cr@7 @0 @9 ");
	check_oddities("data: a\n\nerror: {\"m\":1}\n\n{\"e\":\n1}\r\n", "@0 >error@9 @9 >raw@25 @25 <crlf@33 ");
	check_oddities("{\"a\":1}\n {\"b\":2}\n", "@0 @9 ");
	check_oddities("{\"a\":1},\n{\"b\":2}]\n[3]", "@0 <between@7 @9 <between@16 @18 ");
	check_oddities("{\"a\":1} {\"b\":2}\n{\"c\":3}\r\n{\"d\":4}{\"e\":5}", "@0 >same@8 @8 @16 @25 >same@32 @32 ");
	check_oddities("[{\"a\":1}\n,{\"b\":2}]", "@1 @10 ");
	check_oddities("[{\"a\":1},{\"b\":2}\n", "@1 @9 <array@16 ");
}

static void says_where_an_event_is_that_is_too_large(void)
{
	struct buf out = { 0 }, block;
	struct framer *f = framer_new(write_offset, &out);

	buf_init(&block, FRAMER_EVENT_LIMIT);
	while (buf_add(&block, STR("0123456789abcdef")))
		;
	framer_watch(f, write_oddity);
	framer_feed(f, STR("data: a\n\nid: 1\ndata: "));
	framer_feed(f, buf_str(&block));
	framer_feed(f, STR("0123456789abcdef\n\ndata: b\n\n"));
	CHECK_STR(buf_str(&out), "@0 large@9 ");
	framer_free(f);
	buf_fini(&out);
	buf_fini(&block);
}

static void splits_events(void)
{
	check_frames("data: a\n\nevent: e\ndata: b\ndata:c\n\n", "|a|\ne|b~c|\n");
	check_frames("event: lost\n\ndata: a\n\n", "|a|\n");
	check_frames("data: a\nevent: one\nevent: two\n\n", "two|a|\n");
	check_frames("data\n\ndata:\n\ndata: \n\n", "||\n||\n||\n");
	check_frames("data:\ndata: a\n\n", "|~a|\n");
	check_frames("data:  two blanks\n\n", "| two blanks|\n");
}

static void handles_all_line_ends(void)
{
	check_frames("data: a\r\n\r\ndata: b\r\n\r\n", "|a|\n|b|\n");
	check_frames("data: a\r\rdata: b\r\r", "|a|\n|b|\n");
	check_frames("data: a\r\n\ndata: b\r\r\n", "|a|\n|b|\n");
}

static void tolerates_odd_framing(void)
{
	check_frames("\xEF\xBB\xBF" "data: a\n\n", "|a|\n");
	check_frames("\xEF\xBB" "data: a\n\ndata: b\n\n", "|b|\n");
	check_frames(": c\n\ndata: a\n\n", "|a|\n");
	check_frames(" data: a\n\ndata: b\n\n", "|b|\n");
	check_frames("foo: x\ndata: a\n\n", "|a|\n");
	check_frames("data: a", "|a|unclosed\n");
	check_frames("data: a\n", "|a|unclosed\n");
	check_frames("data: a\nerror: {\"m\":1}\n\n", "|a|\n|{\"error\":{\"m\":1}}|\n");
	check_frames("error: plain\ndata: a\n\n", "|a|\n");
}

static void collects_raw_json(void)
{
	check_frames("data: a\n\n{\n \"data\": 1\n\n}\ndata: b\n\n", "|a|\n|{~ \"data\": 1~}|\n|b|\n");
	check_frames("data: a\n\n{\"x\":\"}", "|a|\n|{\"x\":\"}|unclosed\n");
}

static void splits_json(void)
{
	check_frames(" {\"a\":\"}{\\\"\"}\n{\"b\":[1,{}]}\n", "|{\"a\":\"}{\\\"\"}|\n|{\"b\":[1,{}]}|\n");
	check_frames("[{\"a\":1}\r\n,\r\n{\"b\":\"]\"} ]\n", "|{\"a\":1}|\n|{\"b\":\"]\"}|\n");
	check_frames("[1,[2],\"x\"]", "|1|\n|[2]|\n|\"x\"|\n");
	check_frames("{\"a\":1}{\"b\":", "|{\"a\":1}|\n|{\"b\":|unclosed\n");
	check_frames("{\"a\":1}\ndata: x\n{\"b\":2}", "|{\"a\":1}|\n|data: x|\n|{\"b\":2}|\n");
}

static bool saw_payload(const char *body)
{
	struct buf out;

	buf_init(&out, TEXT_LIMIT);
	struct framer *f = framer_new(write_frame, &out);
	framer_feed(f, str_from(body));
	framer_end(f);
	bool saw = framer_saw_payload(f);
	framer_free(f);
	buf_fini(&out);
	return saw;
}

static void recognizes_an_empty_body(void)
{
	static const char *const empty[] = { "", "\n\n", ": ping\n\n", "data:\n\n", "data:  \n\n", "retry: 3\n\n", "id: 1\n", "da", "data: {\"a", "[", "{\"a" };
	static const char *const full[] = { "data: x\n\n", "Unauthorized", "Unauthorized\n", "<html>", "{}", "[]", "foo: bar\n" };

	for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
		CHECK(!saw_payload(empty[i]), "'%s'", empty[i]);
	for (size_t i = 0; i < sizeof full / sizeof *full; i++)
		CHECK(saw_payload(full[i]), "'%s'", full[i]);
}

static void chooses_the_framing(void)
{
	static const struct { const char *body; enum framing framing; } cases[] = {
		{ "", FRAMING_UNKNOWN }, { " \r\n", FRAMING_UNKNOWN }, { "\n\n{}", FRAMING_JSON }, { "\xEF\xBB\xBF [", FRAMING_ARRAY },
		{ "<", FRAMING_DOCUMENT }, { "data", FRAMING_SSE }, { ":", FRAMING_SSE },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out;

		buf_init(&out, TEXT_LIMIT);
		struct framer *f = framer_new(write_frame, &out);
		framer_feed(f, str_from(cases[i].body));
		CHECK(framer_framing(f) == cases[i].framing, "'%s'", cases[i].body);
		framer_free(f);
		buf_fini(&out);
	}
}

static void keeps_the_head(void)
{
	struct buf out;

	buf_init(&out, TEXT_LIMIT);
	struct framer *f = framer_new(write_frame, &out);
	framer_feed(f, STR("<ht"));
	framer_feed(f, STR("ml>"));
	CHECK_STR(framer_head(f), "<html>");
	char much[400];
	memset(much, 'x', sizeof much);
	framer_feed(f, str_of(much, sizeof much));
	CU_ASSERT_EQUAL(framer_head(f).len, 300);
	framer_free(f);
	buf_fini(&out);
}

static void count_frame(void *ctx, const struct frame *frame)
{
	size_t *bytes = ctx;

	*bytes += frame->data.len;
}

static void has_a_limit(void)
{
	static char block[1 << 20];
	size_t bytes = 0;

	memset(block, 'x', sizeof block);
	struct framer *f = framer_new(count_frame, &bytes);
	framer_feed(f, STR("data: ok\n\ndata: "));
	for (size_t i = 0; i < 97; i++)
		framer_feed(f, str_of(block, sizeof block));
	framer_feed(f, STR("\n\ndata: more\n\n"));
	framer_end(f);
	CU_ASSERT_TRUE(framer_overflowed(f));
	CU_ASSERT_EQUAL(bytes, 2);
	framer_free(f);
}

/* Writes each frame with its packs as they are, "<" and ">" around them, then as it was sent. */
static void write_packed(void *ctx, const struct frame *frame)
{
	struct buf whole = { 0 };
	size_t done = 0;

	for (size_t i = 0; i < frame->pack_count; i++) {
		struct json_pack pack = frame->packs[i];

		buf_printf(ctx, "%.*s<%.*s>", STR_ARG(str_head(str_skip(frame->data, done), pack.at - done)), STR_ARG(blob_str(pack.bytes)));
		done = pack.at;
	}
	buf_printf(ctx, "%.*s|%.*s\n", STR_ARG(str_skip(frame->data, done)),
	           STR_ARG(json_unpack(frame->data, frame->packs, frame->pack_count, &whole)));
	buf_fini(&whole);
}

/* In reads of one byte: what does not arrive whole. */
static void packs_long_base64(void)
{
	static const struct { const char *body, *frames; } cases[] = {
		{ "data: \"Zm9vYmFy\"\n\n", "\"<foobar>\"|\"Zm9vYmFy\"\n" },
		{ "data:Zm9vYmFyZg==\n\n", "<foobar>Zg==|Zm9vYmFyZg==\n" },
		{ "data: Zm9vYmF-Zm9v\n\n", "Zm9vYmF-Zm9v|Zm9vYmF-Zm9v\n" }, /* each too short */
		{ "data: a b\ndata: Zm9vYmFy c Zm9vYmFyYmE\ndata: Zm9vYmFy\n\n",
		  "a b\n<foobar> c <foobar>YmE\n<foobar>|a b\nZm9vYmFy c Zm9vYmFyYmE\nZm9vYmFy\n" },
		{ "event: Zm9vYmFy\nid: Zm9vYmFy\n: Zm9vYmFy\ndata: {}\n\n", "{}|{}\n" },
		{ "{\"a\":\"\\nZm9vYmFy\"}", "{\"a\":\"\\n<foobar>\"}|{\"a\":\"\\nZm9vYmFy\"}\n" }, /* not in the escape */
		{ "[{\"a\":\"Zm9vYmFy\"},{\"b\":\"Zm9v\"}]", "{\"a\":\"<foobar>\"}|{\"a\":\"Zm9vYmFy\"}\n{\"b\":\"Zm9v\"}|{\"b\":\"Zm9v\"}\n" },
		{ "data: Zm9vYmFy", "<foobar>|Zm9vYmFy\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf out = { 0 };
		struct framer *f = framer_new(write_packed, &out);

		framer_pack(f, 8);
		for (const char *c = cases[i].body; *c; c++)
			framer_feed(f, str_of(c, 1));
		framer_end(f);
		CHECK_STR(buf_str(&out), cases[i].frames);
		framer_free(f);
		buf_fini(&out);
	}
}


/* What is needed to ask for the rest of a stream: an event that is cut off does not count. */
static void the_place_in_a_stream_is_known(void)
{
	static const struct { const char *body, *id; int64_t retry_ms; } cases[] = {
		{ "data: a\n\n", "", -1 }, { "id: 1\nretry: 500\ndata: \n\n", "1", 500 }, { "id: 1\n\nid: 2\ndata: x\n", "1", -1 },
		{ "id: 1\ndata: x\n\nid\ndata: y\n\n", "", -1 }, { "id: 1\ndata: x\n\nretry: soon\ndata: y\n\n", "1", -1 }, { "id: a b\r\n\r\n", "a b", -1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (size_t step = 1; step < 40; step++) {
			struct buf out = { 0 };
			struct framer *f = framer_new(write_frame, &out);

			for (size_t at = 0; at < strlen(cases[i].body); at += step)
				framer_feed(f, str_head(str_from(cases[i].body + at), step));
			framer_end(f);
			CHECK(str_is(framer_last_id(f), cases[i].id) && framer_retry_ms(f) == cases[i].retry_ms, "%s: \"%.*s\" %lld", cases[i].body,
			      STR_ARG(framer_last_id(f)), (long long)framer_retry_ms(f));
			framer_free(f);
			buf_fini(&out);
		}
}

const struct suite suite_framer = { "framer", (const struct test[]){
	TEST(the_place_in_a_stream_is_known), TEST(packs_long_base64), TEST(says_where_frames_are_and_what_is_odd), TEST(says_where_an_event_is_that_is_too_large),
	TEST(splits_events), TEST(handles_all_line_ends), TEST(tolerates_odd_framing), TEST(collects_raw_json), TEST(splits_json),
	TEST(recognizes_an_empty_body), TEST(chooses_the_framing), TEST(keeps_the_head), TEST(has_a_limit), { 0 },
} };
