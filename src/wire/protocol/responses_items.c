#include "wire/protocol/responses_items.h"

#include "base/mem.h"
#include "wire/decode.h"
#include "wire/decode_media.h"
#include "wire/protocol/responses_tools.h"

#define ITEMS_MAX 16384
#define HELD_LIMIT ((size_t)64 << 20) /* bytes of inputs of items that have not ended */
#define PARTS_OF_ITEM 4096u /* number of guard keys for the parts of an item */

enum item_kind { ITEM_MESSAGE, ITEM_REASONING, ITEM_CALL, ITEM_PICTURE, ITEM_TOOL, ITEM_RESULT, ITEM_OTHER };

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
	unsigned call;           /* ITEM_CALL: the guard's call; ITEM_TOOL: that of the server's tool; ITEM_PICTURE: the item of media */
	struct buf start;        /* ITEM_CALL: arguments in the added item; ITEM_TOOL: its input */
	struct buf type, id, call_id; /* ITEM_PICTURE, ITEM_TOOL, ITEM_RESULT: as sent first */
	int64_t command;         /* ITEM_TOOL: the number of the shell's command under way */
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
	for (size_t i = 0; i < all->count; i++) {
		struct responses_item *item = &all->items[i];
		struct buf *const bufs[] = { &item->start, &item->type, &item->id, &item->call_id };

		for (size_t b = 0; b < ARRAY_LEN(bufs); b++)
			buf_fini(bufs[b]);
	}
	mem_free(all->items);
}

/* --- finding them --- */

static enum item_kind item_kind_of(const struct json *value)
{
	static const struct item_type { const char *type; enum item_kind kind; } types[] = {
		{ "message", ITEM_MESSAGE }, { "reasoning", ITEM_REASONING }, { "function_call", ITEM_CALL }, { "custom_tool_call", ITEM_CALL },
	};
	static const enum item_kind kinds[] = {
		[RESPONSES_NO_TOOL] = ITEM_OTHER, [RESPONSES_CLIENTS] = ITEM_OTHER, [RESPONSES_PICTURE] = ITEM_PICTURE, [RESPONSES_RAN] = ITEM_TOOL,
		[RESPONSES_RESULT] = ITEM_RESULT,
	};
	const struct item_type *row = DECODE_ROW(types, json_get_text(value, "type"));
	enum responses_role role = responses_role_of(value);

	return role == RESPONSES_NO_TOOL && row ? row->kind : kinds[role];
}

/* Items of which the type is kept. */
static bool is_of_server(enum item_kind kind)
{
	return kind == ITEM_PICTURE || kind == ITEM_TOOL || kind == ITEM_RESULT;
}

static void note_clients_call(struct responses_items *all, const struct json *value)
{
	guard_notice(all->guard, "client-tool", "The model called %.*s, which only a client could run; weir does not offer it.",
	             STR_ARG(str_head(json_get_text(value, "type"), 80)));
}

