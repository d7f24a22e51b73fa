#include "app/tools/tool_recast.h"

#include "base/json.h"
#include "base/json_scan.h"
#include "base/json_write.h"

#define NUMBER_BYTES 40u /* a longer one is a text */

/* "" for several types, or none. */
static struct str recast_type(const struct json *properties, struct str name)
{
	struct json_member member = { 0 };

	while (json_next(properties, &member))
		if (str_equal(member.key, name))
			return json_get_text(member.value, "type");
	return STR_NONE;
}

static bool recast_is_number(struct str text)
{
	return text.len && text.len <= NUMBER_BYTES && (*text.ptr == '-' || char_is_digit(*text.ptr)) && char_is_digit(text.ptr[text.len - 1]) &&
	       json_scan_is_whole(text);
}

/* Writes the value. True: as another kind. */
static bool recast_value(struct json_writer *w, const struct json *value, struct str type, struct buf *scratch)
{
	enum json_kind kind = json_kind(value);
	struct str text = STR_NONE;
	bool is_text = kind == JSON_STRING, scalar = value && json_scalar(value, scratch, &text);
	bool to_text = scalar && !is_text && str_is(type, "string");
	bool to_number = is_text && (str_is(type, "integer") || str_is(type, "number")) && recast_is_number(text);

	if (to_text)
		json_string(w, text);
	else if (to_number)
		json_verbatim(w, text);
	else {
		buf_clear(scratch);
		json_dump(value, scratch);
		json_verbatim(w, value ? buf_str(scratch) : STR("null"));
	}
	return to_text || to_number;
}

bool tool_recast(struct str schema, struct str arguments, struct buf *out)
{
	struct json_parser *schemas = json_parser_new(), *parser = json_parser_new();
	struct json_member member = { 0 };
	struct buf scratch = { 0 };
	struct json_writer w;
	size_t used;
	bool any = false;

	const struct json *properties = json_get(json_parse(schemas, schema, &used), "properties"), *object = json_parse(parser, arguments, &used);
	json_writer_init(&w, out);
	json_open_object(&w);
	while (json_kind(object) == JSON_OBJECT && json_next(object, &member)) {
		json_key_str(&w, member.key);
		any |= recast_value(&w, member.value, recast_type(properties, member.key), &scratch);
	}
	json_close_object(&w);
	buf_fini(&scratch);
	json_parser_free(schemas);
	json_parser_free(parser);
	return any;
}
