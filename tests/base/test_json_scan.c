#include "base/json_scan.h"

#include <string.h>

#include "support/check.h"

static void judges(void)
{
	static const struct { const char *text; bool whole, failed; } cases[] = {
		{ "", false, false },
		{ " ", false, false },
		{ "null", true, false },
		{ "nul", false, false },
		{ "nulx", false, true },
		{ "0", true, false },
		{ "-", false, false },
		{ "-0", true, false },
		{ "01", false, true },
		{ "12.", false, false },
		{ "12.5 ", true, false },
		{ ".5", false, true },
		{ "1e", false, false },
		{ "1E+", false, false },
		{ "1e-07", true, false },
		{ "1e5.2", false, true },
		{ "+1", false, true },
		{ "NaN", false, true },
		{ "\"a\\u00e9\\n\"", true, false },
		{ "\"\\u00g", false, true },
		{ "\"\\x\"", false, true },
		{ "\"a\nb\"", false, true },
		{ "\"open", false, false },
		{ "'a'", false, true },
		{ "[]", true, false },
		{ "[1,]", false, true },
		{ "[,", false, true },
		{ "[1 2]", false, true },
		{ "[1,[2,{\"a\":[]}]]\n", true, false },
		{ "{}", true, false },
		{ "{\"a\":1,}", false, true },
		{ "{\"a\"}", false, true },
		{ "{\"a\":}", false, true },
		{ "{a:1}", false, true },
		{ "{\"a\":1", false, false },
		{ "{\"a\":1]", false, true },
		{ "{} {}", false, true },
		{ "1,2", false, true },
		{ "]", false, true },
		{ "1 // one", false, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str text = str_from(cases[i].text);
		struct json_scan at_once, bytewise;

		json_scan_init(&at_once);
		json_scan_feed(&at_once, text);
		CHECK(json_scan_whole(&at_once) == cases[i].whole, "%s", cases[i].text);
		CHECK(json_scan_failed(&at_once) == cases[i].failed, "%s", cases[i].text);
		json_scan_init(&bytewise);
		for (size_t j = 0; j < text.len; j++)
			json_scan_feed(&bytewise, str_of(text.ptr + j, 1));
		CHECK(memcmp(&at_once, &bytewise, sizeof bytewise) == 0, "byte by byte: %s", cases[i].text);
	}
	CU_ASSERT_FALSE(json_scan_is_whole(str_of("1\0", 2)));
}

static void prefixes_may_become_whole(void)
{
	struct str text = STR("{\"a\":[1.5e-3,true,null,\"x\\u00e9\\\\\"],\"b\":{}}");
	struct json_scan scan;

	json_scan_init(&scan);
	for (size_t i = 0; i < text.len; i++) {
		CHECK(!json_scan_whole(&scan) && !json_scan_failed(&scan), "after %zu bytes", i);
		json_scan_feed(&scan, str_of(text.ptr + i, 1));
	}
	CU_ASSERT(json_scan_whole(&scan));
}

static void bounds_depth(void)
{
	char deep[JSON_SCAN_DEPTH + 1];
	struct json_scan scan;

	memset(deep, '[', sizeof deep);
	json_scan_init(&scan);
	json_scan_feed(&scan, str_of(deep, JSON_SCAN_DEPTH));
	CU_ASSERT_FALSE(json_scan_failed(&scan));
	json_scan_feed(&scan, STR("["));
	CU_ASSERT(json_scan_failed(&scan));
	CU_ASSERT(json_scan_is_too_deep(str_of(deep, sizeof deep)));
	CU_ASSERT_FALSE(json_scan_is_too_deep(str_of(deep, JSON_SCAN_DEPTH)));
	CU_ASSERT_FALSE(json_scan_is_too_deep(STR("[}")));
}

#define PATH(...) ((const char *[]){ __VA_ARGS__, NULL })

static void finds_spans(void)
{
	struct str text = STR(" {\"a\" : { \"x\":1.50 , \"x\":2.50 },\"b\":[ 10, \"]}\" ,{\"c\":null} ],\"caf\\u00e9\\/\":-1e5,\"e\":[], \"q\\\"\":true} ");

	CHECK_STR(json_scan_find(text, PATH("a", "x")), "2.50");
	CHECK_STR(json_scan_find(text, PATH("b", "#0")), "10");
	CHECK_STR(json_scan_find(text, PATH("b", "#1")), "\"]}\"");
	CHECK_STR(json_scan_find(text, PATH("b", "#2")), "{\"c\":null}");
	CHECK_STR(json_scan_find(text, PATH("b", "#2", "c")), "null");
	CHECK_STR(json_scan_find(text, PATH("caf\xC3\xA9/")), "-1e5");
	CHECK_STR(json_scan_find(text, PATH("q\"")), "true");
	CHECK_STR(json_scan_find(text, PATH("e")), "[]");
	CU_ASSERT_PTR_NULL(json_scan_find(text, PATH("b", "#3")).ptr);
	CU_ASSERT_PTR_NULL(json_scan_find(text, PATH("e", "#0")).ptr);
	CU_ASSERT_PTR_NULL(json_scan_find(text, PATH("b", "x")).ptr);
	CU_ASSERT_PTR_NULL(json_scan_find(text, PATH("caf")).ptr);
	CU_ASSERT_PTR_NULL(json_scan_find(text, PATH("a", "x", "y")).ptr);
	CU_ASSERT_PTR_NULL(json_scan_find(STR_NONE, PATH("a")).ptr);
	CHECK_STR(json_scan_find(STR(" 7 "), (const char *[]){ NULL }), "7");
}

static void compacts(void)
{
	struct buf out;

	buf_init(&out, 1000);
	json_scan_compact(STR(" { \"a\" :\t[ 1.50 , -0,1E2 ],\n\"\\u0061\\/\":\"\\u00e9\\u0007\\ud834\\udd1e \\ud834\\n\\u000a\" } "), &out);
	CHECK_STR(buf_str(&out), "{\"a\":[1.50,-0,1E2],\"a/\":\"\xC3\xA9\\u0007\xF0\x9D\x84\x9E \xEF\xBF\xBD\\n\\n\"}");
	buf_fini(&out);
}

static void prints_what_grows(void)
{
	static const char pretty[] = "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": \"x, {\\\"}\",\n  \"c\": []\n}";
	struct str text = STR("{\"a\" :[1,{ } ],\"b\":\"x, {\\\"}\",\"c\":[\n]}");
	struct buf out;

	buf_init(&out, 1000);
	for (size_t len = 0; len <= text.len; len++) {
		buf_clear(&out);
		json_scan_pretty(str_head(text, len), &out);
		CHECK(str_starts(str_from(pretty), buf_z(&out)), "%zu bytes: %s", len, buf_z(&out));
	}
	CHECK_STR(buf_str(&out), pretty);
	buf_clear(&out);
	json_scan_pretty(STR("[1,oops, {\"a\": 1}]"), &out);
	CHECK_STR(buf_str(&out), "[\n  1,oops, {\"a\": 1}]");
	for (size_t step = 1; step < 7; step++) {
		struct json_pretty growing = { .pending = false };

		buf_clear(&out);
		for (size_t at = 0; at < text.len; at += step)
			json_pretty_add(&growing, str_head(str_skip(text, at), step), &out);
		CHECK_STR(buf_str(&out), pretty);
		json_pretty_add(&growing, STR("oops"), &out);
		json_pretty_add(&growing, STR("{}"), &out);
		CHECK(str_ends(buf_str(&out), "oops{}"), "nothing is lost: %s", buf_z(&out));
	}
	buf_fini(&out);
}

static void prints_pieces_as_the_whole(void)
{
	static const char *const texts[] = {
		"{\"a\" :[1,{ } ],\"b\":\"x, {\\\"}\\u00e9\",\"c\":[\n]} ", "[1,oops, {\"a\": 1}]", "[[-1.5e3,true],null] [", "\"a\nb\"",
	};
	struct buf whole, pieces;

	buf_init(&whole, 1000);
	buf_init(&pieces, 1000);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct str text = str_from(texts[i]);

		buf_clear(&whole);
		json_scan_pretty(text, &whole);
		for (size_t step = 1; step <= text.len; step++) {
			struct json_pretty pretty = { 0 };

			buf_clear(&pieces);
			for (struct str rest = text; rest.len; rest = str_skip(rest, step))
				json_pretty_add(&pretty, str_head(rest, step), &pieces);
			CHECK_STR(buf_str(&pieces), buf_z(&whole));
		}
	}
	buf_fini(&whole);
	buf_fini(&pieces);
}

static void reads_escapes(void)
{
	static const struct { const char *text; size_t len; uint32_t code; } cases[] = {
		{ "\\n", 2, '\n' }, { "\\\"", 2, '"' }, { "\\/", 2, '/' }, { "\\u00E9x", 6, 0xE9 }, { "\\ud834\\udd1e", 12, 0x1D11E },
		{ "\\ud834\\ud834", 6, 0xD834 }, { "\\ud834", 6, 0xD834 }, { "\\udd1e", 6, 0xDD1E }, { "\\u12", 1, 0xFFFD },
		{ "\\q", 1, 0xFFFD }, { "\\", 1, 0xFFFD },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint32_t code;
		size_t len = json_scan_escape(str_from(cases[i].text), &code);

		CHECK(len == cases[i].len && code == cases[i].code, "%s: %zu bytes, U+%04X", cases[i].text, len, code);
	}
}

const struct suite suite_json_scan = { "json_scan", (const struct test[]){
	TEST(judges),
	TEST(prefixes_may_become_whole),
	TEST(bounds_depth),
	TEST(finds_spans),
	TEST(compacts),
	TEST(prints_what_grows),
	TEST(prints_pieces_as_the_whole),
	TEST(reads_escapes),
	{ 0 },
} };
