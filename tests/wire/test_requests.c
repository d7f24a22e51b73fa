/* Request bodies, byte for byte. In the expected texts ' stands for ". */
#include <math.h>
#include <stdio.h>

#include "decoded.h"
#include "wire/protocol/protocol.h"

#define TEXT(words) { .kind = PART_TEXT, .text = STR(words) }
#define REASONING(words) { .kind = PART_REASONING, .text = STR(words) }
#define CALL(call_id, tool, arguments) { .kind = PART_TOOL_CALL, .id = STR(call_id), .name = STR(tool), .text = STR(arguments) }
#define RESULT(call_id, tool, words) { .kind = PART_TOOL_RESULT, .id = STR(call_id), .name = STR(tool), .text = STR(words) }
#define OPAQUE(format, data) { .kind = PART_OPAQUE, .name = STR(format), .text = STR(data) }
#define FILE_PART(file, type, bytes) { .kind = PART_ATTACHMENT, .name = STR(file), .media = STR(type), .text = STR(bytes) }
#define MESSAGE(who, ...) { who, (const struct request_part[]){ __VA_ARGS__ }, \
	sizeof (const struct request_part[]){ __VA_ARGS__ } / sizeof(struct request_part) }
#define USER(...) MESSAGE(TURN_USER, __VA_ARGS__)
#define ASSISTANT(...) MESSAGE(TURN_ASSISTANT, __VA_ARGS__)
#define MESSAGES(...) .messages = (const struct request_message[]){ __VA_ARGS__ }, \
	.message_count = sizeof (const struct request_message[]){ __VA_ARGS__ } / sizeof(struct request_message)

/* The defaults of a request. A test appends initializers that override them. */
#define PLAIN .model = STR("m"), .temperature = NAN, .stream = true

#define TOOLS \
	"[ {\"type\": \"function\", \"function\": {\"name\": \"f\", \"description\": \"d\",\n \"parameters\": {\"type\": \"object\", \"x\": 1.0}}},\n" \
	" {\"type\": \"function\", \"function\": {\"name\": \"g\", \"strict\": true}} ]"
#define SCHEMA "{ \"type\": \"object\" }"

#define CHECK_BODY(protocol, request, expected) check_body(&protocol_##protocol, (request), (expected), __FILE__, __LINE__)

static void check_body(const struct protocol *protocol, const struct request *request, const char *expected, const char *file, int line)
{
	struct buf body = { 0 }, wanted = { 0 };

	protocol_build(protocol, request, &body);
	unquoted(expected, &wanted);
	check_str(buf_str(&body), buf_z(&wanted), file, line);
	buf_fini(&body);
	buf_fini(&wanted);
}

static void sends_plain_text(void)
{
	const struct request r = { PLAIN, MESSAGES(USER(TEXT("hi\n"))) };

	CHECK_BODY(openai_chat, &r, "{'model':'m','messages':[{'role':'user','content':'hi\\n'}],'stream':true}");
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[{'role':'user','content':[{'type':'text','text':'hi\\n'}]}],'stream':true}");
	CHECK_BODY(gemini, &r, "{'contents':[{'role':'user','parts':[{'text':'hi\\n'}]}]}");
	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','input':[{'role':'user','content':[{'type':'input_text','text':'hi\\n'}]}],'stream':true}");
	CHECK_BODY(ollama, &r, "{'model':'m','messages':[{'role':'user','content':'hi\\n'}],'stream':true}");
}

