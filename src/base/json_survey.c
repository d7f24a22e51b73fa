#include "base/json_survey.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/utf8.h"

#define LONG_DIGITS (sizeof "9223372036854775808" - 1) /* integers of that many digits may exceed 64 bits */

#define EIGHT(byte) (UINT64_C(0x0101010101010101) * (unsigned char)(byte))
#define HIGH_BITS EIGHT(0x80)

/* Each function that takes one has one caller: the compiler inlines them all and keeps this in registers. */
struct surveyor {
	struct json_survey found;
	const char *at, *end;
	size_t depth;
	uint64_t seen; /* all bytes skipped, ORed: HIGH_BITS tell that some may not be ASCII */
};

/* Classes of bytes outside of strings. */
enum class { PLAIN, BLANK, QUOTE, OPEN, CLOSE, COMMA, COLON, NUMBER, STOP };
static const uint8_t classes[256] = {
	['\t'] = BLANK, ['\n'] = BLANK, ['\r'] = BLANK, [' '] = BLANK, ['"'] = QUOTE, ['{'] = OPEN, ['['] = OPEN, ['}'] = CLOSE,
	[']'] = CLOSE, [','] = COMMA, [':'] = COLON, ['-'] = NUMBER, ['0'] = NUMBER, ['1'] = NUMBER, ['2'] = NUMBER, ['3'] = NUMBER,
	['4'] = NUMBER, ['5'] = NUMBER, ['6'] = NUMBER, ['7'] = NUMBER, ['8'] = NUMBER, ['9'] = NUMBER,
	/* json-c accepts single quotes around a key, and stops at a NUL */
	['\''] = STOP, ['\0'] = STOP,
};

static enum class class_at(const struct surveyor *s)
{
	return (enum class)classes[(unsigned char)*s->at];
}

/*
 * Advances to the next quote or backslash of a string, eight bytes at a time. The subtraction sets the high bit of each byte that
 * is zero after the xor. Its borrow may set those of bytes above, but never of one below the first.
 */
static void skip_plain(struct surveyor *s)
{
	for (uint64_t word, found; s->end - s->at >= (ptrdiff_t)sizeof word; s->at += sizeof word) {
		memcpy(&word, s->at, sizeof word);
		word = le64toh(word);
		s->seen |= word;
		found = ((word ^ EIGHT('"')) - EIGHT(1)) | ((word ^ EIGHT('\\')) - EIGHT(1));
		found &= ~word & HIGH_BITS;
		if (found) {
			s->at += __builtin_ctzll(found) / 8;
			return;
		}
	}
	for (; s->at < s->end && *s->at != '"' && *s->at != '\\'; s->at++)
		s->seen |= (unsigned char)*s->at;
}

static void survey_escape(struct surveyor *s)
{
	uint32_t code, unit;

	s->at += json_scan_escape(str_of(s->at, (size_t)(s->end - s->at)), &code);
	unit = code & 0xFFFF;
	/* json-c checks only the low sixteen bits: it mistakes a pair that encodes U+2D800 for a lone surrogate. */
	if (!code || (unit >= 0xD800 && unit <= 0xDFFF))
		s->found.needs_mending = true;
	if (code >= 0xD800 && code <= 0xDFFF)
		s->found.is_inexact = true;
}

/* Starts at the opening quote; advances past the closing one. */
static void survey_string(struct surveyor *s)
{
	s->at++;
	for (;;) {
		skip_plain(s);
		if (s->at == s->end)
			return;
		if (*s->at == '"')
			break;
		survey_escape(s);
	}
	s->at++;
}

/* Reads the digits up to a point or an exponent. What follows is examined as a number of its own. */
static void survey_number(struct surveyor *s)
{
	bool negative = *s->at == '-';
	const char *first = s->at + negative;

	for (s->at = first; s->at < s->end && char_is_digit(*s->at);)
		s->at++;
	size_t digits = (size_t)(s->at - first);
	if (digits >= LONG_DIGITS || (negative && digits == 1 && *first == '0'))
		s->found.is_inexact = true;
}

/* Consumes one byte, string or number. False at the end of the outermost value, and where the value cannot continue. */
static bool survey_step(struct surveyor *s)
{
	enum class class = class_at(s);

	/* Every second token is a string: testing for it here saves an indirect jump that is hard to predict. */
	if (class == QUOTE) {
		survey_string(s);
		return s->depth > 0;
	}
	switch (class) {
	case NUMBER:
		survey_number(s);
		return true;
	case STOP:
		return false;
	case OPEN:
		s->depth++;
		s->found.containers++;
		s->found.values++;
		break;
	case CLOSE:
		s->at++;
		return --s->depth > 0;
	case COMMA:
		s->found.values++;
		break;
	case COLON:
		s->found.members++;
		break;
	case PLAIN:
		s->seen |= (unsigned char)*s->at;
		break;
	case BLANK:
	case QUOTE:
		break;
	}
	s->at++;
	return true;
}

static void skip_blanks(struct surveyor *s)
{
	while (s->at < s->end && class_at(s) == BLANK)
		s->at++;
}

/* Reads a number or a literal: all bytes up to one that cannot belong to it. */
static void survey_literal(struct surveyor *s)
{
	for (; s->at < s->end && (class_at(s) == PLAIN || class_at(s) == NUMBER); s->at++)
		s->seen |= (unsigned char)*s->at;
	s->found.is_inexact = true; /* a guess: the tree is then compared with the text, which does no harm */
}

/* A NUL inside of a value is in a string, because the walk stops at others. */
static bool has_broken_bytes(struct str value, uint64_t seen)
{
	return (value.len && memchr(value.ptr, '\0', value.len)) || (seen & HIGH_BITS && !utf8_is_valid(value));
}

struct json_survey json_survey(struct str text)
{
	struct surveyor s = { .at = text.ptr, .end = text.len ? text.ptr + text.len : text.ptr }; /* an absent text has no pointer */

	skip_blanks(&s);
	if (s.at < s.end && (class_at(&s) == OPEN || class_at(&s) == QUOTE))
		while (s.at < s.end && survey_step(&s))
			;
	else
		survey_literal(&s);
	skip_blanks(&s);
	s.found.len = text.len - (size_t)(s.end - s.at);
	if (has_broken_bytes(str_head(text, s.found.len), s.seen))
		s.found.needs_mending = true;
	return s.found;
}
