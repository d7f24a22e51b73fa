/* The texts of a block, and sets of them. */
#include "store/history/index_inside.h"

#include <string.h>

#include "base/mem.h"

#define WORD_BITS 64u

/* --- lists --- */

static void write_varint(struct buf *out, uint64_t value)
{
	for (; value > 0x7F; value >>= 7)
		buf_add_byte(out, (char)(0x80 | (value & 0x7F)));
	buf_add_byte(out, (char)value);
}

static bool read_varint(struct str *rest, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 64 && rest->len; shift += 7) {
		unsigned char byte = (unsigned char)*rest->ptr;

		*rest = str_skip(*rest, 1);
		*value |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* A sign in the lowest bit. */
static uint64_t zigzag(int64_t n)
{
	return (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0);
}

static int64_t from_zigzag(uint64_t n)
{
	return (int64_t)(n >> 1 ^ (n & 1 ? UINT64_MAX : 0));
}

void block_texts_write(const struct block_texts *texts, struct buf *out)
{
	uint32_t number = UINT32_MAX;
	int64_t conversation = 0;

	for (size_t i = 0; i < texts->count; i++) {
		const struct block_text *t = &texts->at[i];

		write_varint(out, t->number - number - 1);
		write_varint(out, zigzag((int64_t)((uint64_t)t->conversation - (uint64_t)conversation)));
		number = t->number;
		conversation = t->conversation;
	}
}

void block_texts_read(struct database *db, struct str bytes, struct block_texts *texts)
{
	uint64_t number = 0, gap, change;
	uint64_t conversation = 0;

	texts->count = 0;
	while (bytes.len) {
		bool whole = read_varint(&bytes, &gap) && read_varint(&bytes, &change);

		if (!whole || gap >= (uint64_t)BLOCK_SPAN_MOST || number + gap >= (uint64_t)BLOCK_SPAN_MOST) {
			database_fail(db, DATABASE_DAMAGED, INDEX_DAMAGED);
			return;
		}
		number += gap;
		conversation += (uint64_t)from_zigzag(change);
		*ARRAY_ADD(texts->at, texts->count, texts->capacity) = (struct block_text){ (uint32_t)number++, (int64_t)conversation };
	}
}

void block_texts_fini(struct block_texts *texts)
{
	mem_free(texts->at);
	*texts = (struct block_texts){ .count = 0 };
}

/* --- sets --- */

bool number_set_has(const struct number_set *set, uint32_t number)
{
	return number < set->span && set->bits[number / WORD_BITS] >> number % WORD_BITS & 1;
}

void number_set_add(struct number_set *set, uint32_t number)
{
	if (number < set->span)
		set->bits[number / WORD_BITS] |= (uint64_t)1 << number % WORD_BITS;
}

void number_set_clear(struct number_set *set, size_t span)
{
	size_t words = (span + WORD_BITS - 1) / WORD_BITS;

	mem_reserve(&set->bits, &set->capacity, words, sizeof *set->bits);
	if (words)
		memset(set->bits, 0, words * sizeof *set->bits);
	set->span = span;
}

void number_set_fini(struct number_set *set)
{
	mem_free(set->bits);
	*set = (struct number_set){ .span = 0 };
}
