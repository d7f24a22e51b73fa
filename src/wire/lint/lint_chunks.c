/* Rules of the chunks of openai-chat: their members, choices, finish reasons, usage, errors and end. */
#include "wire/lint/lint_inside.h"

#define OPENAI "OpenAI API, Chat Completions, streaming: "
#define NOT_RUNTIME (LINT_EVERY & ~(unsigned)LINT_RUNTIME)

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

static void check_id(struct lint *l)
{
	const struct lint_member *id = &l->chat.chunk[LINT_CHUNK_ID];

	if (!json_text(id->value).len)
		lint_report(l, "id is %s", found(id));
}

static void check_id_changes(struct lint *l)
{
	struct str id = json_text(l->chat.chunk[LINT_CHUNK_ID].value);

	if (id.len && l->chat.id.len && !lint_print_equal(lint_print(id), l->chat.id))
		lint_report(l, "the id is another one: %s", lint_quote(id).text);
}

static void check_model(struct lint *l)
{
	const struct lint_member *model = &l->chat.chunk[LINT_CHUNK_MODEL];

	if (!json_text(model->value).len)
		lint_report(l, "model is %s", found(model));
}

static void check_model_changes(struct lint *l)
{
	struct str model = json_text(l->chat.chunk[LINT_CHUNK_MODEL].value);

	if (model.len && l->chat.model.len && !lint_print_equal(lint_print(model), l->chat.model))
		lint_report(l, "the model is another one: %s", lint_quote(model).text);
}

static void check_choices(struct lint *l)
{
	const struct lint_member *choices = &l->chat.chunk[LINT_CHUNK_CHOICES];

	if (json_kind(choices->value) != JSON_ARRAY)
		lint_report(l, "choices is %s", choices->present ? lint_kind(choices->value) : "absent");
}

static void check_choices_empty(struct lint *l)
{
	const struct lint_chat *c = &l->chat;

	if (json_kind(c->chunk[LINT_CHUNK_CHOICES].value) == JSON_ARRAY && !c->choices && !c->chunk[LINT_CHUNK_USAGE].value)
		lint_report(l, "choices is empty in a chunk without usage");
}

static void check_event_name(struct lint *l)
{
	if (l->message->event.len && !str_is(l->message->event, "error"))
		lint_report(l, "the event has a name: %s", lint_quote(l->message->event).text);
}

static void check_streamed(struct lint *l)
{
	if (l->chat.answer && (!l->request.known || l->request.stream))
		lint_report(l, "a whole answer came instead of chunks");
}

static void check_asked_whole(struct lint *l)
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

