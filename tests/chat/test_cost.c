/* What answers cost: the shapes of usage that servers send, with costs computed by hand. Prices are USD per million tokens. */
#include "chat/conversation/cost.h"

#include <math.h>

#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"
#include "support/check.h"
#include "wire/stream.h"

#define REPORTED 1
#define ESTIMATED 2
#define UNKNOWN 4
#define NONE (-1)

/* In bodies ' stands for ". */
struct shape {
	const char *name, *protocol, *body;
	double in, out, cached, write, reasoning; /* NONE: no price */
	int is;
	double usd;
};

#define CHAT(usage) "data: {'choices':[{'index':0,'delta':{'content':'12345678'},'finish_reason':'stop'}],'usage':" usage "}\n\ndata: [DONE]\n\n"
#define ANTHROPIC(first, last)                                                                                      \
	"data: {'type':'message_start','message':{'usage':" first "}}\n\n"                                          \
	"data: {'type':'message_delta','delta':{'stop_reason':'end_turn'},'usage':" last "}\n\n"                    \
	"data: {'type':'message_stop'}\n\n"
#define RESPONSES(usage) "data: {'type':'response.completed','response':{'status':'completed','output':[],'usage':" usage "}}\n\n"
#define GEMINI(usage) "data: {'candidates':[{'content':{'parts':[{'text':'a'}]},'finishReason':'STOP'}],'usageMetadata':" usage "}\n\n"

#define OPENAI "{'prompt_tokens':1000,'completion_tokens':200,'total_tokens':1200,'prompt_tokens_details':{'cached_tokens':400}," \
	"'completion_tokens_details':{'reasoning_tokens':150}}"
#define XAI "'prompt_tokens':361,'completion_tokens':26,'total_tokens':622,'prompt_tokens_details':{'cached_tokens':360}," \
	"'completion_tokens_details':{'reasoning_tokens':235}"
#define OPENROUTER "'prompt_tokens':635,'completion_tokens':113,'total_tokens':748,'completion_tokens_details':{'reasoning_tokens':59}"

