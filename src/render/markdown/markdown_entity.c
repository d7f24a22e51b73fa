#include "render/markdown/markdown_entity.h"

#include <string.h>

#include "base/utf8.h"

#define DECIMAL_MOST 7
#define HEX_MOST 6
#define NAME_MOST 8

static const struct entity {
	const char *name, *text;
} entities[] = {
	{ "amp", "&" }, { "lt", "<" }, { "gt", ">" }, { "quot", "\"" }, { "apos", "'" }, { "nbsp", "\u00A0" }, { "copy", "\u00A9" },
	{ "reg", "\u00AE" }, { "deg", "\u00B0" }, { "plusmn", "\u00B1" }, { "micro", "\u00B5" }, { "middot", "\u00B7" },
	{ "frac12", "\u00BD" }, { "times", "\u00D7" }, { "divide", "\u00F7" }, { "laquo", "\u00AB" }, { "raquo", "\u00BB" },
	{ "sect", "\u00A7" }, { "para", "\u00B6" }, { "cent", "\u00A2" }, { "pound", "\u00A3" }, { "yen", "\u00A5" },
	{ "euro", "\u20AC" }, { "trade", "\u2122" }, { "hellip", "\u2026" }, { "ndash", "\u2013" }, { "mdash", "\u2014" },
	{ "lsquo", "\u2018" }, { "rsquo", "\u2019" }, { "ldquo", "\u201C" }, { "rdquo", "\u201D" }, { "bull", "\u2022" },
	{ "larr", "\u2190" }, { "uarr", "\u2191" }, { "rarr", "\u2192" }, { "darr", "\u2193" }, { "harr", "\u2194" },
	{ "rArr", "\u21D2" }, { "le", "\u2264" }, { "ge", "\u2265" }, { "ne", "\u2260" }, { "infin", "\u221E" }, { "minus", "\u2212" },
	{ "sum", "\u2211" }, { "radic", "\u221A" }, { "check", "\u2713" },
};

/* Reads `#38;` or `#x26;`. An invalid code point gives U+FFFD. */
static size_t read_entity_number(struct str rest, struct buf *out)
{
	bool hex = rest.len > 2 && char_lower(rest.ptr[2]) == 'x';
	size_t start = 2u + hex, at = start, most = start + (hex ? HEX_MOST : DECIMAL_MOST);
	uint32_t code = 0;
	char encoded[4];

	for (; at < rest.len && at < most; at++) {
		char c = char_lower(rest.ptr[at]);

		if (!char_is_digit(c) && !(hex && c >= 'a' && c <= 'f'))
			break;
		code = code * (hex ? 16 : 10) + (uint32_t)(char_is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	if (at == start || !str_starts(str_skip(rest, at), ";"))
		return 0;
	if (!code || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
		code = UTF8_REPLACEMENT;
	if (out)
		buf_add(out, str_of(encoded, utf8_put(encoded, code)));
	return at + 1;
}

size_t entity_read(struct str rest, struct buf *out)
{
	size_t length = 1;
	struct str name;

	if (str_starts(rest, "&#"))
		return read_entity_number(rest, out);
	while (length < rest.len && length <= NAME_MOST && char_is_word(rest.ptr[length]))
		length++;
	if (!str_starts(rest, "&") || !str_starts(str_skip(rest, length), ";"))
		return 0;
	name = str_of(rest.ptr + 1, length - 1);
	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
		if (!str_is(name, entities[i].name))
			continue;
		if (out)
			buf_add_z(out, entities[i].text);
		return length + 1;
	}
	return 0;
}
