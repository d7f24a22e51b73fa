/*
 * OpenAI Responses: each block is an item: added, its part in pieces, done with all of it. The response object at the end
 * repeats the finished items.
 */
#include <stdio.h>

#include "base/array.h"
#include "base/json_scan.h"
#include "wire/encode/encode_inside.h"
#include "wire/protocol/openai_responses.h"

static void encode_responses_event(struct encoder *e, const char *name)
{
	encode_put(e, "event: %z\ndata: {'type':'%z','sequence_number':%u", name, name, e->sequence++);
}

static void encode_responses_event_end(struct encoder *e)
{
	encode_put(e, "}\n\n");
}

static void encode_responses_item_event(struct encoder *e, const char *name, const struct encode_block *b)
{
	encode_responses_event(e, name);
	encode_put(e, ",'output_index':%u", b->number);
}

/* The names of the events of a kind of block, and the place of its text. */
static const struct names {
	const char *id, *place;           /* of the item, of its part */
	const char *added, *piece, *done, *part_done;
	const char *member;               /* of the event with the complete text, and of the part */
	const char *part;                 /* format for annotations and text */
} kinds[] = {
	[PART_TEXT] = { "msg", ",\"content_index\":0", "response.content_part.added", "response.output_text.delta",
	                "response.output_text.done", "response.content_part.done", "text",
	                "{'type':'output_text','annotations':[%j],'text':%t}" },
	[PART_REFUSAL] = { "msg", ",\"content_index\":0", "response.content_part.added", "response.refusal.delta",
	                   "response.refusal.done", "response.content_part.done", "refusal", "{'type':'refusal'%j,'refusal':%t}" },
	[PART_REASONING] = { "rs", ",\"summary_index\":0", "response.reasoning_summary_part.added",
	                     "response.reasoning_summary_text.delta", "response.reasoning_summary_text.done",
	                     "response.reasoning_summary_part.done", "text", "{'type':'summary_text'%j,'text':%t}" },
	[PART_TOOL_CALL] = { "fc", "", NULL, "response.function_call_arguments.delta", "response.function_call_arguments.done", NULL,
	                     "arguments", NULL },
	[PART_OPAQUE] = { .id = "rs", .place = "" },
	[PART_SERVER_RESULT] = { 0 }, /* and what has no part */
};

static void encode_responses_part_event(struct encoder *e, const char *name, const struct encode_block *b)
{
	encode_responses_item_event(e, name, b);
	encode_put(e, ",'item_id':'%z_%u'%z", kinds[b->kind].id, b->number, kinds[b->kind].place);
}

static void encode_responses_put_part(struct encoder *e, const struct encode_block *b, bool done)
{
	encode_put(e, kinds[b->kind].part, done ? buf_str(&b->citations) : STR_NONE, done ? buf_str(&b->text) : STR_NONE);
}

/* True if a later complete reasoning item repeats this one as part of its summary. */
static bool encode_responses_is_repeated(const struct encoder *e, const struct encode_block *b)
{
	size_t last = b->number;
	char place[24];

	while (last + 1 < e->count && !e->blocks[last].data.len && e->blocks[last + 1].kind == PART_REASONING)
		last++;
	snprintf(place, sizeof place, "#%zu", last - b->number);
	const char *const path[] = { "summary", place, NULL };
	return last > b->number && json_scan_find(buf_str(&e->blocks[last].data), path).ptr;
}

/* --- pictures and tools of the server --- */

static void encode_responses_put_id(struct encoder *e, const struct encode_block *b)
{
	if (b->id.len)
		encode_put(e, "%t", buf_str(&b->id));
	else
		encode_put(e, "'%z_%u'", b->kind == PART_MEDIA ? "ig" : "st", b->number);
}

