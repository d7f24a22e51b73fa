/* Rules of the chunks of openai-chat: their members, choices, finish reasons, usage, errors and end. */
#include "wire/lint/lint_inside.h"

#include "wire/decode.h"

/* --- members of a chunk --- */

static void check_chunk(struct lint *l)
{
	lint_report(l, "a frame is no chunk: %s", lint_quote(l->message->raw).text);
}

/* Says what came in the place of a text: "absent", "null", "empty", "a number". */
static const char *found(const struct lint_member *member)
{
	if (!member->present)
		return "absent";
	return json_kind(member->value) == JSON_STRING ? "empty" : lint_kind(member->value);
}

static void check_object(struct lint *l)
{
	const struct lint_member *object = &l->chat.chunk[LINT_CHUNK_OBJECT];
	struct str name = json_text(object->value);

	if (l->chat.answer || str_is(name, "chat.completion.chunk"))
		return;
	if (name.len)
		lint_report(l, "object is %s", lint_quote(name).text);
	else
		lint_report(l, "object is %s", found(object));
}

/* A recording may have all times removed, so 0 is only reported beside other times. */
static void check_created(struct lint *l)
{
	const struct lint_chat *c = &l->chat;
	const struct lint_member *created = &c->chunk[LINT_CHUNK_CREATED];
	int64_t time;

	if (created->value && !json_count(created->value, &time))
		lint_report(l, "created is %s", json_kind(created->value) == JSON_NUMBER ? "no whole number of seconds" : lint_kind(created->value));
	else if (!created->value)
		lint_report(l, "created is %s", created->present ? "null" : "absent");
	else if (time ? c->created_zero.frame && !c->created : c->created)
		lint_report_at(l, time ? &c->created_zero : &l->place, "created is 0");
}

static void check_text(struct lint *l, const char *name, const struct lint_member *member)
{
	if (!json_text(member->value).len)
		lint_report(l, "%s is %s", name, found(member));
}

/* What is sent with each chunk stays what it was in the first one. */
static void check_same(struct lint *l, const char *name, const struct lint_member *member, struct lint_print before)
{
	struct str text = json_text(member->value);

	if (lint_print_differs(before, text))
		lint_report(l, "the %s is another one: %s", name, lint_quote(text).text);
}

static void check_id(struct lint *l) { check_text(l, "id", &l->chat.chunk[LINT_CHUNK_ID]); }
static void check_id_changes(struct lint *l) { check_same(l, "id", &l->chat.chunk[LINT_CHUNK_ID], l->chat.id); }
static void check_model(struct lint *l) { check_text(l, "model", &l->chat.chunk[LINT_CHUNK_MODEL]); }

static void check_choices(struct lint *l)
{
	const struct lint_member *choices = &l->chat.chunk[LINT_CHUNK_CHOICES];

	if (json_kind(choices->value) != JSON_ARRAY)
		lint_report(l, "choices is %s", choices->present ? lint_kind(choices->value) : "absent");
}

static void check_choices_empty(struct lint *l)
{
	const struct lint_chat *c = &l->chat;
	bool is_moderation = json_get(l->message->value, "moderation"); /* OpenAI's own, which is documented so */

	if (json_kind(c->chunk[LINT_CHUNK_CHOICES].value) == JSON_ARRAY && !c->choices && !c->chunk[LINT_CHUNK_USAGE].value && !is_moderation)
		lint_report(l, "choices is empty in a chunk without usage");
}

/* The types of what other rules do not look at. */
static void check_delta_types(struct lint *l, const struct json *delta)
{
	const struct json *calls = json_get(delta, "tool_calls");

	lint_check_shape(l, LINT_WRONG_KIND, "a delta", delta, "refusal:s reasoning_content:s reasoning:s reasoning_details:a tool_calls:a "
	                 "function_call:o annotations:a audio:o images:a");
	lint_check_shapes(l, LINT_WRONG_KIND, "an element of tool_calls", calls, "type:s");
	for (size_t i = 0; i < json_length(calls); i++)
		lint_check_shape(l, LINT_WRONG_KIND, "a call", json_get(json_at(calls, i), "function"), "name:s");
}

