#include "store/history/index_leaf.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "store/history/index_batch.h"
#include "support/check.h"

#define LEAVES_MOST 1000

struct leaves { struct buf first[LEAVES_MOST], bytes[LEAVES_MOST]; size_t count; };

static void take_leaf(void *ctx, struct str first, struct str bytes)
{
	struct leaves *all = ctx;

	CU_ASSERT_FATAL(all->count < LEAVES_MOST);
	buf_add(&all->first[all->count], first);
	buf_add(&all->bytes[all->count++], bytes);
}

static void leaves_fini(struct leaves *all)
{
	for (size_t i = 0; i < all->count; i++) {
		buf_fini(&all->first[i]);
		buf_fini(&all->bytes[i]);
	}
	mem_free(all);
}

/* Words in order that share beginnings of any length, and lists of numbers from one to many, near and far. */
static struct str make_word(unsigned i, unsigned *seed, struct buf *out)
{
	static const char tail[] = "abcdefghijklmnopq";

	buf_clear(out);
	buf_printf(out, "%s%06u", i % 3 ? "w" : "a common beginning", i);
	if (i % 3)
		buf_add(out, str_of(tail, check_random(seed) % sizeof tail));
	return str_head(buf_str(out), INDEX_WORD_BYTES);
}

static int by_word(const void *a, const void *b)
{
	const struct batch_word *x = a, *y = b;
	size_t shorter = x->word.len < y->word.len ? x->word.len : y->word.len;
	int order = memcmp(x->word.ptr, y->word.ptr, shorter);

	return order ? order : (x->word.len > y->word.len) - (x->word.len < y->word.len);
}

#define WORDS 3000

static void words_come_back(void)
{
	struct batch_word *words = mem_new(WORDS * sizeof *words);
	struct leaves *all = mem_new(sizeof *all);
	struct leaf_writer w = { .visit = take_leaf, .ctx = all };
	struct buf text = { 0 }, numbers = { 0 };
	size_t at = 0;
	unsigned seed = 7;

	for (unsigned i = 0; i < WORDS; i++) {
		size_t count = i % 50 ? 1 + check_random(&seed) % 4 : 1000 + check_random(&seed) % 5000;
		uint32_t *list = mem_resize(NULL, count, sizeof *list), number = check_random(&seed) % 3;

		for (size_t j = 0; j < count; j++, number += 1 + check_random(&seed) % (i % 7 ? 3 : 100000))
			list[j] = number;
		struct str word = make_word(i, &seed, &text);
		words[i] = (struct batch_word){ str_of(mem_dup(word.ptr, word.len), word.len), list, count };
	}
	qsort(words, WORDS, sizeof *words, by_word);
	for (size_t i = 0; i < WORDS; i++) {
		buf_clear(&numbers);
		numbers_write(words[i].numbers, words[i].count, &numbers);
		leaf_add(&w, words[i].word, buf_str(&numbers));
	}
	leaf_end(&w);
	leaf_writer_fini(&w);
	for (size_t i = 0; i < all->count; i++) {
		struct leaf_reader r = { .rest = buf_str(&all->bytes[i]) };
		size_t begin = at;

		CHECK(str_equal(buf_str(&all->first[i]), words[at].word), "leaf %zu begins with %s", i, buf_z(&all->first[i]));
		for (; leaf_next(&r); at++) {
			uint32_t number = UINT32_MAX;
			size_t j = 0;

			CHECK(str_equal(leaf_word(&r), words[at].word), "word %zu", at);
			for (; numbers_next(&r.numbers, &number); j++)
				if (j >= words[at].count || number != words[at].numbers[j])
					break;
			CHECK(j == words[at].count, "word %zu: %zu of %zu numbers", at, j, words[at].count);
		}
		CHECK(!r.is_damaged && (all->bytes[i].len <= LEAF_BYTES || at == begin + 1), "leaf %zu: %zu bytes", i, all->bytes[i].len);
	}
	CU_ASSERT_EQUAL(at, WORDS);
	for (size_t i = 0; i < WORDS; i++) {
		mem_free((char *)(uintptr_t)words[i].word.ptr);
		mem_free((uint32_t *)(uintptr_t)words[i].numbers);
	}
	mem_free(words);
	buf_fini(&text);
	buf_fini(&numbers);
	leaves_fini(all);
}

/* Whatever the bytes are, reading ends, and stays within them: on the heap, where the sanitizer looks. */
static void damaged_bytes_are_read_to_an_end(void)
{
	static const uint32_t few[] = { 1, 5, 300 };
	struct leaves *all = mem_new(sizeof *all);
	struct leaf_writer w = { .visit = take_leaf, .ctx = all };
	struct buf numbers = { 0 };
	unsigned seed = 3;

	numbers_write(few, 3, &numbers);
	for (unsigned i = 0; i < 40; i++) {
		char word[20] = { (char)('a' + i / 10), (char)('a' + i % 10), 'x', 'y', 'z' };

		leaf_add(&w, str_of(word, 3 + i % 17), buf_str(&numbers));
	}
	leaf_end(&w);
	leaf_writer_fini(&w);
	struct str whole = buf_str(&all->bytes[0]);
	for (unsigned i = 0; i < 20000; i++) {
		size_t length = check_random(&seed) % (whole.len + 1);
		char *copy = mem_dup(whole.ptr, length);
		struct leaf_reader r;

		for (unsigned n = check_random(&seed) % 4; length && n--;)
			copy[check_random(&seed) % length] = (char)check_random(&seed);
		char *bytes = memcpy(malloc(length ? length : 1), copy, length);
		r = (struct leaf_reader){ .rest = str_of(bytes, length) };
		while (leaf_next(&r)) {
			uint32_t number = UINT32_MAX;

			CU_ASSERT_FATAL(r.word_len <= INDEX_WORD_BYTES);
			while (numbers_next(&r.numbers, &number))
				;
		}
		free(bytes);
		mem_free(copy);
	}
	buf_fini(&numbers);
	leaves_fini(all);
}

static void check_batch(const char *const *texts, size_t count, const char *expected)
{
	struct index_batch *b = index_batch_new();
	struct buf out = { 0 };
	size_t words;

	for (size_t i = 0; i < count; i++)
		index_batch_add(b, (uint32_t)i, str_from(texts[i]));
	const struct batch_word *list = index_batch_words(b, &words);
	for (size_t i = 0; i < words; i++) {
		buf_printf(&out, "%s%.*s:", i ? " " : "", STR_ARG(list[i].word));
		for (size_t j = 0; j < list[i].count; j++)
			buf_printf(&out, "%u", (unsigned)list[i].numbers[j]);
	}
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
	index_batch_free(b);
}

static void batches_have_words_and_pairs_of_signs(void)
{
	static const char *const texts[] = { "the Red house", "a house, THE house", "" };
	static const char *const signs[] = { "\u5317\u4eac\u5927", "\u4eac \u5927. \u5927x" };
	static const char *const words[] = { "abcdefghijklmnopqrstuvwxyz0123", "abcdefghijklmnopqrstuvwxy" };

	check_batch(texts, 3, "a:1 house:01 red:0 the:01");
	check_batch(signs, 2, "x:1 \u4eac:1 \u4eac\u5927:0 \u5317\u4eac:0 \u5927:01");
	check_batch(words, 2, "abcdefghijklmnopqrstuvwx:01");
}

const struct suite suite_index_leaf = { "index_leaf", (const struct test[]){
	TEST(words_come_back),
	TEST(damaged_bytes_are_read_to_an_end),
	TEST(batches_have_words_and_pairs_of_signs),
	{ 0 },
} };