static const struct shape shapes[] = {
	/* 600 x 2 + 400 x 0.5 + 200 x 8 */
	{ "OpenAI: cached is part of the prompt, reasoning of the completion", "openai-chat", CHAT(OPENAI), 2, 8, 0.5, NONE, NONE, ESTIMATED, 0.003 },
	/* 600 x 2 + 400 x 0.5 + 50 x 8 + 150 x 10 */
	{ "reasoning with a price of its own", "openai-chat", CHAT(OPENAI), 2, 8, 0.5, NONE, 10, ESTIMATED, 0.0033 },
	/* 1000 x 2 + 200 x 8 */
	{ "parts without a price cost what their total does", "openai-chat", CHAT(OPENAI), 2, 8, NONE, NONE, NONE, ESTIMATED, 0.0036 },
	/* 500 x 2 + 400 x 0.5 + 100 x 2.5 + 200 x 8 */
	{ "cache writes are part of the prompt", "openai-chat",
	  CHAT("{'prompt_tokens':1000,'completion_tokens':200,'prompt_tokens_details':{'cached_tokens':400,'cache_write_tokens':100}}"),
	  2, 8, 0.5, 2.5, NONE, ESTIMATED, 0.00305 },
	/* 60 x 0.28 + 640 x 0.028 + 50 x 0.42 */
	{ "DeepSeek: hits beside the details", "openai-chat",
	  CHAT("{'prompt_tokens':700,'completion_tokens':50,'total_tokens':750,'prompt_cache_hit_tokens':640,'prompt_cache_miss_tokens':60}"),
	  0.28, 0.42, 0.028, NONE, NONE, ESTIMATED, 0.00005572 },
	/* recorded: 1 x 0.2 + 360 x 0.05 + (26 + 235) x 0.5, what the server says too */
	{ "xAI: reasoning beside the completion", "openai-chat", CHAT("{" XAI "}"), 0.2, 0.5, 0.05, NONE, NONE, ESTIMATED, 0.0001487 },
	{ "xAI: ticks", "openai-chat", CHAT("{" XAI ",'cost_in_usd_ticks':1487000}"), NONE, NONE, NONE, NONE, NONE, REPORTED, 0.0001487 },
	/* 100 x 1 + (50 + 20) x 2 */
	{ "a total that says so: reasoning beside a longer completion", "openai-chat",
	  CHAT("{'prompt_tokens':100,'completion_tokens':50,'total_tokens':170,'completion_tokens_details':{'reasoning_tokens':20}}"),
	  1, 2, NONE, NONE, NONE, ESTIMATED, 0.00024 },
	/* 100 x 0.25 + (2 + 25) x 1.5 */
	{ "OpenRouter with Gemini: more reasoning than completion", "openai-chat",
	  CHAT("{'prompt_tokens':100,'completion_tokens':2,'total_tokens':102,'completion_tokens_details':{'reasoning_tokens':25}}"),
	  0.25, 1.5, NONE, NONE, NONE, ESTIMATED, 0.0000655 },
	/* recorded: 635 x 1 + 113 x 5 */
	{ "OpenRouter, from prices", "openai-chat", CHAT("{" OPENROUTER "}"), 1, 5, NONE, NONE, NONE, ESTIMATED, 0.0012 },
	{ "OpenRouter: what it reports counts before prices", "openai-chat",
	  CHAT("{" OPENROUTER ",'cost':0.0013,'is_byok':false,'cost_details':{'upstream_inference_cost':0.0012}}"), 1, 5, NONE, NONE, NONE, REPORTED, 0.0013 },
	{ "OpenRouter: a key of one's own pays the upstream too", "openai-chat",
	  CHAT("{" OPENROUTER ",'cost':0.00006,'is_byok':true,'cost_details':{'upstream_inference_cost':0.0012}}"),
	  NONE, NONE, NONE, NONE, NONE, REPORTED, 0.00126 },
	{ "OpenRouter: the upstream's part is unknown", "openai-chat",
	  CHAT("{" OPENROUTER ",'cost':0.00006,'is_byok':true,'cost_details':{'upstream_inference_cost':null}}"),
	  NONE, NONE, NONE, NONE, NONE, UNKNOWN, 0 },
	{ "OpenRouter: free", "openai-chat", CHAT("{" OPENROUTER ",'cost':0,'is_byok':false}"), 1, 5, NONE, NONE, NONE, REPORTED, 0 },
	{ "OpenRouter: usage twice, the last one has the cost", "openai-chat",
	  "data: {'choices':[{'delta':{'content':'a'}}],'usage':{" OPENROUTER "}}\n\n" CHAT("{" OPENROUTER ",'cost':0.0012}"),
	  NONE, NONE, NONE, NONE, NONE, REPORTED, 0.0012 },
	{ "an object of zeros takes no cost away", "openai-chat",
	  "data: {'choices':[{'delta':{'content':'a'}}],'usage':{" OPENROUTER ",'cost':0.0012}}\n\n"
	  CHAT("{'prompt_tokens':0,'completion_tokens':0,'total_tokens':0,'cost':0}"), NONE, NONE, NONE, NONE, NONE, REPORTED, 0.0012 },
	{ "Perplexity: a sum and its parts", "openai-chat",
	  CHAT("{'prompt_tokens':7,'completion_tokens':1,'total_tokens':8,'cost':{'input_tokens_cost':0.00001,'request_cost':0.005,'total_cost':0.00501}}"),
	  NONE, NONE, NONE, NONE, NONE, REPORTED, 0.00501 },
	{ "no cost: a word, a debt, a fortune", "openai-chat",
	  "data: {'choices':[],'usage':{'prompt_tokens':1,'completion_tokens':1,'cost':'cheap'}}\n\n"
	  "data: {'choices':[],'usage':{'prompt_tokens':2,'completion_tokens':1,'cost':-1}}\n\n"
	  CHAT("{'prompt_tokens':3,'completion_tokens':1,'cost':1e30,'cost_in_usd_ticks':1e300}"), NONE, NONE, NONE, NONE, NONE, UNKNOWN, 0 },
	/* 10 x 1 + 20 x 2, once */
	{ "Groq: three copies", "openai-chat",
	  "data: {'choices':[{'delta':{'content':'a'},'finish_reason':'stop'}],'usage':{'prompt_tokens':10,'completion_tokens':20},"
	  "'x_groq':{'usage':{'prompt_tokens':10,'completion_tokens':20}}}\n\n"
	  "data: {'choices':[],'usage':{'prompt_tokens':10,'completion_tokens':20}}\n\ndata: [DONE]\n\n",
	  1, 2, NONE, NONE, NONE, ESTIMATED, 0.00005 },
	{ "Moonshot: in the choice", "openai-chat",
	  "data: {'choices':[{'delta':{'content':'a'},'finish_reason':'stop','usage':{'prompt_tokens':10,'completion_tokens':20}}]}\n\ndata: [DONE]\n\n",
	  1, 2, NONE, NONE, NONE, ESTIMATED, 0.00005 },
	{ "details that are null", "openai-chat",
	  CHAT("{'prompt_tokens':10,'completion_tokens':20,'prompt_tokens_details':null,'completion_tokens_details':null}"),
	  1, 2, NONE, NONE, NONE, ESTIMATED, 0.00005 },
	{ "more cached than prompt contradicts itself", "openai-chat",
	  CHAT("{'prompt_tokens':10,'completion_tokens':20,'prompt_tokens_details':{'cached_tokens':11}}"), 1, 2, 0.1, NONE, NONE, UNKNOWN, 0 },
	{ "no usage", "openai-chat", CHAT("null"), 1, 2, NONE, NONE, NONE, UNKNOWN, 0 },
	{ "no prompt tokens", "openai-chat", CHAT("{'completion_tokens':20}"), 1, 2, NONE, NONE, NONE, UNKNOWN, 0 },
	{ "no price of the completion", "openai-chat", CHAT(OPENAI), 1, NONE, 0.1, NONE, 1, UNKNOWN, 0 },
	/* 10 x 1 + 2 x 3: eight characters are estimated as two tokens */
	{ "a completion that was not counted is estimated", "openai-chat", CHAT("{'prompt_tokens':10}"), 1, 3, NONE, NONE, NONE, ESTIMATED, 0.000016 },
	/* 100 x 3 + 1000 x 3.75 + 10000 x 0.3 + 500 x 15 */
	{ "Anthropic: input excludes the cache", "anthropic",
	  ANTHROPIC("{'input_tokens':100,'cache_creation_input_tokens':1000,'cache_read_input_tokens':10000,'output_tokens':1}", "{'output_tokens':500}"),
	  3, 15, 0.3, 3.75, NONE, ESTIMATED, 0.01455 },
	/* 61 x 3 + 20 x 15 */
	{ "Anthropic: later fields replace", "anthropic",
	  ANTHROPIC("{'input_tokens':43,'output_tokens':1}", "{'input_tokens':61,'output_tokens':20,'cache_read_input_tokens':null}"),
	  3, 15, 0.3, 3.75, NONE, ESTIMATED, 0.000483 },
	{ "OpenRouter's Messages", "anthropic", ANTHROPIC("{'input_tokens':43,'output_tokens':1}", "{'output_tokens':20,'cost':0.004}"),
	  3, 15, NONE, NONE, NONE, REPORTED, 0.004 },
	/* 710 x 0.3 + 300 x 0.03 + (50 + 200) x 2.5 */
	{ "Gemini: thoughts are beside the candidates, tool use beside the prompt", "gemini",
	  GEMINI("{'promptTokenCount':1000,'cachedContentTokenCount':300,'candidatesTokenCount':50,'thoughtsTokenCount':200,"
	         "'toolUsePromptTokenCount':10,'totalTokenCount':1260}"), 0.3, 2.5, 0.03, NONE, NONE, ESTIMATED, 0.000847 },
	/* recorded: 78 x 0.05 + 37 x 0.2 */
	{ "Responses, from prices", "openai-responses",
	  RESPONSES("{'input_tokens':78,'input_tokens_details':{'cached_tokens':0},'output_tokens':37,'output_tokens_details':{'reasoning_tokens':22},"
	            "'total_tokens':115}"), 0.05, 0.2, NONE, NONE, NONE, ESTIMATED, 0.0000113 },
	{ "OpenRouter's Responses", "openai-responses", RESPONSES("{'input_tokens':78,'output_tokens':37,'total_tokens':115,'cost':0.0000113,'is_byok':false}"),
	  NONE, NONE, NONE, NONE, NONE, REPORTED, 0.0000113 },
	{ "Ollama: nothing is asked for it", "ollama", "{'message':{'content':'a'},'done':true,'done_reason':'stop','prompt_eval_count':26,'eval_count':290}\n",
	  0, 0, NONE, NONE, NONE, ESTIMATED, 0 },
	{ "Ollama: a cached prompt is not counted", "ollama", "{'message':{'content':'a'},'done':true,'done_reason':'stop','eval_count':290}\n",
	  1, 2, NONE, NONE, NONE, UNKNOWN, 0 },
	{ "Ollama without a price", "ollama", "{'message':{'content':'a'},'done':true,'done_reason':'stop','prompt_eval_count':26,'eval_count':290}\n",
	  NONE, NONE, NONE, NONE, NONE, UNKNOWN, 0 },
	{ "a refusal before anything was read", "openai-chat", "data: {'error':{'message':'no'}}\n\n", 1, 2, NONE, NONE, NONE, 0, 0 },
};

