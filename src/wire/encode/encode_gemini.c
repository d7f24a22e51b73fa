/* Gemini generateContent: each event is a complete response with the next parts; calls are parts and are never split. */
#include "base/array.h"
#include "wire/encode/encode_inside.h"
#include "wire/protocol/gemini.h"

static void encode_gemini_tail(struct encoder *e)
{
	encode_put(e, "'modelVersion':%s,'responseId':%s}%z", encode_known(&e->model), encode_known(&e->id),
	           e->options.whole ? "" : "\r\n\r\n");
}

/* Each response has the id and the model; late values are sent in a separate one. */
static void encode_gemini_head(struct encoder *e)
{
	if (!e->count)
		return;
	encode_put(e, "data: {");
	encode_gemini_tail(e);
}

static void encode_gemini_candidate(struct encoder *e)
{
	encode_put(e, "%z{'candidates':[{'content':{'role':'model','parts':[", e->options.whole ? "" : "data: ");
}

static void encode_gemini_put_tool_type(struct encoder *e, const struct encode_block *b)
{
	struct buf type = { 0 };

	for (const char *at = buf_z(&b->name); *at; at++)
		buf_add_byte(&type, (char)(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at));
	encode_put(e, "'toolType':%t", buf_str(&type));
	buf_fini(&type);
}

/* Code and its result; any other tool and its response. */
static void encode_gemini_put_tool(struct encoder *e, const struct encode_block *b)
{
	bool is_code = str_is(buf_str(&b->name), "code_execution"), is_result = b->kind == PART_SERVER_RESULT;

	if (is_code) {
		encode_put(e, is_result ? "{'codeExecutionResult':{'outcome':'%z'" : "{'executableCode':{'language':'%z'",
		           !is_result ? "PYTHON" : b->state == SERVER_TOOL_FAILED ? "OUTCOME_FAILED" : "OUTCOME_OK");
		encode_put(e, is_result ? ",'output':%t" : ",'code':%t", buf_str(is_result ? &b->said : &b->text));
	} else {
		encode_put(e, is_result ? "{'toolResponse':{" : "{'toolCall':{");
		encode_gemini_put_tool_type(e, b);
		if (is_result)
			encode_put(e, encode_is_list(buf_str(&b->said)) ? ",'response':%j" : ",'response':%t", buf_str(&b->said));
		else if (b->text.len)
			encode_put(e, ",'args':");
		if (!is_result && b->text.len)
			encode_put_arguments(e, b);
	}
	if (b->id.len)
		encode_put(e, ",'id':%t", buf_str(&b->id));
	encode_put(e, "}}");
}

static void encode_gemini_put_part(struct encoder *e, const struct encode_block *b, struct str text)
{
	if (b->kind == PART_OPAQUE) {
		encode_put(e, "%j", buf_str(&b->data));
		return;
	}
	if (b->kind == PART_MEDIA) {
		encode_put(e, "{'inlineData':{'mimeType':%t,'data':'%b'}%z", buf_str(&b->name), text, b->thought ? ",\"thought\":true" : "");
	} else if (b->kind == PART_SERVER_TOOL || b->kind == PART_SERVER_RESULT) {
		encode_gemini_put_tool(e, b);
		return;
	} else if (b->kind == PART_TOOL_CALL) {
		encode_put(e, "{'functionCall':{");
		if (b->id.len)
			encode_put(e, "'id':%s,", buf_str(&b->id));
		encode_put(e, "'name':%t,'args':", buf_str(&b->name));
		encode_put_arguments(e, b);
		encode_put(e, "}");
	} else {
		encode_put(e, "{'text':%s%z", text, b->kind == PART_REASONING ? ",\"thought\":true" : "");
	}
	if (b->data.len)
		encode_put(e, ",'thoughtSignature':%s", buf_str(&b->data));
	encode_put(e, "}");
}

static void encode_gemini_part(struct encoder *e, const struct encode_block *b, struct str text)
{
	encode_gemini_candidate(e);
	encode_gemini_put_part(e, b, text);
	encode_put(e, "]},'index':0}],");
	encode_gemini_tail(e);
}

static void encode_gemini_piece(struct encoder *e, struct encode_block *b, struct str text)
{
	encode_gemini_part(e, b, text);
}

static void encode_gemini_open_block(struct encoder *e, struct encode_block *b)
{
	if (b->kind == PART_SERVER_TOOL)
		encode_gemini_part(e, b, STR_NONE);
}

