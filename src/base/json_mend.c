#include "base/json_mend.h"

#include "base/json_scan.h"
#include "base/utf8.h"

static bool mend_is_surrogate(uint32_t code)
{
	return code >= 0xD800 && code <= 0xDFFF;
}

struct mender {
	struct str rest;
	bool in_string;
	bool in_key;   /* the string is a key: a colon follows it */
	char bytes[4]; /* replacement of the last piece, if it needs one */
};

/* Number of bytes before the next one that may need a change. */
static size_t mend_plain_length(const struct mender *m)
{
	size_t i = 0;

	for (; i < m->rest.len; i++) {
		char c = m->rest.ptr[i];

		if (c == '"' || (c & 0x80) || (m->in_string && (c == '\\' || !c)))
			break;
	}
	return i;
}

static size_t high_bytes(struct str s)
{
	size_t count = 0;

	while (count < s.len && (s.ptr[count] & 0x80))
		count++;
	return count;
}

/* Consumes `count` bytes and returns them unchanged. */
static struct str mend_keep(struct mender *m, size_t count)
{
	struct str piece = str_head(m->rest, count);

	m->rest = str_skip(m->rest, count);
	return piece;
}

/* Consumes `count` bytes and returns a code point in their place. */
static struct str replace(struct mender *m, size_t count, uint32_t code)
{
	m->rest = str_skip(m->rest, count);
	return str_of(m->bytes, utf8_put(m->bytes, code));
}

/* Whether a string is a key. `s` is the text after its opening quote. */
static bool mend_is_key(struct str s)
{
	while (s.len && s.ptr[0] != '"')
		s = str_skip(s, s.ptr[0] == '\\' ? 2 : 1);
	return str_starts(str_trim_start(str_skip(s, 1)), ":");
}

/* Consumes the next piece of the text, which must not be empty, and returns its replacement or the piece itself. */
static struct str next_piece(struct mender *m)
{
	size_t plain = mend_plain_length(m);
	size_t bad = 0, valid;
	uint32_t code;
	char c;

	if (plain)
		return mend_keep(m, plain);
	c = m->rest.ptr[0];
	if (c & 0x80) {
		valid = utf8_valid_length(str_head(m->rest, high_bytes(m->rest)), &bad);
		return valid ? mend_keep(m, valid) : replace(m, bad, UTF8_REPLACEMENT);
	}
	if (c == '"') {
		m->in_string = !m->in_string;
		m->in_key = m->in_string && mend_is_key(str_skip(m->rest, 1));
		return mend_keep(m, 1);
	}
	if (c == '\\') {
		size_t len = json_scan_escape(m->rest, &code);

		if (m->in_key && (!code || mend_is_surrogate(code)))
			return replace(m, len, UTF8_REPLACEMENT);
		return code > 0xFFFF && mend_is_surrogate(code & 0xFFFF) ? replace(m, len, code) : mend_keep(m, len);
	}
	if (m->in_key)
		return replace(m, 1, UTF8_REPLACEMENT);
	m->rest = str_skip(m->rest, 1);
	return STR("\\u0000");
}

bool json_mend(struct str text, struct buf *out)
{
	struct mender m = { .rest = text };

	buf_clear(out);
	while (m.rest.len)
		if (!buf_add(out, next_piece(&m)))
			return false;
	return true;
}

size_t json_mend_offset(struct str text, size_t at)
{
	struct mender m = { .rest = text };

	for (size_t done = 0; done < at && m.rest.len;) {
		struct mender before = m;
		struct str piece = next_piece(&m);

		/* Only an unchanged piece can be cut. */
		if (piece.ptr == before.rest.ptr && piece.len > at - done)
			return text.len - before.rest.len + at - done;
		done += piece.len;
	}
	return text.len - m.rest.len;
}