static struct money price(double usd)
{
	return usd < 0 ? MONEY_UNKNOWN : MONEY(usd);
}

static void turn_take(void *turn, const struct delta *d)
{
	meter_delta(&((struct turn *)turn)->meter, d);
	turn_delta(turn, d);
}

static struct cost shape_cost(const struct shape *shape)
{
	const struct stream_options options = { .protocol = protocol_find(str_from(shape->protocol)) };
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), options.protocol, STR("m"));
	struct stream *stream = stream_new(&options, turn_take, t);
	struct buf body = { 0 };

	for (const char *at = shape->body; *at; at++)
		buf_add_byte(&body, *at == '\'' ? '"' : *at);
	stream_body(stream, buf_str(&body), 1);
	stream_end(stream, END_CLOSED, 2);
	turn_set_prices(t, &(struct prices){ .of = {
		[USAGE_PROMPT] = price(shape->in), [USAGE_COMPLETION] = price(shape->out), [USAGE_CACHED] = price(shape->cached),
		[USAGE_CACHE_WRITE] = price(shape->write), [USAGE_REASONING] = price(shape->reasoning),
	} }, "the test");
	struct cost cost = turn_spending(t).cost;
	stream_free(stream);
	buf_fini(&body);
	conversation_free(c);
	return cost;
}

