/* OpenAI Responses: events about items, then a terminal event with the whole response (src/wire/README.md, "OpenAI Responses"). */
#include "wire/protocol/openai_responses.h"

#include "wire/decode.h"
#include "wire/protocol/openai_chat.h"
#include "wire/protocol/responses_items.h"

static void responses_fini(void *state)
{
	responses_items_fini(state);
}

static int64_t responses_index(const struct json *event)
{
	return decode_index(json_get(event, "output_index"));
}

/* --- events of text --- */

static const struct text_event {
	const char *type;
	enum responses_text text;
	const char *part, *member;
	bool whole;
} text_events[] = {
	{ "response.output_text.delta", RESPONSES_TEXT, "content_index", "delta", false },
	{ "response.reasoning_summary_text.delta", RESPONSES_SUMMARY, "summary_index", "delta", false },
	{ "response.reasoning_text.delta", RESPONSES_REASONING, "content_index", "delta", false },
	{ "response.refusal.delta", RESPONSES_REFUSAL, "content_index", "delta", false },
	{ "response.output_text.done", RESPONSES_TEXT, "content_index", "text", true },
	{ "response.refusal.done", RESPONSES_REFUSAL, "content_index", "refusal", true },
};

static void responses_take_text(struct decoder *d, const struct text_event *form, const struct json *event)
{
	struct str raw = json_raw_text(json_get(event, form->member));
	int64_t part = decode_index(json_get(event, form->part));

	if (form->whole)
		responses_items_whole_text(d->state, form->text, responses_index(event), part, raw);
	else
		responses_items_text(d->state, form->text, responses_index(event), part, raw);
}

static void on_arguments(struct decoder *d, const struct json *event)
{
	responses_items_arguments(d->state, responses_index(event), json_get(event, "delta"));
}

static void on_arguments_done(struct decoder *d, const struct json *event)
{
	responses_items_whole_arguments(d->state, responses_index(event), event);
}

/* --- events of tools of the server --- */

static const struct input_event {
	const char *type, *item, *member;
	bool whole;
} input_events[] = {
	{ "response.code_interpreter_call_code.delta", "code_interpreter_call", "delta", false },
	{ "response.code_interpreter_call_code.done", "code_interpreter_call", "code", true },
	{ "response.mcp_call_arguments.delta", "mcp_call", "delta", false },
	{ "response.mcp_call_arguments.done", "mcp_call", "arguments", true },
};

static void responses_take_input(struct decoder *d, const struct input_event *form, const struct json *event)
{
	responses_items_input(d->state, responses_index(event), str_from(form->item), json_get_text(event, "item_id"),
	                      json_raw_text(json_get(event, form->member)), form->whole);
}

static void on_command(struct decoder *d, const struct json *event)
{
	responses_items_command(d->state, responses_index(event), decode_index(json_get(event, "command_index")),
	                        json_raw_text(json_get(event, "delta")));
}

static void on_partial_image(struct decoder *d, const struct json *event)
{
	responses_items_partial(d->state, responses_index(event), event);
}

/* response.TYPE.WORD, where TYPE is that of an item: web_search_call, image_generation_call. */
static void responses_take_progress(struct decoder *d, struct str name, const struct json *event)
{
	struct str rest = str_skip(name, STR("response.").len);
	size_t dot = str_find(rest, STR("."));
	struct str type = str_head(rest, dot);

	if (str_starts(name, "response.") && dot < rest.len && str_ends(type, "_call"))
		responses_items_progress(d->state, responses_index(event), type, json_get_text(event, "item_id"), str_skip(rest, dot + 1));
}

/* --- events of items --- */

static void on_annotation(struct decoder *d, const struct json *event)
{
	responses_items_citation(d->state, responses_index(event), decode_count(event, "content_index"), json_get(event, "annotation"));
}

static void on_item_added(struct decoder *d, const struct json *event)
{
	responses_items_added(d->state, responses_index(event), json_get(event, "item"));
}

static void on_item_done(struct decoder *d, const struct json *event)
{
	responses_items_done(d->state, responses_index(event), json_get(event, "item"));
}

/* --- the response --- */

static void responses_on_progress(struct decoder *d, const struct json *event)
{
	const struct json *response = json_get(event, "response");

	guard_identity(d->guard, json_get_text(response, "id"), json_get_text(response, "model"));
}

const struct usage_member openai_responses_usage[] = {
	{ "input_tokens", .figure = USAGE_PROMPT },
	{ "input_tokens_details.cached_tokens", .figure = USAGE_CACHED },
	{ "input_tokens_details.cache_write_tokens", .figure = USAGE_CACHE_WRITE },
	{ "output_tokens", .figure = USAGE_COMPLETION },
	{ "output_tokens_details.reasoning_tokens", .figure = USAGE_REASONING },
	{ "total_tokens", .figure = USAGE_TOTAL },
	{ 0 },
};