static void encode_gemini_close_block(struct encoder *e, struct encode_block *b)
{
	if (b->kind == PART_MEDIA && b->media != MEDIA_AUDIO)
		encode_gemini_part(e, b, buf_str(&b->text));
	else if (b->kind == PART_TOOL_CALL || b->kind == PART_OPAQUE || b->kind == PART_SERVER_RESULT)
		encode_gemini_part(e, b, STR_NONE);
}

static void encode_gemini_cited(struct encoder *e, struct encode_block *b, struct str citation)
{
	(void)b;
	encode_gemini_candidate(e);
	encode_put(e, "{'text':''}]},'citationMetadata':{'citationSources':[%j]},'index':0}],", citation);
	encode_gemini_tail(e);
}

static void encode_gemini_put_usage(struct encoder *e)
{
	if (e->usage_due)
		encode_put(e, "'usageMetadata':%j,", encode_usage(e));
}

static void encode_gemini_usage(struct encoder *e)
{
	encode_put(e, "data: {");
	encode_gemini_put_usage(e);
	encode_gemini_tail(e);
}

/* The end of the last response. A blocked prompt has a reason instead of a finish word. */
static void encode_gemini_put_finish(struct encoder *e, struct str word)
{
	bool blocked = e->outcome == OUTCOME_FILTERED && outcome_of_finish(word) != OUTCOME_FILTERED;

	if (blocked)
		encode_put(e, "]},'index':0}],'promptFeedback':{'blockReason':%s},", word);
	else
		encode_put(e, "]},'finishReason':%s,'index':0}],", word);
	encode_gemini_put_usage(e);
	encode_gemini_tail(e);
}

static void encode_gemini_finish(struct encoder *e, struct str word)
{
	encode_gemini_candidate(e);
	encode_put(e, "{'text':''}");
	encode_gemini_put_finish(e, word);
}

static const struct status { unsigned number; const char *word; } statuses[] = {
	{ 503, "UNAVAILABLE" }, /* also for what has no number in this protocol */
	{ 400, "INVALID_ARGUMENT" },
	{ 401, "UNAUTHENTICATED" },
	{ 403, "PERMISSION_DENIED" },
	{ 404, "NOT_FOUND" },
	{ 429, "RESOURCE_EXHAUSTED" },
	{ 500, "INTERNAL" },
	{ 504, "DEADLINE_EXCEEDED" },
};

static void encode_gemini_error(struct encoder *e, const struct error_report *report)
{
	const struct status *status = statuses;

	for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
		if (statuses[i].number == (unsigned)report->status || str_is(report->type, statuses[i].word))
			status = &statuses[i];
	encode_put(e, "%z{'error':{'code':%u,'message':%s,'status':'%z'}}%z", e->options.whole ? "" : "data: ", status->number,
	           report->message, status->word, e->options.whole ? "" : "\r\n\r\n");
}

static void encode_gemini_whole(struct encoder *e, struct str word)
{
	struct str citations = encode_citations(e);
	const char *before = "";

	encode_put(e, "{'candidates':[{'citationMetadata':{'citationSources':[%j]},'content':{'role':'model','parts':[", citations);
	for (size_t i = 0; i < e->count; i++) {
		const struct encode_block *b = &e->blocks[i];

		if (b->kind == PART_MEDIA && (!b->name.len || !b->text.len)) /* a sound without a type */
			continue;
		encode_put(e, before);
		encode_gemini_put_part(e, b, buf_str(&b->text));
		before = ",";
	}
	encode_gemini_put_finish(e, word);
}

const struct encode_form encode_gemini = {
	.protocol = &protocol_gemini,
	.content_type = "text/event-stream",
	.usage_members = gemini_usage,
	.words = { [OUTCOME_COMPLETE] = "STOP", [OUTCOME_LENGTH] = "MAX_TOKENS", [OUTCOME_FILTERED] = "SAFETY" },
	.citation = "{'uri':%s,'title':%s}",
	.head = encode_gemini_head,
	.piece = encode_gemini_piece,
	.open = encode_gemini_open_block,
	.close = encode_gemini_close_block,
	.data = encode_gemini_piece,
	.signs_pictures = true,
	.tools_are_opaque = true,
	.result_apart = true,
	.cited = encode_gemini_cited,
	.usage = encode_gemini_usage,
	.finish = encode_gemini_finish,
	.error = encode_gemini_error,
	.whole = encode_gemini_whole,
};
