#include "app/demo/demo_wire.h"
#include "base/array.h"

#define SIGNATURE "ZGVtby1zaWduYXR1cmUtb2YtdGhlLXRoaW5raW5n"

static void demo_anthropic_event(struct demo_turn *t, const char *name)
{
	demo_say(t, "event: %s\ndata: {'type':'%s'", name, name);
}

static void demo_anthropic_event_end(struct demo_turn *t)
{
	demo_say(t, "}\n\n");
}

static void block_event(struct demo_turn *t, const char *name)
{
	demo_anthropic_event(t, name);
	demo_say(t, ",'index':%u", t->block);
}

static void message_head(struct demo_turn *t)
{
	demo_say(t, "'id':'msg_demo_%s','type':'message','role':'assistant','model':'%s'", t->name, t->model);
}

/* Anthropic's input leaves out what came from the cache. */
static void demo_anthropic_usage(struct demo_turn *t, long long output_tokens)
{
	const struct usage *u = &t->script->usage;

	demo_say(t, "'usage':{'input_tokens':%lld,'cache_creation_input_tokens':0,'cache_read_input_tokens':%lld,'output_tokens':%lld}",
	         (long long)(u->of[USAGE_PROMPT].number - u->of[USAGE_CACHED].number), (long long)u->of[USAGE_CACHED].number, output_tokens);
}

static void demo_anthropic_begin(struct demo_turn *t)
{
	demo_anthropic_event(t, "message_start");
	demo_say(t, ",'message':{");
	message_head(t);
	demo_say(t, ",'content':[],'stop_reason':null,'stop_sequence':null,");
	demo_anthropic_usage(t, 1);
	demo_say(t, "}");
	demo_anthropic_event_end(t);
	demo_anthropic_event(t, "ping");
	demo_anthropic_event_end(t);
}

static void call_head(struct demo_turn *t, unsigned index)
{
	demo_say(t, "'type':'tool_use','id':'toolu_demo_%u','name':'%.*s','input':", index + 1, STR_ARG(t->calls[index]->name));
}

static void demo_anthropic_open_block(struct demo_turn *t)
{
	block_event(t, "content_block_start");
	demo_say(t, ",'content_block':{");
	if (t->open == DEMO_CALL) {
		call_head(t, t->call_count - 1);
		demo_say(t, "{}");
	} else {
		demo_say(t, t->open == DEMO_REASONING ? "'type':'thinking','thinking':'','signature':''" : "'type':'text','text':''");
	}
	demo_say(t, "}");
	demo_anthropic_event_end(t);
}

static void demo_anthropic_delta(struct demo_turn *t, const char *type, const char *key, struct str piece)
{
	block_event(t, "content_block_delta");
	demo_say(t, ",'delta':{'type':'%s','%s':", type, key);
	demo_say_text(t, piece);
	demo_say(t, "}");
	demo_anthropic_event_end(t);
}

static void demo_anthropic_piece(struct demo_turn *t, struct str words)
{
	if (t->open == DEMO_CALL)
		demo_anthropic_delta(t, "input_json_delta", "partial_json", words);
	else if (t->open == DEMO_REASONING)
		demo_anthropic_delta(t, "thinking_delta", "thinking", words);
	else
		demo_anthropic_delta(t, "text_delta", "text", words);
}

static void demo_anthropic_close_block(struct demo_turn *t)
{
	if (t->open == DEMO_REASONING)
		demo_anthropic_delta(t, "signature_delta", "signature", STR(SIGNATURE));
	block_event(t, "content_block_stop");
	demo_anthropic_event_end(t);
}

static void demo_anthropic_finished(struct demo_turn *t)
{
	demo_anthropic_event(t, "message_delta");
	demo_say(t, ",'delta':{'stop_reason':'%s','stop_sequence':null},", demo_finish_word(t));
	demo_anthropic_usage(t, t->script->usage.of[USAGE_COMPLETION].number);
	demo_anthropic_event_end(t);
	demo_anthropic_event(t, "message_stop");
	demo_anthropic_event_end(t);
}

static void demo_anthropic_error_body(struct demo_turn *t, const struct demo_step *error)
{
	demo_say(t, "{'type':'error','error':{'type':'%.*s','message':", STR_ARG(error->name));
	demo_say_text(t, error->text);
	demo_say(t, "}}");
}

static void demo_anthropic_mid_stream_error(struct demo_turn *t, const struct demo_step *error)
{
	demo_say(t, "event: error\ndata: ");
	demo_anthropic_error_body(t, error);
	demo_say(t, "\n\n");
}

static void demo_anthropic_whole(struct demo_turn *t)
{
	static const enum demo_step_kind texts[] = { DEMO_TEXT, DEMO_REFUSAL };
	const char *comma = "";

	demo_say(t, "{");
	message_head(t);
	demo_say(t, ",'content':[");
	if (t->said[DEMO_REASONING].len) {
		demo_say(t, "{'type':'thinking','signature':'" SIGNATURE "'");
		demo_say_member(t, "thinking", DEMO_REASONING);
		demo_say(t, "}");
		comma = ",";
	}
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (!t->said[texts[i]].len)
			continue;
		demo_say(t, "%s{'type':'text'", comma);
		demo_say_member(t, "text", texts[i]);
		demo_say(t, "}");
		comma = ",";
	}
	for (unsigned i = 0; i < t->call_count; i++, comma = ",") {
		demo_say(t, "%s{", comma);
		call_head(t, i);
		buf_add(&t->bytes, t->calls[i]->text);
		demo_say(t, "}");
	}
	demo_say(t, "],'stop_reason':'%s','stop_sequence':null,", demo_finish_word(t));
	demo_anthropic_usage(t, t->script->usage.of[USAGE_COMPLETION].number);
	demo_say(t, "}");
}

const struct demo_wire demo_wire_anthropic = {
	.protocol = "anthropic",
	.content_type = "text/event-stream; charset=utf-8",
	.finish = { "end_turn", "max_tokens", "tool_use", "refusal" },
	.begin = demo_anthropic_begin,
	.open = demo_anthropic_open_block,
	.piece = demo_anthropic_piece,
	.close = demo_anthropic_close_block,
	.finished = demo_anthropic_finished,
	.error = demo_anthropic_mid_stream_error,
	.whole = demo_anthropic_whole,
	.error_body = demo_anthropic_error_body,
};
