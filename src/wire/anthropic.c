/* Anthropic Messages: content blocks, keyed by index, that may overlap (wire.md 7). */
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "wire/anthropic.h"
#include "wire/decode.h"
#include "wire/framer.h"

#define BLOCKS_MAX 16384
#define HELD_LIMIT (4 * FRAMER_EVENT_LIMIT) /* bytes of signatures and server blocks that wait for their end */

enum block_kind { BLOCK_OTHER, BLOCK_TEXT, BLOCK_THINKING, BLOCK_TOOL, BLOCK_SERVER };

/* Its place in the array is the guard's key of its text. */
struct block {
	enum block_kind kind;
	int64_t index;        /* as sent, -1: none was sent */
	bool stopped;
	unsigned tool;        /* BLOCK_TOOL: the guard's call */
	struct buf start;     /* BLOCK_TOOL: the input of its start; BLOCK_SERVER: the whole block as it started */
	size_t input_at, input_len; /* BLOCK_SERVER: where in that the input stands */
	struct buf streamed;  /* BLOCK_THINKING: the signature; BLOCK_SERVER: the input */
};

enum usage_field { USAGE_INPUT, USAGE_CREATION, USAGE_READ, USAGE_OUTPUT, USAGE_THINKING, USAGE_FIELDS };

struct anthropic {
	bool started;          /* the first value came */
	bool begun;            /* a message_start came */
	struct block *blocks;
	size_t count, capacity;
	size_t held;           /* bytes in the blocks' buffers */
	int64_t usage[USAGE_FIELDS];
	bool usage_counts;     /* one of them is more than zero */
};

/* Adds all or, at the ceiling, nothing. */
static void hold(struct anthropic *a, struct buf *buf, struct str text)
{
	if (text.len <= HELD_LIMIT - a->held && buf_add(buf, text))
		a->held += text.len;
}

static void block_fini(struct anthropic *a, struct block *b)
{
	a->held -= b->start.len + b->streamed.len;
	buf_fini(&b->start);
	buf_fini(&b->streamed);
}

static void forget_blocks(struct anthropic *a)
{
	for (size_t i = 0; i < a->count; i++)
		block_fini(a, &a->blocks[i]);
	a->count = 0;
}

static void anthropic_fini(void *state)
{
	struct anthropic *a = state;
	forget_blocks(a);
	mem_free(a->blocks);
}

static unsigned key_of(const struct anthropic *a, const struct block *b)
{
	return (unsigned)(b - a->blocks);
}

/* The last block of that index, because some servers use one again; without an index the last of all. */
static struct block *find_block(struct anthropic *a, int64_t index)
{
	for (size_t i = a->count; i > 0; i--)
		if (index < 0 || a->blocks[i - 1].index == index)
			return &a->blocks[i - 1];
	return NULL;
}

static struct block *add_block(struct anthropic *a, int64_t index, enum block_kind kind)
{
	if (a->count == BLOCKS_MAX)
		return NULL;
	mem_reserve(&a->blocks, &a->capacity, a->count + 1, sizeof *a->blocks);
	struct block *b = &a->blocks[a->count++];
	*b = (struct block){ .kind = kind, .index = index };
	buf_init(&b->start, HELD_LIMIT);
	buf_init(&b->streamed, HELD_LIMIT);
	return b;
}

/* --- the end of a block ------------------------------------------------------------------------------------------- */

/* A signature whose text was not shown has no part to belong to: it goes back as the block that it was. */
static void give_signature(struct decoder *d, struct anthropic *a, struct block *b)
{
	unsigned part = guard_part(d->guard, DELTA_REASONING, key_of(a, b));
	struct buf whole;

	if (!b->streamed.len)
		return;
	if (part != GUARD_NEW_PART) {
		guard_opaque(d->guard, part, -1, OPAQUE_ANTHROPIC_SIGNATURE, buf_str(&b->streamed));
		return;
	}
	buf_init(&whole, BUF_LIMIT_DEFAULT);
	buf_add_z(&whole, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":");
	json_escape(&whole, buf_str(&b->streamed));
	buf_add_byte(&whole, '}');
	guard_opaque(d->guard, part, -1, OPAQUE_ANTHROPIC_BLOCK, buf_str(&whole));
	buf_fini(&whole);
}

/* Without its stop, a block whose input has not begun to arrive is not whole. */
static void give_server_block(struct decoder *d, struct block *b, bool stop_came)
{
	struct buf whole;

	if (!b->start.len || (b->streamed.len ? !json_scan_is_whole(buf_str(&b->streamed)) : !stop_came))
		return;
	buf_init(&whole, BUF_LIMIT_DEFAULT);
	buf_add(&whole, buf_str(&b->start));
	if (b->streamed.len) {
		buf_remove(&whole, b->input_at, b->input_len);
		buf_insert(&whole, b->input_at, buf_str(&b->streamed));
	}
	guard_opaque(d->guard, GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_BLOCK, buf_str(&whole));
	buf_fini(&whole);
}

