/* Rules of tool calls in openai-chat. Fragments are joined as calls.c does it, as far as the rules need it. */
#include "wire/lint/lint_inside.h"

#include <string.h>

#include "wire/decode.h"

/* --- joining --- */

static const char *const call_keys[] = {
	[LINT_CALL_INDEX] = "index", [LINT_CALL_ID] = "id", [LINT_CALL_TYPE] = "type", [LINT_CALL_FUNCTION] = "function",
};
static const char *const function_keys[] = { [LINT_FUNCTION_NAME] = "name", [LINT_FUNCTION_ARGUMENTS] = "arguments" };

static size_t kept_calls(const struct lint_chat *c)
{
	return c->call_count < LINT_CALLS_MOST ? c->call_count : LINT_CALLS_MOST;
}

/* The newest call that is kept, then older ones. */
static struct lint_call *call_before(struct lint_chat *c, size_t back)
{
	return back < kept_calls(c) ? &c->calls[(c->call_count - 1 - back) % LINT_CALLS_MOST] : NULL;
}

static struct lint_call *find_call(struct lint_chat *c, int64_t index, struct lint_print id)
{
	struct lint_call *call;

	for (size_t i = 0; (call = call_before(c, i)); i++)
		if (index >= 0 ? call->index == index : id.len && lint_print_equal(call->id, id))
			return call;
	return NULL;
}

static bool is_another(const struct lint_chat *c, const struct lint_call *call)
{
	bool id_differs = lint_print_differs(call->id, c->call_id), name_differs = lint_print_differs(call->name, c->call_name);

	if (!c->call_name.len)
		return false;
	return json_scan_whole(&call->scan) ? id_differs || name_differs : !call->bytes && id_differs && name_differs;
}

/* Without index and id, a name that repeats that of an unfinished call. */
static struct lint_call *find_unfinished(struct lint_chat *c)
{
	struct lint_print name = lint_print(c->call_name);
	struct lint_call *call;

	for (size_t i = 0; (call = call_before(c, i)); i++)
		if (lint_print_equal(call->name, name) && !json_scan_whole(&call->scan))
			return call;
	return NULL;
}

static void find_place(struct lint_chat *c, int64_t index, struct lint_print id)
{
	c->of = find_call(c, index, id);
	c->taken = NULL;
	if (c->of && index >= 0 && is_another(c, c->of)) {
		c->taken = c->of;
		c->of = NULL;
	} else if (!c->of && index < 0 && !id.len) {
		c->of = c->call_name.len ? find_unfinished(c) : call_before(c, 0);
	}
}

static struct lint_call *begin_call(struct lint *l, int64_t index, struct lint_print id)
{
	struct lint_chat *c = &l->chat;
	struct lint_call *call = &c->calls[c->call_count++ % LINT_CALLS_MOST];

	*call = (struct lint_call){ .index = index, .id = id, .place = l->place };
	json_scan_init(&call->scan);
	return call;
}

static void keep_fragment(struct lint *l, int64_t index, struct lint_print id)
{
	struct lint_chat *c = &l->chat;
	struct lint_call *call = c->of ? c->of : begin_call(l, index, id);
	const struct json *arguments = c->function[LINT_FUNCTION_ARGUMENTS].value;
	struct buf text = { 0 };
	struct str raw = decode_arguments(arguments, &text);

	if (!call->name.len && c->call_name.len)
		call->name = lint_print(c->call_name);
	if (!call->id.len)
		call->id = id;
	call->bytes += str_is_blank(raw) ? 0 : raw.len;
	json_scan_feed(&call->scan, raw);
	buf_fini(&text);
}

static bool is_custom(const struct lint_chat *c)
{
	return str_is(json_text(c->call[LINT_CALL_TYPE].value), "custom");
}

void lint_chat_call(struct lint *l, const struct json *call, int64_t place)
{
	struct lint_chat *c = &l->chat;
	struct buf scratch = { 0 };
	size_t others;

	lint_take(call, call_keys, LINT_CALL_KEYS, c->call, &others);
	lint_take(c->call[LINT_CALL_FUNCTION].value, function_keys, LINT_FUNCTION_KEYS, c->function, &others);
	c->call_id = decode_id(call, "id", &scratch);
	c->call_name = json_text(c->function[LINT_FUNCTION_NAME].value);
	struct lint_print id = c->call_id.len ? lint_print(c->call_id) : (struct lint_print){ 0 };
	int64_t index = decode_index(c->call[LINT_CALL_INDEX].value);
	index = index < 0 ? place : index;
	find_place(c, index, id);
	l->free_arguments |= is_custom(c);
	lint_run(l, LINT_ON_CALL);
	keep_fragment(l, index, id);
	buf_fini(&scratch);
}

/* --- rules --- */

static void check_call_index(struct lint *l)
{
	const struct lint_member *index = &l->chat.call[LINT_CALL_INDEX];

	if (!index->value && !l->chat.answer)
		lint_report(l, "a fragment of a call has %s index", index->present ? "a null" : "no");
}

static void check_call_index_type(struct lint *l)
{
	const struct json *index = l->chat.call[LINT_CALL_INDEX].value;
	int64_t count;

	if (index && !json_count(index, &count))
		lint_report(l, "the index of a call is %s", json_kind(index) == JSON_NUMBER ? "no whole number" : lint_kind(index));
}

