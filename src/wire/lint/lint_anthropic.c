/* Rules of Anthropic Messages: the order and balance of its events, their members. */
#include "wire/lint/lint_inside.h"

#include "wire/decode.h"

#define API "Anthropic API, Streaming Messages: "
#define EVENTS API "Event types"
#define NOT_CHUIZI (LINT_EVERY & ~(unsigned)LINT_CHUIZI)

/* --- events --- */

static const char *const events[] = {
	[LINT_MESSAGE_START] = "message_start", [LINT_BLOCK_START] = "content_block_start", [LINT_BLOCK_DELTA] = "content_block_delta",
	[LINT_BLOCK_STOP] = "content_block_stop", [LINT_MESSAGE_DELTA] = "message_delta", [LINT_MESSAGE_STOP] = "message_stop",
	[LINT_PING] = "ping",
};

static enum lint_anthropic_event event_of(struct str type)
{
	for (enum lint_anthropic_event event = 0; event < LINT_OTHER_EVENT; event++)
		if (str_is(type, events[event]))
			return event;
	return LINT_OTHER_EVENT;
}

static enum lint_block block_of(const struct json *block)
{
	struct str type = json_get_text(block, "type");

	if (str_is(type, "text"))
		return LINT_TEXT_BLOCK;
	if (str_is(type, "thinking"))
		return LINT_THINKING_BLOCK;
	if (str_is(type, "tool_use"))
		return LINT_TOOL_BLOCK;
	return str_is(type, "server_tool_use") || str_is(type, "mcp_tool_use") ? LINT_INPUT_BLOCK : LINT_OTHER_BLOCK;
}

/* LINT_NO_BLOCK if the block of this index is not open. */
static enum lint_block open_block(const struct lint_anthropic *a, int64_t index)
{
	return lint_set_has(&a->open, index) ? a->blocks[index] : LINT_NO_BLOCK;
}

static void keep_start(struct lint *l)
{
	struct lint_anthropic *a = &l->anthropic;

	lint_set_add(&a->open, a->index);
	if (a->index >= 0 && a->index < LINT_SET_MOST)
		a->blocks[a->index] = a->block;
	if (json_get_text(a->body, "signature").len)
		lint_set_add(&a->signed_blocks, a->index);
	a->last_index = a->index;
	a->tools += a->block == LINT_TOOL_BLOCK;
}

static void keep_message_delta(struct lint *l)
{
	struct lint_anthropic *a = &l->anthropic;
	int64_t count = decode_count(json_get(l->message->value, "usage"), "output_tokens");

	a->delta = true;
	a->delta_place = l->place;
	a->output_tokens = count > a->output_tokens ? count : a->output_tokens;
	a->has_stop |= a->stop_reason.len > 0;
	if (!a->stop_reason.len)
		return;
	a->stop_tool = str_is(a->stop_reason, "tool_use");
	a->stop_end = str_is(a->stop_reason, "end_turn");
}

/* A second start begins the message anew. */
static void keep_message_start(struct lint *l)
{
	size_t before = l->anthropic.events;

	l->anthropic = (struct lint_anthropic){ .events = before, .started = true, .last_index = -1 };
	l->anthropic.output_tokens = decode_count(json_find(l->message->value, "message.usage"), "output_tokens");
}

static void lint_set_drop(struct lint_set *set, int64_t number)
{
	if (lint_set_has(set, number))
		set->bits[number / 64] &= ~((uint64_t)1 << number % 64);
}

static void keep_event(struct lint *l)
{
	struct lint_anthropic *a = &l->anthropic;

	switch (a->event) {
	case LINT_MESSAGE_START:
		keep_message_start(l);
		break;
	case LINT_BLOCK_START:
		keep_start(l);
		break;
	case LINT_BLOCK_DELTA:
		if (str_is(json_get_text(a->body, "type"), "signature_delta"))
			lint_set_add(&a->signed_blocks, a->index);
		break;
	case LINT_BLOCK_STOP:
		lint_set_drop(&a->open, a->index);
		lint_set_drop(&a->signed_blocks, a->index);
		break;
	case LINT_MESSAGE_DELTA:
		keep_message_delta(l);
		break;
	case LINT_MESSAGE_STOP:
		a->stopped = true;
		break;
	case LINT_PING:
	case LINT_OTHER_EVENT:
		break;
	}
	l->anthropic.events += a->event != LINT_PING;
}

