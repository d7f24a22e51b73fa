/* Rules of OpenAI Responses: the order and balance of its events, their members. */
#include "base/names.h"
#include "wire/lint/lint_inside.h"

#include <stddef.h>

#include "wire/decode.h"

/* --- events --- */

static bool is_added(const struct lint_responses *r) { return str_is(r->type, "response.output_item.added"); }
static bool is_done(const struct lint_responses *r) { return str_is(r->type, "response.output_item.done"); }

bool lint_is_of_tool(struct str type)
{
	size_t dot = str_find(str_skip(type, sizeof "response." - 1), STR("."));

	return str_starts(type, "response.") && str_find(type, STR("_call")) < dot + sizeof "response." - 1;
}

/* An event about the content of an item. */
static bool is_of_item(const struct lint_responses *r)
{
	static const char *const kinds[] = {
		"response.content_part.", "response.output_text.", "response.refusal.", "response.function_call_arguments.",
		"response.reasoning_summary_part.", "response.reasoning_summary_text.", "response.reasoning_text.",
		"response.custom_tool_call_input.",
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (str_starts(r->type, kinds[i]))
			return true;
	return lint_is_of_tool(r->type);
}

static struct lint_item *item_of(struct lint_responses *r)
{
	return r->output >= 0 && r->output < LINT_SET_MOST ? &r->items[r->output] : NULL;
}

/* The parts that an event is about: those of the summary, or those of the content. */
static struct lint_parts *parts_of(const struct lint_responses *r, struct lint_item *item)
{
	return str_starts(r->type, "response.reasoning_summary_") ? &item->summary_parts : &item->content_parts;
}

/* The text of the whole part, in an event that ends it; STR_NONE in others. */
static struct str whole_text(const struct lint *l)
{
	static const struct { const char *type, *member; } wholes[] = {
		{ "response.output_text.done", "text" }, { "response.refusal.done", "refusal" },
		{ "response.function_call_arguments.done", "arguments" }, { "response.reasoning_summary_text.done", "text" },
		{ "response.reasoning_text.done", "text" }, { "response.custom_tool_call_input.done", "input" },
	};

	for (size_t i = 0; i < ARRAY_LEN(wholes); i++)
		if (str_is(l->responses.type, wholes[i].type))
			return json_raw_text(json_get(l->message->value, wholes[i].member));
	return STR_NONE;
}

/* The texts of the elements of an array, one behind the other. */
static struct lint_print texts_of(const struct json *array)
{
	struct lint_print print = lint_print(STR(""));

	for (size_t i = 0; i < json_length(array); i++) {
		print = lint_print_more(print, json_raw_text(json_get(json_at(array, i), "text")));
		print = lint_print_more(print, json_raw_text(json_get(json_at(array, i), "refusal")));
	}
	return print;
}

/* The text that the deltas of an item make. */
static struct lint_print text_of_item(const struct json *item)
{
	struct str type = json_get_text(item, "type");

	if (str_is(type, "function_call"))
		return lint_print(json_raw_text(json_get(item, "arguments")));
	if (str_is(type, "custom_tool_call"))
		return lint_print(json_raw_text(json_get(item, "input")));
	struct lint_print summary = texts_of(json_get(item, "summary"));
	return str_is(type, "reasoning") && summary.len ? summary : texts_of(json_get(item, "content"));
}

static bool has_text(const struct json *item)
{
	static const char *const types[] = { "message", "function_call", "custom_tool_call", "reasoning" };

	return str_is_among(json_get_text(item, "type"), types, ARRAY_LEN(types));
}

static void keep_added(struct lint *l, struct lint_item *item)
{
	struct lint_responses *r = &l->responses;

	lint_set_add(&r->added, r->output);
	r->item_count++;
	l->free_arguments |= str_is(json_get_text(r->item, "type"), "custom_tool_call");
	if (item)
		*item = (struct lint_item){
			.id = lint_print(json_get_text(r->item, "id")), .type = lint_print(json_get_text(r->item, "type")),
			.call_id = lint_print(json_get_text(r->item, "call_id")), .name = lint_print(json_get_text(r->item, "name")),
			.part = lint_print(STR("")), .streamed = lint_print(STR("")),
		};
}

static void keep_text(struct lint *l, struct lint_item *item)
{
	struct lint_responses *r = &l->responses;
	struct str delta = json_raw_text(json_get(l->message->value, "delta"));

	if (is_of_item(r) && str_ends(r->type, ".delta")) {
		item->summary |= str_starts(r->type, "response.reasoning_summary_text.");
		item->reasoning |= str_starts(r->type, "response.reasoning_text.");
		item->part = lint_print_more(item->part, delta);
		item->streamed = lint_print_more(item->streamed, delta);
	} else if (whole_text(l).ptr) {
		item->whole = lint_print(whole_text(l));
		item->part = lint_print(STR(""));
	}
}

static void keep_event(struct lint *l)
{
	struct lint_responses *r = &l->responses;
	struct lint_item *item = item_of(r);

	if (is_added(r))
		keep_added(l, item);
	if (is_done(r)) {
		lint_set_add(&r->done, r->output);
		if (item)
			item->finished = text_of_item(r->item);
	}
	struct lint_parts *parts = item ? parts_of(r, item) : NULL;
	if (parts && str_ends(r->type, "_part.added"))
		lint_set_add(&parts->begun, r->content);
	if (parts && str_ends(r->type, "_part.done"))
		lint_set_add(&parts->ended, r->content);
	if (item)
		keep_text(l, item);
	int64_t partial = decode_count(l->message->value, "partial_image_index");
	if (item && partial >= 0 && partial < INT64_MAX)
		item->partials = partial + 1;
	if (r->sequence >= 0)
		r->last_sequence = r->sequence;
	if (!r->id.len)
		r->id = lint_print(json_get_text(r->response, "id"));
	if (!r->model.len)
		r->model = lint_print(json_get_text(r->response, "model"));
	r->created |= str_is(r->type, "response.created");
	r->ended |= r->terminal;
	r->events++;
}

void lint_responses_value(struct lint *l)
{
	struct lint_responses *r = &l->responses;
	const struct json *value = l->message->value;

	if (!r->events)
		r->last_sequence = -1;
	if (decode_has_error(l->message) && !r->ended) {
		lint_take_error(l, json_get(value, "error"), false);
		r->last_sequence = decode_count(value, "sequence_number");
		return;
	}
	r->type = json_get_text(value, "type");
	r->terminal = str_is(r->type, "response.completed") || str_is(r->type, "response.incomplete") || str_is(r->type, "response.failed");
	r->sequence = decode_count(value, "sequence_number");
	r->output = decode_count(value, "output_index");
	r->content = decode_count(value, str_starts(r->type, "response.reasoning_summary_") ? "summary_index" : "content_index");
	r->item_id = json_get_text(value, "item_id");
	r->response = json_get(value, "response");
	r->item = json_get(value, "item");
	if (str_is(json_get_text(value, "object"), "response"))
		lint_run(l, LINT_ON_STRANGE);
	else
		lint_run(l, r->ended ? LINT_ON_LATE : LINT_ON_EVENT);
	keep_event(l);
	if (r->terminal && json_kind(json_get(r->response, "usage")) == JSON_OBJECT)
		l->usages++;
}

/* --- shapes --- */

/* A response that did not end well says why. */
static void report_no_reason(struct lint *l, struct str status, const struct json *response)
{
	if (str_is(status, "failed") && !json_get_text(json_get(response, "error"), "message").len)
		lint_report(l, "the response failed, and has no error with a message");
	if (str_is(status, "incomplete") && !json_text(json_find(response, "incomplete_details.reason")).len)
		lint_report(l, "the response is incomplete, and has no incomplete_details.reason");
}

static void check_responses_whole(struct lint *l)
{
	const struct json *response = l->message->value;

	for (enum lint_fault fault = LINT_WRONG_KIND; fault <= LINT_LACKING; fault++)
		lint_response_shape(l, fault, "an item", response);
	report_no_reason(l, json_get_text(response, "status"), response);
}

static void check_responses_types(struct lint *l) { lint_responses_event_shape(l, LINT_WRONG_KIND); }
static void check_responses_members(struct lint *l) { lint_responses_event_shape(l, LINT_LACKING); }

/* --- rules --- */

static void check_responses_streamed(struct lint *l)
{
	if (!l->request.known || l->request.stream)
		lint_report(l, "a whole response came instead of events");
}

static void check_responses_type(struct lint *l)
{
	lint_report_untyped(l, l->responses.type);
}

static void check_responses_event_name(struct lint *l)
{
	lint_report_misnamed(l, l->responses.type);
}

static void check_item_words(struct lint *l, const struct json *item)
{
	struct str type = json_get_text(item, "type");
	const struct json *content = json_get(item, "content");

	if (!str_ends(type, "_call") && !str_ends(type, "_output"))
		lint_check_word(l, "the type of an item", type, "message reasoning mcp_list_tools mcp_approval_request compaction");
	if (str_is(type, "message"))
		lint_check_word(l, "the role of a message", json_get_text(item, "role"), "assistant");
	lint_check_word(l, "the status of an item", json_get_text(item, "status"),
	                "in_progress completed incomplete failed searching interpreting generating calling");
	for (size_t i = 0; i < json_length(content); i++)
		lint_check_word(l, "the type of a part", json_get_text(json_at(content, i), "type"), "output_text refusal reasoning_text");
}

static void check_responses_known(struct lint *l)
{
	const struct lint_responses *r = &l->responses;
	const struct json *output = json_get(r->response, "output");

	check_item_words(l, r->item);
	lint_check_word(l, "the type of a part", json_text(json_find(l->message->value, "part.type")),
	                "output_text refusal reasoning_text summary_text");
	lint_check_word(l, "the object of the response", json_get_text(r->response, "object"), "response");
	for (size_t i = 0; i < json_length(output); i++)
		check_item_words(l, json_at(output, i));
}

static void check_responses_sequence(struct lint *l)
{
	const struct lint_responses *r = &l->responses;

	if (r->sequence < 0)
		lint_report(l, "an event has no sequence_number");
	else if (r->last_sequence >= 0 && r->sequence != r->last_sequence + 1)
		lint_report(l, "sequence_number %lld follows %lld", (long long)r->sequence, (long long)r->last_sequence);
}

static void check_responses_created(struct lint *l)
{
	const struct lint_responses *r = &l->responses;

	if (!r->events && r->type.len && !str_is(r->type, "response.created"))
		lint_report(l, "the first event is %s", lint_quote(r->type).text);
	else if (r->created && str_is(r->type, "response.created"))
		lint_report(l, "response.created came again");
}

static void check_responses_index(struct lint *l)
{
	const struct lint_responses *r = &l->responses;

	if (r->output < 0 && (is_of_item(r) || is_added(r) || is_done(r)))
		lint_report(l, "%s has no output_index", lint_quote(r->type).text);
}

static void check_responses_item(struct lint *l)
{
	const struct lint_responses *r = &l->responses;

	if (r->output < 0 || r->output >= LINT_SET_MOST)
		return;
	if (is_added(r) && lint_set_has(&r->added, r->output))
		lint_report(l, "the item %lld was added again", (long long)r->output);
	else if (is_done(r) && lint_set_has(&r->done, r->output))
		lint_report(l, "the item %lld was done again", (long long)r->output);
	else if ((is_done(r) || is_of_item(r)) && !lint_set_has(&r->added, r->output))
		lint_report(l, "%s of an item that was not added: %lld", lint_quote(r->type).text, (long long)r->output);
	else if (is_of_item(r) && lint_set_has(&r->done, r->output))
		lint_report(l, "%s of an item that is done: %lld", lint_quote(r->type).text, (long long)r->output);
	else if (is_done(r) && has_text(r->item) && str_is(json_get_text(r->item, "status"), "in_progress"))
		lint_report(l, "the item %lld is done, and its status is in_progress", (long long)r->output);
}

static void check_responses_item_done(struct lint *l)
{
	const struct lint_responses *r = &l->responses;
	size_t added = lint_set_count(&r->added), done = lint_set_count(&r->done);

	if (str_is(r->type, "response.completed") && done < added)
		lint_report(l, "%zu of %zu items are not done", added - done, added);
}

static void check_responses_item_id(struct lint *l)
{
	struct lint_responses *r = &l->responses;
	const struct lint_item *item = item_of(r);

	for (int64_t i = 0; is_added(r) && i < LINT_SET_MOST; i++)
		if (i != r->output && lint_set_has(&r->added, i) && r->items[i].id.len &&
		    lint_print_equal(r->items[i].id, lint_print(json_get_text(r->item, "id"))))
			lint_report(l, "the items %lld and %lld have one id", (long long)i, (long long)r->output);
	if (!item || !lint_set_has(&r->added, r->output) || !(is_done(r) || is_of_item(r)))
		return;
	if (lint_print_differs(item->id, is_done(r) ? json_get_text(r->item, "id") : r->item_id))
		lint_report(l, "the id of item %lld changes", (long long)r->output);
}

/* These are known when the item is added, and must not change. */
static void check_item_facts(struct lint *l, const struct lint_item *before, const struct json *item, size_t number)
{
	static const struct { const char *name; size_t at; } facts[] = {
		{ "type", offsetof(struct lint_item, type) }, { "call_id", offsetof(struct lint_item, call_id) },
		{ "name", offsetof(struct lint_item, name) },
	};

	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		struct str text = json_get_text(item, facts[i].name);

		if (lint_print_differs(*(const struct lint_print *)(const void *)((const char *)before + facts[i].at), text))
			lint_report(l, "the %s of item %zu changes to %s", facts[i].name, number, lint_quote(text).text);
	}
}