static void every_shape_of_usage_has_its_cost(void)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		struct cost cost = shape_cost(&shapes[i]);
		int is = (cost.is_reported ? REPORTED : 0) | (cost.is_estimated ? ESTIMATED : 0) | (cost.is_unknown ? UNKNOWN : 0);

		CHECK(is == shapes[i].is && fabs(cost.usd - shapes[i].usd) < 1e-13, "%s: %.12g, flags %d", shapes[i].name, cost.usd, is);
	}
}

static void prices_hold_up_to_their_step(void)
{
	struct prices prices = { .of = { [USAGE_PROMPT] = MONEY(1), [USAGE_COMPLETION] = MONEY(1) }, .prompt_below = 100 };
	struct usage usage = { .of = { [USAGE_PROMPT] = COUNT_SENT(99), [USAGE_COMPLETION] = COUNT_SENT(1) } };

	CU_ASSERT(cost_of(&usage, MONEY_UNKNOWN, &prices).is_estimated);
	usage.of[USAGE_PROMPT].number = 100;
	CU_ASSERT(cost_of(&usage, MONEY_UNKNOWN, &prices).is_unknown);
	CU_ASSERT(cost_of(&usage, MONEY(1), &prices).is_reported);
}

const struct suite suite_cost = { "cost", (const struct test[]){
	TEST(every_shape_of_usage_has_its_cost),
	TEST(prices_hold_up_to_their_step),
	{ 0 },
} };
