#include "chat/provider/schema.h"

#include <string.h>

#include "support/check.h"

/* In schemas and answers ' stands for ". */
static struct str unquote(const char *text, struct buf *out)
{
	buf_clear(out);
	for (; *text; text++)
		buf_add_byte(out, *text == '\'' ? '"' : *text);
	return buf_str(out);
}

/* `why` NULL: the answer follows the schema. */
static void check_one(const char *schema, const char *answer, const char *why, int line)
{
	struct buf texts[3] = { 0 };
	struct error err = { "" };

	bool follows = schema_check(unquote(schema, &texts[0]), unquote(answer, &texts[1]), &err);
	struct str expected = unquote(why ? why : "", &texts[2]);
	CHECK(follows == !why && str_equal(str_from(err.text), expected), "line %d: %s with %s: %s", line, answer, schema, err.text);
	for (size_t i = 0; i < 3; i++)
		buf_fini(&texts[i]);
}
#define FOLLOWS(schema, answer) check_one((schema), (answer), NULL, __LINE__)
#define FAILS(schema, answer, why) check_one((schema), (answer), (why), __LINE__)

static void wants_strict_json(void)
{
	FOLLOWS("{}", " {'a':[1,null]} ");
	FAILS("{}", "", "it is empty, the schema wants JSON");
	FAILS("{}", " \n", "it is empty, the schema wants JSON");
	FAILS("{}", "{'a':1,}", "it is not valid JSON");
	FAILS("{}", "{'a':1", "it is not valid JSON");
	FAILS("{}", "```json\n{}\n```", "it is not valid JSON");
	FAILS("{}", "{} {}", "it is not valid JSON");
	FAILS("{", "{}", "the schema is not valid JSON");
	FAILS("", "{}", "the schema is not valid JSON");
}

static void checks_types(void)
{
	FOLLOWS("{'type':'object'}", "{}");
	FAILS("{'type':'object'}", "[]", "$ is an array, the schema wants an object");
	FAILS("{'type':'string'}", "null", "$ is null, the schema wants a string");
	FOLLOWS("{'type':'null'}", "null");
	FAILS("{'type':'boolean'}", "0", "$ is a number, the schema wants a boolean");
	FOLLOWS("{'type':'integer'}", "1.0");
	FOLLOWS("{'type':'integer'}", "123456789012345678901234567890");
	FAILS("{'type':'integer'}", "1.5", "$ is 1.5, the schema wants a whole number");
	FAILS("{'type':'integer'}", "'1'", "$ is a string, the schema wants a whole number");
	FOLLOWS("{'type':['string','null']}", "null");
	FAILS("{'type':['string','null']}", "1", "$ is a number, the schema wants a string or null");
	FAILS("{'type':['string','number','null']}", "{}", "$ is an object, the schema wants a string, a number or null");
}

static void names_the_place(void)
{
	const char *schema = "{'properties':{'items':{'items':{'properties':{'price':{'type':'number'},'a b':{'type':'null'}}}}}}";

	FAILS(schema, "{'items':[{},{'price':2},{'price':'2'}]}", "$.items[2].price is a string, the schema wants a number");
	FAILS(schema, "{'items':[{'a b':1}]}", "$.items[0]['a b'] is a number, the schema wants null");
	FAILS("{'properties':{'':{'type':'null'}}}", "{'':1}", "$[''] is a number, the schema wants null");
	FAILS("{'properties':{'\\n\\u001b':{'type':'null'}}}", "{'\\n\\u001b':1}", "$['\\n\\u001b'] is a number, the schema wants null");
}

static void checks_members(void)
{
	FOLLOWS("{'required':['a']}", "{'a':null}");
	FAILS("{'required':['b','a']}", "{'b':1}", "$ lacks 'a', which the schema requires");
	FOLLOWS("{'required':['a']}", "[]");
	FOLLOWS("{'properties':{'a':{}}}", "{'b':1}");
	FOLLOWS("{'properties':{'a':{}},'additionalProperties':true}", "{'b':1}");
	FAILS("{'properties':{'a':{}},'additionalProperties':false}", "{'a':1,'b':1}", "$ has 'b', which the schema does not allow");
	FAILS("{'additionalProperties':false}", "{'b':1}", "$ has 'b', which the schema does not allow");
	FAILS("{'properties':{'a':{}},'additionalProperties':{'type':'string'}}", "{'a':1,'b':1}", "$.b is a number, the schema wants a string");
	FOLLOWS("{'patternProperties':{'^x':{}},'additionalProperties':false}", "{'x1':1}");
	FAILS("{'properties':{'a':false}}", "{'a':1}", "$.a is there, which the schema does not allow");
}