/* response.TYPE.WORD */
static void encode_responses_progress(struct encoder *e, const struct encode_block *b, const char *type, const char *word)
{
	encode_put(e, "event: response.%z.%z\ndata: {'type':'response.%z.%z','sequence_number':%u,'output_index':%u,'item_id':", type, word, type,
	           word, e->sequence++, b->number);
	encode_responses_put_id(e, b);
}

static void encode_responses_tell(struct encoder *e, const struct encode_block *b, const char *type, const char *word)
{
	encode_responses_progress(e, b, type, word);
	encode_responses_event_end(e);
}

static void encode_responses_put_format(struct encoder *e, const struct encode_block *b)
{
	struct str type = buf_str(&b->name);

	if (str_starts(type, "image/"))
		encode_put(e, ",'output_format':%t", str_skip(type, STR("image/").len));
}

static void encode_responses_partial(struct encoder *e, struct encode_block *b, struct str bytes)
{
	encode_responses_progress(e, b, "image_generation_call", "partial_image");
	encode_responses_put_format(e, b);
	encode_put(e, ",'partial_image_index':%u,'partial_image_b64':'%b'", b->partials, bytes);
	encode_responses_event_end(e);
}

static void encode_responses_put_picture(struct encoder *e, const struct encode_block *b, bool done)
{
	encode_put(e, "{'type':'image_generation_call','id':");
	encode_responses_put_id(e, b);
	encode_put(e, ",'status':'%z'", !done ? "in_progress" : b->text.len ? "completed" : "failed");
	if (done && b->text.len) {
		encode_responses_put_format(e, b);
		encode_put(e, ",'revised_prompt':%s,'result':'%b'", encode_known(&b->said), buf_str(&b->text));
	}
	encode_put(e, "}");
}

/* Tools of OpenAI's own; any other one is a remote server's. The member that has the input, the events of its pieces. */
static const struct own_tool {
	const char *name, *type, *working;
	const char *member, *piece;
} own_tools[] = {
	{ NULL, "mcp_call", "in_progress", "arguments", "mcp_call_arguments" },
	{ "web_search", "web_search_call", "searching", NULL, NULL },
	{ "code_interpreter", "code_interpreter_call", "interpreting", "code", "code_interpreter_call_code" },
};

static const struct own_tool *encode_responses_tool(const struct encode_block *b)
{
	for (size_t i = 1; i < ARRAY_LEN(own_tools); i++)
		if (str_is(buf_str(&b->name), own_tools[i].name))
			return &own_tools[i];
	return &own_tools[0];
}

static void encode_responses_put_output(struct encoder *e, const struct own_tool *tool, const struct encode_block *b)
{
	struct str said = b->state == SERVER_TOOL_INCOMPLETE ? STR_NONE : buf_str(&b->said);

	if (tool->name && tool->member && said.ptr)
		encode_put(e, ",'container_id':'','outputs':[{'type':'logs','logs':%t}]", said);
	else if (tool->name && said.ptr && encode_is_list(said))
		encode_put(e, ",'results':%j", said);
	else
		encode_put(e, ",'output':%s", said);
}

static void encode_responses_put_tool(struct encoder *e, const struct encode_block *b, bool done)
{
	const struct own_tool *tool = encode_responses_tool(b);
	struct str text = done ? buf_str(&b->text) : STR("");

	encode_put(e, "{'type':'%z','id':", tool->type);
	encode_responses_put_id(e, b);
	encode_put(e, ",'status':'%z'", done ? server_tool_state_name(b->state) : "in_progress");
	if (!tool->name)
		encode_put(e, ",'server_label':'server','name':%t", buf_str(&b->name));
	if (tool->member)
		encode_put(e, ",'%z':%t", tool->member, text);
	else if (done && json_scan_is_whole(text) && str_starts(text, "{\""))
		encode_put(e, ",'action':%j", text);
	else if (text.len)
		encode_put(e, ",'input':%t", text);
	if (done)
		encode_responses_put_output(e, tool, b);
	encode_put(e, "}");
}

