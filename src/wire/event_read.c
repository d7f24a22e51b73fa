#include "wire/event_read.h"

#include "base/digest.h"
#include "base/json.h"
#include "base/mem.h"
#include "wire/guard.h"

struct event_reader {
	struct guard *guard;
	struct json_parser *parser;
	enum delta_kind kind; /* of the last content */
	unsigned key;         /* of the part under way */
	int call;             /* the call that the last content belongs to; -1: text */
	enum end_how how;
};

static bool event_kind(const struct json *value, enum delta_kind *kind)
{
	struct str name = json_get_text(value, "type");

	for (unsigned i = 0; i < DELTA_KIND_COUNT; i++)
		if (str_is(name, delta_kind_name((enum delta_kind)i))) {
			*kind = (enum delta_kind)i;
			return true;
		}
	return false;
}

/* --- members --- */

static struct usage event_usage(const struct json *value)
{
	struct usage usage = { 0 };

	for (unsigned i = 0; i < USAGE_FIGURE_COUNT; i++)
		usage.of[i].sent = json_count(json_get(value, usage_row((enum usage_figure)i)->member), &usage.of[i].number);
	return usage;
}

static struct route event_route(const struct json *value)
{
	struct route route = { .routed = -1, .routed_model = json_get_text(value, "routed_model"), .routing_latency_ms = -1 };
	bool routed;

	if (json_flag(json_get(value, "routed"), &routed))
		route.routed = routed;
	(void)json_number(json_get(value, "routing_latency_ms"), &route.routing_latency_ms);
	return route;
}

static struct error_report event_error(const struct json *value)
{
	struct error_report error = { json_get_text(value, "message"), json_get_text(value, "error_type"), json_get_text(value, "code"), 0 };
	int64_t status;

	if (json_count(json_get(value, "status"), &status) && status <= 999)
		error.status = (int)status;
	return error;
}

/* --- events --- */

/* Text of another kind, or behind a call, is a new part. */
static void event_take_text(struct event_reader *r, enum delta_kind kind, struct str text)
{
	if (kind != r->kind || r->call >= 0)
		r->key++;
	r->kind = kind;
	r->call = -1;
	if (kind == DELTA_TEXT)
		guard_text(r->guard, r->key, text);
	else if (kind == DELTA_REASONING)
		guard_reasoning(r->guard, r->key, text);
	else
		guard_refusal(r->guard, r->key, text);
}

/* The index of an item of media or of a server tool; one that cannot be where there is none. */
static unsigned event_item(const struct json *value)
{
	int64_t number;

	return json_count(json_get(value, "index"), &number) && number <= INT32_MAX ? (unsigned)number : GUARD_NEW_PART;
}

/* The index of an event counts calls from 0, as the guard does. */
static void event_take_call(struct event_reader *r, enum delta_kind kind, const struct json *value)
{
	int64_t number = 0;
	unsigned index;

	if (kind == DELTA_TOOL_BEGIN) {
		r->call = (int)guard_tool_begin(r->guard, json_get_text(value, "id"), json_get_text(value, "name"));
		return;
	}
	if (!json_count(json_get(value, "index"), &number) || (uint64_t)number >= guard_tool_count(r->guard))
		return;
	index = (unsigned)number;
	r->call = (int)index;
	if (!guard_tool_open(r->guard, index))
		return;
	if (kind == DELTA_TOOL_NAME)
		guard_tool_name(r->guard, index, json_get_text(value, "id"), json_get_text(value, "name"));
	else if (kind == DELTA_TOOL_ARGUMENTS)
		guard_tool_arguments(r->guard, index, json_get_text(value, "text"));
	else
		guard_tool_end(r->guard, index);
}

static struct media_facts event_media_facts(const struct json *value)
{
	struct media_facts facts = {
		.id = json_get_text(value, "id"), .type = json_get_text(value, "type"), .url = json_get_text(value, "url"),
		.sha256 = json_get_text(value, "sha256"),
	};
	int64_t bytes = 0, partials = 0;

	(void)media_kind_find(json_get_text(value, "kind"), &facts.kind);
	(void)json_flag(json_get(value, "whole"), &facts.whole);
	(void)json_flag(json_get(value, "thought"), &facts.thought);
	if (facts.sha256.len == DIGEST_HEX && json_count(json_get(value, "bytes"), &bytes) && (uint64_t)bytes <= SIZE_MAX)
		facts.bytes = (size_t)bytes;
	if (!facts.bytes)
		facts.sha256 = STR_NONE;
	if (json_count(json_get(value, "partials"), &partials) && partials <= UINT32_MAX)
		facts.partials = (unsigned)partials;
	return facts;
}

/* The data is in no event: an item has its facts only. */
static void event_take_media(struct event_reader *r, enum delta_kind kind, const struct json *value)
{
	struct media_facts facts = event_media_facts(kind == DELTA_MEDIA_END ? json_get(value, "media") : value);
	unsigned index = event_item(value);

	if (kind == DELTA_MEDIA_BEGIN)
		guard_media_begin(r->guard, &(struct media_facts){ .kind = facts.kind, .id = facts.id });
	else if (kind == DELTA_MEDIA_TEXT)
		guard_media_text(r->guard, index, json_get_text(value, "text"));
	else if (kind == DELTA_MEDIA_END)
		guard_media_recall(r->guard, index, &facts, json_get_text(json_get(value, "media"), "text"));
}

