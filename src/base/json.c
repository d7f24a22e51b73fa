/* A `struct json` is a json_object, or the one object that stands for a whole text `null`. */
#include "base/json.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/json_rewrite.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"

/*
 * What a tree needs, by far: json-c does not tell when it finds no memory, it leaves out members. An empty object of two bytes
 * takes most, but texts are made of text.
 */
#define TREE_BYTES_LEAST ((size_t)8 << 10)
#define TREE_BYTES_A_BYTE 64
#define TREE_TEXT_MOST ((size_t)4 << 20) /* more is not asked for at once, or small machines would refuse */

struct json_parser {
	struct json_tokener *tokener;
	struct json_object *root;
	struct buf scratch;
};

/* json-c has no object for null. */
static const char the_null;

/* json-c knows no const; no read changes a value. */
static struct json_object *object_of(const struct json *value)
{
	return (const void *)value == &the_null ? NULL : (struct json_object *)(uintptr_t)value;
}

static const struct json *value_of(struct json_object *object)
{
	return (const struct json *)object;
}

struct json_parser *json_parser_new(void)
{
	struct json_parser *parser = mem_new(sizeof *parser);

	parser->tokener = json_tokener_new_ex(JSON_SCAN_DEPTH);
	if (!parser->tokener)
		mem_die(sizeof(struct json_tokener));
	json_tokener_set_flags(parser->tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
	buf_init(&parser->scratch, BUF_LIMIT_DEFAULT);
	return parser;
}

void json_parser_free(struct json_parser *parser)
{
	if (!parser)
		return;
	json_object_put(parser->root);
	json_tokener_free(parser->tokener);
	buf_fini(&parser->scratch);
	mem_free(parser);
}

/* Replaces lone surrogates by U+FFFD, which is as long as they are. Returns whether there were any. */
static bool replace_surrogates(char *ptr, size_t len)
{
	bool found = false;

	for (size_t i = 0; i + 2 < len; i++) {
		if (ptr[i] != '\xED' || (unsigned char)ptr[i + 1] < 0xA0)
			continue;
		memcpy(ptr + i, "\xEF\xBF\xBD", 3);
		found = true;
	}
	return found;
}

static void free_clean_text(struct json_object *value, void *text)
{
	(void)value;
	mem_free(text);
}

/* Hangs the text without surrogates on a string that has some; json_text() looks there. */
static void tidy_string(struct json_object *value)
{
	size_t len = (size_t)json_object_get_string_len(value);
	char *text = mem_dup(json_object_get_string(value), len);

	if (replace_surrogates(text, len))
		json_object_set_userdata(value, text, free_clean_text);
	else
		mem_free(text);
}

/* json-c keeps the text of a real number as its user data. */
static void tidy_real(struct json_object *value)
{
	char *text = json_object_get_userdata(value);
	struct str sent = str_from(text);

	if (str_ends(sent, JSON_REWRITE_HUGE))
		text[sent.len - strlen(JSON_REWRITE_HUGE)] = '\0';
}

/* Undoes in the values what rewriting made of them. The depth is the tokener's at most. */
static void tidy(struct json_object *value)
{
	enum json_type type = json_object_get_type(value);

	if (type == json_type_string)
		tidy_string(value);
	if (type == json_type_double)
		tidy_real(value);
	for (size_t i = 0; type == json_type_array && i < json_object_array_length(value); i++)
		tidy(json_object_array_get_idx(value, i));
	if (type != json_type_object)
		return;
	for (struct lh_entry *e = lh_table_head(json_object_get_object(value)); e; e = lh_entry_next(e)) {
		char *key = lh_entry_k(e);

		/* The hash is stale then: json_get() does not use it. */
		replace_surrogates(key, strlen(key));
		tidy(lh_entry_v(e));
	}
}

/* Runs the tokener; false when there is no value. `*taken` is where it stopped. */
static bool tokenize(struct json_parser *parser, struct str text, size_t *taken)
{
	struct json_tokener *t = parser->tokener;

	*taken = 0;
	if (text.len == 0 || text.len > INT_MAX)
		return false;
	mem_ensure(TREE_BYTES_LEAST + (text.len < TREE_TEXT_MOST ? text.len : TREE_TEXT_MOST) * TREE_BYTES_A_BYTE);
	json_tokener_reset(t);
	parser->root = json_tokener_parse_ex(t, text.ptr, (int)text.len);
	*taken = json_tokener_get_parse_end(t);
	/* A number or a word may end with the text, which only a NUL tells. */
	if (json_tokener_get_error(t) == json_tokener_continue) {
		*taken = text.len;
		parser->root = json_tokener_parse_ex(t, "", 1);
	}
	return json_tokener_get_error(t) == json_tokener_success;
}

const struct json *json_parse(struct json_parser *parser, struct str text, size_t *used)
{
	bool rewritten = json_rewrite_needed(text);
	bool parsed;

	json_object_put(parser->root);
	parser->root = NULL;
	*used = 0;
	if (rewritten && !json_rewrite(text, &parser->scratch))
		return NULL;
	parsed = tokenize(parser, rewritten ? buf_str(&parser->scratch) : text, used);
	if (rewritten) {
		*used = json_rewrite_offset(text, *used);
		tidy(parser->root);
	}
	if (!parsed)
		return NULL;
	return parser->root ? value_of(parser->root) : (const struct json *)&the_null;
}

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

