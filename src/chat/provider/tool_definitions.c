#include "chat/provider/tool_definitions.h"

#include "base/array.h"
#include "base/json_write.h"

#define SHAPES "expected is OpenAI's {\"type\":\"function\",\"function\":{\"name\":...,\"parameters\":...}} or a flat one, Anthropic's with " \
	"input_schema, Gemini's functionDeclarations, or MCP's tools/list"

struct reading {
	struct json_writer w;
	const char *file;
	size_t count;
	struct error *err;
};

static const struct json *tool_first(const struct json *object, const char *const *names, size_t count)
{
	const struct json *value = NULL;

	for (size_t i = 0; !value && i < count; i++)
		value = json_get(object, names[i]);
	return value;
}
#define TOOL_FIRST(object, ...) tool_first(object, (const char *const[]){ __VA_ARGS__ }, ARRAY_LEN(((const char *const[]){ __VA_ARGS__ })))

/* Gemini's schemas have "STRING" where JSON Schema has "string". A quote within a text is escaped, so that none is found there. */
static void tool_lower_types(struct buf *schema)
{
	const struct str type = STR("\"type\":\"");

	for (size_t at = 0; at < schema->len;) {
		at += str_find(str_skip(buf_str(schema), at), type) + type.len;
		for (; at < schema->len && schema->ptr[at] >= 'A' && schema->ptr[at] <= 'Z'; at++)
			schema->ptr[at] = (char)(schema->ptr[at] - 'A' + 'a');
	}
}

/* An object with name, description and parameters under one of their names. */
static bool tool_read(struct reading *r, const struct json *function, bool is_gemini)
{
	const struct json *parameters =
		TOOL_FIRST(function, "parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema");
	struct str name = json_get_text(function, "name"), description = json_get_text(function, "description");
	struct buf schema = { 0 };
	bool strict;

	r->count++;
	if (!name.len)
		return error_set(r->err, "%s: definition %zu has no name: " SHAPES, r->file, r->count);
	json_open_object(&r->w);
	json_member_string(&r->w, "type", STR("function"));
	json_key(&r->w, "function");
	json_open_object(&r->w);
	json_member_string(&r->w, "name", name);
	if (description.len)
		json_member_string(&r->w, "description", description);
	if (json_kind(parameters) == JSON_OBJECT) {
		json_dump(parameters, &schema);
		if (is_gemini)
			tool_lower_types(&schema);
		json_member_verbatim(&r->w, "parameters", buf_str(&schema));
		buf_fini(&schema);
	}
	if (json_flag(json_get(function, "strict"), &strict))
		json_member_boolean(&r->w, "strict", strict);
	json_close_object(&r->w);
	json_close_object(&r->w);
	return true;
}

static bool tool_read_any(struct reading *r, const struct json *definition)
{
	const struct json *several = TOOL_FIRST(definition, "functionDeclarations", "function_declarations");
	const struct json *function = json_get(definition, "function");
	struct str type = json_get_text(definition, "type");
	bool good = true;

	if (json_kind(several) == JSON_ARRAY) {
		for (size_t i = 0; good && i < json_length(several); i++)
			good = tool_read(r, json_at(several, i), true);
		return good;
	}
	if (type.len && !str_is(type, "function") && !json_get(definition, "input_schema"))
		return error_set(r->err, "%s: definition %zu is %.*s, which a server runs: /server-tools asks for such", r->file, r->count + 1,
		                 STR_ARG(str_head(type, 60)));
	return tool_read(r, function ? function : definition, false);
}

bool tool_definitions_read(const struct json *value, const char *file, struct buf *out, size_t *count, struct error *err)
{
	struct reading r = { .file = file, .err = err };
	const struct json *list = TOOL_FIRST(json_get(value, "result") ? json_get(value, "result") : value, "tools");
	bool good = true;

	list = json_kind(value) == JSON_ARRAY ? value : list;
	if (json_kind(value) != JSON_ARRAY && json_kind(value) != JSON_OBJECT)
		return error_set(err, "%s: it holds no tool definitions: " SHAPES, file);
	json_writer_init(&r.w, out);
	json_open_array(&r.w);
	for (size_t i = 0; good && list && i < json_length(list); i++)
		good = tool_read_any(&r, json_at(list, i));
	if (!list)
		good = tool_read_any(&r, value);
	if (good)
		json_close_array(&r.w);
	*count = r.count;
	return good;
}