static void checks_values(void)
{
	FOLLOWS("{'enum':['a',1,null,[1,{'x':2}]]}", "[1.0,{'x':2}]");
	FOLLOWS("{'enum':['a',null]}", "null");
	FAILS("{'enum':['c','f']}", "'k'", "$ is 'k', the schema wants one of ['c','f']");
	FAILS("{'enum':[[1,2]]}", "[1]", "$ is an array, the schema wants one of [[1,2]]");
	FAILS("{'enum':[{'a':1}]}", "{'b':1}", "$ is an object, the schema wants one of [{'a':1}]");
	FOLLOWS("{'const':null}", "null");
	FAILS("{'const':null}", "0", "$ is 0, the schema wants exactly null");
	FOLLOWS("{'const':{'a':1,'b':2}}", "{'b':2,'a':1}");
}

static void checks_bounds(void)
{
	FOLLOWS("{'minimum':3,'maximum':3}", "3");
	FAILS("{'minimum':3}", "2.5", "$ is 2.5, the schema wants at least 3");
	FAILS("{'maximum':3}", "4", "$ is 4, the schema wants at most 3");
	FAILS("{'exclusiveMinimum':3}", "3", "$ is 3, the schema wants more than 3");
	FAILS("{'exclusiveMaximum':3}", "3", "$ is 3, the schema wants less than 3");
	FOLLOWS("{'minimum':3}", "'text'");
	FOLLOWS("{'minLength':2,'maxLength':2}", "'\xc3\xa9\xf0\x9f\x98\x80'");
	FAILS("{'minLength':2}", "'\xc3\xa9'", "$ has 1 character, the schema wants at least 2");
	FAILS("{'maxLength':2}", "'abc'", "$ has 3 characters, the schema wants at most 2");
	FOLLOWS("{'minItems':1,'maxItems':2}", "[1,2]");
	FAILS("{'minItems':1}", "[]", "$ has 0 items, the schema wants at least 1");
	FAILS("{'maxItems':1}", "[1,2]", "$ has 2 items, the schema wants at most 1");
	FAILS("{'prefixItems':[{'type':'string'}],'items':{'type':'number'}}", "['a','b']", "$[1] is a string, the schema wants a number");
	FAILS("{'items':false}", "[1]", "$[0] is there, which the schema does not allow");
}

static void checks_alternatives(void)
{
	FOLLOWS("{'anyOf':[{'type':'string'},{'type':'null'}]}", "null");
	FAILS("{'anyOf':[{'type':'string'},{'type':'null'}]}", "1",
	      "$ fits none of the 2 alternatives of the schema (of the first: $ is a number, the schema wants a string)");
	FAILS("{'properties':{'a':{'anyOf':[{'properties':{'b':{'type':'null'}},'required':['b']}]}}}", "{'a':{'b':1}}",
	      "$.a fits none of the 1 alternatives of the schema (of the first: $.a.b is a number, the schema wants null)");
	FOLLOWS("{'oneOf':[{'type':'string'},{'type':'number'}]}", "1");
	FAILS("{'oneOf':[{'type':'integer'},{'type':'number'}]}", "1",
	      "$ fits 2 alternatives of the schema, which wants exactly one to fit");
	FAILS("{'allOf':[{'required':['a']},{'required':['b']}]}", "{'a':1}", "$ lacks 'b', which the schema requires");
}

