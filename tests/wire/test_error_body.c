/* Every form of an error in src/wire/README.md, "HTTP". */
#include "support/check.h"
#include "wire/error_body.h"

#define TEXT_LIMIT ((size_t)1 << 20)

struct shape {
	const char *body; /* ' stands for " */
	const char *message, *type, *code; /* NULL: null */
};

static const struct shape shapes[] = {
	{ "{'error':{'message':'m','type':'t','code':'c','param':null}}", "m", "t", "c" },
	{ "{'error':{'message':'m','type':'t','code':null}}", "m", "t", NULL },
	{ "{'error':{'message':'m','code':500}}", "m", NULL, "500" },
	{ "{'error':{'code':'insufficient_credits','message':'m'}}", "m", NULL, "insufficient_credits" },
	{ "{'type':'error','error':{'type':'t','message':'m'},'request_id':null}", "m", "t", NULL },
	{ "{'error':{'code':400,'message':'m','status':'INVALID_ARGUMENT','details':[]}}", "m", "INVALID_ARGUMENT", "400" },
	{ "[{'error':{'code':400,'message':'m','status':'INVALID_ARGUMENT'}}]", "m", "INVALID_ARGUMENT", "400" },
	{ "{'error':'m'}", "m", NULL, NULL },
	{ "{'code':'invalid-argument','error':'m'}", "m", NULL, "invalid-argument" },
	{ "{'object':'error','message':'m','type':'t','param':null,'code':'1500','raw_status_code':400}", "m", "t", "1500" },
	{ "{'detail':'m'}", "m", NULL, NULL },
	{ "{'detail':[{'loc':['body','model'],'msg':'field required','type':'missing'},{'loc':['body','n',0],'msg':'too large'}]}",
	  "body.model: field required; body.n.0: too large", NULL, NULL },
	{ "{'detail':{'message':'m','code':'c'}}", "m", NULL, "c" },
	{ "{'message':'m'}", "m", NULL, NULL },
	{ "{'Message':'m'}", "m", NULL, NULL },
	{ "{'code':400,'message':'m','type':'Bad Request'}", "m", "Bad Request", "400" },
	{ "{'error':{'message':'m'},'message':'other'}", "m", NULL, NULL },
	{ "{'error':{'code':429,'message':'m','metadata':{'provider_name':'P','raw':'slow down'}},'user_id':'u'}", "m: slow down", NULL,
	  "429" },
	{ "{'error':{'code':429,'message':'m','metadata':{'raw':{'error':'slow'}}}}", "m: {\"error\":\"slow\"}", NULL, "429" },
	{ "{'error':{'code':429,'metadata':{'raw':'slow down'}}}", "slow down", NULL, "429" },
	{ "{'error':{'code':429,'message':'m','metadata':{'raw':''}}}", "m", NULL, "429" },
	{ "{'error':{'code':429,'message':'m','metadata':{'raw':null}}}", "m", NULL, "429" },
	{ "{'type':'error','code':'c','message':'m','param':null,'sequence_number':1}", "m", NULL, "c" },
	{ "{'error':{'type':'error','message':'m'}}", "m", "error", NULL },
	{ "{'type':'error','error':'m'}", "m", NULL, NULL },
	{ "{'error':[{'message':'m','code':1},{'message':'n'}]}", "m", NULL, "1" },
	{ "{'error':['m','n']}", "m", NULL, NULL },
	{ "{'success':false,'errors':[{'code':10000,'message':'m'}]}", "m", NULL, "10000" },
	{ "{'error':{'message':{'en':'m'},'type':7}}", "{\"en\":\"m\"}", NULL, NULL },
	{ "{'error':{}}", NULL, NULL, NULL },
	{ "{'error':{'message':''}}", NULL, NULL, NULL },
	{ "{'error':true,'message':'m'}", "m", NULL, NULL },
};

static const char *const none[] = {
	"{}", "[]", "3", "'x'", "null", "{'error':null}", "{'error':''}", "{'choices':[]}", "{'message':{'content':'x'},'done':false}",
	"{'detail':null}", "{'detail':''}", "{'detail':3}", "{'message':''}", "{'errors':[]}", "{'type':'ping'}", "[1,2]",
};

