#include "chat/provider/schema.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/utf8.h"

#define DEPTH_MOST 1000u   /* of nested schemas, including references */
#define WORK_MOST 200000u /* values compared and schemas evaluated */
#define LONG_BYTES 1000u   /* of a name, which count as one value */
#define PATH_BYTES ((size_t)300)
#define SHOWN_BYTES ((size_t)80)

struct check {
	const struct json *root; /* the whole schema */
	struct error *why;
	struct buf path;
	unsigned depth, work;
};

static bool check_value(struct check *c, const struct json *schema, const struct json *value);

/* --- wording --- */

static const char *const kind_words[] = {
	[JSON_NULL] = "null", [JSON_BOOL] = "a boolean", [JSON_NUMBER] = "a number", [JSON_STRING] = "a string",
	[JSON_ARRAY] = "an array", [JSON_OBJECT] = "an object",
};

static const struct { const char *type, *words; enum json_kind kind; } type_words[] = {
	{ "null", "null", JSON_NULL }, { "boolean", "a boolean", JSON_BOOL }, { "number", "a number", JSON_NUMBER },
	{ "integer", "a whole number", JSON_NUMBER }, { "string", "a string", JSON_STRING }, { "array", "an array", JSON_ARRAY },
	{ "object", "an object", JSON_OBJECT },
};

/* NULL for an unknown type. */
static const char *schema_words(struct str type)
{
	for (size_t i = 0; i < ARRAY_LEN(type_words); i++)
		if (str_is(type, type_words[i].type))
			return type_words[i].words;
	return NULL;
}

/* Writes a value as JSON, truncated if long. */
static void show(const struct json *value, struct buf *out)
{
	struct buf whole = { 0 };

	json_dump(value, &whole);
	struct str head = utf8_head(buf_str(&whole), SHOWN_BYTES);
	buf_add(out, head);
	if (head.len < whole.len)
		buf_add_z(out, "...");
	buf_fini(&whole);
}

/* Whether a name needs no quotes in a path. */
static bool is_plain_name(struct str key)
{
	for (size_t i = 0; i < key.len; i++) {
		char ch = key.ptr[i];

		if (ch != '_' && (!char_is_word(ch) || (!i && char_is_digit(ch))))
			return false;
	}
	return key.len > 0;
}

static void push_name(struct check *c, struct str key)
{
	if (is_plain_name(key)) {
		buf_printf(&c->path, ".%.*s", STR_ARG(key));
		return;
	}
	struct buf name = { 0 };
	buf_add_byte(&name, '[');
	json_escape(&name, key);
	buf_add_byte(&name, ']');
	buf_add(&c->path, buf_str(&name));
	buf_fini(&name);
}

static void pop_to(struct check *c, size_t len)
{
	buf_remove(&c->path, len, c->path.len - len);
}

static bool fail_value(struct check *c, const struct json *value, const char *wants, const struct json *wanted)
{
	struct buf is = { 0 }, want = { 0 };

	if (json_kind(value) == JSON_ARRAY || json_kind(value) == JSON_OBJECT)
		buf_add_z(&is, kind_words[json_kind(value)]);
	else
		show(value, &is);
	show(wanted, &want);
	error_set(c->why, "%s is %s, the schema wants %s %s", buf_z(&c->path), buf_z(&is), wants, buf_z(&want));
	buf_fini(&is);
	buf_fini(&want);
	return false;
}

static bool fail_size(struct check *c)
{
	return error_set(c->why, "%s is nested or repeated too much to be checked", buf_z(&c->path));
}

static bool fail_name(struct check *c, const char *verb, struct str key, const char *rest)
{
	struct buf name = { 0 };

	json_escape(&name, key);
	error_set(c->why, "%s %s %s, which the schema %s", buf_z(&c->path), verb, buf_z(&name), rest);
	buf_fini(&name);
	return false;
}

/* --- reading --- */

static bool schema_find(struct check *c, const struct json *object, struct str key, const struct json **value)
{
	char *name = str_dup(key);

	c->work += (unsigned)(key.len / LONG_BYTES);
	bool has = strlen(name) == key.len && json_has(object, name, value);

	mem_free(name);
	return has;
}

static size_t schema_count_members(const struct json *object)
{
	struct json_member m = { 0 };
	size_t count = 0;

	while (json_next(object, &m))
		count++;
	return count;
}

static bool is_equal(struct check *c, const struct json *a, const struct json *b);

