#include "wire/protocol/chat_media.h"

#include <inttypes.h>

#include "base/mem.h"
#include "wire/decode.h"
#include "wire/decode_media.h"
#include "wire/part.h"

void chat_media_fini(struct chat_media *m)
{
	mem_free(m->told);
	mem_free(m->executed);
	buf_fini(&m->audio_id);
}

/* --- pictures --- */

/* Whether it is the first time that this URL, or data, comes. Of data that cannot be read its text counts. */
static bool chat_is_new(struct chat_media *m, struct str what)
{
	struct chat_told told;

	digest_hex(what, told.digest);
	for (size_t i = 0; i < m->told_count; i++)
		if (str_equal(str_from(m->told[i].digest), str_from(told.digest)))
			return false;
	mem_reserve(&m->told, &m->told_capacity, m->told_count + 1, sizeof *m->told);
	m->told[m->told_count++] = told;
	return true;
}

static void chat_take_reference(struct decoder *d, struct chat_media *m, const struct json *value)
{
	struct media_reference reference = media_reference_of(value);
	struct blob *bytes = media_reference_decode(&reference);

	if (json_has_text(value) && chat_is_new(m, bytes ? blob_str(bytes) : json_text(value))) {
		unsigned index = guard_media_begin(d->guard,
		                                   &(struct media_facts){ .kind = MEDIA_IMAGE, .type = reference.type, .url = reference.url });

		if (bytes)
			guard_media_picture(d->guard, index, blob_str(bytes), bytes);
		else if (!reference.url.len)
			guard_media_unreadable(d->guard, index, true);
		guard_media_end(d->guard, index);
	}
	blob_drop(bytes);
}

/* {"image_url":{"url"}}, {"image_url":"..."}, {"url"}, {"b64_json"}, or a string. */
void chat_media_picture(struct decoder *d, struct chat_media *m, const struct json *element)
{
	static const char *const paths[] = { "image_url.url", "image_url", "url", "b64_json" };
	const struct json *text = element;

	for (size_t i = 0; i < ARRAY_LEN(paths) && !json_has_text(text); i++)
		text = json_find(element, paths[i]);
	chat_take_reference(d, m, text);
}

void chat_media_pictures(struct decoder *d, struct chat_media *m, const struct json *images)
{
	for (size_t i = 0; i < json_length(images); i++)
		chat_media_picture(d, m, json_at(images, i));
}

/* --- audio --- */

void chat_media_finish(struct decoder *d, struct chat_media *m)
{
	if (m->has_audio)
		guard_media_complete(d->guard, m->audio);
}

static void chat_tell_expiry(struct decoder *d, struct chat_media *m)
{
	struct buf seconds = { 0 };

	if (m->audio_expires > 0 && m->audio_id.len) {
		buf_printf(&seconds, "%" PRId64, m->audio_expires);
		guard_opaque(d->guard, guard_media_part(d->guard, m->audio), -1, OPAQUE_AUDIO_EXPIRES, buf_str(&seconds));
	}
	buf_fini(&seconds);
	m->audio_expires = 0;
}

void chat_media_end(struct decoder *d, struct chat_media *m)
{
	if (!m->has_audio)
		return;
	if (!base64_read_end(&m->reader))
		guard_media_unreadable(d->guard, m->audio, true);
	guard_media_complete(d->guard, m->audio);
	guard_media_end(d->guard, m->audio);
	chat_tell_expiry(d, m);
	m->has_audio = false;
}

/* Another id is another item. */
static void chat_begin_audio(struct decoder *d, struct chat_media *m, struct str id)
{
	if (m->has_audio && id.len && m->audio_id.len && !str_equal(id, buf_str(&m->audio_id)))
		chat_media_end(d, m);
	if (!m->has_audio) {
		m->audio = guard_media_begin(d->guard, &(struct media_facts){ .kind = MEDIA_AUDIO, .id = id, .type = d->asked.audio_type });
		m->has_audio = m->heard = true;
		buf_clear(&m->audio_id);
	}
	if (!m->audio_id.len)
		buf_add(&m->audio_id, id);
}

void chat_media_audio(struct decoder *d, struct chat_media *m, const struct json *audio)
{
	const struct json *data = json_get(audio, "data");
	struct str id = json_get_text(audio, "id");
	struct str words = json_raw_text(json_get(audio, "transcript"));
	const struct json *expires = json_get(audio, "expires_at");
	bool sounds = json_has_text(data);

	if (!id.len && !sounds && !words.len && !expires)
		return;
	chat_begin_audio(d, m, id);
	m->audio_expires = expires ? decode_index(expires) : m->audio_expires;
	guard_media_learn(d->guard, m->audio, &(struct media_facts){ .id = id, .type = media_audio_type(json_get_text(audio, "format")) });
	if (sounds)
		decode_media_piece(d->guard, m->audio, &m->reader, data);
	guard_media_text(d->guard, m->audio, words);
	if (expires && !sounds && !words.len)
		guard_media_complete(d->guard, m->audio);
}

/* --- Groq's executed tools --- */

static unsigned chat_executed_tool(struct decoder *d, struct chat_media *m, int64_t index, const struct json *tool)
{
	for (size_t i = 0; i < m->executed_count; i++)
		if (m->executed[i].index == index)
			return m->executed[i].tool;
	mem_reserve(&m->executed, &m->executed_capacity, m->executed_count + 1, sizeof *m->executed);
	unsigned number = guard_server_tool_begin(d->guard, json_get_text(tool, "id"), json_get_text(tool, "type"));
	m->executed[m->executed_count++] = (struct chat_executed){ index, number };
	return number;
}

/* The output, else the first list that is not empty. */
static void chat_take_output(struct decoder *d, unsigned number, const struct json *tool)
{
	static const char *const lists[] = { "search_results.results", "code_results", "browser_results" };
	struct buf output = { 0 };
	bool came = decode_result(json_get(tool, "output"), NULL, &output);

	for (size_t i = 0; i < ARRAY_LEN(lists) && !came; i++)
		if (json_length(json_find(tool, lists[i])))
			came = decode_result(json_find(tool, lists[i]), "png", &output);
	if (came)
		guard_server_tool_output(d->guard, number, output.len ? buf_str(&output) : STR(""));
	guard_server_tool_state(d->guard, number, came ? SERVER_TOOL_COMPLETED : SERVER_TOOL_INCOMPLETE);
	if (came)
		guard_server_tool_tell(d->guard, number);
	buf_fini(&output);
}

void chat_media_executed(struct decoder *d, struct chat_media *m, const struct json *tools)
{
	struct buf scratch = { 0 };

	for (size_t i = 0; i < json_length(tools); i++) {
		const struct json *tool = json_at(tools, i), *results = json_get(tool, "code_results");
		int64_t index = decode_index(json_get(tool, "index"));

		if (json_kind(tool) != JSON_OBJECT)
			continue;
		unsigned number = chat_executed_tool(d, m, index < 0 ? (int64_t)i : index, tool);
		guard_server_tool_whole_input(d->guard, number, decode_arguments(json_get(tool, "arguments"), &scratch));
		chat_take_output(d, number, tool);
		for (size_t r = 0; r < json_length(results); r++)
			chat_take_reference(d, m, json_get(json_at(results, r), "png"));
	}
	buf_fini(&scratch);
}
