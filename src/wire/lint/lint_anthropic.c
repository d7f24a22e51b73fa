/* Rules of Anthropic Messages: the order and balance of its events, their members. */
#include "base/names.h"
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

static void keep_start(struct lint *l)
{
	struct lint_anthropic *a = &l->anthropic;

	lint_set_add(&a->open, a->index);
	if (a->index >= 0 && a->index < LINT_SET_MOST)
		a->blocks[a->index] = a->block;
	if (json_get_text(a->body, "signature").len)
		lint_set_add(&a->signed_blocks, a->index);
	if (a->block == LINT_TOOL_BLOCK || a->block == LINT_INPUT_BLOCK)
		lint_prints_add(&a->ids, json_get_text(a->body, "id"));
	if (lint_prints_has(&a->input_ids, json_get_text(a->body, "tool_use_id")))
		lint_prints_add(&a->result_ids, json_get_text(a->body, "tool_use_id"));
	if (a->block == LINT_INPUT_BLOCK) {
		lint_prints_add(&a->input_ids, json_get_text(a->body, "id"));
		a->input_index = a->index;
		a->input_first = '\0';
		json_scan_init(&a->input);
	}
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
	a->stop_end = str_is(a->stop_reason, "end_turn") || str_is(a->stop_reason, "stop_sequence");
}

/* A second start begins the message anew. */
static void keep_message_start(struct lint *l)
{
	size_t before = l->anthropic.events;

	l->anthropic = (struct lint_anthropic){ .events = before, .started = true, .last_index = -1, .input_index = -1 };
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
		if (str_is(json_get_text(a->body, "type"), "signature_delta") && json_get_text(a->body, "signature").len)
			lint_set_add(&a->signed_blocks, a->index);
		if (a->index == a->input_index) {
			struct str text = json_get_text(a->body, "partial_json"), shown = str_trim_start(text);

			json_scan_feed(&a->input, text);
			if (!a->input_first && shown.len)
				a->input_first = *shown.ptr;
		}
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
	/* LINT_NO_BLOCK if the block of this index is not open. */
	a->block = a->event == LINT_BLOCK_START ? block_of(a->body) : lint_set_has(&a->open, a->index) ? a->blocks[a->index] : LINT_NO_BLOCK;
	a->stop_reason = json_get_text(a->body, "stop_reason");
	if (str_is(a->type, "message")) {
		lint_run(l, LINT_ON_STRANGE);
		return;
	}
	lint_run(l, a->stopped ? LINT_ON_LATE : LINT_ON_EVENT);
	keep_event(l);
}

/* --- shapes --- */

static const struct lint_shape block_shapes[] = {
	{ "text", "text:s! citations:a" }, { "thinking", "thinking:s! signature:s" }, { "redacted_thinking", "data:s!" },
	{ "tool_use", "id:s! name:s! input:o! caller:o" }, { "server_tool_use", "id:s! name:s! input:o! caller:o" },
	{ "mcp_tool_use", "id:s! name:s! server_name:s input:o!" }, { "container_upload", "file_id:s!" },
	{ "mcp_tool_result", "tool_use_id:s! content:sa! is_error:b" }, { "*_tool_result", "tool_use_id:s! content:ao! caller:o" },
};
static const struct lint_shape citation_shapes[] = {
	{ "web_search_result_location", "url:s! title:s? cited_text:s! encrypted_index:s!" },
	{ "char_location", "cited_text:s! document_index:c! start_char_index:c! end_char_index:c!" },
	{ "page_location", "cited_text:s! document_index:c! start_page_number:c! end_page_number:c!" },
	{ "content_block_location", "cited_text:s! document_index:c! start_block_index:c! end_block_index:c!" },
	{ "search_result_location", "cited_text:s! source:s! search_result_index:c!" },
};
static const struct lint_shape delta_shapes[] = {
	{ "text_delta", "text:s!" }, { "input_json_delta", "partial_json:s!" }, { "thinking_delta", "thinking:s!" },
	{ "signature_delta", "signature:s!" }, { "citations_delta", "citation:o!" },
};
#define USAGE_SHAPE \
	"input_tokens:c output_tokens:c cache_creation_input_tokens:c cache_read_input_tokens:c cache_creation:o server_tool_use:o " \
	"output_tokens_details:o service_tier:s inference_geo:s"

