/*
 * Parses texts to trees with json-c. This file adds what json-c leaves to its caller: limits on the tree's size, details that json-c does
 * not keep, and failed allocations.
 */
#include <inttypes.h>
#include <json-c/linkhash.h>
#include <json-c/printbuf.h>
#include <stdio.h>
#include <string.h>

#include "base/json_inside.h"
#include "base/json_mend.h"
#include "base/json_scan.h"
#include "base/json_survey.h"
#include "base/mem.h"
#include "base/utf8.h"

/* Upper bounds of the memory that json-c allocates for a tree: an object starts with room for 16 members, and its table doubles. */
#define CONTAINER_BYTES 800
#define VALUE_BYTES 72
#define MEMBER_BYTES 200

struct json_parser {
	struct json_tokener *tokener;
	struct json_object *root;
	struct buf mended;
};

const char json_inside_null;

static struct json_tokener *new_tokener(void)
{
	struct json_tokener *tokener = json_tokener_new_ex(JSON_SCAN_DEPTH);

	if (!tokener)
		mem_die(sizeof *tokener);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
	return tokener;
}

struct json_parser *json_parser_new(void)
{
	struct json_parser *parser = mem_new(sizeof *parser);

	parser->tokener = new_tokener();
	return parser;
}

void json_parser_free(struct json_parser *parser)
{
	if (!parser)
		return;
	json_object_put(parser->root);
	json_tokener_free(parser->tokener);
	buf_fini(&parser->mended);
	mem_free(parser);
}

/* --- comparing the tree with its text --- */

static void free_sent(struct json_object *value, void *sent)
{
	(void)value;
	mem_free(sent);
}

/* Attaches a text to a value, replacing an earlier one. An absent text only removes the earlier one. */
static void set_sent(struct json_object *value, struct str text)
{
	struct json_sent *sent = NULL;

	if (text.ptr) {
		sent = mem_new(sizeof *sent + text.len + 1);
		sent->len = text.len;
		memcpy(sent->text, text.ptr, text.len);
	}
	if (sent || json_object_get_userdata(value))
		json_object_set_userdata(value, sent, sent ? free_sent : NULL);
}

static void keep_integer(struct json_object *value, struct str text)
{
	int64_t number = json_object_get_int64(value);
	char printed[24];

	if (number < INT64_MAX)
		snprintf(printed, sizeof printed, "%" PRId64, number);
	else
		snprintf(printed, sizeof printed, "%" PRIu64, json_object_get_uint64(value));
	set_sent(value, str_is(text, printed) || !json_scan_is_whole(text) ? STR_NONE : text);
}

static void keep_string(struct json_object *value, struct str text, struct buf *scratch)
{
	struct str content = str_head(str_skip(text, 1), text.len - 2);

	buf_clear(scratch);
	json_scan_unescape(content, true, scratch);
	set_sent(value, utf8_is_valid(buf_str(scratch)) ? STR_NONE : buf_str(scratch));
}

static void reconcile(struct json_object *value, struct str text, struct buf *scratch);

static void reconcile_array(struct json_object *array, struct str text, struct buf *scratch)
{
	struct json_spans spans = json_spans_of(text);
	struct str key, item;

	for (size_t i = 0; i < json_object_array_length(array) && json_spans_next(&spans, &key, &item); i++)
		reconcile(json_object_array_get_idx(array, i), item, scratch);
}

/* Of a duplicate key json-c keeps the last value, so only the text of the last one counts. */
static void reconcile_object(struct json_object *object, struct str text, struct buf *scratch)
{
	struct lh_table *table = json_object_get_object(object);
	struct json_spans spans = json_spans_of(text);
	struct str *items = mem_resize(NULL, (size_t)table->size, sizeof *items), key, item;

	while (json_spans_next(&spans, &key, &item)) {
		buf_clear(scratch);
		json_scan_unescape(key, false, scratch);
		struct lh_entry *entry = lh_table_lookup_entry(table, buf_z(scratch));
		if (!entry)
			mem_die(key.len);
		items[entry - table->table] = item;
	}
	for (struct lh_entry *entry = lh_table_head(table); entry; entry = lh_entry_next(entry))
		reconcile(lh_entry_v(entry), items[entry - table->table], scratch);
	mem_free(items);
}

/*
 * Walks a tree in parallel with its text. Attaches what json-c does not keep. Ends the program if a member is missing: json-c silently
 * omits one when its allocation fails.
 */
