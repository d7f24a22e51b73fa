#include "decoded.h"

#define CREATED "{'type':'response.created','response':{'id':'r1','model':'m','status':'in_progress','error':null}}"
#define COMPLETED "{'type':'response.completed','response':{'id':'r2','status':'completed','output':[]," \
	"'usage':{'input_tokens':3,'input_tokens_details':{'cached_tokens':1},'output_tokens':4," \
	"'output_tokens_details':{'reasoning_tokens':2},'total_tokens':7}}}"
#define BEGUN "begin r1 m\n"
#define USAGE "usage in=3 out=4 total=7 cached=1 reasoning=2\n"
#define ENDED USAGE "finish completed\n"

static void streams_text(void)
{
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED)
	             DATA("{'type':'response.output_item.added','output_index':0,'item':{'type':'message','id':'x1','content':[]}}")
	             DATA("{'type':'response.output_text.delta','output_index':0,'content_index':0,'item_id':'x2','delta':'Hel'}")
	             DATA("{'type':'response.output_text.delta','output_index':0,'content_index':0,'item_id':'x3','delta':'lo'}")
	             DATA("{'type':'response.output_text.done','output_index':0,'content_index':0,'text':'Hello'}")
	             DATA("{'type':'response.output_text.annotation.added','output_index':0,'annotation':{'url':'u','title':'t'}}")
	             DATA("{'type':'response.output_item.done','output_index':0,'item':{'type':'message','id':'x4','content':"
	                  "[{'type':'output_text','text':'Hello','annotations':[{'url':'u','title':'t'}]}]}}")
	             DATA(COMPLETED) DATA("[DONE]"),
	             BEGUN "text 0 Hel\ntext 0 lo\ncitation u t -\n" ENDED "end complete\n");
}

static void completes_what_was_not_streamed(void)
{
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED)
	             DATA("{'type':'response.output_text.delta','output_index':0,'content_index':1,'delta':'Hel'}")
	             DATA("{'type':'response.output_item.done','output_index':0,'item':{'type':'message','content':"
	                  "[{'type':'output_text','text':'Hello'}]}}")
	             DATA("{'type':'response.output_item.done','output_index':1,'item':{'type':'message','content':"
	                  "[{'type':'output_text','text':'A','annotations':[{'url':'u'}]},{'type':'refusal','refusal':'No'}]}}")
	             DATA("{'type':'response.output_text.delta','output_index':2,'delta':'other'}")
	             DATA("{'type':'response.output_item.done','output_index':2,'item':{'type':'message','content':"
	                  "[{'type':'output_text','text':'Another'}]}}")
	             DATA("{'type':'response.output_text.done','output_index':3,'content_index':0,'text':'B'}")
	             DATA("{'type':'response.output_item.done','output_index':4,'item':{'type':'function_call','call_id':'c','name':'f',"
	                  "'arguments':{'a':1.0}}}")
	             DATA(COMPLETED),
	             BEGUN "text 0 Hel\ntext 0 lo\ntext 1 A\nrefusal 2 No\ncitation u - -\ntext 3 other\ntext 4 B\n"
	             "tool_begin 0 c f\ntool_arguments 0 {'a':1.0}\ntool_end 0 valid {'a':1.0}\n" ENDED "end tool_calls\n");
}

static void shows_one_kind_of_reasoning(void)
{
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED)
	             DATA("{'type':'response.output_item.added','output_index':0,'item':{'type':'reasoning'}}")
	             DATA("{'type':'response.reasoning_summary_text.delta','output_index':0,'summary_index':0,'delta':'a'}")
	             DATA("{'type':'response.reasoning_text.delta','output_index':0,'content_index':0,'delta':'hidden'}")
	             DATA("{'type':'response.reasoning_summary_text.delta','output_index':0,'summary_index':1,'delta':'b'}")
	             DATA("{'type':'response.output_item.done','output_index':0,'item':{'id':'i','type':'reasoning','status':'completed',"
	                  "'summary':[{'type':'summary_text','text':'a'},{'type':'summary_text','text':'b'}],'encrypted_content':'e'}}")
	             DATA("{'type':'response.output_item.done','output_index':1,'item':{'type':'reasoning','summary':[],"
	                  "'content':[{'type':'reasoning_text','text':'c'}]}}")
	             DATA("{'type':'response.output_item.done','output_index':2,'item':{'type':'reasoning','summary':[]}}")
	             DATA(COMPLETED),
	             BEGUN "reasoning 0 a\nreasoning 1 b\n"
	             "opaque 1 - responses-item {'id':'i','type':'reasoning','summary':[{'type':'summary_text','text':'a'},"
	             "{'type':'summary_text','text':'b'}],'encrypted_content':'e'}\nreasoning 2 c\n"
	             "opaque 2 - responses-item {'type':'reasoning','summary':[],'content':[{'type':'reasoning_text','text':'c'}]}\n"
	             ENDED "end complete\n");
}

