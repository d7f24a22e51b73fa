#include "base/json.h"

#include <string.h>

#include "base/json_scan.h"
#include "base/utf8.h"
#include "support/check.h"

/* Parses `text` and dumps it into `out`. Returns the `*used` of json_parse(), or -1 when there is no value. */
static long dumped(struct str text, struct buf *out)
{
	struct json_parser *parser = json_parser_new();
	size_t used = 99;
	const struct json *value = json_parse(parser, text, &used);

	buf_clear(out);
	if (value)
		json_dump(value, out);
	json_parser_free(parser);
	return value ? (long)used : -1;
}

static void parses_and_dumps(void)
{
	static const struct { const char *sent, *dumped; long used; } cases[] = {
		{ "null", "null", 4 },
		{ " \n[ 1 , 2.50 ] rest", "[1,2.50]", 15 },
		{ "{}{}", "{}", 2 },
		{ "12", "12", 2 },
		{ "-0.0", "-0.0", 4 },
		{ "[-0,1e-0,-0e1,\"-0\",18446744073709551616]", "[-0,1e-0,-0e1,\"-0\",18446744073709551616]", 40 },
		{ "true", "true", 4 },
		{ "{\"b\":1,\"a\":[true,false,null]}", "{\"b\":1,\"a\":[true,false,null]}", 29 },
		{ "{\"a\":1,\"a\":2}", "{\"a\":2}", 13 },
		{ "{\"a\":-0,\"a\":[{\"b\":\"\\ud834\"}]}", "{\"a\":[{\"b\":\"\xEF\xBF\xBD\"}]}", 29 },
		{ "{\"a\":{\"b\":-0,\"c\":1},\"a\":{\"b\":-1}}", "{\"a\":{\"b\":-1}}", 33 },
		{ "{\"a\":[[-0],{\"\\u0062\\n\":-0}],\"c\":null}", "{\"a\":[[-0],{\"b\\n\":-0}],\"c\":null}", 37 },
		{ "[-0]-0", "[-0]", 4 },
		{ "[-012,007,-00]", "[-12,7,0]", 14 },
		{ "[1.,01.5]", "[null,null]", 9 },
		{ "{\"\\u00fc\":\"gr\xC3\xBC\xC3\x9F\x65 \xE6\xBC\xA2 \xF0\x9F\x98\x80\",\"\xC3\xA9\":1}",
		  "{\"\xC3\xBC\":\"gr\xC3\xBC\xC3\x9F\x65 \xE6\xBC\xA2 \xF0\x9F\x98\x80\",\"\xC3\xA9\":1}", 36 },
		{ "[-9223372036854775808,-9223372036854775807]", "[-9223372036854775808,-9223372036854775807]", 43 },
		{ "12{}", "12", 2 },
		{ "[1e5,1E400,1.10]", "[1e5,1E400,1.10]", 16 },
		{ "[9223372036854775807,18446744073709551615]", "[9223372036854775807,18446744073709551615]", 42 },
		{ "[18446744073709551616,-9223372036854775809]", "[18446744073709551616,-9223372036854775809]", 43 },
		{ "123456789012345678901234567890", "123456789012345678901234567890", 30 },
		{ "\"123456789012345678901234567890\"", "\"123456789012345678901234567890\"", 32 },
		{ "\"\\/\\u00e9\\u0000\\n\\u001F\\\"\\\\\"", "\"/\xC3\xA9\\u0000\\n\\u001f\\\"\\\\\"", 28 },
		{ "\"a\tb\nc\x01\"", "\"a\\tb\\nc\\u0001\"", 8 },      /* raw control bytes are accepted */
		{ "[NaN,-Infinity]", "[null,null]", 15 },              /* written by Python */
		{ "\"it's 'fine', 'really'\"", "\"it's 'fine', 'really'\"", 23 },
		{ "\"\\ud834\\udd1e\"", "\"\xF0\x9D\x84\x9E\"", 14 },
		{ "\"\\ud834\" x", "\"\xEF\xBF\xBD\"", 9 },
		{ "[\"\\ud834\\ud834\\udd1e\\udd1e\"]x", "[\"\xEF\xBF\xBD\xF0\x9D\x84\x9E\xEF\xBF\xBD\"]", 28 },
		{ "\"\\\\ud834\"", "\"\\\\ud834\"", 9 },                  /* an escaped backslash, no surrogate */
		{ "{\"\\udd1e\":1}", "{\"\xEF\xBF\xBD\":1}", 12 },
		{ "\"a\xFF\xE2\x82z\" y", "\"a\xEF\xBF\xBD\xEF\xBF\xBDz\"", 8 },
		{ "{\"error\\u0000x\":1,\"error\":\"\\u0000\"}", "{\"error\xEF\xBF\xBDx\":1,\"error\":\"\\u0000\"}", 35 },
		{ "\"\\ud836\\udd1e\\ud876\\udfff\"", "\"\xF0\x9D\xA4\x9E\xF0\xAD\xAF\xBF\"", 26 },
		{ "{\"\\ud876\\udc00\":1}", "{\"\xF0\xAD\xA0\x80\":1}", 18 },
		{ "{\"\\ud834\":1,\"\\udd1e\":2}", "{\"\xEF\xBF\xBD\":2}", 23 }, /* equal once decoded: one key */
		{ "[{\"\\\\\\u0000\" \n:1}]", "[{\"\\\\\xEF\xBF\xBD\":1}]", 18 },
		{ "\"\xED\xA0\x80\"", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"", 5 }, /* surrogates encoded as UTF-8 are invalid input */
	};
	struct buf out;

	buf_init(&out, 1000);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		long used = dumped(str_from(cases[i].sent), &out);

		CHECK(used == cases[i].used, "%s: used %ld", cases[i].sent, used);
		CHECK_STR(buf_str(&out), cases[i].dumped);
	}
	CU_ASSERT_EQUAL(dumped(str_of("\"a\0b\"", 5), &out), 5);
	CHECK_STR(buf_str(&out), "\"a\\u0000b\"");
	CU_ASSERT_EQUAL(dumped(str_of("{\"a\0\":1}", 8), &out), 8);
	CHECK_STR(buf_str(&out), "{\"a\xEF\xBF\xBD\":1}");
	buf_fini(&out);
}