/* What a result holds, or why there is none. */
static void check_result_shape(struct lint *l, enum lint_fault fault, const struct json *block)
{
	const struct json *content = json_get(block, "content");

	if (!str_ends(json_get_text(block, "type"), "_tool_result"))
		return;
	lint_check_shapes(l, fault, "an element of a result", content, "type:s!");
	for (size_t i = 0; i < json_length(content); i++)
		if (str_is(json_get_text(json_at(content, i), "type"), "web_search_result"))
			lint_check_shape(l, fault, "a search result", json_at(content, i), "url:s! title:s! encrypted_content:s!");
	if (json_kind(content) == JSON_OBJECT)
		lint_check_shape(l, fault, "the content of a result", content, "type:s!");
}

static void check_citation_shape(struct lint *l, enum lint_fault fault, const struct json *citation)
{
	if (!citation)
		return;
	lint_check_shape(l, fault, "a citation", citation, "type:s!");
	lint_check_shape(l, fault, "a citation", citation, LINT_SHAPE_OF(citation_shapes, json_get_text(citation, "type")));
}

static void check_shape(struct lint *l, enum lint_fault fault)
{
	const struct lint_anthropic *a = &l->anthropic;
	struct str type = json_get_text(a->body, "type");
	const struct json *value = l->message->value;

	switch (a->event) {
	case LINT_MESSAGE_START:
		lint_check_shape(l, fault, "message_start", value, "message:o!");
		lint_check_shape(l, fault, "the message", a->body, "id:s type:s role:s model:s stop_reason:s? stop_sequence:s? usage:o");
		lint_check_shape(l, fault, "usage", json_get(a->body, "usage"), USAGE_SHAPE);
		break;
	case LINT_BLOCK_START:
		lint_check_shape(l, fault, "content_block_start", value, "content_block:o!");
		if (fault == LINT_WRONG_KIND) /* what lacks is anthropic-block's */
			lint_check_shape(l, fault, "a block", a->body, LINT_SHAPE_OF(block_shapes, type));
		check_result_shape(l, fault, a->body);
		break;
	case LINT_BLOCK_DELTA:
		lint_check_shape(l, fault, "content_block_delta", value, "delta:o!");
		lint_check_shape(l, fault, "a delta", a->body, LINT_SHAPE_OF(delta_shapes, type));
		check_citation_shape(l, fault, json_get(a->body, "citation"));
		break;
	case LINT_MESSAGE_DELTA:
		lint_check_shape(l, fault, "message_delta", value, "delta:o! usage:o");
		lint_check_shape(l, fault, "the delta", a->body, "stop_reason:s? stop_sequence:s?");
		lint_check_shape(l, fault, "usage", json_get(value, "usage"), USAGE_SHAPE);
		break;
	case LINT_BLOCK_STOP:
	case LINT_MESSAGE_STOP:
	case LINT_PING:
	case LINT_OTHER_EVENT:
		break;
	}
}

static void check_anthropic_types(struct lint *l) { check_shape(l, LINT_WRONG_KIND); }
static void check_anthropic_members(struct lint *l) { check_shape(l, LINT_LACKING); }

/* --- rules of events --- */

static void check_anthropic_type(struct lint *l)
{
	lint_report_untyped(l, l->anthropic.type);
}

static void check_anthropic_event_name(struct lint *l)
{
	lint_report_misnamed(l, l->anthropic.type);
}