static bool members_equal(struct check *c, const struct json *a, const struct json *b)
{
	struct json_member m = { 0 };
	const struct json *other;

	size_t count = schema_count_members(a), others = schema_count_members(b);

	c->work += (unsigned)(count + others);
	if (count != others)
		return false;
	while (json_next(a, &m))
		if (!schema_find(c, b, m.key, &other) || !is_equal(c, m.value, other))
			return false;
	return true;
}

static bool items_equal(struct check *c, const struct json *a, const struct json *b)
{
	for (size_t i = 0; i < json_length(a); i++)
		if (!is_equal(c, json_at(a, i), json_at(b, i)))
			return false;
	return json_length(a) == json_length(b);
}

static bool is_equal(struct check *c, const struct json *a, const struct json *b)
{
	double x = 0, y = 0;
	bool f = false, g = false;

	if (++c->work >= WORK_MOST || json_kind(a) != json_kind(b))
		return false;
	switch (json_kind(a)) {
	case JSON_NULL:
		return true;
	case JSON_BOOL:
		return json_flag(a, &f) && json_flag(b, &g) && f == g;
	case JSON_NUMBER:
		return json_number(a, &x) && json_number(b, &y) && !(x < y) && !(x > y);
	case JSON_STRING:
		return str_equal(json_text(a), json_text(b));
	case JSON_ARRAY:
		return items_equal(c, a, b);
	case JSON_OBJECT:
		return members_equal(c, a, b);
	}
	return false;
}

/* --- keywords --- */
/* Each function gets the keyword's value and the instance, and accepts instances to which the keyword does not apply. */

static bool is_of_type(const struct json *value, struct str type)
{
	double number;

	for (size_t i = 0; i < ARRAY_LEN(type_words); i++)
		if (str_is(type, type_words[i].type) && json_kind(value) == type_words[i].kind)
			return !str_is(type, "integer") || (json_number(value, &number) && !(floor(number) < number));
	return false;
}

/* Of the keyword "type", which is a type or a list of them. STR_NONE after the last. */
static struct str type_at(const struct json *wanted, size_t index)
{
	if (json_kind(wanted) == JSON_ARRAY)
		return index < json_length(wanted) ? json_text(json_at(wanted, index)) : STR_NONE;
	return index ? STR_NONE : json_text(wanted);
}

static const char *type_words_at(const void *wanted, size_t index)
{
	return schema_words(type_at(wanted, index));
}

static bool check_type(struct check *c, const struct json *wanted, const struct json *value)
{
	struct buf words;
	size_t count = json_kind(wanted) == JSON_ARRAY ? json_length(wanted) : 1;

	for (size_t i = 0; i < count; i++)
		if (!type_words_at(wanted, i) || is_of_type(value, type_at(wanted, i)))
			return true;
	buf_init(&words, 1024);
	names_write_choice(type_words_at, wanted, &words);
	if (json_kind(value) == JSON_NUMBER && str_is(buf_str(&words), schema_words(STR("integer")))) {
		struct buf is = { 0 };

		show(value, &is);
		error_set(c->why, "%s is %s, the schema wants a whole number", buf_z(&c->path), buf_z(&is));
		buf_fini(&is);
	} else {
		error_set(c->why, "%s is %s, the schema wants %s", buf_z(&c->path), kind_words[json_kind(value)], buf_z(&words));
	}
	buf_fini(&words);
	return false;
}

static bool check_enum(struct check *c, const struct json *wanted, const struct json *value)
{
	for (size_t i = 0; i < json_length(wanted); i++)
		if (is_equal(c, json_at(wanted, i), value))
			return true;
	return json_kind(wanted) != JSON_ARRAY || fail_value(c, value, "one of", wanted);
}

static bool check_const(struct check *c, const struct json *wanted, const struct json *value)
{
	return is_equal(c, wanted, value) || fail_value(c, value, "exactly", wanted);
}

static bool check_number(struct check *c, const struct json *wanted, const struct json *value, int sign, bool exclusive)
{
	static const char *const words[2][2] = { { "at most", "less than" }, { "at least", "more than" } };
	double bound, number;

	if (!json_number(wanted, &bound) || !json_number(value, &number))
		return true;
	bool inside = sign > 0 ? number > bound : number < bound;
	bool equal = !(number < bound) && !(number > bound);
	return inside || (equal && !exclusive) || fail_value(c, value, words[sign > 0][exclusive], wanted);
}

static bool check_minimum(struct check *c, const struct json *wanted, const struct json *value)
{
	return check_number(c, wanted, value, 1, false);
}

