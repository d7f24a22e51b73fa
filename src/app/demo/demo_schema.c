#include "app/demo/demo_schema.h"

#include "base/array.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/json_write.h"

#define DEPTH 12 /* limit of nesting, for schemas that refer to themselves */

struct maker {
	const struct json *root;
	struct json_writer w;
};

static void schema_make(struct maker *m, const struct json *schema, struct str name, unsigned depth);

/* Resolves "#/$defs/place" inside the document; NULL if there is nothing at that place. */
static const struct json *schema_follow(const struct json *root, struct str reference)
{
	struct str step;
	char key[128];

	if (!str_starts(reference, "#"))
		return NULL;
	reference = str_skip(reference, 2);
	while (root && str_split(&reference, '/', &step)) {
		struct buf name;

		if (step.len >= sizeof key)
			return NULL;
		buf_init(&name, sizeof key);
		buf_add(&name, step);
		root = json_get(root, buf_z(&name));
		buf_fini(&name);
	}
	return root;
}

static void schema_make_object(struct maker *m, const struct json *schema, unsigned depth)
{
	struct json_member member = { 0 };

	json_open_object(&m->w);
	while (json_next(json_get(schema, "properties"), &member)) {
		json_key_str(&m->w, member.key);
		schema_make(m, member.value, member.key, depth + 1);
	}
	json_close_object(&m->w);
}

static void schema_make_array(struct maker *m, const struct json *schema, struct str name, unsigned depth)
{
	int64_t count = 2;

	(void)json_count(json_get(schema, "minItems"), &count);
	json_open_array(&m->w);
	for (int64_t i = 0; i < count && i < 5; i++)
		schema_make(m, json_get(schema, "items"), name, depth + 1);
	json_close_array(&m->w);
}

/* Writes a string that names its member. */
static void schema_make_string(struct maker *m, const struct json *schema, struct str name)
{
	static const struct { const char *format, *example; } formats[] = {
		{ "date", "2026-01-01" }, { "date-time", "2026-01-01T12:00:00Z" }, { "time", "12:00:00Z" },
		{ "email", "demo@example.org" }, { "uri", "https://example.org/" }, { "uuid", "00000000-0000-4000-8000-000000000001" },
	};
	struct buf text = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (str_is(json_get_text(schema, "format"), formats[i].format)) {
			json_string(&m->w, str_from(formats[i].example));
			return;
		}
	buf_printf(&text, "an example of %.*s", STR_ARG(name));
	json_string(&m->w, buf_str(&text));
	buf_fini(&text);
}

static struct str schema_type(const struct json *schema)
{
	const struct json *type = json_get(schema, "type");

	if (json_kind(type) == JSON_ARRAY)
		type = json_at(type, 0);
	if (type)
		return json_text(type);
	return json_get(schema, "properties") ? STR("object") : json_get(schema, "items") ? STR("array") : STR("string");
}

static void schema_make_typed(struct maker *m, const struct json *schema, struct str name, unsigned depth)
{
	struct str type = schema_type(schema);
	double number = 3;

	if (str_is_nocase(type, "object")) {
		schema_make_object(m, schema, depth);
	} else if (str_is_nocase(type, "array")) {
		schema_make_array(m, schema, name, depth);
	} else if (str_is_nocase(type, "integer") || str_is_nocase(type, "number")) {
		(void)json_number(json_get(schema, "minimum"), &number);
		json_real(&m->w, number);
	} else if (str_is_nocase(type, "boolean")) {
		json_boolean(&m->w, true);
	} else if (str_is_nocase(type, "null")) {
		json_null(&m->w);
	} else {
		schema_make_string(m, schema, name);
	}
}

static const struct json *schema_first_choice(const struct maker *m, const struct json *schema)
{
	static const char *const keys[] = { "anyOf", "oneOf", "allOf" };
	struct str reference = json_get_text(schema, "$ref");

	if (reference.len)
		return schema_follow(m->root, reference);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (json_length(json_get(schema, keys[i])))
			return json_at(json_get(schema, keys[i]), 0);
	return NULL;
}

static void schema_make(struct maker *m, const struct json *schema, struct str name, unsigned depth)
{
	const struct json *fixed = json_get(schema, "const");
	const struct json *choice = schema_first_choice(m, schema);
	struct buf dump = { 0 };

	if (depth >= DEPTH) {
		json_null(&m->w);
		return;
	}
	if (!fixed)
		fixed = json_at(json_get(schema, "enum"), 0);
	if (fixed) {
		json_dump(fixed, &dump);
		json_verbatim(&m->w, buf_str(&dump));
		buf_fini(&dump);
	} else if (choice) {
		schema_make(m, choice, name, depth + 1);
	} else {
		schema_make_typed(m, schema, name, depth);
	}
}

void demo_schema_example(struct str schema, struct buf *out)
{
	struct json_parser *parser = json_parser_new();
	struct maker m = { 0 };
	struct buf compact = { 0 };
	size_t used;

	json_writer_init(&m.w, &compact);
	m.root = json_parse(parser, schema, &used);
	if (m.root)
		schema_make(&m, m.root, STR("the answer"), 0);
	else
		buf_add_z(&compact, "{}");
	json_scan_pretty(buf_str(&compact), out);
	buf_fini(&compact);
	json_parser_free(parser);
}