static void event_take_server_tool(struct event_reader *r, enum delta_kind kind, const struct json *value)
{
	enum server_tool_state state = SERVER_TOOL_INCOMPLETE;
	unsigned index = event_item(value);

	if (kind == DELTA_SERVER_TOOL_BEGIN) {
		guard_server_tool_begin(r->guard, json_get_text(value, "id"), json_get_text(value, "name"));
	} else if (kind == DELTA_SERVER_TOOL_INPUT) {
		guard_server_tool_input(r->guard, index, json_get_text(value, "text"));
	} else {
		(void)server_tool_state_find(json_get_text(value, "state"), &state);
		guard_server_tool_output(r->guard, index, json_text(json_get(value, "output")));
		guard_server_tool_state(r->guard, index, state);
		guard_server_tool_end(r->guard, index);
	}
}

/* Opaque data belongs to what came last. */
static void event_take_opaque(struct event_reader *r, const struct json *value)
{
	char *format = str_dup(json_get_text(value, "format"));

	guard_opaque(r->guard, r->call >= 0 ? GUARD_NEW_PART : guard_part(r->guard, r->kind, r->key), r->call, format, json_get_text(value, "data"));
	mem_free(format);
}

static void event_take_end(struct event_reader *r, const struct json *value)
{
	if (!end_how_from(json_get_text(value, "outcome"), &r->how)) /* the outcomes of a broken stream have the names of its end */
		r->how = END_CLOSED;
	if (r->how == END_CLOSED)
		guard_done(r->guard);
}

static void event_take(struct event_reader *r, const struct json *value)
{
	struct error_report error;
	struct usage usage;
	struct route route;
	enum delta_kind kind;
	double t;

	if (!event_kind(value, &kind))
		return;
	guard_set_time(r->guard, json_number(json_get(value, "t"), &t) && t >= 0 ? t : -1);
	switch (kind) {
	case DELTA_BEGIN:
	case DELTA_META:
		guard_identity(r->guard, json_get_text(value, "id"), json_get_text(value, "model"));
		break;
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
		event_take_text(r, kind, json_get_text(value, "text"));
		break;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
	case DELTA_TOOL_ARGUMENTS:
	case DELTA_TOOL_END:
		event_take_call(r, kind, value);
		break;
	case DELTA_OPAQUE:
		event_take_opaque(r, value);
		break;
	case DELTA_CITATION:
		guard_citation(r->guard, json_get_text(value, "url"), json_get_text(value, "title"), json_get_text(value, "text"));
		break;
	case DELTA_USAGE:
		usage = event_usage(value);
		guard_usage(r->guard, &usage, MONEY_UNKNOWN);
		break;
	case DELTA_ROUTE:
		route = event_route(value);
		guard_route(r->guard, &route);
		break;
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_MEDIA_END:
		event_take_media(r, kind, value);
		break;
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END:
		event_take_server_tool(r, kind, value);
		break;
	case DELTA_NOTICE:
		break;
	case DELTA_RESTART:
		guard_restart(r->guard);
		r->kind = DELTA_RESTART; /* what came before it is gone */
		r->call = -1;
		break;
	case DELTA_FINISH:
		guard_finish(r->guard, json_get_text(value, "reason"));
		break;
	case DELTA_ERROR:
		error = event_error(value);
		guard_error(r->guard, &error);
		break;
	case DELTA_END:
		event_take_end(r, value);
		break;
	}
}

/* --- the text --- */

static const struct json *event_parse(struct json_parser *parser, struct str line)
{
	size_t used = 0;
	const struct json *value = str_is_blank(line) ? NULL : json_parse(parser, line, &used);

	return str_is_blank(str_skip(line, used)) && json_kind(value) == JSON_OBJECT ? value : NULL;
}

bool event_read_begins(struct str text)
{
	struct json_parser *parser = json_parser_new();
	const struct json *value = str_starts(text, "{") ? event_parse(parser, str_head(text, str_find(text, STR("\n")))) : NULL;
	enum delta_kind kind;
	bool begins = value && event_kind(value, &kind) && kind == DELTA_BEGIN;

	json_parser_free(parser);
	return begins;
}

void event_read(struct str text, delta_sink *sink, void *ctx, enum end_how *how)
{
	struct event_reader r = { .guard = guard_new(sink, ctx), .parser = json_parser_new(), .call = -1, .how = END_CUT };
	struct str line;

	while (str_split(&text, '\n', &line)) {
		const struct json *value = event_parse(r.parser, line);

		if (value)
			event_take(&r, value);
	}
	guard_end(r.guard, r.how, &(struct guard_ending){ .understood = true });
	*how = r.how;
	guard_free(r.guard);
	json_parser_free(r.parser);
}

int event_read_status(struct str text)
{
	struct json_parser *parser = json_parser_new();
	struct str line;
	enum delta_kind kind;
	int status = 0;

	while (str_split(&text, '\n', &line)) {
		const struct json *value = str_find(line, STR("\"error\"")) < line.len ? event_parse(parser, line) : NULL;

		if (value && event_kind(value, &kind) && kind == DELTA_ERROR)
			status = event_error(value).status;
	}
	json_parser_free(parser);
	return status;
}
