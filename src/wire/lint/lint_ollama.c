/* Rules of Ollama's own protocol. */
#include "wire/lint/lint_inside.h"

#include <string.h>

#include "base/timestamp.h"
#include "wire/decode.h"

void lint_ollama_value(struct lint *l)
{
	struct lint_ollama *o = &l->ollama;
	const struct json *value = l->message->value;

	if (decode_has_error(l->message)) {
		lint_take_error(l, json_get(value, "error"), false);
		return;
	}
	o->message = json_get(value, "message");
	if (!json_flag(json_get(value, "done"), &o->is_done))
		o->is_done = false;
	lint_run(l, o->done ? LINT_ON_LATE : LINT_ON_EVENT);
	o->lines++;
	o->done |= o->is_done;
}

static void check_ollama_lines(struct lint *l)
{
	struct str raw = l->message->raw;
	bool asked = !l->request.known || l->request.stream;

	if (!l->ollama.lines && l->first && l->first != '{')
		lint_report(l, "the body is no sequence of JSON lines");
	else if (asked && raw.len && memchr(raw.ptr, '\n', raw.len))
		lint_report(l, "an object stands in several lines");
}

static void check_ollama_types(struct lint *l)
{
	const struct json *value = l->message->value, *calls = json_get(l->ollama.message, "tool_calls");

	lint_check_shape(l, LINT_WRONG_KIND, "a line", value,
	                 "model:s created_at:s message:o response:s thinking:s done_reason:s total_duration:c load_duration:c prompt_eval_count:c "
	                 "prompt_eval_duration:c eval_count:c eval_duration:c context:a");
	lint_check_shape(l, LINT_WRONG_KIND, "the message", l->ollama.message, "role:s content:s thinking:s tool_calls:a images:a");
	lint_check_shapes(l, LINT_WRONG_KIND, "an element of tool_calls", calls, "id:s function:o");
	for (size_t i = 0; i < json_length(calls); i++)
		lint_check_shape(l, LINT_WRONG_KIND, "a call", json_get(json_at(calls, i), "function"), "name:s index:c");
}

static void check_ollama_streamed(struct lint *l)
{
	bool whole = l->ollama.is_done && !l->ollama.lines && json_get_text(l->ollama.message, "content").len;

	if (whole && (!l->request.known || l->request.stream))
		lint_report(l, "the first line is the whole answer");
}

static void check_ollama_members(struct lint *l)
{
	const struct json *value = l->message->value;
	int64_t time;
	bool flag;

	if (!json_flag(json_get(value, "done"), &flag))
		lint_report(l, "done is absent or not a boolean");
	else if (!json_get_text(value, "model").len)
		lint_report(l, "model is absent");
	else if (!json_get_text(value, "created_at").len)
		lint_report(l, "created_at is absent");
	else if (!timestamp_read(json_get_text(value, "created_at"), &time))
		lint_report(l, "created_at is no time: %s", lint_quote(json_get_text(value, "created_at")).text);
}

/* /api/generate has `response` instead. */
static void check_ollama_message(struct lint *l)
{
	if (json_kind(l->ollama.message) != JSON_OBJECT && json_kind(json_get(l->message->value, "response")) != JSON_STRING)
		lint_report(l, "a line has neither message nor response");
	lint_check_shape(l, LINT_LACKING, "the message", l->ollama.message, l->ollama.message ? "content:s!" : NULL);
}

static void check_ollama_role(struct lint *l)
{
	if (l->ollama.message && !str_is(json_get_text(l->ollama.message, "role"), "assistant"))
		lint_report(l, "the role of a message is not assistant");
}

static void check_ollama_arguments(struct lint *l)
{
	const struct json *calls = json_get(l->ollama.message, "tool_calls");

	for (size_t i = 0; i < json_length(calls); i++) {
		const struct json *function = json_get(json_at(calls, i), "function");

		if (!json_get_text(function, "name").len)
			lint_report(l, "a call has no name");
		if (json_kind(json_get(function, "arguments")) != JSON_OBJECT)
			lint_report(l, "the arguments of a call are %s", lint_kind(json_get(function, "arguments")));
	}
}

static void check_ollama_counts(struct lint *l)
{
	if (l->ollama.is_done && l->content && decode_count(l->message->value, "eval_count") < 0)
		lint_report(l, "the last line has no eval_count");
	if (l->ollama.is_done && l->content && decode_count(l->message->value, "total_duration") < 0)
		lint_report(l, "the last line has no total_duration");
}

static void check_ollama_late(struct lint *l)
{
	if (l->ollama.done)
		lint_report(l, "a line came after done: true");
}

static void check_ollama_error(struct lint *l)
{
	const struct json *error = json_get(l->error.value, "error");

	if (json_kind(error) != JSON_STRING)
		lint_report(l, "the error is %s", error ? lint_kind(error) : "absent");
}

static const struct lint_rule rows[] = {
#include "lint_ollama.inc"
};

const struct lint_group lint_group_ollama = { rows, ARRAY_LEN(rows) };
