#include "base/words.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "support/check.h"

/* Words in brackets; a sign that is joined to the one before has none between. */
static void write_words(struct str text, struct buf *out)
{
	struct words w = words_of(text);
	struct word word;

	buf_clear(out);
	while (words_next(&w, &word))
		buf_printf(out, "%s%s%.*s", out->len && !word.is_joined ? " " : "", word.is_sign ? "'" : "", STR_ARG(word_str(&word)));
}

static void words_are_folded(void)
{
	static const struct { const char *text, *words; } cases[] = {
		{ "", "" }, { " .,;!", "" }, { "Two words", "two words" }, { "don't re-read foo_bar 3.14", "don t re read foo bar 3 14" },
		{ "Gr\u00fc\u00dfe STRASSE Stra\u00dfe STRA\u1e9eE", "grusse strasse strasse strasse" },
		{ "\u0391\u03b8\u03ae\u03bd\u03b1 \u039f\u0394\u039f\u03a3 \u03bf\u03b4\u03cc\u03c2 \u1f04\u03bd\u03b8\u03c1\u03c9\u03c0\u1fc3",
		  "\u03b1\u03b8\u03b7\u03bd\u03b1 \u03bf\u03b4\u03bf\u03c3 \u03bf\u03b4\u03bf\u03c3 \u03b1\u03bd\u03b8\u03c1\u03c9\u03c0\u03b7" },
		{ "\u0401\u043b\u043a\u0430 \u041c\u041e\u0421\u041a\u0412\u0410", "\u0435\u043b\u043a\u0430 \u043c\u043e\u0441\u043a\u0432\u0430" },
		{ "H\u00e0 N\u1ed9i \u0110\u00e0 N\u1eb5ng", "ha noi da nang" }, { "Ha\u0300 No\u0323\u0302i", "ha noi" },
		{ "\u0141\u00f3d\u017a K\u00f8benhavn \u0130stanbul Diyarbak\u0131r \u00c6ther \u0152uvre", "lodz kobenhavn istanbul diyarbakir aether oeuvre" },
		{ "\ufb01re \uff37\uff45\uff49\uff52\uff11 x\u00b2", "fire weir1 x2" },
		{ "so\u00adft zero\u200bwidth a\u200dn\ufe0fd", "soft zerowidth and" }, { "\u2764\ufe0f 1\ufe0f\u20e3 \U0001f600", "1" },
		{ "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd", "\u05e9\u05dc\u05d5\u05dd" },
		{ "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f \u0623\u062d\u0645\u062f", "\u0645\u062d\u0645\u062f \u0627\u062d\u0645\u062f" },
		{ "\u0939\u093f\u0928\u094d\u0926\u0940", "\u0939\u093f\u0928\u094d\u0926\u0940" },
		{ "\u5317\u4eac\u3002\u5927\u5b66", "'\u5317'\u4eac '\u5927'\u5b66" }, { "iPhone\u624b\u673a2024\u5e74", "iphone '\u624b'\u673a 2024 '\u5e74" },
		{ "\u304b\u3099\u30ab\u3099 \uff76\uff9e\uff70\uff84\uff9e", "'\u304c'\u30ac '\u30ac'\u30fc'\u30c9" },
		{ "\u1112\u1161\u11ab\uad6d \u1100\u1161", "'\ud55c'\uad6d '\uac00" },
		{ "\u0e44\u0e17\u0e22 \u0e19\u0e49\u0e33", "'\u0e44'\u0e17'\u0e22 '\u0e19'\u0e49'\u0e33" },
		{ "\uf900\u3005", "'\u8c48'\u3005" }, { "\u845b\U000e0100\u57ce", "'\u845b'\u57ce" },
		{ "a\xff" "b \xe4\xb8\xad\xe4\xb8", "a b '\u4e2d" },
	};
	struct buf out = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_words(str_from(cases[i].text), &out);
		CHECK(str_is(buf_str(&out), cases[i].words), "case %zu: %s", i, buf_z(&out));
	}
	buf_fini(&out);
}

static void places_are_those_in_the_text(void)
{
	struct str text = STR("  \u00c4rger, \u5317\u4eac\ufe00! e\u0301te\u0301");
	static const struct { size_t from, to; } places[] = { { 2, 8 }, { 10, 13 }, { 13, 19 }, { 21, 28 } };
	struct words w = words_of(text);
	struct word word;

	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_TRUE(words_next(&w, &word));
		CHECK(word.from == places[i].from && word.to == places[i].to, "%zu: %zu to %zu", i, word.from, word.to);
	}
	CU_ASSERT_FALSE(words_next(&w, &word));
}

/* Every character, alone and between others, keeps places in order and words short. */
static void any_character_is_taken(void)
{
	for (uint32_t c = 1; c < 0x110000; c++) {
		char text[40] = "a";
		size_t length = 1 + utf8_put(text + 1, c), last = 0;
		struct words w;
		struct word word;

		length += utf8_put(text + length, c);
		text[length++] = 'b';
		w = words_of(str_of(text, length));
		while (words_next(&w, &word)) {
			if (word.from < last || word.to <= word.from || word.to > length || word.len > WORD_BYTES || !utf8_is_valid(word_str(&word)))
				CHECK(false, "U+%04X: %zu to %zu", (unsigned)c, word.from, word.to);
			last = word.to;
		}
	}
}

/* Folding what is folded changes nothing: a word of the index is found by itself. */
static void folded_words_stay(void)
{
	struct buf once = { 0 }, twice = { 0 };

	for (uint32_t c = 0x80; c < 0x30000; c++) {
		char text[4];

		write_words(str_of(text, utf8_put(text, c)), &once);
		struct str plain = str_starts(buf_str(&once), "'") ? str_skip(buf_str(&once), 1) : buf_str(&once);
		if (str_find(plain, STR("'")) < plain.len)
			continue;
		write_words(plain, &twice);
		CHECK(str_equal(buf_str(&once), buf_str(&twice)), "U+%04X: %s, then %s", (unsigned)c, buf_z(&once), buf_z(&twice));
	}
	buf_fini(&once);
	buf_fini(&twice);
}

static void long_words_are_cut(void)
{
	char text[200];
	struct words w = words_of(str_of(text, sizeof text));
	struct word word;

	memset(text, 'x', sizeof text);
	CU_ASSERT_TRUE(words_next(&w, &word));
	CU_ASSERT_EQUAL(word.len, WORD_BYTES);
	CU_ASSERT_EQUAL(word.to, sizeof text);
	CU_ASSERT_FALSE(words_next(&w, &word));
}

static void a_text_is_folded_as_a_whole(void)
{
	static const struct { const char *text, *folded; } cases[] = {
		{ "", "" }, { "A-b \u2192 C\xff", "a-b \u2192 c\xff" }, { "\u00dcber Stra\u00dfe", "uber strasse" },
		{ "\uff76\uff9e\uff70\uff84\uff9e so\u00adft", "\u30ac\u30fc\u30c9 soft" },
	};
	struct buf out = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		buf_clear(&out);
		words_fold(str_from(cases[i].text), &out);
		CHECK_STR(buf_str(&out), cases[i].folded);
	}
	buf_fini(&out);
}

const struct suite suite_words = { "words", (const struct test[]){
	TEST(words_are_folded),
	TEST(places_are_those_in_the_text),
	TEST(any_character_is_taken),
	TEST(folded_words_stay),
	TEST(long_words_are_cut),
	TEST(a_text_is_folded_as_a_whole),
	{ 0 },
} };
