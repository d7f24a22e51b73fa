#include "base/names.h"

#include <string.h>

#include "support/check.h"

static const char *const words[] = { "red", "green", "blue", NULL };

static void a_word_is_in_a_list_or_not(void)
{
	CU_ASSERT_TRUE(str_is_among(STR("green"), words, 3));
	CU_ASSERT_FALSE(str_is_among(STR("green"), words, 1));
	CU_ASSERT_FALSE(str_is_among(STR("GREEN"), words, 3));
	CU_ASSERT_FALSE(str_is_among(STR_NONE, words, 3));
	CU_ASSERT_TRUE(str_is_among_nocase(STR("GREEN"), words, 3));
	CU_ASSERT_FALSE(str_is_among_nocase(STR("greens"), words, 3));
}

static void sentences_list_what_is_known(void)
{
	struct error err = { "" };
	char name[200];

	CU_ASSERT_FALSE(names_refuse("colour", STR("grey"), name_in_words, words, &err));
	CHECK_STR(str_from(err.text), "there is no colour 'grey'; known are red, green, blue");
	CU_ASSERT_FALSE(names_refuse_value(STR("colour"), STR("grey"), name_in_words, words, &err));
	CHECK_STR(str_from(err.text), "colour = grey: it must be red, green or blue");
	CU_ASSERT_FALSE(names_refuse_value(STR("colour"), STR("grey"), name_in_words, words + 2, &err));
	CHECK_STR(str_from(err.text), "colour = grey: it must be blue");
	memset(name, 'x', sizeof name);
	CU_ASSERT_FALSE(names_refuse("colour", str_of(name, sizeof name), name_in_words, words, &err));
	CU_ASSERT_TRUE(strlen(err.text) < 120 && strstr(err.text, "x'; known are red"));
}

static const char *nearest(const char *word)
{
	struct nearest n = nearest_to(str_from(word));

	for (size_t i = 0; words[i]; i++)
		nearest_try(&n, words[i]);
	return n.name ? n.name : "";
}

static void the_nearest_name_is_found(void)
{
	static const struct { const char *word, *name; } cases[] = {
		{ "rde", "red" }, { "re", "red" }, { "geren", "green" }, { "blues", "blue" }, { "lbeu", "blue" }, { "greeeeen", "green" },
		{ "yes", "" }, { "r-", "" }, { "", "" }, { "purple", "" }, { "greengreengreengreengreen", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_STR(str_from(nearest(cases[i].word)), cases[i].name);
	struct nearest none = nearest_below(STR("rad"), 1);
	nearest_try(&none, "red");
	CU_ASSERT_PTR_NULL(none.name);
}

const struct suite suite_names = { "names", (const struct test[]){
	TEST(a_word_is_in_a_list_or_not),
	TEST(sentences_list_what_is_known),
	TEST(the_nearest_name_is_found),
	{ 0 },
} };
