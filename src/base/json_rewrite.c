#include "base/json_rewrite.h"

#include <string.h>

#include "base/json_scan.h"
#include "base/utf8.h"

static bool is_surrogate(uint32_t code)
{
	return code >= 0xD800 && code <= 0xDFFF;
}

/* json-c looks at the low sixteen bits only: a pair that makes U+2D800 it takes for half of another one. */
static bool is_like_surrogate(uint32_t code)
{
	return is_surrogate(code & 0xFFFF);
}

/* A NUL's only harm is that it ends a key. */
static bool has_harmful_escape(struct str s)
{
	const char *at;
	uint32_t code;

	while (s.len && (at = memchr(s.ptr, '\\', s.len))) {
		s = str_skip(s, (size_t)(at - s.ptr));
		s = str_skip(s, json_scan_escape(s, &code));
		if (is_like_surrogate(code) || !code)
			return true;
	}
	return false;
}

/* Whether a single quote stands where a key could begin. */
static bool has_quoted_key(struct str s)
{
	const char *at = s.ptr;
	const char *end = s.ptr + s.len;

	while ((at = memchr(at, '\'', (size_t)(end - at)))) {
		const char *before = at++;

		while (before > s.ptr && char_is_blank(before[-1]))
			before--;
		if (before > s.ptr && (before[-1] == '{' || before[-1] == ','))
			return true;
	}
	return false;
}

static size_t digits_at(struct str s)
{
	size_t count = 0;

	while (count < s.len && char_is_digit(s.ptr[count]))
		count++;
	return count;
}

/* Whether there are so many digits in a row that an integer might be beyond 64 bits: every nineteenth byte tells. */
static bool has_long_number(struct str s)
{
	const size_t length = sizeof "9223372036854775808" - 1;

	for (size_t i = length - 1; i < s.len; i += length) {
		size_t start = i;

		while (start > 0 && i - start < length && char_is_digit(s.ptr[start]))
			start--;
		if (start < i && digits_at(str_skip(s, start + 1)) >= length)
			return true;
	}
	return digits_at(s) >= length;
}

/* Whether a minus and a zero stand where a number could end with them, which json-c would make a plain zero. */
static bool has_negative_zero(struct str s)
{
	const char *at = s.ptr, *end = s.ptr + s.len;

	while ((at = memchr(at, '-', (size_t)(end - at)))) {
		at++;
		if (at < end && *at == '0' && (at + 1 == end || !(char_is_digit(at[1]) || at[1] == '.')))
			return true;
	}
	return false;
}

bool json_rewrite_needed(struct str text)
{
	if (text.len == 0)
		return false;
	return !utf8_is_valid(text) || memchr(text.ptr, '\0', text.len) || has_harmful_escape(text) || has_quoted_key(text) ||
	       has_long_number(text) || has_negative_zero(text);
}

struct rewriter {
	struct str rest;
	bool in_string;
	bool in_key;   /* and a colon follows it */
	bool mark;     /* JSON_REWRITE_HUGE comes next */
	char bytes[4]; /* what stands for the last piece, if it is not the piece itself */
};

/* Length of the integer at the start of `s`, when json-c would clamp it or lose its sign; else 0. */
static size_t huge_integer(struct str s)
{
	bool negative = s.ptr[0] == '-';
	struct str limit = negative ? STR("9223372036854775808") : STR("18446744073709551615");
	struct str digits = str_skip(s, negative);
	size_t count = digits_at(digits);
	char next = count < digits.len ? digits.ptr[count] : '\0';

	if (next == '.' || next == 'e' || next == 'E')
		return 0;
	if (negative && count == 1 && digits.ptr[0] == '0')
		return 2;
	if (count < limit.len)
		return 0;
	if (count == limit.len && memcmp(digits.ptr, limit.ptr, count) <= 0)
		return 0;
	return count + negative;
}

/* Bytes of the number at the start of `s`, or of whatever begins like one: never 0. */
static size_t number_length(struct str s)
{
	size_t len = 1;

	while (len < s.len && (char_is_digit(s.ptr[len]) || (s.ptr[len] && strchr(".eE+-", s.ptr[len]))))
		len++;
	return len;
}

/* Bytes before the next one that may need a change. */
static size_t plain_length(const struct rewriter *r)
{
	size_t i = 0;

	for (; i < r->rest.len; i++) {
		char c = r->rest.ptr[i];

		if (c == '"' || (c & 0x80) || !c)
			break;
		if (r->in_string ? c == '\\' : (char_is_digit(c) || c == '-' || c == '\''))
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

/* Takes `count` bytes off the text; they stand for themselves. */
static struct str keep(struct rewriter *r, size_t count)
{
	struct str piece = str_head(r->rest, count);

	r->rest = str_skip(r->rest, count);
	return piece;
}

/* Takes `count` bytes off the text; a code point stands for them. */
static struct str replace(struct rewriter *r, size_t count, uint32_t code)
{
	r->rest = str_skip(r->rest, count);
	return str_of(r->bytes, utf8_put(r->bytes, code));
}

/* Whether a string, of which `s` is what stands behind its opening quote, is a key. */
static bool is_key(struct str s)
{
	while (s.len && s.ptr[0] != '"')
		s = str_skip(s, s.ptr[0] == '\\' ? 2 : 1);
	return str_starts(str_trim_start(str_skip(s, 1)), ":");
}

/* Takes the next piece off the text and returns what stands for it. Not for an empty text. */
static struct str next_piece(struct rewriter *r)
{
	size_t plain = plain_length(r);
	size_t bad = 0, valid;
	uint32_t code;
	char c;

	if (r->mark) {
		r->mark = false;
		return STR(JSON_REWRITE_HUGE);
	}
	if (plain)
		return keep(r, plain);
	c = r->rest.ptr[0];
	if (c & 0x80) {
		valid = utf8_valid_length(str_head(r->rest, high_bytes(r->rest)), &bad);
		return valid ? keep(r, valid) : replace(r, bad, UTF8_REPLACEMENT);
	}
	if (c == '"') {
		r->in_string = !r->in_string;
		r->in_key = r->in_string && is_key(str_skip(r->rest, 1));
		return keep(r, 1);
	}
	if (c == '\\') {
		size_t len = json_scan_escape(r->rest, &code);

		if (r->in_key && (!code || is_surrogate(code)))
			return replace(r, len, UTF8_REPLACEMENT);
		return is_like_surrogate(code) ? replace(r, len, code) : keep(r, len);
	}
	if (c == '\0' && r->in_key)
		return replace(r, 1, UTF8_REPLACEMENT);
	if (c == '\0' && r->in_string) {
		r->rest = str_skip(r->rest, 1);
		return STR("\\u0000");
	}
	if (c == '\0' || c == '\'')
		return replace(r, 1, 1);
	r->mark = huge_integer(r->rest) != 0;
	return keep(r, r->mark ? huge_integer(r->rest) : number_length(r->rest));
}

bool json_rewrite(struct str text, struct buf *out)
{
	struct rewriter r = { .rest = text };

	buf_clear(out);
	while (r.rest.len || r.mark)
		if (!buf_add(out, next_piece(&r)))
			return false;
	return true;
}

size_t json_rewrite_offset(struct str text, size_t at)
{
	struct rewriter r = { .rest = text };

	for (size_t done = 0; done < at && r.rest.len;) {
		struct rewriter before = r;
		struct str piece = next_piece(&r);

		/* Only what stands for itself can be cut. */
		if (piece.ptr == before.rest.ptr && piece.len > at - done)
			return text.len - before.rest.len + at - done;
		done += piece.len;
	}
	return text.len - r.rest.len;
}
