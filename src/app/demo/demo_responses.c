#include "app/demo/demo_wire.h"
#include "base/array.h"

/*
 * Each block is an item: added, deltas in between, done with all of it. `item` gathers what the block said, `items` the
 * finished items for the response object at the end.
 */

static void demo_responses_event(struct demo_turn *t, const char *name)
{
	demo_say(t, "event: %s\ndata: {'type':'%s','sequence_number':%u", name, name, t->sequence++);
}

static void demo_responses_event_end(struct demo_turn *t)
{
	demo_say(t, "}\n\n");
}

/* An event of the item under way. */
static void item_event(struct demo_turn *t, const char *name)
{
	demo_responses_event(t, name);
	demo_say(t, ",'output_index':%u", t->block);
}

static const char *item_name(const struct demo_turn *t)
{
	return t->open == DEMO_CALL ? "fc" : t->open == DEMO_REASONING ? "rs" : "msg";
}

/* An event of the item's one part, up to what it holds. */
static void part_event(struct demo_turn *t, const char *name)
{
	item_event(t, name);
	demo_say(t, ",'item_id':'%s_demo_%u'", item_name(t), t->block);
	if (t->open != DEMO_CALL)
		demo_say(t, t->open == DEMO_REASONING ? ",'summary_index':0" : ",'content_index':0");
}

/* The part, with `text`. */
static void demo_responses_part(struct demo_turn *t, struct str text)
{
	static const char *const types[] = { [DEMO_TEXT] = "output_text", [DEMO_REASONING] = "summary_text", [DEMO_REFUSAL] = "refusal" };

	demo_say(t, "{'type':'%s',", types[t->open]);
	demo_say(t, t->open == DEMO_TEXT ? "'annotations':[]," : "");
	demo_say(t, t->open == DEMO_REFUSAL ? "'refusal':" : "'text':");
	demo_say_text(t, text);
	demo_say(t, "}");
}

/* The item as it is when it is added (without text) or done. */
static void demo_responses_item(struct demo_turn *t, struct str text, bool done)
{
	const char *status = done ? "completed" : "in_progress";

	if (t->open == DEMO_CALL) {
		demo_say(t, "{'type':'function_call','id':'fc_demo_%u','call_id':'call_demo_%u','status':'%s','name':'%.*s','arguments':", t->block,
		         t->call_count, status, STR_ARG(t->calls[t->call_count - 1]->name));
		demo_say_text(t, text);
		demo_say(t, "}");
		return;
	}
	if (t->open == DEMO_REASONING)
		demo_say(t, "{'type':'reasoning','id':'rs_demo_%u','encrypted_content':%s,'summary':[", t->block,
		         done ? "\"ZGVtby1yZWFzb25pbmc=\"" : "null");
	else
		demo_say(t, "{'type':'message','id':'msg_demo_%u','status':'%s','role':'assistant','content':[", t->block, status);
	if (done)
		demo_responses_part(t, text);
	demo_say(t, "]}");
}

static void response_head(struct demo_turn *t, const char *status)
{
	demo_say(t, "{'id':'resp_demo_%s','object':'response','created_at':%d,'model':'%s','status':'%s'", t->name, DEMO_CREATED,
	         t->model, status);
}

static void demo_responses_begin(struct demo_turn *t)
{
	demo_responses_event(t, "response.created");
	demo_say(t, ",'response':");
	response_head(t, "in_progress");
	demo_say(t, ",'output':[],'usage':null}");
	demo_responses_event_end(t);
}

static void open_item(struct demo_turn *t)
{
	item_event(t, "response.output_item.added");
	demo_say(t, ",'item':");
	demo_responses_item(t, STR(""), false);
	demo_responses_event_end(t);
	if (t->open == DEMO_CALL)
		return;
	part_event(t, t->open == DEMO_REASONING ? "response.reasoning_summary_part.added" : "response.content_part.added");
	demo_say(t, ",'part':");
	demo_responses_part(t, STR(""));
	demo_responses_event_end(t);
}

/* Names of the events that carry the text of a block: its pieces, and all of it. */
static const struct { const char *delta, *done, *key; } names[] = {
	[DEMO_TEXT] = { "response.output_text.delta", "response.output_text.done", "text" },
	[DEMO_REASONING] = { "response.reasoning_summary_text.delta", "response.reasoning_summary_text.done", "text" },
	[DEMO_REFUSAL] = { "response.refusal.delta", "response.refusal.done", "refusal" },
	[DEMO_CALL] = { "response.function_call_arguments.delta", "response.function_call_arguments.done", "arguments" },
};

