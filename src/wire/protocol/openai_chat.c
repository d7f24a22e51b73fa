#include "wire/protocol/openai_chat.h"

#include <stdio.h>
#include <string.h>

#include "base/json_scan.h"
#include "wire/calls.h"
#include "wire/decode.h"
#include "wire/error_body.h"
#include "wire/protocol/chat_media.h"
#include "wire/protocol/protocol.h"
#include "wire/protocol/reasoning_details.h"

#define RAW_LOOKUP_MOST ((size_t)32 << 20) /* maximum bytes of a chunk that are searched for extra_content */

struct chat_state { /* initially zero */
	struct calls calls;
	struct reasoning_details details;
	struct chat_media media;
	struct buf scratch;
	unsigned function_call;   /* the call made of the old `function_call` ... */
	bool has_function_call;
	size_t extra_given;       /* calls whose extra_content was reported */
	size_t raw_looked_at;     /* bytes, in this chunk */
	size_t sources_given;     /* of the lists beside the choices, which each chunk repeats */
	bool replay_noted;        /* OPAQUE_REASONING_CONTENT was reported */
	bool message_taken;
};

/* The place of a call in the raw bytes of the message. */
struct place {
	const struct message *message;
	size_t choice;
	const char *member; /* "delta" or "message" */
	bool is_whole;      /* a message: each element is a call of its own, whatever its id */
	size_t call;
};

/* The members that are read, in the order in which most servers send them. */
enum chunk_key {
	CHUNK_ID, CHUNK_OBJECT, CHUNK_MODEL, CHUNK_CHOICES, CHUNK_USAGE, CHUNK_ERROR, CHUNK_TYPE, CHUNK_ROUTE, CHUNK_GROQ, CHUNK_CITATIONS,
	CHUNK_RESULTS, CHUNK_KEYS
};
static const char *const chunk_keys[CHUNK_KEYS] = {
	[CHUNK_ID] = "id", [CHUNK_OBJECT] = "object", [CHUNK_MODEL] = "model", [CHUNK_CHOICES] = "choices", [CHUNK_USAGE] = "usage",
	[CHUNK_ERROR] = "error", [CHUNK_TYPE] = "type", [CHUNK_ROUTE] = "sansa", [CHUNK_GROQ] = "x_groq",
	[CHUNK_CITATIONS] = "citations", [CHUNK_RESULTS] = "search_results",
};

enum choice_key { CHOICE_INDEX, CHOICE_DELTA, CHOICE_MESSAGE, CHOICE_TEXT, CHOICE_FINISH, CHOICE_USAGE, CHOICE_KEYS };
static const char *const choice_keys[CHOICE_KEYS] = {
	[CHOICE_INDEX] = "index", [CHOICE_DELTA] = "delta", [CHOICE_MESSAGE] = "message", [CHOICE_TEXT] = "text",
	[CHOICE_FINISH] = "finish_reason", [CHOICE_USAGE] = "usage",
};

enum delta_key {
	KEY_CONTENT, KEY_REFUSAL, KEY_REASONING_CONTENT, KEY_REASONING, KEY_DETAILS, KEY_TOOL_CALLS, KEY_FUNCTION_CALL, KEY_ANNOTATIONS,
	KEY_THINKING, KEY_REASONING_TEXT, KEY_BLOCKS, KEY_IMAGES, KEY_AUDIO, KEY_EXECUTED, DELTA_KEYS
};
static const char *const delta_keys[DELTA_KEYS] = {
	[KEY_CONTENT] = "content", [KEY_REFUSAL] = "refusal", [KEY_REASONING_CONTENT] = "reasoning_content", [KEY_REASONING] = "reasoning",
	[KEY_DETAILS] = "reasoning_details", [KEY_TOOL_CALLS] = "tool_calls", [KEY_FUNCTION_CALL] = "function_call",
	[KEY_ANNOTATIONS] = "annotations", [KEY_THINKING] = "thinking", [KEY_REASONING_TEXT] = "reasoning_text", [KEY_BLOCKS] = "content_blocks",
	[KEY_IMAGES] = "images", [KEY_AUDIO] = "audio", [KEY_EXECUTED] = "executed_tools",
};

static void chat_fini(void *state)
{
	struct chat_state *s = state;

	calls_fini(&s->calls);
	reasoning_details_fini(&s->details);
	chat_media_fini(&s->media);
	buf_fini(&s->scratch);
}

/* True if there was any. */
static bool give_reasoning(struct decoder *d, const struct json *text)
{
	struct str raw = json_raw_text(text);

	guard_reasoning(d->guard, GUARD_UNNUMBERED, raw);
	return raw.len > 0;
}

