#include "chat/exchange/refusal.h"

#include <math.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/exchange/continuation.h"
#include "wire/error_body.h"

#define HINT_MESSAGE_BYTES 300

static bool says(const struct refusal *r, const char *words)
{
	return str_has_nocase(r->body, str_from(words));
}

static bool says_any(const struct refusal *r, const char *const *words)
{
	for (; *words; words++)
		if (says(r, *words))
			return true;
	return false;
}

/* --- repairs --- */

static bool sent_usage_opt_in(const struct refusal *r)
{
	return r->protocol == &protocol_openai_chat && r->request->stream && r->request->sending.usage_opt_in;
}

/* Whether the maximum was sent under a name that can still be changed. */
static bool sent_maximum(const struct refusal *r)
{
	return r->protocol == &protocol_openai_chat && r->request->max_tokens > 0 && !r->provider->refuses_max_tokens_field;
}

static bool sent_max_tokens(const struct refusal *r)
{
	return sent_maximum(r) && r->request->sending.max_tokens_field == MAX_TOKENS_OLD;
}

static bool sent_max_completion_tokens(const struct refusal *r)
{
	return sent_maximum(r) && r->request->sending.max_tokens_field == MAX_TOKENS_COMPLETION;
}

static bool sent_temperature(const struct refusal *r)
{
	return !isnan(r->request->temperature);
}

static bool sent_reasoning_effort(const struct refusal *r)
{
	return r->protocol == &protocol_openai_chat && r->request->sending.reasoning_field == REASONING_FIELD_EFFORT &&
	       r->request->reasoning >= REASONING_LEVEL_LOW;
}

static const struct {
	const char *parameter;
	bool (*was_sent)(const struct refusal *r);
	enum repair repair;
} parameters[] = {
	{ "stream_options", sent_usage_opt_in, REPAIR_USAGE },
	{ "max_tokens", sent_max_tokens, REPAIR_MAX_TOKENS },
	{ "max_completion_tokens", sent_max_completion_tokens, REPAIR_MAX_TOKENS },
	{ "temperature", sent_temperature, REPAIR_TEMPERATURE },
	{ "reasoning_effort", sent_reasoning_effort, REPAIR_REASONING },
};

static const char *const refusing[] = {
	"unknown", "unsupported", "not support", "unrecogni", "unexpected", "not permitted", "not allowed", "extra_forbidden",
	"additional properties", "invalid parameter", "invalid argument", "may only be", "only the default", "deprecated",
	"does not exist", NULL,
};

static bool has_opaque(const struct request *request)
{
	for (size_t i = 0; i < request->message_count; i++)
		for (size_t j = 0; j < request->messages[i].part_count; j++)
			if (request->messages[i].parts[j].kind == PART_OPAQUE)
				return true;
	return false;
}

enum repair refusal_repair(const struct refusal *r)
{
	static const char *const beginning[] = { "prefill", "must end with a user message", "final message", "last message", NULL };
	static const char *const opaque[] = {
		"signature", "thinking", "thought", "encrypted", "reasoning_details", "reasoning_content", NULL,
	};

	if (r->status != 400 && r->status != 422)
		return REPAIR_NONE;
	if (continuation_of(r->provider, r->protocol, r->request) == CONTINUATION_BEGINNING && says_any(r, beginning))
		return REPAIR_BEGINNING;
	for (size_t i = 0; says_any(r, refusing) && i < ARRAY_LEN(parameters); i++)
		if (says(r, parameters[i].parameter) && parameters[i].was_sent(r))
			return parameters[i].repair;
	return has_opaque(r->request) && says_any(r, opaque) ? REPAIR_OPAQUE : REPAIR_NONE;
}

void refusal_remember(struct provider *p, enum repair repair)
{
	switch (repair) {
	case REPAIR_USAGE:
		p->refuses_usage_opt_in = true;
		break;
	case REPAIR_MAX_TOKENS:
		p->refuses_max_tokens_field = true;
		break;
	case REPAIR_TEMPERATURE:
		p->refuses_temperature = true;
		break;
	case REPAIR_REASONING:
		p->refuses_reasoning = true;
		break;
	case REPAIR_BEGINNING:
		p->refuses_beginning = true;
		break;
	case REPAIR_NONE:
	case REPAIR_OPAQUE:
		break;
	}
}

const char *refusal_notice(enum repair repair)
{
	static const char *const notices[] = {
		[REPAIR_NONE] = "",
		[REPAIR_USAGE] = "the server refused stream_options: sent again without it",
		[REPAIR_MAX_TOKENS] = "the server refused the name of the token limit: sent again with the other one",
		[REPAIR_TEMPERATURE] = "the server refused temperature: sent again without it",
		[REPAIR_REASONING] = "the server refused reasoning_effort: sent again without it",
		[REPAIR_BEGINNING] = "the model does not continue a given beginning: sent again with a message that asks for the rest",
		[REPAIR_OPAQUE] = "the server refused the reasoning of earlier turns: sent again without signatures and other opaque parts",
	};

	return notices[repair];
}

static size_t count_parts(const struct request *request)
{
	size_t count = 0;

	for (size_t i = 0; i < request->message_count; i++)
		count += request->messages[i].part_count;
	return count;
}

