#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/json_inside.h"
#include "base/json_scan.h"
#include "base/json_write.h"

enum json_kind json_kind(const struct json *value)
{
	static const enum json_kind kinds[] = {
		[json_type_null] = JSON_NULL,
		[json_type_boolean] = JSON_BOOL,
		[json_type_double] = JSON_NUMBER,
		[json_type_int] = JSON_NUMBER,
		[json_type_object] = JSON_OBJECT,
		[json_type_array] = JSON_ARRAY,
		[json_type_string] = JSON_STRING,
	};

	return kinds[json_object_get_type(json_inside_object(value))];
}

static struct lh_entry *first_entry(const struct json *object)
{
	struct lh_table *table = json_object_get_object(json_inside_object(object));

	return table ? lh_table_head(table) : NULL;
}

static const struct json *get_member(const struct json *object, struct str key)
{
	for (struct lh_entry *e = first_entry(object); e; e = lh_entry_next(e))
		if (str_is(key, lh_entry_k(e)))
			return json_inside_value(lh_entry_v(e));
	return NULL;
}

bool json_has(const struct json *object, const char *key, const struct json **value)
{
	struct json_object *found = NULL;
	bool has = json_kind(object) == JSON_OBJECT && json_object_object_get_ex(json_inside_object(object), key, &found);

	*value = json_inside_value(found);
	return has;
}

const struct json *json_get(const struct json *object, const char *key)
{
	const struct json *value;

	return json_has(object, key, &value) ? value : NULL;
}

const struct json *json_find(const struct json *value, const char *path)
{
	for (const char *dot; (dot = strchr(path, '.')); path = dot + 1)
		value = get_member(value, str_of(path, (size_t)(dot - path)));
	return json_get(value, path);
}

size_t json_length(const struct json *array)
{
	return json_kind(array) == JSON_ARRAY ? json_object_array_length(json_inside_object(array)) : 0;
}

const struct json *json_at(const struct json *array, size_t index)
{
	return index < json_length(array) ? json_inside_value(json_object_array_get_idx(json_inside_object(array), index)) : NULL;
}

/* What the parser attached to a number or a string; NULL: nothing. */
static struct json_sent *sent_of(struct json_object *object)
{
	return json_object_get_userdata(object);
}

/* The text of a string but for its pack. */
static struct str kept_text(struct json_object *object)
{
	if (json_object_get_type(object) != json_type_string)
		return STR_NONE;
	return str_of(json_object_get_string(object), (size_t)json_object_get_string_len(object));
}

struct str json_text(const struct json *value)
{
	struct str kept = kept_text(json_inside_object(value));
	struct json_sent *sent = kept.ptr ? sent_of(json_inside_object(value)) : NULL;

	if (!sent || !sent->packed)
		return kept;
	if (!sent->whole.len)
		json_unpack(kept, &(struct json_pack){ sent->at, sent->packed->bytes.len, sent->packed }, 1, &sent->whole);
	return buf_str(&sent->whole);
}

bool json_has_text(const struct json *value)
{
	struct str before, after;

	return kept_text(json_inside_object(value)).len || json_packed(value, &before, &after);
}

struct blob *json_packed(const struct json *value, struct str *before, struct str *after)
{
	struct str kept = kept_text(json_inside_object(value));
	const struct json_sent *sent = kept.ptr ? sent_of(json_inside_object(value)) : NULL;

	if (!sent || !sent->packed)
		return NULL;
	*before = str_head(kept, sent->at);
	*after = str_skip(kept, sent->at);
	return sent->packed;
}

struct str json_raw_text(const struct json *value)
{
	struct str text = json_text(value);
	const struct json_sent *sent = text.ptr ? sent_of(json_inside_object(value)) : NULL;

	return sent && !sent->packed ? str_of(sent->text, sent->len) : text;
}

struct str json_get_text(const struct json *object, const char *key)
{
	return json_text(json_get(object, key));
}