static void refuses(void)
{
	static const struct { const char *sent; size_t failed_at; } cases[] = {
		{ "", 0 },
		{ "   ", 3 },
		{ "tru", 3 },
		{ "-", 1 },
		{ "[1,2", 4 },
		{ "\"abc", 4 },
		{ "{\"a\":1,}", 7 },
		{ "[1,]", 3 },
		{ "'a'", 0 },
		{ "{'a':1}", 1 },
		{ "{\"b\":0, 'a':1}", 8 },
		{ "/* no */1", 0 },
		{ "[1 2]", 3 },
		{ "[1e, 2]", 3 },
		{ "[.5]", 1 },
		{ "[+1]", 1 },
		{ "[nulL]", 4 },
		{ "{\"a\",1}", 4 },
		{ "{1:1}", 1 },
		{ "\"\\ud8", 2 },
		{ "TRUE", 0 },
		{ "\"\\x41\"", 2 },
		{ "\"\xFF\xFF\\x41\"", 4 },
		{ "\xEF\xBB\xBF{}", 0 },
	};
	struct json_parser *parser = json_parser_new();

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t used = 99;

		CU_ASSERT_PTR_NULL(json_parse(parser, str_from(cases[i].sent), &used));
		CHECK(used == cases[i].failed_at, "%s: failed at %zu", cases[i].sent, used);
	}
	json_parser_free(parser);
	json_parser_free(NULL);
}

static void bounds_nesting(void)
{
	char deep[2 * JSON_SCAN_DEPTH + 2];
	struct buf out;

	buf_init(&out, 1000);
	memset(deep, '[', JSON_SCAN_DEPTH + 1);
	memset(deep + JSON_SCAN_DEPTH + 1, ']', JSON_SCAN_DEPTH + 1);
	CU_ASSERT_EQUAL(dumped(str_of(deep, sizeof deep), &out), -1);
	CU_ASSERT_EQUAL(dumped(str_of(deep + 1, sizeof deep - 2), &out), 2 * JSON_SCAN_DEPTH);
	CU_ASSERT_EQUAL(out.len, 2 * JSON_SCAN_DEPTH);
	buf_fini(&out);
}

