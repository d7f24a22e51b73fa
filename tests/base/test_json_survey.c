#include "base/json_survey.h"

#include "support/check.h"

static void finds_the_first_value(void)
{
	static const struct { const char *text; size_t len, values, containers, members; } cases[] = {
		{ "", 0, 0, 0, 0 },
		{ " {} ", 4, 1, 1, 0 },
		{ "{\"a\":[1,2],\"b\":{\"c\":\":,{[\\\"\"}}{", 30, 5, 3, 3 },
		{ "[] []", 3, 1, 1, 0 },
		{ "12{}", 2, 0, 0, 0 },
		{ "null,", 4, 0, 0, 0 },
		{ "\"a\" \"b\"", 4, 0, 0, 0 },
		{ "{'a':1}", 1, 1, 1, 0 }, /* a value does not continue with a single quote */
		{ "[1,", 3, 2, 1, 0 },
		{ "\"open", 5, 0, 0, 0 },
		{ "]", 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct json_survey s = json_survey(str_from(cases[i].text));

		CHECK(s.len == cases[i].len, "%s: %zu bytes", cases[i].text, s.len);
		CHECK(s.values == cases[i].values && s.containers == cases[i].containers && s.members == cases[i].members,
		      "%s: %zu values, %zu containers, %zu members", cases[i].text, s.values, s.containers, s.members);
	}
}

static void finds_what_is_not_read_as_sent(void)
{
	static const struct { const char *text; bool needs_mending, is_inexact; } cases[] = {
		{ "{\"a\":[1,-1,0,1.5e-7,true],\"b\":\"\\n\\u00e9\\ud834\\udd1e -0 12345678901234567890 '\"}", false, false },
		{ "[1234567890123456789]", false, true },
		{ "[-0]", false, true },
		{ "[-0.5]", false, true }, /* examined although not needed, which is harmless */
		{ "[\"\\ud834\"]", true, true },
		{ "[\"\\ud876\\udc00\"]", true, false },
		{ "[\"\\u0000\"]", true, false },
		{ "[\"\xFF\"]", true, false },
		{ "[\"\xE6\xBC\xA2\"]", false, false },
		{ "[1]\xFF", false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct json_survey s = json_survey(str_from(cases[i].text));

		CHECK(s.needs_mending == cases[i].needs_mending && s.is_inexact == cases[i].is_inexact, "%s: %d %d", cases[i].text,
		      s.needs_mending, s.is_inexact);
	}
	CU_ASSERT(json_survey(str_of("[\"\0\"]", 5)).needs_mending);
}

/* Strings are read eight bytes at a time: what counts is found at each place, and its neighbours in the table are not it. */
static void finds_what_counts_at_each_place(void)
{
	static const struct { const char *sent; size_t len; bool needs_mending, is_inexact; } cases[] = {
		{ "", 0, false, false },          { "\\\"", 2, false, false },     { "\\u0000", 6, true, false },
		{ "\\ud834", 6, true, true },     { "\0", 1, true, false },        { "\xA2", 1, true, false },
		{ "\xDC", 1, true, false },       { "\xC3\xA9", 2, false, false },  { "\x01!#[]", 5, false, false },
		{ "\xE6\xBC\xA2", 3, false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (size_t before = 0; before < 20; before++) {
			struct buf text = { 0 };

			buf_add_z(&text, "[\"");
			buf_add(&text, str_head(STR("#]#]#]#]#]#]#]#]#]#]"), before));
			buf_add(&text, str_of(cases[i].sent, cases[i].len));
			buf_add_z(&text, "\",1]");
			size_t whole = text.len;
			buf_add_z(&text, ",]]\xFF");
			struct json_survey s = json_survey(buf_str(&text));
			CHECK(s.len == whole && s.values == 2 && s.needs_mending == cases[i].needs_mending && s.is_inexact == cases[i].is_inexact,
			      "case %zu behind %zu bytes: %zu of %zu bytes, %zu values, %d %d", i, before, s.len, whole, s.values,
			      s.needs_mending, s.is_inexact);
			buf_fini(&text);
		}
	}
}

const struct suite suite_json_survey = { "json_survey", (const struct test[]){
	TEST(finds_the_first_value), TEST(finds_what_is_not_read_as_sent), TEST(finds_what_counts_at_each_place), { 0 },
} };
