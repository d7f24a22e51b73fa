#include "base/utf8.h"

#include <string.h>

/*
 * Length of the valid sequence at `s`, or 0. When it is invalid `*bad` is the length of its maximal subpart: what
 * one U+FFFD stands for. The second byte's range excludes overlong forms, surrogates and what is above U+10FFFF.
 */
static size_t sequence_length(struct str s, size_t *bad)
{
	const unsigned char *p = (const unsigned char *)s.ptr;
	unsigned char low = 0x80, high = 0xBF;
	size_t len;

	*bad = 1;
	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xC2 || p[0] > 0xF4)
		return 0;
	len = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
	if (p[0] == 0xE0)
		low = 0xA0;
	if (p[0] == 0xED)
		high = 0x9F;
	if (p[0] == 0xF0)
		low = 0x90;
	if (p[0] == 0xF4)
		high = 0x8F;
	for (size_t i = 1; i < len; i++) {
		if (i >= s.len || p[i] < low || p[i] > high)
			return 0;
		*bad = i + 1;
		low = 0x80;
		high = 0xBF;
	}
	return len;
}

/* Bytes of ASCII at the start, eight at a time. */
static size_t ascii_length(struct str s)
{
	size_t i = 0;

	for (; i + 8 <= s.len; i += 8) {
		uint64_t block;

		memcpy(&block, s.ptr + i, 8);
		if (block & 0x8080808080808080u)
			break;
	}
	while (i < s.len && !(s.ptr[i] & 0x80))
		i++;
	return i;
}

size_t utf8_valid_length(struct str s, size_t *bad)
{
	size_t i = 0;

	for (;;) {
		size_t len;

		i += ascii_length(str_skip(s, i));
		if (i == s.len)
			return i;
		len = sequence_length(str_skip(s, i), bad);
		if (len == 0)
			return i;
		i += len;
	}
}

bool utf8_is_valid(struct str s)
{
	size_t bad;

	return utf8_valid_length(s, &bad) == s.len;
}

bool utf8_repair(struct str s, struct buf *out)
{
	while (s.len) {
		size_t bad = 0;
		size_t good = utf8_valid_length(s, &bad);

		if (!buf_add(out, str_head(s, good)))
			return false;
		s = str_skip(s, good);
		if (s.len && !buf_add(out, STR("\xEF\xBF\xBD")))
			return false;
		s = str_skip(s, bad);
	}
	return true;
}

uint32_t utf8_next(struct str *rest)
{
	static const unsigned char lead_bits[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
	const unsigned char *p = (const unsigned char *)rest->ptr;
	uint32_t code = p[0];
	size_t bad, len;

	if (code < 0x80) {
		*rest = str_skip(*rest, 1);
		return code;
	}
	len = sequence_length(*rest, &bad);
	if (len == 0) {
		*rest = str_skip(*rest, 1);
		return UTF8_REPLACEMENT;
	}
	code &= lead_bits[len];
	for (size_t i = 1; i < len; i++)
		code = code << 6 | (p[i] & 0x3F);
	*rest = str_skip(*rest, len);
	return code;
}

static char tail(uint32_t code, unsigned shift)
{
	return (char)(0x80 | (code >> shift & 0x3F));
}

size_t utf8_put(char out[4], uint32_t code)
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xC0 | code >> 6);
		out[1] = tail(code, 0);
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xE0 | code >> 12);
		out[1] = tail(code, 6);
		out[2] = tail(code, 0);
		return 3;
	}
	out[0] = (char)(0xF0 | (code >> 18 & 7));
	out[1] = tail(code, 12);
	out[2] = tail(code, 6);
	out[3] = tail(code, 0);
	return 4;
}