static struct str quoted(const char *text, struct buf *out)
{
	buf_clear(out);
	for (; *text; text++)
		buf_add_byte(out, *text == '\'' ? '"' : *text);
	return buf_str(out);
}

static bool same(struct str actual, const char *expected)
{
	return expected ? str_is(actual, expected) : !actual.ptr;
}

static void reads_every_format(void)
{
	struct json_parser *parser = json_parser_new();
	struct buf body, scratch;

	buf_init(&body, TEXT_LIMIT);
	buf_init(&scratch, TEXT_LIMIT);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		size_t used;
		struct error_report r;
		const struct json *value = json_parse(parser, quoted(shapes[i].body, &body), &used);

		CHECK(error_body_read(value, &scratch, &r), "%s", shapes[i].body);
		CHECK(same(r.message, shapes[i].message) && same(r.type, shapes[i].type) && same(r.code, shapes[i].code) && !r.status,
		      "%s: '%.*s' '%.*s' '%.*s'", shapes[i].body, STR_ARG(r.message), STR_ARG(r.type), STR_ARG(r.code));
	}
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		size_t used;
		struct error_report r;

		CHECK(!error_body_read(json_parse(parser, quoted(none[i], &body), &used), &scratch, &r), "%s", none[i]);
		CU_ASSERT_PTR_NULL(r.message.ptr);
	}
	buf_fini(&body);
	buf_fini(&scratch);
	json_parser_free(parser);
}

static void count_value(void *ctx, const struct json *value, struct str event)
{
	(void)value;
	(void)event;
	(*(int *)ctx)++;
}

static void explains_bodies(void)
{
	static const struct { const char *body, *message; int values; } cases[] = {
		{ "{'error':'m'}", "m", 1 },
		{ "\n\n{'note':1}\n{'error':'m'}", "m", 2 },
		{ "data: {'error':{'message':'m'}}\n\ndata: [DONE]\n\n", "m", 1 },
		{ "error: {'message':'m','code':1}\n\n", "m", 1 },
		{ " \x1b[31mgone\x07\x7f\tbad \xff\n", "[31mgone bad \xEF\xBF\xBD", 0 },
		{ "'quoted'", "\"quoted\"", 0 },
		{ "<!doctype html>", "The server answered with HTTP status 500 and a web page instead of an explanation.", 0 },
		{ "", "The server answered with HTTP status 500 and no explanation.", 0 },
		{ " \r\n", "The server answered with HTTP status 500 and no explanation.", 0 },
		{ "{'a':1}", "The server answered with HTTP status 500 and an explanation that cannot be read.", 1 },
		{ "{'error':{'message':'cut", "{\"error\":{\"message\":\"cut", 0 },
	};
	struct buf body, scratch;
	buf_init(&body, TEXT_LIMIT);
	buf_init(&scratch, TEXT_LIMIT);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error_report r;
		int values = 0;

		error_body_explain(quoted(cases[i].body, &body), 500, &scratch, &r, count_value, &values);
		CHECK(str_is(r.message, cases[i].message) && r.status == 500, "%s: %.*s", cases[i].body, STR_ARG(r.message));
		CHECK(values == cases[i].values, "%s: %d values", cases[i].body, values);
	}
	buf_fini(&body);
	buf_fini(&scratch);
}

static void shows_the_beginning_of_long_texts(void)
{
	struct buf body, scratch;
	struct error_report r;
	int values = 0;

	buf_init(&body, TEXT_LIMIT);
	buf_init(&scratch, TEXT_LIMIT);
	for (int i = 0; i < 1000; i++)
		buf_add(&body, STR("gone "));
	error_body_explain(buf_str(&body), 503, &scratch, &r, count_value, &values);
	CU_ASSERT_TRUE(r.message.len > 250 && r.message.len <= ERROR_TEXT_BYTES);
	buf_fini(&body);
	buf_fini(&scratch);
}

const struct suite suite_error_body = { "error_body", (const struct test[]){
	TEST(reads_every_format), TEST(explains_bodies), TEST(shows_the_beginning_of_long_texts), { 0 },
} };