static bool give_details(struct decoder *d, const struct json *details)
{
	bool given = false;

	for (size_t i = 0; i < json_length(details); i++) {
		const struct json *element = json_at(details, i);

		given |= give_reasoning(d, json_get(element, "text")) || give_reasoning(d, json_get(element, "summary"));
	}
	return given;
}

/* A string, or an object with `content`. */
static bool give_thinking(struct decoder *d, const struct json *thinking)
{
	return give_reasoning(d, thinking) || give_reasoning(d, json_get(thinking, "content"));
}

static bool give_blocks(struct decoder *d, const struct json *blocks)
{
	bool given = false;

	for (size_t i = 0; i < json_length(blocks); i++)
		given |= give_thinking(d, json_get(json_get(json_at(blocks, i), "delta"), "thinking"));
	return given;
}

/* More than one field of the delta has reasoning. */
static bool is_mirrored(const struct json *const *delta)
{
	return !!json_raw_text(delta[KEY_REASONING_CONTENT]).len + !!json_raw_text(delta[KEY_REASONING]).len + (json_length(delta[KEY_DETAILS]) > 0) +
	       !!json_raw_text(delta[KEY_REASONING_TEXT]).len > 1;
}

/* Several fields may repeat the text: the first that is not empty counts ("Deviations" in src/wire/README.md). */
static bool decode_reasoning(struct decoder *d, struct chat_state *s, const struct json *const *delta)
{
	if (is_mirrored(delta))
		guard_repair(d->guard, MENDED_REASONING);
	if (delta[KEY_DETAILS])
		reasoning_details_add(&s->details, delta[KEY_DETAILS]);
	if (give_reasoning(d, delta[KEY_REASONING_CONTENT])) {
		if (!s->replay_noted)
			guard_opaque(d->guard, GUARD_NEW_PART, -1, OPAQUE_REASONING_CONTENT, STR(""));
		s->replay_noted = true;
		return true;
	}
	return give_reasoning(d, delta[KEY_REASONING]) || give_details(d, delta[KEY_DETAILS]) || give_thinking(d, delta[KEY_THINKING]) ||
	       give_reasoning(d, delta[KEY_REASONING_TEXT]) || give_blocks(d, delta[KEY_BLOCKS]);
}

/* Mistral's thinking part: its text is a string or an array of text parts. */
static void decode_thinking_part(struct decoder *d, const struct json *thinking)
{
	give_thinking(d, thinking);
	for (size_t i = 0; i < json_length(thinking); i++)
		give_reasoning(d, json_get(json_at(thinking, i), "text"));
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
		else if (str_is(json_get_text(part, "type"), "image_url"))
			chat_media_picture(d, &((struct chat_state *)d->state)->media, part);
	}
}

/* Beside deltas a `message` repeats what they had, or has it alone. */
static void decode_chat_media(struct decoder *d, const struct json *const *delta, bool is_repeated)
{
	struct chat_media *media = &((struct chat_state *)d->state)->media;

	chat_media_executed(d, media, delta[KEY_EXECUTED]);
	chat_media_pictures(d, media, delta[KEY_IMAGES]);
	if (json_kind(delta[KEY_AUDIO]) == JSON_OBJECT && !(is_repeated && media->heard))
		chat_media_audio(d, media, delta[KEY_AUDIO]);
}

static void decode_repeated_media(struct decoder *d, const struct json *message)
{
	struct chat_media *media = &((struct chat_state *)d->state)->media;
	const struct json *delta[DELTA_KEYS];

	json_take(message, delta_keys, DELTA_KEYS, delta);
	for (size_t i = 0; i < json_length(delta[KEY_CONTENT]); i++)
		if (str_is(json_get_text(json_at(delta[KEY_CONTENT], i), "type"), "image_url"))
			chat_media_picture(d, media, json_at(delta[KEY_CONTENT], i));
	decode_chat_media(d, delta, true);
}

static void decode_annotations(struct decoder *d, const struct json *annotations)
{
	for (size_t i = 0; i < json_length(annotations); i++) {
		const struct json *citation = json_get(json_at(annotations, i), "url_citation");

		struct citation cited = {
			.url = json_get_text(citation, "url"), .title = json_get_text(citation, "title"), .text = json_get_text(citation, "content"),
		};

		if (!citation)
			continue;
		decode_citation_range(citation, &cited);
		guard_cite(d->guard, GUARD_UNNUMBERED, &cited);
	}
}

