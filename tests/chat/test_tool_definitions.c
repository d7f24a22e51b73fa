/* Files of tools: every common shape becomes the one that requests are made from, and what is none is told. */
#include "chat/provider/tool_definitions.h"

#include "support/check.h"

#define SCHEMA "{'type':'object','properties':{'at':{'type':'string'}}}"
#define LOOK "{'type':'function','function':{'name':'look','description':'Looks.','parameters':" SCHEMA "}}"
#define FLAT "'name':'look','description':'Looks.'"

static const struct { const char *file, *read; } shapes[] = {
	{ "[" LOOK "]", "[" LOOK "]" },
	{ LOOK, "[" LOOK "]" },
	{ "[{'type':'function'," FLAT ",'parameters':" SCHEMA "}]", "[" LOOK "]" },
	{ "[{" FLAT ",'parameters':" SCHEMA "}]", "[" LOOK "]" },
	{ "[{" FLAT ",'input_schema':" SCHEMA "}]", "[" LOOK "]" },
	{ "[{'type':'custom'," FLAT ",'input_schema':" SCHEMA ",'cache_control':{'type':'ephemeral'}}]", "[" LOOK "]" },
	{ "{'functionDeclarations':[{" FLAT ",'parameters':{'type':'OBJECT','properties':{'at':{'type':'STRING'}}}}]}", "[" LOOK "]" },
	{ "{'tools':[{'function_declarations':[{" FLAT ",'parametersJsonSchema':" SCHEMA "},{'name':'go'}]}]}",
	  "[" LOOK ",{'type':'function','function':{'name':'go'}}]" },
	{ "{'tools':[{" FLAT ",'inputSchema':" SCHEMA ",'annotations':{'title':'x'}}],'nextCursor':'c'}", "[" LOOK "]" },
	{ "{'jsonrpc':'2.0','id':1,'result':{'tools':[{" FLAT ",'inputSchema':" SCHEMA "}]}}", "[" LOOK "]" },
	{ "[{'type':'function','name':'look','strict':true}]", "[{'type':'function','function':{'name':'look','strict':true}}]" },
	{ "[]", "[]" },
	{ "{'tools':[]}", "[]" },
	/* a text that looks like a type stays */
	{ "{'functionDeclarations':[{'name':'look','description':'\\'type\\':\\'STRING\\'','parameters':{'type':'OBJECT','description':'\\'type\\':\\'STRING\\''}}]}",
	  "[{'type':'function','function':{'name':'look','description':'\\'type\\':\\'STRING\\'',"
	  "'parameters':{'type':'object','description':'\\'type\\':\\'STRING\\''}}}]" },
};

static const struct { const char *file, *error; } wrong[] = {
	{ "3", "f: it holds no tool definitions: expected is OpenAI's" },
	{ "{}", "f: definition 1 has no name: expected is OpenAI's" },
	{ "[" LOOK ",{'input_schema':{}}]", "f: definition 2 has no name" },
	{ "[{'functionDeclarations':[{'name':'a'},7]}]", "f: definition 2 has no name" },
	{ "[{'type':'web_search_20250305','name':'web_search'}]", "f: definition 1 is web_search_20250305, which a server runs: /server-tools asks for such" },
	{ "[{'type':'mcp','server_url':'x'}]", "f: definition 1 is mcp, which a server runs" },
};

static bool read_file(const char *text, struct buf *out, size_t *count, struct error *err)
{
	struct json_parser *parser = json_parser_new();
	struct buf quoted = { 0 };
	size_t used;

	for (; *text; text++)
		buf_add_byte(&quoted, *text == '\'' ? '"' : *text);
	bool good = tool_definitions_read(json_parse(parser, buf_str(&quoted), &used), "f", out, count, err);
	buf_fini(&quoted);
	json_parser_free(parser);
	return good;
}

static void every_shape_becomes_one(void)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		struct buf out = { 0 }, expected = { 0 };
		struct error err = { "" };
		size_t count = 99;

		for (const char *at = shapes[i].read; *at; at++)
			buf_add_byte(&expected, *at == '\'' ? '"' : *at);
		CHECK(read_file(shapes[i].file, &out, &count, &err), "%s: %s", shapes[i].file, err.text);
		CHECK_STR(buf_str(&out), buf_z(&expected));
		CU_ASSERT(count < 3);
		buf_fini(&out);
		buf_fini(&expected);
	}
}

static void what_is_none_is_told(void)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct buf out = { 0 };
		struct error err = { "" };
		size_t count;

		CU_ASSERT_FALSE(read_file(wrong[i].file, &out, &count, &err));
		CHECK(str_starts(str_from(err.text), wrong[i].error), "%s", err.text);
		buf_fini(&out);
	}
}

const struct suite suite_tool_definitions = { "tool_definitions", (const struct test[]){
	TEST(every_shape_becomes_one),
	TEST(what_is_none_is_told),
	{ 0 },
} };
