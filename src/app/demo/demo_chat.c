#include "app/demo/demo_wire.h"

static void chat_head(struct demo_turn *t, const char *object)
{
	demo_say(t, "{'id':'chatcmpl-demo-%s','object':'%s','created':%d,'model':'%s'", t->name, object, DEMO_CREATED, t->model);
}

/* sansa's routing object, on the first chunk only. */
static void chat_route(struct demo_turn *t)
{
	const struct demo_script *s = t->script;

	if (s->routed_model.len)
		demo_say(t, ",'sansa':{'routed':true,'routed_model':'%.*s','routing_latency_ms':%lld}", STR_ARG(s->routed_model), s->routing_ms);
}

static void chat_usage(struct demo_turn *t)
{
	const struct usage *u = &t->script->usage;

	demo_say(t, "'usage':{'prompt_tokens':%lld,'completion_tokens':%lld,'total_tokens':%lld,", (long long)u->of[USAGE_PROMPT].number,
	         (long long)u->of[USAGE_COMPLETION].number, (long long)u->of[USAGE_TOTAL].number);
	demo_say(t, "'prompt_tokens_details':{'cached_tokens':%lld},'completion_tokens_details':{'reasoning_tokens':%lld}}",
	         (long long)u->of[USAGE_CACHED].number, (long long)u->of[USAGE_REASONING].number);
}

static void chat_delta(struct demo_turn *t)
{
	demo_say(t, "data: ");
	chat_head(t, "chat.completion.chunk");
	demo_say(t, ",'choices':[{'index':0,'delta':{");
}

static void chat_delta_end(struct demo_turn *t)
{
	demo_say(t, "},'finish_reason':null}]}\n\n");
}

static void chat_begin(struct demo_turn *t)
{
	chat_delta(t);
	demo_say(t, "'role':'assistant','content':''},'finish_reason':null}]");
	chat_route(t);
	demo_say(t, "}\n\n");
}

static void chat_call_head(struct demo_turn *t, unsigned index)
{
	demo_say(t, "'index':%u,'id':'call_demo_%u','type':'function','function':{'name':'%.*s','arguments':", index, index + 1,
	         STR_ARG(t->calls[index]->name));
}

static void chat_open(struct demo_turn *t)
{
	if (t->open != DEMO_CALL)
		return;
	chat_delta(t);
	demo_say(t, "'tool_calls':[{");
	chat_call_head(t, t->call_count - 1);
	demo_say(t, "''}}]");
	chat_delta_end(t);
}

static void chat_piece(struct demo_turn *t, struct str piece)
{
	static const char *const keys[] = { "content", "reasoning_content", "refusal" };

	chat_delta(t);
	if (t->open == DEMO_CALL)
		demo_say(t, "'tool_calls':[{'index':%u,'function':{'arguments':", t->call_count - 1);
	else
		demo_say(t, "'%s':", keys[t->open]);
	demo_say_text(t, piece);
	if (t->open == DEMO_CALL)
		demo_say(t, "}}]");
	chat_delta_end(t);
}

static void chat_finished(struct demo_turn *t)
{
	chat_delta(t);
	demo_say(t, "},'finish_reason':'%s'}]}\n\ndata: ", demo_finish_word(t));
	chat_head(t, "chat.completion.chunk");
	demo_say(t, ",'choices':[],");
	chat_usage(t);
	demo_say(t, "}\n\ndata: [DONE]\n\n");
}

static void chat_error_body(struct demo_turn *t, const struct demo_step *error)
{
	demo_say(t, "{'error':{'message':");
	demo_say_text(t, error->text);
	demo_say(t, ",'type':'demo_error','code':'%.*s'}}", STR_ARG(error->name));
}

static void chat_error(struct demo_turn *t, const struct demo_step *error)
{
	demo_say(t, "data: ");
	chat_error_body(t, error);
	demo_say(t, "\n\ndata: [DONE]\n\n");
}

static void chat_whole(struct demo_turn *t)
{
	chat_head(t, "chat.completion");
	demo_say(t, ",'choices':[{'index':0,'message':{'role':'assistant'");
	demo_say_member(t, "content", DEMO_TEXT);
	demo_say_member(t, "reasoning_content", DEMO_REASONING);
	demo_say_member(t, "refusal", DEMO_REFUSAL);
	for (unsigned i = 0; i < t->call_count; i++) {
		demo_say(t, i ? ",{" : ",'tool_calls':[{");
		chat_call_head(t, i);
		demo_say_text(t, t->calls[i]->text);
		demo_say(t, "}}");
	}
	demo_say(t, "%s},'finish_reason':'%s'}],", t->call_count ? "]" : "", demo_finish_word(t));
	chat_usage(t);
	chat_route(t);
	demo_say(t, "}");
}

const struct demo_wire demo_wire_chat = {
	.protocol = "openai-chat",
	.content_type = "text/event-stream",
	.finish = { "stop", "length", "tool_calls", "stop" },
	.begin = chat_begin,
	.open = chat_open,
	.piece = chat_piece,
	.close = demo_say_nothing,
	.finished = chat_finished,
	.error = chat_error,
	.whole = chat_whole,
	.error_body = chat_error_body,
	/* OpenAI's list and Anthropic's have the same path: this is both. */
	.models = "{'object':'list','has_more':false,'first_id':'demo-1','last_id':'demo-router','data':["
	          "{'id':'demo-1','object':'model','type':'model','created':1767225600,'owned_by':'weir',"
	          "'display_name':'Demo','context_length':128000,'max_input_tokens':128000},"
	          "{'id':'demo-thinking','object':'model','type':'model','created':1767225600,'owned_by':'weir',"
	          "'display_name':'Demo, thinks first','context_length':128000,'max_input_tokens':128000},"
	          "{'id':'demo-router','object':'model','type':'model','created':1767225600,'owned_by':'weir',"
	          "'display_name':'Demo, routed','context_length':128000,'max_input_tokens':128000}]}",
};
