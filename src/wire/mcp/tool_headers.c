#include "base/base64.h"
#include "base/json.h"
#include "wire/mcp/content.h"

#include <string.h>

#define ANNOTATION "x-mcp-header"
#define SAFE_MOST 9007199254740991.0
#define HEADERS_MOST 64u

/* --- which headers a schema names --- */

struct found { struct str names[HEADERS_MOST]; size_t count; };

static bool found_add(struct found *found, const struct json *property, const struct json *annotation, struct error *err)
{
	struct str name = json_text(annotation), type = json_get_text(property, "type");

	if (!str_is_token(name))
		return error_set(err, ANNOTATION " \"%.*s\" is no name of a header", STR_ARG(str_head(name, 100)));
	if (!str_is(type, "string") && !str_is(type, "integer") && !str_is(type, "boolean"))
		return error_set(err, ANNOTATION " %.*s is on a property that is no string, integer or boolean", STR_ARG(str_head(name, 100)));
	for (size_t i = 0; i < found->count; i++)
		if (found->names[i].len == name.len && str_has_nocase(found->names[i], name))
			return error_set(err, ANNOTATION " %.*s stands there twice", STR_ARG(str_head(name, 100)));
	if (found->count == HEADERS_MOST)
		return error_set(err, "it has more than %u " ANNOTATION, HEADERS_MOST);
	found->names[found->count++] = name;
	return true;
}

/* `reachable`: by members of `properties` only, from the root. `named`: the members of the value are names of properties, not keywords. */
static bool find_headers(const struct json *value, bool reachable, bool is_root, struct found *found, struct error *err)
{
	const struct json *annotation = json_get(value, ANNOTATION);
	struct json_member member = { 0 }, property = { 0 };

	for (size_t i = 0; i < json_length(value); i++)
		if (!find_headers(json_at(value, i), false, false, found, err))
			return false;
	if (annotation && (!reachable || is_root))
		return error_set(err, ANNOTATION " stands where no argument is named by properties alone");
	if (annotation && !found_add(found, value, annotation, err))
		return false;
	while (json_next(value, &member)) {
		if (!str_is(member.key, "properties")) {
			if (!find_headers(member.value, false, false, found, err))
				return false;
			continue;
		}
		property = (struct json_member){ 0 };
		while (json_next(member.value, &property))
			if (!find_headers(property.value, reachable, false, found, err))
				return false;
	}
	return true;
}

bool mcp_tool_headers_check(const struct json *schema, struct error *err)
{
	struct found found = { .count = 0 };

	return find_headers(schema, true, true, &found, err);
}

/* --- their values --- */

static bool is_plain(struct str value)
{
	bool marked = str_starts(value, "=?base64?") && str_ends(value, "?=");

	for (size_t i = 0; i < value.len; i++)
		if ((unsigned char)value.ptr[i] < 0x20 || (unsigned char)value.ptr[i] > 0x7E)
			return false;
	return !marked && str_trim(value).len == value.len;
}

void mcp_header_write_value(struct str value, struct buf *out)
{
	if (is_plain(value)) {
		buf_add(out, value);
		return;
	}
	buf_add_z(out, "=?base64?");
	base64_encode(value, out);
	buf_add_z(out, "?=");
}

static void write_header(const struct json *property, const struct json *value, struct buf *lines)
{
	struct str name = json_get_text(property, ANNOTATION), text;
	struct buf scratch = { 0 };
	double number;

	if (name.len && json_scalar(value, &scratch, &text) && (!json_number(value, &number) || (number <= SAFE_MOST && number >= -SAFE_MOST))) {
		buf_printf(lines, "Mcp-Param-%.*s: ", STR_ARG(name));
		mcp_header_write_value(text, lines);
		buf_add_byte(lines, '\n');
	}
	buf_fini(&scratch);
}

void mcp_tool_headers_write(const struct json *schema, const struct json *arguments, struct buf *lines)
{
	const struct json *properties = json_get(schema, "properties");
	struct json_member property = { 0 };

	while (json_next(properties, &property)) {
		struct json_member argument = { 0 };

		while (json_next(arguments, &argument))
			if (str_equal(argument.key, property.key)) {
				write_header(property.value, argument.value, lines);
				mcp_tool_headers_write(property.value, argument.value, lines);
			}
	}
}