	return kinds[json_object_get_type(object_of(value))];
}

static struct lh_entry *first_entry(const struct json *object)
{
	struct lh_table *table = json_object_get_object(object_of(object));

	return table ? lh_table_head(table) : NULL;
}

const struct json *json_get(const struct json *object, const char *key)
{
	for (struct lh_entry *e = first_entry(object); e; e = lh_entry_next(e))
		if (strcmp(lh_entry_k(e), key) == 0)
			return value_of(lh_entry_v(e));
	return NULL;
}

size_t json_length(const struct json *array)
{
	return json_kind(array) == JSON_ARRAY ? json_object_array_length(object_of(array)) : 0;
}

const struct json *json_at(const struct json *array, size_t index)
{
	return index < json_length(array) ? value_of(json_object_array_get_idx(object_of(array), index)) : NULL;
}

struct str json_raw_text(const struct json *value)
{
	struct json_object *object = object_of(value);

	if (json_object_get_type(object) != json_type_string)
		return STR_NONE;
	return str_of(json_object_get_string(object), (size_t)json_object_get_string_len(object));
}

struct str json_text(const struct json *value)
{
	struct str raw = json_raw_text(value);
	const char *clean = raw.ptr ? json_object_get_userdata(object_of(value)) : NULL;

	return clean ? str_of(clean, raw.len) : raw;
}

struct str json_get_text(const struct json *object, const char *key)
{
	return json_text(json_get(object, key));
}

bool json_flag(const struct json *value, bool *result)
{
	if (json_kind(value) != JSON_BOOL)
		return false;
	*result = json_object_get_boolean(object_of(value));
	return true;
}

bool json_count(const struct json *value, int64_t *count)
{
	struct json_object *object = object_of(value);
	double number;

	if (json_object_get_type(object) == json_type_int) {
		if (json_object_get_int64(object) < 0 || json_object_get_uint64(object) > INT64_MAX)
			return false;
		*count = json_object_get_int64(object);
		return true;
	}
	/* 2^63 is the first that is too large. */
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
	read = json_object_get_double(object_of(value));
	if (!isfinite(read))
		return false;
	*number = read;
	return true;
}

static struct str number_text(struct json_object *object, struct buf *scratch)
{
	if (json_object_get_type(object) == json_type_double)
		return str_from(json_object_get_userdata(object));
	buf_clear(scratch);
	if (json_object_get_int64(object) < 0)
		buf_printf(scratch, "%" PRId64, json_object_get_int64(object));
	else
		buf_printf(scratch, "%" PRIu64, json_object_get_uint64(object));
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
		*text = number_text(object_of(value), scratch);
		/* json-c lets NaN, Infinity and "1." pass. */
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

bool json_next(const struct json *object, struct json_member *member)
{
	struct lh_entry *entry = member->started ? member->next : first_entry(object);

	member->started = true;
	if (!entry)
		return false;
	member->key = str_from(lh_entry_k(entry));
	member->value = value_of(lh_entry_v(entry));
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