static void sends_system_and_limits(void)
{
	const struct request r = { .model = STR("m"), .system = STR("s"), .max_tokens = 100, .temperature = 0.5,
		                   MESSAGES(USER(TEXT("a")), ASSISTANT(TEXT("b")), USER(TEXT("c"))) };

	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[{'role':'system','content':'s'},{'role':'user','content':'a'},"
	           "{'role':'assistant','content':'b'},{'role':'user','content':'c'}],'stream':false,'max_tokens':100,'temperature':0.5}");
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':100,'system':'s','messages':[{'role':'user','content':[{'type':'text','text':'a'}]},"
	           "{'role':'assistant','content':[{'type':'text','text':'b'}]},{'role':'user','content':[{'type':'text','text':'c'}]}],"
	           "'stream':false,'temperature':0.5}");
	CHECK_BODY(gemini, &r,
	           "{'systemInstruction':{'parts':[{'text':'s'}]},'contents':[{'role':'user','parts':[{'text':'a'}]},"
	           "{'role':'model','parts':[{'text':'b'}]},{'role':'user','parts':[{'text':'c'}]}],"
	           "'generationConfig':{'maxOutputTokens':100,'temperature':0.5}}");
	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','instructions':'s','input':[{'role':'user','content':[{'type':'input_text','text':'a'}]},"
	           "{'role':'assistant','content':[{'type':'output_text','text':'b'}]},"
	           "{'role':'user','content':[{'type':'input_text','text':'c'}]}],'stream':false,'max_output_tokens':100,'temperature':0.5}");
	CHECK_BODY(ollama, &r,
	           "{'model':'m','messages':[{'role':'system','content':'s'},{'role':'user','content':'a'},"
	           "{'role':'assistant','content':'b'},{'role':'user','content':'c'}],'stream':false,"
	           "'options':{'num_predict':100,'temperature':0.5}}");
}

static void names_parameters_by_dialect(void)
{
	struct request r = { PLAIN, .max_tokens = 9, .sending = { .max_tokens_field = MAX_TOKENS_COMPLETION, .usage_opt_in = true } };

	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[],'stream':true,'stream_options':{'include_usage':true},'max_completion_tokens':9}");
	r.stream = false;
	CHECK_BODY(openai_chat, &r, "{'model':'m','messages':[],'stream':false,'max_completion_tokens':9}");
}

static void requests_openai_reasoning(void)
{
	struct request r = { PLAIN, .reasoning = REASONING_LEVEL_HIGH };

	CHECK_BODY(openai_chat, &r, "{'model':'m','messages':[],'stream':true,'reasoning_effort':'high'}");
	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','input':[],'stream':true,'reasoning':{'effort':'high','summary':'auto'},"
	           "'include':['reasoning.encrypted_content'],'store':false}");
	r.sending.reasoning_field = REASONING_FIELD_OBJECT;
	CHECK_BODY(openai_chat, &r, "{'model':'m','messages':[],'stream':true,'reasoning':{'effort':'high'}}");
	r.reasoning = REASONING_LEVEL_OFF;
	CHECK_BODY(openai_chat, &r, "{'model':'m','messages':[],'stream':true,'reasoning':{'enabled':false}}");
	CHECK_BODY(openai_responses, &r, "{'model':'m','input':[],'stream':true}");
	r.sending.reasoning_field = REASONING_FIELD_EFFORT;
	CHECK_BODY(openai_chat, &r, "{'model':'m','messages':[],'stream':true}");
	r.sending.reasoning_field = REASONING_FIELD_OBJECT;
	r.reasoning = REASONING_LEVEL_UNSET;
	CHECK_BODY(openai_chat, &r, "{'model':'m','messages':[],'stream':true}");
}

static void requests_anthropic_thinking(void)
{
	struct request r = { PLAIN, .reasoning = REASONING_LEVEL_LOW, .max_tokens = 1024 };

	r.temperature = 0.5;
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':2048,'messages':[],'stream':true,'thinking':{'type':'enabled','budget_tokens':1024}}");
	r.max_tokens = 8192;
	r.reasoning = REASONING_LEVEL_MEDIUM;
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[],'stream':true,'thinking':{'type':'enabled','budget_tokens':4096}}");
	r.reasoning = REASONING_LEVEL_HIGH;
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':24576,'messages':[],'stream':true,'thinking':{'type':'enabled','budget_tokens':16384}}");
	r.sending.thinking = THINKING_ADAPTIVE;
	r.schema = STR(SCHEMA);
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[],'stream':true,'thinking':{'type':'adaptive'},"
	           "'output_config':{'effort':'high','format':{'type':'json_schema','schema':{'type':'object'}}}}");
	r.reasoning = REASONING_LEVEL_OFF;
	r.schema = STR_NONE;
	CHECK_BODY(anthropic, &r, "{'model':'m','max_tokens':8192,'messages':[],'stream':true,'temperature':0.5}");
}

