/*
 * OpenAI Responses: items that are added, streamed and done, then a terminal event with the whole response (wire.md 9).
 *
 * Items are known by output_index only: their ids change between events behind some gateways. What a finished item or the
 * terminal event holds is used only as far as it was not streamed.
 */
#include "wire/openai_responses.h"

#include "base/mem.h"
#include "wire/decode.h"
#include "wire/openai_chat.h"

#define ITEMS_MAX 16384
#define PARTS_OF_ITEM 4096u /* keys of the guard that an item has for its parts */

enum item_kind { ITEM_MESSAGE, ITEM_REASONING, ITEM_CALL, ITEM_OTHER };
enum thinking { THINKING_NONE, THINKING_SUMMARY, THINKING_TEXT };

/* What was streamed of a text, by which a finished one is compared without keeping it. */
struct streamed {
	size_t len;
	uint64_t hash;
	unsigned key; /* the guard's, of its last part */
};

struct item {
	enum item_kind kind;
	int64_t index;           /* output_index, -1: none was sent */
	bool done;
	bool cited;
	struct streamed text, refusal, reasoning;
	enum thinking thinking;  /* of one item only the kind that came first is shown */
	unsigned call;           /* ITEM_CALL: the guard's */
	struct buf start;        /* ITEM_CALL: arguments that it was added with */
};

struct responses {
	struct item *items;
	size_t count, capacity;
};

static void responses_fini(void *state)
{
	struct responses *s = state;
	for (size_t i = 0; i < s->count; i++)
		buf_fini(&s->items[i].start);
	mem_free(s->items);
}

/* --- items -------------------------------------------------------------------------------------------------------- */

static enum item_kind kind_of(struct str type)
{
	if (str_is(type, "message"))
		return ITEM_MESSAGE;
	if (str_is(type, "reasoning"))
		return ITEM_REASONING;
	return str_is(type, "function_call") || str_is(type, "custom_tool_call") ? ITEM_CALL : ITEM_OTHER;
}

static struct item *add_item(struct decoder *d, int64_t index, enum item_kind kind, const struct json *value)
{
	struct responses *s = d->state;

	if (s->count == ITEMS_MAX)
		return NULL;
	mem_reserve(&s->items, &s->capacity, s->count + 1, sizeof *s->items);
	struct item *item = &s->items[s->count++];
	*item = (struct item){ .kind = kind, .index = index };
	buf_init(&item->start, GUARD_ARGUMENTS_LIMIT);
	if (kind == ITEM_CALL)
		item->call = guard_tool_begin(d->guard, json_get_text(value, "call_id"), json_get_text(value, "name"));
	return item;
}

/* The last of that index and kind; without an index the one in progress, which is the last that is not done. */
static struct item *find_item(struct responses *s, int64_t index, enum item_kind kind)
{
	for (size_t i = s->count; i > 0; i--) {
		struct item *item = &s->items[i - 1];
		if (item->kind == kind && (index < 0 ? !item->done : item->index == index))
			return item;
	}
	return NULL;
}

static struct item *item_of(struct decoder *d, const struct json *event, enum item_kind kind)
{
	int64_t index = decode_count(event, "output_index");
	struct item *item = find_item(d->state, index, kind);

	return item ? item : add_item(d, index, kind, NULL);
}

/* Another call where both have an id and they differ. */
static bool is_other_call(const struct decoder *d, const struct item *item, const struct json *value)
{
	struct str id = json_get_text(value, "call_id");
	struct str known = item->kind == ITEM_CALL ? guard_tool_id(d->guard, item->call) : STR_NONE;

	return id.len && known.len && !str_equal(id, known);
}

/* The item that a finished one is: by index, else by the call's id, else the first that is not done. */
static struct item *find_finished(struct decoder *d, int64_t index, enum item_kind kind, const struct json *value)
{
	struct responses *s = d->state;
	struct item *item = index < 0 ? NULL : find_item(s, index, kind);

