#include "wire/decode_media.h"

#include "base/json_write.h"

/* --- media --- */

void decode_media_picture(struct guard *g, unsigned index, const struct media_reference *reference)
{
	guard_media_learn(g, index, &(struct media_facts){ .type = reference->type, .url = reference->url });
	if (reference->url.len)
		return;
	struct blob *bytes = media_reference_decode(reference);
	if (bytes)
		guard_media_picture(g, index, blob_str(bytes), bytes);
	else if (media_reference_has_data(reference))
		guard_media_unreadable(g, index, true);
	else
		guard_media_fail(g, index);
	blob_drop(bytes);
}

void decode_media_item(struct guard *g, const struct media_facts *facts, const struct media_reference *reference)
{
	struct media_facts known = *facts;

	if (reference->type.len)
		known.type = reference->type;
	known.url = reference->url;
	unsigned index = guard_media_begin(g, &known);
	decode_media_picture(g, index, reference);
	guard_media_end(g, index);
}

void decode_media_partial(struct guard *g, unsigned index, int64_t number, const struct json *base64)
{
	struct media_reference reference = media_reference_of(base64);
	struct blob *bytes = media_reference_decode(&reference);

	if (bytes)
		guard_media_partial(g, index, number, blob_str(bytes), bytes);
	else if (json_has_text(base64))
		guard_media_unreadable(g, index, false);
	blob_drop(bytes);
}

void decode_media_piece(struct guard *g, unsigned index, struct base64_reader *reader, const struct json *base64)
{
	struct media_reference reference = media_base64_of(base64);
	struct base64_reader own = { 0 };
	struct buf bytes = { 0 };

	if (reference.packed && reader && reader->count)
		reference = (struct media_reference){ .data = json_text(base64) };
	if (reference.packed)
		guard_media_piece(g, index, blob_str(reference.packed), reference.packed);
	else if (base64_read(reader ? reader : &own, reference.data, &bytes) && base64_read_end(&own))
		guard_media_piece(g, index, buf_str(&bytes), NULL);
	else
		guard_media_unreadable(g, index, true);
	buf_fini(&bytes);
}

/* --- results --- */

/* The text that a list of text blocks holds, one a line. False, with nothing appended, if it holds anything else or nothing. */
static bool decode_text_blocks(const struct json *list, struct buf *out)
{
	size_t count = json_length(list);

	for (size_t i = 0; i < count; i++)
		if (!str_is(json_get_text(json_at(list, i), "type"), "text"))
			return false;
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_add_byte(out, '\n');
		buf_add(out, json_get_text(json_at(list, i), "text"));
	}
	return count > 0;
}

static void dump_result(const struct json *value, const char *without, struct buf *out);

/* `readable`: without what nobody can read, at any depth. */
static void dump_members(const struct json *object, const char *without, bool readable, struct buf *out)
{
	bool is_base64 = str_is(json_get_text(object, "type"), "base64"), first = true;
	struct json_member member = { 0 };

	buf_add_byte(out, '{');
	while (json_next(object, &member)) {
		if ((without && str_is(member.key, without)) ||
		    (readable && (str_starts(member.key, "encrypted_") || (is_base64 && str_is(member.key, "data")))))
			continue;
		if (!first)
			buf_add_byte(out, ',');
		first = false;
		json_escape(out, member.key);
		buf_add_byte(out, ':');
		readable ? dump_result(member.value, without, out) : json_dump(member.value, out);
	}
	buf_add_byte(out, '}');
}

void decode_dump_without(const struct json *object, const char *key, struct buf *out)
{
	dump_members(object, key, false, out);
}

/* As deep as the parser lets values be. */
static void dump_result(const struct json *value, const char *without, struct buf *out)
{
	if (json_kind(value) == JSON_OBJECT) {
		dump_members(value, without, true, out);
		return;
	}
	if (json_kind(value) != JSON_ARRAY) {
		json_dump(value, out);
		return;
	}
	buf_add_byte(out, '[');
	for (size_t i = 0; i < json_length(value); i++) {
		if (i)
			buf_add_byte(out, ',');
		dump_result(json_at(value, i), without, out);
	}
	buf_add_byte(out, ']');
}

bool decode_result(const struct json *value, const char *without, struct buf *out)
{
	const struct json *printed = json_get(value, "stdout"), *complaints = json_get(value, "stderr");

	if (json_kind(value) == JSON_NULL)
		return false;
	if (json_kind(value) == JSON_STRING) {
		buf_add(out, json_text(value));
	} else if (json_kind(printed) == JSON_STRING || json_kind(complaints) == JSON_STRING) {
		buf_add(out, json_text(printed));
		buf_add(out, json_text(complaints));
	} else if (!decode_text_blocks(value, out)) {
		dump_result(value, without, out);
	}
	return true;
}

bool decode_output(struct guard *g, unsigned tool, const struct json *value)
{
	struct buf output = { 0 };
	bool came = decode_result(value, NULL, &output);

	if (came) {
		guard_server_tool_output(g, tool, output.len ? buf_str(&output) : STR(""));
		guard_server_tool_state(g, tool, SERVER_TOOL_COMPLETED);
	}
	buf_fini(&output);
	return came;
}