static void requests_gemini_and_ollama_thoughts(void)
{
	struct request r = { PLAIN, .reasoning = REASONING_LEVEL_MEDIUM };

	CHECK_BODY(gemini, &r, "{'contents':[],'generationConfig':{'thinkingConfig':{'includeThoughts':true,'thinkingBudget':8192}}}");
	CHECK_BODY(ollama, &r, "{'model':'m','messages':[],'stream':true,'think':true}");
	r.model = STR("gpt-oss:20b");
	CHECK_BODY(ollama, &r, "{'model':'gpt-oss:20b','messages':[],'stream':true,'think':'medium'}");
	r.model = STR("gemini-3-flash");
	CHECK_BODY(gemini, &r, "{'contents':[],'generationConfig':{'thinkingConfig':{'includeThoughts':true,'thinkingLevel':'medium'}}}");
	r.reasoning = REASONING_LEVEL_OFF;
	CHECK_BODY(gemini, &r, "{'contents':[],'generationConfig':{'thinkingConfig':{'thinkingBudget':0}}}");
	CHECK_BODY(ollama, &r, "{'model':'gemini-3-flash','messages':[],'stream':true,'think':false}");
}

static void defines_tools(void)
{
	struct request r = { PLAIN, .tools = STR(TOOLS) };
	const char *same = "'tools':[{'type':'function','function':{'name':'f','description':'d','parameters':{'type':'object','x':1.0}}},"
		           "{'type':'function','function':{'name':'g','strict':true}}]}";
	char expected[512];

	snprintf(expected, sizeof expected, "{'model':'m','messages':[],'stream':true,%s", same);
	CHECK_BODY(openai_chat, &r, expected);
	CHECK_BODY(ollama, &r, expected);
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[],'stream':true,'tools':[{'name':'f','description':'d','input_schema':"
	           "{'type':'object','x':1.0}},{'name':'g','input_schema':{'type':'object'}}]}");
	CHECK_BODY(gemini, &r,
	           "{'contents':[],'tools':[{'functionDeclarations':[{'name':'f','description':'d','parametersJsonSchema':"
	           "{'type':'object','x':1.0}},{'name':'g'}]}]}");
	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','input':[],'stream':true,'tools':[{'type':'function','name':'f','description':'d','parameters':"
	           "{'type':'object','x':1.0},'strict':false},"
	           "{'type':'function','name':'g','parameters':{'type':'object','properties':{}},'strict':true}]}");
	r.tools = STR("[]");
	CHECK_BODY(openai_chat, &r, "{'model':'m','messages':[],'stream':true}");
}

