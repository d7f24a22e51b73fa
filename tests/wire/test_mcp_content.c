/* What results of MCP servers hold, headers from arguments, and lines of a standard output. */
#include "wire/mcp/content.h"

#include <string.h>

#include "support/check.h"
#include "wire/mcp/rpc.h"
#include "wire/mcp/rpc_lines.h"

static const struct json *parsed(struct json_parser *parser, const char *text)
{
	size_t used;
	const struct json *value = json_parse(parser, str_from(text), &used);

	CHECK(value != NULL, "%s", text);
	return value;
}

static void content_is_of_its_kind(void)
{
	static const struct { const char *json; bool good; enum mcp_content_kind kind; const char *text, *data, *uri; } cases[] = {
		{ "{\"type\":\"text\",\"text\":\"a\"}", true, MCP_TEXT, "a", "", "" },
		{ "{\"type\":\"text\"}", false, MCP_TEXT, "", "", "" },
		{ "{\"type\":\"image\",\"data\":\"QQ==\",\"mimeType\":\"image/png\"}", true, MCP_IMAGE, "", "QQ==", "" },
		{ "{\"type\":\"audio\"}", false, MCP_AUDIO, "", "", "" },
		{ "{\"type\":\"resource_link\",\"uri\":\"u:1\",\"name\":\"n\"}", true, MCP_LINK, "", "", "u:1" },
		{ "{\"type\":\"resource\",\"resource\":{\"uri\":\"u:2\",\"text\":\"t\"}}", true, MCP_RESOURCE, "t", "", "u:2" },
		{ "{\"type\":\"resource\",\"resource\":{\"uri\":\"u:2\",\"blob\":\"QQ==\"}}", true, MCP_RESOURCE, "", "QQ==", "u:2" },
		{ "{\"type\":\"resource\",\"resource\":{\"uri\":\"u:2\"}}", false, MCP_RESOURCE, "", "", "u:2" },
		{ "{\"type\":\"resource\"}", false, MCP_RESOURCE, "", "", "" },
		{ "{\"type\":\"hologram\"}", true, MCP_OTHER, "", "", "" },
		{ "3", false, MCP_OTHER, "", "", "" },
	};
	struct json_parser *parser = json_parser_new();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mcp_content content;
		bool good = mcp_content_read(parsed(parser, cases[i].json), &content);

		CHECK(good == cases[i].good && content.kind == cases[i].kind && str_is(content.text, cases[i].text) && str_is(content.data, cases[i].data) &&
		      str_is(content.uri, cases[i].uri), "%s", cases[i].json);
	}
	json_parser_free(parser);
}

static void an_item_has_a_name(void)
{
	struct json_parser *parser = json_parser_new();
	struct mcp_item item;

	CU_ASSERT(mcp_item_read(parsed(parser, "{\"name\":\"n\",\"inputSchema\":{},\"description\":\"d\"}"), &item));
	CU_ASSERT(item.input && !item.output && str_is(item.description, "d"));
	CU_ASSERT(mcp_item_read(parsed(parser, "{\"uri\":\"u:1\"}"), &item) && str_is(item.name, "u:1"));
	CU_ASSERT(mcp_item_read(parsed(parser, "{\"uriTemplate\":\"u:{x}\",\"name\":\"n\"}"), &item) && str_is(item.uri, "u:{x}"));
	CU_ASSERT(!mcp_item_read(parsed(parser, "{\"title\":\"t\"}"), &item));
	json_parser_free(parser);
}

static void a_result_has_a_time_to_live(void)
{
	static const struct { const char *json; int64_t ms; } cases[] = {
		{ "{}", 0 }, { "{\"ttlMs\":5}", 5 }, { "{\"ttlMs\":-5}", 0 }, { "{\"ttlMs\":\"5\"}", 0 }, { "{\"ttlMs\":1e300}", 86400000 }, { "[]", 0 },
	};
	struct json_parser *parser = json_parser_new();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK(mcp_result_ttl_ms(parsed(parser, cases[i].json)) == cases[i].ms, "%s", cases[i].json);
	json_parser_free(parser);
}

/* --- headers --- */

#define SCHEMA(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"