	if (item && !is_other_call(d, item, value))
		return item;
	for (size_t i = 0; i < s->count; i++) {
		item = &s->items[i];
		bool same_call = kind == ITEM_CALL && json_get_text(value, "call_id").len && !is_other_call(d, item, value);
		if (item->kind == kind && (same_call || (index < 0 && kind != ITEM_CALL && !item->done)))
			return item;
	}
	return NULL;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(uint64_t hash, struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001B3u;
	return hash;
}

static unsigned key_of(const struct responses *s, const struct item *item, int64_t part)
{
	unsigned sub = part < 0 ? 0 : (unsigned)(part % PARTS_OF_ITEM);
	return (unsigned)(item - s->items) * PARTS_OF_ITEM + sub;
}

typedef void text_giver(struct guard *g, unsigned key, struct str raw);

static void stream_text(struct decoder *d, text_giver *give, struct streamed *streamed, unsigned key, struct str raw)
{
	if (!raw.len)
		return;
	streamed->key = key;
	streamed->hash = hash_of(streamed->hash, raw);
	streamed->len += raw.len;
	give(d->guard, key, raw);
}

/* Gives what of a finished text was not streamed: all, or the rest if it begins with what was. */
static void fill_text(struct decoder *d, text_giver *give, struct streamed *streamed, unsigned key, struct str whole)
{
	size_t had = streamed->len;

	if (had >= whole.len || hash_of(0, str_head(whole, had)) != streamed->hash)
		return;
	stream_text(d, give, streamed, had ? streamed->key : key, str_skip(whole, had));
}

/* One text of the array's elements of a type. */
static void join_texts(const struct json *array, const char *type, const char *member, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < json_length(array); i++)
		if (str_is(json_get_text(json_at(array, i), "type"), type))
			buf_add(out, json_raw_text(json_get(json_at(array, i), member)));
}

static void give_citation(struct decoder *d, struct item *item, const struct json *annotation)
{
	struct str title = json_get_text(annotation, "title");

	if (json_kind(annotation) != JSON_OBJECT)
		return;
	item->cited = true;
	guard_citation(d->guard, json_get_text(annotation, "url"), title.len ? title : json_get_text(annotation, "filename"),
	               STR_NONE);
}

static void fill_citations(struct decoder *d, struct item *item, const struct json *content)
{
	if (item->cited)
		return;
	for (size_t i = 0; i < json_length(content); i++) {
		const struct json *annotations = json_get(json_at(content, i), "annotations");
		for (size_t j = 0; j < json_length(annotations); j++)
			give_citation(d, item, json_at(annotations, j));
	}
}

static void fill_message(struct decoder *d, struct item *item, const struct json *value)
{
	const struct json *content = json_get(value, "content");
	unsigned key = key_of(d->state, item, 0);
	struct buf whole;

	buf_init(&whole, BUF_LIMIT_DEFAULT);
	join_texts(content, "output_text", "text", &whole);
	fill_text(d, guard_text, &item->text, key, buf_str(&whole));
	join_texts(content, "refusal", "refusal", &whole);
	fill_text(d, guard_refusal, &item->refusal, key, buf_str(&whole));
	fill_citations(d, item, content);
	buf_fini(&whole);
}

static void fill_reasoning(struct decoder *d, struct item *item, const struct json *value)
{
	unsigned key = key_of(d->state, item, 0);
	struct buf whole;

	buf_init(&whole, BUF_LIMIT_DEFAULT);
	join_texts(json_get(value, "summary"), "summary_text", "text", &whole);
	if (item->thinking == THINKING_TEXT || (item->thinking == THINKING_NONE && !whole.len))
		join_texts(json_get(value, "content"), "reasoning_text", "text", &whole);
	fill_text(d, guard_reasoning, &item->reasoning, key, buf_str(&whole));
	buf_fini(&whole);
}