static void joins_calls(void)
{
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED)
	             DATA("{'type':'response.output_item.added','output_index':0,'item':{'type':'function_call','id':'fc','call_id':'c1','name':'f','arguments':''}}")
	             DATA("{'type':'response.output_item.added','output_index':1,'item':{'type':'function_call','call_id':'c2','name':'g','arguments':''}}")
	             DATA("{'type':'response.function_call_arguments.delta','output_index':0,'delta':'{\\'a\\''}")
	             DATA("{'type':'response.function_call_arguments.delta','output_index':1,'delta':'{}'}")
	             DATA("{'type':'response.function_call_arguments.delta','output_index':0,'delta':':1}'}")
	             DATA("{'type':'response.function_call_arguments.done','output_index':0,'arguments':'{\\'a\\':1}'}")
	             DATA("{'type':'response.output_item.done','output_index':0,'item':{'type':'function_call','call_id':'c1','name':'f','arguments':'{\\'a\\':1}'}}")
	             DATA("{'type':'response.output_item.added','output_index':2,'item':{'type':'custom_tool_call','call_id':'c3','name':'h','input':''}}")
	             DATA("{'type':'response.custom_tool_call_input.delta','output_index':2,'delta':'free text'}")
	             DATA("{'type':'response.output_item.added','output_index':3,'item':{'type':'web_search_call','id':'w'}}")
	             DATA(COMPLETED),
	             BEGUN "tool_begin 0 c1 f\ntool_begin 1 c2 g\ntool_arguments 0 {'a'\ntool_arguments 1 {}\ntool_arguments 0 :1}\n"
	             "tool_end 0 valid {'a':1}\ntool_begin 2 c3 h\ntool_arguments 2 free text\nserver_tool_begin 0 w web_search\n"
	             "tool_end 1 valid {}\ntool_end 2 invalid free text\n" USAGE "server_tool_end 0 incomplete - -\nfinish completed\nend tool_calls\n");
}

static void works_without_output_index(void)
{
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED)
	             DATA("{'type':'response.output_item.added','item':{'type':'reasoning'}}")
	             DATA("{'type':'response.reasoning_text.delta','delta':'r'}")
	             DATA("{'type':'response.output_item.added','item':{'type':'message'}}")
	             DATA("{'type':'response.output_text.delta','delta':'t'}")
	             DATA("{'type':'response.output_item.added','item':{'type':'function_call','call_id':'c1','name':'f'}}")
	             DATA("{'type':'response.output_item.added','item':{'type':'function_call','call_id':'c2','name':'g'}}")
	             DATA("{'type':'response.output_item.done','item':{'type':'reasoning','content':[{'type':'reasoning_text','text':'r'}]}}")
	             DATA("{'type':'response.output_item.done','item':{'type':'message','content':[{'type':'output_text','text':'t'}]}}")
	             DATA("{'type':'response.output_item.done','item':{'type':'function_call','call_id':'c1','name':'f','arguments':'1'}}")
	             DATA("{'type':'response.output_item.done','item':{'type':'function_call','call_id':'c2','name':'g','arguments':'2'}}")
	             DATA("{'type':'response.completed','response':{'output':[{'type':'message','content':[{'type':'output_text','text':'t'}]}]}}"),
	             BEGUN "reasoning 0 r\ntext 1 t\ntool_begin 0 c1 f\ntool_begin 1 c2 g\n"
	             "opaque 0 - responses-item {'type':'reasoning','content':[{'type':'reasoning_text','text':'r'}]}\n"
	             "tool_arguments 0 1\ntool_end 0 valid 1\ntool_arguments 1 2\ntool_end 1 valid 2\nfinish completed\nend tool_calls\n");
}

