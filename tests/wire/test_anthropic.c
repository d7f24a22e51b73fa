#include "decoded.h"

#define START "{'type':'message_start','message':{'id':'msg_1','model':'m','usage':{'input_tokens':25,'output_tokens':1}}}"
#define STOP "{'type':'message_stop'}"
#define BEGUN "begin msg_1 m\nusage in=25 out=1 total=26\n"

static void streams_text_and_thinking(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START) DATA("{'type':'ping'}")
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'thinking','thinking':''}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'thinking_delta','thinking':'Let me'}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'signature_delta','signature':'c2ln'}}")
	             DATA("{'type':'content_block_stop','index':0}")
	             DATA("{'type':'content_block_start','index':1,'content_block':{'type':'text','text':'Well, '}}")
	             DATA("{'type':'content_block_delta','index':1,'delta':{'type':'text_delta','text':'yes.'}}")
	             DATA("{'type':'content_block_stop','index':1}")
	             DATA("{'type':'message_delta','delta':{'stop_reason':'end_turn'},'usage':{'output_tokens':17}}") DATA(STOP),
	             BEGUN "reasoning 0 Let me\nopaque 0 - anthropic-signature c2ln\ntext 1 Well, \ntext 1 yes.\n"
	             "usage in=25 out=17 total=42\nfinish end_turn\nend complete\n");
}

static void keeps_overlapping_blocks_apart(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START)
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'thinking'}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'thinking_delta','thinking':'a'}}")
	             DATA("{'type':'content_block_start','index':1,'content_block':{'type':'text'}}")
	             DATA("{'type':'content_block_delta','index':1,'delta':{'type':'text_delta','text':'b'}}")
	             DATA("{'type':'content_block_start','index':2,'content_block':{'type':'tool_use','id':'t','name':'f'}}")
	             DATA("{'type':'content_block_delta','index':2,'delta':{'type':'input_json_delta','partial_json':'{}'}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'thinking_delta','thinking':'c'}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'signature_delta','signature':'s'}}")
	             DATA("{'type':'content_block_stop','index':0}") DATA("{'type':'content_block_stop','index':1}")
	             DATA("{'type':'content_block_stop','index':2}") DATA(STOP),
	             BEGUN "reasoning 0 a\ntext 1 b\ntool_begin 0 t f\ntool_arguments 0 {}\nreasoning 0 c\n"
	             "opaque 0 - anthropic-signature s\ntool_end 0 valid {}\nnotice no-finish\nend tool_calls\n");
}

static void drops_unsigned_and_unfinished_signatures(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START)
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'thinking','signature':''}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'thinking_delta','thinking':'a'}}"),
	             BEGUN "reasoning 0 a\nend cut\n");
	CHECK_DELTAS("anthropic",
	             DATA(START)
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'thinking'}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'signature_delta','signature':'s1'}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'signature_delta','signature':'s2'}}")
	             DATA("{'type':'content_block_stop','index':0}"),
	             BEGUN "opaque - - anthropic-block {'type':'thinking','thinking':'','signature':'s2'}\nend cut\n");
}

static void keeps_opaque_blocks(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START)
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'redacted_thinking','data':'UkVE'}}")
	             DATA("{'type':'content_block_stop','index':0}")
	             DATA("{'type':'content_block_start','index':1,'content_block':"
	                  "{'type':'server_tool_use','id':'s1','name':'web_search','input':{},'caller':{'n':1.50}}}")
	             DATA("{'type':'content_block_delta','index':1,'delta':{'type':'input_json_delta','partial_json':'{\\'q\\':'}}")
	             DATA("{'type':'content_block_delta','index':1,'delta':{'type':'input_json_delta','partial_json':'1}'}}")
	             DATA("{'type':'content_block_stop','index':1}")
	             DATA("{'type':'content_block_start','index':2,'content_block':"
	                  "{'type':'web_search_tool_result','tool_use_id':'s1','content':[]}}")
	             DATA("{'type':'content_block_stop','index':2}")
	             DATA("{'type':'content_block_start','index':3,'content_block':{'type':'fallback','to':{'model':'n'}}}")
	             DATA("{'type':'content_block_stop','index':3}") DATA(STOP),
	             BEGUN "opaque - - anthropic-redacted UkVE\nserver_tool_begin 0 s1 web_search\n"
	             "server_tool_input 0 {'q':\nserver_tool_input 0 1}\n"
	             "opaque - - anthropic-block {'type':'server_tool_use','id':'s1','name':'web_search','caller':{'n':1.50},'input':{'q':1}}\n"
	             "server_tool_end 0 completed {'q':1} []\n"
	             "opaque - - anthropic-block {'type':'web_search_tool_result','tool_use_id':'s1','content':[]}\n"
	             "notice no-finish\nend complete\n");
}