static void check_responses_item_facts(struct lint *l)
{
	struct lint_responses *r = &l->responses;
	const struct json *output = json_get(r->response, "output");

	if (is_done(r) && item_of(r) && lint_set_has(&r->added, r->output))
		check_item_facts(l, item_of(r), r->item, (size_t)r->output);
	for (size_t i = 0; r->terminal && i < json_length(output) && i < LINT_SET_MOST; i++)
		check_item_facts(l, &r->items[i], json_at(output, i), i);
}

static void check_responses_id(struct lint *l)
{
	const struct lint_responses *r = &l->responses;

	if (lint_print_differs(r->id, json_get_text(r->response, "id")))
		lint_report(l, "the id of the response is another one: %s", lint_quote(json_get_text(r->response, "id")).text);
	if (lint_print_differs(r->model, json_get_text(r->response, "model")))
		lint_report(l, "the model of the response is another one: %s", lint_quote(json_get_text(r->response, "model")).text);
}

static void check_responses_order(struct lint *l)
{
	const struct lint_responses *r = &l->responses;

	if (is_added(r) && r->output >= 0 && (size_t)r->output != r->item_count && !lint_set_has(&r->added, r->output))
		lint_report(l, "the item number %zu has the output_index %lld", r->item_count + 1, (long long)r->output);
}