/* It goes back right before what it led to, so it stands with its text. Without content it would be nothing but a reference. */
static void give_reasoning_item(struct decoder *d, const struct item *item, const struct json *value)
{
	unsigned part = GUARD_NEW_PART;
	struct buf whole;

	if (!json_get_text(value, "encrypted_content").len && !json_length(json_get(value, "content")))
		return;
	if (item->reasoning.len)
		part = guard_part(d->guard, DELTA_REASONING, item->reasoning.key);
	buf_init(&whole, BUF_LIMIT_DEFAULT);
	decode_dump_without(value, "status", &whole);
	guard_opaque(d->guard, part, -1, OPAQUE_RESPONSES_ITEM, buf_str(&whole));
	buf_fini(&whole);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void fill_arguments(struct decoder *d, const struct item *item, struct str whole)
{
	struct str had = guard_tool_text(d->guard, item->call);

	if (!guard_tool_open(d->guard, item->call) || had.len >= whole.len || !str_equal(had, str_head(whole, had.len)))
		return;
	guard_tool_arguments(d->guard, item->call, str_skip(whole, had.len));
}

static const struct json *arguments_of(const struct json *value)
{
	const struct json *arguments = json_get(value, "arguments");
	return arguments ? arguments : json_get(value, "input");
}

/* Id and name stay as they were first told. */
static void name_call(struct decoder *d, const struct item *item, const struct json *value)
{
	struct str id = json_get_text(value, "call_id"), name = json_get_text(value, "name");

	if (!guard_tool_open(d->guard, item->call))
		return;
	guard_tool_name(d->guard, item->call, guard_tool_id(d->guard, item->call).len ? STR_NONE : id,
	                guard_tool_name_of(d->guard, item->call).len ? STR_NONE : name);
}

static void end_call(struct decoder *d, const struct item *item)
{
	if (!guard_tool_open(d->guard, item->call))
		return;
	if (str_is_blank(guard_tool_text(d->guard, item->call)))
		guard_tool_arguments(d->guard, item->call, buf_str(&item->start));
	guard_tool_end(d->guard, item->call);
}

static void fill_call(struct decoder *d, const struct item *item, const struct json *value)
{
	struct buf scratch;

	buf_init(&scratch, BUF_LIMIT_DEFAULT);
	name_call(d, item, value);
	fill_arguments(d, item, decode_arguments(arguments_of(value), &scratch));
	end_call(d, item);
	buf_fini(&scratch);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void finish_item(struct decoder *d, struct item *item, const struct json *value)
{
	if (item->done)
		return;
	item->done = true;
	if (item->kind == ITEM_MESSAGE)
		fill_message(d, item, value);
	else if (item->kind == ITEM_CALL)
		fill_call(d, item, value);
	else if (item->kind == ITEM_REASONING) {
		fill_reasoning(d, item, value);
		give_reasoning_item(d, item, value);
	}
}

static void on_item_added(struct decoder *d, const struct json *event)
{
	const struct json *value = json_get(event, "item");
	int64_t index = decode_count(event, "output_index");
	enum item_kind kind = kind_of(json_get_text(value, "type"));
	struct item *item = index < 0 ? NULL : find_item(d->state, index, kind);
	struct buf scratch;

	if (!item || item->done || is_other_call(d, item, value))
		item = add_item(d, index, kind, value);
	if (!item)
		return;
	buf_init(&scratch, BUF_LIMIT_DEFAULT);
	if (kind == ITEM_MESSAGE)
		fill_message(d, item, value);
	else if (kind == ITEM_CALL && !item->start.len)
		buf_add(&item->start, decode_arguments(arguments_of(value), &scratch));
	buf_fini(&scratch);
}

static void on_item_done(struct decoder *d, const struct json *event)
{
	const struct json *value = json_get(event, "item");
	int64_t index = decode_count(event, "output_index");
	enum item_kind kind = kind_of(json_get_text(value, "type"));
	struct item *item = find_finished(d, index, kind, value);

	if (!item)
		item = add_item(d, index, kind, value);
	if (item)
		finish_item(d, item, value);
}

static void on_text(struct decoder *d, const struct json *event)
{
	struct item *item = item_of(d, event, ITEM_MESSAGE);
	if (item)
		stream_text(d, guard_text, &item->text, key_of(d->state, item, decode_count(event, "content_index")),
		            json_raw_text(json_get(event, "delta")));
}

static void on_refusal(struct decoder *d, const struct json *event)
{
	struct item *item = item_of(d, event, ITEM_MESSAGE);
	if (item)
		stream_text(d, guard_refusal, &item->refusal, key_of(d->state, item, decode_count(event, "content_index")),
		            json_raw_text(json_get(event, "delta")));
}

static void on_thinking(struct decoder *d, const struct json *event, enum thinking thinking, const char *part)
{
	struct item *item = item_of(d, event, ITEM_REASONING);
	struct str raw = json_raw_text(json_get(event, "delta"));

	if (!item || !raw.len)
		return;
	if (item->thinking == THINKING_NONE)
		item->thinking = thinking;
	if (item->thinking == thinking)
		stream_text(d, guard_reasoning, &item->reasoning, key_of(d->state, item, decode_count(event, part)), raw);
}

static void on_summary(struct decoder *d, const struct json *event)
{
	on_thinking(d, event, THINKING_SUMMARY, "summary_index");
}

static void on_reasoning(struct decoder *d, const struct json *event)
{
	on_thinking(d, event, THINKING_TEXT, "content_index");
}

/* The text of a part that was never streamed. One that was is left alone: part by part there is nothing to compare. */
static void on_text_done(struct decoder *d, const struct json *event)
{
	struct item *item = item_of(d, event, ITEM_MESSAGE);
	if (item && !item->text.len)
		stream_text(d, guard_text, &item->text, key_of(d->state, item, decode_count(event, "content_index")),
		            json_raw_text(json_get(event, "text")));
}

static void on_refusal_done(struct decoder *d, const struct json *event)
{
	struct item *item = item_of(d, event, ITEM_MESSAGE);
	if (item && !item->refusal.len)
		stream_text(d, guard_refusal, &item->refusal, key_of(d->state, item, decode_count(event, "content_index")),
		            json_raw_text(json_get(event, "refusal")));
}

static void on_arguments(struct decoder *d, const struct json *event)
{
	struct item *item = item_of(d, event, ITEM_CALL);
	struct buf scratch;

	if (!item || !guard_tool_open(d->guard, item->call))
		return;
	buf_init(&scratch, BUF_LIMIT_DEFAULT);
	guard_tool_arguments(d->guard, item->call, decode_arguments(json_get(event, "delta"), &scratch));
	buf_fini(&scratch);
}

static void on_arguments_done(struct decoder *d, const struct json *event)
{
	struct item *item = item_of(d, event, ITEM_CALL);
	struct buf scratch;

	if (!item)
		return;
	buf_init(&scratch, BUF_LIMIT_DEFAULT);
	name_call(d, item, event);
	fill_arguments(d, item, decode_arguments(arguments_of(event), &scratch));
	buf_fini(&scratch);
}

static void on_annotation(struct decoder *d, const struct json *event)
{
	struct item *item = item_of(d, event, ITEM_MESSAGE);
	if (item)
		give_citation(d, item, json_get(event, "annotation"));
}

static void on_progress(struct decoder *d, const struct json *event)
{
	const struct json *response = json_get(event, "response");
	guard_identity(d->guard, json_get_text(response, "id"), json_get_text(response, "model"));
}

/* --- the terminal event ------------------------------------------------------------------------------------------- */

static void take_usage(struct decoder *d, const struct json *value)
{
	const struct json *input = json_get(value, "input_tokens_details");
	struct usage usage = {
		.prompt_tokens = decode_count(value, "input_tokens"),
		.completion_tokens = decode_count(value, "output_tokens"),
		.total_tokens = decode_count(value, "total_tokens"),
		.cached_tokens = decode_count(input, "cached_tokens"),
		.cache_write_tokens = decode_count(input, "cache_write_tokens"),
		.reasoning_tokens = decode_count(json_get(value, "output_tokens_details"), "reasoning_tokens"),
	};

	if (usage.total_tokens < 0)
		usage.total_tokens = decode_total(usage.prompt_tokens, usage.completion_tokens);
	guard_usage(d->guard, &usage);
}

static bool was_streamed(const struct responses *s, size_t count, enum item_kind kind)
{
	for (size_t i = 0; i < count; i++)
		if (s->items[i].kind == kind)
			return true;
	return false;
}

/* The whole output at the end is often empty or counts otherwise than the stream did: it only fills what never came. */
static void take_output(struct decoder *d, const struct json *output)
{
	struct responses *s = d->state;
	size_t streamed = s->count;

	for (size_t i = 0; i < json_length(output); i++) {
		const struct json *value = json_at(output, i);
		enum item_kind kind = kind_of(json_get_text(value, "type"));
		struct item *item = find_finished(d, (int64_t)i, kind, value);
		if (!item && (kind == ITEM_CALL || !was_streamed(s, streamed, kind)))
			item = add_item(d, (int64_t)i, kind, value);
		if (item)
			finish_item(d, item, value);
	}
}

static void take_end(struct decoder *d, const struct json *response, struct str word, bool incomplete, bool failed)
{
	struct message whole = { .value = response };
	struct error_report report = { .message = word };

	guard_finish(d->guard, word);
	if (failed && decode_has_error(&whole))
		decode_error(d, &whole);
	else if (failed || (incomplete && outcome_of_finish(word) == OUTCOME_COMPLETE))
		guard_error(d->guard, &report);
	else
		guard_done(d->guard);
}

static void end_calls(struct decoder *d)
{
	struct responses *s = d->state;
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].kind == ITEM_CALL)
			end_call(d, &s->items[i]);
}

