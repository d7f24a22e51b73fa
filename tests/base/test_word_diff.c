#include "base/word_diff.h"
#include "support/check.h"

/* The runs as text: [-removed-] {+added+}. */
static void write_diff(struct str before, struct str after, struct buf *out)
{
	static const char *const open[] = { "", "[-", "{+" }, *const close[] = { "", "-]", "+}" };
	struct word_diff d = { 0 };

	buf_clear(out);
	word_diff_make(&d, before, after);
	for (size_t i = 0; i < d.count; i++)
		buf_printf(out, "%s%.*s%s", open[d.runs[i].kind], STR_ARG(d.runs[i].text), close[d.runs[i].kind]);
	word_diff_fini(&d);
}

static void differences_are_words(void)
{
	static const struct { const char *before, *after, *diff; } cases[] = {
		{ "", "", "" },
		{ "the same", "the same", "the same" },
		{ "", "all new", "{+all new+}" },
		{ "all old", "", "[-all old-]" },
		{ "a cat sat", "a dog sat", "a [-cat -]{+dog +}sat" },
		{ "one two three", "one three", "one [-two -]three" },
		{ "one three", "one two three", "one {+two +}three" },
		{ "blanks  are\nnot compared", "blanks are not compared", "blanks are not compared" },
		{ "a b c d ", "b c d e ", "[-a -]b c d {+e +}" },
	};
	struct buf out = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_diff(str_from(cases[i].before), str_from(cases[i].after), &out);
		CHECK_STR(buf_str(&out), cases[i].diff);
	}
	buf_fini(&out);
}

/* Length of the longest common subsequence of words, by the table. */
static size_t common_words(const unsigned char *a, size_t a_count, const unsigned char *b, size_t b_count)
{
	static size_t table[64][64];

	for (size_t i = 0; i <= a_count; i++)
		for (size_t j = 0; j <= b_count; j++)
			table[i][j] = !i || !j ? 0 : a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 :
			              table[i - 1][j] > table[i][j - 1] ? table[i - 1][j] : table[i][j - 1];
	return table[a_count][b_count];
}

static void write_words(const unsigned char *words, size_t count, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < count; i++)
		buf_printf(out, "%c ", words[i]);
}

/* Removed and same words are the first text, added and same ones the second, and nothing shorter does it. */
static void the_shortest_difference_is_found(void)
{
	struct buf a = { 0 }, b = { 0 }, first = { 0 }, second = { 0 };
	unsigned char words[2][60];
	uint32_t state = 7;

	for (int round = 0; round < 2000; round++) {
		size_t counts[2], same = 0;
		struct word_diff d = { 0 };

		for (int t = 0; t < 2; t++) {
			state = state * 1664525u + 1013904223u;
			counts[t] = (state >> 16) % 60;
			for (size_t i = 0; i < counts[t]; i++) {
				state = state * 1664525u + 1013904223u;
				words[t][i] = (unsigned char)('a' + (state >> 16) % (round % 2 ? 3u : 20u));
			}
		}
		write_words(words[0], counts[0], &a);
		write_words(words[1], counts[1], &b);
		word_diff_make(&d, buf_str(&a), buf_str(&b));
		buf_clear(&first);
		buf_clear(&second);
		for (size_t i = 0; i < d.count; i++) {
			if (d.runs[i].kind != WORDS_ADDED)
				buf_add(&first, d.runs[i].text);
			if (d.runs[i].kind != WORDS_REMOVED)
				buf_add(&second, d.runs[i].text);
			same += d.runs[i].kind == WORDS_SAME ? d.runs[i].text.len / 2 : 0;
		}
		CHECK_STR(buf_str(&first), buf_z(&a));
		CHECK_STR(buf_str(&second), buf_z(&b));
		CHECK(same == common_words(words[0], counts[0], words[1], counts[1]), "round %d: %zu words are the same", round, same);
		word_diff_fini(&d);
	}
	buf_fini(&a);
	buf_fini(&b);
	buf_fini(&first);
	buf_fini(&second);
}

/* Nothing in common, and more edits than are looked for: replaced as a whole, at once. */
static void texts_without_common_words_are_replaced(void)
{
	struct buf a = { 0 }, b = { 0 };
	struct word_diff d = { 0 };

	buf_init(&a, (size_t)4 << 20);
	buf_init(&b, (size_t)4 << 20);
	for (int i = 0; i < 60000; i++) {
		buf_printf(&a, "a%d ", i);
		buf_printf(&b, "b%d ", i);
	}
	word_diff_make(&d, buf_str(&a), buf_str(&b));
	CHECK(d.count == 2 && d.runs[0].kind == WORDS_REMOVED && d.runs[1].kind == WORDS_ADDED, "%zu runs", d.count);
	word_diff_fini(&d);
	buf_fini(&a);
	buf_fini(&b);
}

const struct suite suite_word_diff = { "word_diff", (const struct test[]){
	TEST(differences_are_words), TEST(the_shortest_difference_is_found), TEST(texts_without_common_words_are_replaced), { 0 },
} };
