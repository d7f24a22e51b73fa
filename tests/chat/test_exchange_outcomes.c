/*
 * Every outcome, for every way a stream can end. What arrived is kept, and errors are reported. End marks decide, not how the connection
 * ended. A body that is not a stream is understood, or shown as it is.
 */
#include "chat/exchange/exchange.h"

#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "chat/exchange/answer.h"
#include "support/check.h"
#include "talk.h"

/* In bodies ' stands for ". */
#define CHAT(delta) "data: {'choices':[{'index':0,'delta':" delta "}]}\n\n"
#define CHAT_FINISH(word) "data: {'choices':[{'index':0,'delta':{},'finish_reason':'" word "'}]}\n\n"
#define CHAT_TEXT CHAT("{'content':'Hello'}")
#define CHAT_CALL CHAT("{'tool_calls':[{'index':0,'id':'c1','function':{'name':'f','arguments':'{}'}}]}")
#define DONE "data: [DONE]\n\n"
#define ANTHROPIC(event) "data: " event "\n\n"
#define ANTHROPIC_TEXT ANTHROPIC("{'type':'message_start','message':{'id':'a','model':'m'}}") \
	ANTHROPIC("{'type':'content_block_delta','index':0,'delta':{'type':'text_delta','text':'Hello'}}")
#define ANTHROPIC_FINISH(word) ANTHROPIC("{'type':'message_delta','delta':{'stop_reason':'" word "'}}")
#define ANTHROPIC_STOP ANTHROPIC("{'type':'message_stop'}")
#define GEMINI(finish) "data: {'candidates':[{'content':{'parts':[{'text':'Hello'}]}" finish "}]}\r\n\r\n"
#define ITEM "data: {'type':'response.output_text.delta','output_index':0,'delta':'Hello'}\n\n"
#define RESPONSE(type, rest) "data: {'type':'response." type "','response':{'output':[]," rest "}}\n\n"
#define OLLAMA(rest) "{'message':{'role':'assistant','content':'Hello'},'done':false}\n" rest

