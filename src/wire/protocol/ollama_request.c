/* Requests of Ollama (wire.md 10): content is one text, images are beside it, arguments are objects. */
#include "base/base64.h"
#include "wire/protocol/ollama.h"
#include "wire/protocol/request_write.h"

/* --- messages --- */

static void ollama_write_result(struct json_writer *w, const struct request_part *part)
{
	json_open_object(w);
	json_member_string(w, "role", STR("tool"));
	json_member_string(w, "content", part->text);
	json_member_string(w, "tool_name", part->name);
	if (!part->id_is_ours && part->id.len)
		json_member_string(w, "tool_call_id", part->id);
	json_close_object(w);
}

static void write_images(struct json_writer *w, const struct request_message *message)
{
	struct buf text = { 0 };

	json_key(w, "images");
	json_open_array(w);
	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];

		if (part->kind != PART_ATTACHMENT || attachment_kind(part) != ATTACHMENT_IMAGE)
			continue;
		buf_clear(&text);
		w->full |= !base64_encode(part->text, &text);
		json_string(w, buf_str(&text));
	}
	json_close_array(w);
	buf_fini(&text);
}

/* Files are sent as text, separated from the prompt by a blank line. */
static void join_content(const struct request_message *message, struct buf *content, size_t *images)
{
	struct buf scratch = { 0 };

	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];
		struct str text = part->kind == PART_TEXT ? part->text : STR_NONE;

		if (part->kind == PART_ATTACHMENT && attachment_kind(part) == ATTACHMENT_IMAGE)
			++*images;
		else if (part->kind == PART_ATTACHMENT)
			text = attachment_text(part, &scratch);
		if (text.len && content->len)
			buf_add(content, STR("\n\n"));
		buf_add(content, text);
	}
	buf_fini(&scratch);
}

static void ollama_write_user(struct json_writer *w, const struct request_message *message)
{
	size_t images = 0;
	struct buf content = { 0 };

	for (size_t i = 0; i < message->part_count; i++)
		if (message->parts[i].kind == PART_TOOL_RESULT)
			ollama_write_result(w, &message->parts[i]);
	join_content(message, &content, &images);
	if (content.len || images) {
		json_open_object(w);
		json_member_string(w, "role", STR("user"));
		json_member_string(w, "content", buf_str(&content));
		if (images)
			write_images(w, message);
		json_close_object(w);
	}
	buf_fini(&content);
}

static void ollama_write_calls(struct json_writer *w, const struct request_message *message)
{
	json_key(w, "tool_calls");
	json_open_array(w);
	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];

		if (part->kind != PART_TOOL_CALL)
			continue;
		json_open_object(w);
		if (!part->id_is_ours && part->id.len)
			json_member_string(w, "id", part->id);
		json_key(w, "function");
		json_open_object(w);
		json_member_string(w, "name", part->name);
		request_write_arguments(w, "arguments", part->text);
		json_close_object(w);
		json_close_object(w);
	}
	json_close_array(w);
}

static void ollama_write_assistant(struct json_writer *w, const struct request_message *message)
{
	bool calls = request_has_call(message);
	struct buf text = { 0 }, thinking = { 0 };

	if (request_join_said(message, &text).len || calls) {
		json_open_object(w);
		json_member_string(w, "role", STR("assistant"));
		json_member_string(w, "content", buf_str(&text));
		if (request_join_text(message, PART_REASONING, &thinking).len)
			json_member_string(w, "thinking", buf_str(&thinking));
		if (calls)
			ollama_write_calls(w, message);
		json_close_object(w);
	}
	buf_fini(&text);
	buf_fini(&thinking);
}

static void ollama_write_message(struct json_writer *w, const struct request *request, const struct request_message *message)
{
	(void)request;
	if (message->role == TURN_USER)
		ollama_write_user(w, message);
	else
		ollama_write_assistant(w, message);
}

/* --- the body --- */

/* gpt-oss supports levels, other models only on and off. */
static void write_think(struct json_writer *w, const struct request *request)
{
	const char *level = request_level_name(request->reasoning);

	if (request->reasoning == REASONING_LEVEL_UNSET)
		return;
	if (level && str_find(request->model, STR("gpt-oss")) < request->model.len)
		json_member_string(w, "think", str_from(level));
	else
		json_member_boolean(w, "think", level != NULL);
}

static void write_options(struct json_writer *w, const struct request *request)
{
	if (request->max_tokens <= 0 && !request_has_sampling(request))
		return;
	json_key(w, "options");
	json_open_object(w);
	if (request->max_tokens > 0)
		json_member_integer(w, "num_predict", request->max_tokens);
	request_write_sampling(w, request, "top_p");
	json_close_object(w);
}

/* `stream` is always sent, because it is true by default. */
bool ollama_build(const struct request *request, struct buf *out)
{
	struct json_writer writer, *w = &writer;

	json_writer_init(w, out);
	json_open_object(w);
	json_member_string(w, "model", request->model);
	request_write_messages(w, request, ollama_write_message);
	json_member_boolean(w, "stream", request->stream);
	write_think(w, request);
	if (request_has_tools(request))
		request_write_compact(w, "tools", request->tools);
	if (request->schema.len)
		request_write_compact(w, "format", request->schema);
	write_options(w, request);
	json_close_object(w);
	return !w->full;
}

/* --- models --- */

/* "4.0B Q4_K_M, 2.5 GB" */
static void write_note(const struct json *model, struct buf *note)
{
	const struct json *details = json_get(model, "details");
	struct str parameters = json_get_text(details, "parameter_size");
	struct str quantization = json_get_text(details, "quantization_level");
	double bytes;

	buf_clear(note);
	buf_add(note, parameters);
	if (parameters.len && quantization.len)
		buf_add_byte(note, ' ');
	buf_add(note, quantization);
	if (json_number(json_get(model, "size"), &bytes) && bytes > 0)
		buf_printf(note, "%s%.1f GB", note->len ? ", " : "", bytes / 1e9);
}

bool ollama_read_models(const struct json *value, model_visit *visit, void *ctx, struct buf *next)
{
	const struct json *models = json_get(value, "models");
	struct buf note = { 0 };

	(void)next;
	if (json_kind(models) != JSON_ARRAY)
		return false;
	for (size_t i = 0; i < json_length(models); i++) {
		const struct json *model = json_at(models, i);
		struct str id = json_get_text(model, "model"), name = json_get_text(model, "name");

		write_note(model, &note);
		struct model_facts facts = {
			.id = id.len ? id : name,
			.context_tokens = -1,
			.output_tokens = -1,
			.note = buf_str(&note),
		};
		if (facts.id.len)
			visit(ctx, &facts);
	}
	buf_fini(&note);
	return true;
}
