#include "base/json_place.h"

#include "base/json_scan.h"
#include "base/utf8.h"

/* Offset of the first byte that cannot be part of a value, or the length of the text. */
static size_t json_place_of(struct str text)
{
	struct json_scan scan;
	size_t at = 0;

	json_scan_init(&scan);
	while (at < text.len) {
		json_scan_feed(&scan, str_head(str_skip(text, at), 1));
		if (json_scan_failed(&scan))
			break;
		at++;
	}
	return at;
}

/* Bytes that continue a character count for none. */
static void json_place_count(struct str before, size_t *line, size_t *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < before.len; i++) {
		if (before.ptr[i] == '\n') {
			++*line;
			*column = 1;
		} else {
			*column += ((unsigned char)before.ptr[i] & 0xC0) != 0x80;
		}
	}
}

bool json_place_check(struct str text, struct error *err)
{
	size_t at = json_place_of(text), line, column;

	if (json_scan_is_whole(text))
		return utf8_is_valid(text) || error_set(err, "the text is not valid UTF-8");
	if (json_scan_is_too_deep(text))
		return error_set(err, "the JSON is nested more than %d levels deep", JSON_SCAN_DEPTH);
	json_place_count(str_head(text, at), &line, &column);
	return error_set(err, at == text.len ? "line %zu, column %zu: the JSON ends too early" : "line %zu, column %zu: this is not JSON", line,
	                 column);
}