static void a_schema_names_its_headers_soundly(void)
{
	static const struct { const char *schema, *wrong; } cases[] = {
		{ SCHEMA("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"object\",\"properties\":{\"c\":{\"type\":\"integer\",\"x-mcp-header\":\"C\"}}}"), NULL },
		{ SCHEMA("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}"), "is no name of a header" },
		{ SCHEMA("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a b\"}"), "is no name of a header" },
		{ SCHEMA("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a\\r\\nX\"}"), "is no name of a header" },
		{ SCHEMA("\"a\":{\"type\":\"string\",\"x-mcp-header\":3}"), "is no name of a header" },
		{ SCHEMA("\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}"), "no string, integer or boolean" },
		{ SCHEMA("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}"), "stands there twice" },
		{ SCHEMA("\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}"), "named by properties alone" },
		{ "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}]}", "named by properties alone" },
		{ "{\"type\":\"string\",\"x-mcp-header\":\"A\"}", "named by properties alone" },
		{ SCHEMA("\"properties\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}"), NULL },
		{ "{}", NULL },
	};
	struct json_parser *parser = json_parser_new();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = { "" };
		bool good = mcp_tool_headers_check(parsed(parser, cases[i].schema), &err);

		CHECK(good == !cases[i].wrong && (good || strstr(err.text, cases[i].wrong)), "%s: %s", cases[i].schema, err.text);
	}
	json_parser_free(parser);
}

static void arguments_become_headers(void)
{
	struct json_parser *one = json_parser_new(), *two = json_parser_new();
	struct buf lines = { 0 };

	mcp_tool_headers_write(parsed(one, SCHEMA("\"a\":{\"x-mcp-header\":\"A\"},\"b\":{\"x-mcp-header\":\"B\"},\"c\":{\"x-mcp-header\":\"C\"},"
	                                          "\"d\":{\"properties\":{\"e\":{\"x-mcp-header\":\"E\"}}},\"n\":{\"x-mcp-header\":\"N\"},\"o\":{}")),
	                       parsed(two, "{\"a\":\"x\",\"b\":42,\"c\":false,\"d\":{\"e\":\"l\\u00f6\"},\"n\":null,\"o\":\"plain\",\"z\":1}"), &lines);
	CHECK_STR(buf_str(&lines), "Mcp-Param-A: x\nMcp-Param-B: 42\nMcp-Param-C: false\nMcp-Param-E: =?base64?bMO2?=\n");
	buf_fini(&lines);
	json_parser_free(one);
	json_parser_free(two);
}

static void a_value_is_plain_or_in_base64(void)
{
	static const struct { const char *value, *header; } cases[] = {
		{ "us-west1", "us-west1" }, { "us west", "us west" }, { "", "" }, { "Hello, \xE4\xB8\x96\xE7\x95\x8C", "=?base64?SGVsbG8sIOS4lueVjA==?=" },
		{ " padded ", "=?base64?IHBhZGRlZCA=?=" }, { "line1\nline2", "=?base64?bGluZTEKbGluZTI=?=" }, { "\tx", "=?base64?CXg=?=" },
		{ "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = { 0 };

		mcp_header_write_value(str_from(cases[i].value), &out);
		CHECK_STR(buf_str(&out), cases[i].header);
		buf_fini(&out);
	}
}

/* --- lines --- */

static void add_line(void *ctx, struct str line)
{
	buf_printf(ctx, "<%.*s>", STR_ARG(line));
}

static void lines_are_cut_anywhere(void)
{
	static const char text[] = "one\n\n  \r\ntwo\r\nthree";

	for (size_t step = 1; step <= sizeof text; step++) {
		struct rpc_lines lines = { 0 };
		struct buf out = { 0 };

		for (size_t i = 0; i < sizeof text - 1; i += step)
			CU_ASSERT(rpc_lines_take(&lines, str_head(str_of(text + i, sizeof text - 1 - i), step), add_line, &out));
		CHECK_STR(buf_str(&out), "<one><two>");
		rpc_lines_fini(&lines);
		buf_fini(&out);
	}
}

static void a_line_has_a_limit(void)
{
	static char block[1 << 20];
	struct rpc_lines lines = { 0 };
	struct buf out = { 0 };
	size_t taken = 0;

	memset(block, 'x', sizeof block);
	while (taken < 2 * RPC_MESSAGE_MOST && rpc_lines_take(&lines, str_of(block, sizeof block), add_line, &out))
		taken += sizeof block;
	CU_ASSERT_EQUAL(taken, RPC_MESSAGE_MOST);
	CU_ASSERT(lines.begun.len <= RPC_MESSAGE_MOST && out.len == 0);
	rpc_lines_fini(&lines);
	buf_fini(&out);
}

const struct suite suite_mcp_content = { "mcp_content", (const struct test[]){
	TEST(content_is_of_its_kind), TEST(an_item_has_a_name), TEST(a_result_has_a_time_to_live), TEST(a_schema_names_its_headers_soundly), TEST(arguments_become_headers),
	TEST(a_value_is_plain_or_in_base64), TEST(lines_are_cut_anywhere), TEST(a_line_has_a_limit), { 0 } } };
