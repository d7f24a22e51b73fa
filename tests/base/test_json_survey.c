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

const struct suite suite_json_survey = { "json_survey", (const struct test[]){
	TEST(finds_the_first_value), TEST(finds_what_is_not_read_as_sent), { 0 },
} };
