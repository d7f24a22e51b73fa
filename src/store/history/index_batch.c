#include "store/history/index_batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/least.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/words.h"
#include "store/history/index_leaf.h"

#define SLOTS_FIRST ((size_t)1 << 12)

struct known_word {
	size_t at, len;          /* in `bytes` */
	size_t count;            /* of its texts */
	uint32_t last;           /* of them */
};
struct use { uint32_t word, number; };

struct index_batch {
	struct buf bytes;
	struct known_word *known;
	size_t known_count, known_capacity;
	uint32_t *slots;         /* places in `known`, from 1, by the hash of the word; 0: free */
	size_t slot_count;       /* a power of two */
	struct use *uses;        /* in the order of texts */
	size_t use_count, use_capacity;
	struct batch_word *words; /* made at the end */
	uint32_t *numbers;
};

struct index_batch *index_batch_new(void)
{
	struct index_batch *b = mem_new(sizeof *b);

	b->slot_count = SLOTS_FIRST;
	b->slots = mem_new(b->slot_count * sizeof *b->slots);
	buf_init(&b->bytes, SIZE_MAX);
	return b;
}

void index_batch_free(struct index_batch *b)
{
	if (!b)
		return;
	buf_fini(&b->bytes);
	mem_free(b->known);
	mem_free(b->slots);
	mem_free(b->uses);
	mem_free(b->words);
	mem_free(b->numbers);
	mem_free(b);
}

/* --- adding --- */

static size_t hash_of(struct str word)
{
	uint64_t hash = 0xCBF29CE484222325u;

	for (size_t i = 0; i < word.len; i++)
		hash = (hash ^ (unsigned char)word.ptr[i]) * 0x100000001B3u;
	return (size_t)(hash ^ hash >> 32);
}

static struct str known_str(const struct index_batch *b, const struct known_word *known)
{
	return str_of(b->bytes.ptr + known->at, known->len);
}

/* The slot that has the word, or that it takes. */
static uint32_t *find_slot(const struct index_batch *b, struct str word)
{
	size_t at = hash_of(word) & (b->slot_count - 1);

	while (b->slots[at] && !str_equal(known_str(b, &b->known[b->slots[at] - 1]), word))
		at = (at + 1) & (b->slot_count - 1);
	return &b->slots[at];
}

static void batch_grow(struct index_batch *b)
{
	mem_free(b->slots);
	b->slot_count *= 2;
	b->slots = mem_new(b->slot_count * sizeof *b->slots);
	for (size_t i = 0; i < b->known_count; i++)
		*find_slot(b, known_str(b, &b->known[i])) = (uint32_t)i + 1;
}

static struct known_word *batch_find(struct index_batch *b, struct str word)
{
	uint32_t *slot = find_slot(b, word);

	if (*slot)
		return &b->known[*slot - 1];
	mem_reserve(&b->known, &b->known_capacity, b->known_count + 1, sizeof *b->known);
	b->known[b->known_count] = (struct known_word){ .at = b->bytes.len, .len = word.len };
	buf_add(&b->bytes, word);
	*slot = (uint32_t)++b->known_count;
	if (b->known_count * 2 > b->slot_count)
		batch_grow(b);
	return &b->known[b->known_count - 1];
}

static void batch_use(struct index_batch *b, struct str word, uint32_t number)
{
	struct known_word *known = batch_find(b, word);

	if (known->count && known->last == number)
		return;
	known->last = number;
	known->count++;
	*ARRAY_ADD(b->uses, b->use_count, b->use_capacity) = (struct use){ (uint32_t)(known - b->known), number };
}

/* `next` is NULL at the end of the text. */
static void batch_add_sign(struct index_batch *b, const struct word *sign, const struct word *next, uint32_t number)
{
	char pair[2 * WORD_BYTES];
	size_t length = sign->len;

	memcpy(pair, sign->folded, length);
	if (next && next->is_joined) {
		memcpy(pair + length, next->folded, next->len);
		length += next->len;
	}
	batch_use(b, utf8_head(str_of(pair, length), INDEX_WORD_BYTES), number);
}

void index_batch_add(struct index_batch *b, uint32_t number, struct str text)
{
	struct words words = words_of(text);
	struct word word, sign = { .is_sign = false };

	while (words_next(&words, &word)) {
		if (sign.is_sign)
			batch_add_sign(b, &sign, &word, number);
		sign.is_sign = word.is_sign;
		if (word.is_sign)
			sign = word;
		else
			batch_use(b, utf8_head(word_str(&word), INDEX_WORD_BYTES), number);
	}
	if (sign.is_sign)
		batch_add_sign(b, &sign, NULL, number);
}

/* --- ending --- */

static int compare_words(const void *a, const void *b)
{
	const struct batch_word *x = a, *y = b;
	int order = memcmp(x->word.ptr, y->word.ptr, least_size(x->word.len, y->word.len));

	return order ? order : x->word.len < y->word.len ? -1 : x->word.len > y->word.len;
}

/* The numbers of each word stand together, in the order of the texts. */
static void collect_numbers(struct index_batch *b)
{
	size_t *next = mem_new((b->known_count + 1) * sizeof *next);

	b->numbers = mem_new((b->use_count + 1) * sizeof *b->numbers);
	for (size_t i = 0; i < b->known_count; i++)
		next[i + 1] = next[i] + b->known[i].count;
	for (size_t i = 0; i < b->known_count; i++)
		b->words[i] = (struct batch_word){ known_str(b, &b->known[i]), b->numbers + next[i], b->known[i].count };
	for (size_t i = 0; i < b->use_count; i++)
		b->numbers[next[b->uses[i].word]++] = b->uses[i].number;
	mem_free(next);
}

const struct batch_word *index_batch_words(struct index_batch *b, size_t *count)
{
	b->words = mem_new((b->known_count + 1) * sizeof *b->words);
	collect_numbers(b);
	qsort(b->words, b->known_count, sizeof *b->words, compare_words);
	*count = b->known_count;
	return b->words;
}