static void check_types(struct lint *l)
{
	const struct json *choices = l->chat.chunk[LINT_CHUNK_CHOICES].value;

	lint_check_shape(l, LINT_WRONG_KIND, "a chunk", l->message->value, "system_fingerprint:s service_tier:s obfuscation:s usage:o");
	lint_check_shapes(l, LINT_WRONG_KIND, "an element of choices", choices, "logprobs:o message:o");
	for (size_t i = 0; i < json_length(choices); i++) {
		check_delta_types(l, json_get(json_at(choices, i), "delta"));
		check_delta_types(l, json_get(json_at(choices, i), "message"));
	}
	const struct json *usage = l->chat.chunk[LINT_CHUNK_USAGE].value;
	lint_check_shape(l, LINT_WRONG_KIND, "usage", usage, "prompt_tokens_details:o completion_tokens_details:o");
	lint_check_shape(l, LINT_WRONG_KIND, "prompt_tokens_details", json_get(usage, "prompt_tokens_details"),
	                 "audio_tokens:c cache_write_tokens:c");
	lint_check_shape(l, LINT_WRONG_KIND, "completion_tokens_details", json_get(usage, "completion_tokens_details"),
	                 "audio_tokens:c accepted_prediction_tokens:c rejected_prediction_tokens:c");
}

static void check_choice_twice(struct lint *l)
{
	const struct json *choices = l->chat.chunk[LINT_CHUNK_CHOICES].value;
	struct lint_set seen = { 0 };

	for (size_t i = 0; i < json_length(choices); i++) {
		int64_t index = decode_index(json_get(json_at(choices, i), "index"));

		index = index < 0 ? 0 : index;
		if (lint_set_has(&seen, index))
			lint_report(l, "a chunk has two elements for the choice %lld", (long long)index);
		lint_set_add(&seen, index);
	}
}

static void check_event_name(struct lint *l)
{
	if (l->message->event.len && !str_is(l->message->event, "error"))
		lint_report(l, "the event has a name: %s", lint_quote(l->message->event).text);
}

static void check_not_streamed(struct lint *l)
{
	if (l->chat.answer && (!l->request.known || l->request.stream))
		lint_report(l, "a whole answer came instead of chunks");
}

static void check_streamed_unasked(struct lint *l)
{
	if (!l->chat.answer && !l->chat.chunks && l->request.known && !l->request.stream)
		lint_report(l, "a stream came, and the request did not ask for one");
}

/* --- choices --- */

static void check_choice_index(struct lint *l)
{
	const struct lint_member *index = &l->chat.choice[LINT_CHOICE_INDEX];
	int64_t count;

	if (!json_count(index->value, &count))
		lint_report(l, "the index of a choice is %s", index->present ? lint_kind(index->value) : "absent");
}

static void check_delta(struct lint *l)
{
	const struct lint_member *delta = &l->chat.choice[LINT_CHOICE_DELTA];

	if (!l->chat.answer && json_kind(delta->value) != JSON_OBJECT)
		lint_report(l, "delta is %s", delta->present ? lint_kind(delta->value) : "absent");
}

static void check_message_beside(struct lint *l)
{
	if (l->chat.choice[LINT_CHOICE_MESSAGE].value && l->chat.choice[LINT_CHOICE_DELTA].value)
		lint_report(l, "a choice has message beside delta");
}

static void check_content_type_of(struct lint *l)
{
	const struct json *content = l->chat.delta[LINT_DELTA_CONTENT].value;

	if (content && json_kind(content) != JSON_STRING)
		lint_report(l, "content is %s", lint_kind(content));
}

static bool is_first_of_choice(const struct lint *l)
{
	return !lint_set_has(&l->choices.seen, l->choices.index) && l->choices.index < LINT_SET_MOST;
}

static void check_role_first(struct lint *l)
{
	if (is_first_of_choice(l) && json_kind(l->chat.choice[LINT_CHOICE_DELTA].value) == JSON_OBJECT && !l->chat.delta[LINT_DELTA_ROLE].present)
		lint_report(l, "the first delta has no role");
}

static void check_role_once(struct lint *l)
{
	if (!is_first_of_choice(l) && json_text(l->chat.delta[LINT_DELTA_ROLE].value).len && lint_set_has(&l->chat.roles, l->choices.index))
		lint_report(l, "a later delta has a role too");
}

static void check_role_value(struct lint *l)
{
	const struct lint_member *role = &l->chat.delta[LINT_DELTA_ROLE];
	struct str word = json_text(role->value);

	if (role->present && word.len && !str_is(word, "assistant"))
		lint_report(l, "the role is %s", lint_quote(word).text);
	else if (role->present && !word.len)
		lint_report(l, "the role is %s", found(role));
}

static void check_tool_calls_empty(struct lint *l)
{
	const struct lint_member *calls = &l->chat.delta[LINT_DELTA_TOOL_CALLS];

	if (calls->present && (!calls->value || json_kind(calls->value) == JSON_ARRAY) && !json_length(calls->value))
		lint_report(l, "tool_calls is %s", calls->value ? "empty" : "null");
}

static void check_function_call(struct lint *l)
{
	if (json_kind(l->chat.delta[LINT_DELTA_FUNCTION_CALL].value) == JSON_OBJECT)
		lint_report(l, "a call came as function_call");
}