static void take_end(struct decoder *d, const struct json *response, struct str word, bool incomplete, bool failed)
{
	struct message whole = { .value = response };
	struct error_report report = { .message = word };

	guard_finish(d->guard, word);
	if (failed && decode_has_error(&whole))
		decode_error(d, &whole);
	else if (failed || (incomplete && outcome_of_finish(word) == OUTCOME_COMPLETE))
		guard_error(d->guard, &report);
	else
		guard_done(d->guard);
}

static void responses_take_response(struct decoder *d, const struct json *response, const char *end)
{
	struct str status = json_get_text(response, "status");
	struct str reason = json_get_text(json_get(response, "incomplete_details"), "reason");
	bool incomplete = str_is(status, "incomplete") || str_is(str_from(end), "incomplete");
	bool failed = str_is(status, "failed") || str_is(str_from(end), "failed");

	guard_identity(d->guard, json_get_text(response, "id"), json_get_text(response, "model"));
	responses_items_output(d->state, json_get(response, "output"));
	responses_items_end_calls(d->state);
	decode_usage(d, json_get(response, "usage"), openai_responses_usage);
	if (!status.len)
		status = str_from(end);
	take_end(d, response, reason.len ? reason : status, incomplete, failed);
}

static void on_completed(struct decoder *d, const struct json *event)
{
	responses_take_response(d, json_get(event, "response"), "completed");
}

static void on_incomplete(struct decoder *d, const struct json *event)
{
	responses_take_response(d, json_get(event, "response"), "incomplete");
}

static void on_failed(struct decoder *d, const struct json *event)
{
	responses_take_response(d, json_get(event, "response"), "failed");
}

static void on_cancelled(struct decoder *d, const struct json *event)
{
	responses_take_response(d, json_get(event, "response"), "cancelled");
}

static const struct event {
	const char *type;
	void (*take)(struct decoder *d, const struct json *event);
} events[] = {
	{ "response.function_call_arguments.delta", on_arguments },
	{ "response.custom_tool_call_input.delta", on_arguments },
	{ "response.function_call_arguments.done", on_arguments_done },
	{ "response.custom_tool_call_input.done", on_arguments_done },
	{ "response.shell_call_command.delta", on_command },
	{ "response.image_generation_call.partial_image", on_partial_image },
	{ "response.output_text.annotation.added", on_annotation },
	{ "response.output_item.added", on_item_added },
	{ "response.output_item.done", on_item_done },
	{ "response.created", responses_on_progress },
	{ "response.queued", responses_on_progress },
	{ "response.in_progress", responses_on_progress },
	{ "response.completed", on_completed },
	{ "response.incomplete", on_incomplete },
	{ "response.failed", on_failed },
	{ "response.cancelled", on_cancelled },
};

static void take_event(struct decoder *d, struct str type, const struct json *event)
{
	const struct text_event *text = DECODE_ROW(text_events, type);
	const struct event *other = text ? NULL : DECODE_ROW(events, type);
	const struct input_event *input = text || other ? NULL : DECODE_ROW(input_events, type);

	if (text)
		responses_take_text(d, text, event);
	else if (other)
		other->take(d, event);
	else if (input)
		responses_take_input(d, input, event);
	else
		responses_take_progress(d, type, event);
}

static void responses_decode(struct decoder *d, const struct message *m)
{
	struct responses_items *items = d->state;
	struct str type = decode_type(m);
	bool failed = decode_has_error(m);
	bool whole = str_is(json_get_text(m->value, "object"), "response");

	items->guard = d->guard;
	d->understood = d->understood || failed || whole || str_starts(type, "response.");
	if (whole) {
		responses_take_response(d, m->value, failed ? "failed" : "completed");
		return;
	}
	take_event(d, type, m->value);
	if (failed) {
		responses_items_end_calls(d->state);
		decode_error(d, m);
	}
}

static void responses_finish(struct decoder *d)
{
	responses_items_end_calls(d->state);
}

const struct protocol protocol_openai_responses = {
	.name = "openai-responses",
	.state_bytes = sizeof(struct responses_items),
	.fini = responses_fini,
	.answers_hold = 1u << MEDIA_IMAGE | PROTOCOL_HOLDS_NAMED, .results_hold_files = true,
	.decode = responses_decode,
	.finish = responses_finish,
	.path = "/responses",
	.models_path = "/models",
	.build = openai_responses_build,
	.read_models = openai_read_models,
};
