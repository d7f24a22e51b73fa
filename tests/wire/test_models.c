#include "decoded.h"
#include "wire/protocol/protocol.h"

static void tell_number(struct buf *out, double number)
{
	if (number < 0)
		buf_add(out, STR(" -"));
	else
		buf_printf(out, " %.15g", number);
}

/* ID NAME CONTEXT OUTPUT PROMPT-PRICE COMPLETION-PRICE OTHER-PRICES NOTE */
static void tell_model(void *ctx, const struct model_facts *facts)
{
	struct buf *out = ctx;

	buf_printf(out, "%.*s %.*s", STR_ARG(facts->id), STR_ARG(facts->name.len ? facts->name : STR("-")));
	tell_number(out, (double)facts->context_tokens);
	tell_number(out, (double)facts->output_tokens);
	for (enum usage_figure i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (i < USAGE_TOTAL || facts->prices.of[i].known) {
			buf_add_z(out, i < USAGE_TOTAL ? "" : " ");
			buf_add_z(out, i < USAGE_TOTAL ? "" : usage_price(i)->name);
			tell_number(out, facts->prices.of[i].known ? facts->prices.of[i].usd : -1);
		}
	if (facts->prices.prompt_below)
		buf_printf(out, " below %lld", (long long)facts->prices.prompt_below);
	buf_printf(out, " %.*s\n", STR_ARG(facts->note.len ? facts->note : STR("-")));
}

#define CHECK_MODELS(protocol, list, expected) check_models(&protocol_##protocol, (list), (expected), __FILE__, __LINE__)

/* Writes a line for each model, then the next page, if any. "no list" if the body is not a list. */
static void check_models(const struct protocol *protocol, const char *list, const char *expected, const char *file, int line)
{
	struct json_parser *parser = json_parser_new();
	struct buf text = { 0 }, lines = { 0 }, next = { 0 };
	size_t used;

	if (!protocol->read_models(json_parse(parser, unquoted(list, &text), &used), tell_model, &lines, &next))
		buf_add(&lines, STR("no list\n"));
	if (next.len)
		buf_printf(&lines, "next %s\n", buf_z(&next));
	check_str(buf_str(&lines), expected, file, line);
	buf_fini(&text);
	buf_fini(&lines);
	buf_fini(&next);
	json_parser_free(parser);
}

static void reads_openai_lists(void)
{
	CHECK_MODELS(openai_chat, "{'object':'list','data':[{'id':'a','owned_by':'o','created':1},{'id':'b'},{'object':'model'},7]}",
	             "a - - - - - o\nb - - - - - -\n");
	CHECK_MODELS(openai_chat, "[{'id':'a','name':'a'}]", "a - - - - - -\n");
	CHECK_MODELS(openai_responses, "{'data':[{'id':'a','display_name':'A'}]}", "a A - - - - -\n");
	CHECK_MODELS(openai_chat, "{'data':[]}", "");
	CHECK_MODELS(openai_chat, "{'error':'no'}", "no list\n");
}

static void reads_limits_of_each_server(void)
{
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','meta':{'n_ctx':4096,'ftype':'Q4_K'},'owned_by':'llamacpp'}]}", "a - 4096 - - - Q4_K\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','max_model_len':8192}]}", "a - 8192 - - - -\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','max_context_length':131072}]}", "a - 131072 - - - -\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','context_window':131072,'max_completion_tokens':8192}]}", "a - 131072 8192 - - -\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','top_provider':{'context_length':5,'max_completion_tokens':null},'context_length':null}]}",
	             "a - 5 - - - -\n");
}

static void reads_prices(void)
{
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','name':'A','context_length':9,'pricing':{'prompt':'0.00000045','completion':'0.0000032'}}]}",
	             "a A 9 - 0.45 3.2 -\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','pricing':{'prompt':'0','completion':'-1'}}]}", "a - - - 0 - -\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','pricing':{'prompt':0.000001,'completion':'1'}}]}", "a - - - 1 1000000 -\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','pricing':{'prompt':'','completion':'1.2.3'}}]}", "a - - - - - -\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','pricing':{'prompt':'0.000002','completion':'0.000006','input_cache_read':'0.0000005',"
	             "'input_cache_write':'0.0000025','internal_reasoning':'0.000007','image':'0.1'}}]}",
	             "a - - - 2 6 cached 0.5 cache_write 2.5 reasoning 7 -\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','pricing':{'prompt':'0.000002','completion':'0.000006','input_cache_read':'0',"
	             "'internal_reasoning':'0','request':'0'}}]}", "a - - - 2 6 -\n");
	/* A fee for each request cannot be computed from tokens. */
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','pricing':{'prompt':'0.000002','completion':'0.000006','request':'0.005'}}]}", "a - - - - - -\n");
	CHECK_MODELS(openai_chat, "{'data':[{'id':'a','pricing':{'prompt':'0.000002','completion':'0.000006','overrides':["
	             "{'min_prompt_tokens':500000,'prompt':'1'},{'min_prompt_tokens':200000,'prompt':'0.000004'},{}]}}]}", "a - - - 2 6 below 200000 -\n");
}

static void reads_anthropic_lists(void)
{
	CHECK_MODELS(anthropic,
	             "{'data':[{'id':'a','display_name':'A','max_input_tokens':1000,'max_tokens':100,'type':'model'}],"
	             "'has_more':true,'first_id':'a','last_id':'z'}",
	             "a A 1000 100 - - -\nnext z\n");
	CHECK_MODELS(anthropic, "{'data':[{'id':'a'}],'has_more':false,'last_id':'z'}", "a - - - - - -\n");
	CHECK_MODELS(anthropic, "{'models':[]}", "no list\n");
}

static void reads_gemini_lists(void)
{
	CHECK_MODELS(gemini,
	             "{'models':[{'name':'models/a','displayName':'A','inputTokenLimit':10,'outputTokenLimit':5,"
	             "'supportedGenerationMethods':['countTokens','generateContent']},"
	             "{'name':'models/b','supportedGenerationMethods':['embedContent']},{'name':'c'}],'nextPageToken':'t'}",
	             "a A 10 5 - - -\nc - - - - - -\nnext t\n");
}

static void reads_ollama_lists(void)
{
	CHECK_MODELS(ollama,
	             "{'models':[{'name':'q:4b','model':'q:4b','size':2497293931,'details':{'parameter_size':'4.0B','quantization_level':'Q4_K_M'}},"
	             "{'name':'n','size':1000000000},{'model':'o','details':null},{}]}",
	             "q:4b - - - - - 4.0B Q4_K_M, 2.5 GB\nn - - - - - 1.0 GB\no - - - - - -\n");
}

const struct suite suite_models = {
	"models",
	(const struct test[]){
		TEST(reads_openai_lists),
		TEST(reads_limits_of_each_server),
		TEST(reads_prices),
		TEST(reads_anthropic_lists),
		TEST(reads_gemini_lists),
		TEST(reads_ollama_lists),
		{ 0 },
	},
};
