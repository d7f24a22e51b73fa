/* Chat Completions: a chunk for each piece, then the finish word, the usage, [DONE]. */
#include "base/array.h"
#include "base/json_write.h"
#include "wire/delta_write.h"
#include "wire/encode/encode_inside.h"
#include "wire/protocol/openai_chat.h"

#define AUDIO_SECONDS 3600 /* how long a sound is kept */

static void encode_chat_head(struct encoder *e, const char *object)
{
	encode_put(e, "{'id':%s,'object':'%z','created':%n,'model':%s", encode_known(&e->id), object, e->options.created,
	           encode_known(&e->model));
}

static void encode_chat_chunk_head(struct encoder *e)
{
	encode_put(e, "data: ");
	encode_chat_head(e, "chat.completion.chunk");
}

/* Up to the members of the delta. */
static void encode_chat_chunk(struct encoder *e)
{
	encode_chat_chunk_head(e);
	encode_put(e, ",'choices':[{'index':0,'delta':{");
}

static void encode_chat_chunk_end(struct encoder *e)
{
	encode_put(e, "},'finish_reason':null}]}\n\n");
}

static void encode_chat_put_route(struct encoder *e)
{
	struct json_writer w;

	if (!e->route_due)
		return;
	e->route_due = false;
	encode_put(e, ",'sansa':");
	json_writer_init(&w, e->out);
	json_open_object(&w);
	delta_write_route(&w, &e->route);
	json_close_object(&w);
}

/* sansa's routing object is on the first chunk. */
static void encode_chat_begin(struct encoder *e)
{
	encode_chat_chunk(e);
	encode_put(e, "'role':'assistant','content':''},'finish_reason':null}]");
	encode_chat_put_route(e);
	encode_put(e, "}\n\n");
}

static void encode_chat_route(struct encoder *e)
{
	encode_chat_chunk_head(e);
	encode_put(e, ",'choices':[]");
	encode_chat_put_route(e);
	encode_put(e, "}\n\n");
}

static void encode_chat_put_call(struct encoder *e, const struct encode_block *b, struct str arguments)
{
	encode_put(e, "{'index':%u,'id':%s,'type':'function','function':{'name':%t,'arguments':%t}", b->call, encode_known(&b->id),
	           buf_str(&b->name), arguments);
	if (b->data.len)
		encode_put(e, ",'extra_content':%j", buf_str(&b->data));
	encode_put(e, "}");
}

/* Groq's form: the call, and once more with what came of it. */
static void encode_chat_put_tool(struct encoder *e, const struct encode_block *b, bool done)
{
	struct buf input = { 0 };

	encode_tool_object(b, &input);
	encode_put(e, "{'index':%u,", b->ran);
	if (b->id.len)
		encode_put(e, "'id':%t,", buf_str(&b->id));
	encode_put(e, "'type':%t,'arguments':%t", buf_str(&b->name), buf_str(&input));
	if (done && b->state != SERVER_TOOL_INCOMPLETE)
		encode_put(e, encode_is_list(buf_str(&b->said)) ? ",'search_results':{'results':%j}" : ",'output':%t", buf_str(&b->said));
	encode_put(e, "}");
	buf_fini(&input);
}

static void encode_chat_open_block(struct encoder *e, struct encode_block *b)
{
	if (b->kind != PART_TOOL_CALL && b->kind != PART_SERVER_TOOL)
		return;
	encode_chat_chunk(e);
	encode_put(e, b->kind == PART_TOOL_CALL ? "'tool_calls':[" : "'executed_tools':[");
	if (b->kind == PART_TOOL_CALL)
		encode_chat_put_call(e, b, STR(""));
	else
		encode_chat_put_tool(e, b, false);
	encode_put(e, "]");
	encode_chat_chunk_end(e);
}

static const char *encode_chat_key_of(const struct encoder *e, enum part_kind kind)
{
	if (kind == PART_REASONING)
		return e->reasoning_content ? "reasoning_content" : "reasoning";
	return kind == PART_REFUSAL ? "refusal" : "content";
}

