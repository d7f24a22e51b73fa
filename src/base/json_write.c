#include "base/json_write.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/json_draft.h"
#include "base/json_patch.h"
#include "base/json_scan.h"

void json_writer_init(struct json_writer *writer, struct buf *out)
{
	*writer = (struct json_writer){ .out = out };
}

static bool writer_in_object(const struct json_writer *w)
{
	unsigned level = w->depth - 1;

	return w->depth && (w->objects[level / 8] >> level % 8 & 1);
}

static void writer_put(struct json_writer *w, struct str text)
{
	if (!buf_add(w->out, text))
		w->full = true;
}

static void before_value(struct json_writer *w)
{
	assert(w->keyed == writer_in_object(w));
	if (w->comma && !w->keyed)
		writer_put(w, STR(","));
	w->keyed = false;
	w->comma = true;
}

static void writer_open_level(struct json_writer *w, bool object)
{
	uint8_t bit = (uint8_t)(1u << w->depth % 8);

	before_value(w);
	assert(w->depth < JSON_WRITE_DEPTH);
	if (object)
		w->objects[w->depth / 8] |= bit;
	else
		w->objects[w->depth / 8] &= (uint8_t)~bit;
	w->depth++;
	w->comma = false;
	writer_put(w, object ? STR("{") : STR("["));
	if (w->depth == 1)
		w->first_at = w->member_at = w->value_at = w->out->len;
}

static void writer_close_level(struct json_writer *w, bool object)
{
	assert(w->depth && writer_in_object(w) == object && !w->keyed);
	if (w->depth == 1 && w->patch.len) {
		json_patch_member(w);
		json_patch_rest(w);
	}
	w->depth--;
	w->comma = true;
	writer_put(w, object ? STR("}") : STR("]"));
}

void json_open_object(struct json_writer *w)
{
	writer_open_level(w, true);
}

void json_close_object(struct json_writer *w)
{
	writer_close_level(w, true);
}

void json_open_array(struct json_writer *w)
{
	writer_open_level(w, false);
}

void json_close_array(struct json_writer *w)
{
	writer_close_level(w, false);
}

void json_key(struct json_writer *w, const char *key)
{
	json_key_str(w, str_from(key));
}

void json_key_str(struct json_writer *w, struct str key)
{
	assert(writer_in_object(w) && !w->keyed);
	if (w->depth == 1 && w->patch.len) {
		json_patch_member(w);
		w->member_at = w->out->len;
	}
	if (w->comma)
		writer_put(w, STR(","));
	if (!json_escape(w->out, key))
		w->full = true;
	writer_put(w, STR(":"));
	if (w->depth == 1)
		w->value_at = w->out->len;
	w->keyed = true;
}

void json_string(struct json_writer *w, struct str text)
{
	before_value(w);
	if (!json_escape(w->out, text))
		w->full = true;
}

void json_open_string(struct json_writer *w)
{
	before_value(w);
	writer_put(w, STR("\""));
}

void json_add_text(struct json_writer *w, struct str text)
{
	if (!json_escape_piece(w->out, text))
		w->full = true;
}

void json_add_borrowed(struct json_writer *w, struct str text)
{
	if (w->draft && text.len >= JSON_DRAFT_LEAST)
		json_draft_insert(w->draft, JSON_INSERT_TEXT, text);
	else
		json_add_text(w, text);
}

void json_add_base64(struct json_writer *w, struct str bytes)
{
	if (w->draft && bytes.len >= JSON_DRAFT_LEAST)
		json_draft_insert(w->draft, JSON_INSERT_BASE64, bytes);
	else if (!base64_encode(bytes, w->out))
		w->full = true;
}

void json_close_string(struct json_writer *w)
{
	writer_put(w, STR("\""));
}

void json_integer(struct json_writer *w, int64_t number)
{
	before_value(w);
	if (!buf_printf(w->out, "%" PRId64, number))
		w->full = true;
}

/* printf() uses the locale's decimal point; JSON always uses '.'. */
static void put_number(struct json_writer *w, const char *text)
{
	size_t whole = strspn(text, "-0123456789");
	size_t point = strcspn(text + whole, "0123456789eE+-");

	writer_put(w, str_of(text, whole));
	if (point)
		writer_put(w, STR("."));
	writer_put(w, str_from(text + whole + point));
}

void json_real(struct json_writer *w, double number)
{
	char text[64];

	if (!isfinite(number)) {
		json_null(w);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, number);
		if (!(strtod(text, NULL) < number) && !(strtod(text, NULL) > number))
			break;
	}
	before_value(w);
	put_number(w, text);
}

void json_milliseconds(struct json_writer *w, double ms)
{
	char text[400];
	size_t len;

	if (!isfinite(ms)) {
		json_null(w);
		return;
	}
	len = (size_t)snprintf(text, sizeof text, "%.3f", ms);
	while (text[len - 1] == '0')
		len--;
	if (text[len - 1] < '0' || text[len - 1] > '9')
		len = strspn(text, "-0123456789");
	text[len] = '\0';
	before_value(w);
	put_number(w, text);
}

void json_boolean(struct json_writer *w, bool value)
{
	json_verbatim(w, value ? STR("true") : STR("false"));
}

void json_null(struct json_writer *w)
{
	json_verbatim(w, STR("null"));
}

void json_verbatim(struct json_writer *w, struct str json)
{
	before_value(w);
	writer_put(w, json);
}

