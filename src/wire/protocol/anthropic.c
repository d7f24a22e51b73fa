/* Anthropic Messages: typed events around content blocks (src/wire/README.md, "Anthropic Messages"). */
#include "wire/protocol/anthropic.h"

#include <string.h>

#include "wire/decode.h"
#include "wire/protocol/anthropic_blocks.h"

struct anthropic {
	bool started;          /* the first value arrived */
	bool begun;            /* a message_start arrived */
	struct anthropic_blocks blocks;
	struct count counts[USAGE_MEMBERS_MOST]; /* of anthropic_usage */
	bool usage_counts;     /* one of them is more than zero */
};

static void anthropic_fini(void *state)
{
	anthropic_blocks_fini(&((struct anthropic *)state)->blocks);
}

static struct anthropic_blocks *blocks_of(const struct decoder *d)
{
	return &((struct anthropic *)d->state)->blocks;
}

/* --- usage --- */

const struct usage_member anthropic_usage[] = {
	{ "input_tokens", .figure = USAGE_PROMPT }, /* without cache writes and reads */
	{ "cache_creation_input_tokens", .figure = USAGE_PROMPT, .adds = true },
	{ "cache_creation_input_tokens", .figure = USAGE_CACHE_WRITE },
	{ "cache_read_input_tokens", .figure = USAGE_PROMPT, .adds = true },
	{ "cache_read_input_tokens", .figure = USAGE_CACHED },
	{ "output_tokens", .figure = USAGE_COMPLETION },
	{ "output_tokens_details.thinking_tokens", .figure = USAGE_REASONING },
	{ "server_tool_use.web_search_requests", .figure = USAGE_SEARCHES },
	{ 0 },
};

/* Merges fields, because a later object may have only some. An object of zeros is ignored. */
static void take_usage(struct decoder *d, const struct json *value)
{
	struct anthropic *a = d->state;
	struct count counts[USAGE_MEMBERS_MOST];

	memcpy(counts, a->counts, sizeof counts);
	bool positive = decode_counts(value, anthropic_usage, counts);
	if (positive || !a->usage_counts)
		memcpy(a->counts, counts, sizeof counts);
	a->usage_counts = a->usage_counts || positive;
	struct usage usage = usage_from_counts(anthropic_usage, a->counts);
	guard_usage(d->guard, &usage, decode_cost(value));
}

/* --- events --- */

static void anthropic_start_over(struct anthropic *a)
{
	anthropic_blocks_clear(&a->blocks);
	memset(a->counts, 0, sizeof a->counts);
	a->usage_counts = false;
}

static void take_stop(struct decoder *d, const struct json *value)
{
	struct str why = json_get_text(json_get(value, "stop_details"), "explanation");

	guard_finish(d->guard, json_get_text(value, "stop_reason"));
	if (why.len)
		guard_notice(d->guard, "stop-details", "%.*s", STR_ARG(why));
}

static int64_t anthropic_index(const struct json *value)
{
	return decode_index(json_get(value, "index"));
}

static void on_message_start(struct decoder *d, const struct json *value)
{
	struct anthropic *a = d->state;
	const struct json *message = json_get(value, "message");

	if (a->begun) {
		guard_restart(d->guard);
		anthropic_start_over(a);
	}
	a->begun = true;
	guard_identity(d->guard, json_get_text(message, "id"), json_get_text(message, "model"));
	take_usage(d, json_get(message, "usage"));
}

static void on_block_start(struct decoder *d, const struct json *value)
{
	anthropic_blocks_start(blocks_of(d), anthropic_index(value), json_get(value, "content_block"));
}

static void on_block_delta(struct decoder *d, const struct json *value)
{
	anthropic_blocks_delta(blocks_of(d), anthropic_index(value), json_get(value, "delta"));
}

static void on_block_stop(struct decoder *d, const struct json *value)
{
	anthropic_blocks_stop(blocks_of(d), anthropic_index(value));
}

static void on_message_delta(struct decoder *d, const struct json *value)
{
	take_usage(d, json_get(value, "usage"));
	take_stop(d, json_get(value, "delta"));
}

static void on_message_stop(struct decoder *d, const struct json *value)
{
	(void)value;
	anthropic_blocks_stop_all(blocks_of(d));
	guard_done(d->guard);
}

static void on_ping(struct decoder *d, const struct json *value)
{
	(void)d;
	(void)value;
}

/* The answer as one value (no stream). */
static void on_message(struct decoder *d, const struct json *value)
{
	const struct json *content = json_get(value, "content");

	guard_identity(d->guard, json_get_text(value, "id"), json_get_text(value, "model"));
	for (size_t i = 0; i < json_length(content); i++) {
		anthropic_blocks_start(blocks_of(d), (int64_t)i, json_at(content, i));
		anthropic_blocks_stop(blocks_of(d), (int64_t)i);
	}
	take_usage(d, json_get(value, "usage"));
	take_stop(d, value);
}

static const struct event {
	const char *type;
	void (*take)(struct decoder *d, const struct json *value);
} events[] = {
	{ "message_start", on_message_start },
	{ "content_block_start", on_block_start },
	{ "content_block_delta", on_block_delta },
	{ "content_block_stop", on_block_stop },
	{ "message_delta", on_message_delta },
	{ "message_stop", on_message_stop },
	{ "message", on_message },
	{ "ping", on_ping },
};

static void anthropic_decode(struct decoder *d, const struct message *m)
{
	const struct event *event = DECODE_ROW(events, decode_type(m));
	bool failed = decode_has_error(m);
	struct anthropic *a = d->state;

	if (!a->started) {
		a->started = true;
		a->blocks.guard = d->guard;
		anthropic_start_over(a);
	}
	d->understood = d->understood || event || failed;
	/* Content beside an error counts. An end mark would hide the error. */
	if (event && !(failed && event->take == on_message_stop))
		event->take(d, m->value);
	if (failed) {
		anthropic_blocks_stop_all(blocks_of(d));
		decode_error(d, m);
	} else if (event && event->take == on_message) {
		guard_done(d->guard);
	}
}

static void anthropic_finish(struct decoder *d)
{
	anthropic_blocks_stop_all(blocks_of(d));
}

const struct protocol protocol_anthropic = {
	.name = "anthropic",
	.state_bytes = sizeof(struct anthropic),
	.fini = anthropic_fini,
	.decode = anthropic_decode,
	.finish = anthropic_finish,
	.path = "/v1/messages",
	.version_segment = "/v1",
	.models_path = "/v1/models?limit=1000",
	.models_next = "after_id",
	.headers = "anthropic-version: 2023-06-01",
	.temperature_most = 1,
	.continues_text = true,
	.results_hold_files = true,
	.window_holds_maximum = true,
	.build = anthropic_build,
	.read_models = anthropic_read_models,
};
