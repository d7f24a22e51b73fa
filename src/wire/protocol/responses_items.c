#include "wire/protocol/responses_items.h"

#include "base/mem.h"
#include "wire/decode.h"
#include "wire/framer.h"

#define ITEMS_MAX 16384
#define HELD_LIMIT (4 * FRAMER_EVENT_LIMIT)
#define PARTS_OF_ITEM 4096u /* number of guard keys for the parts of an item */

enum item_kind { ITEM_MESSAGE, ITEM_REASONING, ITEM_CALL, ITEM_OTHER };

/* Length and hash of the streamed text, to compare a finished text without storing it. */
struct streamed {
	size_t len;
	uint64_t hash;
	unsigned key; /* the guard's key of its last part */
};

struct responses_item {
	enum item_kind kind;
	int64_t index;           /* output_index; -1: none */
	bool done;
	bool cited;
	struct streamed texts[RESPONSES_TEXTS];
	unsigned call;           /* ITEM_CALL: the guard's call */
	struct buf start;        /* ITEM_CALL: arguments in the added item */
};

static const struct form {
	enum item_kind kind;
	void (*give)(struct guard *g, unsigned key, struct str raw);
	const char *array, *type, *member; /* its member in a finished item */
} forms[RESPONSES_TEXTS] = {
	[RESPONSES_TEXT] = { ITEM_MESSAGE, guard_text, "content", "output_text", "text" },
	[RESPONSES_REFUSAL] = { ITEM_MESSAGE, guard_refusal, "content", "refusal", "refusal" },
	[RESPONSES_SUMMARY] = { ITEM_REASONING, guard_reasoning, "summary", "summary_text", "text" },
	[RESPONSES_REASONING] = { ITEM_REASONING, guard_reasoning, "content", "reasoning_text", "text" },
};

void responses_items_fini(struct responses_items *all)
{
	for (size_t i = 0; i < all->count; i++)
		buf_fini(&all->items[i].start);
	mem_free(all->items);
}

/* --- finding them --- */

static enum item_kind item_kind_of(const struct json *value)
{
	static const struct item_type { const char *type; enum item_kind kind; } types[] = {
		{ "message", ITEM_MESSAGE }, { "reasoning", ITEM_REASONING }, { "function_call", ITEM_CALL }, { "custom_tool_call", ITEM_CALL },
	};
	const struct item_type *row = DECODE_ROW(types, json_get_text(value, "type"));

	return row ? row->kind : ITEM_OTHER;
}

static struct responses_item *item_add(struct responses_items *all, int64_t index, enum item_kind kind, const struct json *value)
{
	if (all->count == ITEMS_MAX)
		return NULL;
	mem_reserve(&all->items, &all->capacity, all->count + 1, sizeof *all->items);
	struct responses_item *item = &all->items[all->count++];
	*item = (struct responses_item){ .kind = kind, .index = index };
	buf_init(&item->start, HELD_LIMIT);
	if (kind == ITEM_CALL)
		item->call = guard_tool_begin(all->guard, json_get_text(value, "call_id"), json_get_text(value, "name"));
	return item;
}

/* The last item with that index and kind; without an index the current one, the last that is not done. */
static struct responses_item *find_item(struct responses_items *all, int64_t index, enum item_kind kind)
{
	for (size_t i = all->count; i > 0; i--) {
		struct responses_item *item = &all->items[i - 1];

		if (item->kind == kind && (index < 0 ? !item->done : item->index == index))
			return item;
	}
	return NULL;
}

/* NULL if there are too many. */
static struct responses_item *take_item(struct responses_items *all, int64_t index, enum item_kind kind)
{
	struct responses_item *item = find_item(all, index, kind);

	return item ? item : item_add(all, index, kind, NULL);
}

/* A different call if both have an id and the ids differ. */
static bool is_other_call(const struct responses_items *all, const struct responses_item *item, const struct json *value)
{
	struct str id = json_get_text(value, "call_id");
	struct str known = item->kind == ITEM_CALL ? guard_tool_id(all->guard, item->call) : STR_NONE;

	return id.len && known.len && !str_equal(id, known);
}

/* The item that matches a finished one: by index, else by the call's id, else the first that is not done. */
static struct responses_item *find_finished(struct responses_items *all, int64_t index, const struct json *value)
{
	enum item_kind kind = item_kind_of(value);
	struct responses_item *item = index < 0 ? NULL : find_item(all, index, kind);
	bool by_id = kind == ITEM_CALL && json_get_text(value, "call_id").len;

	if (item && !is_other_call(all, item, value))
		return item;
	for (size_t i = 0; i < all->count; i++) {
		item = &all->items[i];
		if (item->kind == kind && (by_id ? !is_other_call(all, item, value) : index < 0 && !item->done))
			return item;
	}
	return NULL;
}

/* --- text --- */

/* FNV-1a. */
static uint64_t hash_of(uint64_t hash, struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001B3u;
	return hash;
}