/* Brackets in strings do not count. What is skipped must balance. */
static void skips_what_is_too_deep(void)
{
	static const struct { const char *inside; bool good; } cases[] = {
		{ "[]", true }, { "[[{\"]\\\"\":[]}], 1]", true }, { "0", true }, { "[[]", false }, { "[\"]", false },
	};
	struct json_parser *parser = json_parser_new();

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct buf text = { 0 };
		size_t used;

		for (size_t level = 0; level < JSON_SCAN_DEPTH; level++)
			buf_add_byte(&text, '[');
		buf_add_z(&text, cases[i].inside);
		for (size_t level = 0; level < JSON_SCAN_DEPTH - 1; level++)
			buf_add_byte(&text, ']');
		buf_add_z(&text, ",\"a\"]");
		const struct json *value = json_parse_shallow(parser, buf_str(&text), &used);
		CHECK(!!value == cases[i].good, "%s", cases[i].inside);
		if (value)
			CHECK_STR(json_text(json_at(value, 1)), "a");
		buf_fini(&text);
	}
	json_parser_free(parser);
}

/* A text of some megabytes could become a tree of gigabytes. The content of strings does not count, however large. */
static void bounds_the_tree(void)
{
	static const struct { const char *unit; size_t count; bool good; } cases[] = {
		{ "{},", 100000, true },   { "{},", 200000, false },   { "[],", 100000, true }, { "[],", 400000, false },
		{ "0,", 1000000, true },   { "0,", 2000000, false },   { "\"{{{{[[[[,,,,\\\"\",", 500000, true },
		{ "{\"a\":[{}]},", 100000, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct json_parser *parser = json_parser_new();
		const struct json *value;
		struct buf text = { 0 };
		size_t used;

		buf_add_byte(&text, '[');
		for (size_t j = 0; j < cases[i].count; j++)
			buf_add_z(&text, cases[i].unit);
		buf_add_z(&text, "0] ");
		value = json_parse(parser, buf_str(&text), &used);
		CHECK(!!value == cases[i].good, "%zu times %s", cases[i].count, cases[i].unit);
		CHECK(json_length(value) == (cases[i].good ? cases[i].count + 1 : 0), "%zu times %s", cases[i].count, cases[i].unit);
		json_parser_free(parser);
		buf_fini(&text);
	}
}

static void each_call_begins_anew(void)
{
	struct json_parser *parser = json_parser_new();
	double number = 0;
	size_t used;

	CU_ASSERT_PTR_NULL(json_parse(parser, STR("[1,"), &used));
	CU_ASSERT_EQUAL(json_kind(json_parse(parser, STR("2]"), &used)), JSON_NUMBER);
	CU_ASSERT_EQUAL(used, 1);
	CU_ASSERT_PTR_NULL(json_parse(parser, STR("\"half"), &used));
	CU_ASSERT_EQUAL(json_kind(json_parse(parser, STR("{}"), &used)), JSON_OBJECT);
	CU_ASSERT(!json_number(json_parse(parser, STR("1e999"), &used), &number));
	json_parser_free(parser);
}

static void reads_are_checked(void)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *v = json_parse(parser, STR("{\"s\":\"x\",\"n\":null,\"b\":true,\"a\":[null,7],\"i\":-1,\"o\":{}}"), &used);
	const struct json *items = json_get(v, "a");
	bool flag = false;
	double number = 0;
	int64_t count = 0;

	CHECK_STR(json_get_text(v, "s"), "x");
	CU_ASSERT_PTR_NULL(json_get(v, "n"));
	CU_ASSERT_PTR_NULL(json_get(v, "missing"));
	CU_ASSERT_PTR_NULL(json_get(items, "s"));
	CU_ASSERT_PTR_NULL(json_get(NULL, "s"));
	CU_ASSERT_PTR_NULL(json_get_text(v, "i").ptr);
	CU_ASSERT(json_flag(json_get(v, "b"), &flag) && flag);
	CU_ASSERT_FALSE(json_flag(json_get(v, "i"), &flag));
	CU_ASSERT_EQUAL(json_length(items), 2);
	CU_ASSERT_EQUAL(json_length(v), 0);
	CU_ASSERT_PTR_NULL(json_at(items, 0));
	CU_ASSERT(json_count(json_at(items, 1), &count) && count == 7);
	CU_ASSERT_PTR_NULL(json_at(items, 2));
	CU_ASSERT_PTR_NULL(json_at(v, 0));
	CU_ASSERT(json_number(json_get(v, "i"), &number) && number < 0);
	CU_ASSERT_FALSE(json_number(json_get(v, "s"), &number));
	CU_ASSERT_EQUAL(json_kind(json_get(v, "o")), JSON_OBJECT);
	CU_ASSERT_EQUAL(json_kind(NULL), JSON_NULL);
	v = json_parse(parser, STR("null"), &used);
	CU_ASSERT_PTR_NOT_NULL(v);
	CU_ASSERT_EQUAL(json_kind(v), JSON_NULL);
	CU_ASSERT_PTR_NULL(json_get(v, "a"));
	CU_ASSERT_PTR_NULL(json_text(v).ptr);
	json_parser_free(parser);
}