/* Some servers send the whole input at the start and no delta (wire.md 7). */
static void end_tool(struct decoder *d, struct block *b)
{
	if (!guard_tool_open(d->guard, b->tool))
		return;
	if (str_is_blank(guard_tool_text(d->guard, b->tool)))
		guard_tool_arguments(d->guard, b->tool, buf_str(&b->start));
	guard_tool_end(d->guard, b->tool);
}

static void stop_block(struct decoder *d, struct block *b, bool stop_came)
{
	struct anthropic *a = d->state;

	if (b->stopped)
		return;
	b->stopped = true;
	if (b->kind == BLOCK_TOOL)
		end_tool(d, b);
	else if (b->kind == BLOCK_THINKING)
		give_signature(d, a, b);
	else if (b->kind == BLOCK_SERVER)
		give_server_block(d, b, stop_came);
	block_fini(a, b);
}

static void stop_all(struct decoder *d)
{
	struct anthropic *a = d->state;
	for (size_t i = 0; i < a->count; i++)
		stop_block(d, &a->blocks[i], false);
}

/* --- the start of a block ----------------------------------------------------------------------------------------- */

static void give_citation(struct decoder *d, const struct json *citation)
{
	struct str title = json_get_text(citation, "title");

	if (json_kind(citation) == JSON_OBJECT)
		guard_citation(d->guard, json_get_text(citation, "url"),
		               title.len ? title : json_get_text(citation, "document_title"),
		               json_get_text(citation, "cited_text"));
}

static void start_text(struct decoder *d, struct block *b, const struct json *value)
{
	const struct json *citations = json_get(value, "citations");

	guard_text(d->guard, key_of(d->state, b), json_raw_text(json_get(value, "text")));
	for (size_t i = 0; i < json_length(citations); i++)
		give_citation(d, json_at(citations, i));
}

static void start_thinking(struct decoder *d, struct block *b, const struct json *value)
{
	guard_reasoning(d->guard, key_of(d->state, b), json_raw_text(json_get(value, "thinking")));
	hold(d->state, &b->streamed, json_get_text(value, "signature"));
}

static void start_redacted(struct decoder *d, struct block *b, const struct json *value)
{
	struct str data = json_get_text(value, "data");

	(void)b;
	if (data.len)
		guard_opaque(d->guard, GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_REDACTED, data);
}

static void start_tool(struct decoder *d, struct block *b, const struct json *value)
{
	struct buf scratch;

	buf_init(&scratch, BUF_LIMIT_DEFAULT);
	b->tool = guard_tool_begin(d->guard, json_get_text(value, "id"), json_get_text(value, "name"));
	hold(d->state, &b->start, decode_arguments(json_get(value, "input"), &scratch));
	buf_fini(&scratch);
}

/* Its streamed input replaces the one that it starts with. */
static void start_server_tool(struct decoder *d, struct block *b, const struct json *value)
{
	struct buf whole, input;

	buf_init(&whole, BUF_LIMIT_DEFAULT);
	buf_init(&input, BUF_LIMIT_DEFAULT);
	decode_dump_without(value, "input", &whole);
	if (json_get(value, "input"))
		json_dump(json_get(value, "input"), &input);
	else
		buf_add_z(&input, "{}");
	buf_insert(&whole, whole.len - 1, STR(",\"input\":"));
	b->input_at = whole.len - 1;
	b->input_len = input.len;
	buf_insert(&whole, b->input_at, buf_str(&input));
	hold(d->state, &b->start, buf_str(&whole));
	buf_fini(&whole);
	buf_fini(&input);
}

/* Results of server tools come whole. */
static void start_result(struct decoder *d, struct block *b, const struct json *value)
{
	struct buf whole;

	(void)b;
	buf_init(&whole, BUF_LIMIT_DEFAULT);
	json_dump(value, &whole);
	guard_opaque(d->guard, GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_BLOCK, buf_str(&whole));
	buf_fini(&whole);
}

