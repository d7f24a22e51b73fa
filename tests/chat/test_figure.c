/* Figures for people. */
#include "chat/conversation/figure.h"

#include <string.h>

#include "support/check.h"

static void thousands_and_millions_are_short(void)
{
	static const struct { int64_t count, exact_below, tenths_below; const char *words; } rows[] = {
		{ 0, 1000, 99950, "0" },
		{ 999, 1000, 99950, "999" },
		{ 1000, 1000, 99950, "1.0k" },
		{ 9999, 10000, 99950, "9,999" },
		{ 31249, 1000, 99950, "31.2k" },
		{ 31249, 1000, 9950, "31k" },
		{ 99949, 1000, 99950, "99.9k" },
		{ 99950, 1000, 99950, "100k" },
		{ 999499, 1000, 99950, "999k" },
		{ 999500, 1000, 99950, "1.0M" },
		{ 99949999, 1000, 99950, "99.9M" },
		{ 120000000, 1000, 99950, "120M" },
	};
	char figure[FIGURE_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		figure_short(figure, rows[i].count, rows[i].exact_below, rows[i].tenths_below);
		CHECK(!strcmp(figure, rows[i].words), "%s, not %s", figure, rows[i].words);
	}
}

static void one_of_a_thing_has_no_plural(void)
{
	char figure[FIGURE_SIZE];

	CHECK_STR(str_from(figure_of(figure, 0, "token")), "0 tokens");
	CHECK_STR(str_from(figure_of(figure, 1, "token")), "1 token");
	CHECK_STR(str_from(figure_of(figure, 1204, "character")), "1,204 characters");
}

const struct suite suite_figure = { "figure", (const struct test[]){
	TEST(thousands_and_millions_are_short),
	TEST(one_of_a_thing_has_no_plural),
	{ 0 },
} };