static bool check_maximum(struct check *c, const struct json *wanted, const struct json *value)
{
	return check_number(c, wanted, value, -1, false);
}

static bool check_above(struct check *c, const struct json *wanted, const struct json *value)
{
	return check_number(c, wanted, value, 1, true);
}

static bool check_below(struct check *c, const struct json *wanted, const struct json *value)
{
	return check_number(c, wanted, value, -1, true);
}

static bool check_count(struct check *c, const struct json *wanted, size_t count, int sign, const char *what)
{
	int64_t bound;

	if (!json_count(wanted, &bound) || (sign > 0 ? count >= (size_t)bound : count <= (size_t)bound))
		return true;
	return error_set(c->why, "%s has %zu %s%s, the schema wants at %s %lld", buf_z(&c->path), count, what, count == 1 ? "" : "s",
	                 sign > 0 ? "least" : "most", (long long)bound);
}

static bool check_min_length(struct check *c, const struct json *wanted, const struct json *value)
{
	return json_kind(value) != JSON_STRING || check_count(c, wanted, utf8_count(json_text(value)), 1, "character");
}

static bool check_max_length(struct check *c, const struct json *wanted, const struct json *value)
{
	return json_kind(value) != JSON_STRING || check_count(c, wanted, utf8_count(json_text(value)), -1, "character");
}

static bool check_min_items(struct check *c, const struct json *wanted, const struct json *value)
{
	return json_kind(value) != JSON_ARRAY || check_count(c, wanted, json_length(value), 1, "item");
}

static bool check_max_items(struct check *c, const struct json *wanted, const struct json *value)
{
	return json_kind(value) != JSON_ARRAY || check_count(c, wanted, json_length(value), -1, "item");
}

static bool check_required(struct check *c, const struct json *wanted, const struct json *value)
{
	const struct json *member;

	for (size_t i = 0; json_kind(value) == JSON_OBJECT && i < json_length(wanted); i++) {
		struct str key = json_text(json_at(wanted, i));

		if (++c->work >= WORK_MOST)
			return fail_size(c);
		if (key.ptr && !schema_find(c, value, key, &member))
			return fail_name(c, "lacks", key, "requires");
	}
	return true;
}

/* --- subschemas --- */

static bool check_items(struct check *c, const struct json *schema, const struct json *value)
{
	const struct json *items = json_get(schema, "items"), *first = json_get(schema, "prefixItems");
	size_t len = c->path.len;

	for (size_t i = 0; i < json_length(value) && (items || i < json_length(first)); i++) {
		const struct json *wanted = i < json_length(first) ? json_at(first, i) : items;

		buf_printf(&c->path, "[%zu]", i);
		if (wanted && !check_value(c, wanted, json_at(value, i)))
			return false;
		pop_to(c, len);
	}
	return true;
}

static bool check_members(struct check *c, const struct json *schema, const struct json *value)
{
	const struct json *properties = json_get(schema, "properties"), *others = NULL, *wanted;
	/* Patterns are not supported, so they may allow any member. */
	bool closed = schema_find(c, schema, STR("additionalProperties"), &others) && !json_get(schema, "patternProperties");
	struct json_member m = { 0 };
	bool allowed = true;
	size_t len = c->path.len;

	if (json_flag(others, &allowed) && allowed)
		closed = false;
	while ((properties || closed) && json_next(value, &m)) {
		bool known = schema_find(c, properties, m.key, &wanted);

		if (!known && closed && !allowed)
			return fail_name(c, "has", m.key, "does not allow");
		if (!known && !closed && ++c->work >= WORK_MOST)
			return fail_size(c);
		if (!known && !closed)
			continue;
		push_name(c, m.key);
		if (!check_value(c, known ? wanted : others, m.value))
			return false;
		pop_to(c, len);
	}
	return true;
}

/* Counts the alternatives that match. `c->why` is unchanged; `first` receives the first alternative's failure. */
static size_t count_fitting(struct check *c, const struct json *schemas, const struct json *value, struct error *first)
{
	struct error *why = c->why, ignored = { "" };
	size_t fitting = 0, len = c->path.len;

	for (size_t i = 0; i < json_length(schemas); i++) {
		c->why = i ? &ignored : first;
		fitting += check_value(c, json_at(schemas, i), value);
		pop_to(c, len);
	}
	c->why = why;
	return fitting;
}