static void check_anthropic_known(struct lint *l)
{
	static const char *const blocks[] = { "text", "thinking", "redacted_thinking", "container_upload", "compaction", "fallback" };
	static const char *const deltas[] = { "text_delta", "input_json_delta", "thinking_delta", "signature_delta", "citations_delta",
	                                      "compaction_delta" };
	const struct lint_anthropic *a = &l->anthropic;
	struct str type = json_get_text(a->body, "type");
	bool known = !type.len || (a->event != LINT_BLOCK_START && a->event != LINT_BLOCK_DELTA);

	if (a->event == LINT_BLOCK_START)
		known |= str_is_among(type, blocks, ARRAY_LEN(blocks)) || str_ends(type, "tool_use") || str_ends(type, "_tool_result");
	if (a->event == LINT_BLOCK_DELTA)
		known |= str_is_among(type, deltas, ARRAY_LEN(deltas));
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
	static const struct { const char *name, *value; } members[] = { { "id", NULL }, { "type", "message" }, { "role", "assistant" },
	                                                                { "model", NULL } };
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event != LINT_MESSAGE_START)
		return;
	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		struct str text = json_get_text(a->body, members[i].name);

		if (!text.len)
			lint_report(l, "the message has no %s", members[i].name);
		else if (members[i].value && !str_is(text, members[i].value))
			lint_report(l, "the %s of the message is %s", members[i].name, lint_quote(text).text);
	}
	if (json_get(a->body, "stop_reason"))
		lint_report(l, "the message starts with a stop_reason");
	if (decode_count(json_get(a->body, "usage"), "input_tokens") < 0)
		lint_report(l, "the message has no usage.input_tokens");
	if (decode_count(json_get(a->body, "usage"), "output_tokens") < 0)
		lint_report(l, "the message has no usage.output_tokens");
}

static void check_anthropic_content(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	const struct json *content = json_get(a->body, "content");

	if (a->event == LINT_MESSAGE_START && (json_kind(content) != JSON_ARRAY || json_length(content)))
		lint_report(l, json_length(content) ? "the message starts with content" : "the message has no array content");
	if (a->event == LINT_MESSAGE_START)
		lint_check_shape(l, LINT_LACKING, "the message", a->body, "stop_reason:s?! stop_sequence:s?!");
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

/* An id or a name that says nothing. */
static void check_empty_texts(struct lint *l)
{
	static const char *const members[] = { "id", "name" };

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		const struct json *text = json_get(l->anthropic.body, members[i]);

		if (json_kind(text) == JSON_STRING && !json_text(text).len)
			lint_report(l, "the %s of a block is empty", members[i]);
	}
}

static void check_anthropic_block(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event != LINT_BLOCK_START)
		return;
	if (!json_get_text(a->body, "type").len)
		lint_report(l, "a block starts without type");
	lint_check_shape(l, LINT_LACKING, "a block", a->body, LINT_SHAPE_OF(block_shapes, json_get_text(a->body, "type")));
	if (a->block == LINT_TOOL_BLOCK || a->block == LINT_INPUT_BLOCK)
		check_empty_texts(l);
}

static void check_anthropic_block_filled(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	struct json_member first = { 0 };

	if (a->event != LINT_BLOCK_START)
		return;
	if (a->block == LINT_TEXT_BLOCK && json_get_text(a->body, "text").len)
		lint_report(l, "a text block starts with text");
	else if (a->block == LINT_THINKING_BLOCK && json_get_text(a->body, "thinking").len)
		lint_report(l, "a thinking block starts with thinking");
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

/* Of two calls of the client: call-id-shared. */
static void check_anthropic_id(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	bool is_call = a->block == LINT_TOOL_BLOCK;
	struct str id = json_get_text(a->body, "id");

	if (a->event == LINT_BLOCK_START && (is_call || a->block == LINT_INPUT_BLOCK) && lint_prints_has(is_call ? &a->input_ids : &a->ids, id))
		lint_report(l, "two blocks have the id %s", lint_quote(id).text);
}

static void check_anthropic_input(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event != LINT_BLOCK_STOP || a->block != LINT_INPUT_BLOCK || a->index != a->input_index || !a->input_first)
		return;
	if (!json_scan_whole(&a->input))
		lint_report(l, "the input of a tool is not one JSON value");
	else if (a->input_first != '{')
		lint_report(l, "the input of a tool is no object");
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
	if (l->anthropic.event == LINT_MESSAGE_DELTA)
		lint_check_word(l, "stop_reason", l->anthropic.stop_reason, "end_turn max_tokens stop_sequence tool_use pause_turn refusal "
		                "model_context_window_exceeded compaction");
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
		lint_report_at(l, &a->delta_place, "stop_reason is not tool_use, and there are calls");
}

