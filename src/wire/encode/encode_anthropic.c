/* Anthropic Messages: typed events around content blocks, with the numbers of our blocks. */
#include "base/array.h"
#include "base/json_write.h"
#include "base/names.h"
#include "wire/encode/encode_inside.h"
#include "wire/protocol/anthropic.h"

static void encode_anthropic_message_head(struct encoder *e)
{
	encode_put(e, "{'id':%s,'type':'message','role':'assistant','model':%s,'content':[", encode_known(&e->id), encode_known(&e->model));
}

/* Clients read members of the usage object unasked, so there always is one; it is empty while no figure is known. */
static struct str encode_anthropic_usage_object(struct encoder *e)
{
	return e->usage_due ? encode_usage(e) : STR("{}");
}

static void encode_anthropic_message_end(struct encoder *e, struct str word)
{
	encode_put(e, "],'stop_reason':%s,'stop_sequence':null,'usage':%j}", word, encode_anthropic_usage_object(e));
}

static void encode_anthropic_begin(struct encoder *e)
{
	encode_put(e, "event: message_start\ndata: {'type':'message_start','message':");
	encode_anthropic_message_head(e);
	encode_anthropic_message_end(e, STR_NONE);
	encode_put(e, "}\n\nevent: ping\ndata: {'type':'ping'}\n\n");
}

static void encode_anthropic_block_event(struct encoder *e, const char *name, const struct encode_block *b)
{
	encode_put(e, "event: %z\ndata: {'type':'%z','index':%u", name, name, b->number);
}

static void encode_anthropic_delta(struct encoder *e, const struct encode_block *b, const char *type, const char *key, struct str text)
{
	encode_anthropic_block_event(e, "content_block_delta", b);
	encode_put(e, ",'delta':{'type':'%z','%z':%s}}\n\n", type, key, text);
}

/* Tools of Anthropic's own; any other one is a remote server's. */
static bool encode_anthropic_has(struct str name)
{
	static const char *const own[] = { "web_search", "web_fetch", "code_execution", "bash_code_execution", "text_editor_code_execution" };

	return str_is_among_nocase(name, own, ARRAY_LEN(own));
}

static void encode_anthropic_put_id(struct encoder *e, const struct encode_block *b)
{
	if (b->id.len)
		encode_put(e, "%t", buf_str(&b->id));
	else
		encode_put(e, "'srvtoolu_%u'", b->ran);
}

static void encode_anthropic_put_tool(struct encoder *e, const struct encode_block *b, bool all)
{
	bool own = encode_anthropic_has(buf_str(&b->name));
	struct encode_block input = { 0 };

	encode_put(e, "{'type':'%z','id':", own ? "server_tool_use" : "mcp_tool_use");
	encode_anthropic_put_id(e, b);
	encode_put(e, ",'name':%t,%z'input':", buf_str(&b->name), own ? "" : "\"server_name\":\"server\",");
	if (all)
		encode_tool_object(b, &input.text);
	if (input.text.len)
		encode_put_arguments(e, &input);
	else
		encode_put(e, "{}");
	encode_put(e, "}");
	buf_fini(&input.text);
}

static void encode_anthropic_put_result(struct encoder *e, const struct encode_block *b)
{
	struct str name = buf_str(&b->name), said = buf_str(&b->said);
	bool failed = b->state == SERVER_TOOL_FAILED, own = encode_anthropic_has(name);

	encode_put(e, "{'type':'%j_tool_result','tool_use_id':", own ? name : STR("mcp"));
	encode_anthropic_put_id(e, b);
	if (!own)
		encode_put(e, failed ? ",'is_error':true" : ",'is_error':false");
	if (own && str_ends(name, "code_execution"))
		encode_put(e, ",'content':{'type':'%j_result','stdout':%t,'stderr':'','return_code':%u,'content':[]}}", name, said, (unsigned)failed);
	else if (own && encode_is_list(said))
		encode_put(e, "%z,'content':%j}", failed ? ",\"is_error\":true" : "", said);
	else
		encode_put(e, "%z,'content':[{'type':'text','text':%t}]}", own && failed ? ",\"is_error\":true" : "", said);
}

/* An input that is no object is code. */
static void encode_anthropic_put_input(struct encoder *e, const struct encode_block *b, struct str piece)
{
	bool is_first = b->text.len == piece.len, wraps = !str_starts(buf_str(&b->text), "{") && b->text.len;
	struct buf json = { 0 };

	if (wraps && is_first)
		buf_add_z(&json, "{\"code\":\"");
	if (wraps)
		json_escape_piece(&json, piece);
	encode_anthropic_delta(e, b, "input_json_delta", "partial_json", wraps ? buf_str(&json) : piece);
	buf_fini(&json);
}