/* Perplexity's lists beside the choices: the same sources with titles, or only their URLs. */
static void decode_sources(struct decoder *d, struct chat_state *s, const struct json *results, const struct json *urls)
{
	const struct json *list = json_length(results) ? results : urls;

	for (; s->sources_given < json_length(list); s->sources_given++) {
		const struct json *source = json_at(list, s->sources_given);
		struct str url = json_kind(source) == JSON_STRING ? json_text(source) : json_get_text(source, "url");

		if (url.len)
			guard_citation(d->guard, url, json_get_text(source, "title"), STR_NONE);
	}
}

/* Google's, sent back with the call byte for byte. Reported once per call. Their number is limited, because each searches the whole chunk. */
static void decode_extra(struct decoder *d, struct chat_state *s, unsigned call, const struct place *p)
{
	char choice[24], number[24];
	struct buf scratch = { 0 };
	struct str raw = message_raw(p->message, &scratch);

	s->raw_looked_at += raw.len;
	if (call != GUARD_NEW_PART && call >= s->extra_given && s->raw_looked_at <= RAW_LOOKUP_MOST) {
		snprintf(choice, sizeof choice, "#%zu", p->choice);
		snprintf(number, sizeof number, "#%zu", p->call);
		const char *const path[] = { "choices", choice, p->member, "tool_calls", number, "extra_content", NULL };
		s->extra_given = (size_t)call + 1;
		guard_opaque(d->guard, GUARD_NEW_PART, (int)call, OPAQUE_EXTRA_CONTENT, json_scan_find(raw, path));
	}
	buf_fini(&scratch);
}

static void decode_call(struct decoder *d, struct chat_state *s, const struct json *call, const struct place *p)
{
	bool is_custom = !json_get(call, "function");
	const struct json *function = json_get(call, is_custom ? "custom" : "function");

	if (json_kind(function) != JSON_OBJECT)
		return;
	struct buf id = { 0 };
	struct call_fragment fragment = {
		.index = decode_index(json_get(call, "index")),
		.id = decode_id(call, "id", &id),
		.name = json_get_text(function, "name"),
		.arguments = decode_arguments(json_get(function, is_custom ? "input" : "arguments"), &s->scratch),
	};
	if (fragment.index < 0 && p->is_whole)
		fragment.index = (long long)p->call;
	unsigned joined = calls_join(&s->calls, d->guard, &fragment);
	if (json_get(call, "extra_content"))
		decode_extra(d, s, joined, p);
	buf_fini(&id);
}

/* The predecessor of tool calls, without ids: at most one call. */
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

const struct usage_member openai_chat_usage[] = {
	{ "prompt_tokens", .figure = USAGE_PROMPT },
	{ "completion_tokens", .figure = USAGE_COMPLETION },
	{ "total_tokens", .figure = USAGE_TOTAL },
	{ "prompt_tokens_details.cached_tokens", .figure = USAGE_CACHED },
	{ "prompt_tokens_details.cache_write_tokens", .figure = USAGE_CACHE_WRITE },
	{ "completion_tokens_details.reasoning_tokens", .figure = USAGE_REASONING },
	{ "completion_tokens_details.image_tokens", .figure = USAGE_IMAGE },
	{ "completion_tokens_details.audio_tokens", .figure = USAGE_AUDIO },
	{ "server_tool_use.web_search_requests", .figure = USAGE_SEARCHES }, /* OpenRouter */
	{ "prompt_cache_hit_tokens", .figure = USAGE_CACHED }, /* DeepSeek */
	{ 0 },
};

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

static void decode_delta(struct decoder *d, const struct json *value, struct place *p)
{
	struct chat_state *s = d->state;
	const struct json *delta[DELTA_KEYS];

	json_take(value, delta_keys, DELTA_KEYS, delta);
	bool reasoning_given = decode_reasoning(d, s, delta);
	decode_content(d, delta[KEY_CONTENT], reasoning_given);
	guard_refusal(d->guard, GUARD_UNNUMBERED, json_raw_text(delta[KEY_REFUSAL]));
	decode_chat_media(d, delta, p->is_whole);
	decode_annotations(d, delta[KEY_ANNOTATIONS]);
	for (p->call = 0; p->call < json_length(delta[KEY_TOOL_CALLS]) && !guard_failed(d->guard); p->call++)
		decode_call(d, s, json_at(delta[KEY_TOOL_CALLS], p->call), p);
	if (json_kind(delta[KEY_FUNCTION_CALL]) == JSON_OBJECT)
		decode_function_call(d, s, delta[KEY_FUNCTION_CALL]);
}

