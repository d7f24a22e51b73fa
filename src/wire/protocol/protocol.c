#include "wire/protocol/protocol.h"

#include "base/array.h"
#include "base/names.h"

#define PROTOCOL_ROW(name) &protocol_##name,
static const struct protocol *const protocols[PROTOCOL_COUNT] = { PROTOCOLS(PROTOCOL_ROW) };
#undef PROTOCOL_ROW

const struct protocol *protocol_at(size_t index)
{
	return index < PROTOCOL_COUNT ? protocols[index] : NULL;
}

const char *protocol_name_at(const void *unused, size_t index)
{
	(void)unused;
	return index < PROTOCOL_COUNT ? protocols[index]->name : NULL;
}

struct str message_raw(const struct message *m, struct buf *scratch)
{
	return m->pack_count ? json_unpack(m->raw, m->packs, m->pack_count, scratch) : m->raw;
}

const struct protocol *protocol_find(struct str name)
{
	for (size_t i = 0; i < PROTOCOL_COUNT; i++)
		if (str_is(name, protocols[i]->name))
			return protocols[i];
	return NULL;
}

const struct protocol *protocol_named(const char *name, struct error *err)
{
	const struct protocol *protocol = protocol_find(str_from(name));

	if (!protocol)
		names_refuse("protocol", str_from(name), protocol_name_at, NULL, err);
	return protocol;
}

void protocol_write(const struct protocol *protocol, const struct request *request, struct json_writer *w)
{
	w->patch = request->extra;
	protocol->build(request, w);
	w->patch = STR_NONE;
}

bool protocol_build(const struct protocol *protocol, const struct request *request, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	protocol_write(protocol, request, &w);
	return !w.full;
}

static bool asks_for_one(const struct json *request)
{
	static const char *const counts[] = { "n", "generationConfig.candidateCount", "generation_config.candidate_count" };
	int64_t answers = 1;

	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		if (json_find(request, counts[i]) && (!json_count(json_find(request, counts[i]), &answers) || answers > 1))
			return false;
	return json_kind(request) == JSON_OBJECT;
}

struct asked_for asked_for_by(const struct json *request)
{
	return (struct asked_for){ asks_for_one(request), media_audio_type(json_text(json_find(request, "audio.format"))) };
}

static bool is_anthropic_type(struct str type)
{
	return str_is(type, "message_start") || str_is(type, "message_delta") || str_is(type, "message_stop") ||
	       str_is(type, "message") || str_starts(type, "content_block_");
}

/* Anthropic's errors have type and message only; those of Responses have a sequence number, a code or a parameter's name. */
static const struct protocol *detect_typed_error(const struct json *value)
{
	static const char *const marks[] = { "sequence_number", "code", "param" };
	const struct json *error = json_get(value, "error");

	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (json_get(value, marks[i]) || json_get(error, marks[i]))
			return &protocol_openai_responses;
	return error ? &protocol_anthropic : NULL;
}

/* Google's errors have a status word and a numeric code. */
static bool is_google_error(const struct json *error)
{
	return json_kind(json_get(error, "code")) == JSON_NUMBER && json_get_text(error, "status").len;
}

static bool is_gemini(const struct json *value)
{
	return json_get(value, "candidates") || json_get(value, "promptFeedback") || json_get(value, "usageMetadata") ||
	       is_google_error(json_get(value, "error"));
}

const struct protocol *protocol_detect(const struct json *value, struct str event)
{
	struct str type = json_get_text(value, "type"), object = json_get_text(value, "object");
	bool done;

	if (!type.len)
		type = event;
	if (json_kind(value) == JSON_ARRAY)
		return protocol_detect(json_at(value, 0), event);
	if (json_kind(value) != JSON_OBJECT)
		return NULL;
	if (json_kind(json_get(value, "choices")) == JSON_ARRAY || str_starts(object, "chat.completion"))
		return &protocol_openai_chat;
	if (str_starts(type, "response.") || str_is(object, "response"))
		return &protocol_openai_responses;
	if (is_anthropic_type(type))
		return &protocol_anthropic;
	if (is_gemini(value))
		return &protocol_gemini;
	if (json_flag(json_get(value, "done"), &done))
		return &protocol_ollama;
	return str_is(json_get_text(value, "type"), "error") ? detect_typed_error(value) : NULL;
}