void stripped_init(struct stripped *s, struct request *request)
{
	struct request_part *part = mem_resize(NULL, count_parts(request), sizeof *part);
	size_t count = 0;

	s->parts = part;
	s->messages = mem_resize(NULL, request->message_count, sizeof *s->messages);
	for (size_t i = 0; i < request->message_count; i++) {
		const struct request_message *message = &request->messages[i];
		struct request_message kept = { .role = message->role, .parts = part };

		for (size_t j = 0; j < message->part_count; j++)
			if (message->parts[j].kind != PART_OPAQUE)
				*part++ = message->parts[j];
		kept.part_count = (size_t)(part - kept.parts);
		if (kept.part_count)
			s->messages[count++] = kept;
	}
	request->messages = s->messages;
	request->message_count = count;
}

void stripped_fini(struct stripped *s)
{
	mem_free(s->messages);
	mem_free(s->parts);
}

void refusal_apply(const struct provider *p, const struct dialect *dialect, struct request *request)
{
	struct sending *sending = &request->sending;

	*sending = dialect && dialect != p->dialect ? dialect->sending : p->sending;
	if (p->refuses_usage_opt_in)
		sending->usage_opt_in = false;
	if (p->refuses_max_tokens_field)
		sending->max_tokens_field = sending->max_tokens_field == MAX_TOKENS_OLD ? MAX_TOKENS_COMPLETION : MAX_TOKENS_OLD;
	if (p->refuses_temperature)
		request->temperature = NAN;
	if (p->refuses_reasoning)
		request->reasoning = REASONING_LEVEL_UNSET;
}

/* --- messages for the user --- */

static bool is_about_key(const struct refusal *r)
{
	return r->status == 401 || r->status == 403 || (r->status == 400 && (says(r, "api key") || says(r, "API_KEY_INVALID")));
}

/* Whether the server is likely to mean what server tools add to the request. A model's list is asked for without one. */
static bool is_about_server_tools(const struct refusal *r)
{
	static const char *const things[] = {
		"tool", "search", "code_execution", "code execution", "codeexecution", "code_interpreter", "url_context", "web_fetch", "modalit",
		"image", "audio", "plugin", "anthropic-beta", NULL,
	};
	static const char *const not[] = { "no endpoints", "not available", "not enabled", "not valid", "invalid", "not found", "requires", NULL };
	bool is_of_request = r->status == 400 || r->status == 403 || r->status == 404 || r->status == 422;

	return is_of_request && r->request && r->request->added.len && says_any(r, things) && (says_any(r, refusing) || says_any(r, not));
}

static void add_server_tools(const struct refusal *r, struct buf *out)
{
	if (!is_about_server_tools(r))
		return;
	buf_add_z(out, "; it was asked for the server tools ");
	server_tools_write(r->request->server_tools, ", ", out);
	buf_add_z(out, ": /server-tools off or --server-tools off asks for none");
}

static void add_advice(const struct refusal *r, struct buf *out)
{
	struct buf source;

	buf_init(&source, 4096);
	provider_key_source(r->provider, &source);
	if (is_about_key(r) && r->key_was_typed)
		; /* it has no place yet */
	else if (is_about_key(r) && r->had_key)
		buf_printf(out, "; the key came from %s", buf_z(&source));
	else if (is_about_key(r) && r->provider->auth == AUTH_NONE)
		buf_add_z(out, "; no key was sent, because auth = none");
	else if (is_about_key(r))
		buf_printf(out, "; no key was sent: it is looked for in %s", buf_z(&source));
	buf_fini(&source);
	add_server_tools(r, out);
	if (r->status == 404)
		buf_printf(out, "; the URL was %.*s", STR_ARG(r->url));
	if (r->status / 100 == 3 && r->location.len)
		buf_printf(out, "; redirects are not followed, this one leads to %.*s", STR_ARG(r->location));
	if (r->retry_after.len)
		buf_printf(out, "; the server asks to wait: retry-after %.*s", STR_ARG(r->retry_after));
}

/* Adds the server's message, in one line of bounded length. */
static void add_message(const struct refusal *r, struct buf *out)
{
	struct error_report report;
	struct buf scratch = { 0 };
	struct error line;
	enum error_words found;

	found = error_body_find(r->body, &scratch, &report, NULL, NULL);
	if (report.message.len) {
		error_set(&line, "%.*s", STR_ARG(str_head(report.message, HINT_MESSAGE_BYTES)));
		buf_printf(out, ": %s", line.text);
	} else if (found == ERROR_WORDS_PAGE) {
		buf_add_z(out, ": a web page instead of an explanation");
	}
	buf_fini(&scratch);
}

void refusal_words(const struct refusal *r, struct buf *out)
{
	buf_printf(out, "HTTP %d from %s", r->status, r->provider->name);
	add_message(r, out);
}

void refusal_hint(const struct refusal *r, struct buf *out)
{
	struct buf advice;
	struct str rest;

	refusal_words(r, out);
	buf_init(&advice, 16384);
	if (r->request_id.len)
		buf_printf(&advice, "; request id %.*s", STR_ARG(r->request_id));
	add_advice(r, &advice);
	rest = str_skip(buf_str(&advice), 2);
	if (rest.len) {
		out->len = str_without_stop(buf_str(out)).len;
		buf_printf(out, " (%.*s)", STR_ARG(rest));
	}
	buf_fini(&advice);
}

bool refusal_is_of_model(const struct refusal *r)
{
	static const char *const unknown[] = {
		"not found", "not_found", "does not exist", "unknown model", "invalid model", "not a valid model", "no such model",
		"model_not", NULL,
	};

	return (r->status == 404 || r->status == 400) && says(r, "model") && says_any(r, unknown);
}