void json_compact(struct json_writer *w, struct str json)
{
	struct buf text = { 0 };

	json_scan_compact(json, &text);
	json_verbatim(w, buf_str(&text));
	buf_fini(&text);
}

void json_key_text(struct json_writer *w, struct str text)
{
	struct buf key = { 0 };

	json_scan_unescape(text, false, &key);
	json_key_str(w, buf_str(&key));
	buf_fini(&key);
}

void json_member_compact(struct json_writer *w, struct str key, struct str json)
{
	json_key_text(w, key);
	json_compact(w, json);
}

void json_member_string(struct json_writer *w, const char *key, struct str text)
{
	json_key(w, key);
	json_string(w, text);
}

void json_member_borrowed(struct json_writer *w, const char *key, struct str text)
{
	json_key(w, key);
	json_open_string(w);
	json_add_borrowed(w, text);
	json_close_string(w);
}

void json_member_string_or_null(struct json_writer *w, const char *key, struct str text)
{
	json_key(w, key);
	if (text.ptr)
		json_string(w, text);
	else
		json_null(w);
}

void json_member_integer(struct json_writer *w, const char *key, int64_t number)
{
	json_key(w, key);
	json_integer(w, number);
}

void json_member_count_or_null(struct json_writer *w, const char *key, int64_t count)
{
	json_key(w, key);
	if (count < 0)
		json_null(w);
	else
		json_integer(w, count);
}

void json_member_milliseconds_or_null(struct json_writer *w, const char *key, double ms)
{
	json_key(w, key);
	if (ms >= 0)
		json_milliseconds(w, ms);
	else
		json_null(w);
}

void json_member_boolean(struct json_writer *w, const char *key, bool value)
{
	json_key(w, key);
	json_boolean(w, value);
}

void json_member_verbatim(struct json_writer *w, const char *key, struct str json)
{
	json_key(w, key);
	json_verbatim(w, json);
}

/* The letter after the backslash of an escaped byte; 0: no escape needed. */
static const char escape_letters[256] = {
	['\0'] = 'u', [0x01] = 'u', [0x02] = 'u', [0x03] = 'u', [0x04] = 'u', [0x05] = 'u', [0x06] = 'u', [0x07] = 'u',
	['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', [0x0B] = 'u', ['\f'] = 'f', ['\r'] = 'r', [0x0E] = 'u', [0x0F] = 'u',
	[0x10] = 'u', [0x11] = 'u', [0x12] = 'u', [0x13] = 'u', [0x14] = 'u', [0x15] = 'u', [0x16] = 'u', [0x17] = 'u',
	[0x18] = 'u', [0x19] = 'u', [0x1A] = 'u', [0x1B] = 'u', [0x1C] = 'u', [0x1D] = 'u', [0x1E] = 'u', [0x1F] = 'u',
	['"'] = '"',  ['\\'] = '\\',
};

/* Without branches but one, because quotes are hard to predict. Writes a NUL behind an unescaped byte, where the buffer has one too. */
static char *put_bytes(char *to, const char *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < count; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		char letter = escape_letters[byte];

		to[0] = letter ? '\\' : (char)byte;
		to[1] = letter;
		to += 1 + (letter != 0);
		if (letter == 'u') {
			memcpy(to, (char[4]){ '0', '0', digits[byte >> 4], digits[byte & 15] }, 4);
			to += 4;
		}
	}
	return to;
}

static char *put_text(char *to, struct str text)
{
	size_t i = 0;

	for (; i + 8 <= text.len; i += 8) {
		if (!json_scan_plain_block(text.ptr + i)) {
			to = put_bytes(to, text.ptr + i, 8);
			continue;
		}
		memcpy(to, text.ptr + i, 8);
		to += 8;
	}
	return put_bytes(to, text.ptr + i, text.len - i);
}

#define ESCAPE_BYTES ((size_t)4 << 10) /* of a text that are escaped at once */
#define ESCAPE_MOST 6                  /* bytes that one byte may become */

static size_t escaped_length(struct str text)
{
	size_t length = text.len;

	for (size_t i = 0; i < text.len; i++) {
		char letter = escape_letters[(unsigned char)text.ptr[i]];

		length += letter == 'u' ? 5 : letter ? 1 : 0;
	}
	return length;
}

/* Reserves room for the worst case; the exact length is found out only if that exceeds the limit. */
static bool escape_block(struct buf *out, struct str text)
{
	size_t start = out->len;
	char *to = buf_extend(out, ESCAPE_MOST * text.len);

	if (!to)
		to = buf_extend(out, escaped_length(text));
	if (!to)
		return false;
	size_t end = start + (size_t)(put_text(to, text) - to);
	buf_remove(out, end, out->len - end);
	return true;
}

bool json_escape_piece(struct buf *out, struct str text)
{
	size_t start = out->len;

	for (; text.len; text = str_skip(text, ESCAPE_BYTES))
		if (!escape_block(out, str_head(text, ESCAPE_BYTES))) {
			buf_remove(out, start, out->len - start);
			return false;
		}
	return true;
}

bool json_escape(struct buf *out, struct str text)
{
	size_t start = out->len;

	if (buf_add_byte(out, '"') && json_escape_piece(out, text) && buf_add_byte(out, '"'))
		return true;
	buf_remove(out, start, out->len - start);
	return false;
}