static void counts_are_whole(void)
{
	static const struct { const char *sent; int64_t count; } cases[] = {
		{ "0", 0 }, { "7", 7 }, { "1.0", 1 }, { "1e3", 1000 }, { "-0", 0 }, { "9223372036854775807", INT64_MAX },
		{ "-1", -1 }, { "1.5", -1 }, { "-0.5", -1 }, { "9223372036854775808", -1 }, { "18446744073709551615", -1 },
		{ "99999999999999999999", -1 }, { "1e400", -1 }, { "9223372036854775808.0", -1 }, { "\"5\"", -1 }, { "true", -1 },
		{ "NaN", -1 }, { "[5]", -1 },
	};
	struct json_parser *parser = json_parser_new();

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t used;
		int64_t count = -1;
		bool is = json_count(json_parse(parser, str_from(cases[i].sent), &used), &count);

		CHECK(is == (cases[i].count >= 0) && count == cases[i].count, "%s", cases[i].sent);
	}
	json_parser_free(parser);
}

static void scalars_are_as_sent(void)
{
	static const struct { const char *sent, *text; } cases[] = {
		{ "\"x\\ny\"", "x\ny" }, { "12", "12" }, { "-5", "-5" }, { "1.50", "1.50" }, { "true", "true" }, { "false", "false" },
		{ "18446744073709551615", "18446744073709551615" }, { "99999999999999999999", "99999999999999999999" },
		{ "\"\\ud834\"", "\xEF\xBF\xBD" }, { "null", NULL }, { "[]", NULL }, { "{}", NULL }, { "NaN", NULL }, { "-Infinity", NULL },
	};
	struct json_parser *parser = json_parser_new();
	struct buf scratch;

	buf_init(&scratch, 100);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t used;
		struct str text = STR_NONE;
		bool is = json_scalar(json_parse(parser, str_from(cases[i].sent), &used), &scratch, &text);

		CHECK(is == (cases[i].text != NULL), "%s", cases[i].sent);
		if (is)
			CHECK_STR(text, cases[i].text);
	}
	buf_fini(&scratch);
	json_parser_free(parser);
}

static void lone_surrogates_are_kept_raw(void)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *v = json_parse(parser, STR("[\"x\\uD834\",\"\\udd1ey\",\"plain\"]"), &used);

	CHECK_STR(json_raw_text(json_at(v, 0)), "x\xED\xA0\xB4");
	CHECK_STR(json_text(json_at(v, 0)), "x\xEF\xBF\xBD");
	CHECK_STR(json_raw_text(json_at(v, 1)), "\xED\xB4\x9Ey");
	CHECK_STR(json_text(json_at(v, 1)), "\xEF\xBF\xBDy");
	CHECK_STR(json_text(json_at(v, 2)), "plain");
	json_parser_free(parser);
}

static void large_numbers_are_read(void)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *v = json_parse(parser, STR("[100000000000000000000,-100000000000000000000,-0]"), &used);
	double number = 0;
	int64_t count;

	CU_ASSERT(json_number(json_at(v, 0), &number) && number > 0.99e20 && number < 1.01e20);
	CU_ASSERT(json_number(json_at(v, 1), &number) && number < -0.99e20 && number > -1.01e20);
	CU_ASSERT(json_count(json_at(v, 2), &count) && count == 0);
	json_parser_free(parser);
}

static void a_tree_has_a_ceiling(void)
{
	const size_t count = JSON_TREE_MOST / 500;
	struct json_parser *parser = json_parser_new();
	struct buf text;
	size_t used = 99;

	buf_init(&text, JSON_TEXT_MOST);
	buf_add_byte(&text, '[');
	for (size_t i = 0; i < count; i++)
		buf_add_z(&text, "{},");
	buf_add_z(&text, "{}]");
	CU_ASSERT_PTR_NULL(json_parse(parser, buf_str(&text), &used));
	CU_ASSERT_EQUAL(used, 0);
	CU_ASSERT(json_was_too_large(parser));
	CU_ASSERT_EQUAL(json_length(json_parse(parser, STR("[{}]"), &used)), 1);
	CU_ASSERT_FALSE(json_was_too_large(parser));
	buf_fini(&text);
	json_parser_free(parser);
}