static void check_reasoning_mirrored(struct lint *l)
{
	const struct lint_member *delta = l->chat.delta;
	int fields = (json_text(delta[LINT_DELTA_REASONING_CONTENT].value).len > 0) +
	                (json_text(delta[LINT_DELTA_REASONING].value).len > 0) +
	                (json_length(delta[LINT_DELTA_REASONING_DETAILS].value) > 0);

	if (fields > 1)
		lint_report(l, "a delta has reasoning in %d fields", fields);
}

static void check_reasoning_as_content(struct lint *l)
{
	struct str content = json_text(l->chat.delta[LINT_DELTA_CONTENT].value);

	if (content.len && str_equal(content, json_text(l->chat.delta[LINT_DELTA_REASONING_CONTENT].value)))
		lint_report(l, "content and reasoning_content are the same text");
}

static void check_reasoning_field(struct lint *l)
{
	static const struct { enum lint_delta_key key; const char *name; } fields[] = {
		{ LINT_DELTA_THINKING, "thinking" }, { LINT_DELTA_REASONING_TEXT, "reasoning_text" }, { LINT_DELTA_BLOCKS, "content_blocks" },
	};

	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (l->chat.delta[fields[i].key].value)
			lint_report(l, "reasoning came in %s", fields[i].name);
}

static void check_think_tag(struct lint *l)
{
	struct str content = json_text(l->chat.delta[LINT_DELTA_CONTENT].value), end = STR("</think>");

	if (l->chat.think && !l->chat.think_told)
		lint_report(l, "the text begins with <think>");
	else if (!l->chat.think && !l->chat.opener && content.len >= end.len && str_find(content, end) < content.len)
		lint_report(l, "the text has </think> without <think>");
}

/* --- finish reasons --- */

static void check_finish_key(struct lint *l)
{
	if (!l->chat.choice[LINT_CHOICE_FINISH].present)
		lint_report(l, "finish_reason is absent");
}

static void check_finish_empty(struct lint *l)
{
	const struct json *finish = l->chat.choice[LINT_CHOICE_FINISH].value;

	if (finish && !l->chat.finish.len)
		lint_report(l, "finish_reason is %s", json_kind(finish) == JSON_STRING ? "empty" : lint_kind(finish));
}

static void check_finish_word(struct lint *l)
{
	lint_check_word(l, "finish_reason", l->chat.finish, "stop length tool_calls content_filter function_call");
}

static void check_finish(struct lint *l)
{
	if (!l->chat.finishes && l->chat.chunks && (l->outcome == OUTCOME_COMPLETE || l->outcome == OUTCOME_TOOL_CALLS))
		lint_report(l, "the answer ends without a finish reason");
}

static void check_finish_twice(struct lint *l)
{
	if (l->chat.finish.len && lint_set_has(&l->choices.finished, l->choices.index))
		lint_report(l, "a second chunk has a finish reason: %s", lint_quote(l->chat.finish).text);
}

static void check_finish_with_text(struct lint *l)
{
	const struct lint_chat *c = &l->chat;

	if (!c->answer && c->finish.len && (c->has_text || c->has_reasoning || c->has_call))
		lint_report(l, "the chunk with the finish reason has content");
}

static void check_after_finish(struct lint *l)
{
	const struct lint_chat *c = &l->chat;

	if (lint_set_has(&l->choices.finished, l->choices.index) && (c->has_text || c->has_reasoning || c->has_call))
		lint_report(l, "content came after the finish reason");
}

static void check_finish_stop(struct lint *l)
{
	if (l->outcome == OUTCOME_TOOL_CALLS && l->chat.finish_place.frame && !l->chat.finish_calls)
		lint_report_at(l, &l->chat.finish_place, "the finish reason is not tool_calls, and there are calls");
}

static void check_finish_calls(struct lint *l)
{
	if (l->chat.finish_calls && !l->calls)
		lint_report_at(l, &l->chat.finish_place, "the finish reason is tool_calls, and there is no call");
}

/* --- usage --- */

static void check_usage_place(struct lint *l)
{
	if (l->chat.choices && !l->chat.answer && l->usage.object == l->chat.chunk[LINT_CHUNK_USAGE].value)
		lint_report(l, "usage came in a chunk with choices");
}

static void check_usage_member(struct lint *l)
{
	if (l->usage.object != l->chat.chunk[LINT_CHUNK_USAGE].value)
		lint_report(l, "usage came inside %s", l->usage.object == l->chat.choice[LINT_CHOICE_USAGE].value ? "a choice" : "x_groq");
}

static void check_usage_repeated(struct lint *l)
{
	if (l->usages)
		lint_report(l, "usage came again");
}

