#include "base/json_outline.h"

#include <string.h>

#include "support/check.h"

/* The outline is the same, however the text comes. */
static void check_outline(struct str text, const char *expected)
{
	for (size_t piece = 1; piece <= text.len; piece++) {
		struct json_outline o;

		json_outline_init(&o);
		for (struct str rest = text; rest.len; rest = str_skip(rest, piece))
			json_outline_add(&o, str_head(rest, piece));
		CHECK_STR(json_outline_text(&o), expected);
		json_outline_fini(&o);
	}
}

static void two_levels_are_kept(void)
{
	check_outline(STR("{\"model\":\"m \\\"\\u00e4\\n\",\"messages\":[{\"role\":\"u[ser\"},[1],\"x\",{}],\"n\" : 2,\"o\":{\"a\":{\"b\":1},\"c\":true}} "),
	              "{\"model\":\"m \\\"\\u00e4\\n\",\"messages\":[null,null,\"x\",null],\"n\" : 2,\"o\":{\"a\":null,\"c\":true}} ");
	check_outline(STR("[]"), "[]");
	check_outline(STR("\"a\""), "\"a\"");
}

static void what_is_not_json_has_none(void)
{
	check_outline(STR("{\"a\":1"), "");
	check_outline(STR("{\"a\":1}}"), "");
	check_outline(STR("--boundary"), "");
}

static void long_strings_are_empty(void)
{
	char text[6000] = "{\"a\":\"";

	for (size_t i = strlen(text); i < 4000; i += 2)
		memcpy(text + i, "\\n", 2);
	strcat(text, "\",\"b\":{\"c\":\"d\"}}");
	struct json_outline o;
	json_outline_init(&o);
	json_outline_add(&o, str_from(text));
	CHECK_STR(json_outline_text(&o), "{\"a\":\"\",\"b\":{\"c\":\"d\"}}");
	json_outline_fini(&o);
}

const struct suite suite_json_outline = { "json_outline", (const struct test[]){
	TEST(two_levels_are_kept), TEST(what_is_not_json_has_none), TEST(long_strings_are_empty), { 0 } } };
