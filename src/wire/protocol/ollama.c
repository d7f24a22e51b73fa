/* Ollama native: one object a line, of /api/chat or /api/generate; the last one says `done` (wire.md 10). */
#include "wire/protocol/ollama.h"

#include "wire/decode.h"

/* Calls come whole. */
static void take_calls(struct decoder *d, const struct json *calls)
{
	struct buf scratch;

	buf_init(&scratch, BUF_LIMIT_DEFAULT);
	for (size_t i = 0; i < json_length(calls); i++) {
		const struct json *call = json_at(calls, i);
		const struct json *function = json_get(call, "function");

		if (json_kind(function) != JSON_OBJECT)
			continue;
		unsigned index = guard_tool_begin(d->guard, decode_id(call, "id", &scratch), json_get_text(function, "name"));
		guard_tool_arguments(d->guard, index, decode_arguments(json_get(function, "arguments"), &scratch));
		guard_tool_end(d->guard, index);
	}
	buf_fini(&scratch);
}

const struct usage_member ollama_usage[] = {
	{ "prompt_eval_count", .figure = USAGE_PROMPT },
	{ "eval_count", .figure = USAGE_COMPLETION },
	{ 0 },
};

static bool take_answer(struct decoder *d, const struct json *value)
{
	const struct json *message = json_get(value, "message");
	const struct json *generated = json_get(value, "response");
	bool done = false, has_done = json_flag(json_get(value, "done"), &done);

	if (json_kind(message) != JSON_OBJECT && json_kind(generated) != JSON_STRING && !has_done)
		return false;
	guard_identity(d->guard, STR_NONE, json_get_text(value, "model"));
	guard_reasoning(d->guard, GUARD_UNNUMBERED, json_raw_text(json_get(message, "thinking")));
	guard_reasoning(d->guard, GUARD_UNNUMBERED, json_raw_text(json_get(value, "thinking")));
	guard_text(d->guard, GUARD_UNNUMBERED, json_raw_text(json_get(message, "content")));
	guard_text(d->guard, GUARD_UNNUMBERED, json_raw_text(generated));
	take_calls(d, json_get(message, "tool_calls"));
	decode_usage(d, value, ollama_usage);
	guard_finish(d->guard, json_get_text(value, "done_reason"));
	return true;
}

static void ollama_decode(struct decoder *d, const struct message *m)
{
	bool failed = decode_has_error(m);
	bool answer = take_answer(d, m->value);
	bool done = false;

	d->understood = d->understood || answer || failed;
	json_flag(json_get(m->value, "done"), &done);
	if (failed)
		decode_error(d, m);
	else if (done)
		guard_done(d->guard);
}

const struct protocol protocol_ollama = {
	.name = "ollama",
	.decode = ollama_decode,
	.path = "/api/chat",
	.version_segment = "/api",
	.models_path = "/api/tags",
	.build = ollama_build,
	.read_models = ollama_read_models,
};
