#include "wire/openai_chat.h"

#include <stdio.h>
#include <string.h>

#include "base/json_scan.h"
#include "wire/calls.h"
#include "wire/decode.h"
#include "wire/error_body.h"
#include "wire/protocol.h"
#include "wire/reasoning_details.h"

#define KEY_IS(key, literal) ((key).len == sizeof(literal) - 1 && !memcmp((key).ptr, literal, sizeof(literal) - 1))
#define RAW_LOOKUP_MOST ((size_t)32 << 20) /* bytes looked at for values of one chunk that must stay as they were sent */

struct chat_state { /* zeroed at birth */
	struct calls calls;
	struct reasoning_details details;
	struct buf scratch;
	unsigned function_call;   /* the call made of the old `function_call` ... */
	bool has_function_call;
	size_t extra_given;       /* calls whose extra_content was given */
	size_t raw_looked_at;     /* bytes, in this chunk */
	bool replay_noted;        /* OPAQUE_REASONING_CONTENT was given */
	bool message_taken;
};

/* The members of a chunk that count. */
struct chunk {
	const struct json *choices, *usage, *groq, *route;
	struct str id, model, object;
	bool may_fail; /* it has an `error` or a `type`: worth a closer look */
};

struct choice {
	const struct json *delta, *message, *usage;
	struct str text, finish;
	int64_t index;
};

struct chat_delta {
	const struct json *content, *tool_calls, *function_call, *details, *annotations, *thinking, *blocks;
	struct str refusal, reasoning_content, reasoning, reasoning_text;
};

/* Where in the message's raw bytes a delta stands: for values that must stay as they were sent. */
struct place {
	const struct message *message;
	size_t choice;
	const char *member; /* "delta" or "message" */
};

static void chat_fini(void *state)
{
	struct chat_state *s = state;

	calls_fini(&s->calls);
	reasoning_details_fini(&s->details);
	buf_fini(&s->scratch);
}

static struct chunk read_chunk(const struct json *value)
{
	struct chunk c = { 0 };
	struct json_member m = { 0 };

	while (json_next(value, &m)) {
		switch (m.key.len) {
		case 2:
			if (KEY_IS(m.key, "id"))
				c.id = json_text(m.value);
			break;
		case 4:
			c.may_fail |= KEY_IS(m.key, "type");
			break;
		case 5:
			if (KEY_IS(m.key, "error"))
				c.may_fail = true;
			else if (KEY_IS(m.key, "model"))
				c.model = json_text(m.value);
			else if (KEY_IS(m.key, "usage"))
				c.usage = m.value;
			else if (KEY_IS(m.key, "sansa"))
				c.route = m.value;
			break;
		case 6:
			if (KEY_IS(m.key, "object"))
				c.object = json_text(m.value);
			else if (KEY_IS(m.key, "x_groq"))
				c.groq = m.value;
			break;
		case 7:
			if (KEY_IS(m.key, "choices"))
				c.choices = m.value;
			break;
		default:
			break;
		}
	}
	return c;
}

static struct choice read_choice(const struct json *value)
{
	struct choice c = { .index = -1 };
	struct json_member m = { 0 };

	while (json_next(value, &m)) {
		switch (m.key.len) {
		case 4:
			if (KEY_IS(m.key, "text"))
				c.text = json_raw_text(m.value);
			break;
		case 5:
			if (KEY_IS(m.key, "delta"))
				c.delta = m.value;
			else if (KEY_IS(m.key, "usage"))
				c.usage = m.value;
			else if (KEY_IS(m.key, "index"))
				c.index = decode_index(m.value);
			break;
		case 7:
			if (KEY_IS(m.key, "message"))
				c.message = m.value;
			break;
		case 13:
			if (KEY_IS(m.key, "finish_reason"))
				c.finish = json_text(m.value);
			break;
		default:
			break;
		}
	}
	return c;
}

static struct chat_delta read_delta(const struct json *value)
{
	struct chat_delta d = { 0 };
	struct json_member m = { 0 };