static void check_anthropic_stop_twice(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;

	if (a->event == LINT_MESSAGE_DELTA && a->has_stop && a->stop_reason.len)
		lint_report(l, "a second message_delta has a stop_reason: %s", lint_quote(a->stop_reason).text);
}

/* A turn that was continued may begin with the result of an earlier call. */
static void check_anthropic_result(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	struct str id = json_get_text(a->body, "tool_use_id");

	if (a->event == LINT_BLOCK_START && a->ids.count && id.len && !lint_prints_has(&a->ids, id))
		lint_report(l, "a result is of no call before it: %s", lint_quote(id).text);
}

static void check_anthropic_stop_sequence(struct lint *l)
{
	const struct lint_anthropic *a = &l->anthropic;
	bool stopped = str_is(a->stop_reason, "stop_sequence"), has = json_kind(json_get(a->body, "stop_sequence")) == JSON_STRING;

	if (a->event == LINT_MESSAGE_DELTA)
		lint_check_shape(l, LINT_LACKING, "the delta", a->body, "stop_sequence:s?!");
	if (a->event == LINT_MESSAGE_DELTA && a->stop_reason.len && stopped != has)
		lint_report(l, stopped ? "stop_reason is stop_sequence, and there is none" : "there is a stop_sequence, and stop_reason is %s",
		            lint_quote(a->stop_reason).text);
}

/* A whole message in the place of a stream. */
static void check_whole(struct lint *l, enum lint_fault fault)
{
	const struct json *message = l->message->value, *content = json_get(message, "content");

	lint_check_shape(l, fault, "the message", message, "id:s! role:s! model:s! content:a! stop_reason:s! stop_sequence:s usage:o!");
	lint_check_shape(l, fault, "usage", json_get(message, "usage"), USAGE_SHAPE);
	for (size_t i = 0; i < json_length(content); i++)
		lint_check_shape(l, fault, "a block", json_at(content, i), LINT_SHAPE_OF(block_shapes, json_get_text(json_at(content, i), "type")));
}

static void check_anthropic_whole(struct lint *l)
{
	check_whole(l, LINT_LACKING);
	check_whole(l, LINT_WRONG_KIND);
}

static void check_anthropic_late(struct lint *l)
{
	if (l->anthropic.stopped)
		lint_report(l, "an event came after message_stop");
}

static void check_anthropic_error(struct lint *l)
{
	const struct json *error = json_get(l->error.value, "error");

	if (!str_is(json_get_text(l->error.value, "type"), "error"))
		lint_report(l, "the type of the error's event is not error");
	else if (json_kind(error) != JSON_OBJECT)
		lint_report(l, error ? "the error is %s" : "the event has no error object", lint_kind(error));
	else if (!json_get_text(error, "type").len || !json_get_text(error, "message").len)
		lint_report(l, "the error has no %s", json_get_text(error, "type").len ? "message" : "type");
}

static const struct lint_rule rows[] = {
#include "lint_anthropic.inc"
};

const struct lint_group lint_group_anthropic = { rows, ARRAY_LEN(rows) };
