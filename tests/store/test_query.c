#include "store/history/query.h"

#include <string.h>

#include "base/mem.h"
#include "support/check.h"

static void texts_have_words(void)
{
	static const struct { const char *text, *words; bool has; } cases[] = {
		{ "A large red house", "house", true }, { "A large red house", "hous", false }, { "A large red house", "hous*", true },
		{ "A large red house", "house LARGE", true }, { "A large red house", "house blue", false },
		{ "A large red house", "\"red house\"", true }, { "A large red house", "\"large house\"", false },
		{ "A large red house", "\"large re\"*", true }, { "A large red house", "\"large red", true },
		{ "red, (house)", "\"red house\"", true }, { "don't", "don't", true }, { "don t", "don't", true }, { "dont", "don't", false },
		{ "read me", "re-read", false }, { "a re-read", "re-read", true }, { "x", "\"", false }, { "x", "*", false }, { "x", "!?", false },
		{ "x", "x !?", true }, { "", "x", false }, { "x x y", "\"x y\"", true },
		{ "\u6211\u5728\u5317\u4eac\u5927\u5b66\u5b66\u4e60", "\u5317\u4eac\u5927\u5b66", true }, { "\u6211\u5728\u5317\u4eac\u5927\u5b66", "\u5728", true },
		{ "\u6211\u5728\u5317\u4eac", "\u4eac\u5728", false }, { "\u6211\u5728\u5317\u4eac", "\u6211 \u5317\u4eac", true },
		{ "\u5317\u3002\u4eac", "\u5317\u4eac", false }, { "\u5317\u3002\u4eac", "\"\u5317 \u4eac\"", true },
		{ "\u65b0\u3057\u3044iPhone\u3067\u3059", "iphone", true }, { "\u65b0\u3057\u3044iPhone\u3067\u3059", "\u3044iPhone\u3067", true },
		{ "\u0e09\u0e31\u0e19\u0e23\u0e31\u0e01\u0e40\u0e21\u0e37\u0e2d\u0e07\u0e44\u0e17\u0e22", "\u0e40\u0e21\u0e37\u0e2d\u0e07", true },
		{ "\ub300\ud55c\ubbfc\uad6d\uc758", "\ubbfc\uad6d", true }, { "\u0391\u03b8\u03ae\u03bd\u03b1", "\u03b1\u03b8\u03b7\u03bd\u03b1", true },
		{ "\u30ac\u30a4\u30c9", "\uff76\uff9e\uff72\uff84\uff9e", true }, { "\u304c", "\u304b", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct query *q = query_new(str_from(cases[i].words));

		CHECK(query_is_in(q, str_from(cases[i].text)) == cases[i].has, "case %zu: %s in %s", i, cases[i].words, cases[i].text);
		char *snippet = query_has_words(q) ? query_snippet(q, str_from(cases[i].text)) : NULL;
		CHECK((snippet != NULL) == cases[i].has, "case %zu: %s", i, snippet ? snippet : "-");
		mem_free(snippet);
		query_free(q);
	}
}

static void titles_have_parts_of_words(void)
{
	static const struct { const char *title, *words; bool has; } cases[] = {
		{ "Cologne", "colog", true }, { "Cologne", "logne", true }, { "Cologne", "gnu", false }, { "Cologne again", "AGA colo", true },
		{ "\u00fcber den Stra\u00dfen", "strassen UBER", true }, { "C++ \u2192 C", "c++ \u2192", true }, { "x", "", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct query *q = query_new(str_from(cases[i].words));

		CHECK(query_is_in_title(q, str_from(cases[i].title)) == cases[i].has, "case %zu", i);
		query_free(q);
	}
}

static void keys_are_what_the_index_has(void)
{
	static const struct { const char *words, *keys; bool is_enough; } cases[] = {
		{ "House", "house", true }, { "two words", "two words", true }, { "beg*", "beg*", true }, { "\"a b\" c", "a b c", false },
		{ "don't", "don t", false }, { "\u5317", "\u5317*", true }, { "\u5317\u4eac", "\u5317\u4eac", true },
		{ "\u5317\u4eac\u5927", "\u5317\u4eac \u4eac\u5927", false }, { "x\u5317\u4eac", "x \u5317\u4eac", false },
		{ "\"\u5317 \u4eac\"", "\u5317* \u4eac*", false }, { "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwx", false },
		{ "!", "", true },
	};
	struct buf out = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct query *q = query_new(str_from(cases[i].words));
		bool is_enough;
		size_t count;
		const struct index_key *keys = query_keys(q, &count, &is_enough);

		buf_clear(&out);
		for (size_t j = 0; j < count; j++)
			buf_printf(&out, "%s%.*s%s", j ? " " : "", STR_ARG(keys[j].word), keys[j].is_beginning ? "*" : "");
		CHECK_STR(buf_str(&out), cases[i].keys);
		CHECK(is_enough == cases[i].is_enough, "case %zu", i);
		query_free(q);
	}
	buf_fini(&out);
}

/* The words are w0 to w99, but for those that are given. */
static void check_snippet(const char *words, const char *const *given, const char *expected)
{
	struct query *q = query_new(str_from(words));
	struct buf text = { 0 };

	buf_add_z(&text, "(");
	for (unsigned i = 0; i < 100; i++) {
		const char *word = i == 50 ? given[0] : i == 52 ? given[1] : i == 90 ? given[2] : NULL;

		if (word)
			buf_printf(&text, "%s, ", word);
		else
			buf_printf(&text, "w%u, ", i);
	}
	buf_add_z(&text, "end)");
	char *snippet = query_snippet(q, buf_str(&text));
	CHECK_STR(str_from(snippet), expected);
	mem_free(snippet);
	buf_fini(&text);
	query_free(q);
}

static void snippets_show_most_of_the_terms(void)
{
	check_snippet("w0", (const char *const[]){ NULL, NULL, NULL },
	              "(\x02w0\x03, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15, w16, w17, w18, w19, w20, w21, w22, w23...");
	check_snippet("end", (const char *const[]){ NULL, NULL, NULL },
	              "...w77, w78, w79, w80, w81, w82, w83, w84, w85, w86, w87, w88, w89, w90, w91, w92, w93, w94, w95, w96, w97, w98, w99, \x02" "end\x03)");
	check_snippet("red house", (const char *const[]){ "red", "house", "red" },
	              "...w40, w41, w42, w43, w44, w45, w46, w47, w48, w49, \x02red\x03, w51, \x02house\x03, w53, w54, w55, w56, w57, w58, w59, w60, "
	              "w61, w62, w63...");
	check_snippet("\"red house\"", (const char *const[]){ "red", "house", "red house" },
	              "...w78, w79, w80, w81, w82, w83, w84, w85, w86, w87, w88, w89, \x02red house\x03, w91, w92, w93, w94, w95, w96, w97, w98, w99, end)");
}

/* One without blanks shows as much as fits. */
static void snippets_of_signs_are_of_their_width(void)
{
	struct query *q = query_new(STR("\u4eac\u5927"));
	struct buf text = { 0 };
	char *snippet;

	for (int i = 0; i < 200; i++)
		buf_add_z(&text, i == 100 ? "\u4eac\u5927" : "\u5317");
	snippet = query_snippet(q, buf_str(&text));
	CHECK(snippet && strlen(snippet) == 72 * 3 + 2 + 6 && strstr(snippet, "\u5317\x02\u4eac\u5927\x03\u5317"), "%s", snippet ? snippet : "-");
	mem_free(snippet);
	query_free(q);
	buf_fini(&text);
}

static void odd_texts_have_snippets(void)
{
	struct query *q = query_new(STR("x* \"a b\" a"));
	struct buf text = { 0 };
	unsigned seed = 1;

	for (int i = 0; i < 5000; i++) {
		static const char *const parts[] = { "a", "b", " ", "x", "\u5317", "\u0301", "\xff", "\n", "------------------------------------------", "xa", "." };

		buf_clear(&text);
		for (unsigned n = check_random(&seed) % 400; n--;)
			buf_add_z(&text, parts[check_random(&seed) % (sizeof parts / sizeof *parts)]);
		char *snippet = query_snippet(q, buf_str(&text));
		CHECK((snippet != NULL) == query_is_in(q, buf_str(&text)), "text %d", i);
		CHECK(!snippet || (strstr(snippet, "\x02") && strlen(snippet) <= 1000), "text %d: %s", i, snippet);
		mem_free(snippet);
	}
	buf_fini(&text);
	query_free(q);
}

const struct suite suite_query = { "query", (const struct test[]){
	TEST(texts_have_words),
	TEST(titles_have_parts_of_words),
	TEST(keys_are_what_the_index_has),
	TEST(snippets_show_most_of_the_terms),
	TEST(snippets_of_signs_are_of_their_width),
	TEST(odd_texts_have_snippets),
	{ 0 },
} };
