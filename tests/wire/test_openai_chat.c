/* Chat Completions and its deviations (src/wire/README.md). Joining of calls: test_calls.c; outcomes of turns: cases/outcomes.txt. */
#include "decoded.h"
#include "wire/stream.h"

#define DELTA(members) DATA("{'choices':[{'delta':{" members "}}]}")
#define STOP DATA("{'choices':[{'delta':{},'finish_reason':'stop'}]}") "data: [DONE]\n\n"
#define STOPPED "finish stop\nend complete\n"

static void reads_an_ordinary_answer(void)
{
	CHECK_DELTAS("openai-chat",
	             DATA("{'id':'','model':'','object':'','choices':[],'prompt_filter_results':[]}")
	             DATA("{'id':'c1','model':'m','choices':[{'index':0,'delta':{'role':'assistant','content':''},'finish_reason':null}]}")
	             DATA("{'id':'c2','model':'m','choices':[{'index':0,'delta':{'content':'Hi'},'finish_reason':null}],'usage':null}")
	             DATA("{'id':'c1','choices':[{'index':0,'delta':{},'finish_reason':'stop'}]}")
	             DATA("{'id':'c1','choices':[],'usage':{'prompt_tokens':3,'completion_tokens':1,'total_tokens':9,"
	                  "'prompt_tokens_details':{'cached_tokens':2,'cache_write_tokens':1},'completion_tokens_details':{'reasoning_tokens':7}}}")
	             "data: [DONE]\n\n",
	             "begin c1 m\ntext 0 Hi\nusage in=3 out=1 total=9 cached=2 cache-write=1 reasoning=7\n" STOPPED);
}

static void reads_reasoning_once(void)
{
	CHECK_DELTAS("openai-chat",
	             DELTA("'content':'','reasoning':'b','reasoning_content':'a','reasoning_details':[{'type':'reasoning.text','text':'c'}]")
	             DELTA("'reasoning':'b','thinking':'d','reasoning_details':[{'type':'reasoning.text','text':'c'}]")
	             DELTA("'reasoning':'','thinking':'d','reasoning_text':'e'")
	             DELTA("'thinking':{'content':'d'}")
	             DELTA("'reasoning_text':'e','content_blocks':[{'delta':{'thinking':'f'}}]")
	             DELTA("'content_blocks':[{'delta':{'thinking':'f'}}]")
	             DELTA("'reasoning':null,'reasoning_content':null,'content':'t'") STOP,
	             "begin - -\nreasoning 0 a\nopaque - - reasoning-content -\nreasoning 0 b\nreasoning 0 d\nreasoning 0 d\nreasoning 0 e\n"
	             "reasoning 0 f\ntext 1 t\nopaque - - reasoning-details [{'type':'reasoning.text','text':'cc'}]\n" STOPPED);
}

static void merges_reasoning_details(void)
{
	CHECK_DELTAS("openai-chat",
	             DELTA("'reasoning_details':[{'type':'reasoning.summary','index':0,'summary':'Su','format':null,'id':'r1'}]")
	             DELTA("'reasoning_details':[{'type':'reasoning.encrypted','index':0,'data':'ab','id':'r2'},"
	                   "{'type':'reasoning.summary','index':0,'summary':'m\\ud83d','id':null,'format':'f1'}]")
	             DELTA("'reasoning_details':[{'type':'reasoning.encrypted','index':0,'data':'cd'},"
	                   "{'type':'reasoning.summary','index':0,'summary':'\\ude00'}]")
	             DELTA("'reasoning_details':[{'type':'reasoning.text','index':1,'text':'T'}]")
	             DELTA("'reasoning_details':[{'type':'reasoning.text','index':1,'signature':'s1'},'odd',null]")
	             DELTA("'reasoning_details':[{'type':'reasoning.text','index':1,'signature':'s2'}]")
	             DELTA("'content':'x'") STOP,
	             "begin - -\nreasoning 0 Su\nreasoning 0 m\nreasoning 0 😀\nreasoning 0 T\ntext 1 x\n"
	             "opaque - - reasoning-details [{'type':'reasoning.summary','summary':'Sum😀','id':'r1','format':'f1','index':0},"
	             "{'type':'reasoning.encrypted','data':'abcd','id':'r2','index':0},"
	             "{'type':'reasoning.text','text':'T','signature':'s2','index':1}]\n" STOPPED);
}

static void omits_incomplete_reasoning_details(void)
{
	CHECK_DELTAS("openai-chat", DELTA("'reasoning_details':[{'type':'reasoning.text','text':'T'}]"),
	             "begin - -\nreasoning 0 T\nend cut\n");
	CHECK_DELTAS("openai-chat",
	             DELTA("'reasoning_details':[{'type':'reasoning.text','text':'T'}]") DATA("{'choices':[{'finish_reason':'length'}]}"),
	             "begin - -\nreasoning 0 T\nopaque - - reasoning-details [{'type':'reasoning.text','text':'T'}]\nnotice no-done\n"
	             "finish length\nend length\n");
}

