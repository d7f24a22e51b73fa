/* What answers cost: the shapes of usage that servers send, with costs computed by hand. Prices are USD per million tokens. */
#include "chat/conversation/cost.h"

#include <math.h>

#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"
#include "chat/provider/known_model.h"
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

/* An answer that is decoded from the body; it belongs to the conversation. */
static struct turn *turn_of(struct conversation *c, const char *protocol, const char *text)
{
	const struct stream_options options = { .protocol = protocol_find(str_from(protocol)) };
	struct turn *t = conversation_answer(c, STR("p"), options.protocol, STR("m"));
	struct stream *stream = stream_new(&options, turn_take, t);
	struct buf body = { 0 };

	for (const char *at = text; *at; at++)
		buf_add_byte(&body, *at == '\'' ? '"' : *at);
	stream_body(stream, buf_str(&body), 1);
	stream_end(stream, END_CLOSED, 2);
	stream_free(stream);
	buf_fini(&body);
	return t;
}

static struct cost shape_cost(const struct shape *shape)
{
	struct conversation *c = conversation_new();
	struct turn *t = turn_of(c, shape->protocol, shape->body);

	turn_set_prices(t, &(struct prices){ .of = {
		[USAGE_PROMPT] = price(shape->in), [USAGE_COMPLETION] = price(shape->out), [USAGE_CACHED] = price(shape->cached),
		[USAGE_CACHE_WRITE] = price(shape->write), [USAGE_REASONING] = price(shape->reasoning),
	} }, "the test");
	struct cost cost = turn_spending(t).cost;
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

/* --- known models --- */

/*
 * Twenty turns as services count them, with what they cost by the price pages, computed by hand. `at`: the preset whose base URL is asked.
 */
static const struct known_turn { const char *at, *model, *protocol, *body; double usd; } known_turns[] = {
	/* 1,200 x 2.5 + 300 x 10 */
	{ "openai", "gpt-4o-2024-08-06", "openai-chat", CHAT("{'prompt_tokens':1200,'completion_tokens':300,'total_tokens':1500}"), 0.006 },
	/* the first snapshot kept its price: 1,000 x 5 + 100 x 15 */
	{ "openai", "gpt-4o-2024-05-13", "openai-chat", CHAT("{'prompt_tokens':1000,'completion_tokens':100}"), 0.0065 },
	/* 600 x 1.25 + 400 x 0.125 + 200 x 10: reasoning is a part of the completion */
	{ "openai", "gpt-5", "openai-chat", CHAT(OPENAI), 0.0028 },
	/* 600 x 0.75 + 400 x 0.075 + 200 x 4.5 */
	{ "openai", "gpt-5.4-mini-2026-03-17", "openai-chat", CHAT(OPENAI), 0.00138 },
	/* 600 x 0.05 + 400 x 0.005 + 200 x 0.4 */
	{ "openai", "gpt-5-nano", "openai-chat", CHAT(OPENAI), 0.000112 },
	/* (5,000 - 4,096) x 2.5 + 4,096 x 0.25 + 800 x 15 */
	{ "openai", "gpt-5.4", "openai-responses", RESPONSES("{'input_tokens':5000,'input_tokens_details':{'cached_tokens':4096},'output_tokens':800,"
	  "'output_tokens_details':{'reasoning_tokens':640},'total_tokens':5800}"), 0.015284 },
	/* a long prompt: (300,000 - 100,000) x 5 + 100,000 x 0.5 + 1,000 x 22.5 */
	{ "openai", "gpt-5.4", "openai-responses", RESPONSES("{'input_tokens':300000,'input_tokens_details':{'cached_tokens':100000},"
	  "'output_tokens':1000,'total_tokens':301000}"), 1.0725 },
	/* the longest of the short ones: 272,000 x 2.5 + 1,000 x 15 */
	{ "openai", "gpt-5.4", "openai-responses", RESPONSES("{'input_tokens':272000,'output_tokens':1000,'total_tokens':273000}"), 0.695 },
	/* 100 x 3 + 1,000 x 3.75 + 10,000 x 0.3 + 500 x 15: input excludes the cache */
	{ "anthropic", "claude-sonnet-4-6", "anthropic",
	  ANTHROPIC("{'input_tokens':100,'cache_creation_input_tokens':1000,'cache_read_input_tokens':10000,'output_tokens':1}", "{'output_tokens':500}"),
	  0.01455 },
	/* 2,000 x 5 + 700 x 25 */
	{ "anthropic", "claude-opus-4-5-20251101", "anthropic", ANTHROPIC("{'input_tokens':2000,'output_tokens':1}", "{'output_tokens':700}"), 0.0275 },
	/* 43 x 1 + 8,000 x 0.1 + 120 x 5 */
	{ "anthropic", "claude-haiku-4-5", "anthropic",
	  ANTHROPIC("{'input_tokens':43,'cache_read_input_tokens':8000,'output_tokens':1}", "{'output_tokens':120}"), 0.001443 },
	/* at a gateway: the maker's prices, 50 x 3 + 20 x 15 */
	{ "chuizi", "anthropic/claude-sonnet-4.6", "anthropic", ANTHROPIC("{'input_tokens':50,'output_tokens':1}", "{'output_tokens':20}"), 0.00045 },
	/* 710 x 0.3 + 300 x 0.03 + (50 + 200) x 2.5: thoughts are beside the candidates, tool use beside the prompt */
	{ "gemini", "gemini-2.5-flash", "gemini",
	  GEMINI("{'promptTokenCount':1000,'cachedContentTokenCount':300,'candidatesTokenCount':50,'thoughtsTokenCount':200,"
	         "'toolUsePromptTokenCount':10,'totalTokenCount':1260}"), 0.000847 },
	/* 100 x 2 + (30 + 90) x 12 */
	{ "gemini", "gemini-3.1-pro-preview", "gemini",
	  GEMINI("{'promptTokenCount':100,'candidatesTokenCount':30,'thoughtsTokenCount':90,'totalTokenCount':220}"), 0.00164 },
	/* a long prompt: 250,000 x 2.5 + (100 + 900) x 15 */
	{ "gemini", "gemini-2.5-pro", "gemini",
	  GEMINI("{'promptTokenCount':250000,'candidatesTokenCount':100,'thoughtsTokenCount':900,'totalTokenCount':251000}"), 0.64 },
	/* 60 x 0.14 + 640 x 0.0028 + 50 x 0.28 */
	{ "deepseek", "deepseek-chat", "openai-chat",
	  CHAT("{'prompt_tokens':700,'completion_tokens':50,'total_tokens':750,'prompt_cache_hit_tokens':640,'prompt_cache_miss_tokens':60}"), 0.000024192 },
	/* 361 tokens, 360 of them cached: 1 x 1.25 + 360 x 0.2 + (26 + 235) x 2.5, reasoning is beside the completion */
	{ "xai", "grok-4.3", "openai-chat", CHAT("{" XAI "}"), 0.00072575 },
	/* 1,000 x 0.5 + 500 x 1.5 */
	{ "mistral", "mistral-large-2512", "openai-chat", CHAT("{'prompt_tokens':1000,'completion_tokens':500,'total_tokens':1500}"), 0.00125 },
	/* 1,000 x 2 + 500 x 6: the one before is another model */
	{ "mistral", "mistral-large-2411", "openai-chat", CHAT("{'prompt_tokens':1000,'completion_tokens':500,'total_tokens':1500}"), 0.005 },
	/* 10 x 0.15 + 20 x 0.6, once */
	{ "groq", "openai/gpt-oss-120b", "openai-chat",
	  "data: {'choices':[{'delta':{'content':'a'},'finish_reason':'stop'}],'usage':{'prompt_tokens':10,'completion_tokens':20},"
	  "'x_groq':{'usage':{'prompt_tokens':10,'completion_tokens':20}}}\n\n"
	  "data: {'choices':[],'usage':{'prompt_tokens':10,'completion_tokens':20}}\n\ndata: [DONE]\n\n", 0.0000135 },
};

static const char *no_environment(const char *name)
{
	(void)name;
	return NULL;
}

static const struct known_model *known(struct providers *all, const char *at, const char *model)
{
	struct provider *p = providers_find(all, str_from(at));

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	return known_model_find(p, no_environment, provider_base_url(p, p->protocols[0]), str_from(model), NULL);
}

static void turns_cost_what_the_price_pages_say(void)
{
	struct providers *all = providers_new(no_environment);

	for (size_t i = 0; i < sizeof known_turns / sizeof *known_turns; i++) {
		const struct known_turn *k = &known_turns[i];
		const struct known_model *m = known(all, k->at, k->model);
		struct conversation *c = conversation_new();
		struct turn *t = turn_of(c, k->protocol, k->body);
		struct prices prices = m ? known_model_prices(m, t->usage.of[USAGE_PROMPT].number) : (struct prices){ .prompt_below = 0 };

		turn_set_prices(t, &prices, "the table");
		struct cost cost = turn_spending(t).cost;
		CHECK(m && cost.is_estimated && !cost.is_unknown && fabs(cost.usd - k->usd) < 1e-12, "%s: %.12g", k->model, cost.usd);
		conversation_free(c);
	}
	providers_free(all);
}

/* A name that no row stands for has no price: neither that of the name's beginning, nor zero. */
static void another_model_is_not_known(void)
{
	static const struct { const char *at, *model; bool is_known; } names[] = {
		{ "openai", "gpt-5", true }, { "openai", "gpt-5-2025-08-07", true }, { "openai", "gpt-5-2026-07-02", false },
		{ "openai", "gpt-5-20250807", true }, { "openai", "gpt-5-2025-08-0x", false }, { "openai", "gpt-5-2025-0807", false },
		{ "openai", "gpt-5.9", false }, { "openai", "gpt-5-ultra", false }, { "openai", "gpt-5.4-micro", false }, { "openai", "gpt", false },
		{ "openai", "gpt-5-", false }, { "openai", "", false }, { "openai", "claude-opus-4-5", false }, { "openai", "openai/gpt-5", false },
		{ "anthropic", "claude-opus-4-9", false }, { "anthropic", "claude-opus-4-20250514", true }, { "anthropic", "claude-opus-4.5", true },
		{ "gemini", "gemini-flash-latest", false }, { "gemini", "gemini-2.5-flash-image", false },
		{ "sansa", "sansa-auto", false }, { "chuizi", "openai/gpt-5.4", true }, { "chuizi", "gpt-5.4", true }, { "chuizi", "other/gpt-5.4", false },
		{ "chuizi", "google/gpt-5.4", false }, { "chuizi", "openai/gpt-5.4:free", false }, { "openrouter", "x-ai/grok-4.3", true },
		{ "chuizi", "deepseek/deepseek-chat", false }, { "chuizi", "deepseek-chat", false }, { "groq", "gpt-5.4", false },
		{ "ollama", "gpt-5.4", false }, { "vllm", "openai/gpt-5.4", false }, { "demo", "gpt-5.4", false },
	};
	struct providers *all = providers_new(no_environment);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		CHECK(!known(all, names[i].at, names[i].model) == !names[i].is_known, "%s at %s", names[i].model, names[i].at);
	providers_free(all);
}

const struct suite suite_cost = { "cost", (const struct test[]){
	TEST(every_shape_of_usage_has_its_cost),
	TEST(prices_hold_up_to_their_step),
	TEST(turns_cost_what_the_price_pages_say),
	TEST(another_model_is_not_known),
	{ 0 },
} };
