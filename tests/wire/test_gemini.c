#include "decoded.h"

#include "wire/protocol/gemini_args.h"

#define PARTS(parts) "{'candidates':[{'content':{'parts':[" parts "],'role':'model'},'index':0}]}"
#define ENDED "{'candidates':[{'finishReason':'STOP'}]}"
#define END "finish STOP\nend complete\n"
#define END_CALLS "finish STOP\nend tool_calls\n"

static void streams_text_and_thoughts(void)
{
	CHECK_DELTAS("gemini",
	             "data: {'candidates':[{'content':{'parts':[{'text':'a','thought':true}]}}],'modelVersion':'m','responseId':'r'}\r\n\r\n"
	             DATA(PARTS("{'text':'b','thought':true},{'text':'c'}")) DATA(PARTS("{'text':'d'},{'text':''}"))
	             DATA("{'candidates':[{'content':{}}]}") DATA("{'candidates':[{'content':{'role':'model'},'finishReason':'STOP'}]}"),
	             "begin r m\nreasoning 0 a\nreasoning 0 b\ntext 1 c\ntext 1 d\n" END);
}

static void keeps_signed_parts_apart(void)
{
	CHECK_DELTAS("gemini",
	             DATA(PARTS("{'text':'a'}")) DATA(PARTS("{'text':'b','thoughtSignature':'s1'}")) DATA(PARTS("{'text':'c'}"))
	             DATA(PARTS("{'text':'d','thought':true,'thoughtSignature':'s2'}"))
	             DATA(PARTS("{'text':'','thoughtSignature':'s3'}")) DATA(PARTS("{'thoughtSignature':'s4'}")) DATA(ENDED),
	             "begin - -\ntext 0 a\ntext 1 b\nopaque 1 - gemini-signature s1\ntext 2 c\nreasoning 3 d\n"
	             "opaque 3 - gemini-signature s2\nopaque - - gemini-part {'text':'','thoughtSignature':'s3'}\n"
	             "opaque - - gemini-part {'thoughtSignature':'s4'}\n" END);
}

static void reads_whole_calls(void)
{
	CHECK_DELTAS("gemini",
	             DATA(PARTS("{'functionCall':{'name':'f','args':{'y':3,'x':1.50},'id':'c1'},'thoughtSignature':'s'},"
	                        "{'functionCall':{'name':'g'}}")) DATA(ENDED),
	             "begin - -\ntool_begin 0 c1 f\nopaque - 0 gemini-signature s\ntool_arguments 0 {'y':3,'x':1.50}\n"
	             "tool_end 0 valid {'y':3,'x':1.50}\ntool_begin 1 - g\ntool_end 1 valid {}\n" END_CALLS);
}

static void assembles_calls_in_pieces(void)
{
	CHECK_DELTAS("gemini",
	             DATA(PARTS("{'functionCall':{'name':'f','willContinue':true},'thoughtSignature':'s'}"))
	             DATA(PARTS("{'functionCall':{'partialArgs':[{'jsonPath':'$.a','stringValue':'Bos','willContinue':true}],'willContinue':true}}"))
	             DATA(PARTS("{'functionCall':{'partialArgs':[{'jsonPath':'$.a','stringValue':'ton'},{'jsonPath':'$.n','numberValue':0.50}],"
	                        "'willContinue':true}}"))
	             DATA(PARTS("{'functionCall':{}}"))
	             DATA(PARTS("{'functionCall':{'name':'g','willContinue':true}}")) DATA(PARTS("{'functionCall':{'name':'h'}}"))
	             DATA(PARTS("{'functionCall':{}}")) DATA(ENDED),
	             "begin - -\ntool_begin 0 - f\nopaque - 0 gemini-signature s\ntool_arguments 0 {'a':'Boston','n':0.50}\n"
	             "tool_end 0 valid {'a':'Boston','n':0.50}\ntool_begin 1 - g\ntool_end 1 valid {}\n"
	             "tool_begin 2 - h\ntool_end 2 valid {}\n" END_CALLS);
	CHECK_DELTAS("gemini",
	             DATA(PARTS("{'functionCall':{'name':'f','willContinue':true,'partialArgs':[{'jsonPath':'$.a','boolValue':true}]}}"))
	             DATA(ENDED),
	             "begin - -\ntool_begin 0 - f\ntool_arguments 0 {'a':true}\ntool_end 0 valid {'a':true}\n" END_CALLS);
}

