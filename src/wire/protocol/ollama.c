/* Ollama: one object a line, from /api/chat or /api/generate; the last one has `done` (src/wire/README.md, "Ollama"). */
#include "wire/protocol/ollama.h"

#include "wire/decode.h"
#include "wire/decode_media.h"

/* The members that are read, in the order in which the server sends them. */
enum line_key { LINE_MODEL, LINE_MESSAGE, LINE_RESPONSE, LINE_THINKING, LINE_DONE, LINE_REASON, LINE_IMAGE, LINE_KEYS };
static const char *const line_keys[LINE_KEYS] = {
	[LINE_MODEL] = "model", [LINE_MESSAGE] = "message", [LINE_RESPONSE] = "response", [LINE_THINKING] = "thinking",
	[LINE_DONE] = "done", [LINE_REASON] = "done_reason", [LINE_IMAGE] = "image",
};

enum message_key { MESSAGE_CONTENT, MESSAGE_THINKING, MESSAGE_CALLS, MESSAGE_IMAGES, MESSAGE_KEYS };
static const char *const message_keys[MESSAGE_KEYS] = {
	[MESSAGE_CONTENT] = "content", [MESSAGE_THINKING] = "thinking", [MESSAGE_CALLS] = "tool_calls", [MESSAGE_IMAGES] = "images",
};

/* Calls arrive whole. */
static void take_calls(struct decoder *d, const struct json *calls)
{
	struct buf scratch = { 0 };

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

static void ollama_take_image(struct decoder *d, const struct json *image)
{
	struct media_reference reference = media_reference_of(image);

	if (json_has_text(image))
		decode_media_item(d->guard, &(struct media_facts){ .kind = MEDIA_IMAGE }, &reference);
}

const struct usage_member ollama_usage[] = {
	{ "prompt_eval_count", .figure = USAGE_PROMPT },
	{ "eval_count", .figure = USAGE_COMPLETION },
	{ 0 },
};

static void ollama_take_answer(struct decoder *d, const struct json *value, const struct json *const *line)
{
	const struct json *message[MESSAGE_KEYS];

	json_take(line[LINE_MESSAGE], message_keys, MESSAGE_KEYS, message);
	guard_identity(d->guard, STR_NONE, json_text(line[LINE_MODEL]));
	guard_reasoning(d->guard, GUARD_UNNUMBERED, json_raw_text(message[MESSAGE_THINKING]));
	guard_reasoning(d->guard, GUARD_UNNUMBERED, json_raw_text(line[LINE_THINKING]));
	guard_text(d->guard, GUARD_UNNUMBERED, json_raw_text(message[MESSAGE_CONTENT]));
	guard_text(d->guard, GUARD_UNNUMBERED, json_raw_text(line[LINE_RESPONSE]));
	for (size_t i = 0; i < json_length(message[MESSAGE_IMAGES]); i++)
		ollama_take_image(d, json_at(message[MESSAGE_IMAGES], i));
	ollama_take_image(d, line[LINE_IMAGE]);
	take_calls(d, message[MESSAGE_CALLS]);
	decode_usage(d, value, ollama_usage);
	guard_finish(d->guard, json_text(line[LINE_REASON]));
}

static void ollama_decode(struct decoder *d, const struct message *m)
{
	const struct json *line[LINE_KEYS];
	bool done = false, failed = decode_has_error(m);

	json_take(m->value, line_keys, LINE_KEYS, line);
	bool has_done = json_flag(line[LINE_DONE], &done);
	bool is_answer = has_done || json_kind(line[LINE_MESSAGE]) == JSON_OBJECT || json_kind(line[LINE_RESPONSE]) == JSON_STRING;
	d->understood = d->understood || is_answer || failed;
	if (is_answer)
		ollama_take_answer(d, m->value, line);
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
