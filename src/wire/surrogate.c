#include "wire/surrogate.h"

#include <string.h>

#include "base/utf8.h"

#define SURROGATE_BYTES 3
#define SURROGATE_LEAD '\xED'
#define REPLACEMENT STR("\xEF\xBF\xBD")

static bool surrogate_is_in(struct str s, unsigned char first, unsigned char last)
{
	if (s.len < SURROGATE_BYTES || s.ptr[0] != SURROGATE_LEAD)
		return false;
	unsigned char second = (unsigned char)s.ptr[1];
	return second >= first && second <= last;
}

/* The ten payload bits of a surrogate. */
static uint32_t payload(const char *surrogate)
{
	return ((uint32_t)(surrogate[1] & 0x0F) << 6) | (uint32_t)(surrogate[2] & 0x3F);
}

static bool has_surrogate(struct str raw)
{
	const char *at = raw.ptr, *end = raw.ptr + raw.len;

	while (at < end && (at = memchr(at, (unsigned char)SURROGATE_LEAD, (size_t)(end - at)))) {
		if (surrogate_is_in(str_of(at, (size_t)(end - at)), 0xA0, 0xBF))
			return true;
		at++;
	}
	return false;
}

struct str surrogate_join(struct surrogate *s, struct str raw, struct buf *scratch)
{
	if (!raw.len || (!s->held && !has_surrogate(raw)))
		return raw;
	buf_clear(scratch);
	while (raw.len) {
		bool low = surrogate_is_in(raw, 0xB0, 0xBF), high = surrogate_is_in(raw, 0xA0, 0xAF);

		if (s->held && low) {
			char bytes[4];
			size_t len = utf8_put(bytes, 0x10000u + (payload(s->high) << 10) + payload(raw.ptr));

			buf_add(scratch, str_of(bytes, len));
		} else if (s->held || low) {
			buf_add(scratch, REPLACEMENT);
		}
		s->held = high;
		if (high)
			memcpy(s->high, raw.ptr, SURROGATE_BYTES);
		if (high || low) {
			raw = str_skip(raw, SURROGATE_BYTES);
			continue;
		}
		const char *next = memchr(raw.ptr + 1, (unsigned char)SURROGATE_LEAD, raw.len - 1);
		size_t plain = next ? (size_t)(next - raw.ptr) : raw.len;
		buf_add(scratch, str_head(raw, plain));
		raw = str_skip(raw, plain);
	}
	return buf_str(scratch);
}

struct str surrogate_flush(struct surrogate *s)
{
	if (!s->held)
		return STR_NONE;
	s->held = false;
	return REPLACEMENT;
}
