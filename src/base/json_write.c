#include "base/json_write.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_writer_init(struct json_writer *writer, struct buf *out)
{
	*writer = (struct json_writer){ .out = out };
}

static bool in_object(const struct json_writer *w)
{
	unsigned level = w->depth - 1;

	return w->depth && (w->objects[level / 8] >> level % 8 & 1);
}

static void put(struct json_writer *w, struct str text)
{
	if (!buf_add(w->out, text))
		w->full = true;
}

static void before_value(struct json_writer *w)
{
	assert(w->keyed == in_object(w));
	if (w->comma && !w->keyed)
		put(w, STR(","));
	w->keyed = false;
	w->comma = true;
}

static void open_level(struct json_writer *w, bool object)
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
	put(w, object ? STR("{") : STR("["));
}

static void close_level(struct json_writer *w, bool object)
{
	assert(w->depth && in_object(w) == object && !w->keyed);
	w->depth--;
	w->comma = true;
	put(w, object ? STR("}") : STR("]"));
}

void json_open_object(struct json_writer *w)
{
	open_level(w, true);
}

void json_close_object(struct json_writer *w)
{
	close_level(w, true);
}

void json_open_array(struct json_writer *w)
{
	open_level(w, false);
}

void json_close_array(struct json_writer *w)
{
	close_level(w, false);
}

void json_key(struct json_writer *w, const char *key)
{
	json_key_str(w, str_from(key));
}

void json_key_str(struct json_writer *w, struct str key)
{
	assert(in_object(w) && !w->keyed);
	if (w->comma)
		put(w, STR(","));
	if (!json_escape(w->out, key))
		w->full = true;
	put(w, STR(":"));
	w->keyed = true;
}

void json_string(struct json_writer *w, struct str text)
{
	before_value(w);
	if (!json_escape(w->out, text))
		w->full = true;
}

void json_string_or_null(struct json_writer *w, struct str text)
{
	if (text.ptr)
		json_string(w, text);
	else
		json_null(w);
}

void json_integer(struct json_writer *w, int64_t number)
{
	before_value(w);
	if (!buf_printf(w->out, "%" PRId64, number))
		w->full = true;
}

/* The decimal point is the locale's; JSON has only one. */
static void put_number(struct json_writer *w, const char *text)
{
	size_t whole = strspn(text, "-0123456789");
	size_t point = strcspn(text + whole, "0123456789eE+-");

	put(w, str_of(text, whole));
	if (point)
		put(w, STR("."));
	put(w, str_from(text + whole + point));
}

void json_real(struct json_writer *w, double number)
{
	char text[64];

	if (!isfinite(number)) {
		json_null(w);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
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
	len = (size_t)snprintf(text, sizeof(text), "%.3f", ms);
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
	put(w, json);
}

void json_member_string(struct json_writer *w, const char *key, struct str text)
{
	json_key(w, key);
	json_string(w, text);
}

void json_member_string_or_null(struct json_writer *w, const char *key, struct str text)
{
	json_key(w, key);
	json_string_or_null(w, text);
}

void json_member_integer(struct json_writer *w, const char *key, int64_t number)
{
	json_key(w, key);
	json_integer(w, number);
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

static bool needs_escape(char c)
{
	return (unsigned char)c < 0x20 || c == '"' || c == '\\';
}

static bool escape_byte(struct buf *out, char c)
{
	static const char letters[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"',
					['\\'] = '\\' };
	char letter = letters[(unsigned char)c];

	if (!letter)
		return buf_printf(out, "\\u%04x", (unsigned char)c);
	return buf_add(out, str_of((char[2]){ '\\', letter }, 2));
}

bool json_escape(struct buf *out, struct str text)
{
	bool fits = buf_add_byte(out, '"');
	size_t run = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (!needs_escape(text.ptr[i]))
			continue;
		fits = fits && buf_add(out, str_of(text.ptr + run, i - run)) && escape_byte(out, text.ptr[i]);
		run = i + 1;
	}
	return fits && buf_add(out, str_skip(text, run)) && buf_add_byte(out, '"');
}