void lint_anthropic_value(struct lint *l)
{
	static const char *const bodies[] = {
		[LINT_MESSAGE_START] = "message", [LINT_BLOCK_START] = "content_block", [LINT_BLOCK_DELTA] = "delta",
		[LINT_BLOCK_STOP] = "delta", [LINT_MESSAGE_DELTA] = "delta", [LINT_MESSAGE_STOP] = "delta", [LINT_PING] = "delta",
		[LINT_OTHER_EVENT] = "delta",
	};
	struct lint_anthropic *a = &l->anthropic;
	const struct json *value = l->message->value;

	if (decode_has_error(l->message)) {
		lint_take_error(l, json_get(value, "error"), false);
		return;
	}
	a->type = json_get_text(value, "type");
	a->event = event_of(decode_type(l->message));
	a->index = decode_count(value, "index");
	a->body = json_get(value, bodies[a->event]);
	a->block = a->event == LINT_BLOCK_START ? block_of(a->body) : open_block(a, a->index);
	a->stop_reason = json_get_text(a->body, "stop_reason");
	if (str_is(a->type, "message")) {
		lint_run(l, LINT_ON_STRANGE);
		return;
	}
	lint_run(l, a->stopped ? LINT_ON_LATE : LINT_ON_EVENT);
	keep_event(l);
}

/* --- rules of events --- */

static void check_type(struct lint *l)
{
	if (!l->anthropic.type.len)
		lint_report(l, "an event has no type");
}

static void check_event_name(struct lint *l)
{
	struct str name = l->message->event;

	if (!l->anthropic.type.len || str_equal(name, l->anthropic.type))
		return;
	if (name.len)
		lint_report(l, "an event is named %s and its type is %s", lint_quote(name).text, lint_quote(l->anthropic.type).text);
	else
		lint_report(l, "an event has no name");
}

static void check_known(struct lint *l)
{
	if (l->anthropic.event == LINT_OTHER_EVENT && l->anthropic.type.len)
		lint_report(l, "the type of an event is %s", lint_quote(l->anthropic.type).text);
}

static void check_known_inside(struct lint *l)
{
	static const char *const blocks[] = { "text", "thinking", "redacted_thinking", "container_upload", "compaction", "fallback" };
	static const char *const deltas[] = { "text_delta", "input_json_delta", "thinking_delta", "signature_delta", "citations_delta",
	                                      "compaction_delta" };
	const struct lint_anthropic *a = &l->anthropic;
	struct str type = json_get_text(a->body, "type");
	bool known = !type.len || (a->event != LINT_BLOCK_START && a->event != LINT_BLOCK_DELTA);

	for (size_t i = 0; i < ARRAY_LEN(blocks) && a->event == LINT_BLOCK_START; i++)
		known |= str_is(type, blocks[i]) || str_ends(type, "tool_use") || str_ends(type, "_tool_result");
	for (size_t i = 0; i < ARRAY_LEN(deltas) && a->event == LINT_BLOCK_DELTA; i++)
		known |= str_is(type, deltas[i]);
	if (!known)
		lint_report(l, "the type of a %s is %s", a->event == LINT_BLOCK_START ? "block" : "delta", lint_quote(type).text);
}

static void check_streamed(struct lint *l)
{
	if (!l->request.known || l->request.stream)
		lint_report(l, "a whole message came instead of events");
}

static void check_start_first(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (!a->events && !a->started && a->event != LINT_MESSAGE_START && a->event != LINT_PING && a->event != LINT_OTHER_EVENT)
		lint_report(l, "the first event is %s", events[a->event]);
}

static void check_start_twice(struct lint *l)
{
	if (l->anthropic.event == LINT_MESSAGE_START && l->anthropic.started)
		lint_report(l, "message_start came again");
}

