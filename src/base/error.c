#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static uint32_t printable(uint32_t code)
{
	if (code == '\n' || code == '\r' || code == '\t')
		return ' ';
	if (code < 0x20 || (code >= 0x7F && code < 0xA0))
		return UTF8_REPLACEMENT;
	return code;
}

bool error_set(struct error *err, const char *format, ...)
{
	/* Not formatted directly into err->text, which may be one of the arguments. */
	char raw[sizeof err->text];
	struct str rest;
	size_t len = 0;
	va_list args;

	if (!err)
		return false;
	va_start(args, format);
	vsnprintf(raw, sizeof raw, format, args);
	va_end(args);
	rest = str_from(raw);
	/* File names and server messages may contain any byte, and truncation may have split a character. */
	while (rest.len) {
		char encoded[4];
		size_t size = utf8_put(encoded, printable(utf8_next(&rest)));

		if (len + size >= sizeof err->text)
			break;
		memcpy(err->text + len, encoded, size);
		len += size;
	}
	err->text[len] = '\0';
	return false;
}
