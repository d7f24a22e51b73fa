#include "app/demo/demo_wire.h"

static void ollama_head(struct demo_turn *t)
{
	demo_say(t, "{'model':'%s','created_at':'2026-01-01T00:00:00Z','message':{'role':'assistant','content':", t->model);
}

static void ollama_calls(struct demo_turn *t, unsigned from)
{
	for (unsigned i = from; i < t->call_count; i++) {
		demo_say(t, i > from ? "," : ",'tool_calls':[");
		demo_say(t, "{'id':'call_demo_%u','function':{'index':%u,'name':'%.*s','arguments':", i + 1, i, STR_ARG(t->calls[i]->name));
		buf_add(&t->bytes, t->calls[i]->text);
		demo_say(t, "}}");
	}
	demo_say(t, from < t->call_count ? "]" : "");
}

static void ollama_piece(struct demo_turn *t, struct str piece)
{
	if (t->open == DEMO_CALL)
		return;
	ollama_head(t);
	demo_say(t, t->open == DEMO_REASONING ? "'','thinking':" : "");
	demo_say_text(t, piece);
	demo_say(t, "},'done':false}\n");
}

static void ollama_close(struct demo_turn *t)
{
	if (t->open != DEMO_CALL)
		return;
	ollama_head(t);
	demo_say(t, "''");
	ollama_calls(t, t->call_count - 1);
	demo_say(t, "},'done':false}\n");
}

static void ollama_finish(struct demo_turn *t)
{
	const struct usage *u = &t->script->usage;

	demo_say(t, "},'done':true,'done_reason':'%s','total_duration':2400000000,'prompt_eval_count':%lld,'eval_count':%lld}\n",
	         demo_finish_word(t), (long long)u->of[USAGE_PROMPT].number, (long long)u->of[USAGE_COMPLETION].number);
}

static void ollama_finished(struct demo_turn *t)
{
	ollama_head(t);
	demo_say(t, "''");
	ollama_finish(t);
}

static void ollama_error(struct demo_turn *t, const struct demo_step *error)
{
	demo_say(t, "{'error':");
	demo_say_text(t, error->text);
	demo_say(t, "}\n");
}

static void ollama_whole(struct demo_turn *t)
{
	ollama_head(t);
	demo_say_text(t, buf_str(&t->said[t->said[DEMO_REFUSAL].len ? DEMO_REFUSAL : DEMO_TEXT]));
	demo_say_member(t, "thinking", DEMO_REASONING);
	ollama_calls(t, 0);
	ollama_finish(t);
}

const struct demo_wire demo_wire_ollama = {
	.protocol = "ollama",
	.content_type = "application/x-ndjson",
	.finish = { "stop", "length", "stop", "stop" },
	.begin = demo_say_nothing,
	.open = demo_say_nothing,
	.piece = ollama_piece,
	.close = ollama_close,
	.finished = ollama_finished,
	.error = ollama_error,
	.whole = ollama_whole,
	.error_body = ollama_error,
	.models = "{'models':[{'name':'demo-1','model':'demo-1'},{'name':'demo-thinking','model':'demo-thinking'},"
	          "{'name':'demo-router','model':'demo-router'}]}",
};