static void check_message(struct lint *l)
{
	static const char *const members[] = { "id", "type", "role", "model" };
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event != LINT_MESSAGE_START)
		return;
	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		if (json_get_text(a->body, members[i]).len)
			continue;
		lint_report(l, "the message has no %s", members[i]);
		return;
	}
	if (decode_count(json_get(a->body, "usage"), "input_tokens") < 0)
		lint_report(l, "the message has no usage.input_tokens");
}

static void check_message_content(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event == LINT_MESSAGE_START && json_kind(json_get(a->body, "content")) != JSON_ARRAY)
		lint_report(l, "the message has no array content");
}

static void check_index(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->index < 0 && (a->event == LINT_BLOCK_START || a->event == LINT_BLOCK_DELTA || a->event == LINT_BLOCK_STOP))
		lint_report(l, "%s has no index", events[a->event]);
}

static void check_block_order(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event == LINT_BLOCK_START && a->index >= 0 && a->index != a->last_index + 1)
		lint_report(l, "block %lld starts where %lld is next", (long long)a->index, (long long)a->last_index + 1);
}

static void check_block_overlap(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event == LINT_BLOCK_START && lint_set_count(&a->open))
		lint_report(l, "block %lld starts while another is open", (long long)a->index);
}

static void check_block(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	const char *missing = NULL;

	if (a->event != LINT_BLOCK_START)
		return;
	if (!json_get_text(a->body, "type").len)
		missing = "type";
	else if (a->block == LINT_TEXT_BLOCK && json_kind(json_get(a->body, "text")) != JSON_STRING)
		missing = "text";
	else if (a->block == LINT_THINKING_BLOCK && json_kind(json_get(a->body, "thinking")) != JSON_STRING)
		missing = "thinking";
	else if ((a->block == LINT_TOOL_BLOCK || a->block == LINT_INPUT_BLOCK) && !json_get_text(a->body, "id").len)
		missing = "id";
	else if ((a->block == LINT_TOOL_BLOCK || a->block == LINT_INPUT_BLOCK) && !json_get_text(a->body, "name").len)
		missing = "name";
	else if (a->block == LINT_TOOL_BLOCK && json_kind(json_get(a->body, "input")) != JSON_OBJECT)
		missing = "input";
	if (missing)
		lint_report(l, "a block starts without %s", missing);
}

static void check_start_filled(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	struct json_member first = { 0 };

	if (a->event != LINT_BLOCK_START)
		return;
	if (a->block == LINT_TEXT_BLOCK && json_get_text(a->body, "text").len)
		lint_report(l, "a text block starts with text");
	else if (a->block == LINT_TOOL_BLOCK && json_next(json_get(a->body, "input"), &first))
		lint_report(l, "a call starts with its input");
}

static void check_delta_open(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->block == LINT_NO_BLOCK && a->index < LINT_SET_MOST && (a->event == LINT_BLOCK_DELTA || a->event == LINT_BLOCK_STOP))
		lint_report(l, "%s of a block that is not open: %lld", events[a->event], (long long)a->index);
}

static void check_delta_kind(struct lint *l)
{
	static const struct { const char *type; unsigned blocks; } kinds[] = {
		{ "text_delta", 1u << LINT_TEXT_BLOCK }, { "citations_delta", 1u << LINT_TEXT_BLOCK },
		{ "thinking_delta", 1u << LINT_THINKING_BLOCK }, { "signature_delta", 1u << LINT_THINKING_BLOCK },
		{ "input_json_delta", 1u << LINT_TOOL_BLOCK | 1u << LINT_INPUT_BLOCK | 1u << LINT_OTHER_BLOCK },
	};
	const struct lint_anthropic *a = &l->anthropic;
	struct str type = json_get_text(a->body, "type");

	if (a->event != LINT_BLOCK_DELTA || a->block == LINT_NO_BLOCK)
		return;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (str_is(type, kinds[i].type) && !(kinds[i].blocks >> a->block & 1))
			lint_report(l, "%s in a block of another type", kinds[i].type);
	if (!type.len)
		lint_report(l, "a delta has no type");
}

