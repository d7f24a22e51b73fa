#include "wire/scrub.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#define SEED 7

static void check_text(const char *text, const char *expected)
{
	struct buf out = { 0 };

	scrub_text(str_from(text), &out);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

static void letters_and_digits_are_replaced(void)
{
	check_text("", "");
	check_text("Hello, World 42!\n\tok", "Xxxxx, Xxxxx 77!\n\txx");
	check_text("Stra\xC3\x9F" "e", "Xxxx\xC3\xA4x");
	check_text("\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82", "\xE5\xAD\x97\xE5\xAD\x97\xE3\x80\x82"); /* wide letters, and a full stop that stays */
	check_text("\xE0\xA4\xA8", "\xE2\x84\xB5");
	check_text("\xF0\x9F\x90\xB1", "\xF0\x9F\x98\x80");
	check_text("<think>ab</think>cd", "<think>xx</think>xx");
	check_text("a\xFFz\xE2\x82z", "x\xFFx\xE2\x9Fx");
}

/* Scrubs a body and checks its length, and the text if it is not NULL. */
static void check_body(const char *body, const char *expected)
{
	struct buf out = { 0 };

	scrub_body(str_from(body), SEED, &out);
	CHECK(out.len == strlen(body), "%s became %s", body, buf_z(&out));
	if (expected)
		CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

static void words_of_the_protocol_stay(void)
{
	check_body("data: {\"type\":\"text_delta\",\"role\":\"assistant\",\"text\":\"Hi you\",\"n\":12,\"ok\":true}\n\n",
	           "data: {\"type\":\"text_delta\",\"role\":\"assistant\",\"text\":\"Xx xxx\",\"n\":12,\"ok\":true}\n\n");
	check_body("event: message_stop\nretry: 10\n: hello\ndata: [DONE]\n\n", "event: message_stop\nretry: 10\n: xxxxx\ndata: [DONE]\n\n");
	check_body("data: {\"finish_reason\":\"I, Claudius\"}\n\n", "data: {\"finish_reason\":\"X, Xxxxxxxx\"}\n\n"); /* no word of a protocol */
	check_body("data: {\"model\":\"gpt-4o\"}\n\n", "data: {\"model\":\"gpt-4o\"}\n\n");
	check_body("data: {\"model\":\"ft:gpt-4o:acme\"}\n\n", "data: {\"model\":\"xx:xxx-7x:xxxx\"}\n\n"); /* an organization's */
	check_body("{\"content\":\"ab\"}\r\n{\"content\":\"cd\"}\n", "{\"content\":\"xx\"}\r\n{\"content\":\"xx\"}\n");
	check_body("{\n  \"content\": \"ab\"\n}", "{\n  \"content\": \"xx\"\n}");
	check_body("[{\"content\":\"ab\"},\n{\"content\":\"cd\"}]", "[{\"content\":\"xx\"},\n{\"content\":\"xx\"}]");
}

static void what_is_no_json_is_text(void)
{
	check_body("<html>Bad gateway</html>", "<xxxx>Xxx xxxxxxx</xxxx>");
	check_body("data: {\"content\":\"unfinished\n\n", "data: {\"content\":\"xxxxxxxxxx\n\n");
	check_body("data: {oops: \"secret\", \"type\":\"secret\"}\n\n", "data: {xxxx: \"xxxxxx\", \"xxxx\":\"xxxxxx\"}\n\n");
	check_body("data: \"type\n\n", "data: \"xxxx\n\n");
}

static void escapes_stay_escapes(void)
{
	check_body("data: {\"content\":\"a\\n\\\"b\\\\ \\u00e9\\u4f60\\ud83d\\udc31\\ud83dz\"}\n\n",
	           "data: {\"content\":\"x\\n\\\"x\\\\ \\u00e4\\u5b57\\ud83d\\ude00\\ud83dx\"}\n\n");
}

#define PIECE(index, text) "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":" index ",\"function\":{\"arguments\":\"" text "\"}}]}}]}\n\n"

static void arguments_stay_json_in_pieces(void)
{
	check_body(PIECE("0", "{\\\"city\\\":\\\"To") PIECE("1", "{\\\"n\\\":4") PIECE("0", "kyo\\\\n\\\\u00") PIECE("1", "2,\\\"b\\\":tr")
	           PIECE("0", "e9\\\"}") PIECE("1", "ue}"),
	           PIECE("0", "{\\\"city\\\":\\\"Xx") PIECE("1", "{\\\"n\\\":7") PIECE("0", "xxx\\\\n\\\\u00") PIECE("1", "7,\\\"b\\\":tr")
	           PIECE("0", "78\\\"}") PIECE("1", "ue}"));
}

static void arguments_as_an_object_are_text(void)
{
	check_body("{\"functionCall\":{\"args\":{\"status\":\"divorced\",\"name\":\"Ann\",\"list\":[\"ab\",3]}}}",
	           "{\"functionCall\":{\"args\":{\"status\":\"xxxxxxxx\",\"name\":\"Xxx\",\"list\":[\"xx\",3]}}}");
}

static void scrub_one_id(const char *id, uint64_t seed, struct buf *out)
{
	buf_clear(out);
	scrub_id(str_from(id), seed, out);
}

static void ids_are_the_same_each_time(void)
{
	static const char *const fronts[][2] = { { "call_abc1", "call_" }, { "chatcmpl-XY9", "chatcmpl-" }, { "stream:chat:8f3a", "stream:chat:" }, { "abc", "" } };
	struct buf once = { 0 }, again = { 0 }, other = { 0 };

	for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
		scrub_one_id(fronts[i][0], SEED, &once);
		scrub_one_id(fronts[i][0], SEED, &again);
		scrub_one_id(fronts[i][0], SEED + 1, &other);
		CHECK(str_equal(buf_str(&once), buf_str(&again)), "%s", buf_z(&again));
		CHECK(!str_equal(buf_str(&once), buf_str(&other)), "%s: the seed changes nothing", buf_z(&once));
		CHECK(!str_is(buf_str(&once), fronts[i][0]) && str_starts(buf_str(&once), fronts[i][1]) && once.len == strlen(fronts[i][0]), "%s", buf_z(&once));
	}
	scrub_one_id("call_abc2", SEED, &other);
	scrub_one_id("call_abc1", SEED, &once);
	CHECK(!str_equal(buf_str(&once), buf_str(&other)), "two ids became %s", buf_z(&other));
	buf_fini(&once);
	buf_fini(&again);
	buf_fini(&other);
}

/* Reads keep their bytes only if every byte has one that stands for it. */
static void any_bytes_keep_their_length(void)
{
	static const char *const bits[] = { "data: ", "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u12", "secret", "\n", "\r\n", "\n\n", "7", "\xE2", "\x82", "null",
		"\"arguments\":\"", "\"index\":1", "error: ", "event: " };
	unsigned seed = 1;

	for (int round = 0; round < 3000; round++) {
		struct buf body = { 0 };

		for (unsigned n = check_random(&seed) % 20; n; n--)
			buf_add_z(&body, bits[check_random(&seed) % (sizeof bits / sizeof *bits)]);
		check_body(buf_z(&body), NULL);
		buf_fini(&body);
	}
}

const struct suite suite_scrub = { "scrub", (const struct test[]){
	TEST(letters_and_digits_are_replaced), TEST(words_of_the_protocol_stay), TEST(what_is_no_json_is_text), TEST(escapes_stay_escapes),
	TEST(arguments_stay_json_in_pieces), TEST(arguments_as_an_object_are_text), TEST(ids_are_the_same_each_time),
	TEST(any_bytes_keep_their_length), { 0 },
} };