/* What server tools add is in the members that a protocol writes itself where it has them, else behind these; tools are one array. */
static void weaves_what_server_tools_add(void)
{
	struct request r = { PLAIN, .tools = STR("[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]"), .reasoning = REASONING_LEVEL_LOW };

	r.added = STR("{ \"tools\": [ {\"type\": \"s\"} ], \"modalities\": [\"text\", \"a\\u00e9\"] }");
	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[],'stream':true,'reasoning_effort':'low','tools':[{'type':'function','function':{'name':'f'}},{'type':'s'}],"
	           "'modalities':['text','a\u00e9']}");
	CHECK_BODY(ollama, &r,
	           "{'model':'m','messages':[],'stream':true,'think':true,'tools':[{'type':'function','function':{'name':'f'}},{'type':'s'}],"
	           "'modalities':['text','a\u00e9']}");
	r.added = STR("{\"tools\":[{\"type\":\"s\"}],\"mcp_servers\":[]}");
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[],'stream':true,'thinking':{'type':'enabled','budget_tokens':1024},"
	           "'tools':[{'name':'f','input_schema':{'type':'object'}},{'type':'s'}],'mcp_servers':[]}");
	r.added = STR("{\"tools\":[{\"type\":\"s\"}],\"include\":[\"s.out\"],\"plugins\":[{\"id\":\"web\"}]}");
	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','input':[],'stream':true,'reasoning':{'effort':'low','summary':'auto'},"
	           "'include':['reasoning.encrypted_content','s.out'],'store':false,'tools':[{'type':'function','name':'f',"
	           "'parameters':{'type':'object','properties':{}},'strict':false},{'type':'s'}],'plugins':[{'id':'web'}]}");
	r.reasoning = REASONING_LEVEL_UNSET;
	r.tools = STR_NONE;
	CHECK_BODY(openai_responses, &r, "{'model':'m','input':[],'stream':true,'include':['s.out'],'tools':[{'type':'s'}],'plugins':[{'id':'web'}]}");
	r.added = STR("{\"tools\":[{\"codeExecution\":{}}],\"generationConfig\":{\"responseModalities\":[\"TEXT\"]},\"x\":1}");
	CHECK_BODY(gemini, &r, "{'contents':[],'tools':[{'codeExecution':{}}],'generationConfig':{'responseModalities':['TEXT']},'x':1}");
	r.max_tokens = 5;
	r.tools = STR("[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]");
	CHECK_BODY(gemini, &r,
	           "{'contents':[],'tools':[{'functionDeclarations':[{'name':'f'}]},{'codeExecution':{}}],"
	           "'generationConfig':{'maxOutputTokens':5,'responseModalities':['TEXT']},'x':1}");
	r.model = STR("gemini-3-pro");
	CHECK_BODY(gemini, &r,
	           "{'contents':[],'tools':[{'functionDeclarations':[{'name':'f'}]},{'codeExecution':{}}],"
	           "'toolConfig':{'includeServerSideToolInvocations':true},"
	           "'generationConfig':{'maxOutputTokens':5,'responseModalities':['TEXT']},'x':1}");
}

static void names_server_tools(void)
{
	struct buf words = { 0 };
	unsigned tools = 0;

	CU_ASSERT(server_tools_find(STR(" code, web_search code "), &tools));
	server_tools_write(tools, ",", &words);
	CHECK_STR(buf_str(&words), "web_search,code");
	CU_ASSERT_FALSE(server_tools_find(STR("code,cod"), &tools) || server_tools_find(STR(" , "), &tools) || server_tools_find(STR("code,off"), &tools));
	CU_ASSERT_EQUAL(tools, 1u << SERVER_CAN_WEB_SEARCH | 1u << SERVER_CAN_CODE);
	CU_ASSERT(server_tools_find(STR("off"), &tools) && tools == SERVER_TOOLS_OFF);
	buf_clear(&words);
	server_tools_write(tools, ",", &words);
	CHECK_STR(buf_str(&words), "off");
	buf_fini(&words);
}

static void sends_schemas(void)
{
	const struct request r = { PLAIN, .schema = STR(SCHEMA) };

	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[],'stream':true,'response_format':{'type':'json_schema','json_schema':"
	           "{'name':'answer','strict':true,'schema':{'type':'object'}}}}");
	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','input':[],'stream':true,'text':{'format':{'type':'json_schema','name':'answer','strict':true,"
	           "'schema':{'type':'object'}}}}");
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[],'stream':true,'output_config':{'format':{'type':'json_schema',"
	           "'schema':{'type':'object'}}}}");
	CHECK_BODY(gemini, &r,
	           "{'contents':[],'generationConfig':{'responseMimeType':'application/json','responseJsonSchema':{'type':'object'}}}");
	CHECK_BODY(ollama, &r, "{'model':'m','messages':[],'stream':true,'format':{'type':'object'}}");
}