static void demo_responses_piece(struct demo_turn *t, struct str words)
{
	buf_add(&t->item, words);
	part_event(t, names[t->open].delta);
	demo_say(t, ",'delta':");
	demo_say_text(t, words);
	demo_responses_event_end(t);
}

static void keep_item(struct demo_turn *t, struct str text)
{
	size_t start = t->bytes.len;

	demo_say(t, t->items.len ? "," : "");
	demo_responses_item(t, text, true);
	buf_add(&t->items, str_skip(buf_str(&t->bytes), start));
	buf_remove(&t->bytes, start, t->bytes.len - start);
}

static void close_item(struct demo_turn *t)
{
	part_event(t, names[t->open].done);
	demo_say(t, ",'%s':", names[t->open].key);
	demo_say_text(t, buf_str(&t->item));
	demo_responses_event_end(t);
	if (t->open != DEMO_CALL) {
		part_event(t, t->open == DEMO_REASONING ? "response.reasoning_summary_part.done" : "response.content_part.done");
		demo_say(t, ",'part':");
		demo_responses_part(t, buf_str(&t->item));
		demo_responses_event_end(t);
	}
	item_event(t, "response.output_item.done");
	demo_say(t, ",'item':");
	demo_responses_item(t, buf_str(&t->item), true);
	demo_responses_event_end(t);
	keep_item(t, buf_str(&t->item));
}

static void demo_responses_response(struct demo_turn *t)
{
	const struct usage *u = &t->script->usage;
	bool incomplete = t->script->finish == DEMO_FINISH_LENGTH;

	response_head(t, incomplete ? "incomplete" : "completed");
	demo_say(t, ",'incomplete_details':%s,'output':[", incomplete ? "{\"reason\":\"max_output_tokens\"}" : "null");
	buf_add(&t->bytes, buf_str(&t->items));
	demo_say(t, "],'usage':{'input_tokens':%lld,'input_tokens_details':{'cached_tokens':%lld},", (long long)u->of[USAGE_PROMPT].number,
	         (long long)u->of[USAGE_CACHED].number);
	demo_say(t, "'output_tokens':%lld,'output_tokens_details':{'reasoning_tokens':%lld},'total_tokens':%lld}}",
	         (long long)u->of[USAGE_COMPLETION].number, (long long)u->of[USAGE_REASONING].number, (long long)u->of[USAGE_TOTAL].number);
}

static void demo_responses_finished(struct demo_turn *t)
{
	demo_responses_event(t, demo_finish_word(t));
	demo_say(t, ",'response':");
	demo_responses_response(t);
	demo_responses_event_end(t);
}

static void demo_responses_error_body(struct demo_turn *t, const struct demo_step *error)
{
	demo_say(t, "{'error':{'type':'demo_error','code':'%.*s','param':null,'message':", STR_ARG(error->name));
	demo_say_text(t, error->text);
	demo_say(t, "}}");
}

static void demo_responses_mid_stream_error(struct demo_turn *t, const struct demo_step *error)
{
	demo_responses_event(t, "error");
	demo_say(t, ",'param':null,'code':'%.*s','message':", STR_ARG(error->name));
	demo_say_text(t, error->text);
	demo_responses_event_end(t);
}

static void demo_responses_whole(struct demo_turn *t)
{
	static const enum demo_step_kind order[] = { DEMO_REASONING, DEMO_TEXT, DEMO_REFUSAL };
	unsigned calls = t->call_count;

	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		t->open = order[i];
		if (!t->said[t->open].len)
			continue;
		keep_item(t, buf_str(&t->said[t->open]));
		t->block++;
	}
	t->open = DEMO_CALL;
	for (t->call_count = 1; t->call_count <= calls; t->call_count++, t->block++)
		keep_item(t, t->calls[t->call_count - 1]->text);
	demo_responses_response(t);
}

const struct demo_wire demo_wire_responses = {
	.protocol = "openai-responses",
	.content_type = "text/event-stream; charset=utf-8",
	.finish = { "response.completed", "response.incomplete", "response.completed", "response.completed" },
	.begin = demo_responses_begin,
	.open = open_item,
	.piece = demo_responses_piece,
	.close = close_item,
	.finished = demo_responses_finished,
	.error = demo_responses_mid_stream_error,
	.whole = demo_responses_whole,
	.error_body = demo_responses_error_body,
};