/* Blocks of another type are nothing to show and nothing to send back; `fallback` is one. */
static const struct starter {
	const char *type; /* a "*" stands for any beginning */
	enum block_kind kind;
	void (*start)(struct decoder *d, struct block *b, const struct json *value);
} starters[] = {
	{ "text", BLOCK_TEXT, start_text },
	{ "thinking", BLOCK_THINKING, start_thinking },
	{ "redacted_thinking", BLOCK_OTHER, start_redacted },
	{ "tool_use", BLOCK_TOOL, start_tool },
	{ "server_tool_use", BLOCK_SERVER, start_server_tool },
	{ "mcp_tool_use", BLOCK_SERVER, start_server_tool },
	{ "*_tool_result", BLOCK_OTHER, start_result },
};

static const struct starter *starter_of(struct str type)
{
	for (size_t i = 0; i < sizeof starters / sizeof *starters; i++) {
		const char *word = starters[i].type;
		if (*word == '*' ? str_ends(type, word + 1) : str_is(type, word))
			return &starters[i];
	}
	return NULL;
}

/* A start that comes twice is the same call. */
static bool is_repeated(const struct decoder *d, const struct block *b, const struct json *value)
{
	struct str id = json_get_text(value, "id");

	return b && b->kind == BLOCK_TOOL && !b->stopped && id.len && str_equal(id, guard_tool_id(d->guard, b->tool));
}

/* NULL when there are too many. `value` is NULL for a block whose start did not come. */
static struct block *start_block(struct decoder *d, int64_t index, struct str type, const struct json *value)
{
	struct anthropic *a = d->state;
	const struct starter *starter = starter_of(type);
	struct block *b = find_block(a, index);

	if (is_repeated(d, b, value))
		return b;
	b = add_block(a, index, starter ? starter->kind : BLOCK_OTHER);
	if (b && starter)
		starter->start(d, b, value);
	return b;
}

/* --- deltas ------------------------------------------------------------------------------------------------------- */

static void delta_text(struct decoder *d, struct block *b, const struct json *delta)
{
	guard_text(d->guard, key_of(d->state, b), json_raw_text(json_get(delta, "text")));
}

static void delta_thinking(struct decoder *d, struct block *b, const struct json *delta)
{
	guard_reasoning(d->guard, key_of(d->state, b), json_raw_text(json_get(delta, "thinking")));
}

/* A signature comes whole, a later one takes its place. */
static void delta_signature(struct decoder *d, struct block *b, const struct json *delta)
{
	struct anthropic *a = d->state;
	struct str signature = json_get_text(delta, "signature");

	if (!signature.len || b->stopped || b->kind != BLOCK_THINKING)
		return;
	a->held -= b->streamed.len;
	buf_clear(&b->streamed);
	hold(a, &b->streamed, signature);
}

static void delta_input(struct decoder *d, struct block *b, const struct json *delta)
{
	struct buf scratch;

	if (b->stopped || (b->kind != BLOCK_TOOL && b->kind != BLOCK_SERVER))
		return;
	buf_init(&scratch, BUF_LIMIT_DEFAULT);
	struct str piece = decode_arguments(json_get(delta, "partial_json"), &scratch);
	if (b->kind == BLOCK_TOOL)
		guard_tool_arguments(d->guard, b->tool, piece);
	else
		hold(d->state, &b->streamed, piece);
	buf_fini(&scratch);
}

static void delta_citation(struct decoder *d, struct block *b, const struct json *delta)
{
	(void)b;
	give_citation(d, json_get(delta, "citation"));
}

static const struct delta_type {
	const char *type;
	const char *block; /* the type of the block that it begins when there is none of its index */
	void (*take)(struct decoder *d, struct block *b, const struct json *delta);
} delta_types[] = {
	{ "text_delta", "text", delta_text },
	{ "thinking_delta", "thinking", delta_thinking },
	{ "signature_delta", "thinking", delta_signature },
	{ "input_json_delta", "tool_use", delta_input },
	{ "citations_delta", "text", delta_citation },
};

static void take_delta(struct decoder *d, int64_t index, const struct json *delta)
{
	struct str type = json_get_text(delta, "type");

	for (size_t i = 0; i < sizeof delta_types / sizeof *delta_types; i++) {
		const struct delta_type *t = &delta_types[i];
		if (!str_is(type, t->type))
			continue;
		struct block *b = find_block(d->state, index);
		if (!b)
			b = start_block(d, index, str_from(t->block), NULL);
		if (b)
			t->take(d, b, delta);
		return;
	}
}

/* --- usage -------------------------------------------------------------------------------------------------------- */

static const char *const usage_keys[USAGE_FIELDS] = {
	[USAGE_INPUT] = "input_tokens",
	[USAGE_CREATION] = "cache_creation_input_tokens",
	[USAGE_READ] = "cache_read_input_tokens",
	[USAGE_OUTPUT] = "output_tokens",
};

