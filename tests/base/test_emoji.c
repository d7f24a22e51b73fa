#include "base/emoji.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

#include "support/check.h"

#define ZWJ "\u200D"
#define VS16 "\uFE0F"

static const struct utf8_profile nothing, all = { .joins = true, .tones = true, .variants = true, .flags = true, .recent = true };

/* The capabilities each picture needs, as letters of profile_of(). */
static const struct { const char *picture, *needs; } pictures[] = {
	{ "\U0001F469" ZWJ "\U0001F4BB", "j" },
	{ "\U0001F468" ZWJ "\U0001F469" ZWJ "\U0001F467" ZWJ "\U0001F466", "j" },
	{ "\U0001F44D\U0001F3FD", "t" },
	{ "\U0001F469\U0001F3FD" ZWJ "\U0001F4BB", "jt" },
	{ "\u2764" VS16, "v" },
	{ "\u00A9" VS16, "v" },
	{ "\U0001F3F3" VS16 ZWJ "\U0001F308", "jv" },
	{ "\U0001F3C3" ZWJ "\u2642" VS16, "j" },
	{ "\U0001F408" ZWJ "\u2B1B", "j" },
	{ "\U0001F1E9\U0001F1EA", "f" },
	{ "\U0001FAE8", "r" },
	{ "\U0001FAF7\U0001F3FD", "tr" },
};

static struct utf8_profile profile_of(unsigned bits)
{
	return (struct utf8_profile){ .joins = bits & 1, .tones = bits & 2, .variants = bits & 4, .flags = bits & 8, .recent = bits & 16 };
}

static bool meets(unsigned bits, const char *needs)
{
	for (; *needs; needs++)
		if (!(bits & 1u << (strchr("jtvfr", *needs) - "jtvfr")))
			return false;
	return true;
}

static void shows_what_the_terminal_can(void)
{
	for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
		for (unsigned bits = 0; bits < 32; bits++) {
			struct str picture = str_from(pictures[i].picture);
			struct utf8_profile can = profile_of(bits);
			struct utf8_cell cell;

			utf8_set_profile(&can);
			if (!meets(bits, pictures[i].needs)) {
				CHECK(emoji_whole(picture, &can) == 0, "picture %zu with %u", i, bits);
				continue;
			}
			CHECK(utf8_cell(picture, &cell) == picture.len && cell.width == 2, "picture %zu with %u", i, bits);
			CHECK_STR(str_of(cell.text, cell.len), pictures[i].picture);
			CHECK(utf8_width(picture) == 2, "picture %zu with %u", i, bits);
		}
}

static void leaves_the_rest_to_be_reduced(void)
{
	static const struct { const char *sent, *shown; } cases[] = {
		{ "a" ZWJ "b", "a" },
		{ "\U0001F469" ZWJ, "\U0001F469" },
		{ "\U0001F469" ZWJ "\u4E2D", "\U0001F469" },
		{ "\u4E2D" VS16, "\u4E2D" },
		{ "\u231A" VS16, "\u231A" },                       /* wide without VS16 */
		{ "1" VS16 "\u20E3", "1\u20E3" },
		{ "\u261D\U0001F3FD", "\u261D" },                  /* narrow: a skin tone does not widen it on all terminals */
		{ "\U0001F44D\U0001F3FD\u0301", "\U0001F44D\u0301" },
		{ "\U0001F3FD", "\U0001F3FD" },
		{ "\U0001F1E9", "\U0001F1E9" },
		{ "\U0001F9D1\U0001F3FB" ZWJ "\u2764" VS16 ZWJ "\U0001F48B" ZWJ "\U0001F9D1\U0001F3FD", "\U0001F9D1" }, /* too long for a cell */
	};

	utf8_set_profile(&all);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct utf8_cell cell;

		utf8_cell(str_from(cases[i].sent), &cell);
		CHECK_STR(str_of(cell.text, cell.len), cases[i].shown);
	}
}

static void distrusts_what_is_too_new(void)
{
	struct utf8_cell cell;

	utf8_set_profile(&(struct utf8_profile){ .not_recent = true });
	utf8_cell(STR("\U0001FAE8"), &cell);
	CHECK_STR(str_of(cell.text, cell.len), "\uFFFD");
	CU_ASSERT_EQUAL(cell.width, 1);
}

static void counts_profiles(void)
{
	unsigned number;

	utf8_set_profile(&nothing);
	number = utf8_profile_number();
	utf8_set_profile(&nothing);
	CU_ASSERT_EQUAL(utf8_profile_number(), number);
	utf8_set_profile(&all);
	CU_ASSERT_NOT_EQUAL(utf8_profile_number(), number);
	utf8_set_profile(&nothing);
}

/* Random sequences: cells cover the text in order, and each is either a picture or as wide as wcwidth() says. */
static void any_mixture_adds_up(void)
{
	static const char *const parts[] = { "\U0001F469", ZWJ, VS16, "\U0001F3FD", "\u2764", "\U0001F1E9", "\U0001FAE8", "\u0301", "a", "\u4E2D", "\u20E3", "\u2642" };
	unsigned seed = 17;

	utf8_set_profile(&all);
	for (int round = 0; round < 20000; round++) {
		char bytes[80] = "";
		size_t width = 0;

		for (unsigned n = check_random(&seed) % 12; n; n--)
			strcat(bytes, parts[check_random(&seed) % (sizeof parts / sizeof *parts)]);
		for (struct str rest = str_from(bytes); rest.len;) {
			struct utf8_cell cell;
			size_t taken = utf8_cell(rest, &cell);
			struct str shown = str_of(cell.text, cell.len), first = shown;

			CHECK(taken > 0 && taken <= rest.len && utf8_is_valid(shown), "round %d: %s", round, bytes);
			if (!taken)
				return;
			if (cell.len && !emoji_whole(shown, &all))
				CHECK(wcwidth((wchar_t)utf8_next(&first)) == cell.width, "round %d: %s", round, bytes);
			width += cell.width;
			rest = str_skip(rest, taken);
		}
		CHECK(utf8_width(str_from(bytes)) == width, "round %d: %s", round, bytes);
	}
}

static void in_utf8(void (*test)(void))
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test();
	utf8_set_profile(&nothing);
	setlocale(LC_CTYPE, "C");
}

static void pictures_are_whole(void) { in_utf8(shows_what_the_terminal_can); }
static void others_are_reduced(void) { in_utf8(leaves_the_rest_to_be_reduced); }
static void recent_ones(void) { in_utf8(distrusts_what_is_too_new); }
static void mixtures(void) { in_utf8(any_mixture_adds_up); }

const struct suite suite_emoji = { "emoji", (const struct test[]){
	TEST(pictures_are_whole), TEST(others_are_reduced), TEST(recent_ones), TEST(counts_profiles), TEST(mixtures), { 0 } } };
