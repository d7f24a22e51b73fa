/* What servers ask the user for: which forms can be shown, what may be typed into their fields, and what is sent. */
#include "app/mcp/mcp_form.h"

#include <string.h>

#include "base/mem.h"
#include "support/check.h"

static bool form_of(struct mcp_form *form, const char *params, struct error *why)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	bool good;

	*why = (struct error){ "" };
	good = mcp_form_read(form, json_parse(parser, str_from(params), &used), why);
	json_parser_free(parser);
	return good;
}

#define FORM(properties) "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{" properties "}}}"
#define FIELD(schema) FORM("\"a\":" schema)

static void what_is_typed_is_checked_and_sent_as_its_type(void)
{
	static const struct { const char *schema, *typed, *sent, *wrong; } rows[] = {
		{ "{\"type\":\"string\"}", "x \"y\"", "\"x \\\"y\\\"\"", NULL },
		{ "{\"type\":\"string\"}", "", NULL, "a is required" },
		{ "{\"type\":\"string\",\"title\":\"T\",\"minLength\":3}", "ab", NULL, "T: has 2 characters, the schema wants at least 3" },
		{ "{\"type\":\"string\",\"maxLength\":1}", "ab", NULL, "a: has 2 characters, the schema wants at most 1" },
		{ "{\"type\":\"string\",\"format\":\"email\"}", "a@b", "\"a@b\"", NULL },
		{ "{\"type\":\"string\",\"format\":\"email\"}", "@b", NULL, "a: that is not of the format email" },
		{ "{\"type\":\"string\",\"format\":\"uri\"}", "x:y", "\"x:y\"", NULL },
		{ "{\"type\":\"string\",\"format\":\"uri\"}", "x y:z", NULL, "a: that is not of the format uri" },
		{ "{\"type\":\"string\",\"format\":\"date\"}", "2026-02-29", "\"2026-02-29\"", NULL },
		{ "{\"type\":\"string\",\"format\":\"date\"}", "2026-13-01", NULL, "a: that is not of the format date" },
		{ "{\"type\":\"string\",\"format\":\"date\"}", "2026-02-29T", NULL, "a: that is not of the format date" },
		{ "{\"type\":\"string\",\"format\":\"date-time\"}", "2026-02-28T23:59:59.5+01:00", "\"2026-02-28T23:59:59.5+01:00\"", NULL },
		{ "{\"type\":\"string\",\"format\":\"date-time\"}", "2026-02-28T24:00:00Z", NULL, "a: that is not of the format date-time" },
		{ "{\"type\":\"number\"}", "1.5", "1.5", NULL },
		{ "{\"type\":\"number\"}", "1.5x", NULL, "a: that is no number" },
		{ "{\"type\":\"integer\"}", "1.5", NULL, "a: is 1.5, the schema wants a whole number" },
		{ "{\"type\":\"integer\",\"minimum\":2}", "1", NULL, "a: is 1, the schema wants at least 2" },
		{ "{\"type\":\"integer\",\"maximum\":2}", "3", NULL, "a: is 3, the schema wants at most 2" },
		{ "{\"type\":\"boolean\"}", "yes", "true", NULL }, { "{\"type\":\"boolean\"}", "No", "false", NULL },
		{ "{\"type\":\"boolean\"}", "maybe", NULL, "a: yes or no" },
		{ "{\"type\":\"string\",\"enum\":[\"r\",\"g\"]}", "g", "\"g\"", NULL },
		{ "{\"type\":\"string\",\"enum\":[\"r\",\"g\"]}", "b", NULL, "a: that is none of its words" },
		{ "{\"type\":\"string\",\"enum\":[\"r\",\"g\"],\"enumNames\":[\"Red\",\"Green\"]}", "green", "\"g\"", NULL },
		{ "{\"type\":\"string\",\"oneOf\":[{\"const\":\"#f\",\"title\":\"Red\"}]}", "Red", "\"#f\"", NULL },
		{ "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"r\",\"g\",\"b\"]}}", "g, 3", "[\"g\",\"b\"]", NULL },
		{ "{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"#f\",\"title\":\"Red\"}]}}", "red", "[\"#f\"]", NULL },
		{ "{\"type\":\"array\",\"items\":{\"enum\":[\"r\"]}}", "r, 9", NULL, "a: there is no \"9\" to choose" },
		{ "{\"type\":\"array\",\"maxItems\":1,\"items\":{\"enum\":[\"r\",\"g\"]}}", "r,g", NULL, "a: has 2 items, the schema wants at most 1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char params[600], wanted[200];
		struct mcp_form form;
		struct error why;
		struct buf out = { 0 };

		snprintf(params, sizeof params, FIELD("%s"), rows[i].schema);
		CHECK(form_of(&form, params, &why), "%s: %s", rows[i].schema, why.text);
		bool good = mcp_field_check(&form.fields[0], str_from(rows[i].typed), &why);
		CHECK(good == !rows[i].wrong && (good || !strcmp(why.text, rows[i].wrong)), "%s %s: %s", rows[i].schema, rows[i].typed, why.text);
		if (rows[i].sent) {
			char *typed = mem_dup_z(rows[i].typed);
			mcp_form_write(&form, &typed, &out);
			mem_free(typed);
			snprintf(wanted, sizeof wanted, "{\"action\":\"accept\",\"content\":{\"a\":%s}}", rows[i].sent);
			CHECK_STR(buf_str(&out), wanted);
		}
		buf_fini(&out);
		mcp_form_fini(&form);
	}
}

static void defaults_are_typed_in_if_they_are_valid(void)
{
	static const struct { const char *schema, *initial; } rows[] = {
		{ "{\"type\":\"string\",\"default\":\"x\"}", "x" }, { "{\"type\":\"number\",\"default\":1.50}", "1.50" },
		{ "{\"type\":\"boolean\",\"default\":false}", "no" }, { "{\"type\":\"integer\",\"default\":7,\"maximum\":5}", NULL },
		{ "{\"enum\":[\"r\",\"g\"],\"enumNames\":[\"Red\",\"Green\"],\"default\":\"g\"}", "Green" }, { "{\"enum\":[\"r\"],\"default\":\"x\"}", NULL },
		{ "{\"type\":\"array\",\"items\":{\"enum\":[\"r\",\"g\"]},\"default\":[\"g\",\"x\",\"r\"]}", "g, r" },
		{ "{\"type\":\"string\",\"title\":\"Password\",\"default\":\"x\"}", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char params[600];
		struct mcp_form form;
		struct error why;

		snprintf(params, sizeof params, FIELD("%s"), rows[i].schema);
		CHECK(form_of(&form, params, &why), "%s: %s", rows[i].schema, why.text);
		CHECK_STR(str_from(form.fields[0].initial ? form.fields[0].initial : "none"), rows[i].initial ? rows[i].initial : "none");
		mcp_form_fini(&form);
	}
}

/* Behind a break, words of a server could look like those of weir: only its message has lines. */
static void words_of_a_field_are_one_line(void)
{
	struct mcp_form form;
	struct error why;

	CHECK(form_of(&form, "{\"message\":\"one\\ntwo\",\"requestedSchema\":{\"properties\":{\"a\\nb\":{\"type\":\"string\",\"description\":\"c\\r\\nd\"},"
	              "\"e\":{\"enum\":[\"f\\ng\"],\"title\":\"Name: x\\n  Key: nothing\"}}}}", &why), "%s", why.text);
	CHECK_STR(str_from(form.message), "one\ntwo");
	CHECK_STR(str_from(form.fields[0].title), "a b");
	CHECK_STR(str_from(form.fields[0].name), "a\nb");
	CHECK_STR(str_from(form.fields[0].about), "c  d");
	CHECK_STR(str_from(form.fields[1].title), "Name: x   Key: nothing");
	CHECK_STR(str_from(form.fields[1].words[0].title), "f g");
	CHECK_STR(str_from(form.fields[1].words[0].value), "f\ng");
	mcp_form_fini(&form);
}

static void what_looks_like_a_secret_is_one(void)
{
	static const struct { const char *name, *more; bool is_secret; } rows[] = {
		{ "password", "", true }, { "x", ",\"format\":\"password\"", true }, { "x", ",\"title\":\"Your Access Token\"", true }, { "apiKey", "", true },
		{ "API_KEY", "", true }, { "key", "", true }, { "keyboard", "", false }, { "monkey", "", false }, { "pin", "", true }, { "spinner", "", false },
		{ "x", ",\"description\":\"the client secret of the app\"", true }, { "author", "", false }, { "name", "", false }, { "CardNumber", "", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char params[600];
		struct mcp_form form;
		struct error why;

		snprintf(params, sizeof params, FORM("\"%s\":{\"type\":\"string\"%s}"), rows[i].name, rows[i].more);
		CHECK(form_of(&form, params, &why), "%s", why.text);
		CHECK(form.fields[0].is_secret == rows[i].is_secret, "%s%s", rows[i].name, rows[i].more);
		mcp_form_fini(&form);
	}
}

static void what_cannot_be_shown_is_refused(void)
{
	static const struct { const char *params, *why; } rows[] = {
		{ "{\"message\":\"m\"}", "its form has no schema" },
		{ FIELD("{\"type\":\"object\",\"properties\":{}}"), "its form has a field that cannot be shown: \"a\"" },
		{ FIELD("{\"type\":\"array\",\"items\":{\"type\":\"object\"}}"), "its form has a field that cannot be shown: \"a\"" },
		{ FIELD("{\"enum\":[1,2]}"), "its form has a field that cannot be shown: \"a\"" },
		{ "{\"mode\":\"url\",\"url\":\"ftp://x/\"}", "its page has no address that begins with https:// or http://" },
		{ "{\"mode\":\"url\",\"url\":\"https:///x\"}", "its page has no address that begins with https:// or http://" },
		{ "{\"mode\":\"url\",\"url\":\"javascript:alert(1)\"}", "its page has no address that begins with https:// or http://" },
		{ "{\"mode\":\"url\",\"url\":\"https://bank.example@evil.example/\"}", "the address of its page has a user before its host" },
		{ "{\"mode\":\"url\",\"url\":\"https://a.example/\\u202ex\"}", "the address of its page has characters that an address cannot have" },
		{ "{\"mode\":\"url\",\"url\":\"https://a.example/ --help\"}", "the address of its page has characters that an address cannot have" },
		{ "{\"mode\":\"url\"}", "its page has no address that begins with https:// or http://" },
	};
	struct mcp_form form;
	struct error why;
	struct buf many = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK(!form_of(&form, rows[i].params, &why), "%s", rows[i].params);
		CHECK_STR(str_from(why.text), rows[i].why);
	}
	for (size_t count = MCP_FORM_FIELDS; count <= MCP_FORM_FIELDS + 1; count++) {
		buf_clear(&many);
		buf_add_z(&many, "{\"requestedSchema\":{\"properties\":{");
		for (size_t i = 0; i < count; i++)
			buf_printf(&many, "%s\"f%zu\":{\"type\":\"string\"}", i ? "," : "", i);
		buf_add_z(&many, "}}}");
		CHECK(form_of(&form, buf_z(&many), &why) == (count <= MCP_FORM_FIELDS), "%zu: %s", count, why.text);
		mcp_form_fini(&form);
	}
	buf_clear(&many);
	buf_add_z(&many, "{\"message\":\"");
	for (size_t i = 0; i < MCP_FORM_BYTES; i++)
		buf_add_byte(&many, 'x');
	buf_add_z(&many, "\",\"requestedSchema\":{\"properties\":{}}}");
	CHECK(!form_of(&form, buf_z(&many), &why) && !strcmp(why.text, "its form is larger than 64 KB"), "%s", why.text);
	buf_fini(&many);
}

const struct suite suite_mcp_form = { "mcp_form", (const struct test[]){
	TEST(what_is_typed_is_checked_and_sent_as_its_type), TEST(defaults_are_typed_in_if_they_are_valid), TEST(what_looks_like_a_secret_is_one),
	TEST(what_cannot_be_shown_is_refused), TEST(words_of_a_field_are_one_line), { 0 } } };
