#include "wire/protocol/reasoning_details.h"

#include "base/json_write.h"
#include "base/mem.h"
#include "wire/decode.h"
#include "wire/surrogate.h"

#define DETAILS_MOST 4096
#define FIELD_LIMIT ((size_t)16 << 20)

enum field { FIELD_TEXT, FIELD_SUMMARY, FIELD_DATA, FIELD_SIGNATURE, FIELD_ID, FIELD_FORMAT, FIELD_COUNT };

static const struct { const char *key; bool grows; } fields[FIELD_COUNT] = {
	[FIELD_TEXT] = { "text", true },
	[FIELD_SUMMARY] = { "summary", true },
	[FIELD_DATA] = { "data", true },
	[FIELD_SIGNATURE] = { "signature", false },
	[FIELD_ID] = { "id", false },
	[FIELD_FORMAT] = { "format", false },
};

struct reasoning_detail {
	struct buf type;
	int64_t index; /* -1: none */
	struct buf fields[FIELD_COUNT];
	struct surrogate surrogates[FIELD_COUNT];
	bool sent[FIELD_COUNT];
};

void reasoning_details_fini(struct reasoning_details *details)
{
	for (size_t i = 0; i < details->count; i++) {
		buf_fini(&details->items[i].type);
		for (size_t f = 0; f < FIELD_COUNT; f++)
			buf_fini(&details->items[i].fields[f]);
	}
	mem_free(details->items);
	*details = (struct reasoning_details){ 0 };
}

static struct reasoning_detail *details_find(struct reasoning_details *details, int64_t index, struct str type)
{
	for (size_t i = details->count; i-- > 0;)
		if (details->items[i].index == index && str_equal(buf_str(&details->items[i].type), type))
			return &details->items[i];
	if (details->count == DETAILS_MOST)
		return NULL;
	mem_reserve(&details->items, &details->capacity, details->count + 1, sizeof *details->items);
	struct reasoning_detail *item = &details->items[details->count++];
	*item = (struct reasoning_detail){ .index = index };
	buf_init(&item->type, FIELD_LIMIT);
	buf_add(&item->type, type);
	for (size_t f = 0; f < FIELD_COUNT; f++)
		buf_init(&item->fields[f], FIELD_LIMIT);
	return item;
}

static bool add_field(struct reasoning_detail *item, enum field field, const struct json *value, struct buf *scratch)
{
	if (json_kind(value) != JSON_STRING)
		return true;
	if (!fields[field].grows)
		buf_clear(&item->fields[field]);
	item->sent[field] = true;
	return buf_add(&item->fields[field], surrogate_join(&item->surrogates[field], json_raw_text(value), scratch));
}

void reasoning_details_add(struct reasoning_details *details, const struct json *array)
{
	struct buf scratch;

	buf_init(&scratch, FIELD_LIMIT);
	for (size_t i = 0; i < json_length(array) && !details->overflowed; i++) {
		const struct json *element = json_at(array, i);

		if (json_kind(element) != JSON_OBJECT)
			continue;
		int64_t index = decode_index(json_get(element, "index"));
		struct reasoning_detail *item = details_find(details, index, json_get_text(element, "type"));
		details->overflowed = !item;
		for (size_t f = 0; item && f < FIELD_COUNT; f++)
			if (!add_field(item, (enum field)f, json_get(element, fields[f].key), &scratch))
				details->overflowed = true;
	}
	buf_fini(&scratch);
}

static void write_item(struct json_writer *w, const struct reasoning_detail *item)
{
	json_open_object(w);
	json_member_string(w, "type", buf_str(&item->type));
	for (size_t f = 0; f < FIELD_COUNT; f++) {
		if (!item->sent[f])
			continue;
		struct surrogate held = item->surrogates[f];
		struct str lone = surrogate_flush(&held);
		if (!lone.len) {
			json_member_string(w, fields[f].key, buf_str(&item->fields[f]));
			continue;
		}
		struct buf text;
		buf_init(&text, FIELD_LIMIT + lone.len);
		buf_add(&text, buf_str(&item->fields[f]));
		buf_add(&text, lone);
		json_member_string(w, fields[f].key, buf_str(&text));
		buf_fini(&text);
	}
	if (item->index >= 0)
		json_member_integer(w, "index", item->index);
	json_close_object(w);
}

bool reasoning_details_write(const struct reasoning_details *details, struct buf *out)
{
	if (!details->count || details->overflowed)
		return false;
	struct json_writer w;
	json_writer_init(&w, out);
	json_open_array(&w);
	for (size_t i = 0; i < details->count; i++)
		write_item(&w, &details->items[i]);
	json_close_array(&w);
	return true;
}