/* Adds pieces and compares the result. A piece preceded by '!' must be refused. */
static void check_args(const char *pieces, const char *expected)
{
	struct gemini_args *args = gemini_args_new();
	struct json_parser *parser = json_parser_new();
	struct buf text = { 0 }, wanted = { 0 };
	struct str rest, piece;
	size_t used;

	rest = unquoted(pieces, &wanted);
	while (str_split(&rest, ';', &piece)) {
		bool refused = str_starts(piece, "!");
		bool added = gemini_args_add(args, json_parse(parser, str_skip(piece, refused), &used));

		CHECK(added != refused, "%.*s", STR_ARG(piece));
	}
	gemini_args_write(args, &text);
	unquoted(expected, &wanted);
	CHECK_STR(buf_str(&text), buf_z(&wanted));
	buf_fini(&text);
	buf_fini(&wanted);
	json_parser_free(parser);
	gemini_args_free(args);
}

static void assembles_pieces_by_path(void)
{
	check_args("", "{}");
	check_args("{'jsonPath':'$.a.b[1].c','numberValue':1e2};{'jsonPath':'$.d','nullValue':null};{'jsonPath':'$.a.e','boolValue':false}",
	           "{'a':{'b':[null,{'c':1e2}],'e':false},'d':null}");
	check_args("{'jsonPath':'$[\\u0027a.b\\u0027][\\'c\\']','stringValue':'\\n'};{'jsonPath':'$[\\u0027a.b\\u0027].c','stringValue':'x'}",
	           "{'a.b':{'c':'\\nx'}}");
	check_args("{'jsonPath':'$.a','stringValue':'x'};{'jsonPath':'$.a','numberValue':1};{'jsonPath':'$.a','numberValue':2};"
	           "{'jsonPath':'$.a[0]','numberValue':3}", "{'a':[3]}");
	check_args("{'jsonPath':'$','stringValue':'x'}", "'x'");
}

static void refuses_bad_pieces(void)
{
	check_args("!{'jsonPath':'a','stringValue':'x'};!{'stringValue':'x'};!{'jsonPath':'$.','stringValue':'x'};"
	           "!{'jsonPath':'$[','numberValue':1};!{'jsonPath':'$[-1]','numberValue':1};!{'jsonPath':'$[99999999]','numberValue':1};"
	           "!{'jsonPath':'$[\\u0027a','numberValue':1};!{'jsonPath':'$.a'};!{'jsonPath':'$b','numberValue':1};!1",
	           "{}");
}

static void reports_finish_reasons(void)
{
	CHECK_DELTAS("gemini", DATA("{'promptFeedback':{'blockReason':'OTHER','blockReasonMessage':'No.'}}"),
	             "begin - -\nnotice stop-details\nfinish OTHER\nend filtered\n");
	CHECK_DELTAS("gemini", DATA(PARTS("{'text':'a'}")) DATA("{'candidates':[{'finishReason':'SAFETY'}]}"),
	             "begin - -\ntext 0 a\nfinish SAFETY\nend filtered\n");
	CHECK_DELTAS("gemini", DATA("{'candidates':[{'finishReason':'MALFORMED_FUNCTION_CALL','finishMessage':'Bad call.'}]}"),
	             "begin - -\nfinish MALFORMED_FUNCTION_CALL\nerror Bad call. - -\nend error\n");
	CHECK_DELTAS("gemini", DATA(PARTS("{'text':'a'}")) DATA("{'promptFeedback':{'safetyRatings':[]}}"), "begin - -\ntext 0 a\nend cut\n");
	CHECK_DELTAS("gemini", DATA("{'candidates':[{'finishReason':'STOP','content':{'parts':[{'text':'a'}]}}]}") DATA(PARTS("{'text':'b'}")),
	             "begin - -\ntext 0 a\ntext 0 b\n" END);
}