	while (json_next(value, &m)) {
		switch (m.key.len) {
		case 7:
			if (KEY_IS(m.key, "content"))
				d.content = m.value;
			else if (KEY_IS(m.key, "refusal"))
				d.refusal = json_raw_text(m.value);
			break;
		case 8:
			if (KEY_IS(m.key, "thinking"))
				d.thinking = m.value;
			break;
		case 9:
			if (KEY_IS(m.key, "reasoning"))
				d.reasoning = json_raw_text(m.value);
			break;
		case 10:
			if (KEY_IS(m.key, "tool_calls"))
				d.tool_calls = m.value;
			break;
		case 11:
			if (KEY_IS(m.key, "annotations"))
				d.annotations = m.value;
			break;
		case 13:
			if (KEY_IS(m.key, "function_call"))
				d.function_call = m.value;
			break;
		case 14:
			if (KEY_IS(m.key, "reasoning_text"))
				d.reasoning_text = json_raw_text(m.value);
			else if (KEY_IS(m.key, "content_blocks"))
				d.blocks = m.value;
			break;
		case 17:
			if (KEY_IS(m.key, "reasoning_content"))
				d.reasoning_content = json_raw_text(m.value);
			else if (KEY_IS(m.key, "reasoning_details"))
				d.details = m.value;
			break;
		default:
			break;
		}
	}
	return d;
}

static bool give_reasoning(struct decoder *d, struct str raw)
{
	guard_reasoning(d->guard, GUARD_UNNUMBERED, raw);
	return raw.len > 0;
}

static bool give_details(struct decoder *d, const struct json *details)
{
	bool given = false;

	for (size_t i = 0; i < json_length(details); i++) {
		const struct json *element = json_at(details, i);
		struct str text = json_raw_text(json_get(element, "text"));

		given |= give_reasoning(d, text.len ? text : json_raw_text(json_get(element, "summary")));
	}
	return given;
}

/* A string, or an object with `content`. */
static bool give_thinking(struct decoder *d, const struct json *thinking)
{
	struct str text = json_raw_text(thinking);

	return give_reasoning(d, text.len ? text : json_raw_text(json_get(thinking, "content")));
}

static bool give_blocks(struct decoder *d, const struct json *blocks)
{
	bool given = false;

	for (size_t i = 0; i < json_length(blocks); i++)
		given |= give_thinking(d, json_get(json_get(json_at(blocks, i), "delta"), "thinking"));
	return given;
}

/* The same text may stand in several fields: the first that is not empty counts (wire.md 6, rows 15 and 41). */
static bool decode_reasoning(struct decoder *d, struct chat_state *s, const struct chat_delta *delta)
{
	if (delta->details)
		reasoning_details_add(&s->details, delta->details);
	if (delta->reasoning_content.len) {
		give_reasoning(d, delta->reasoning_content);
		if (!s->replay_noted)
			guard_opaque(d->guard, GUARD_NEW_PART, -1, OPAQUE_REASONING_CONTENT, STR(""));
		s->replay_noted = true;
		return true;
	}
	return give_reasoning(d, delta->reasoning) || give_details(d, delta->details) || give_thinking(d, delta->thinking) ||
	       give_reasoning(d, delta->reasoning_text) || give_blocks(d, delta->blocks);
}

/* Mistral's thinking part: its text is a string or an array of text parts. */
static void decode_thinking_part(struct decoder *d, const struct json *thinking)
{
	give_thinking(d, thinking);
	for (size_t i = 0; i < json_length(thinking); i++)
		give_reasoning(d, json_raw_text(json_get(json_at(thinking, i), "text")));
}

static void decode_content(struct decoder *d, const struct json *content, bool reasoning_given)
{
	guard_text(d->guard, GUARD_UNNUMBERED, json_raw_text(content));
	for (size_t i = 0; i < json_length(content); i++) {
		const struct json *part = json_at(content, i);

		if (!reasoning_given && str_is(json_get_text(part, "type"), "thinking"))
			decode_thinking_part(d, json_get(part, "thinking"));
		else if (str_is(json_get_text(part, "type"), "text"))
			guard_text(d->guard, GUARD_UNNUMBERED, json_raw_text(json_get(part, "text")));
	}
}

static void decode_annotations(struct decoder *d, const struct json *annotations)
{
	for (size_t i = 0; i < json_length(annotations); i++) {
		const struct json *citation = json_get(json_at(annotations, i), "url_citation");

		if (citation)
			guard_citation(d->guard, json_get_text(citation, "url"), json_get_text(citation, "title"),
			               json_get_text(citation, "content"));
	}
}