/* The items of the terminal event are those that came. */
static void check_responses_output_id(struct lint *l)
{
	const struct lint_responses *r = &l->responses;
	const struct json *output = json_get(r->response, "output");

	for (size_t i = 0; r->terminal && i < json_length(output) && i < LINT_SET_MOST; i++) {
		struct str id = json_get_text(json_at(output, i), "id");

		if (lint_print_differs(r->items[i].id, id)) {
			lint_report(l, "the id of item %zu is another one in the response", i);
			return;
		}
	}
}

static bool is_streamed_in_parts(struct str type)
{
	return str_is(type, "response.output_text.delta") || str_is(type, "response.refusal.delta") ||
	       str_is(type, "response.reasoning_summary_text.delta");
}

/* Parts that began and did not end. */
static bool has_open_part(const struct lint_parts *parts)
{
	return lint_set_count(&parts->ended) < lint_set_count(&parts->begun);
}

/* A part is added, streams, and is done before its item. */
static void check_responses_part(struct lint *l)
{
	struct lint_responses *r = &l->responses;
	struct lint_item *item = item_of(r);

	if (!item || !lint_set_has(&r->added, r->output) || lint_set_has(&r->done, r->output))
		return;
	if (is_done(r) && (has_open_part(&item->content_parts) || has_open_part(&item->summary_parts)))
		lint_report(l, "the item %lld is done, and a part of it is not", (long long)r->output);
	const struct lint_parts *parts = parts_of(r, item);
	bool begun = lint_set_has(&parts->begun, r->content), goes_on = is_streamed_in_parts(r->type) || str_ends(r->type, "_part.done");
	if (r->content < 0 || r->content >= LINT_SET_MOST)
		return;
	if (goes_on && !begun)
		lint_report(l, "%s of a part that was not added: %lld", lint_quote(r->type).text, (long long)r->content);
	else if (goes_on && lint_set_has(&parts->ended, r->content))
		lint_report(l, "%s of a part that is done: %lld", lint_quote(r->type).text, (long long)r->content);
	else if (str_ends(r->type, "_part.added") && begun)
		lint_report(l, "the part %lld was added again", (long long)r->content);
}