static void check_call_index_shared(struct lint *l)
{
	if (l->chat.taken)
		lint_report(l, "a call begins with the index of another call, %lld", (long long)l->chat.taken->index);
}

static void check_call_index_order(struct lint *l)
{
	const struct lint_chat *c = &l->chat;
	int64_t index = decode_index(c->call[LINT_CALL_INDEX].value);

	if (!c->of && !c->taken && index >= 0 && (uint64_t)index != c->call_count)
		lint_report(l, "the call number %zu has the index %lld", c->call_count + 1, (long long)index);
}

static void check_call_interleaved(struct lint *l)
{
	if (l->chat.of && l->chat.of != call_before(&l->chat, 0))
		lint_report(l, "a fragment of an earlier call comes after another call has begun");
}

static void check_call_id(struct lint *l)
{
	if (!l->chat.of && !l->chat.call_id.len)
		lint_report(l, "a call begins without an id");
}

static void check_call_id_type(struct lint *l)
{
	const struct json *id = l->chat.call[LINT_CALL_ID].value;

	if (id && json_kind(id) != JSON_STRING)
		lint_report(l, "the id of a call is %s", lint_kind(id));
}

static void check_call_id_empty(struct lint *l)
{
	const struct lint_member *id = &l->chat.call[LINT_CALL_ID];

	if (l->chat.of && id->present && !l->chat.call_id.len && (!id->value || json_kind(id->value) == JSON_STRING))
		lint_report(l, "a later fragment of a call has %s", id->value ? "an empty id" : "the id null");
}

static void check_call_id_repeated(struct lint *l)
{
	const struct lint_chat *c = &l->chat;

	if (c->of && c->call_id.len && lint_print_equal(c->of->id, lint_print(c->call_id)))
		lint_report(l, "a later fragment of a call repeats its id");
}

static void check_call_id_changes(struct lint *l)
{
	const struct lint_chat *c = &l->chat;

	if (c->of && lint_print_differs(c->of->id, c->call_id))
		lint_report(l, "the id of a call changes to %s", lint_quote(c->call_id).text);
}

static void check_call_name(struct lint *l)
{
	if (!l->chat.of && !l->chat.call_name.len && !is_custom(&l->chat))
		lint_report(l, "a call begins without a name");
}

static void check_call_name_empty(struct lint *l)
{
	const struct lint_member *name = &l->chat.function[LINT_FUNCTION_NAME];

	if (l->chat.of && name->present && !l->chat.call_name.len)
		lint_report(l, "a later fragment of a call has %s", name->value ? "an empty name" : "the name null");
}

static void check_call_name_repeated(struct lint *l)
{
	if (l->chat.of && l->chat.of->name.len && l->chat.call_name.len)
		lint_report(l, "a later fragment of a call has a name: %s", lint_quote(l->chat.call_name).text);
}

static void check_call_type(struct lint *l)
{
	const struct lint_member *type = &l->chat.call[LINT_CALL_TYPE];

	if (!l->chat.of && !str_is(json_text(type->value), "function") && !is_custom(&l->chat))
		lint_report(l, "a call begins without the type function");
}

static void check_call_function(struct lint *l)
{
	const struct lint_member *function = &l->chat.call[LINT_CALL_FUNCTION];

	if (json_kind(function->value) != JSON_OBJECT && !is_custom(&l->chat))
		lint_report(l, "function is %s", function->present ? lint_kind(function->value) : "absent");
}

static void check_call_arguments_type(struct lint *l)
{
	const struct json *arguments = l->chat.function[LINT_FUNCTION_ARGUMENTS].value;

	if (arguments && json_kind(arguments) != JSON_STRING)
		lint_report(l, "the arguments of a call are %s", lint_kind(arguments));
}

static void check_call_arguments_null(struct lint *l)
{
	const struct lint_member *arguments = &l->chat.function[LINT_FUNCTION_ARGUMENTS];

	if (arguments->present && !arguments->value)
		lint_report(l, "the arguments of a call are null");
	else if (!l->chat.of && str_is(str_trim(json_text(arguments->value)), "null"))
		lint_report(l, "the arguments of a call are the text null");
}

static void check_call_arguments_after(struct lint *l)
{
	const struct lint_chat *c = &l->chat;

	if (c->of && c->of->bytes && json_scan_whole(&c->of->scan) && !str_is_blank(json_text(c->function[LINT_FUNCTION_ARGUMENTS].value)))
		lint_report(l, "more arguments came for a call whose arguments were complete");
}

/* Ended by a limit, a call may lack its arguments. */
static void check_call_arguments_empty(struct lint *l)
{
	struct lint_call *call;

	if (l->outcome != OUTCOME_TOOL_CALLS || l->free_arguments)
		return;
	for (size_t i = kept_calls(&l->chat); i-- > 0 && (call = call_before(&l->chat, i));)
		if (!call->bytes)
			lint_report_at(l, &call->place, "a call has no arguments, not even {}");
}

static const struct lint_rule rows[] = {
#include "lint_calls.inc"
};

const struct lint_group lint_group_calls = { rows, ARRAY_LEN(rows) };