/* The last one counts: some servers send it with each chunk. */
static void check_usage_early(struct lint *l)
{
	if (l->usages && l->chat.finishes && l->usage_place.frame < l->chat.finish_place.frame)
		lint_report_at(l, &l->usage_place, "usage came before the finish reason");
}

static void check_usage_counts(struct lint *l)
{
	const struct lint_usage *u = &l->usage;

	if (u->not_a_count)
		lint_report(l, "%s is no count", u->not_a_count);
	else if (u->prompt < 0 || u->completion < 0 || u->total < 0)
		lint_report(l, "%s is absent", u->prompt < 0 ? "prompt_tokens" : u->completion < 0 ? "completion_tokens" : "total_tokens");
}

static void check_usage_sum(struct lint *l)
{
	const struct lint_usage *u = &l->usage;

	if (u->prompt >= 0 && u->completion >= 0 && u->total >= 0 && u->prompt <= INT64_MAX / 2 && u->completion <= INT64_MAX / 2 &&
	    u->total != u->prompt + u->completion)
		lint_report(l, "total_tokens is %lld, and %lld + %lld is not", (long long)u->total, (long long)u->prompt, (long long)u->completion);
}

static void check_usage_parts(struct lint *l)
{
	const struct lint_usage *u = &l->usage;

	if (u->cached > u->prompt && u->prompt >= 0)
		lint_report(l, "cached_tokens is %lld of %lld prompt_tokens", (long long)u->cached, (long long)u->prompt);
	else if (u->reasoning > u->completion && u->completion >= 0)
		lint_report(l, "reasoning_tokens is %lld of %lld completion_tokens", (long long)u->reasoning, (long long)u->completion);
}

static void check_usage_zero(struct lint *l)
{
	if (l->usage.zero && l->content)
		lint_report(l, "all figures are zero after content");
}

static void check_usage_asked(struct lint *l)
{
	if (l->request.usage && !l->usages && !l->errors && (l->outcome == OUTCOME_COMPLETE || l->outcome == OUTCOME_TOOL_CALLS))
		lint_report(l, "no usage came, and the request asked for it");
}

/* --- errors and the end --- */

static void check_error_message(struct lint *l)
{
	const struct json *error = l->error.error;

	if (json_kind(error) != JSON_OBJECT)
		lint_report(l, "the error is %s", lint_kind(error));
	else if (error == l->error.value)
		lint_report(l, "the error is not in a member named error");
	else if (!json_get_text(error, "message").len)
		lint_report(l, "the error has no message");
}

static void check_error_empty(struct lint *l)
{
	const struct json *error = l->chat.chunk[LINT_CHUNK_ERROR].value;

	if (error)
		lint_report(l, "a chunk has an error that says nothing: %s", lint_kind(error));
}

static void check_error_code(struct lint *l)
{
	const struct json *code = json_get(l->error.error, "code");

	if (code && json_kind(code) != JSON_STRING)
		lint_report(l, "the code of the error is %s", lint_kind(code));
}

static void check_error_type(struct lint *l)
{
	lint_check_shape(l, LINT_WRONG_KIND, "the error", l->error.error, "type:s param:s");
}

static void check_error_event(struct lint *l)
{
	if (str_is(l->error.event, "error"))
		lint_report(l, "an error came as an event named error");
}

static void check_error_beside(struct lint *l)
{
	if (!l->error.in_body && l->chat.choices)
		lint_report(l, "an error came beside choices");
}

static void check_error_status(struct lint *l)
{
	if (!l->error.in_body && l->values == 1 && (l->first == '{' || l->first == '['))
		lint_report(l, "an error came as a body with status %d", l->status);
}

static void check_no_done(struct lint *l)
{
	bool is_sse = l->first && l->first != '{' && l->first != '[' && l->first != '<';

	if (is_sse && l->how == END_CLOSED && !l->done && !l->errors && l->chat.finishes && !l->chat.answer)
		lint_report(l, "the body ends without data: [DONE]");
}

static void check_done_text(struct lint *l)
{
	if (str_starts(l->frame->data, "[DONE]") && !str_is(l->frame->data, "[DONE]"))
		lint_report(l, "the end mark is [DONE] with something behind it");
}

static void check_done_twice(struct lint *l)
{
	if (l->done)
		lint_report(l, "data: [DONE] came again");
}

static void check_after_done(struct lint *l)
{
	if (l->done)
		lint_report(l, "a frame came after data: [DONE]");
}

static void check_after_error(struct lint *l)
{
	if (l->errors && !l->done)
		lint_report(l, "a frame came after an error");
}

static const struct lint_rule rows[] = {
#include "lint_chunks.inc"
};

const struct lint_group lint_group_chunks = { rows, ARRAY_LEN(rows) };
