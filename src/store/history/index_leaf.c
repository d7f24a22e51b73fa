#include "store/history/index_leaf.h"

#include <string.h>

#define HALF_MOST 15u

/* --- reading --- */

static bool take_byte(struct str *rest, unsigned *byte)
{
	if (!rest->len)
		return false;
	*byte = (unsigned char)*rest->ptr;
	*rest = str_skip(*rest, 1);
	return true;
}

static bool take_length(struct str *rest, unsigned half, size_t *length)
{
	unsigned more = 0;

	*length = half;
	if (half == HALF_MOST && !take_byte(rest, &more))
		return false;
	*length += more;
	return true;
}

bool numbers_next(struct str *numbers, uint32_t *number)
{
	uint64_t value = 0;
	unsigned byte, shift = 0;

	do {
		if (shift > 28 || !take_byte(numbers, &byte))
			return false;
		value |= (uint64_t)(byte & 0x7F) << shift;
		shift += 7;
	} while (byte & 0x80);
	*number += 1 + (uint32_t)(value >> 1);
	if (!(value & 1))
		*numbers = STR_NONE;
	return true;
}

/* The bytes of the numbers at the beginning; 0: they do not end. */
static size_t numbers_length(struct str bytes)
{
	size_t at = 0;

	while (at < bytes.len) {
		bool follows = bytes.ptr[at] & 1;

		while (at < bytes.len && bytes.ptr[at] & 0x80)
			at++;
		if (++at <= bytes.len && !follows)
			return at;
	}
	return 0;
}

bool leaf_next(struct leaf_reader *r)
{
	size_t shared, own;
	unsigned halves;

	if (!take_byte(&r->rest, &halves))
		return false;
	r->is_damaged = true;
	if (!take_length(&r->rest, halves >> 4, &shared) || !take_length(&r->rest, halves & HALF_MOST, &own) || shared > r->word_len ||
	    own > r->rest.len || shared + own > INDEX_WORD_BYTES)
		return false;
	if (own)
		memcpy(r->word + shared, r->rest.ptr, own);
	r->word_len = shared + own;
	r->rest = str_skip(r->rest, own);
	r->numbers = str_head(r->rest, numbers_length(r->rest));
	r->rest = str_skip(r->rest, r->numbers.len);
	r->is_damaged = !r->numbers.len;
	return !r->is_damaged;
}

/* --- writing --- */

void numbers_write(const uint32_t *numbers, size_t count, struct buf *out)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = (uint64_t)(i ? numbers[i] - numbers[i - 1] - 1 : numbers[i]) << 1 | (i + 1 < count);

		for (; value > 0x7F; value >>= 7)
			buf_add_byte(out, (char)(0x80 | (value & 0x7F)));
		buf_add_byte(out, (char)value);
	}
}

static void write_lengths(size_t shared, size_t own, struct buf *out)
{
	buf_add_byte(out, (char)((shared < HALF_MOST ? shared : HALF_MOST) << 4 | (own < HALF_MOST ? own : HALF_MOST)));
	if (shared >= HALF_MOST)
		buf_add_byte(out, (char)(shared - HALF_MOST));
	if (own >= HALF_MOST)
		buf_add_byte(out, (char)(own - HALF_MOST));
}

void leaf_add(struct leaf_writer *w, struct str word, struct str numbers)
{
	size_t shared = 0;

	if (w->bytes.len && w->bytes.len + word.len + numbers.len + 3 > LEAF_BYTES)
		leaf_end(w);
	if (!w->bytes.len) {
		memcpy(w->first, word.ptr, word.len);
		w->first_len = word.len;
		w->last_len = 0;
	}
	while (shared < word.len && shared < w->last_len && word.ptr[shared] == w->last[shared])
		shared++;
	write_lengths(shared, word.len - shared, &w->bytes);
	buf_add(&w->bytes, str_skip(word, shared));
	buf_add(&w->bytes, numbers);
	memcpy(w->last, word.ptr, word.len);
	w->last_len = word.len;
}

void leaf_end(struct leaf_writer *w)
{
	if (w->bytes.len)
		w->visit(w->ctx, str_of(w->first, w->first_len), buf_str(&w->bytes));
	buf_clear(&w->bytes);
}

void leaf_writer_fini(struct leaf_writer *w)
{
	buf_fini(&w->bytes);
}