static void omits_incomplete_server_tools(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START)
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'server_tool_use','id':'s','input':{}}}")
	             DATA("{'type':'content_block_start','index':1,'content_block':{'type':'server_tool_use','id':'s','input':{}}}")
	             DATA("{'type':'content_block_delta','index':1,'delta':{'type':'input_json_delta','partial_json':'{\\'q'}}"),
	             BEGUN "server_tool_begin 0 s -\nserver_tool_begin 1 s -\nserver_tool_input 1 {'q\nserver_tool_input 0 {}\n"
	             "server_tool_end 0 incomplete {} -\nserver_tool_end 1 incomplete {'q -\nend cut\n");
}

static void joins_tool_input(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START)
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'tool_use','id':'t1','name':'f','input':{}}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'input_json_delta','partial_json':''}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'input_json_delta','partial_json':'{\\'a\\''}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'input_json_delta','partial_json':':1}'}}")
	             DATA("{'type':'content_block_stop','index':0}")
	             DATA("{'type':'content_block_start','index':1,'content_block':{'type':'tool_use','id':'t2','name':'g','input':{'b':1e2}}}")
	             DATA("{'type':'content_block_stop','index':1}")
	             DATA("{'type':'content_block_start','index':2,'content_block':{'type':'tool_use','id':'t3','name':'h','input':{}}}")
	             DATA("{'type':'content_block_stop','index':2}")
	             DATA("{'type':'message_delta','delta':{'stop_reason':'tool_use'}}") DATA(STOP),
	             BEGUN "tool_begin 0 t1 f\ntool_arguments 0 {'a'\ntool_arguments 0 :1}\ntool_end 0 valid {'a':1}\n"
	             "tool_begin 1 t2 g\ntool_arguments 1 {'b':1e2}\ntool_end 1 valid {'b':1e2}\n"
	             "tool_begin 2 t3 h\ntool_arguments 2 {}\ntool_end 2 valid {}\nfinish tool_use\nend tool_calls\n");
}

static void creates_blocks_for_unknown_indexes(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START)
	             DATA("{'type':'content_block_delta','index':5,'delta':{'type':'text_delta','text':'a'}}")
	             DATA("{'type':'content_block_delta','index':6,'delta':{'type':'thinking_delta','thinking':'b'}}")
	             DATA("{'type':'content_block_delta','index':7,'delta':{'type':'input_json_delta','partial_json':'{'}}"),
	             BEGUN "text 0 a\nreasoning 1 b\ntool_begin 0 - -\ntool_arguments 0 {\ntool_end 0 invalid {\nend cut\n");
}

static void restarts(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START)
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'text','text':'old'}}")
	             DATA("{'type':'message_start','message':{'id':'msg_2','model':'m','usage':{'input_tokens':7}}}")
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'text','text':'new'}}") DATA(STOP),
	             BEGUN "text 0 old\nrestart\nmeta msg_2 m\nusage in=7\ntext 0 new\nnotice no-finish\nend complete\n");
}