/* Several choices were asked for, or each has a finish reason of its own. */
static void check_choice_index_rises(struct lint *l)
{
	const struct lint_chat *c = &l->chat;
	size_t indices = lint_set_count(&c->indices);

	if (indices > 1 && !l->request.many && (l->request.known || lint_set_count(&c->finished) < indices) && l->outcome != OUTCOME_CUT)
		lint_report(l, "%zu indices of choices came for one answer", indices);
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

static void check_content_type(struct lint *l)
{
	const struct json *content = l->chat.delta[LINT_DELTA_CONTENT].value;

	if (content && json_kind(content) != JSON_STRING)
		lint_report(l, "content is %s", lint_kind(content));
}

static bool is_first_of_choice(const struct lint *l)
{
	return !lint_set_has(&l->chat.indices, l->chat.choice_index) && l->chat.choice_index < LINT_SET_MOST;
}

static bool has_delta(const struct lint *l)
{
	return json_kind(l->chat.choice[LINT_CHOICE_DELTA].value) == JSON_OBJECT;
}

static void check_role(struct lint *l)
{
	if (is_first_of_choice(l) && has_delta(l) && !l->chat.delta[LINT_DELTA_ROLE].present)
		lint_report(l, "the first delta has no role");
}

static void check_role_repeated(struct lint *l)
{
	if (!is_first_of_choice(l) && json_text(l->chat.delta[LINT_DELTA_ROLE].value).len && lint_set_has(&l->chat.roles, l->chat.choice_index))
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

	if (calls->present && !json_length(calls->value))
		lint_report(l, "tool_calls is %s", calls->value ? json_kind(calls->value) == JSON_ARRAY ? "empty" : lint_kind(calls->value) : "null");
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
	static const char *const words[] = { "stop", "length", "tool_calls", "content_filter", "function_call" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_is(l->chat.finish, words[i]))
			return;
	if (l->chat.finish.len)
		lint_report(l, "finish_reason is %s", lint_quote(l->chat.finish).text);
}

static void check_finish(struct lint *l)
{
	if (!l->chat.finishes && l->chat.chunks && (l->outcome == OUTCOME_COMPLETE || l->outcome == OUTCOME_TOOL_CALLS))
		lint_report(l, "the answer ends without a finish reason");
}

static void check_finish_twice(struct lint *l)
{
	if (l->chat.finish.len && lint_set_has(&l->chat.finished, l->chat.choice_index))
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

	if (lint_set_has(&c->finished, c->choice_index) && (c->has_text || c->has_reasoning || c->has_call))
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

static void check_done(struct lint *l)
{
	bool is_sse = l->first && l->first != '{' && l->first != '[' && l->first != '<';

	if (is_sse && lint_ended_by_server(l) && !l->done && !l->errors && l->chat.finishes && !l->chat.answer)
		lint_report(l, "the body ends without data: [DONE]");
}

static void check_done_text(struct lint *l)
{
	if (str_starts(l->frame->data, "[DONE]") && !str_is(l->frame->data, "[DONE]"))
		lint_report(l, "the end mark is [DONE] with something behind it");
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
	{ "chunk", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_STRANGE, check_chunk,
	  "Each frame is a chunk, an error or the end mark", OPENAI "chunk object; opentoken, Frame format", "clients that read choices[0]" },
	{ "object", LINT_BREAKS_PROMISE, LINT_openai_chat, NOT_RUNTIME & ~(unsigned)LINT_SANSA, LINT_ON_EVENT, check_object,
	  "The object of each chunk is chat.completion.chunk", OPENAI "object", NULL },
	{ "created", LINT_BREAKS_PROMISE, LINT_openai_chat, LINT_EVERY & ~(unsigned)LINT_SANSA, LINT_ON_EVENT, check_created,
	  "Each chunk has the time of its creation in seconds", OPENAI "created", "typed clients, when it is a text: openai-python issue 663" },
	{ "id", LINT_BREAKS_PROMISE, LINT_openai_chat, LINT_EVERY, LINT_ON_EVENT, check_id,
	  "Each chunk has an id, a string", OPENAI "id", NULL },
	{ "id-changes", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_EVENT, check_id_changes,
	  "The id is the same in all chunks", OPENAI "id; aivene, Wire format: stable across all chunks of one response",
	  "clients that join chunks by id: foundry-local issue 221" },
	{ "model", LINT_BREAKS_PROMISE, LINT_openai_chat, NOT_RUNTIME, LINT_ON_EVENT, check_model,
	  "Each chunk names its model", OPENAI "model", NULL },
	{ "model-changes", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_EVENT, check_model_changes,
	  "The model is the same in all chunks", OPENAI "model", NULL },
	{ "choices", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_EVENT, check_choices,
	  "Each chunk has the array choices", OPENAI "choices", "clients that read choices[0]: mentat issue 429" },
	{ "choices-empty", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_EVENT, check_choices_empty,
	  "Only the chunk of the usage has empty choices", OPENAI "choices", "clients that read choices[0]: langchain-azure issue 23" },
	{ "event-name", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_EVENT, check_event_name,
	  "An event has data and no name", "chuizi, SSE Event Format; opentoken, Frame format",
	  "clients of EventSource: they only get events without a name" },
	{ "not-streamed", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_EVENT, check_streamed,
	  "A request with stream true is answered with chunks", "aivene, Enabling streaming",
	  "clients that wait for deltas: hermes-agent issue 21522" },
	{ "streamed-unasked", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_EVENT, check_asked_whole,
	  "A request without stream true is answered with one object", OPENAI "stream", "clients that parse the body as JSON: 9router issue 3492" },
	{ "choice-index", LINT_BREAKS_PROMISE, LINT_openai_chat, LINT_EVERY & ~(unsigned)LINT_AIVENE, LINT_ON_CHOICE, check_choice_index,
	  "Each choice has an index", OPENAI "choices[].index", NULL },
	{ "choice-index-rises", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_END, check_choice_index_rises,
	  "One answer has one index", OPENAI "choices[].index; runtime, choices[0] fields: always 0",
	  "clients that show the choice with index 0: they show the first chunk only" },
	{ "delta", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_delta,
	  "Each choice has the object delta", OPENAI "choices[].delta", "clients that read delta.content" },
	{ "message-beside", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_message_beside,
	  "A chunk has delta, never the whole message", "aivene, The delta object: never the full running message",
	  "clients that read both show the text twice: Foundry-Local issue 144" },
	{ "content-type-of", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_content_type,
	  "The content of a delta is a string", OPENAI "choices[].delta.content",
	  "clients that append strings: ruby_llm issue 420, laravel/ai pull 866" },
	{ "role", LINT_UNUSUAL, LINT_openai_chat, LINT_GENERIC | LINT_CHUIZI, LINT_ON_CHOICE, check_role,
	  "The first delta has the role", OPENAI "choices[].delta.role; chuizi, OpenAI Protocol", NULL },
	{ "role-first", LINT_BREAKS_PROMISE, LINT_openai_chat, LINT_SANSA | LINT_AIVENE | LINT_OPENTOKEN, LINT_ON_CHOICE, check_role,
	  "The first delta has the role", "opentoken, Frame format; aivene, Stream lifecycle; sansa, Streaming Chunk Shape", NULL },
	{ "role-repeated", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY & ~(unsigned)(LINT_SANSA | LINT_AIVENE | LINT_RUNTIME), LINT_ON_CHOICE,
	  check_role_repeated, "Only the first delta has the role", OPENAI "example", NULL },
	{ "role-once", LINT_BREAKS_PROMISE, LINT_openai_chat, LINT_SANSA | LINT_AIVENE, LINT_ON_CHOICE, check_role_repeated,
	  "Only the first delta has the role", "sansa, Streaming Chunk Shape: present in first chunk only; aivene, The delta object", NULL },
	{ "role-value", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_role_value,
	  "The role is assistant", "aivene, The delta object: always 'assistant'", NULL },
	{ "tool-calls-empty", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_tool_calls_empty,
	  "A delta has tool_calls when there are calls", OPENAI "choices[].delta.tool_calls",
	  "clients that take its presence for a call: Effect pull 7269" },
	{ "function-call", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_function_call,
	  "Calls come as tool_calls", OPENAI "choices[].delta.function_call: deprecated", "clients that read tool_calls only" },
	{ "reasoning-mirrored", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_reasoning_mirrored,
	  "Reasoning comes in one field", "sansa, Streaming with Reasoning; aivene, The delta object",
	  "clients that read both show it twice: kimi-code issue 3928" },
	{ "reasoning-as-content", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_reasoning_as_content,
	  "Reasoning is not repeated as content", "aivene, The delta object", "clients that show both: metapi pull 32" },
	{ "think-tag", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_think_tag,
	  "Reasoning comes in a field of its own, not between tags", "aivene, The delta object", "clients that show content as it is" },
	{ "reasoning-field", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_reasoning_field,
	  "Reasoning comes in reasoning_content, reasoning or reasoning_details", "sansa, Streaming with Reasoning; aivene, The delta object",
	  "clients that read these only" },
	{ "finish-key", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_finish_key,
	  "Each choice has finish_reason, null until the end", OPENAI "choices[].finish_reason", "typed clients" },
	{ "finish-empty", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_finish_empty,
	  "finish_reason is null until the end", OPENAI "choices[].finish_reason",
	  "clients that stop at the first that is not null: ollama issue 4357, goose pull 10258" },
	{ "finish-word", LINT_UNUSUAL, LINT_openai_chat, LINT_GENERIC | LINT_CHUIZI | LINT_OPENTOKEN, LINT_ON_CHOICE, check_finish_word,
	  "finish_reason is stop, length, tool_calls, content_filter or function_call", OPENAI "choices[].finish_reason", "typed clients" },
	{ "finish", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_END, check_finish,
	  "An answer ends with a finish reason", OPENAI "choices[].finish_reason; aivene, Stream lifecycle",
	  "clients that wait for it, or take the answer for cut: pi pull 6225, openclaw pull 98575" },
	{ "finish-twice", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_finish_twice,
	  "One chunk of a choice has a finish reason", OPENAI "choices[].finish_reason", "clients that end at the first, or count them" },
	{ "finish-with-text", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY & ~(unsigned)(LINT_AIVENE | LINT_OPENTOKEN), LINT_ON_CHOICE,
	  check_finish_with_text, "The chunk with the finish reason has an empty delta", OPENAI "example",
	  "clients that stop before they read its delta" },
	{ "after-finish", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_CHOICE, check_after_finish,
	  "Nothing of the answer follows its finish reason", OPENAI "choices[].finish_reason",
	  "clients that stop at the finish reason: strands harness-sdk pull 3955" },
	{ "finish-stop", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_END, check_finish_stop,
	  "An answer with calls ends with tool_calls", "aivene, Tool call streaming; sansa, Streaming with Tool Calls",
	  "clients that run calls at tool_calls only: ChatMock pull 114" },
	{ "finish-calls", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_END, check_finish_calls,
	  "An answer that ends with tool_calls has a call", "aivene, Finish reasons", "clients that go on with the calls: vllm issue 53255" },
	{ "usage-place", LINT_UNUSUAL, LINT_openai_chat, LINT_GENERIC, LINT_ON_USAGE, check_usage_place,
	  "Usage comes in a chunk of its own with empty choices", OPENAI "usage", "clients that read it where choices is empty" },
	{ "usage-member", LINT_BREAKS_PROMISE, LINT_openai_chat, LINT_EVERY, LINT_ON_USAGE, check_usage_member,
	  "Usage is a member of the chunk", OPENAI "usage", "clients that read usage of the chunk: pi issue 2017" },
	{ "usage-repeated", LINT_BREAKS_CLIENTS, LINT_openai_chat, NOT_RUNTIME, LINT_ON_USAGE, check_usage_repeated,
	  "Usage comes once, at the end", OPENAI "usage; sansa, Streaming Chunk Shape",
	  "clients that sum it: open-webui issue 29064, InsForge issue 2015" },
	{ "usage-counts", LINT_BREAKS_PROMISE, LINT_openai_chat, LINT_EVERY, LINT_ON_USAGE, check_usage_counts,
	  "Usage has prompt_tokens, completion_tokens and total_tokens, whole numbers from 0", OPENAI "usage", "typed clients" },
	{ "usage-sum", LINT_BREAKS_PROMISE, LINT_openai_chat, LINT_EVERY, LINT_ON_USAGE, check_usage_sum,
	  "total_tokens is the sum of the other two", OPENAI "usage.total_tokens; aivene, What gets reported", NULL },
	{ "usage-parts", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_USAGE, check_usage_parts,
	  "cached_tokens is a part of prompt_tokens, reasoning_tokens of completion_tokens", "aivene, What gets reported",
	  "clients that subtract them" },
	{ "usage-zero", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_USAGE, check_usage_zero,
	  "Usage counts the tokens of the answer", OPENAI "usage", NULL },
	{ "usage-asked", LINT_BREAKS_PROMISE, LINT_openai_chat, NOT_RUNTIME, LINT_ON_END, check_usage_asked,
	  "Usage comes when include_usage asks for it", OPENAI "stream_options; aivene and chuizi, token usage", NULL },
	{ "error-message", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_ERROR, check_error_message,
	  "An error is an object with a message in the member error", "OpenAI API, errors; sansa, Error Handling; opentoken, Usage chunk",
	  "clients that read error.message: NeoGraph issue 124" },
	{ "error-code", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_ERROR, check_error_code,
	  "The code of an error is a string or null", "OpenAI API, errors", "typed clients" },
	{ "error-empty", LINT_UNUSUAL, LINT_openai_chat, LINT_EVERY, LINT_ON_EVENT, check_error_empty,
	  "error is absent or null where there is none", "aivene, Error frames", "clients that look whether it is there" },
	{ "error-event", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_ERROR, check_error_event,
	  "An error comes as data without a name", "opentoken, Usage chunk: it is not an SSE event: error frame",
	  "clients of EventSource, and those that skip named events" },
	{ "error-beside", LINT_UNUSUAL, LINT_openai_chat, NOT_RUNTIME & ~(unsigned)LINT_SANSA, LINT_ON_ERROR, check_error_beside,
	  "An error comes instead of a chunk", "opentoken, Usage chunk; aivene, Error frames", "clients that look at choices first" },
	{ "error-status", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_ERROR, check_error_status,
	  "An error before the stream has a status that is not 2xx", "RFC 9110, 15 Status Codes; sansa, Pre-Stream Errors",
	  "clients that look at the status: Codewhale pull 1717" },
	{ "no-done", LINT_BREAKS_PROMISE, LINT_openai_chat, NOT_RUNTIME, LINT_ON_END, check_done,
	  "A stream ends with data: [DONE]", "sansa, SSE Format; chuizi, SSE Event Format; aivene, Wire format; opentoken, Frame format",
	  "clients that wait for it" },
	{ "done-text", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_DONE, check_done_text,
	  "The end mark is exactly data: [DONE]", "aivene, Wire format: a literal data: [DONE] sentinel; opentoken, Frame format",
	  "clients that compare the whole line, such as the reader that aivene prints" },
	{ "after-done", LINT_BREAKS_CLIENTS, LINT_openai_chat, LINT_EVERY, LINT_ON_LATE, check_after_done,
	  "Nothing follows data: [DONE]", "opentoken, Frame format: terminates; aivene, Wire format",
	  "clients that stop there: freellmapi issue 1087" },
	{ "after-error", LINT_UNUSUAL, LINT_ANY & ~(unsigned)LINT_openai_responses, LINT_EVERY, LINT_ON_LATE, check_after_error,
	  "Only the end follows an error", "sansa, Mid-Stream Errors; aivene, Error frames", "clients that stop there" },
};

const struct lint_group lint_group_chunks = { rows, ARRAY_LEN(rows) };
