/* Rules of OpenAI Responses: the order and balance of its events, their members. */
#include "wire/lint/lint_inside.h"

#include "wire/decode.h"

/* --- events --- */

static bool is_terminal(struct str type)
{
	return str_is(type, "response.completed") || str_is(type, "response.incomplete") || str_is(type, "response.failed");
}

static bool is_added(const struct lint_responses *r) { return str_is(r->type, "response.output_item.added"); }
static bool is_done(const struct lint_responses *r) { return str_is(r->type, "response.output_item.done"); }

/* An event about the content of an item. */
static bool is_of_item(const struct lint_responses *r)
{
	static const char *const kinds[] = {
		"response.content_part.", "response.output_text.", "response.refusal.", "response.function_call_arguments.",
		"response.reasoning_summary_part.", "response.reasoning_summary_text.", "response.reasoning_text.", "response.custom_tool_call_input.",
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (str_starts(r->type, kinds[i]))
			return true;
	return false;
}

static struct lint_item *item_of(struct lint_responses *r)
{
	return r->output >= 0 && r->output < LINT_SET_MOST ? &r->items[r->output] : NULL;
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

static bool is_delta(const struct lint_responses *r)
{
	return is_of_item(r) && str_ends(r->type, ".delta");
}

static void keep_event(struct lint *l)
{
	struct lint_responses *r = &l->responses;
	struct lint_item *item = item_of(r);

	if (is_added(r)) {
		lint_set_add(&r->added, r->output);
		r->item_count++;
		r->parts = (struct lint_set){ 0 };
		l->free_arguments |= str_is(json_get_text(r->item, "type"), "custom_tool_call");
	}
	if (is_added(r) && item)
		*item = (struct lint_item){ .id = lint_print(json_get_text(r->item, "id")), .text = lint_print(STR("")) };
	if (is_done(r))
		lint_set_add(&r->done, r->output);
	if (str_is(r->type, "response.content_part.added"))
		lint_set_add(&r->parts, r->content);
	if (is_delta(r) && item) {
		item->summary |= str_starts(r->type, "response.reasoning_summary_text.");
		item->reasoning |= str_starts(r->type, "response.reasoning_text.");
	}
	if (is_delta(r) && item)
		item->text = lint_print_more(item->text, json_raw_text(json_get(l->message->value, "delta")));
	else if (whole_text(l).ptr && item)
		item->text = lint_print(STR(""));
	if (r->sequence >= 0)
		r->last_sequence = r->sequence;
	r->ended |= r->terminal;
	r->events++;
}

void lint_responses_value(struct lint *l)
{
	struct lint_responses *r = &l->responses;
	const struct json *value = l->message->value;

	if (!r->events)
		r->last_sequence = -1;
	if (decode_has_error(l->message)) {
		lint_take_error(l, json_get(value, "error"), false);
		r->last_sequence = decode_count(value, "sequence_number");
		return;
	}
	r->type = json_get_text(value, "type");
	r->terminal = is_terminal(r->type);
	r->sequence = decode_count(value, "sequence_number");
	r->output = decode_count(value, "output_index");
	r->content = decode_count(value, "content_index");
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

static void check_responses_event_known(struct lint *l)
{
	struct str type = l->responses.type;

	if (type.len && !str_starts(type, "response.") && !str_is(type, "error"))
		lint_report(l, "the type of an event is %s", lint_quote(type).text);
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
	if (!l->responses.events && l->responses.type.len && !str_is(l->responses.type, "response.created"))
		lint_report(l, "the first event is %s", lint_quote(l->responses.type).text);
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
	else if ((is_done(r) || is_of_item(r)) && !lint_set_has(&r->added, r->output))
		lint_report(l, "%s of an item that was not added: %lld", lint_quote(r->type).text, (long long)r->output);
	else if (is_of_item(r) && lint_set_has(&r->done, r->output))
		lint_report(l, "%s of an item that is done: %lld", lint_quote(r->type).text, (long long)r->output);
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
	struct str id = is_done(r) ? json_get_text(r->item, "id") : r->item_id;

	if (!item || !lint_set_has(&r->added, r->output) || !id.len || !item->id.len || lint_print_equal(item->id, lint_print(id)))
		return;
	if (is_done(r) || is_of_item(r))
		lint_report(l, "the id of item %lld changes", (long long)r->output);
}

/* The items of the terminal event are those that came. */
static void check_responses_output_id(struct lint *l)
{
	const struct lint_responses *r = &l->responses;
	const struct json *output = json_get(r->response, "output");

	for (size_t i = 0; r->terminal && i < json_length(output) && i < LINT_SET_MOST; i++) {
		struct str id = json_get_text(json_at(output, i), "id");

		if (id.len && r->items[i].id.len && !lint_print_equal(lint_print(id), r->items[i].id)) {
			lint_report(l, "the id of item %zu is another one in the response", i);
			return;
		}
	}
}

static void check_responses_part(struct lint *l)
{
	const struct lint_responses *r = &l->responses;

	if ((str_starts(r->type, "response.output_text.delta") || str_starts(r->type, "response.refusal.delta")) && r->content >= 0 &&
	    r->content < LINT_SET_MOST && !lint_set_has(&r->parts, r->content))
		lint_report(l, "%s of a part that was not added: %lld", lint_quote(r->type).text, (long long)r->content);
}

static void check_responses_text(struct lint *l)
{
	const struct lint_item *item = item_of(&l->responses);
	struct str whole = whole_text(l);

	if (whole.ptr && item && lint_set_has(&l->responses.added, l->responses.output) &&
	    !lint_print_equal(lint_print(whole), item->text))
		lint_report(l, item->text.len ? "the whole text differs from its deltas" : "the whole text came without deltas");
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
}

static void check_responses_error_end(struct lint *l)
{
	if (l->errors && !l->stops_early && l->responses.events && !l->responses.ended && lint_ended_by_server(l))
		lint_report(l, "response.failed does not follow the error");
}

static const struct lint_rule rows[] = {
#include "lint_responses.inc"
};

const struct lint_group lint_group_responses = { rows, ARRAY_LEN(rows) };