static void reads_usage_by_field(void)
{
	CHECK_DELTAS("anthropic",
	             DATA("{'type':'message_start','message':{'usage':{'input_tokens':10,'cache_creation_input_tokens':3,"
	                  "'cache_read_input_tokens':4,'output_tokens':1}}}")
	             DATA("{'type':'message_delta','usage':{'input_tokens':null,'output_tokens':9,"
	                  "'output_tokens_details':{'thinking_tokens':5}}}")
	             DATA("{'type':'message_delta','usage':{'output_tokens':0}}") DATA(STOP),
	             "begin - -\nusage in=17 out=1 total=18 cached=4 cache-write=3\nusage in=17 out=9 total=26 cached=4 cache-write=3 reasoning=5\nnotice no-finish\nend complete\n");
}

static void reports_errors(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START) DATA("{'type':'content_block_start','index':0,'content_block':{'type':'tool_use','id':'t','name':'f',"
	                              "'input':{'a':1}}}")
	             "event: error\n" DATA("{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}")
	             DATA("{'type':'message_stop'}"),
	             BEGUN "tool_begin 0 t f\ntool_arguments 0 {'a':1}\ntool_end 0 valid {'a':1}\n"
	             "error Overloaded overloaded_error -\nend error\n");
	CHECK_DELTAS("anthropic",
	             DATA(START) DATA("{'error':{'message':'Upstream timeout','type':'server_error','code':'504'}}") DATA("[DONE]"),
	             BEGUN "error Upstream timeout server_error 504\nend error\n");
}

static void tolerates_done_and_event_names(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START) "event: content_block_start\n" DATA("{'content_block':{'type':'text','text':'a'}}")
	             "event: content_block_delta\n" DATA("{'delta':{'type':'text_delta','text':'b'}}")
	             DATA("{'type':'news','text':'c'}") DATA("{'type':'message_delta','delta':{'stop_reason':'pause_turn'}}")
	             DATA(STOP) DATA("[DONE]"),
	             BEGUN "text 0 a\ntext 0 b\nfinish pause_turn\nend paused\n");
}

static void reads_refusals_and_citations(void)
{
	CHECK_DELTAS("anthropic",
	             DATA(START)
	             DATA("{'type':'content_block_start','index':0,'content_block':{'type':'text','text':''}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'citations_delta','citation':"
	                  "{'url':'u','title':'t','cited_text':'c'}}}")
	             DATA("{'type':'content_block_delta','index':0,'delta':{'type':'citations_delta','citation':"
	                  "{'document_title':'d','cited_text':'c'}}}")
	             DATA("{'type':'message_delta','delta':{'stop_reason':'refusal','stop_details':{'explanation':'No.'}}}") DATA(STOP),
	             BEGUN "citation u t c\ncitation - d c\nnotice stop-details\nfinish refusal\nend filtered\n");
}

static void reads_an_answer_without_stream(void)
{
	CHECK_DELTAS("anthropic",
	             "{'type':'message','id':'msg_1','model':'m','content':[{'type':'thinking','thinking':'a','signature':'s'},"
	             "{'type':'text','text':'b'},{'type':'tool_use','id':'t','name':'f','input':{'x':1}}],"
	             "'stop_reason':'tool_use','usage':{'input_tokens':2,'output_tokens':3}}",
	             "begin msg_1 m\nreasoning 0 a\nopaque 0 - anthropic-signature s\ntext 1 b\ntool_begin 0 t f\n"
	             "tool_arguments 0 {'x':1}\ntool_end 0 valid {'x':1}\nusage in=2 out=3 total=5\nfinish tool_use\nend tool_calls\n");
}

const struct suite suite_anthropic = {
	"anthropic",
	(const struct test[]){
		TEST(streams_text_and_thinking),
		TEST(keeps_overlapping_blocks_apart),
		TEST(drops_unsigned_and_unfinished_signatures),
		TEST(keeps_opaque_blocks),
		TEST(omits_incomplete_server_tools),
		TEST(joins_tool_input),
		TEST(creates_blocks_for_unknown_indexes),
		TEST(restarts),
		TEST(reads_usage_by_field),
		TEST(reports_errors),
		TEST(tolerates_done_and_event_names),
		TEST(reads_refusals_and_citations),
		TEST(reads_an_answer_without_stream),
		{ 0 },
	},
};