bool json_flag(const struct json *value, bool *result)
{
	if (json_kind(value) != JSON_BOOL)
		return false;
	*result = json_object_get_boolean(json_inside_object(value));
	return true;
}

bool json_count(const struct json *value, int64_t *count)
{
	struct json_object *object = json_inside_object(value);
	double number;

	if (json_object_get_type(object) == json_type_int) {
		*count = json_object_get_int64(object);
		return *count >= 0;
	}
	/* 2^63 is the first value out of range. */
	if (!json_number(value, &number) || number < 0 || number >= 0x1p63 || number > floor(number))
		return false;
	*count = (int64_t)number;
	return true;
}

bool json_number(const struct json *value, double *number)
{
	double read;

	if (json_kind(value) != JSON_NUMBER)
		return false;
	read = json_object_get_double(json_inside_object(value));
	if (!isfinite(read))
		return false;
	*number = read;
	return true;
}

static struct str number_text(struct json_object *object, struct buf *scratch)
{
	if (sent_of(object))
		return str_of(sent_of(object)->text, sent_of(object)->len);
	buf_clear(scratch);
	buf_printf(scratch, "%" PRId64, json_object_get_int64(object));
	return buf_str(scratch);
}

bool json_scalar(const struct json *value, struct buf *scratch, struct str *text)
{
	bool truth = false;

	switch (json_kind(value)) {
	case JSON_STRING:
		*text = json_text(value);
		return true;
	case JSON_NUMBER:
		*text = number_text(json_inside_object(value), scratch);
		/* The parser accepts "1.". */
		return json_scan_is_whole(*text);
	case JSON_BOOL:
		json_flag(value, &truth);
		*text = truth ? STR("true") : STR("false");
		return true;
	case JSON_NULL:
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	return false;
}

/* Servers send members in a fixed order, and tables list them in that order: usually the next row matches. */
void json_take(const struct json *object, const char *const *keys, size_t count, const struct json **values)
{
	size_t row = 0;

	memset(values, 0, count * sizeof(struct json *));
	for (struct lh_entry *e = first_entry(object); e; e = lh_entry_next(e)) {
		const char *key = lh_entry_k(e);

		for (size_t tried = 0; tried < count; tried++, row = row + 1 < count ? row + 1 : 0) {
			if (keys[row][0] != key[0] || strcmp(keys[row], key) != 0)
				continue;
			values[row] = json_inside_value(lh_entry_v(e));
			break;
		}
	}
}

bool json_next(const struct json *object, struct json_member *member)
{
	struct lh_entry *entry = member->started ? member->next : first_entry(object);

	member->started = true;
	if (!entry)
		return false;
	member->key = str_from(lh_entry_k(entry));
	member->value = json_inside_value(lh_entry_v(entry));
	member->next = lh_entry_next(entry);
	return true;
}

static void write_value(struct json_writer *w, const struct json *value, struct buf *scratch)
{
	enum json_kind kind = json_kind(value);
	struct json_member member = { 0 };
	struct str text;

	if (kind == JSON_OBJECT) {
		json_open_object(w);
		while (json_next(value, &member)) {
			json_key_str(w, member.key);
			write_value(w, member.value, scratch);
		}
		json_close_object(w);
	} else if (kind == JSON_ARRAY) {
		json_open_array(w);
		for (size_t i = 0; i < json_length(value); i++)
			write_value(w, json_at(value, i), scratch);
		json_close_array(w);
	} else if (!json_scalar(value, scratch, &text)) {
		json_null(w);
	} else if (kind == JSON_STRING) {
		json_string(w, text);
	} else {
		json_verbatim(w, text);
	}
}

void json_dump(const struct json *value, struct buf *out)
{
	struct json_writer writer;
	struct buf scratch;

	json_writer_init(&writer, out);
	buf_init(&scratch, 64);
	write_value(&writer, value, &scratch);
	buf_fini(&scratch);
}