static void check_signature(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event == LINT_BLOCK_STOP && a->block == LINT_THINKING_BLOCK && !lint_set_has(&a->signed_blocks, a->index))
		lint_report(l, "a thinking block ends without a signature");
}

static void check_unstopped(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if ((a->event == LINT_MESSAGE_DELTA || (a->event == LINT_MESSAGE_STOP && !a->delta)) && lint_set_count(&a->open))
		lint_report(l, "%s came while a block is open", events[a->event]);
}

static void check_after_delta(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->delta && a->has_stop && (a->event == LINT_BLOCK_START || a->event == LINT_BLOCK_DELTA))
		lint_report(l, "%s came after the stop reason", events[a->event]);
}

static void check_message_delta(struct lint *l)
{
	if (l->anthropic.event == LINT_MESSAGE_STOP && !l->anthropic.delta)
		lint_report(l, "message_stop came without a message_delta");
}

static void check_usage(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	const struct json *count = json_find(l->message->value, "usage.output_tokens");
	int64_t number;

	if (a->event == LINT_MESSAGE_DELTA && !json_count(count, &number))
		lint_report(l, "message_delta has no usage.output_tokens");
}

static void check_usage_grows(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	int64_t count = decode_count(json_get(l->message->value, "usage"), "output_tokens");

	if (a->event == LINT_MESSAGE_DELTA && count >= 0 && count < a->output_tokens)
		lint_report(l, "output_tokens falls from %lld to %lld", (long long)a->output_tokens, (long long)count);
}

static void check_stop_reason(struct lint *l)
{
	static const char *const words[] = { "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal",
	                                     "model_context_window_exceeded", "compaction" };
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event != LINT_MESSAGE_DELTA || !a->stop_reason.len)
		return;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_is(a->stop_reason, words[i]))
			return;
	lint_report(l, "stop_reason is %s", lint_quote(a->stop_reason).text);
}

static void check_stop_null(struct lint *l)
{
	if (l->anthropic.event == LINT_MESSAGE_STOP && l->anthropic.delta && !l->anthropic.has_stop)
		lint_report(l, "message_stop came without a stop_reason");
}

static void check_stop_tool(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event != LINT_MESSAGE_STOP)
		return;
	if (a->stop_tool && !a->tools)
		lint_report_at(l, &a->delta_place, "stop_reason is tool_use, and there is no call");
	else if (a->stop_end && a->tools)
		lint_report_at(l, &a->delta_place, "stop_reason is end_turn, and there are calls");
}

static void check_late(struct lint *l)
{
	if (l->anthropic.stopped)
		lint_report(l, "an event came after message_stop");
}

static void check_error(struct lint *l)
{
	const struct json *error = l->error.error;

	if (!str_is(json_get_text(l->error.value, "type"), "error"))
		lint_report(l, "the type of the error's event is not error");
	else if (json_kind(error) != JSON_OBJECT || !json_get_text(error, "type").len || !json_get_text(error, "message").len)
		lint_report(l, "the error has no type and message");
}