static void encode_responses_tool_piece(struct encoder *e, const struct encode_block *b, struct str piece)
{
	const struct own_tool *tool = encode_responses_tool(b);

	if (!tool->piece)
		return;
	encode_responses_progress(e, b, tool->piece, "delta");
	encode_put(e, ",'delta':%t", piece);
	encode_responses_event_end(e);
}

/* The events before the item is done. */
static void encode_responses_close_tool(struct encoder *e, const struct encode_block *b)
{
	const struct own_tool *tool = encode_responses_tool(b);

	if (tool->piece) {
		encode_responses_progress(e, b, tool->piece, "done");
		encode_put(e, ",'%z':%t", tool->member, buf_str(&b->text));
		encode_responses_event_end(e);
	}
	if (b->state != SERVER_TOOL_INCOMPLETE)
		encode_responses_tell(e, b, tool->type, server_tool_state_name(b->state));
}

/* --- items --- */

/* The item as added, without text, or as done. */
static void encode_responses_put_item(struct encoder *e, const struct encode_block *b, bool done)
{
	const char *status = done ? "completed" : "in_progress";

	if (b->kind == PART_MEDIA || b->kind == PART_SERVER_TOOL) {
		(b->kind == PART_MEDIA ? encode_responses_put_picture : encode_responses_put_tool)(e, b, done);
		return;
	}
	if (b->kind == PART_TOOL_CALL) {
		encode_put(e, "{'type':'function_call','id':'fc_%u','status':'%z','name':%t,'arguments':%t,'call_id':", b->number, status,
		           buf_str(&b->name), done ? buf_str(&b->text) : STR_NONE);
		if (b->id.len)
			encode_put(e, "%t}", buf_str(&b->id));
		else
			encode_put(e, "'call_%u'}", b->call);
		return;
	}
	if (done && b->data.len) {
		encode_put(e, "%j", buf_str(&b->data));
		return;
	}
	if (b->kind == PART_REASONING || b->kind == PART_OPAQUE)
		encode_put(e, "{'type':'reasoning','id':'rs_%u','summary':[", b->number);
	else
		encode_put(e, "{'type':'message','id':'msg_%u','status':'%z','role':'assistant','content':[", b->number, status);
	if (done && b->kind != PART_OPAQUE && !encode_responses_is_repeated(e, b))
		encode_responses_put_part(e, b, true);
	encode_put(e, "]}");
}

static void encode_responses_put_response_head(struct encoder *e, struct str status)
{
	encode_put(e, "{'id':%s,'object':'response','created_at':%n,'model':%s,'status':%s", encode_known(&e->id), e->options.created,
	           encode_known(&e->model), status);
}

static void encode_responses_begin(struct encoder *e)
{
	encode_responses_event(e, e->sequence ? "response.in_progress" : "response.created");
	encode_put(e, ",'response':");
	encode_responses_put_response_head(e, STR("in_progress"));
	encode_put(e, ",'output':[],'usage':null}");
	encode_responses_event_end(e);
}

static void encode_responses_open_item(struct encoder *e, struct encode_block *b)
{
	encode_responses_item_event(e, "response.output_item.added", b);
	encode_put(e, ",'item':");
	encode_responses_put_item(e, b, false);
	encode_responses_event_end(e);
	if (b->kind == PART_SERVER_TOOL)
		encode_responses_tell(e, b, encode_responses_tool(b)->type, encode_responses_tool(b)->working);
	else if (b->kind == PART_MEDIA)
		encode_responses_tell(e, b, "image_generation_call", "generating");
	if (!kinds[b->kind].added)
		return;
	encode_responses_part_event(e, kinds[b->kind].added, b);
	encode_put(e, ",'part':");
	encode_responses_put_part(e, b, false);
	encode_responses_event_end(e);
}