static void reads_usage_of_whole_objects(void)
{
	CHECK_DELTAS("gemini",
	             DATA("{'usageMetadata':{'promptTokenCount':10,'totalTokenCount':10}}")
	             DATA("{'usageMetadata':{'promptTokenCount':10,'toolUsePromptTokenCount':5,'candidatesTokenCount':3,'thoughtsTokenCount':4,"
	                  "'cachedContentTokenCount':2}}")
	             DATA("{'usageMetadata':{'trafficType':'ON_DEMAND'}}") DATA(ENDED),
	             "begin - -\nusage in=10 total=10\nusage in=15 out=7 total=22 cached=2 reasoning=4\n" END);
}

static void keeps_other_parts(void)
{
	CHECK_DELTAS("gemini",
	             DATA(PARTS("{'text':'a'},{'executableCode':{'language':'PYTHON','code':'1'},'thoughtSignature':'s'},{'text':'b'},"
	                        "{'inlineData':{'mimeType':'image/png','data':'AA=='},'thoughtSignature':'p'},{'unknown':1}")) DATA(ENDED),
	             "begin - -\ntext 0 a\nserver_tool_begin 0 - code_execution\nserver_tool_input 0 1\n"
	             "opaque - - gemini-part {'executableCode':{'language':'PYTHON','code':'1'},'thoughtSignature':'s'}\n"
	             "text 1 b\nmedia_begin 0 image - image/png\nmedia 0 1\nmedia_end 0 image - image/png 1 0 whole - -\nopaque 2 - gemini-signature p\n"
	             "server_tool_end 0 incomplete 1 -\n" END);
}

static void reports_sources_once(void)
{
	CHECK_DELTAS("gemini",
	             DATA("{'candidates':[{'citationMetadata':{'citationSources':[{'uri':'u1'}]},"
	                  "'groundingMetadata':{'groundingChunks':[{'web':{'uri':'u2','title':'t2'}}]}}]}")
	             DATA("{'candidates':[{'finishReason':'STOP','citationMetadata':{'citations':[{'uri':'u4','title':'t4'}]},"
	                  "'groundingMetadata':{'groundingChunks':[{'web':{'uri':'u2'}},{'web':{'uri':'u3'}}]}}]}"),
	             "begin - -\ncitation u1 - -\ncitation u2 t2 -\ncitation u4 t4 -\ncitation u3 - -\n" END);
}

static void reports_errors(void)
{
	CHECK_DELTAS("gemini",
	             "[{'candidates':[{'content':{'parts':[{'text':'a'}]}}]}\n,\r\n"
	             "{'error':{'code':503,'message':'Overloaded.','status':'UNAVAILABLE'}}]",
	             "begin - -\ntext 0 a\nerror Overloaded. UNAVAILABLE 503\nend error\n");
	CHECK_DELTAS("gemini",
	             DATA(PARTS("{'functionCall':{'name':'f','partialArgs':[{'jsonPath':'$.a','numberValue':1}],'willContinue':true}}"))
	             DATA("{'error':{'message':'Timeout','type':'server_error','code':'504'}}") DATA("[DONE]"),
	             "begin - -\ntool_begin 0 - f\ntool_arguments 0 {'a':1}\ntool_end 0 valid {'a':1}\nerror Timeout server_error 504\nend error\n");
}

const struct suite suite_gemini = {
	"gemini",
	(const struct test[]){
		TEST(streams_text_and_thoughts),
		TEST(keeps_signed_parts_apart),
		TEST(reads_whole_calls),
		TEST(assembles_calls_in_pieces),
		TEST(assembles_pieces_by_path),
		TEST(refuses_bad_pieces),
		TEST(reports_finish_reasons),
		TEST(reads_usage_of_whole_objects),
		TEST(keeps_other_parts),
		TEST(reports_sources_once),
		TEST(reports_errors),
		{ 0 },
	},
};