/* Field by field, because a later object may hold only some; one of zeros only says nothing new. */
static void take_usage(struct decoder *d, const struct json *value)
{
	struct anthropic *a = d->state;
	int64_t counts[USAGE_FIELDS];
	bool any = false;

	for (size_t i = 0; i < USAGE_FIELDS; i++) {
		counts[i] = usage_keys[i] ? decode_count(value, usage_keys[i])
		                          : decode_count(json_get(value, "output_tokens_details"), "thinking_tokens");
		any = any || counts[i] > 0;
	}
	for (size_t i = 0; i < USAGE_FIELDS; i++)
		if (counts[i] >= 0 && (any || !a->usage_counts))
			a->usage[i] = counts[i];
	a->usage_counts = a->usage_counts || any;

	struct usage usage = {
		.prompt_tokens = decode_sum(a->usage[USAGE_INPUT], decode_sum(a->usage[USAGE_CREATION], a->usage[USAGE_READ])),
		.completion_tokens = a->usage[USAGE_OUTPUT],
		.cached_tokens = a->usage[USAGE_READ],
		.cache_write_tokens = a->usage[USAGE_CREATION],
		.reasoning_tokens = a->usage[USAGE_THINKING],
	};
	usage.total_tokens = decode_total(usage.prompt_tokens, usage.completion_tokens);
	guard_usage(d->guard, &usage);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void start_over(struct anthropic *a)
{
	forget_blocks(a);
	for (size_t i = 0; i < USAGE_FIELDS; i++)
		a->usage[i] = -1;
	a->usage_counts = false;
}

static void take_stop(struct decoder *d, const struct json *value)
{
	struct str why = json_get_text(json_get(value, "stop_details"), "explanation");

	guard_finish(d->guard, json_get_text(value, "stop_reason"));
	if (why.len)
		guard_notice(d->guard, "stop-details", "%.*s", STR_ARG(why));
}

static int64_t index_of(const struct json *value)
{
	return decode_count(value, "index");
}

static void on_message_start(struct decoder *d, const struct json *value)
{
	struct anthropic *a = d->state;
	const struct json *message = json_get(value, "message");

	if (a->begun) {
		guard_restart(d->guard);
		start_over(a);
	}
	a->begun = true;
	guard_identity(d->guard, json_get_text(message, "id"), json_get_text(message, "model"));
	take_usage(d, json_get(message, "usage"));
}

static void on_block_start(struct decoder *d, const struct json *value)
{
	const struct json *block = json_get(value, "content_block");

	start_block(d, index_of(value), json_get_text(block, "type"), block);
}

static void on_block_delta(struct decoder *d, const struct json *value)
{
	take_delta(d, index_of(value), json_get(value, "delta"));
}

static void on_block_stop(struct decoder *d, const struct json *value)
{
	struct block *b = find_block(d->state, index_of(value));

	if (b)
		stop_block(d, b, true);
}

static void on_message_delta(struct decoder *d, const struct json *value)
{
	take_usage(d, json_get(value, "usage"));
	take_stop(d, json_get(value, "delta"));
}

static void on_message_stop(struct decoder *d, const struct json *value)
{
	(void)value;
	stop_all(d);
	guard_done(d->guard);
}

static void on_ping(struct decoder *d, const struct json *value)
{
	(void)d;
	(void)value;
}

/* The answer as one value, without a stream. */
static void on_message(struct decoder *d, const struct json *value)
{
	const struct json *content = json_get(value, "content");

	guard_identity(d->guard, json_get_text(value, "id"), json_get_text(value, "model"));
	for (size_t i = 0; i < json_length(content); i++) {
		const struct json *block = json_at(content, i);
		struct block *b = start_block(d, (int64_t)i, json_get_text(block, "type"), block);
		if (b)
			stop_block(d, b, true);
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

static const struct event *event_of(const struct message *m)
{
	struct str type = decode_type(m);

	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (str_is(type, events[i].type))
			return &events[i];
	return NULL;
}

static void anthropic_decode(struct decoder *d, const struct message *m)
{
	const struct event *event = event_of(m);
	bool failed = decode_has_error(m);
	struct anthropic *a = d->state;

	if (!a->started) {
		a->started = true;
		start_over(a);
	}
	d->understood = d->understood || event || failed;
	/* What stands beside an error counts, but an end mark would hide it. */
	if (event && !(failed && event->take == on_message_stop))
		event->take(d, m->value);
	if (failed) {
		stop_all(d);
		decode_error(d, m);
	} else if (event && event->take == on_message) {
		guard_done(d->guard);
	}
}

static void anthropic_finish(struct decoder *d)
{
	stop_all(d);
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
	.build = anthropic_build,
	.read_models = anthropic_read_models,
};