/* A `message` is the complete answer: it counts once, and never beside or after deltas: Perplexity repeats it in each chunk. */
static bool takes_message(const struct decoder *d)
{
	struct chat_state *s = d->state;

	if (s->message_taken || guard_has_text(d->guard) || guard_tool_count(d->guard))
		return false;
	s->message_taken = true;
	return true;
}

static void decode_choice(struct decoder *d, const struct message *m, const struct json *const *choice, size_t number)
{
	struct place place = { m, number, choice[CHOICE_DELTA] ? "delta" : "message", !choice[CHOICE_DELTA], 0 };

	if (choice[CHOICE_DELTA])
		decode_delta(d, choice[CHOICE_DELTA], &place);
	else if (choice[CHOICE_MESSAGE] && takes_message(d))
		decode_delta(d, choice[CHOICE_MESSAGE], &place);
	else
		guard_text(d->guard, GUARD_UNNUMBERED, json_raw_text(choice[CHOICE_TEXT]));
	if (choice[CHOICE_MESSAGE])
		decode_repeated_media(d, choice[CHOICE_MESSAGE]);
	if (json_text(choice[CHOICE_FINISH]).len)
		chat_media_finish(d, &((struct chat_state *)d->state)->media);
	guard_finish(d->guard, json_text(choice[CHOICE_FINISH]));
	decode_usage(d, choice[CHOICE_USAGE], openai_chat_usage);
}

static void decode_choices(struct decoder *d, const struct message *m, const struct json *choices)
{
	for (size_t i = 0; i < json_length(choices) && !guard_failed(d->guard); i++) {
		const struct json *choice[CHOICE_KEYS];

		json_take(json_at(choices, i), choice_keys, CHOICE_KEYS, choice);
		if (json_kind(json_at(choices, i)) == JSON_OBJECT && decode_is_of_answer(d, choice[CHOICE_INDEX]))
			decode_choice(d, m, choice, i);
	}
}

/* Errors without an `error` member (Mistral, FastAPI, Bedrock): only instead of an answer, never beside one. */
static bool is_bare_error(const struct decoder *d, const struct json *const *chunk, const struct message *m)
{
	struct str object = json_text(chunk[CHUNK_OBJECT]);

	if (chunk[CHUNK_CHOICES] || chunk[CHUNK_USAGE] || chunk[CHUNK_ROUTE] || str_starts(object, "chat."))
		return false;
	if (d->understood && !str_is(object, "error"))
		return false;
	struct buf scratch = { 0 };
	struct error_report report;
	bool is_error = error_body_read(m->value, &scratch, &report);
	buf_fini(&scratch);
	return is_error;
}

static void chat_decode(struct decoder *d, const struct message *m)
{
	struct chat_state *s = d->state;
	const struct json *chunk[CHUNK_KEYS];

	s->raw_looked_at = 0;
	json_take(m->value, chunk_keys, CHUNK_KEYS, chunk);
	bool may_fail = chunk[CHUNK_ERROR] || chunk[CHUNK_TYPE] || m->event.len;
	bool failed = (may_fail && decode_has_error(m)) || is_bare_error(d, chunk, m);
	if (chunk[CHUNK_CHOICES] || failed || str_starts(json_text(chunk[CHUNK_OBJECT]), "chat."))
		d->understood = true;
	guard_identity(d->guard, json_text(chunk[CHUNK_ID]), json_text(chunk[CHUNK_MODEL]));
	if (json_kind(chunk[CHUNK_ROUTE]) == JSON_OBJECT)
		decode_route(d, chunk[CHUNK_ROUTE]);
	decode_choices(d, m, chunk[CHUNK_CHOICES]);
	decode_sources(d, d->state, chunk[CHUNK_RESULTS], chunk[CHUNK_CITATIONS]);
	decode_usage(d, json_get(chunk[CHUNK_GROQ], "usage"), openai_chat_usage);
	decode_usage(d, chunk[CHUNK_USAGE], openai_chat_usage);
	if (failed)
		decode_error(d, m);
}

/* The merged reasoning_details are sent back only if they are complete: not if the answer was cut. */
static void chat_finish(struct decoder *d)
{
	struct chat_state *s = d->state;

	if (!d->proper)
		return;
	chat_media_end(d, &s->media);
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
	.window_holds_maximum = true,
	.done_is_end = true,
	.path = "/chat/completions",
	.models_path = "/models",
	.build = openai_chat_build,
	.read_models = openai_read_models,
};