/* The block at its start, or all of it. */
static void encode_anthropic_put_block(struct encoder *e, const struct encode_block *b, bool all)
{
	struct str text = all ? buf_str(&b->text) : STR_NONE;

	if (b->kind == PART_SERVER_TOOL) {
		encode_anthropic_put_tool(e, b, all);
	} else if (b->kind == PART_SERVER_RESULT) {
		encode_anthropic_put_result(e, b);
	} else if (b->kind == PART_TOOL_CALL) {
		encode_put(e, "{'type':'tool_use','id':%s,'name':%t,'input':", encode_known(&b->id), buf_str(&b->name));
		if (all)
			encode_put_arguments(e, b);
		else
			encode_put(e, "{}");
		encode_put(e, "}");
	} else if (b->kind == PART_REASONING) {
		encode_put(e, "{'type':'thinking','thinking':%t,'signature':%t}", text, all ? buf_str(&b->data) : STR_NONE);
	} else if (b->kind != PART_OPAQUE) {
		encode_put(e, "{'type':'text','text':%t", text);
		if (all && b->citations.len)
			encode_put(e, ",'citations':[%j]", buf_str(&b->citations));
		encode_put(e, "}");
	} else if (str_is(buf_str(&b->name), OPAQUE_ANTHROPIC_REDACTED)) {
		encode_put(e, "{'type':'redacted_thinking','data':%s}", buf_str(&b->data));
	} else {
		encode_put(e, "%j", buf_str(&b->data));
	}
}

static void encode_anthropic_open_block(struct encoder *e, struct encode_block *b)
{
	encode_anthropic_block_event(e, "content_block_start", b);
	encode_put(e, ",'content_block':");
	encode_anthropic_put_block(e, b, false);
	encode_put(e, "}\n\n");
}

static void encode_anthropic_piece(struct encoder *e, struct encode_block *b, struct str text)
{
	if (b->kind == PART_SERVER_TOOL)
		encode_anthropic_put_input(e, b, text);
	else if (b->kind == PART_TOOL_CALL)
		encode_anthropic_delta(e, b, "input_json_delta", "partial_json", text);
	else if (b->kind == PART_REASONING)
		encode_anthropic_delta(e, b, "thinking_delta", "thinking", text);
	else
		encode_anthropic_delta(e, b, "text_delta", "text", text);
}

static void encode_anthropic_close_block(struct encoder *e, struct encode_block *b)
{
	if (b->kind == PART_REASONING && b->data.len)
		encode_anthropic_delta(e, b, "signature_delta", "signature", buf_str(&b->data));
	if (b->kind == PART_SERVER_TOOL && !str_starts(buf_str(&b->text), "{") && b->text.len)
		encode_anthropic_delta(e, b, "input_json_delta", "partial_json", STR("\"}"));
	encode_anthropic_block_event(e, "content_block_stop", b);
	encode_put(e, "}\n\n");
}

static void encode_anthropic_cited(struct encoder *e, struct encode_block *b, struct str citation)
{
	encode_anthropic_block_event(e, "content_block_delta", b);
	encode_put(e, ",'delta':{'type':'citations_delta','citation':%j}}\n\n", citation);
}

/* Also of an answer that failed or broke off: its blocks end before it. */
static void encode_anthropic_finish(struct encoder *e, struct str word)
{
	encode_close_text(e);
	encode_close_calls(e);
	encode_put(e, "event: message_delta\ndata: {'type':'message_delta','delta':{'stop_reason':%s,'stop_sequence':null},'usage':%j}\n\n", word,
	           encode_anthropic_usage_object(e));
}

static void encode_anthropic_usage(struct encoder *e)
{
	encode_anthropic_finish(e, STR_NONE);
}

static void encode_anthropic_done(struct encoder *e, struct str word)
{
	(void)word;
	encode_put(e, "event: message_stop\ndata: {'type':'message_stop'}\n\n");
}

/* An error is one word. */
static void encode_anthropic_error(struct encoder *e, const struct error_report *report)
{
	encode_put(e, "%z{'type':'error','error':{'type':%s,'message':%s}}%z", e->options.whole ? "" : "event: error\ndata: ",
	           report->code.len ? report->code : report->type, report->message, e->options.whole ? "" : "\n\n");
}

static void encode_anthropic_whole(struct encoder *e, struct str word)
{
	encode_anthropic_message_head(e);
	for (size_t i = 0; i < e->count; i++) {
		encode_put(e, i ? "," : "");
		encode_anthropic_put_block(e, &e->blocks[i], true);
	}
	encode_anthropic_message_end(e, word);
}

const struct encode_form encode_anthropic = {
	.protocol = &protocol_anthropic,
	.content_type = "text/event-stream; charset=utf-8",
	.usage_members = anthropic_usage,
	.words = { [OUTCOME_COMPLETE] = "end_turn", [OUTCOME_TOOL_CALLS] = "tool_use", [OUTCOME_LENGTH] = "max_tokens",
	           [OUTCOME_FILTERED] = "refusal", [OUTCOME_PAUSED] = "pause_turn" },
	.citation = "{'type':'web_search_result_location','encrypted_index':'','url':%t,'title':%s,'cited_text':%t}",
	.head = encode_anthropic_begin,
	.open = encode_anthropic_open_block,
	.piece = encode_anthropic_piece,
	.close = encode_anthropic_close_block,
	.tools_are_opaque = true,
	.result_apart = true,
	.cited = encode_anthropic_cited,
	.usage = encode_anthropic_usage,
	.finish = encode_anthropic_finish,
	.done = encode_anthropic_done,
	.error = encode_anthropic_error,
	.whole = encode_anthropic_whole,
};
