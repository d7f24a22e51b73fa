#include "base/base64.h"

#include <stdint.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Encodes up to three bytes as four characters. */
static void encode_group(const char *bytes, size_t count, char *signs)
{
	uint32_t group = 0;

	for (size_t i = 0; i < 3; i++)
		group = group << 8 | (i < count ? (uint8_t)bytes[i] : 0u);
	for (size_t i = 0; i < 4; i++)
		signs[i] = i <= count ? alphabet[group >> (18 - 6 * i) & 63] : '=';
}

bool base64_encode(struct str bytes, struct buf *out)
{
	size_t groups = (bytes.len + 2) / 3;
	char *to = groups <= (buf_limit(out) - out->len) / 4 ? buf_extend(out, groups * 4) : NULL;

	for (; to && bytes.len; to += 4) {
		size_t count = bytes.len < 3 ? bytes.len : 3;

		encode_group(bytes.ptr, count, to);
		bytes = str_skip(bytes, count);
	}
	return to != NULL;
}

/* Decodes four characters to up to three bytes. Returns the number of bytes; 0 when the group is not valid. */
static size_t decode_group(const char *signs, bool last, char bytes[3])
{
	uint32_t group = 0;
	size_t padding = last ? (signs[3] == '=') + (size_t)(signs[3] == '=' && signs[2] == '=') : 0;

	for (size_t i = 0; i < 4 - padding; i++) {
		const char *at = signs[i] ? strchr(alphabet, signs[i]) : NULL;

		if (!at)
			return 0;
		group |= (uint32_t)(at - alphabet) << (18 - 6 * i);
	}
	for (size_t i = 0; i < 3; i++)
		bytes[i] = (char)(group >> (16 - 8 * i) & 0xFF);
	return 3 - padding;
}

bool base64_decode(struct str text, struct buf *out)
{
	size_t before = out->len;

	if (text.len % 4 != 0)
		return false;
	for (; text.len; text = str_skip(text, 4)) {
		char bytes[3];
		size_t count = decode_group(text.ptr, text.len == 4, bytes);

		if (!count || !buf_add(out, str_of(bytes, count))) {
			buf_remove(out, before, out->len - before);
			return false;
		}
	}
	return true;
}

/* --- pieces --- */

/* The six bits that each character stands for, in both alphabets; or what else it is. */
enum { XX = 0x80 /* none */, BL /* a blank */, PA /* padding */, OTHER = 0x40 /* of section 5 only */, SIX = 0x3F, M2 = OTHER | 62, U3 = OTHER | 63 };
static const uint8_t signs[256] = {
	XX, XX, XX, XX, XX, XX, XX, XX, XX, BL, BL, XX, XX, BL, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX,
	BL, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, 62, XX, M2, XX, 63, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, XX, XX, XX, PA, XX, XX,
	XX,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, XX, XX, XX, XX, U3,
	XX, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, XX, XX, XX, XX, XX,
	XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX,
	XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX,
	XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX,
	XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX,
};

/* Whole groups of four characters, as long as nothing else, nor a character marked with `not`, stands between. Returns where they end. */
static inline const uint8_t *read_groups(const uint8_t *at, const uint8_t *end, char **to, uint8_t not)
{
	while (end - at >= 4) {
		uint8_t a = signs[at[0]], b = signs[at[1]], c = signs[at[2]], d = signs[at[3]];

		if ((a | b | c | d) & not)
			break;
		uint32_t group = (uint32_t)(a & SIX) << 18 | (uint32_t)(b & SIX) << 12 | (uint32_t)(c & SIX) << 6 | (d & SIX);
		(*to)[0] = (char)(group >> 16);
		(*to)[1] = (char)(group >> 8 & 0xFF);
		(*to)[2] = (char)(group & 0xFF);
		*to += 3;
		at += 4;
	}
	return at;
}

/* One character's six bits: the byte that they complete, if any. */
static void read_sign(struct base64_reader *r, uint8_t sign, char **to)
{
	r->bits = r->bits << 6 | (sign & SIX);
	r->count = (r->count + 1) % 4;
	if (r->count != 1)
		*(*to)++ = (char)(r->bits >> (r->count == 2 ? 4 : r->count == 3 ? 2 : 0) & 0xFF);
}

static bool read_piece(struct base64_reader *r, struct str piece, char **to)
{
	const uint8_t *at = (const uint8_t *)piece.ptr, *end = at + piece.len;
	bool padded = false;

	while (at < end) {
		if (!r->count && !padded)
			at = read_groups(at, end, to, XX);
		if (at == end)
			break;
		uint8_t sign = signs[*at++];
		if (sign == BL)
			continue;
		if (sign == XX || (sign == PA ? r->count == 1 : padded))
			return false;
		if (sign != PA) {
			read_sign(r, sign, to);
			continue;
		}
		padded = true;
		r->count = 0;
	}
	return true;
}

size_t base64_take(struct str text, struct buf *out)
{
	size_t before = out->len;
	const uint8_t *first = (const uint8_t *)text.ptr;
	char *start = text.len < 4 ? NULL : buf_extend(out, text.len / 4 * 3), *to = start;

	if (!start)
		return 0;
	size_t read = (size_t)(read_groups(first, first + text.len, &to, XX | OTHER) - first);
	buf_remove(out, before + (size_t)(to - start), out->len);
	return read;
}

size_t base64_tail(struct str text)
{
	size_t at = text.len;

	while (at && !(signs[(uint8_t)text.ptr[at - 1]] & (XX | OTHER)))
		at--;
	return text.len - at;
}

bool base64_read(struct base64_reader *reader, struct str piece, struct buf *out)
{
	size_t before = out->len;
	struct base64_reader r = *reader;
	char *start = buf_extend(out, piece.len / 4 * 3 + 3), *to = start;

	if (!start)
		return false;
	bool good = !piece.len || read_piece(&r, piece, &to);
	size_t made = good ? (size_t)(to - start) : 0;
	buf_remove(out, before + made, out->len - before - made);
	if (good)
		*reader = r;
	return good;
}

bool base64_read_end(struct base64_reader *reader)
{
	bool good = reader->count != 1;

	*reader = (struct base64_reader){ 0 };
	return good;
}
