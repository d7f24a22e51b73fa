/* Rules of Anthropic Messages: the order and balance of its events, their members. */
#include "wire/lint/lint_inside.h"

#include "wire/decode.h"

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

static void check_anthropic_type(struct lint *l)
{
	lint_report_untyped(l, l->anthropic.type);
}

static void check_anthropic_event_name(struct lint *l)
{
	lint_report_misnamed(l, l->anthropic.type);
}

static void check_anthropic_event_known(struct lint *l)
{
	if (l->anthropic.event == LINT_OTHER_EVENT && l->anthropic.type.len)
		lint_report(l, "the type of an event is %s", lint_quote(l->anthropic.type).text);
}

static void check_anthropic_known(struct lint *l)
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

static void check_anthropic_streamed(struct lint *l)
{
	if (!l->request.known || l->request.stream)
		lint_report(l, "a whole message came instead of events");
}

static void check_anthropic_start(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (!a->events && !a->started && a->event != LINT_MESSAGE_START && a->event != LINT_PING && a->event != LINT_OTHER_EVENT)
		lint_report(l, "the first event is %s", events[a->event]);
}

static void check_anthropic_start_twice(struct lint *l)
{
	if (l->anthropic.event == LINT_MESSAGE_START && l->anthropic.started)
		lint_report(l, "message_start came again");
}

static void check_anthropic_message(struct lint *l)
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

static void check_anthropic_content(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event == LINT_MESSAGE_START && json_kind(json_get(a->body, "content")) != JSON_ARRAY)
		lint_report(l, "the message has no array content");
}

static void check_anthropic_index(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->index < 0 && (a->event == LINT_BLOCK_START || a->event == LINT_BLOCK_DELTA || a->event == LINT_BLOCK_STOP))
		lint_report(l, "%s has no index", events[a->event]);
}

static void check_anthropic_block_order(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event == LINT_BLOCK_START && a->index >= 0 && a->index != a->last_index + 1)
		lint_report(l, "block %lld starts where %lld is next", (long long)a->index, (long long)a->last_index + 1);
}

static void check_anthropic_block_overlap(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event == LINT_BLOCK_START && lint_set_count(&a->open))
		lint_report(l, "block %lld starts while another is open", (long long)a->index);
}

static void check_anthropic_block(struct lint *l)
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

static void check_anthropic_block_filled(struct lint *l)
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

static void check_anthropic_block_open(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->block == LINT_NO_BLOCK && a->index < LINT_SET_MOST && (a->event == LINT_BLOCK_DELTA || a->event == LINT_BLOCK_STOP))
		lint_report(l, "%s of a block that is not open: %lld", events[a->event], (long long)a->index);
}

static void check_anthropic_delta_type(struct lint *l)
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

static void check_anthropic_signature(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event == LINT_BLOCK_STOP && a->block == LINT_THINKING_BLOCK && !lint_set_has(&a->signed_blocks, a->index))
		lint_report(l, "a thinking block ends without a signature");
}

static void check_anthropic_block_stop(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if ((a->event == LINT_MESSAGE_DELTA || (a->event == LINT_MESSAGE_STOP && !a->delta)) && lint_set_count(&a->open))
		lint_report(l, "%s came while a block is open", events[a->event]);
}

static void check_anthropic_after_delta(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->delta && a->has_stop && (a->event == LINT_BLOCK_START || a->event == LINT_BLOCK_DELTA))
		lint_report(l, "%s came after the stop reason", events[a->event]);
}

static void check_anthropic_message_delta(struct lint *l)
{
	if (l->anthropic.event == LINT_MESSAGE_STOP && !l->anthropic.delta)
		lint_report(l, "message_stop came without a message_delta");
}

static void check_anthropic_usage(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	const struct json *count = json_find(l->message->value, "usage.output_tokens");
	int64_t number;

	if (a->event == LINT_MESSAGE_DELTA && !json_count(count, &number))
		lint_report(l, "message_delta has no usage.output_tokens");
}

static void check_anthropic_usage_grows(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	int64_t count = decode_count(json_get(l->message->value, "usage"), "output_tokens");

	if (a->event == LINT_MESSAGE_DELTA && count >= 0 && count < a->output_tokens)
		lint_report(l, "output_tokens falls from %lld to %lld", (long long)a->output_tokens, (long long)count);
}

static void check_anthropic_stop_reason(struct lint *l)
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

static void check_anthropic_stop_null(struct lint *l)
{
	if (l->anthropic.event == LINT_MESSAGE_STOP && l->anthropic.delta && !l->anthropic.has_stop)
		lint_report(l, "message_stop came without a stop_reason");
}

static void check_anthropic_stop_tool(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event != LINT_MESSAGE_STOP)
		return;
	if (a->stop_tool && !a->tools)
		lint_report_at(l, &a->delta_place, "stop_reason is tool_use, and there is no call");
	else if (a->stop_end && a->tools)
		lint_report_at(l, &a->delta_place, "stop_reason is end_turn, and there are calls");
}

static void check_anthropic_late(struct lint *l)
{
	if (l->anthropic.stopped)
		lint_report(l, "an event came after message_stop");
}

static void check_anthropic_error(struct lint *l)
{
	const struct json *error = l->error.error;

	if (!str_is(json_get_text(l->error.value, "type"), "error"))
		lint_report(l, "the type of the error's event is not error");
	else if (json_kind(error) != JSON_OBJECT || !json_get_text(error, "type").len || !json_get_text(error, "message").len)
		lint_report(l, "the error has no type and message");
}

static const struct lint_rule rows[] = {
#include "lint_anthropic.inc"
};

const struct lint_group lint_group_anthropic = { rows, ARRAY_LEN(rows) };