static void encode_responses_piece(struct encoder *e, struct encode_block *b, struct str text)
{
	if (b->kind == PART_SERVER_TOOL) {
		encode_responses_tool_piece(e, b, text);
		return;
	}
	encode_responses_part_event(e, kinds[b->kind].piece, b);
	encode_put(e, ",'delta':%s", text);
	encode_responses_event_end(e);
}

static void encode_responses_cited(struct encoder *e, struct encode_block *b, struct str citation)
{
	encode_responses_part_event(e, "response.output_text.annotation.added", b);
	encode_put(e, ",'annotation':%j", citation);
	encode_responses_event_end(e);
}

static void encode_responses_close_item(struct encoder *e, struct encode_block *b)
{
	if (b->kind == PART_SERVER_TOOL)
		encode_responses_close_tool(e, b);
	else if (b->kind == PART_MEDIA && b->text.len)
		encode_responses_tell(e, b, "image_generation_call", "completed");
	if (kinds[b->kind].done) {
		encode_responses_part_event(e, kinds[b->kind].done, b);
		encode_put(e, ",'%z':%t", kinds[b->kind].member, buf_str(&b->text));
		encode_responses_event_end(e);
	}
	if (kinds[b->kind].part_done) {
		encode_responses_part_event(e, kinds[b->kind].part_done, b);
		encode_put(e, ",'part':");
		encode_responses_put_part(e, b, true);
		encode_responses_event_end(e);
	}
	encode_responses_item_event(e, "response.output_item.done", b);
	encode_put(e, ",'item':");
	encode_responses_put_item(e, b, true);
	encode_responses_event_end(e);
}

static bool encode_responses_is_incomplete(struct str word)
{
	enum outcome outcome = outcome_of_finish(word);

	return outcome == OUTCOME_LENGTH || outcome == OUTCOME_FILTERED;
}

static void encode_responses_put_response(struct encoder *e, struct str word)
{
	encode_responses_put_response_head(e, encode_responses_is_incomplete(word) ? STR("incomplete") : word);
	if (encode_responses_is_incomplete(word))
		encode_put(e, ",'incomplete_details':{'reason':%s},'output':[", word);
	else
		encode_put(e, ",'incomplete_details':null,'output':[");
	for (size_t i = 0; i < e->count; i++) {
		encode_put(e, i ? "," : "");
		encode_responses_put_item(e, &e->blocks[i], true);
	}
	encode_put(e, "],'usage':%j}", e->usage_due ? encode_usage(e) : STR("null"));
}

static void encode_responses_done(struct encoder *e, struct str word)
{
	encode_responses_event(e, encode_responses_is_incomplete(word) ? "response.incomplete" : "response.completed");
	encode_put(e, ",'response':");
	encode_responses_put_response(e, word);
	encode_responses_event_end(e);
}

static void encode_responses_error(struct encoder *e, const struct error_report *report)
{
	if (e->options.whole) {
		encode_put(e, "{'error':{'type':%s,'code':%s,'param':null,'message':%s}}", report->type, report->code, report->message);
		return;
	}
	encode_responses_event(e, "error");
	encode_put(e, ",'param':null,'code':%s,'message':%s", report->code, report->message);
	encode_responses_event_end(e);
}

const struct encode_form encode_responses = {
	.protocol = &protocol_openai_responses,
	.content_type = "text/event-stream; charset=utf-8",
	.usage_members = openai_responses_usage,
	.words = { [OUTCOME_COMPLETE] = "completed", [OUTCOME_LENGTH] = "max_output_tokens", [OUTCOME_FILTERED] = "content_filter" },
	.citation = "{'type':'url_citation','url':%t,'title':%s}",
	.head = encode_responses_begin,
	.open = encode_responses_open_item,
	.piece = encode_responses_piece,
	.close = encode_responses_close_item,
	.data = encode_responses_partial,
	.cited = encode_responses_cited,
	.done = encode_responses_done,
	.error = encode_responses_error,
	.whole = encode_responses_put_response,
};