static void take_response(struct decoder *d, const struct json *response, const char *end)
{
	struct str status = json_get_text(response, "status");
	struct str reason = json_get_text(json_get(response, "incomplete_details"), "reason");
	bool incomplete = str_is(status, "incomplete") || str_is(str_from(end), "incomplete");
	bool failed = str_is(status, "failed") || str_is(str_from(end), "failed");

	guard_identity(d->guard, json_get_text(response, "id"), json_get_text(response, "model"));
	take_output(d, json_get(response, "output"));
	end_calls(d);
	take_usage(d, json_get(response, "usage"));
	if (!status.len)
		status = str_from(end);
	take_end(d, response, reason.len ? reason : status, incomplete, failed);
}

static void on_completed(struct decoder *d, const struct json *event)
{
	take_response(d, json_get(event, "response"), "completed");
}

static void on_incomplete(struct decoder *d, const struct json *event)
{
	take_response(d, json_get(event, "response"), "incomplete");
}

static void on_failed(struct decoder *d, const struct json *event)
{
	take_response(d, json_get(event, "response"), "failed");
}

static void on_cancelled(struct decoder *d, const struct json *event)
{
	take_response(d, json_get(event, "response"), "cancelled");
}

static const struct event {
	const char *type;
	void (*take)(struct decoder *d, const struct json *event);
} events[] = {
	{ "response.output_text.delta", on_text },
	{ "response.reasoning_summary_text.delta", on_summary },
	{ "response.reasoning_text.delta", on_reasoning },
	{ "response.function_call_arguments.delta", on_arguments },
	{ "response.custom_tool_call_input.delta", on_arguments },
	{ "response.refusal.delta", on_refusal },
	{ "response.output_text.done", on_text_done },
	{ "response.refusal.done", on_refusal_done },
	{ "response.function_call_arguments.done", on_arguments_done },
	{ "response.custom_tool_call_input.done", on_arguments_done },
	{ "response.output_text.annotation.added", on_annotation },
	{ "response.output_item.added", on_item_added },
	{ "response.output_item.done", on_item_done },
	{ "response.created", on_progress },
	{ "response.queued", on_progress },
	{ "response.in_progress", on_progress },
	{ "response.completed", on_completed },
	{ "response.incomplete", on_incomplete },
	{ "response.failed", on_failed },
	{ "response.cancelled", on_cancelled },
};

static void take_event(struct decoder *d, struct str type, const struct json *event)
{
	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		if (str_is(type, events[i].type)) {
			events[i].take(d, event);
			return;
		}
	}
}

static void responses_decode(struct decoder *d, const struct message *m)
{
	struct str type = decode_type(m);
	bool failed = decode_has_error(m);
	bool whole = str_is(json_get_text(m->value, "object"), "response");

	d->understood = d->understood || failed || whole || str_starts(type, "response.");
	if (whole) {
		take_response(d, m->value, failed ? "failed" : "completed");
		return;
	}
	take_event(d, type, m->value);
	if (failed) {
		end_calls(d);
		decode_error(d, m);
	}
}

static void responses_finish(struct decoder *d)
{
	end_calls(d);
}

const struct protocol protocol_openai_responses = {
	.name = "openai-responses",
	.state_bytes = sizeof(struct responses),
	.fini = responses_fini,
	.decode = responses_decode,
	.finish = responses_finish,
	.path = "/responses",
	.models_path = "/models",
	.build = openai_responses_build,
	.read_models = openai_read_models,
};
