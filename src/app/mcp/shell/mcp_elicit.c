#include "app/mcp/shell/mcp_shell.h"

#include <string.h>

#include "app/mcp/mcp_form.h"

static void elicit_decline(struct buf *result)
{
	buf_clear(result);
	buf_add_z(result, "{\"action\":\"decline\"}");
}

/* What a property of the form gets; NULL: nothing. */
static const struct json *value_of(const struct json *given, struct str key, const struct json *property)
{
	struct json_member member = { 0 };

	while (json_next(given, &member))
		if (str_equal(member.key, key))
			return member.value;
	return json_get(property, "default");
}

/* False: a property lacks its value. */
static bool elicit_fill(const struct json *schema, const struct json *given, struct json_writer *w, struct error *err)
{
	const struct json *properties = json_get(schema, "properties");
	struct json_member property = { 0 };

	while (json_next(properties, &property)) {
		const struct json *value = value_of(given, property.key, property.value);
		struct buf text = { 0 };

		if (!value && mcp_form_requires(schema, property.key))
			return error_set(err, "it needs \"%.*s\", which --elicit does not give", STR_ARG(str_head(property.key, 100)));
		if (!value)
			continue;
		json_key_str(w, property.key);
		json_dump(value, &text);
		json_verbatim(w, buf_str(&text));
		buf_fini(&text);
	}
	return true;
}

void mcp_elicit(const struct json *params, const char *given, struct buf *result, struct error *err)
{
	struct str mode = json_get_text(params, "mode");
	struct json_parser *parser = json_parser_new();
	const struct json *members = NULL;
	struct json_writer w;
	size_t used = 0;

	elicit_decline(result);
	if (given && mode.len && !str_is(mode, "form")) {
		error_set(err, "it is no form, but of mode \"%.*s\"", STR_ARG(str_head(mode, 40)));
	} else if (given) {
		if (strcmp(given, "defaults") != 0)
			members = json_parse(parser, str_from(given), &used);
		buf_clear(result);
		json_writer_init(&w, result);
		json_open_object(&w);
		json_member_string(&w, "action", STR("accept"));
		json_key(&w, "content");
		json_open_object(&w);
		if (elicit_fill(json_get(params, "requestedSchema"), members, &w, err)) {
			json_close_object(&w);
			json_close_object(&w);
		} else {
			elicit_decline(result);
		}
	}
	json_parser_free(parser);
}