static void reads_constant_indexes(void)
{
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED)
	             DATA("{'type':'response.output_item.added','output_index':0,'item':{'type':'function_call','call_id':'c1','name':'f','arguments':'{}'}}")
	             DATA("{'type':'response.output_item.added','output_index':0,'item':{'type':'function_call','call_id':'c2','name':'g'}}")
	             DATA("{'type':'response.output_item.done','output_index':0,'item':{'type':'function_call','call_id':'c2','name':'g','arguments':'2'}}")
	             DATA("{'type':'response.output_item.done','output_index':0,'item':{'type':'function_call','call_id':'c1','name':'f','arguments':'1'}}")
	             DATA(COMPLETED),
	             BEGUN "tool_begin 0 c1 f\ntool_begin 1 c2 g\ntool_arguments 1 2\ntool_end 1 valid 2\ntool_arguments 0 1\ntool_end 0 valid 1\n"
	             ENDED "end tool_calls\n");
}

static void reports_finish_reasons(void)
{
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED) DATA("{'type':'response.incomplete','response':{'status':'incomplete','incomplete_details':{'reason':'max_output_tokens'}}}"),
	             BEGUN "finish max_output_tokens\nend length\n");
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED) DATA("{'type':'response.completed','response':{'status':'incomplete','incomplete_details':{'reason':'content_filter'}}}"),
	             BEGUN "finish content_filter\nend filtered\n");
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED) DATA("{'type':'response.incomplete','response':{'incomplete_details':{'reason':'bored'}}}"),
	             BEGUN "finish bored\nerror bored - -\nend error\n");
	CHECK_DELTAS("openai-responses", DATA(CREATED) DATA("{'type':'response.incomplete','response':{}}"),
	             BEGUN "finish incomplete\nerror incomplete - -\nend error\n");
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED) DATA("{'type':'response.refusal.delta','output_index':0,'delta':'No.'}") DATA(COMPLETED),
	             BEGUN "refusal 0 No.\n" ENDED "end filtered\n");
	CHECK_DELTAS("openai-responses", DATA(CREATED) DATA("{'type':'response.output_text.delta','output_index':0,'delta':'a'}"),
	             BEGUN "text 0 a\nend cut\n");
}

static void reports_errors_once(void)
{
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED) DATA("{'type':'error','code':'rate_limit','message':'Slow down','param':null,'sequence_number':2}"),
	             BEGUN "error Slow down - rate_limit\nend error\n");
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED) DATA("{'type':'error','error':{'type':'t','code':'c','message':'Quota'}}")
	             DATA("{'type':'response.failed','response':{'status':'failed','error':{'code':'d','message':'Again'}}}"),
	             BEGUN "error Quota t c\nend error\n");
	CHECK_DELTAS("openai-responses",
	             DATA(CREATED) DATA("{'type':'response.failed','response':{'status':'failed','error':{'code':'d','message':'Gone'}}}"),
	             BEGUN "finish failed\nerror Gone - d\nend error\n");
	CHECK_DELTAS("openai-responses", DATA(CREATED) DATA("{'type':'response.failed','response':{'error':null}}"),
	             BEGUN "finish failed\nerror failed - -\nend error\n");
}

static void reads_an_answer_without_stream(void)
{
	CHECK_DELTAS("openai-responses",
	             "{'id':'r1','object':'response','status':'completed','error':null,'model':'m','output':["
	             "{'type':'reasoning','summary':[{'type':'summary_text','text':'a'}],'encrypted_content':'e'},"
	             "{'type':'message','content':[{'type':'output_text','text':'b'}]},"
	             "{'type':'message','content':[{'type':'output_text','text':'c'}]},"
	             "{'type':'function_call','call_id':'c','name':'f','arguments':'{}'}],'usage':{'input_tokens':1,'output_tokens':2}}",
	             BEGUN "reasoning 0 a\nopaque 0 - responses-item {'type':'reasoning','summary':[{'type':'summary_text','text':'a'}],"
	             "'encrypted_content':'e'}\ntext 1 b\ntext 2 c\ntool_begin 0 c f\ntool_arguments 0 {}\ntool_end 0 valid {}\n"
	             "usage in=1 out=2 total=3\nfinish completed\nend tool_calls\n");
	CHECK_DELTAS("openai-responses",
	             "{'object':'response','status':'failed','error':{'code':'c','message':'Gone'},'output':[]}",
	             "begin - -\nfinish failed\nerror Gone - c\nend error\n");
}

const struct suite suite_openai_responses = {
	"openai_responses",
	(const struct test[]){
		TEST(streams_text),
		TEST(completes_what_was_not_streamed),
		TEST(shows_one_kind_of_reasoning),
		TEST(joins_calls),
		TEST(works_without_output_index),
		TEST(reads_constant_indexes),
		TEST(reports_finish_reasons),
		TEST(reports_errors_once),
		TEST(reads_an_answer_without_stream),
		{ 0 },
	},
};
