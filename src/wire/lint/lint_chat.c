/* What the rules of openai-chat look at: takes a chunk apart, checks the rules, and keeps what later chunks are compared with. */
#include "wire/lint/lint_inside.h"

#include <string.h>

#include "wire/decode.h"

static const char *const chunk_keys[] = {
	[LINT_CHUNK_ID] = "id", [LINT_CHUNK_OBJECT] = "object", [LINT_CHUNK_CREATED] = "created", [LINT_CHUNK_MODEL] = "model",
	[LINT_CHUNK_CHOICES] = "choices", [LINT_CHUNK_USAGE] = "usage", [LINT_CHUNK_ERROR] = "error", [LINT_CHUNK_ROUTE] = "sansa",
};
static const char *const choice_keys[] = {
	[LINT_CHOICE_INDEX] = "index", [LINT_CHOICE_DELTA] = "delta", [LINT_CHOICE_FINISH] = "finish_reason",
	[LINT_CHOICE_MESSAGE] = "message", [LINT_CHOICE_USAGE] = "usage",
};
static const char *const delta_keys[] = {
	[LINT_DELTA_ROLE] = "role", [LINT_DELTA_CONTENT] = "content", [LINT_DELTA_REFUSAL] = "refusal",
	[LINT_DELTA_REASONING_CONTENT] = "reasoning_content", [LINT_DELTA_REASONING] = "reasoning",
	[LINT_DELTA_REASONING_DETAILS] = "reasoning_details", [LINT_DELTA_THINKING] = "thinking",
	[LINT_DELTA_REASONING_TEXT] = "reasoning_text", [LINT_DELTA_BLOCKS] = "content_blocks", [LINT_DELTA_TOOL_CALLS] = "tool_calls",
	[LINT_DELTA_FUNCTION_CALL] = "function_call",
};

/* Not null, "" or []. */
static bool says(const struct lint_member *member)
{
	switch (json_kind(member->value)) {
	case JSON_STRING:
		return json_raw_text(member->value).len > 0;
	case JSON_ARRAY:
		return json_length(member->value) > 0;
	case JSON_NULL:
		return false;
	case JSON_OBJECT:
	case JSON_NUMBER:
	case JSON_BOOL:
		return true;
	}
	return false;
}

static void take_delta(struct lint_chat *c)
{
	const struct lint_member *delta = &c->choice[LINT_CHOICE_DELTA];

	lint_take(delta->value, delta_keys, LINT_DELTA_KEYS, c->delta, &c->other_delta_members);
	c->has_text = says(&c->delta[LINT_DELTA_CONTENT]) || says(&c->delta[LINT_DELTA_REFUSAL]);
	c->has_reasoning = says(&c->delta[LINT_DELTA_REASONING_CONTENT]) || says(&c->delta[LINT_DELTA_REASONING]) ||
	                   says(&c->delta[LINT_DELTA_REASONING_DETAILS]) || says(&c->delta[LINT_DELTA_THINKING]) ||
	                   says(&c->delta[LINT_DELTA_REASONING_TEXT]);
	c->has_call = says(&c->delta[LINT_DELTA_TOOL_CALLS]) || says(&c->delta[LINT_DELTA_FUNCTION_CALL]);
}

/* In a whole message each element is a call of its own, numbered by its place. */
static void take_calls(struct lint *l)
{
	const struct lint_chat *c = &l->chat;
	bool is_whole = !c->choice[LINT_CHOICE_DELTA].value && c->answer;
	const struct json *calls = is_whole ? json_get(c->choice[LINT_CHOICE_MESSAGE].value, "tool_calls") : c->delta[LINT_DELTA_TOOL_CALLS].value;

	for (size_t i = 0; i < json_length(calls); i++)
		if (json_kind(json_at(calls, i)) == JSON_OBJECT)
			lint_chat_call(l, json_at(calls, i), is_whole ? (int64_t)i : -1);
}

/* Whether the text begins with <think>, which may come in pieces and behind blanks. */
static void match_think(struct lint_chat *c)
{
	static const char tag[] = "<think>";
	struct str text = json_text(c->delta[LINT_DELTA_CONTENT].value);

	if (!c->think_matched)
		text = str_trim_start(text);
	for (size_t i = 0; i < text.len && c->think_matched < sizeof tag - 1; i++)
		c->think_matched = text.ptr[i] == tag[c->think_matched] ? c->think_matched + 1 : sizeof tag;
	if (c->think_matched == sizeof tag - 1) {
		c->think = true;
		c->think_matched = sizeof tag;
	}
	c->opener |= text.len >= sizeof tag - 1 && str_find(text, STR("<think>")) < text.len;
}