static void reads_content_arrays(void)
{
	CHECK_DELTAS("openai-chat",
	             DELTA("'content':[{'type':'thinking','thinking':[{'type':'text','text':'a'},{'type':'text','text':'b'}]}]")
	             DELTA("'content':[{'type':'thinking','thinking':'c','closed':true},{'type':'text','text':'d'},"
	                   "{'type':'reference','reference_ids':[1]},7,null]")
	             DELTA("'content':'e'") STOP,
	             "begin - -\nreasoning 0 a\nreasoning 0 b\nreasoning 0 c\ntext 1 d\ntext 1 e\n" STOPPED);
}

static void reads_refusals(void)
{
	CHECK_DELTAS("openai-chat", DELTA("'content':null,'refusal':'I ca'") DELTA("'refusal':'not.'") STOP,
	             "begin - -\nrefusal 0 I ca\nrefusal 0 not.\nfinish stop\nend filtered\n");
}

static void reads_calls(void)
{
	CHECK_DELTAS("openai-chat",
	             DELTA("'tool_calls':null") DELTA("'tool_calls':[]") DELTA("'tool_calls':[{'index':0,'id':'x'},7]")
	             DELTA("'tool_calls':[{'index':0,'id':7,'type':'function','function':{'name':'f','arguments':null}},"
	                   "{'index':1,'id':'b','function':{'name':'g','arguments':{'b': 1.50, 'a': [ 1e2, '\\u00e9\\/' ]}}}]")
	             DELTA("'tool_calls':[{'index':2,'id':'c','function':{'name':'h','arguments':10000000000000000000000}},"
	                   "{'index':3,'type':'custom','custom':{'name':'k','input':'free text'}}]") STOP,
	             "begin - -\ntool_begin 0 7 f\ntool_begin 1 b g\ntool_arguments 1 {'b':1.50,'a':[1e2,'é/']}\ntool_begin 2 c h\n"
	             "tool_arguments 2 10000000000000000000000\ntool_begin 3 - k\ntool_arguments 3 free text\n"
	             "tool_end 0 valid {}\ntool_end 1 valid {'b':1.50,'a':[1e2,'é/']}\ntool_end 2 valid 10000000000000000000000\n"
	             "tool_end 3 invalid free text\nfinish stop\nend tool_calls\n");
}

static void keeps_extra_content(void)
{
	CHECK_DELTAS("openai-chat",
	             DELTA("'tool_calls':[{'index':0,'id':'a','extra_content':{'google': {'thought_signature':'x/y'}},"
	                   "'function':{'name':'f','arguments':'{}'}}]")
	             DELTA("'tool_calls':[{'index':0,'extra_content':{'google':{}},'function':{'arguments':''}}]") STOP,
	             "begin - -\ntool_begin 0 a f\ntool_arguments 0 {}\nopaque - 0 extra-content {'google': {'thought_signature':'x/y'}}\n"
	             "tool_end 0 valid {}\nfinish stop\nend tool_calls\n");
}

static void reads_the_old_function_call(void)
{
	CHECK_DELTAS("openai-chat",
	             DELTA("'function_call':null") DELTA("'function_call':{'name':'f','arguments':''}") DELTA("'function_call':{'arguments':'{'}")
	             DELTA("'function_call':{'name':'f','arguments':'}'}") DATA("{'choices':[{'delta':{},'finish_reason':'function_call'}]}")
	             "data: [DONE]\n\n",
	             "begin - -\ntool_begin 0 - f\ntool_arguments 0 {\ntool_arguments 0 }\ntool_end 0 valid {}\n"
	             "finish function_call\nend tool_calls\n");
	CHECK_DELTAS("openai-chat", DELTA("'function_call':{'name':'f','arguments':{'a': 1}}") STOP,
	             "begin - -\ntool_begin 0 - f\ntool_arguments 0 {'a':1}\ntool_end 0 valid {'a':1}\nfinish stop\nend tool_calls\n");
}

static void reads_a_message_once(void)
{
	CHECK_DELTAS("openai-chat", "{'id':'x','choices':[{'index':0,'message':{'content':'all','reasoning_content':'why','tool_calls':["
	             "{'id':'c','type':'function','function':{'name':'f','arguments':{'a':1}}}]},'finish_reason':'tool_calls'}]}",
	             "begin x -\nreasoning 0 why\nopaque - - reasoning-content -\ntext 1 all\ntool_begin 0 c f\ntool_arguments 0 {'a':1}\n"
	             "tool_end 0 valid {'a':1}\nfinish tool_calls\nend tool_calls\n");
	CHECK_DELTAS("openai-chat",
	             DATA("{'choices':[{'delta':{'content':'a'},'message':{'content':'a'}}]}")
	             DATA("{'choices':[{'delta':{},'message':{'content':'a'}}]}")
	             DATA("{'choices':[{'message':{'content':'a'}}]}") STOP,
	             "begin - -\ntext 0 a\n" STOPPED);
	CHECK_DELTAS("openai-chat",
	             DATA("{'choices':[{'delta':null,'message':{'content':'a'}}]}") DATA("{'choices':[{'message':{'content':'a'}}]}") STOP,
	             "begin - -\ntext 0 a\n" STOPPED);
}