static void sends_calls_and_results(void)
{
	const struct request r = {
		PLAIN,
		MESSAGES(USER(TEXT("q")), ASSISTANT(TEXT("t"), CALL("c.1", "f", "{\"a\": 1.0}"), CALL("c2", "g", "")),
		         USER(RESULT("c.1", "f", "ok"), { .kind = PART_TOOL_RESULT, .id = STR("c2"), .name = STR("g"), .text = STR("bad"),
		                                          .is_error = true }, TEXT("more"))),
	};

	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[{'role':'user','content':'q'},{'role':'assistant','content':'t','tool_calls':["
	           "{'id':'c.1','type':'function','function':{'name':'f','arguments':'{\\'a\\': 1.0}'}},"
	           "{'id':'c2','type':'function','function':{'name':'g','arguments':'{}'}}]},"
	           "{'role':'tool','tool_call_id':'c.1','content':'ok'},{'role':'tool','tool_call_id':'c2','content':'bad'},"
	           "{'role':'user','content':'more'}],'stream':true}");
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[{'role':'user','content':[{'type':'text','text':'q'}]},"
	           "{'role':'assistant','content':[{'type':'text','text':'t'},{'type':'tool_use','id':'c_1_ba290cdf','name':'f','input':{'a':1.0}},"
	           "{'type':'tool_use','id':'c2','name':'g','input':{}}]},"
	           "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c_1_ba290cdf','content':'ok'},"
	           "{'type':'tool_result','tool_use_id':'c2','content':'bad','is_error':true},{'type':'text','text':'more'}]}],'stream':true}");
	CHECK_BODY(gemini, &r,
	           "{'contents':[{'role':'user','parts':[{'text':'q'}]},{'role':'model','parts':[{'text':'t'},"
	           "{'functionCall':{'id':'c.1','name':'f','args':{'a':1.0}}},{'functionCall':{'id':'c2','name':'g','args':{}}}]},"
	           "{'role':'user','parts':[{'functionResponse':{'id':'c.1','name':'f','response':{'result':'ok'}}},"
	           "{'functionResponse':{'id':'c2','name':'g','response':{'error':'bad'}}},{'text':'more'}]}]}");
	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','input':[{'role':'user','content':[{'type':'input_text','text':'q'}]},"
	           "{'role':'assistant','content':[{'type':'output_text','text':'t'}]},"
	           "{'type':'function_call','call_id':'c.1','name':'f','arguments':'{\\'a\\': 1.0}'},"
	           "{'type':'function_call','call_id':'c2','name':'g','arguments':'{}'},"
	           "{'type':'function_call_output','call_id':'c.1','output':'ok'},{'type':'function_call_output','call_id':'c2','output':'bad'},"
	           "{'role':'user','content':[{'type':'input_text','text':'more'}]}],'stream':true}");
	CHECK_BODY(ollama, &r,
	           "{'model':'m','messages':[{'role':'user','content':'q'},{'role':'assistant','content':'t','tool_calls':["
	           "{'id':'c.1','function':{'name':'f','arguments':{'a':1.0}}},{'id':'c2','function':{'name':'g','arguments':{}}}]},"
	           "{'role':'tool','content':'ok','tool_name':'f','tool_call_id':'c.1'},"
	           "{'role':'tool','content':'bad','tool_name':'g','tool_call_id':'c2'},{'role':'user','content':'more'}],'stream':true}");
}

static void omits_generated_ids(void)
{
	const struct request r = {
		PLAIN,
		MESSAGES(ASSISTANT({ .kind = PART_TOOL_CALL, .id = STR("ours"), .name = STR("f"), .text = STR("[1]"), .id_is_ours = true }),
		         USER({ .kind = PART_TOOL_RESULT, .id = STR("ours"), .name = STR("f"), .text = STR("ok"), .id_is_ours = true })),
	};

	CHECK_BODY(gemini, &r,
	           "{'contents':[{'role':'model','parts':[{'functionCall':{'name':'f','args':{'value':[1]}}}]},"
	           "{'role':'user','parts':[{'functionResponse':{'name':'f','response':{'result':'ok'}}}]}]}");
	CHECK_BODY(ollama, &r,
	           "{'model':'m','messages':[{'role':'assistant','content':'','tool_calls':[{'function':{'name':'f','arguments':{'value':[1]}}}]},"
	           "{'role':'tool','content':'ok','tool_name':'f'}],'stream':true}");
	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[{'role':'assistant','content':null,'tool_calls':[{'id':'ours','type':'function','function':"
	           "{'name':'f','arguments':'[1]'}}]},{'role':'tool','tool_call_id':'ours','content':'ok'}],'stream':true}");
}

static void sends_anthropic_thinking_back(void)
{
	const struct request r = {
		PLAIN,
		MESSAGES(ASSISTANT(REASONING("why\n"), OPAQUE(OPAQUE_ANTHROPIC_SIGNATURE, "c2ln/+="), OPAQUE(OPAQUE_ANTHROPIC_REDACTED, "UkVE"),
		                   OPAQUE(OPAQUE_ANTHROPIC_BLOCK, "{\"type\": \"server_tool_use\"}"), OPAQUE(OPAQUE_GEMINI_SIGNATURE, "x"),
		                   TEXT("so"), REASONING("cut off"), OPAQUE(OPAQUE_ANTHROPIC_BLOCK, "{broken"))),
	};

	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[{'role':'assistant','content':["
	           "{'type':'thinking','thinking':'why\\n','signature':'c2ln/+='},{'type':'redacted_thinking','data':'UkVE'},"
	           "{'type': 'server_tool_use'},{'type':'text','text':'so'}]}],'stream':true}");
}

#define USE(id) OPAQUE(OPAQUE_ANTHROPIC_BLOCK, "{\"type\":\"server_tool_use\",\"id\":\"" id "\"}")
#define USED(id) OPAQUE(OPAQUE_ANTHROPIC_BLOCK, "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"" id "\"}")

static void omits_unanswered_server_tools(void)
{
	struct request r = { PLAIN, MESSAGES(ASSISTANT(USE("a"), USED("a"), USE("b"), TEXT("cut")), USER(TEXT("q"))) };

	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[{'role':'assistant','content':[{'type':'server_tool_use','id':'a'},"
	           "{'type':'web_search_tool_result','tool_use_id':'a'},{'type':'text','text':'cut'}]},"
	           "{'role':'user','content':[{'type':'text','text':'q'}]}],'stream':true}");
	r.message_count = 1;
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[{'role':'assistant','content':[{'type':'server_tool_use','id':'a'},"
	           "{'type':'web_search_tool_result','tool_use_id':'a'},{'type':'server_tool_use','id':'b'},"
	           "{'type':'text','text':'cut'}]}],'stream':true}");
}

static void sends_gemini_signatures_back(void)
{
	struct request r = {
		PLAIN,
		MESSAGES(ASSISTANT(REASONING("unsigned"), REASONING("signed"), OPAQUE(OPAQUE_GEMINI_SIGNATURE, "s1"), TEXT("a"), TEXT("b"),
		                   OPAQUE(OPAQUE_GEMINI_SIGNATURE, "s2"), OPAQUE(OPAQUE_GEMINI_PART, "{\"text\":\"\",\"thoughtSignature\":\"s3\"}"),
		                   CALL("c", "f", "{}"), OPAQUE(OPAQUE_GEMINI_SIGNATURE, "s4"), CALL("d", "g", "{}"))),
	};
	const char *expected =
		"{'contents':[{'role':'model','parts':[{'text':'signed','thought':true,'thoughtSignature':'s1'},{'text':'a'},"
		"{'text':'b','thoughtSignature':'s2'},{'text':'','thoughtSignature':'s3'},"
		"{'functionCall':{'id':'c','name':'f','args':{}},'thoughtSignature':'s4'},{'functionCall':{'id':'d','name':'g','args':{}}}]}]}";

	CHECK_BODY(gemini, &r, expected);
	r.model = STR("gemini-3-pro");
	CHECK_BODY(gemini, &r, expected);
}

static void marks_gemini_3_calls_as_unsigned(void)
{
	struct request r = { PLAIN, MESSAGES(ASSISTANT(CALL("c", "f", "{}"), CALL("d", "g", "{}"))) };

	r.model = STR("gemini-3-pro");
	CHECK_BODY(gemini, &r,
	           "{'contents':[{'role':'model','parts':[{'functionCall':{'id':'c','name':'f','args':{}},"
	           "'thoughtSignature':'skip_thought_signature_validator'},{'functionCall':{'id':'d','name':'g','args':{}}}]}]}");
}

static void sends_responses_items_back(void)
{
	const struct request r = {
		PLAIN,
		MESSAGES(ASSISTANT(REASONING("why"), OPAQUE(OPAQUE_RESPONSES_ITEM, "{\"type\":\"reasoning\",\"id\":\"1\"}"), TEXT("so"),
		                   { .kind = PART_REFUSAL, .text = STR("no") }, OPAQUE(OPAQUE_RESPONSES_ITEM, "{\"id\":\"2\"}")),
		         ASSISTANT(OPAQUE(OPAQUE_RESPONSES_ITEM, "{\"id\":\"3\"}"))),
	};

	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','input':[{'type':'reasoning','id':'1'},{'role':'assistant','content':[{'type':'output_text','text':'so'}]},"
	           "{'role':'assistant','content':[{'type':'refusal','refusal':'no'}]}],'stream':true}");
}

static void sends_openai_reasoning_back(void)
{
	struct request r = {
		PLAIN,
		MESSAGES(ASSISTANT(OPAQUE(OPAQUE_REASONING_CONTENT, ""), REASONING("w"), REASONING("hy"), CALL("c", "f", "{}"),
		                   OPAQUE(OPAQUE_EXTRA_CONTENT, "{\"google\":1}"), OPAQUE(OPAQUE_REASONING_DETAILS, "[{\"index\":0}]"))),
	};

	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[{'role':'assistant','content':null,'reasoning_details':[{'index':0}],'tool_calls':["
	           "{'id':'c','type':'function','function':{'name':'f','arguments':'{}'},'extra_content':{'google':1}}]}],'stream':true}");
	r.sending.reasoning_back = true;
	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[{'role':'assistant','content':null,'reasoning_content':'why','reasoning_details':[{'index':0}],"
	           "'tool_calls':[{'id':'c','type':'function','function':{'name':'f','arguments':'{}'},'extra_content':{'google':1}}]}],"
	           "'stream':true}");
	CHECK_BODY(ollama, &r,
	           "{'model':'m','messages':[{'role':'assistant','content':'','thinking':'why','tool_calls':[{'id':'c','function':"
	           "{'name':'f','arguments':{}}}]}],'stream':true}");
}

static void omits_empty_messages(void)
{
	const struct request r = {
		PLAIN,
		MESSAGES(USER(TEXT("a")), ASSISTANT(REASONING("cut off")), USER(TEXT("b")), ASSISTANT(TEXT("")), USER(TEXT(""))),
	};

	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[{'role':'user','content':'a'},{'role':'user','content':'b'}],'stream':true}");
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[{'role':'user','content':[{'type':'text','text':'a'},"
	           "{'type':'text','text':'b'}]}],'stream':true}");
	CHECK_BODY(gemini, &r, "{'contents':[{'role':'user','parts':[{'text':'a'},{'text':'b'}]}]}");
	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','input':[{'role':'user','content':[{'type':'input_text','text':'a'}]},"
	           "{'role':'user','content':[{'type':'input_text','text':'b'}]}],'stream':true}");
	CHECK_BODY(ollama, &r,
	           "{'model':'m','messages':[{'role':'user','content':'a'},{'role':'user','content':'b'}],'stream':true}");
}

static void sends_attachments(void)
{
	const struct request r = {
		PLAIN,
		MESSAGES(USER(TEXT("q"), FILE_PART("i.png", "image/png", "\x89P"), FILE_PART("d.pdf", "application/pdf", "%P"),
		              FILE_PART("n.txt", "text/plain", "note"), FILE_PART("x.bin", "application/x", "\xff"))),
	};

	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[{'role':'user','content':[{'type':'text','text':'q'},"
	           "{'type':'image_url','image_url':{'url':'data:image/png;base64,iVA='}},"
	           "{'type':'file','file':{'filename':'d.pdf','file_data':'data:application/pdf;base64,JVA='}},"
	           "{'type':'text','text':'File n.txt:\\n\\n```\\nnote\\n```'},"
	           "{'type':'text','text':'(The file x.bin of type application/x was left out: it cannot be sent here.)'}]}],'stream':true}");
	CHECK_BODY(anthropic, &r,
	           "{'model':'m','max_tokens':8192,'messages':[{'role':'user','content':[{'type':'text','text':'q'},"
	           "{'type':'image','source':{'type':'base64','media_type':'image/png','data':'iVA='}},"
	           "{'type':'document','source':{'type':'base64','media_type':'application/pdf','data':'JVA='},'title':'d.pdf'},"
	           "{'type':'text','text':'File n.txt:\\n\\n```\\nnote\\n```'},"
	           "{'type':'text','text':'(The file x.bin of type application/x was left out: it cannot be sent here.)'}]}],'stream':true}");
	CHECK_BODY(gemini, &r,
	           "{'contents':[{'role':'user','parts':[{'text':'q'},{'inlineData':{'mimeType':'image/png','data':'iVA='}},"
	           "{'inlineData':{'mimeType':'application/pdf','data':'JVA='}},{'text':'File n.txt:\\n\\n```\\nnote\\n```'},"
	           "{'text':'(The file x.bin of type application/x was left out: it cannot be sent here.)'}]}]}");
	CHECK_BODY(openai_responses, &r,
	           "{'model':'m','input':[{'role':'user','content':[{'type':'input_text','text':'q'},"
	           "{'type':'input_image','image_url':'data:image/png;base64,iVA='},"
	           "{'type':'input_file','filename':'d.pdf','file_data':'data:application/pdf;base64,JVA='},"
	           "{'type':'input_text','text':'File n.txt:\\n\\n```\\nnote\\n```'},"
	           "{'type':'input_text','text':'(The file x.bin of type application/x was left out: it cannot be sent here.)'}]}],'stream':true}");
	CHECK_BODY(ollama, &r,
	           "{'model':'m','messages':[{'role':'user','content':'q\\n\\n(The file d.pdf of type application/pdf was left out: it cannot "
	           "be sent here.)\\n\\nFile n.txt:\\n\\n```\\nnote\\n```\\n\\n(The file x.bin of type application/x was left out: it cannot be sent here.)',"
	           "'images':['iVA=']}],'stream':true}");
}

static void sends_an_attachment_alone(void)
{
	const struct request r = { PLAIN, MESSAGES(USER(FILE_PART("a.mp3", "audio/mpeg", "%P"))) };

	CHECK_BODY(openai_chat, &r,
	           "{'model':'m','messages':[{'role':'user','content':[{'type':'input_audio','input_audio':{'data':'JVA=','format':'mp3'}}]}],"
	           "'stream':true}");
	CHECK_BODY(gemini, &r, "{'contents':[{'role':'user','parts':[{'inlineData':{'mimeType':'audio/mpeg','data':'JVA='}}]}]}");
}

const struct suite suite_requests = {
	"requests",
	(const struct test[]){
		TEST(sends_plain_text),
		TEST(sends_system_and_limits),
		TEST(names_parameters_by_dialect),
		TEST(requests_openai_reasoning),
		TEST(requests_anthropic_thinking),
		TEST(requests_gemini_and_ollama_thoughts),
		TEST(defines_tools),
		TEST(weaves_what_server_tools_add),
		TEST(names_server_tools),
		TEST(sends_schemas),
		TEST(sends_calls_and_results),
		TEST(omits_generated_ids),
		TEST(sends_anthropic_thinking_back),
		TEST(omits_unanswered_server_tools),
		TEST(sends_gemini_signatures_back),
		TEST(marks_gemini_3_calls_as_unsigned),
		TEST(sends_responses_items_back),
		TEST(sends_openai_reasoning_back),
		TEST(omits_empty_messages),
		TEST(sends_attachments),
		TEST(sends_an_attachment_alone),
		{ 0 },
	},
};