/* STR_NONE after too many: each looks at all bytes of the chunk. */
static struct str find_raw(struct chat_state *s, const struct place *p, size_t call, const char *member,
                           const char *inner)
{
	char choice[24], number[24];

	s->raw_looked_at += p->message->raw.len;
	if (s->raw_looked_at > RAW_LOOKUP_MOST)
		return STR_NONE;
	snprintf(choice, sizeof choice, "#%zu", p->choice);
	snprintf(number, sizeof number, "#%zu", call);
	const char *const path[] = { "choices", choice, p->member, "tool_calls", number, member, inner, NULL };
	return json_scan_find(p->message->raw, path);
}

/* Text as it is; anything else compactly, its numbers and the order of its members as sent. */
static struct str read_arguments(struct chat_state *s, const struct json *value, const struct place *p, size_t call,
                                 const char *member, const char *key)
{
	if (!value || json_kind(value) == JSON_STRING)
		return json_raw_text(value);
	struct str raw = find_raw(s, p, call, member, key);
	if (!raw.len)
		return decode_arguments(value, &s->scratch);
	buf_clear(&s->scratch);
	json_scan_compact(raw, &s->scratch);
	return buf_str(&s->scratch);
}

static void decode_call(struct decoder *d, struct chat_state *s, const struct json *call, const struct place *p,
                        size_t number)
{
	bool is_custom = !json_get(call, "function");
	const char *member = is_custom ? "custom" : "function", *key = is_custom ? "input" : "arguments";
	const struct json *function = json_get(call, member);

	if (json_kind(function) != JSON_OBJECT)
		return;
	struct buf id;
	buf_init(&id, BUF_LIMIT_DEFAULT);
	struct call_fragment fragment = {
		.index = decode_index(json_get(call, "index")),
		.id = decode_id(call, "id", &id),
		.name = json_get_text(function, "name"),
		.arguments = read_arguments(s, json_get(function, key), p, number, member, key),
	};
	unsigned joined = calls_join(&s->calls, d->guard, &fragment);
	bool new_extra = json_get(call, "extra_content") && joined >= s->extra_given && joined != GUARD_NEW_PART;
	struct str extra = new_extra ? find_raw(s, p, number, "extra_content", NULL) : STR_NONE;
	if (extra.len) {
		s->extra_given = (size_t)joined + 1;
		guard_opaque(d->guard, GUARD_NEW_PART, (int)joined, OPAQUE_EXTRA_CONTENT, extra);
	}
	buf_fini(&id);
}

/* What came before tools had ids: one call at most. */
static void decode_function_call(struct decoder *d, struct chat_state *s, const struct json *function)
{
	struct str name = json_get_text(function, "name");
	struct str arguments = decode_arguments(json_get(function, "arguments"), &s->scratch);

	if (!s->has_function_call && !name.len && !arguments.len)
		return;
	if (!s->has_function_call)
		s->function_call = guard_tool_begin(d->guard, STR_NONE, name);
	else if (!guard_tool_name_of(d->guard, s->function_call).len)
		guard_tool_name(d->guard, s->function_call, STR_NONE, name);
	s->has_function_call = true;
	guard_tool_arguments(d->guard, s->function_call, arguments);
}

static void decode_usage(struct decoder *d, const struct json *usage)
{
	if (json_kind(usage) != JSON_OBJECT)
		return;
	const struct json *prompt = json_get(usage, "prompt_tokens_details");
	struct usage u = {
		.prompt_tokens = decode_count(usage, "prompt_tokens"),
		.completion_tokens = decode_count(usage, "completion_tokens"),
		.total_tokens = decode_count(usage, "total_tokens"),
		.cached_tokens = decode_count(prompt, "cached_tokens"),
		.cache_write_tokens = decode_count(prompt, "cache_write_tokens"),
		.reasoning_tokens = decode_count(json_get(usage, "completion_tokens_details"), "reasoning_tokens"),
	};
	if (u.cached_tokens < 0)
		u.cached_tokens = decode_count(usage, "prompt_cache_hit_tokens");
	decode_give_usage(d, u);
}

static void decode_route(struct decoder *d, const struct json *object)
{
	bool routed;
	struct route route = { .routed = -1, .routed_model = json_get_text(object, "routed_model"), .routing_latency_ms = -1 };

	if (json_flag(json_get(object, "routed"), &routed))
		route.routed = routed;
	if (!json_number(json_get(object, "routing_latency_ms"), &route.routing_latency_ms))
		route.routing_latency_ms = -1;
	guard_route(d->guard, &route);
}