static void encode_chat_piece(struct encoder *e, struct encode_block *b, struct str text)
{
	encode_chat_chunk(e);
	if (b->kind == PART_TOOL_CALL)
		encode_put(e, "'tool_calls':[{'index':%u,'function':{'arguments':%s}}]", b->call, text);
	else
		encode_put(e, "'%z':%s", encode_chat_key_of(e, b->kind), text);
	encode_chat_chunk_end(e);
}

static void encode_chat_put_picture(struct encoder *e, const struct encode_block *b)
{
	encode_put(e, "{'type':'image_url','image_url':{'url':'data:%j;base64,%b'}}", buf_str(&b->name), buf_str(&b->text));
}

/* The format that a type of sounds stands for. */
static const char *encode_chat_format(struct str type)
{
	static const char *const formats[] = { "wav", "mp3", "flac", "opus", "aac", "pcm16" };

	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (media_types_agree(type, media_audio_type(str_from(formats[i]))))
			return formats[i];
	return str_starts(type, "audio/L16") ? "pcm16" : NULL;
}

/* Up to the members of a sound that differ. */
static void encode_chat_audio(struct encoder *e, const struct encode_block *b)
{
	const char *format = encode_chat_format(buf_str(&b->name));

	encode_put(e, "'audio':{");
	if (b->id.len)
		encode_put(e, "'id':%t,", buf_str(&b->id));
	else
		encode_put(e, "'id':'audio_%u',", b->number);
	if (format)
		encode_put(e, "'format':'%z',", format);
}

static void encode_chat_put_expiry(struct encoder *e)
{
	encode_put(e, "'expires_at':%n}", e->options.created + AUDIO_SECONDS);
}

static void encode_chat_data(struct encoder *e, struct encode_block *b, struct str bytes)
{
	encode_chat_chunk(e);
	encode_chat_audio(e, b);
	encode_put(e, "'data':'%b'}", bytes);
	encode_chat_chunk_end(e);
}

static void encode_chat_said(struct encoder *e, struct encode_block *b, struct str text)
{
	encode_chat_chunk(e);
	encode_chat_audio(e, b);
	encode_put(e, "'transcript':%t}", text);
	encode_chat_chunk_end(e);
}

static void encode_chat_close_block(struct encoder *e, struct encode_block *b)
{
	bool is_sound = b->media == MEDIA_AUDIO;

	if ((b->kind != PART_MEDIA || (is_sound && !b->is_whole)) && b->kind != PART_SERVER_TOOL)
		return;
	encode_chat_chunk(e);
	if (b->kind == PART_SERVER_TOOL) {
		encode_put(e, "'executed_tools':[");
		encode_chat_put_tool(e, b, true);
		encode_put(e, "]");
	} else if (is_sound) {
		encode_chat_audio(e, b);
		encode_chat_put_expiry(e);
	} else {
		encode_put(e, "'images':[");
		encode_chat_put_picture(e, b);
		encode_put(e, "]");
	}
	encode_chat_chunk_end(e);
}

/* Of a body: a list of what blocks are. */
static void encode_chat_put_list(struct encoder *e, const char *name, enum part_kind kind)
{
	const char *before = "[";

	for (size_t i = 0; i < e->count; i++) {
		const struct encode_block *b = &e->blocks[i];

		if (b->kind != kind || (kind == PART_MEDIA && (b->media == MEDIA_AUDIO || !b->text.len)))
			continue;
		if (*before == '[')
			encode_put(e, ",'%z':", name);
		encode_put(e, before);
		if (kind == PART_MEDIA)
			encode_chat_put_picture(e, b);
		else
			encode_chat_put_tool(e, b, true);
		before = ",";
	}
	encode_put(e, *before == '[' ? "" : "]");
}

/* A body has one sound. */
static void encode_chat_put_sound(struct encoder *e)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct encode_block *b = &e->blocks[i];

		if (b->kind != PART_MEDIA || b->media != MEDIA_AUDIO || !b->text.len)
			continue;
		encode_put(e, ",");
		encode_chat_audio(e, b);
		encode_put(e, "'data':'%b','transcript':%t,", buf_str(&b->text), buf_str(&b->said));
		encode_chat_put_expiry(e);
		return;
	}
}