static void follows_references(void)
{
	const char *tree = "{'$ref':'#/$defs/node','$defs':{'node':{'type':'object','required':['v'],"
	                   "'properties':{'v':{'type':'number'},'next':{'anyOf':[{'$ref':'#/$defs/node'},{'type':'null'}]}}}}}";

	FOLLOWS(tree, "{'v':1,'next':{'v':2,'next':null}}");
	FAILS(tree, "{'v':'1'}", "$.v is a string, the schema wants a number");
	FAILS("{'items':{'$ref':'#/definitions/x'},'definitions':{'x':{'type':'string'}}}", "[1]", "$[0] is a number, the schema wants a string");
	FAILS("{'type':'array','items':{'$ref':'#'}}", "[[[1]]]", "$[0][0][0] is a number, the schema wants an array");
	FOLLOWS("{'$ref':'https://elsewhere.example/x'}", "1");
	FOLLOWS("{'$ref':'#/$defs/nobody'}", "1");
}

static void ends_in_any_case(void)
{
	FAILS("{'$ref':'#'}", "1", "$ is nested or repeated too much to be checked");
	FAILS("{'$ref':'#/$defs/a','$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}}}", "1",
	      "$ is nested or repeated too much to be checked");

	/* Two alternatives at each of 200 levels. */
	struct buf answer = { 0 };
	struct error why = { "" };
	for (int i = 0; i < 200; i++)
		buf_add_byte(&answer, '[');
	for (int i = 0; i < 200; i++)
		buf_add_byte(&answer, ']');
	CU_ASSERT_FALSE(schema_check(STR("{\"anyOf\":[{\"minItems\":1,\"items\":{\"$ref\":\"#\"}},{\"minItems\":1,\"items\":{\"$ref\":\"#\"}}]}"),
	                             buf_str(&answer), &why));
	CU_ASSERT(why.text[0] != '\0');
	buf_fini(&answer);

	/* Names are looked at one by one, too. */
	struct buf schema = { 0 };
	buf_add_z(&schema, "{\"required\":[\"a\"");
	for (int i = 0; i < 300000; i++)
		buf_add_z(&schema, ",\"a\"");
	buf_add_z(&schema, "]}");
	CU_ASSERT_FALSE(schema_check(buf_str(&schema), STR("{\"a\":1}"), &why));
	CHECK_STR(str_from(why.text), "$ is nested or repeated too much to be checked");
	buf_fini(&schema);
}

static void cuts_long_values_at_a_character(void)
{
	struct buf answer = { 0 };
	struct error why = { "" };

	buf_add_byte(&answer, '"');
	for (int i = 0; i < 1000; i++)
		buf_add_z(&answer, "\xe4\xbd\xa0");
	buf_add_byte(&answer, '"');
	CU_ASSERT_FALSE(schema_check(STR("{\"const\":1}"), buf_str(&answer), &why));
	CU_ASSERT_PTR_NOT_NULL(strstr(why.text, "\xe4\xbd\xa0..., the schema wants exactly 1"));
	CU_ASSERT(strlen(why.text) < 200);
	buf_fini(&answer);
}

static void ignores_what_is_not_a_schema(void)
{
	FOLLOWS("{'type':7,'x-vendor':1,'format':'email','description':'d'}", "1");
	FOLLOWS("{'type':'any'}", "1");
	FOLLOWS("{'properties':7,'items':7,'required':7,'enum':7,'anyOf':7,'allOf':7,'minItems':'x','minimum':'x'}", "[{'a':1},2]");
}

static void explains_in_a_sentence(void)
{
	struct buf text = { 0 };

	schema_explain(STR("{\"type\":\"number\"}"), STR("1"), &text);
	CHECK_STR(buf_str(&text), "The answer is JSON that follows the schema.");
	buf_clear(&text);
	schema_explain(STR("{\"type\":\"number\"}"), STR("one"), &text);
	CHECK_STR(buf_str(&text), "The answer does not follow the schema: it is not valid JSON.");
	buf_fini(&text);
}

const struct suite suite_schema = { "schema", (const struct test[]){
	TEST(wants_strict_json),
	TEST(checks_types),
	TEST(names_the_place),
	TEST(checks_members),
	TEST(checks_values),
	TEST(checks_bounds),
	TEST(checks_alternatives),
	TEST(follows_references),
	TEST(ends_in_any_case),
	TEST(cuts_long_values_at_a_character),
	TEST(ignores_what_is_not_a_schema),
	TEST(explains_in_a_sentence),
	{ 0 },
} };
