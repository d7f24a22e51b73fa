#include "decoded.h"

static void streams_thinking_and_text(void)
{
	CHECK_DELTAS("ollama",
	             "{'model':'m','created_at':'2026-01-01T00:00:00Z','message':{'role':'assistant','content':'','thinking':'a'},'done':false}\n"
	             "{'model':'m','message':{'content':'b','thinking':null},'done':false}\n"
	             "{'model':'m','message':{'content':'c'},'done':false}\n"
	             "{'model':'m','message':{'content':''},'done':true,'done_reason':'stop','prompt_eval_count':5,'eval_count':6}\n"
	             "{'model':'m','message':{'content':'late'},'done':false}\n",
	             "begin - m\nreasoning 0 a\ntext 1 b\ntext 1 c\nusage in=5 out=6 total=11\nfinish stop\nend complete\n");
}

static void reads_generated_text(void)
{
	CHECK_DELTAS("ollama",
	             "{'model':'m','response':'a','thinking':'t','done':false}\n{'model':'m','response':'','done':true,'eval_count':6}\n",
	             "begin - m\nreasoning 0 t\ntext 1 a\nusage out=6\nnotice no-finish\nend complete\n");
}

static void reads_calls(void)
{
	CHECK_DELTAS("ollama",
	             "{'model':'m','message':{'content':'x','tool_calls':[{'id':'c','function':{'index':0,'name':'f','arguments':{'y':1.0,'x':'\\/'}}},"
	             "{'function':{'name':'g','arguments':{}}},{'function':{'name':'h','arguments':'{\\'z\\':2}'}},{'function':null}]},'done':false}\n"
	             "{'model':'m','message':{'content':'y'},'done':true,'done_reason':'stop'}\n",
	             "begin - m\ntext 0 x\ntool_begin 0 c f\ntool_arguments 0 {'y':1.0,'x':'/'}\ntool_end 0 valid {'y':1.0,'x':'/'}\n"
	             "tool_begin 1 - g\ntool_arguments 1 {}\ntool_end 1 valid {}\ntool_begin 2 - h\ntool_arguments 2 {'z':2}\n"
	             "tool_end 2 valid {'z':2}\ntext 1 y\nfinish stop\nend tool_calls\n");
}

static void ends_with_done_only(void)
{
	CHECK_DELTAS("ollama", "{'model':'m','message':{'content':'x'},'done':false}\n", "begin - m\ntext 0 x\nend cut\n");
	CHECK_DELTAS("ollama", "{'model':'m','message':{'content':'x'},'done':true,'done_reason':'length'}",
	             "begin - m\ntext 0 x\nfinish length\nend length\n");
}

static void reports_errors(void)
{
	CHECK_DELTAS("ollama", "{'model':'m','message':{'content':'x'},'done':false}\n{'error':'unexpected EOF'}\n",
	             "begin - m\ntext 0 x\nerror unexpected EOF - -\nend error\n");
	CHECK_DELTAS("ollama", "{'model':'m','message':{'content':'x'},'done':true,'error':'gone'}\n",
	             "begin - m\ntext 0 x\nerror gone - -\nend error\n");
}

const struct suite suite_ollama = {
	"ollama",
	(const struct test[]){
		TEST(streams_thinking_and_text),
		TEST(reads_generated_text),
		TEST(reads_calls),
		TEST(ends_with_done_only),
		TEST(reports_errors),
		{ 0 },
	},
};
