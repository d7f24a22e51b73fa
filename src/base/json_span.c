/* Values as sent: locates them in the text and prints them compactly. */
#include <string.h>

#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/utf8.h"

/* Decodes the code unit of the escape \uXXXX at the start of `s`. */
static bool escaped_unit(struct str s, uint32_t *unit)
{
	*unit = 0;
	if (s.len < 6 || s.ptr[0] != '\\' || s.ptr[1] != 'u')
		return false;
	for (int i = 2; i < 6; i++) {
		int digit = char_hex(s.ptr[i]);

		if (digit < 0)
			return false;
		*unit = *unit << 4 | (uint32_t)digit;
	}
	return true;
}

size_t json_scan_escape(struct str s, uint32_t *code)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *letter = s.len > 1 && s.ptr[1] ? strchr(letters, s.ptr[1]) : NULL;
	uint32_t low;

	if (letter) {
		*code = (uint32_t)meanings[letter - letters];
		return 2;
	}
	if (!escaped_unit(s, code)) {
		*code = UTF8_REPLACEMENT;
		return 1;
	}
	if (*code < 0xD800 || *code > 0xDBFF || !escaped_unit(str_skip(s, 6), &low) || low < 0xDC00 || low > 0xDFFF)
		return 6;
	*code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
	return 12;
}

/* Length of the string at the start of `s`, with its quotes. */
static size_t string_length(struct str s)
{
	size_t i = 1;

	while (i < s.len && s.ptr[i] != '"')
		i += s.ptr[i] == '\\' ? 2 : 1;
	return i < s.len ? i + 1 : s.len;
}

/* Length of the value at the start of `s`. */
static size_t value_length(struct str s)
{
	size_t i = 0, depth = 0;

	while (i < s.len) {
		char c = s.ptr[i];

		if (depth == 0 && i > 0 && (strchr(",:]}", c) || char_is_blank(c)))
			return i;
		i += c == '"' ? string_length(str_skip(s, i)) : 1;
		if (c == '{' || c == '[')
			depth++;
		if ((c == '}' || c == ']') && depth > 0)
			depth--;
		if (depth == 0 && (c == '"' || c == '}' || c == ']'))
			return i;
	}
	return i;
}

/* Removes the first value from `*rest`, with the blanks and the comma or colon after it. */
static struct str span_take_value(struct str *rest)
{
	struct str value = str_head(*rest, value_length(*rest));

	*rest = str_trim_start(str_skip(*rest, value.len));
	if (str_starts(*rest, ",") || str_starts(*rest, ":"))
		*rest = str_trim_start(str_skip(*rest, 1));
	return value;
}

/* The content between the quotes or brackets of a value. */
static struct str inside(struct str value)
{
	return value.len < 2 ? STR_NONE : str_of(value.ptr + 1, value.len - 2);
}

/* Whether a string with escapes equals `key` when decoded. */
static bool decodes_to(struct str content, struct str key)
{
	while (content.len) {
		char bytes[4] = { content.ptr[0] };
		uint32_t code;
		size_t taken = 1, size = 1;

		if (content.ptr[0] == '\\') {
			taken = json_scan_escape(content, &code);
			size = utf8_put(bytes, code);
		}
		if (!str_equal(str_head(key, size), str_of(bytes, size)))
			return false;
		content = str_skip(content, taken);
		key = str_skip(key, size);
	}
	return key.len == 0;
}

struct json_spans json_spans_of(struct str value)
{
	value = str_trim(value);
	return (struct json_spans){ str_trim_start(inside(value)), str_starts(value, "{") };
}

bool json_spans_next(struct json_spans *spans, struct str *key, struct str *item)
{
	if (!spans->rest.len)
		return false;
	*key = spans->is_object ? inside(span_take_value(&spans->rest)) : STR_NONE;
	*item = span_take_value(&spans->rest);
	return true;
}

/* Of duplicate keys the last one counts. */
static struct str find_member(struct json_spans members, struct str name)
{
	struct str found = STR_NONE, key, value;

	while (json_spans_next(&members, &key, &value))
		if (decodes_to(key, name))
			found = value;
	return found;
}

static struct str find_element(struct json_spans elements, long long index)
{
	struct str key, element;

	while (json_spans_next(&elements, &key, &element))
		if (index-- == 0)
			return element;
	return STR_NONE;
}

struct str json_scan_find(struct str value, const char *const *path)
{
	value = str_trim(value);
	for (; *path && value.len; path++) {
		struct str item = str_from(*path);
		long long index;

		if (value.ptr[0] == '{')
			value = find_member(json_spans_of(value), item);
		else if (value.ptr[0] == '[' && item.len > 1 && item.ptr[0] == '#' && str_to_int(str_skip(item, 1), &index))
			value = find_element(json_spans_of(value), index);
		else
			value = STR_NONE;
	}
	return value;
}

void json_scan_unescape(struct str content, bool keep_halves, struct buf *out)
{
	while (content.len) {
		const char *at = memchr(content.ptr, '\\', content.len);
		size_t run = at ? (size_t)(at - content.ptr) : content.len;
		char bytes[4];
		uint32_t code;

		buf_add(out, str_head(content, run));
		content = str_skip(content, run);
		if (content.len == 0)
			return;
		content = str_skip(content, json_scan_escape(content, &code));
		if (!keep_halves && code >= 0xD800 && code <= 0xDFFF)
			code = UTF8_REPLACEMENT;
		buf_add(out, str_of(bytes, utf8_put(bytes, code)));
	}
}

static void compact_string(struct str string, struct buf *out, struct buf *scratch)
{
	struct str content = inside(string);

	if (content.len == 0 || !memchr(content.ptr, '\\', content.len)) {
		json_escape(out, content);
		return;
	}
	buf_clear(scratch);
	json_scan_unescape(content, false, scratch);
	json_escape(out, buf_str(scratch));
}

void json_scan_compact(struct str value, struct buf *out)
{
	struct buf scratch;

	buf_init(&scratch, value.len);
	while ((value = str_trim_start(value)).len) {
		size_t len = value.ptr[0] == '"' ? string_length(value) : 1;

		if (value.ptr[0] == '"')
			compact_string(str_head(value, len), out, &scratch);
		else
			buf_add_byte(out, value.ptr[0]);
		value = str_skip(value, len);
	}
	buf_fini(&scratch);
}
