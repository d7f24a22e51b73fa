#include "app/demo/demo_wire.h"
#include "base/array.h"

static void gemini_parts(struct demo_turn *t)
{
	demo_say(t, "{'candidates':[{'content':{'role':'model','parts':[");
}

static void gemini_tail(struct demo_turn *t)
{
	demo_say(t, "'modelVersion':'%s','responseId':'demo-%s'}", t->model, t->name);
}

static void gemini_text_part(struct demo_turn *t, enum demo_step_kind kind, struct str text)
{
	demo_say(t, "{'text':");
	demo_say_text(t, text);
	demo_say(t, kind == DEMO_REASONING ? ",'thought':true}" : "}");
}

/* A call is one part, whole; the first of an answer is signed. */
static void gemini_call_part(struct demo_turn *t, unsigned index)
{
	const struct demo_step *call = t->calls[index];

	demo_say(t, "{'functionCall':{'name':'%.*s','args':", STR_ARG(call->name));
	buf_add(&t->bytes, call->text);
	demo_say(t, index ? "}}" : "},'thoughtSignature':'ZGVtby1zaWduYXR1cmU='}");
}

static void gemini_chunk_end(struct demo_turn *t)
{
	demo_say(t, "]},'index':0}],");
	gemini_tail(t);
	demo_say(t, "\r\n\r\n");
}

static void gemini_piece(struct demo_turn *t, struct str piece)
{
	if (t->open == DEMO_CALL)
		return;
	demo_say(t, "data: ");
	gemini_parts(t);
	gemini_text_part(t, t->open, piece);
	gemini_chunk_end(t);
}

static void gemini_close(struct demo_turn *t)
{
	if (t->open != DEMO_CALL)
		return;
	demo_say(t, "data: ");
	gemini_parts(t);
	gemini_call_part(t, t->call_count - 1);
	gemini_chunk_end(t);
}

static void demo_gemini_finish(struct demo_turn *t)
{
	const struct usage *u = &t->script->usage;

	demo_say(t, "]},'finishReason':'%s','index':0}],'usageMetadata':{'promptTokenCount':%lld,'cachedContentTokenCount':%lld,",
	         demo_finish_word(t), (long long)u->of[USAGE_PROMPT].number, (long long)u->of[USAGE_CACHED].number);
	demo_say(t, "'candidatesTokenCount':%lld,'thoughtsTokenCount':%lld,'totalTokenCount':%lld},",
	         (long long)(u->of[USAGE_COMPLETION].number - u->of[USAGE_REASONING].number), (long long)u->of[USAGE_REASONING].number, (long long)u->of[USAGE_TOTAL].number);
	gemini_tail(t);
}

static void gemini_finished(struct demo_turn *t)
{
	demo_say(t, "data: ");
	gemini_parts(t);
	gemini_text_part(t, DEMO_TEXT, STR(""));
	demo_gemini_finish(t);
	demo_say(t, "\r\n\r\n");
}

static void gemini_error_body(struct demo_turn *t, const struct demo_step *error)
{
	int status = t->script->status == 200 ? 503 : t->script->status;

	demo_say(t, "{'error':{'code':%d,'message':", status);
	demo_say_text(t, error->text);
	demo_say(t, ",'status':'%s'}}", status == 401 ? "UNAUTHENTICATED" : "UNAVAILABLE");
}

static void gemini_error(struct demo_turn *t, const struct demo_step *error)
{
	demo_say(t, "data: ");
	gemini_error_body(t, error);
	demo_say(t, "\r\n\r\n");
}

static void gemini_whole(struct demo_turn *t)
{
	static const enum demo_step_kind order[] = { DEMO_REASONING, DEMO_TEXT, DEMO_REFUSAL };
	bool comma = false;

	gemini_parts(t);
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		if (!t->said[order[i]].len)
			continue;
		demo_say(t, comma ? "," : "");
		gemini_text_part(t, order[i], buf_str(&t->said[order[i]]));
		comma = true;
	}
	for (unsigned i = 0; i < t->call_count; i++, comma = true) {
		demo_say(t, comma ? "," : "");
		gemini_call_part(t, i);
	}
	demo_gemini_finish(t);
}

const struct demo_wire demo_wire_gemini = {
	.protocol = "gemini",
	.content_type = "text/event-stream",
	.finish = { "STOP", "MAX_TOKENS", "STOP", "SAFETY" },
	.begin = demo_say_nothing,
	.open = demo_say_nothing,
	.piece = gemini_piece,
	.close = gemini_close,
	.finished = gemini_finished,
	.error = gemini_error,
	.whole = gemini_whole,
	.error_body = gemini_error_body,
	.models = "{'models':["
	          "{'name':'models/demo-1','displayName':'Demo','inputTokenLimit':128000,'outputTokenLimit':8192,"
	          "'supportedGenerationMethods':['generateContent']},"
	          "{'name':'models/demo-thinking','displayName':'Demo, thinks first','inputTokenLimit':128000,"
	          "'outputTokenLimit':8192,'supportedGenerationMethods':['generateContent'],'thinking':true},"
	          "{'name':'models/demo-router','displayName':'Demo, routed','inputTokenLimit':128000,"
	          "'outputTokenLimit':8192,'supportedGenerationMethods':['generateContent']}]}",
};