static void keep_choice(struct lint *l)
{
	struct lint_chat *c = &l->chat;

	lint_keep_choice(l, c->finish);
	if (says(&c->delta[LINT_DELTA_ROLE]))
		lint_set_add(&c->roles, l->choices.index);
	c->think_told |= c->think;
	c->text |= c->has_text;
	c->reasoning |= c->has_reasoning;
	if (!c->finish.len)
		return;
	if (!l->choices.is_shown)
		return;
	c->finishes++;
	c->finish_place = l->place;
	c->finish_calls = str_is(c->finish, "tool_calls") || str_is(c->finish, "function_call");
}

static void take_choice(struct lint *l, const struct json *choice)
{
	struct lint_chat *c = &l->chat;
	size_t others;

	lint_take(choice, choice_keys, LINT_CHOICE_KEYS, c->choice, &others);
	lint_take_choice(l, c->choice[LINT_CHOICE_INDEX].value);
	c->finish = json_text(c->choice[LINT_CHOICE_FINISH].value);
	take_delta(c);
	match_think(c);
	lint_run(l, LINT_ON_CHOICE);
	if (l->choices.is_shown)
		take_calls(l);
	if (json_kind(c->choice[LINT_CHOICE_USAGE].value) == JSON_OBJECT)
		lint_take_usage(l, c->choice[LINT_CHOICE_USAGE].value);
	keep_choice(l);
}

static void keep_chunk(struct lint *l)
{
	struct lint_chat *c = &l->chat;

	c->chunks++;
	c->last_place = l->place;
	int64_t time;
	if (json_count(c->chunk[LINT_CHUNK_CREATED].value, &time)) {
		c->created |= time > 0;
		if (!time && !c->created_zero.frame)
			c->created_zero = l->place;
	}
	if (!c->id.len)
		c->id = lint_print(json_text(c->chunk[LINT_CHUNK_ID].value));
}

/* A whole answer in place of a stream has `message` instead of `delta`. */
static bool is_whole_answer(const struct lint_chat *c)
{
	const struct json *choice = json_at(c->chunk[LINT_CHUNK_CHOICES].value, 0);

	return json_get(choice, "message") && !json_get(choice, "delta");
}

/* The members of an earlier choice are gone. */
static void forget_choice(struct lint_chat *c)
{
	memset(c->choice, 0, sizeof c->choice);
	memset(c->delta, 0, sizeof c->delta);
	memset(c->call, 0, sizeof c->call);
	memset(c->function, 0, sizeof c->function);
	c->finish = c->call_id = c->call_name = STR_NONE;
	c->has_text = c->has_reasoning = c->has_call = false;
}

static void take_chunk(struct lint *l)
{
	struct lint_chat *c = &l->chat;
	const struct json *choices = c->chunk[LINT_CHUNK_CHOICES].value;
	bool has_usage = json_kind(c->chunk[LINT_CHUNK_USAGE].value) == JSON_OBJECT;

	forget_choice(c);
	c->choices = json_length(choices);
	c->answer |= is_whole_answer(c);
	lint_run(l, LINT_ON_EVENT);
	for (size_t i = 0; i < c->choices; i++)
		take_choice(l, json_at(choices, i));
	const struct json *groq = has_usage ? NULL : json_find(l->message->value, "x_groq.usage");
	if (has_usage || groq)
		lint_take_usage(l, groq ? groq : c->chunk[LINT_CHUNK_USAGE].value);
	lint_chat_marks(l);
	keep_chunk(l);
}

/* The words of an error's own frame, such as sansa's. */
static void take_error_choices(struct lint *l)
{
	struct lint_chat *c = &l->chat;

	c->choices = json_length(c->chunk[LINT_CHUNK_CHOICES].value);
	lint_take_error(l, c->chunk[LINT_CHUNK_ERROR].value, false);
	lint_chat_error_marks(l);
}

/* Has a member that tells a chunk from any other object. */
static bool is_chunk(const struct lint_chat *c)
{
	return c->chunk[LINT_CHUNK_CHOICES].present || c->chunk[LINT_CHUNK_USAGE].present || c->chunk[LINT_CHUNK_OBJECT].present ||
	       c->chunk[LINT_CHUNK_ID].present;
}

void lint_chat_value(struct lint *l)
{
	struct lint_chat *c = &l->chat;

	lint_take(l->message->value, chunk_keys, LINT_CHUNK_KEYS, c->chunk, &c->other_members);
	if (decode_has_error(l->message))
		take_error_choices(l);
	else if (is_chunk(c))
		take_chunk(l);
	else
		lint_run(l, LINT_ON_STRANGE);
}