/* What an item of the server is, as the event says that names it first. */
static void item_begin(struct responses_items *all, struct responses_item *item, struct str type, struct str id, const struct json *value)
{
	buf_add(&item->type, type);
	buf_add(&item->id, id);
	buf_add(&item->call_id, json_get_text(value, "call_id"));
	if (item->kind == ITEM_TOOL)
		item->call = guard_server_tool_begin(all->guard, id, responses_tool_name(type, value));
	else if (item->kind == ITEM_PICTURE)
		item->call = guard_media_begin(all->guard, &(struct media_facts){ .kind = MEDIA_IMAGE, .id = id });
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
	else if (is_of_server(kind) && value)
		item_begin(all, item, json_get_text(value, "type"), json_get_text(value, "id"), value);
	else if (value && responses_role_of(value) == RESPONSES_CLIENTS)
		note_clients_call(all, value);
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

/* A different call if both have an id and the ids differ; of the server's items, whose ids may change, if the types differ. */
static bool is_other_call(const struct responses_items *all, const struct responses_item *item, const struct json *value)
{
	if (is_of_server(item->kind))
		return !str_equal(buf_str(&item->type), json_get_text(value, "type"));
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
		if (item->kind == kind && (by_id ? !is_other_call(all, item, value) : index < 0 && !item->done && !is_other_call(all, item, value)))
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

/* A file of the server's container, told with each text that names it. */
static void item_give_file(struct responses_items *all, const struct json *annotation)
{
	struct str id = json_get_text(annotation, "file_id");

	if (id.len && !guard_media_has(all->guard, MEDIA_FILE, id))
		guard_media_named(all->guard, id, json_raw_text(json_get(annotation, "filename")));
}

static void item_give_citation(struct responses_items *all, struct responses_item *item, int64_t part, const struct json *annotation)
{
	if (str_is(json_get_text(annotation, "type"), "container_file_citation")) {
		item_give_file(all, annotation);
		return;
	}
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
	bool cited = item->cited;

	for (size_t i = 0; i < json_length(content); i++) {
		const struct json *annotations = json_get(json_at(content, i), "annotations");

		for (size_t j = 0; j < json_length(annotations); j++)
			if (!cited || str_is(json_get_text(json_at(annotations, j), "type"), "container_file_citation"))
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
	struct responses_item *ran = find_item(all, index, ITEM_TOOL);
	struct buf scratch = { 0 };

	if (ran && str_is(buf_str(&ran->type), "custom_tool_call")) {
		guard_server_tool_input(all->guard, ran->call, json_raw_text(piece));
		return;
	}
	struct responses_item *item = take_item(all, index, ITEM_CALL);
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
	struct responses_item *ran = find_item(all, index, ITEM_TOOL);
	bool is_ran = ran && str_is(buf_str(&ran->type), "custom_tool_call");
	struct responses_item *item = is_ran ? NULL : take_item(all, index, ITEM_CALL);

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
	for (size_t i = 0; i < all->count; i++) {
		struct responses_item *item = &all->items[i];

		if (item->kind == ITEM_CALL)
			item_end_call(all, item);
		else if (item->kind == ITEM_TOOL && !guard_server_tool_text(all->guard, item->call).len)
			guard_server_tool_whole_input(all->guard, item->call, buf_str(&item->start));
	}
}

/* --- pictures and tools of the server --- */

/* The item that an event about a type of item is of. NULL if its type does not tell that it is one of the server's. */
static struct responses_item *take_server_item(struct responses_items *all, int64_t index, struct str type, struct str id)
{
	enum responses_role role = responses_role_by_type(type);
	enum item_kind kind = role == RESPONSES_PICTURE ? ITEM_PICTURE : ITEM_TOOL;
	struct responses_item *item = find_item(all, index, kind);

	if (item || (role != RESPONSES_PICTURE && role != RESPONSES_RAN))
		return item;
	item = item_add(all, index, kind, NULL);
	if (item)
		item_begin(all, item, type, id, NULL);
	return item;
}

void responses_items_progress(struct responses_items *all, int64_t index, struct str type, struct str id, struct str word)
{
	struct responses_item *item = take_server_item(all, index, type, id);
	enum server_tool_state state;

	if (item && item->kind == ITEM_TOOL && server_tool_state_find(word, &state))
		guard_server_tool_state(all->guard, item->call, state);
}

void responses_items_input(struct responses_items *all, int64_t index, struct str type, struct str id, struct str raw, bool whole)
{
	struct responses_item *item = take_server_item(all, index, type, id);

	if (!item || item->kind != ITEM_TOOL)
		return;
	if (whole)
		guard_server_tool_whole_input(all->guard, item->call, raw);
	else
		guard_server_tool_input(all->guard, item->call, raw);
}

/* The commands of a shell are one a line. */
void responses_items_command(struct responses_items *all, int64_t index, int64_t command, struct str raw)
{
	struct responses_item *item = find_item(all, index, ITEM_TOOL);

	if (!item || command < item->command || command > item->command + 1)
		return;
	if (command > item->command)
		guard_server_tool_input(all->guard, item->call, STR("\n"));
	item->command = command;
	guard_server_tool_input(all->guard, item->call, raw);
}

void responses_items_partial(struct responses_items *all, int64_t index, const struct json *event)
{
	struct responses_item *item = take_server_item(all, index, STR("image_generation_call"), json_get_text(event, "item_id"));

	if (!item)
		return;
	responses_picture_format(all->guard, item->call, event);
	decode_media_partial(all->guard, item->call, decode_index(json_get(event, "partial_image_index")), json_get(event, "partial_image_b64"));
}

/* The tool that a result is of: that of its call_id; without one the first of that name without a result. */
static unsigned tool_of_result(struct responses_items *all, const struct json *value)
{
	struct str id = json_get_text(value, "call_id"), type = json_get_text(value, "type");
	struct str name = str_head(type, str_find(type, str_starts(type, "tool_search") ? STR("_output") : STR("_call")));

	for (size_t i = 0; i < all->count; i++) {
		const struct responses_item *item = &all->items[i];
		bool waits = item->kind == ITEM_TOOL && guard_server_tool_open(all->guard, item->call) &&
		             !guard_server_tool_has_output(all->guard, item->call);

		if (waits && (id.len ? str_equal(buf_str(&item->call_id), id) : str_equal(guard_server_tool_name_of(all->guard, item->call), name)))
			return item->call;
	}
	return guard_server_tool_begin(all->guard, id, name);
}

static void finish_server_item(struct responses_items *all, struct responses_item *item, const struct json *value)
{
	if (item->kind == ITEM_PICTURE) {
		guard_media_learn(all->guard, item->call, &(struct media_facts){ .id = json_get_text(value, "id") });
		responses_picture_finish(all->guard, item->call, value);
	} else if (item->kind == ITEM_TOOL) {
		if (!item->call_id.len)
			buf_add(&item->call_id, json_get_text(value, "call_id"));
		guard_server_tool_name(all->guard, item->call, json_get_text(value, "id"), responses_tool_name(buf_str(&item->type), value));
		if (responses_tool_finish(all->guard, item->call, value))
			guard_server_tool_end(all->guard, item->call);
	} else {
		responses_tool_result(all->guard, tool_of_result(all, value), value);
	}
}

/* --- begin and end --- */

static void hold_start(struct responses_items *all, struct responses_item *item, const struct json *value)
{
	struct buf scratch = { 0 };

	struct str start = item->kind == ITEM_CALL ? decode_arguments(arguments_of(value), &scratch) : STR_NONE;
	if (item->kind == ITEM_TOOL) {
		responses_tool_input(value, &scratch);
		start = buf_str(&scratch);
	}
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
	else if (item && (kind == ITEM_CALL || kind == ITEM_TOOL))
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
	case ITEM_PICTURE:
	case ITEM_TOOL:
	case ITEM_RESULT:
		finish_server_item(all, item, value);
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

static bool any_of_kind(const struct responses_items *all, size_t count, enum item_kind kind, struct str type)
{
	for (size_t i = 0; i < count; i++)
		if (all->items[i].kind == kind && (!is_of_server(kind) || str_equal(buf_str(&all->items[i].type), type)))
			return true;
	return false;
}

/* An item of the server that is repeated: by its id, else by its place and type. */
static struct responses_item *find_repeated(struct responses_items *all, size_t count, int64_t index, const struct json *value)
{
	struct str id = json_get_text(value, "id"), type = json_get_text(value, "type");
	struct responses_item *at_place = NULL;

	for (size_t i = 0; i < count; i++) {
		struct responses_item *item = &all->items[i];

		if (!is_of_server(item->kind) || !str_equal(buf_str(&item->type), type))
			continue;
		if (id.len && str_equal(buf_str(&item->id), id))
			return item;
		if (item->index == index)
			at_place = item;
	}
	return at_place;
}

/* An item with another index than in the stream counts as streamed, unless no item of its kind was streamed. */
void responses_items_output(struct responses_items *all, const struct json *output)
{
	size_t streamed = all->count;

	for (size_t i = 0; i < json_length(output); i++) {
		const struct json *value = json_at(output, i);
		enum item_kind kind = item_kind_of(value);
		struct responses_item *item = is_of_server(kind) ? find_repeated(all, streamed, (int64_t)i, value)
		                                                 : find_finished(all, (int64_t)i, value);

		if (item && (size_t)(item - all->items) >= streamed) /* one before it in this list, whose id a server gave twice */
			item = NULL;
		if (!item && (kind == ITEM_CALL || !any_of_kind(all, streamed, kind, json_get_text(value, "type"))))
			item = item_add(all, (int64_t)i, kind, value);
		if (item)
			finish_item(all, item, value);
	}
}