static unsigned item_key(const struct responses_items *all, const struct responses_item *item, int64_t part)
{
	unsigned sub = part < 0 ? 0 : (unsigned)(part % PARTS_OF_ITEM);

	return (unsigned)(item - all->items) * PARTS_OF_ITEM + sub;
}

/* Of one item only the kind of reasoning that arrived first is shown. */
static bool is_shown(const struct responses_item *item, enum responses_text text)
{
	if (text == RESPONSES_SUMMARY)
		return !item->texts[RESPONSES_REASONING].len;
	return text != RESPONSES_REASONING || !item->texts[RESPONSES_SUMMARY].len;
}

static void stream_text(struct responses_items *all, struct responses_item *item, enum responses_text text, unsigned key,
                        struct str raw)
{
	struct streamed *streamed = &item->texts[text];

	if (!raw.len || !is_shown(item, text))
		return;
	streamed->key = key;
	streamed->hash = hash_of(streamed->hash, raw);
	streamed->len += raw.len;
	forms[text].give(all->guard, key, raw);
}

void responses_items_text(struct responses_items *all, enum responses_text text, int64_t index, int64_t part, struct str raw)
{
	struct responses_item *item = take_item(all, index, forms[text].kind);

	if (item)
		stream_text(all, item, text, item_key(all, item, part), raw);
}

/* Single parts are not compared: any streamed text counts as this part. */
void responses_items_whole_text(struct responses_items *all, enum responses_text text, int64_t index, int64_t part,
                                struct str raw)
{
	struct responses_item *item = take_item(all, index, forms[text].kind);

	if (item && !item->texts[text].len)
		stream_text(all, item, text, item_key(all, item, part), raw);
}

/* Reports the text of a finished item that was not streamed: all, or the rest if it begins with the streamed text. */
static void fill_text(struct responses_items *all, struct responses_item *item, enum responses_text text, const struct json *value)
{
	const struct form *form = &forms[text];
	const struct json *array = json_get(value, form->array);
	struct streamed *streamed = &item->texts[text];
	size_t had = streamed->len;
	struct buf whole = { 0 };

	for (size_t i = 0; i < json_length(array); i++)
		if (str_is(json_get_text(json_at(array, i), "type"), form->type))
			buf_add(&whole, json_raw_text(json_get(json_at(array, i), form->member)));
	if (had < whole.len && hash_of(0, str_head(buf_str(&whole), had)) == streamed->hash)
		stream_text(all, item, text, had ? streamed->key : item_key(all, item, 0), str_skip(buf_str(&whole), had));
	buf_fini(&whole);
}

/* --- citations and reasoning items --- */

static void item_give_citation(struct responses_items *all, struct responses_item *item, int64_t part, const struct json *annotation)
{
	struct str title = json_get_text(annotation, "title");
	struct citation cited = { .url = json_get_text(annotation, "url"), .title = title.len ? title : json_get_text(annotation, "filename") };

	if (json_kind(annotation) != JSON_OBJECT)
		return;
	item->cited = true;
	decode_citation_range(annotation, &cited);
	guard_cite(all->guard, item_key(all, item, part), &cited);
}

void responses_items_citation(struct responses_items *all, int64_t index, int64_t part, const struct json *annotation)
{
	struct responses_item *item = take_item(all, index, ITEM_MESSAGE);

	if (item)
		item_give_citation(all, item, part, annotation);
}

static void fill_citations(struct responses_items *all, struct responses_item *item, const struct json *value)
{
	const struct json *content = json_get(value, "content");

	if (item->cited)
		return;
	for (size_t i = 0; i < json_length(content); i++) {
		const struct json *annotations = json_get(json_at(content, i), "annotations");

		for (size_t j = 0; j < json_length(annotations); j++)
			item_give_citation(all, item, (int64_t)i, json_at(annotations, j));
	}
}

/* It must be sent back directly before the item that follows it, so it is kept with its text. Without content it would be only a reference. */
static void give_reasoning_item(struct responses_items *all, const struct responses_item *item, const struct json *value)
{
	const struct streamed *shown = &item->texts[item->texts[RESPONSES_SUMMARY].len ? RESPONSES_SUMMARY : RESPONSES_REASONING];
	struct buf whole = { 0 };

	if (!json_get_text(value, "encrypted_content").len && !json_length(json_get(value, "content")))
		return;
	decode_dump_without(value, "status", &whole);
	guard_opaque(all->guard, shown->len ? guard_part(all->guard, DELTA_REASONING, shown->key) : GUARD_NEW_PART, -1,
	             OPAQUE_RESPONSES_ITEM, buf_str(&whole));
	buf_fini(&whole);
}

/* --- calls --- */

static const struct json *arguments_of(const struct json *value)
{
	const struct json *arguments = json_get(value, "arguments");

	return arguments ? arguments : json_get(value, "input");
}

