#include "base/json_place.h"

#include "support/check.h"

static void names_the_place(void)
{
	static const struct { const char *text, *words; } cases[] = {
		{ "{\"a\":[1,2.50,\"\\u00fc\"]}", NULL }, { " null\n", NULL }, { "{\n\t\"ü\": 1\n}\n", NULL },
		{ "", "line 1, column 1: the JSON ends too early" },
		{ "{\n  \"a\": 1,\n", "line 3, column 1: the JSON ends too early" },
		{ "{\n  \"a\": 1,\n}\n", "line 3, column 1: this is not JSON" },
		{ "{\"ü\": oops}", "line 1, column 7: this is not JSON" },
		{ "{} x", "line 1, column 4: this is not JSON" },
		{ "{\"a\":\"one\ntwo\"}", "line 1, column 10: this is not JSON" },
		{ "{\"a\":\"\xff\"}", "the text is not valid UTF-8" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = { "" };

		CHECK(json_place_check(str_from(cases[i].text), &err) == !cases[i].words, "%s", cases[i].text);
		CHECK_STR(str_from(err.text), cases[i].words ? cases[i].words : "");
	}
}

static void knows_deep_nesting(void)
{
	struct error err = { "" };
	char text[600];

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = i < sizeof text / 2 ? '[' : ']';
	CU_ASSERT(!json_place_check(str_of(text, sizeof text), &err));
	CHECK_STR(str_from(err.text), "the JSON is nested more than 256 levels deep");
}

const struct suite suite_json_place = { "json_place", (const struct test[]){ TEST(names_the_place), TEST(knows_deep_nesting), { 0 } } };