#define ROW(id, severity, dialects, phase, check, promise, source, breaks) \
	{ id, LINT_##severity, LINT_anthropic, dialects, LINT_ON_##phase, check, promise, source, breaks }

static const struct lint_rule rows[] = {
	ROW("anthropic-type", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_type,
	  "The data of each event has its type", EVENTS, "clients that look at the type in the data"),
	ROW("anthropic-event-name", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_event_name,
	  "Each event has a name, the same as the type in its data", EVENTS "; chuizi, Anthropic Protocol",
	  "clients that look at the name, among them the official SDKs"),
	ROW("anthropic-event-known", UNUSUAL, LINT_EVERY, EVENT, check_known,
	  "The events are message_start, content_block_start, _delta and _stop, message_delta, message_stop, ping and error", EVENTS, NULL),
	ROW("anthropic-known", UNUSUAL, LINT_EVERY, EVENT, check_known_inside,
	  "The types of blocks and deltas are documented", API "Content block delta types", "clients that refuse unknown ones"),
	ROW("anthropic-streamed", BREAKS_CLIENTS, LINT_EVERY, STRANGE, check_streamed,
	  "A request with stream true is answered with events", API "stream", "clients that wait for events"),
	ROW("anthropic-start", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_start_first,
	  "The first event is message_start", EVENTS, "the official SDKs, which build the message from it"),
	ROW("anthropic-start-twice", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_start_twice,
	  "A stream has one message_start", EVENTS, "the official SDKs, which refuse a second one"),
	ROW("anthropic-message", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_message,
	  "The message of message_start has id, type, role, model and usage.input_tokens", EVENTS "; chuizi, Anthropic Protocol", "typed clients"),
	ROW("anthropic-content", BREAKS_CLIENTS, NOT_CHUIZI, EVENT, check_message_content,
	  "The message of message_start has an empty array content", EVENTS, "the official SDKs, which append blocks to it"),
	ROW("anthropic-index", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_index,
	  "Each event of a block has its index", EVENTS, "clients that keep blocks by index"),
	ROW("anthropic-block-order", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_block_order,
	  "Blocks are numbered from 0, in their order", API "Content block delta types", "clients that append blocks and read them by index"),
	ROW("anthropic-block-overlap", UNUSUAL, LINT_EVERY, EVENT, check_block_overlap,
	  "Blocks come one after another", EVENTS, "clients with one open block, as behind llama.cpp"),
	ROW("anthropic-block", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_block,
	  "A block starts with its type, and with text, thinking, or id, name and input", API "Content block delta types",
	  "clients that append to the member"),
	ROW("anthropic-block-filled", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_start_filled,
	  "A block starts empty, and its content comes in deltas", API "Content block delta types",
	  "clients that read deltas only: gajae-code pull 1895"),
	ROW("anthropic-block-open", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_delta_open,
	  "A delta or a stop belongs to a block that is open", EVENTS, "clients that look the block up"),
	ROW("anthropic-delta-type", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_delta_kind,
	  "The type of a delta fits its block", API "Content block delta types", "clients that append to the member of the block"),
	ROW("anthropic-signature", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_signature,
	  "A signature_delta comes before a thinking block stops", API "Thinking delta",
	  "turns that send the block back: the API refuses it, claude-code issue 63203"),
	ROW("anthropic-block-stop", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_unstopped,
	  "Each block stops before message_delta", EVENTS, "clients that parse the input of a call when its block stops"),
	ROW("anthropic-after-delta", UNUSUAL, LINT_EVERY, EVENT, check_after_delta,
	  "No block follows the stop reason", EVENTS, "clients that end at the stop reason"),
	ROW("anthropic-message-delta", BREAKS_PROMISE, LINT_EVERY, EVENT, check_message_delta,
	  "A message_delta comes before message_stop", EVENTS, NULL),
	ROW("anthropic-usage", BREAKS_PROMISE, LINT_EVERY, EVENT, check_usage,
	  "message_delta has usage.output_tokens", EVENTS "; chuizi, Getting Usage in Streaming Responses", "typed clients"),
	ROW("anthropic-usage-grows", UNUSUAL, LINT_EVERY, EVENT, check_usage_grows,
	  "The counts of message_delta are cumulative", EVENTS, NULL),
	ROW("anthropic-stop-reason", UNUSUAL, LINT_EVERY, EVENT, check_stop_reason,
	  "stop_reason is a documented word", "Anthropic API, Messages: stop_reason", "typed clients"),
	ROW("anthropic-stop-null", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_stop_null,
	  "message_delta has a stop_reason", EVENTS, "clients that wait for it"),
	ROW("anthropic-stop-tool", BREAKS_CLIENTS, LINT_EVERY, EVENT, check_stop_tool,
	  "stop_reason is tool_use when there are calls, and only then", "Anthropic API, Messages: stop_reason",
	  "clients that run calls at tool_use only"),
	ROW("anthropic-late", UNUSUAL, LINT_EVERY, LATE, check_late,
	  "message_stop is the last event", EVENTS, NULL),
	ROW("anthropic-error", BREAKS_CLIENTS, LINT_EVERY, ERROR, check_error,
	  "An error has the type error, and an error object with type and message", API "Error events", "typed clients"),
};

const struct lint_group lint_group_anthropic = { rows, ARRAY_LEN(rows) };