static const struct ending {
	const struct protocol *protocol;
	const char *body, *how;
	enum outcome outcome;
	const char *text, *says;      /* `text` is kept; `says` is found in the error, NULL: no error */
} endings[] = {
	{ &protocol_openai_chat, CHAT_TEXT CHAT_FINISH("stop") DONE, "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT CHAT_FINISH("stop") DONE, "cut", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT DONE, "cut", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT CHAT_FINISH("stop"), "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT CHAT_FINISH("stop"), "cut", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT CHAT_FINISH("stop"), "stalled", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_FINISH("stop") CHAT_TEXT DONE, "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT, "closed", OUTCOME_CUT, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT, "cut", OUTCOME_CUT, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT, "stalled", OUTCOME_STALLED, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT "data: {'choices':[{'index':0,'del", "cut", OUTCOME_CUT, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_CALL CHAT_FINISH("tool_calls") DONE, "closed", OUTCOME_TOOL_CALLS, "", NULL },
	{ &protocol_openai_chat, CHAT_CALL CHAT_FINISH("stop") DONE, "closed", OUTCOME_TOOL_CALLS, "", NULL },
	{ &protocol_openai_chat, CHAT_TEXT CHAT_FINISH("length") DONE, "closed", OUTCOME_LENGTH, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT CHAT_FINISH("content_filter") DONE, "closed", OUTCOME_FILTERED, "Hello", NULL },
	{ &protocol_openai_chat, CHAT_TEXT "data: {'error':{'message':'Out of order.'}}\n\n", "closed", OUTCOME_ERROR, "Hello", "Out of order." },
	{ &protocol_openai_chat, CHAT_TEXT "data: {'error':{'message':'Out of order.'}}\n\n", "cut", OUTCOME_ERROR, "Hello", "Out of order." },
	{ &protocol_openai_chat, CHAT_TEXT "event: error\ndata: {'error':{'message':'Out of order.'}}\n\n", "stalled", OUTCOME_ERROR, "Hello", "Out of order." },
	{ &protocol_openai_chat, "error: {'code':400,'message':'Bad input.'}\n\n" DONE, "closed", OUTCOME_ERROR, "", "Bad input." },
	{ &protocol_openai_chat, "{'choices':[{'index':0,'message':{'role':'assistant','content':'Hello'},'finish_reason':'stop'}]}", "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_chat, "{'error':{'message':'No credit.','code':402}}", "closed", OUTCOME_ERROR, "", "No credit." },
	{ &protocol_openai_chat, "<html><title>Blocked</title><body>Blocked</body></html>", "closed", OUTCOME_ERROR, "", "a web page" },
	{ &protocol_openai_chat, "upstream connect error or disconnect", "closed", OUTCOME_ERROR, "", "upstream connect error" },
	{ &protocol_openai_chat, "", "closed", OUTCOME_CUT, "", NULL },
	{ &protocol_openai_chat, ": OPENROUTER PROCESSING\n\n\n", "closed", OUTCOME_CUT, "", NULL },

	{ &protocol_anthropic, ANTHROPIC_TEXT ANTHROPIC_FINISH("end_turn") ANTHROPIC_STOP, "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT ANTHROPIC_FINISH("end_turn") ANTHROPIC_STOP, "cut", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT ANTHROPIC_FINISH("end_turn") ANTHROPIC_STOP, "stalled", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT ANTHROPIC_FINISH("end_turn"), "cut", OUTCOME_CUT, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT ANTHROPIC_FINISH("end_turn"), "stalled", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT, "closed", OUTCOME_CUT, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT, "stalled", OUTCOME_STALLED, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT ANTHROPIC_FINISH("max_tokens") ANTHROPIC_STOP, "closed", OUTCOME_LENGTH, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT ANTHROPIC_FINISH("pause_turn") ANTHROPIC_STOP, "closed", OUTCOME_PAUSED, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT ANTHROPIC_FINISH("refusal") ANTHROPIC_STOP, "closed", OUTCOME_FILTERED, "Hello", NULL },
	{ &protocol_anthropic, ANTHROPIC_TEXT ANTHROPIC("{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}"), "cut", OUTCOME_ERROR, "Hello", "Overloaded" },
	{ &protocol_anthropic, "{'type':'message','role':'assistant','content':[{'type':'text','text':'Hello'}],'stop_reason':'end_turn'}", "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_anthropic, "{'type':'error','error':{'type':'api_error','message':'Sorry'}}", "closed", OUTCOME_ERROR, "", "Sorry" },
	{ &protocol_anthropic, "<!DOCTYPE html><html>Sign in</html>", "closed", OUTCOME_ERROR, "", "a web page" },

	{ &protocol_gemini, GEMINI(",'finishReason':'STOP'"), "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_gemini, GEMINI(",'finishReason':'STOP'"), "cut", OUTCOME_CUT, "Hello", NULL },
	{ &protocol_gemini, GEMINI(""), "closed", OUTCOME_CUT, "Hello", NULL },
	{ &protocol_gemini, GEMINI(""), "stalled", OUTCOME_STALLED, "Hello", NULL },
	{ &protocol_gemini, GEMINI(",'finishReason':'MAX_TOKENS'"), "closed", OUTCOME_LENGTH, "Hello", NULL },
	{ &protocol_gemini, GEMINI(",'finishReason':'SAFETY'"), "closed", OUTCOME_FILTERED, "Hello", NULL },
	{ &protocol_gemini, "data: {'promptFeedback':{'blockReason':'SAFETY'}}\r\n\r\n", "closed", OUTCOME_FILTERED, "", NULL },
	{ &protocol_gemini, GEMINI("") "{\n  'error': {\n    'code': 503,\n    'message': 'Unavailable'\n  }\n}\n", "closed", OUTCOME_ERROR, "Hello", "Unavailable" },
	{ &protocol_gemini, "[{'candidates':[{'content':{'parts':[{'text':'Hello'}]},'finishReason':'STOP'}]}]", "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_gemini, "[{'candidates':[{'content':{'parts':[{'text':'Hello'}]}}]},\n", "cut", OUTCOME_CUT, "Hello", NULL },

	{ &protocol_openai_responses, ITEM RESPONSE("completed", "'status':'completed'"), "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_responses, ITEM RESPONSE("completed", "'status':'completed'"), "cut", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_openai_responses, ITEM, "closed", OUTCOME_CUT, "Hello", NULL },
	{ &protocol_openai_responses, ITEM, "stalled", OUTCOME_STALLED, "Hello", NULL },
	{ &protocol_openai_responses, ITEM RESPONSE("incomplete", "'status':'incomplete','incomplete_details':{'reason':'max_output_tokens'}"), "closed", OUTCOME_LENGTH, "Hello", NULL },
	{ &protocol_openai_responses, ITEM RESPONSE("incomplete", "'status':'incomplete','incomplete_details':{'reason':'content_filter'}"), "closed", OUTCOME_FILTERED, "Hello", NULL },
	{ &protocol_openai_responses, ITEM RESPONSE("failed", "'status':'failed','error':{'code':'server_error','message':'Broken'}"), "closed", OUTCOME_ERROR, "Hello", "Broken" },
	{ &protocol_openai_responses, ITEM "data: {'type':'error','message':'Flat','code':'x'}\n\n", "cut", OUTCOME_ERROR, "Hello", "Flat" },

	{ &protocol_ollama, OLLAMA("{'message':{'content':''},'done':true,'done_reason':'stop'}\n"), "closed", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_ollama, OLLAMA("{'message':{'content':''},'done':true,'done_reason':'stop'}\n"), "cut", OUTCOME_COMPLETE, "Hello", NULL },
	{ &protocol_ollama, OLLAMA("{'message':{'content':''},'done':true,'done_reason':'length'}\n"), "closed", OUTCOME_LENGTH, "Hello", NULL },
	{ &protocol_ollama, OLLAMA(""), "closed", OUTCOME_CUT, "Hello", NULL },
	{ &protocol_ollama, OLLAMA(""), "stalled", OUTCOME_STALLED, "Hello", NULL },
	{ &protocol_ollama, OLLAMA("{'error':'model crashed'}\n"), "closed", OUTCOME_ERROR, "Hello", "model crashed" },
	{ &protocol_ollama, "404 page not found", "closed", OUTCOME_ERROR, "", "404 page not found" },
};
#define ENDINGS (sizeof endings / sizeof endings[0])

static struct talk talk;

/* Serves a tape of one read with this end. */
static void serve_body(const char *body, const char *how)
{
	struct json_writer w;
	struct buf tape = { 0 };
	char *quoted = mem_dup_z(body);

	for (char *c = quoted; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	buf_add_z(&tape, "{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n");
	json_writer_init(&w, &tape);
	json_open_object(&w);
	json_member_string(&w, "body", str_from(quoted));
	json_close_object(&w);
	buf_printf(&tape, "\n{\"t\":1,\"end\":\"%s\"}\n", how);
	talk_answer(&talk, buf_z(&tape));
	buf_fini(&tape);
	mem_free(quoted);
}

static void check_ending(size_t i, enum outcome outcome, const char *text)
{
	struct str kept = summary_text(talk.summary);

	CHECK(summary_outcome(talk.summary) == outcome, "case %zu: %s, not %s:\n%s", i, outcome_name(summary_outcome(talk.summary)),
	      outcome_name(outcome), buf_z(&talk.events));
	CHECK(str_is(kept, text), "case %zu: %.*s", i, STR_ARG(kept));
}

static void every_ending_has_its_outcome(void)
{
	for (size_t i = 0; i < ENDINGS; i++) {
		const struct ending *e = &endings[i];
		struct request request = talk_request();

		talk_init(&talk);
		struct exchange_options options = talk_options(&talk, e->protocol, &request);
		serve_body(e->body, e->how);
		talk_run(&talk, &options);
		check_ending(i, e->outcome, e->text);
		CHECK(!summary_error(talk.summary) == !e->says, "case %zu: %s", i, buf_z(&talk.events));
		if (e->says && summary_error(talk.summary))
			CHECK(str_has_nocase(summary_error(talk.summary)->message, str_from(e->says)), "case %zu: %.*s", i,
			      STR_ARG(summary_error(talk.summary)->message));
		talk_fini(&talk);
	}
}

/* The user stops during text or during silence: there is one end, and the text is kept. */
static void a_stop_is_cancelled_wherever_it_comes(void)
{
	for (size_t i = 0; i < ENDINGS; i++) {
		struct request request = talk_request();
		enum outcome outcome;

		talk_init(&talk);
		struct exchange_options options = talk_options(&talk, endings[i].protocol, &request);
		serve_body(endings[i].body, "stalled");
		talk.cancel_at = "text";
		talk_start(&talk, &options);
		talk_settle(&talk);
		exchange_cancel(talk.exchange, clock_now_ms());
		outcome = summary_outcome(talk.summary);
		CHECK(talk.ends == 1 && (outcome == OUTCOME_CANCELLED || outcome == endings[i].outcome), "case %zu: %s", i, outcome_name(outcome));
		if (*endings[i].text)
			CHECK_STR(summary_text(talk.summary), endings[i].text);
		talk_fini(&talk);
	}
}

/* --- a body without end --- */

static void take(void *ctx, const struct delta *delta)
{
	summary_delta(ctx, delta);
}

static void a_body_has_a_ceiling(void)
{
	struct summary *summary = summary_new();
	struct answer a;

	answer_init(&a, &(struct stream_options){ .protocol = &protocol_openai_chat }, true, take, summary);
	a.bytes_most = 3 << 20;
	answer_head(&a, &(struct response_head){ .status = 200 }, 0);
	answer_body(&a, STR("data: {\"choices\":[{\"delta\":{\"content\":\"kept\"}}]}\n\n"), 1);
	for (int i = 0; i < 4096 && !a.ended; i++) {
		char comments[1024];

		memset(comments, '\n', sizeof comments);
		answer_body(&a, str_of(comments, sizeof comments), 2);
	}
	CU_ASSERT_TRUE(a.ended);
	CU_ASSERT_EQUAL(summary_outcome(summary), OUTCOME_ERROR);
	CHECK_STR(summary_text(summary), "kept");
	CHECK_STR(summary_error(summary)->message, "The server sent more than 3 MB; the rest was not read.");
	answer_fini(&a);
	summary_free(summary);
}

const struct suite suite_exchange_outcomes = { "exchange_outcomes", (const struct test[]){
	TEST(every_ending_has_its_outcome),
	TEST(a_stop_is_cancelled_wherever_it_comes),
	TEST(a_body_has_a_ceiling),
	{ 0 },
} };