static void reconcile(struct json_object *value, struct str text, struct buf *scratch)
{
	switch (json_object_get_type(value)) {
	case json_type_int:
		keep_integer(value, text);
		break;
	case json_type_string:
		keep_string(value, text, scratch);
		break;
	case json_type_array:
		reconcile_array(value, text, scratch);
		break;
	case json_type_object:
		reconcile_object(value, text, scratch);
		break;
	case json_type_null:
	case json_type_boolean:
	case json_type_double:
		break;
	}
}

static size_t json_count_members(struct json_object *value)
{
	enum json_type type = json_object_get_type(value);
	size_t count = 0;

	for (size_t i = 0; type == json_type_array && i < json_object_array_length(value); i++)
		count += json_count_members(json_object_array_get_idx(value, i));
	if (type == json_type_object)
		for (struct lh_entry *e = lh_table_head(json_object_get_object(value)); e; e = lh_entry_next(e))
			count += 1 + json_count_members(lh_entry_v(e));
	return count;
}

/* --- parsing --- */

/* Reserves the string buffer in advance: json-c does not report that it failed to grow, and truncates the string. */
static void tokener_make_room(struct json_tokener *tokener, size_t len)
{
	if ((size_t)tokener->pb->size <= len && printbuf_memset(tokener->pb, (int)len, 0, 1) < 0)
		mem_die(len);
}

/* When the allocation of a value fails, json-c stops in the middle of the text and reports success. */
static void check_whole(struct json_object *root, struct str text, size_t taken)
{
	enum json_type type = json_object_get_type(root);
	bool is_container = type == json_type_object || type == json_type_array;

	if ((!root && !str_starts(str_trim_start(text), "null")) || (is_container && taken < text.len))
		mem_die(text.len);
}

/* Runs json-c. Returns false when there is no value. `*taken` is the offset where it stopped. */
static bool tokenize(struct json_parser *parser, struct str text, size_t *taken)
{
	struct json_tokener *t = parser->tokener;
	enum json_tokener_error error;

	*taken = 0;
	if (!text.len)
		return false;
	tokener_make_room(t, text.len);
	parser->root = json_tokener_parse_ex(t, text.ptr, (int)text.len);
	*taken = json_tokener_get_parse_end(t);
	/* A number or a literal may end with the text; json-c needs a NUL to see its end. */
	if (json_tokener_get_error(t) == json_tokener_continue) {
		*taken = text.len;
		parser->root = json_tokener_parse_ex(t, "", 1);
	}
	error = json_tokener_get_error(t);
	if (error == json_tokener_success) {
		check_whole(parser->root, text, *taken);
		return true;
	}
	/* After a failed parse the tokener remembers a high surrogate. */
	json_tokener_free(t);
	parser->tokener = new_tokener();
	return false;
}

static bool is_too_large(const struct json_survey *survey)
{
	uint64_t bytes = (uint64_t)survey->containers * CONTAINER_BYTES + (uint64_t)survey->values * VALUE_BYTES +
	                 (uint64_t)survey->members * MEMBER_BYTES;

	return survey->len > JSON_TEXT_MOST || bytes > JSON_TREE_MOST;
}

bool json_is_too_large(struct str text)
{
	struct json_survey survey = json_survey(text);

	return is_too_large(&survey);
}

const struct json *json_parse(struct json_parser *parser, struct str text, size_t *used)
{
	struct json_survey survey = json_survey(text);
	struct str first = str_head(text, survey.len), mended = first;

	json_object_put(parser->root);
	parser->root = NULL;
	*used = 0;
	if (is_too_large(&survey) || (survey.needs_mending && !json_mend(first, &parser->mended)))
		return NULL;
	if (survey.needs_mending)
		mended = buf_str(&parser->mended);
	bool parsed = tokenize(parser, mended, used);
	if (parsed && (survey.is_inexact || json_count_members(parser->root) < survey.members)) {
		struct buf scratch = { 0 };

		reconcile(parser->root, str_trim(str_head(mended, *used)), &scratch);
		buf_fini(&scratch);
	}
	if (survey.needs_mending)
		*used = json_mend_offset(first, *used);
	if (!parsed)
		return NULL;
	return parser->root ? json_inside_value(parser->root) : (const struct json *)&json_inside_null;
}