static void takes_members_by_a_table(void)
{
	static const char *const keys[] = { "id", "n", "ids", "x" };
	const struct json *values[4];
	struct json_parser *parser = json_parser_new();
	size_t used;

	json_take(json_parse(parser, STR("{\"ids\":1,\"z\":2,\"n\":null,\"id\":\"a\",\"i\":3,\"\":4}"), &used), keys, 4, values);
	CHECK_STR(json_text(values[0]), "a");
	CU_ASSERT_PTR_NULL(values[1]);
	CU_ASSERT_EQUAL(json_kind(values[2]), JSON_NUMBER);
	CU_ASSERT_PTR_NULL(values[3]);
	json_take(NULL, keys, 4, values);
	for (size_t i = 0; i < 4; i++)
		CU_ASSERT_PTR_NULL(values[i]);
	json_parser_free(parser);
}

static void walks_members_in_order(void)
{
	struct json_parser *parser = json_parser_new();
	struct json_member m = { 0 };
	struct buf keys;
	size_t used;
	const struct json *v = json_parse(parser, STR("{\"z\":1,\"a\":null,\"m\":\"x\"}"), &used);

	buf_init(&keys, 100);
	while (json_next(v, &m))
		buf_printf(&keys, "%.*s%s ", STR_ARG(m.key), m.value ? "" : "!");
	CHECK_STR(buf_str(&keys), "z a! m ");
	m = (struct json_member){ 0 };
	CU_ASSERT_FALSE(json_next(json_get(v, "z"), &m));
	m = (struct json_member){ 0 };
	CU_ASSERT_FALSE(json_next(NULL, &m));
	buf_fini(&keys);
	json_parser_free(parser);
}

/* Adds a random value. It is valid, except that the caller may corrupt bytes later. */
static void add_random(struct buf *out, unsigned *seed, unsigned depth)
{
	static const char *const scalars[] = { "null", "true", "0", "-12", "1.50", "2e-3", "\"\"", "\"it's \\ud834\\udd1e\"", "\"\\ud834\"",
					       "\"\\\\u12 \\/ \xE6\xBC\xA2\"", "18446744073709551617", "9223372036854775807",
					       "\"\\u00e9\\u0007\"", "12345678901234567890.5", "\"12345678901234567890\"" };
	unsigned kind = check_random(seed) % (depth < 5 ? 4 : 2);
	unsigned count = check_random(seed) % 4;

	if (kind < 2) {
		buf_add_z(out, scalars[check_random(seed) % (sizeof scalars / sizeof scalars[0])]);
		return;
	}
	buf_add_z(out, kind == 2 ? "[ " : "{");
	for (unsigned i = 0; i < count; i++) {
		buf_add_z(out, i ? " ,\n" : "");
		if (kind == 3)
			buf_printf(out, "\"k%u'\" :", i);
		add_random(out, seed, depth + 1);
	}
	buf_add_z(out, kind == 2 ? "]" : " }");
}

static void agrees_with_the_lexer(void)
{
	unsigned seed = 17;
	struct buf text, tree, flat;

	buf_init(&text, 1 << 20);
	buf_init(&tree, 1 << 20);
	buf_init(&flat, 1 << 20);
	for (int round = 0; round < 3000; round++) {
		buf_clear(&text);
		buf_clear(&flat);
		add_random(&text, &seed, 0);
		CHECK(json_scan_is_whole(buf_str(&text)), "round %d: %s", round, buf_z(&text));
		CHECK(dumped(buf_str(&text), &tree) == (long)text.len, "round %d: %s", round, buf_z(&text));
		json_scan_compact(buf_str(&text), &flat);
		CHECK_STR(buf_str(&tree), buf_z(&flat));
	}
	buf_fini(&text);
	buf_fini(&tree);
	buf_fini(&flat);
}

static void broken_texts_do_no_harm(void)
{
	unsigned seed = 23;
	struct buf text, out;

	buf_init(&text, 1 << 20);
	buf_init(&out, 1 << 20);
	for (int round = 0; round < 5000; round++) {
		long used;

		buf_clear(&text);
		add_random(&text, &seed, 0);
		for (unsigned i = check_random(&seed) % 4; i > 0; i--)
			text.ptr[check_random(&seed) % text.len] = "\"\\'\0\xFF{}[],:9\xE2u-"[check_random(&seed) % 15];
		used = dumped(buf_str(&text), &out);
		CHECK(used <= (long)text.len, "round %d", round);
		CHECK(used >= 0 || !json_scan_is_whole(buf_str(&text)), "round %d: %s", round, buf_z(&text));
		CHECK(utf8_is_valid(buf_str(&out)), "round %d", round);
		CHECK(used < 0 || json_scan_is_whole(buf_str(&out)), "round %d: %s", round, buf_z(&out));
	}
	buf_fini(&text);
	buf_fini(&out);
}

