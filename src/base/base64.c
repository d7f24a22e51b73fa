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