static bool check_alternatives(struct check *c, const struct json *schemas, const struct json *value, bool only_one)
{
	struct error first = { "" };

	if (json_kind(schemas) != JSON_ARRAY || !json_length(schemas))
		return true;
	size_t fitting = count_fitting(c, schemas, value, &first);
	if (!fitting)
		return error_set(c->why, "%s fits none of the %zu alternatives of the schema (of the first: %.500s)", buf_z(&c->path),
		                 json_length(schemas), first.text);
	if (only_one && fitting > 1)
		return error_set(c->why, "%s fits %zu alternatives of the schema, which wants exactly one to fit", buf_z(&c->path), fitting);
	return true;
}

static bool check_all_of(struct check *c, const struct json *schemas, const struct json *value)
{
	for (size_t i = 0; i < json_length(schemas); i++)
		if (!check_value(c, json_at(schemas, i), value))
			return false;
	return true;
}

/* Resolves a reference; NULL if it is not supported. */
static const struct json *resolve_reference(struct check *c, struct str reference)
{
	static const struct { const char *prefix, *member; } places[] = {
		{ "#/$defs/", "$defs" }, { "#/definitions/", "definitions" },
	};
	const struct json *schema = NULL;
	if (str_is(reference, "#"))
		return c->root;
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (str_starts(reference, places[i].prefix))
			schema_find(c, json_get(c->root, places[i].member), str_skip(reference, strlen(places[i].prefix)), &schema);
	return schema;
}

static bool check_keywords(struct check *c, const struct json *schema, const struct json *value)
{
	static const struct {
		const char *name;
		bool (*check)(struct check *c, const struct json *wanted, const struct json *value);
	} keywords[] = {
		{ "type", check_type }, { "enum", check_enum }, { "const", check_const },
		{ "minimum", check_minimum }, { "maximum", check_maximum },
		{ "exclusiveMinimum", check_above }, { "exclusiveMaximum", check_below },
		{ "minLength", check_min_length }, { "maxLength", check_max_length },
		{ "minItems", check_min_items }, { "maxItems", check_max_items },
		{ "required", check_required }, { "allOf", check_all_of },
	};
	const struct json *wanted;
	for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (schema_find(c, schema, str_from(keywords[i].name), &wanted) && !keywords[i].check(c, wanted, value))
			return false;
	return true;
}

static bool check_object_schema(struct check *c, const struct json *schema, const struct json *value)
{
	const struct json *referred = resolve_reference(c, json_get_text(schema, "$ref"));

	return (!referred || check_value(c, referred, value)) && check_keywords(c, schema, value) && check_items(c, schema, value) &&
	       check_members(c, schema, value) && check_alternatives(c, json_get(schema, "anyOf"), value, false) &&
	       check_alternatives(c, json_get(schema, "oneOf"), value, true);
}

static bool check_value(struct check *c, const struct json *schema, const struct json *value)
{
	bool allowed, follows;

	if (json_flag(schema, &allowed))
		return allowed || error_set(c->why, "%s is there, which the schema does not allow", buf_z(&c->path));
	if (c->depth == DEPTH_MOST || c->work >= WORK_MOST)
		return fail_size(c);
	c->depth++;
	c->work++;
	follows = check_object_schema(c, schema, value);
	c->depth--;
	return follows;
}

bool schema_check(struct str schema, struct str answer, struct error *why)
{
	struct json_parser *parsers[2] = { json_parser_new(), json_parser_new() };
	struct check c = { .why = why };
	size_t used;
	bool follows;

	buf_init(&c.path, PATH_BYTES);
	buf_add_byte(&c.path, '$');
	if (!json_scan_is_whole(schema) || !(c.root = json_parse(parsers[0], schema, &used)))
		follows = error_set(why, "the schema is not valid JSON");
	else if (str_is_blank(answer))
		follows = error_set(why, "it is empty, the schema wants JSON");
	else if (!json_scan_is_whole(answer))
		follows = error_set(why, "it is not valid JSON");
	else
		follows = check_value(&c, c.root, json_parse(parsers[1], answer, &used));
	json_parser_free(parsers[0]);
	json_parser_free(parsers[1]);
	buf_fini(&c.path);
	return follows;
}

void schema_explain(struct str schema, struct str answer, struct buf *out)
{
	struct error why = { "" };

	if (schema_check(schema, answer, &why))
		buf_add_z(out, "The answer is JSON that follows the schema.");
	else
		buf_printf(out, "The answer does not follow the schema: %s.", why.text);
}