static void check_responses_text(struct lint *l)
{
	const struct lint_item *item = item_of(&l->responses);
	struct str whole = whole_text(l);

	if (whole.ptr && item && lint_set_has(&l->responses.added, l->responses.output) &&
	    !lint_print_equal(lint_print(whole), item->part))
		lint_report(l, item->part.len ? "the whole text differs from its deltas" : "the whole text came without deltas");
	const struct json *part = json_get(l->message->value, "part");
	struct str text = json_raw_text(json_get(part, str_is(json_get_text(part, "type"), "refusal") ? "refusal" : "text"));
	if (item && str_ends(l->responses.type, "_part.done") && item->whole.len && !lint_print_equal(lint_print(text), item->whole))
		lint_report(l, "the text of a part is not that of its deltas");
}

/* `before` is empty if nothing of the item was streamed. */
static void check_same_text(struct lint *l, const struct json *item, struct lint_print before, size_t number)
{
	if (has_text(item) && before.len && !lint_print_equal(text_of_item(item), before))
		lint_report(l, "the text of item %zu is not what came of it", number);
}

static void check_responses_item_text(struct lint *l)
{
	struct lint_responses *r = &l->responses;
	const struct json *output = json_get(r->response, "output");

	if (is_done(r) && item_of(r) && lint_set_has(&r->added, r->output) && !(item_of(r)->summary && item_of(r)->reasoning))
		check_same_text(l, r->item, item_of(r)->streamed, (size_t)r->output);
	for (size_t i = 0; r->terminal && i < json_length(output) && i < LINT_SET_MOST; i++)
		check_same_text(l, json_at(output, i), lint_set_has(&r->done, (int64_t)i) ? r->items[i].finished : r->items[i].streamed, i);
}