void responses_items_arguments(struct responses_items *all, int64_t index, const struct json *piece)
{
	struct responses_item *item = take_item(all, index, ITEM_CALL);
	struct buf scratch = { 0 };

	if (!item || !guard_tool_open(all->guard, item->call))
		return;
	guard_tool_arguments(all->guard, item->call, decode_arguments(piece, &scratch));
	buf_fini(&scratch);
}

/* Id and name keep their first values. The rest of the arguments is reported if they begin with what arrived. */
static void fill_call(struct responses_items *all, const struct responses_item *item, const struct json *value)
{
	struct str id = guard_tool_id(all->guard, item->call), name = guard_tool_name_of(all->guard, item->call);
	struct str had = guard_tool_text(all->guard, item->call), whole;
	struct buf scratch = { 0 };

	if (!guard_tool_open(all->guard, item->call))
		return;
	guard_tool_name(all->guard, item->call, id.len ? STR_NONE : json_get_text(value, "call_id"),
	                name.len ? STR_NONE : json_get_text(value, "name"));
	whole = decode_arguments(arguments_of(value), &scratch);
	if (had.len < whole.len && str_equal(had, str_head(whole, had.len)))
		guard_tool_arguments(all->guard, item->call, str_skip(whole, had.len));
	buf_fini(&scratch);
}

void responses_items_whole_arguments(struct responses_items *all, int64_t index, const struct json *event)
{
	struct responses_item *item = take_item(all, index, ITEM_CALL);

	if (item)
		fill_call(all, item, event);
}

static void item_end_call(struct responses_items *all, struct responses_item *item)
{
	if (!guard_tool_open(all->guard, item->call))
		return;
	if (str_is_blank(guard_tool_text(all->guard, item->call)))
		guard_tool_arguments(all->guard, item->call, buf_str(&item->start));
	guard_tool_end(all->guard, item->call);
	all->held -= item->start.len;
	buf_fini(&item->start);
}

void responses_items_end_calls(struct responses_items *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->items[i].kind == ITEM_CALL)
			item_end_call(all, &all->items[i]);
}

/* --- begin and end --- */

static void hold_start(struct responses_items *all, struct responses_item *item, const struct json *value)
{
	struct buf scratch = { 0 };

	struct str start = decode_arguments(arguments_of(value), &scratch);
	if (!item->start.len && start.len <= HELD_LIMIT - all->held && buf_add(&item->start, start))
		all->held += start.len;
	buf_fini(&scratch);
}

static void fill_message(struct responses_items *all, struct responses_item *item, const struct json *value)
{
	fill_text(all, item, RESPONSES_TEXT, value);
	fill_text(all, item, RESPONSES_REFUSAL, value);
}

void responses_items_added(struct responses_items *all, int64_t index, const struct json *value)
{
	enum item_kind kind = item_kind_of(value);
	struct responses_item *item = index < 0 ? NULL : find_item(all, index, kind);

	if (!item || item->done || is_other_call(all, item, value))
		item = item_add(all, index, kind, value);
	if (item && kind == ITEM_MESSAGE)
		fill_message(all, item, value);
	else if (item && kind == ITEM_CALL)
		hold_start(all, item, value);
}

static void finish_item(struct responses_items *all, struct responses_item *item, const struct json *value)
{
	if (item->done)
		return;
	item->done = true;
	switch (item->kind) {
	case ITEM_MESSAGE:
		fill_message(all, item, value);
		fill_citations(all, item, value);
		break;
	case ITEM_REASONING:
		fill_text(all, item, RESPONSES_SUMMARY, value);
		fill_text(all, item, RESPONSES_REASONING, value);
		give_reasoning_item(all, item, value);
		break;
	case ITEM_CALL:
		fill_call(all, item, value);
		item_end_call(all, item);
		break;
	case ITEM_OTHER:
		break;
	}
}

void responses_items_done(struct responses_items *all, int64_t index, const struct json *value)
{
	struct responses_item *item = find_finished(all, index, value);

	if (!item)
		item = item_add(all, index, item_kind_of(value), value);
	if (item)
		finish_item(all, item, value);
}

static bool any_of_kind(const struct responses_items *all, size_t count, enum item_kind kind)
{
	for (size_t i = 0; i < count; i++)
		if (all->items[i].kind == kind)
			return true;
	return false;
}

/* An item with another index than in the stream counts as streamed, unless no item of its kind was streamed. */
void responses_items_output(struct responses_items *all, const struct json *output)
{
	size_t streamed = all->count;

	for (size_t i = 0; i < json_length(output); i++) {
		const struct json *value = json_at(output, i);
		enum item_kind kind = item_kind_of(value);
		struct responses_item *item = find_finished(all, (int64_t)i, value);

		if (item && (size_t)(item - all->items) >= streamed) /* one before it in this list, whose id a server gave twice */
			item = NULL;
		if (!item && (kind == ITEM_CALL || !any_of_kind(all, streamed, kind)))
			item = item_add(all, (int64_t)i, kind, value);
		if (item)
			finish_item(all, item, value);
	}
}