static void decode_delta(struct decoder *d, const struct json *value, const struct place *p)
{
	struct chat_state *s = d->state;
	struct chat_delta delta = read_delta(value);
	bool reasoning_given = decode_reasoning(d, s, &delta);

	if (delta.content)
		decode_content(d, delta.content, reasoning_given);
	guard_refusal(d->guard, GUARD_UNNUMBERED, delta.refusal);
	decode_annotations(d, delta.annotations);
	for (size_t i = 0; i < json_length(delta.tool_calls) && !guard_failed(d->guard); i++)
		decode_call(d, s, json_at(delta.tool_calls, i), p, i);
	if (json_kind(delta.function_call) == JSON_OBJECT)
		decode_function_call(d, s, delta.function_call);
}

/* A `message` is the whole answer: it counts once, and never beside deltas or after them (wire.md 6, rows 13 and 28). */
static bool takes_message(const struct decoder *d)
{
	struct chat_state *s = d->state;

	if (s->message_taken || guard_has_text(d->guard) || guard_tool_count(d->guard))
		return false;
	s->message_taken = true;
	return true;
}

static void decode_choice(struct decoder *d, const struct message *m, const struct choice *c, size_t number)
{
	struct place place = { m, number, c->delta ? "delta" : "message" };

	if (c->delta)
		decode_delta(d, c->delta, &place);
	else if (c->message && takes_message(d))
		decode_delta(d, c->message, &place);
	else
		guard_text(d->guard, GUARD_UNNUMBERED, c->text);
	guard_finish(d->guard, c->finish);
	decode_usage(d, c->usage);
}

/* Which elements are of the answer: index 0 or none; the first, whatever its index, where one answer was asked for. */
static void decode_choices(struct decoder *d, const struct message *m, const struct json *choices)
{
	for (size_t i = 0; i < json_length(choices) && !guard_failed(d->guard); i++) {
		struct choice choice = read_choice(json_at(choices, i));

		if (d->single_choice || choice.index <= 0)
			decode_choice(d, m, &choice, i);
		if (d->single_choice)
			break;
	}
}

/* Errors without an `error` member (Mistral, FastAPI, Bedrock): only in place of an answer, never beside one. */
static bool is_bare_error(const struct decoder *d, const struct chunk *c, const struct message *m)
{
	if (c->choices || c->usage || c->route || str_starts(c->object, "chat."))
		return false;
	if (d->understood && !str_is(c->object, "error"))
		return false;
	struct buf scratch;
	struct error_report report;
	buf_init(&scratch, BUF_LIMIT_DEFAULT);
	bool is_error = error_body_read(m->value, &scratch, &report);
	buf_fini(&scratch);
	return is_error;
}

static void chat_decode(struct decoder *d, const struct message *m)
{
	struct chat_state *s = d->state;

	if (!s->scratch.limit)
		buf_init(&s->scratch, BUF_LIMIT_DEFAULT);
	s->raw_looked_at = 0;
	struct chunk c = read_chunk(m->value);
	bool failed = ((c.may_fail || m->event.len) && decode_has_error(m)) || (!c.choices && is_bare_error(d, &c, m));
	if (c.choices || failed || str_starts(c.object, "chat."))
		d->understood = true;
	guard_identity(d->guard, c.id, c.model);
	if (json_kind(c.route) == JSON_OBJECT)
		decode_route(d, c.route);
	decode_choices(d, m, c.choices);
	if (c.groq)
		decode_usage(d, json_get(c.groq, "usage"));
	decode_usage(d, c.usage);
	if (failed)
		decode_error(d, m);
}

/* The merged reasoning_details can only go back whole: not when the answer broke off. */
static void chat_finish(struct decoder *d)
{
	struct chat_state *s = d->state;

	if (!d->proper || !s->scratch.limit)
		return;
	buf_clear(&s->scratch);
	if (reasoning_details_write(&s->details, &s->scratch))
		guard_opaque(d->guard, GUARD_NEW_PART, -1, OPAQUE_REASONING_DETAILS, buf_str(&s->scratch));
	reasoning_details_fini(&s->details);
}

const struct protocol protocol_openai_chat = {
	.name = "openai-chat",
	.state_bytes = sizeof(struct chat_state),
	.fini = chat_fini,
	.decode = chat_decode,
	.finish = chat_finish,
	.finish_is_end = true,
	.finish_outlives_break = true,
	.done_is_end = true,
	.path = "/chat/completions",
	.models_path = "/models",
	.build = openai_chat_build,
	.read_models = openai_read_models,
};