static void check_responses_reasoning(struct lint *l)
{
	struct lint_responses *r = &l->responses;
	const struct lint_item *item = item_of(r);

	if (is_done(r) && item && item->summary && item->reasoning)
		lint_report(l, "an item has deltas of its reasoning and of its summary");
}

static void check_responses_status(struct lint *l)
{
	const struct lint_responses *r = &l->responses;
	struct str status = json_get_text(r->response, "status");

	if (r->terminal && !str_equal(status, str_skip(r->type, sizeof "response." - 1)))
		lint_report(l, "the status in %s is %s", lint_quote(r->type).text, status.len ? lint_quote(status).text : "absent");
	else if (str_is(r->type, "response.completed") && json_kind(json_get(r->response, "incomplete_details")) == JSON_OBJECT)
		lint_report(l, "response.completed has incomplete_details");
	else if (r->response && !r->terminal && status.len && !str_is(status, "in_progress") && !str_is(status, "queued"))
		lint_report(l, "the status in %s is %s", lint_quote(r->type).text, lint_quote(status).text);
}

static void check_responses_why(struct lint *l)
{
	const struct lint_responses *r = &l->responses;

	if (str_starts(r->type, "response."))
		report_no_reason(l, str_skip(r->type, strlen("response.")), r->response);
}

static void check_responses_usage(struct lint *l)
{
	const struct lint_responses *r = &l->responses;
	const struct json *usage = json_get(r->response, "usage");
	int64_t input = decode_count(usage, "input_tokens"), output = decode_count(usage, "output_tokens");

	if (str_is(r->type, "response.completed") && (input < 0 || output < 0))
		lint_report(l, "response.completed has no usage with input_tokens and output_tokens");
}

static void check_responses_usage_sum(struct lint *l)
{
	const struct json *usage = json_get(l->responses.response, "usage");
	int64_t input = decode_count(usage, "input_tokens"), output = decode_count(usage, "output_tokens"),
	        total = decode_count(usage, "total_tokens");

	if (l->responses.terminal && input >= 0 && output >= 0 && total >= 0 && input <= INT64_MAX / 2 && output <= INT64_MAX / 2 &&
	    total != input + output)
		lint_report(l, "total_tokens is %lld, and %lld + %lld is not", (long long)total, (long long)input, (long long)output);
}

static void check_responses_output(struct lint *l)
{
	const struct lint_responses *r = &l->responses;
	size_t items = json_length(json_get(r->response, "output"));

	if (str_is(r->type, "response.completed") && items != r->item_count)
		lint_report(l, "the response has %zu items, and %zu came", items, r->item_count);
}

static void check_responses_late(struct lint *l)
{
	if (l->responses.ended)
		lint_report(l, "an event came after the terminal event");
}

static void check_responses_error(struct lint *l)
{
	if (l->error.in_body)
		return;
	if (json_kind(json_get(l->error.value, "error")) == JSON_OBJECT)
		lint_report(l, "the members of the error are in an object of their own");
	else if (!json_get_text(l->error.value, "message").len)
		lint_report(l, "the error has no message");
	lint_check_shape(l, LINT_LACKING, "the event error", l->error.value, json_get(l->error.value, "error") ? "" : "code:s?! param:s?!");
}

static void check_responses_error_end(struct lint *l)
{
	if (l->errors && !l->stops_early && l->responses.events && !l->responses.ended && l->how == END_CLOSED)
		lint_report(l, "response.failed does not follow the error");
}

static const struct lint_rule rows[] = {
#include "lint_responses.inc"
};

const struct lint_group lint_group_responses = { rows, ARRAY_LEN(rows) };