static void reads_old_completions(void)
{
	CHECK_DELTAS("openai-chat", DATA("{'choices':[{'text':'a'}]}") DATA("{'choices':[{'text':'b','finish_reason':'stop'}]}"),
	             "begin - -\ntext 0 a\ntext 0 b\nnotice no-done\n" STOPPED);
}

static void reads_usage_wherever_it_is(void)
{
	CHECK_DELTAS("openai-chat", DATA("{'choices':[{'delta':{},'usage':{'prompt_tokens':1,'completion_tokens':2}}]}"),
	             "begin - -\nusage in=1 out=2 total=3\nend cut\n");
	CHECK_DELTAS("openai-chat", DATA("{'choices':[],'x_groq':{'id':'r','usage':{'prompt_tokens':1,'completion_tokens':2}}}"),
	             "begin - -\nusage in=1 out=2 total=3\nend cut\n");
	CHECK_DELTAS("openai-chat",
	             DATA("{'choices':[],'usage':{'prompt_tokens':4,'prompt_cache_hit_tokens':3,'completion_tokens':null,'total_tokens':-1}}")
	             DATA("{'choices':[],'usage':{'prompt_tokens':0,'completion_tokens':0,'total_tokens':0}}")
	             DATA("{'choices':[],'usage':{}}")
	             DATA("{'choices':[],'usage':{'prompt_tokens':1.5,'completion_tokens':'2','total_tokens':5.0}}"),
	             "begin - -\nusage in=4 cached=3\nusage total=5\nend cut\n");
}

static void reads_citations(void)
{
	CHECK_DELTAS("openai-chat",
	             DELTA("'content':'a','annotations':[{'type':'url_citation','url_citation':{'url':'https://h','title':'T','content':'w'}},"
	                   "{'type':'file'}]") STOP,
	             "begin - -\ntext 0 a\ncitation https://h T w\n" STOPPED);
}

static void reads_bare_errors(void)
{
	CHECK_DELTAS("openai-chat", "{'detail':'Invalid API Key'}", "begin - -\nerror Invalid API Key - -\nend error\n");
	CHECK_DELTAS("openai-chat", DELTA("'content':'a'") DATA("{'object':'error','message':'gone','type':'t','code':1}"),
	             "begin - -\ntext 0 a\nerror gone t 1\nend error\n");
	CHECK_DELTAS("openai-chat", DELTA("'content':'a'") DATA("{'message':'still at it'}") STOP, "begin - -\ntext 0 a\n" STOPPED);
}

static void survives_odd_values(void)
{
	CHECK_DELTAS("openai-chat",
	             DATA("{'choices':{}}") DATA("{'choices':[null,7,'x',[]]}") DATA("{'choices':[{'delta':7,'message':[]}]}")
	             DATA("{'choices':[{'delta':[],'finish_reason':{},'usage':[]}],'usage':'x','sansa':3,'x_groq':[],'id':{},'model':[]}")
	             DELTA("'content':{},'refusal':7,'tool_calls':{},'function_call':'f','reasoning_details':'x','thinking':7,'annotations':{}")
	             DATA("[]") DATA("7") DATA("null") STOP,
	             "begin - -\n" STOPPED);
}

static void tell_route(void *ctx, const struct delta *delta)
{
	if (delta->kind == DELTA_ROUTE)
		buf_printf(ctx, "%d %.*s %g\n", delta->route.routed, STR_ARG(delta->route.routed_model), delta->route.routing_latency_ms);
}

static void reads_routes(void)
{
	struct buf routes = { 0 }, body = { 0 };

	struct stream *s = stream_new(&(struct stream_options){ 0 }, tell_route, &routes);
	stream_body(s, unquoted(DATA("{'choices':[],'sansa':{'routed':true,'routed_model':'v/m','routing_latency_ms':287.5}}")
	                        DATA("{'choices':[],'sansa':{'routed':false,'routed_model':null,'routing_latency_ms':null}}")
	                        DATA("{'choices':[],'sansa':{}}") DATA("{'choices':[],'sansa':null}"), &body), 0);
	CHECK_STR(buf_str(&routes), "1 v/m 287.5\n0  -1\n-1  -1\n");
	stream_free(s);
	buf_fini(&routes);
	buf_fini(&body);
}

const struct suite suite_openai_chat = { "openai_chat", (const struct test[]){
	TEST(reads_an_ordinary_answer), TEST(reads_reasoning_once), TEST(merges_reasoning_details),
	TEST(omits_incomplete_reasoning_details), TEST(reads_content_arrays), TEST(reads_refusals), TEST(reads_calls),
	TEST(keeps_extra_content), TEST(reads_the_old_function_call), TEST(reads_a_message_once), TEST(reads_old_completions), TEST(reads_usage_wherever_it_is),
	TEST(reads_citations), TEST(reads_bare_errors), TEST(survives_odd_values), TEST(reads_routes), { 0 },
} };