static void encode_chat_named(struct encoder *e, struct encode_block *b, struct str id, struct str rest)
{
	encode_chat_chunk(e);
	encode_put(e, "'tool_calls':[{'index':%u,'id':%s,'function':{'name':%s}}]", b->call, id, rest);
	encode_chat_chunk_end(e);
}

static void encode_chat_call_data(struct encoder *e, struct encode_block *b)
{
	encode_chat_chunk(e);
	encode_put(e, "'tool_calls':[{'index':%u,'function':{},'extra_content':%j}]", b->call, buf_str(&b->data));
	encode_chat_chunk_end(e);
}

static void encode_chat_cited(struct encoder *e, struct encode_block *b, struct str citation)
{
	(void)b;
	encode_chat_chunk(e);
	encode_put(e, "'annotations':[%j]", citation);
	encode_chat_chunk_end(e);
}

static void encode_chat_usage(struct encoder *e)
{
	encode_chat_chunk_head(e);
	encode_put(e, ",'choices':[],'usage':%j}\n\n", encode_usage(e));
}

static void encode_chat_finish(struct encoder *e, struct str word)
{
	encode_chat_chunk(e);
	encode_put(e, "},'finish_reason':%s}]}\n\n", word);
}

static void encode_chat_done(struct encoder *e, struct str word)
{
	(void)word;
	encode_put(e, "data: [DONE]\n\n");
}

static void encode_chat_error(struct encoder *e, const struct error_report *report)
{
	encode_put(e, "%z{'error':{'message':%s,'type':%s,'code':%s}}", e->options.whole ? "" : "data: ", report->message, report->type,
	           report->code);
	if (!e->options.whole)
		encode_put(e, "\n\ndata: [DONE]\n\n");
}

static void encode_chat_put_calls(struct encoder *e)
{
	const char *before = ",'tool_calls':[";

	for (size_t i = 0; i < e->count; i++) {
		if (e->blocks[i].kind != PART_TOOL_CALL)
			continue;
		encode_put(e, before);
		encode_chat_put_call(e, &e->blocks[i], buf_str(&e->blocks[i].text));
		before = ",";
	}
	encode_put(e, e->calls ? "]" : "");
}

static void encode_chat_whole(struct encoder *e, struct str word)
{
	encode_chat_head(e, "chat.completion");
	encode_put(e, ",'choices':[{'index':0,'message':{'role':'assistant','content':%s", encode_said(e, PART_TEXT));
	encode_put(e, ",'%z':%s", encode_chat_key_of(e, PART_REASONING), encode_said(e, PART_REASONING));
	encode_put(e, ",'refusal':%s", encode_said(e, PART_REFUSAL));
	encode_chat_put_calls(e);
	encode_chat_put_list(e, "images", PART_MEDIA);
	encode_chat_put_list(e, "executed_tools", PART_SERVER_TOOL);
	encode_chat_put_sound(e);
	encode_put(e, ",'annotations':[%j]},'finish_reason':%s}]", encode_citations(e), word);
	if (e->usage_due)
		encode_put(e, ",'usage':%j", encode_usage(e));
	encode_chat_put_route(e);
	encode_put(e, "}");
}

const struct encode_form encode_chat = {
	.protocol = &protocol_openai_chat,
	.content_type = "text/event-stream",
	.usage_members = openai_chat_usage,
	.words = { [OUTCOME_COMPLETE] = "stop", [OUTCOME_TOOL_CALLS] = "tool_calls", [OUTCOME_LENGTH] = "length",
	           [OUTCOME_FILTERED] = "content_filter" },
	.citation = "{'type':'url_citation','url_citation':{'url':%s,'title':%s,'content':%s}}",
	.head = encode_chat_begin,
	.open = encode_chat_open_block,
	.piece = encode_chat_piece,
	.close = encode_chat_close_block,
	.data = encode_chat_data,
	.said = encode_chat_said,
	.named = encode_chat_named,
	.call_data = encode_chat_call_data,
	.cited = encode_chat_cited,
	.route = encode_chat_route,
	.usage = encode_chat_usage,
	.finish = encode_chat_finish,
	.done = encode_chat_done,
	.error = encode_chat_error,
	.whole = encode_chat_whole,
};