/* "@N" in a text stands for a pack of N bytes "xyz". Returns whether it was parsed; then the value of "a" is checked. */
static bool parses_packed(const char *marked, const char *before, const char *after, const char *whole)
{
	struct json_parser *parser = json_parser_new();
	struct json_pack packs[4];
	struct buf text = { 0 }, out = { 0 };
	struct str left, right;
	size_t count = 0, used;

	for (const char *c = marked; *c; c++) {
		if (*c != '@') {
			buf_add_byte(&text, *c);
			continue;
		}
		struct buf bytes = { 0 };
		buf_add(&bytes, STR("xyz"));
		packs[count++] = (struct json_pack){ text.len, 3, blob_of(&bytes) };
	}
	const struct json *value = json_parse_packed(parser, buf_str(&text), packs, count, &used), *a = json_get(value, "a");
	if (value) {
		CU_ASSERT_TRUE(json_packed(a, &left, &right) == packs[0].bytes);
		CU_ASSERT_TRUE(json_has_text(a));
		CHECK_STR(left, before);
		CHECK_STR(right, after);
		CHECK_STR(json_text(a), whole);
		CHECK_STR(json_raw_text(a), whole);
	}
	/* What was parsed leaves the frame as it was. */
	struct str sent = json_unpack(buf_str(&text), packs, count, &out);
	CU_ASSERT_EQUAL(sent.len, text.len + 4 * count);
	CU_ASSERT_TRUE(str_find(sent, STR("eHl6")) < sent.len);
	for (size_t i = 0; i < count; i++)
		blob_drop(packs[i].bytes);
	json_parser_free(parser);
	buf_fini(&text);
	buf_fini(&out);
	return value != NULL;
}

static void packs_are_strings(void)
{
	CU_ASSERT_TRUE(parses_packed("{\"a\":\"@\"}", "", "", "eHl6"));
	CU_ASSERT_TRUE(parses_packed("{\"a\":\"@eA==\"}", "", "", "eHl6eA=="));
	CU_ASSERT_TRUE(parses_packed("{\"a\":\"@eB==\"}", "", "eB==", "eHl6eB==")); /* a bit that is left over */
	CU_ASSERT_TRUE(parses_packed("{\"a\":\"@eA\"}", "", "eA", "eHl6eA"));
	CU_ASSERT_TRUE(parses_packed("{\"b\":\"x\",\"a\":\"data:,@ \",\"c\":\"@\"}", "data:,", " ", "data:,eHl6 "));
	CU_ASSERT_FALSE(parses_packed("{\"a\":\"@-@\"}", "", "", ""));
	CU_ASSERT_FALSE(parses_packed("{\"a\":\"\\n@\"}", "", "", ""));
	CU_ASSERT_FALSE(parses_packed("{\"@\":\"a\"}", "", "", ""));
	CU_ASSERT_FALSE(parses_packed("{\"a\":1@}", "", "", ""));
	CU_ASSERT_FALSE(parses_packed("{\"a\":[@]}", "", "", ""));
	CU_ASSERT_FALSE(parses_packed("{\"a\":\"x\"}@", "", "", ""));
	CU_ASSERT_FALSE(parses_packed("{\"a\":\"@eA==", "", "", ""));
	CU_ASSERT_FALSE(parses_packed("{\"a\":\"@eA==\"", "", "", ""));
}


const struct suite suite_json = { "json", (const struct test[]){
	TEST(parses_and_dumps),
	TEST(packs_are_strings),
	TEST(refuses),
	TEST(bounds_nesting),
	TEST(skips_what_is_too_deep),
	TEST(bounds_the_tree),
	TEST(each_call_begins_anew),
	TEST(reads_are_checked),
	TEST(counts_are_whole),
	TEST(scalars_are_as_sent),
	TEST(lone_surrogates_are_kept_raw),
	TEST(large_numbers_are_read),
	TEST(a_tree_has_a_ceiling),
	TEST(takes_members_by_a_table),
	TEST(walks_members_in_order),
	TEST(agrees_with_the_lexer),
	TEST(broken_texts_do_no_harm),
	{ 0 },
} };
