#include "base/json_survey.h"

#include <stdint.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/utf8.h"

#define LONG_DIGITS (sizeof "9223372036854775808" - 1) /* integers of that many digits may exceed 64 bits */

struct surveyor {
	struct json_survey found;
	struct str text;
	size_t at, depth;
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
	return (enum class)classes[(unsigned char)s->text.ptr[s->at]];
}

static void survey_escape(struct surveyor *s)
{
	uint32_t code, unit;

	s->at += json_scan_escape(str_skip(s->text, s->at), &code);
	unit = code & 0xFFFF;
	/* json-c checks only the low sixteen bits: it mistakes a pair that encodes U+2D800 for a lone surrogate. */
	if (!code || (unit >= 0xD800 && unit <= 0xDFFF))
		s->found.needs_mending = true;
	if (code >= 0xD800 && code <= 0xDFFF)
		s->found.is_inexact = true;
}

/* Advances to the next significant byte of a string. */
static void skip_plain(struct surveyor *s)
{
	static const bool means[256] = { ['"'] = true, ['\\'] = true, ['\0'] = true };
	const char *at = s->text.ptr + s->at, *end = s->text.ptr + s->text.len;

	while (at < end && !means[(unsigned char)*at])
		at++;
	s->at = (size_t)(at - s->text.ptr);
}

/* Starts at the opening quote; advances past the closing one. */
static void survey_string(struct surveyor *s)
{
	s->at++;
	for (skip_plain(s); s->at < s->text.len && s->text.ptr[s->at] != '"'; skip_plain(s)) {
		if (s->text.ptr[s->at] == '\\') {
			survey_escape(s);
		} else {
			s->found.needs_mending = true;
			s->at++;
		}
	}
	if (s->at < s->text.len)
		s->at++;
}

static size_t digits_at(struct str s)
{
	size_t count = 0;

	while (count < s.len && char_is_digit(s.ptr[count]))
		count++;
	return count;
}

/* Reads the digits up to a point or an exponent. What follows is examined as a number of its own. */
static void survey_number(struct surveyor *s)
{
	struct str rest = str_skip(s->text, s->at);
	bool negative = rest.ptr[0] == '-';
	size_t digits = digits_at(str_skip(rest, negative));

	if (digits >= LONG_DIGITS || (negative && digits == 1 && rest.ptr[1] == '0'))
		s->found.is_inexact = true;
	s->at += digits + negative;
}

/* Consumes one byte, string or number. False at the end of the outermost container, and where the value cannot continue. */
static bool step(struct surveyor *s)
{
	switch (class_at(s)) {
	case QUOTE:
		survey_string(s);
		return true;
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
	case BLANK:
		break;
	}
	s->at++;
	return true;
}

static void skip_blanks(struct surveyor *s)
{
	while (s->at < s->text.len && class_at(s) == BLANK)
		s->at++;
}

/* Reads a value that is not a container: a string, or all bytes up to one that cannot belong to it. */
static void survey_scalar(struct surveyor *s)
{
	if (class_at(s) == QUOTE) {
		survey_string(s);
		return;
	}
	while (s->at < s->text.len && (class_at(s) == PLAIN || class_at(s) == NUMBER))
		if (class_at(s) == NUMBER)
			survey_number(s);
		else
			s->at++;
}

struct json_survey json_survey(struct str text)
{
	struct surveyor s = { .text = text };

	skip_blanks(&s);
	if (s.at < text.len && class_at(&s) != OPEN)
		survey_scalar(&s);
	else
		while (s.at < text.len && step(&s))
			;
	skip_blanks(&s);
	s.found.len = s.at;
	s.found.needs_mending = s.found.needs_mending || !utf8_is_valid(str_head(text, s.at));
	return s.found;
}
