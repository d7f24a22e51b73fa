/* Requests of Ollama: content is one text, images are beside it, arguments are objects. */
#include "wire/protocol/ollama.h"
#include "wire/protocol/request_write.h"

/* --- messages --- */

static void ollama_write_result(struct json_writer *w, const struct request_part *part)
{
	json_open_object(w);
	json_member_string(w, "role", STR("tool"));
	json_member_borrowed(w, "content", part->text);
	json_member_string(w, "tool_name", part->name);
	if (!part->id_is_ours && part->id.len)
		json_member_string(w, "tool_call_id", part->id);
	json_close_object(w);
}

static void write_images(struct json_writer *w, const struct request_message *message)
{
	json_key(w, "images");
	json_open_array(w);
	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];

		if (part->kind != PART_ATTACHMENT || attachment_kind(part) != ATTACHMENT_IMAGE)
			continue;
		json_open_string(w);
		json_add_base64(w, part->text);
		json_close_string(w);
	}
	json_close_array(w);
}

static size_t count_images(const struct request_message *message)
{
	size_t images = 0;

	for (size_t i = 0; i < message->part_count; i++)
		images += message->parts[i].kind == PART_ATTACHMENT && attachment_kind(&message->parts[i]) == ATTACHMENT_IMAGE;
	return images;
}

static bool is_content(const struct request_part *part)
{
	return part->kind == PART_ATTACHMENT ? attachment_kind(part) != ATTACHMENT_IMAGE : part->kind == PART_TEXT && part->text.len;
}

static bool has_content(const struct request_message *message)
{
	for (size_t i = 0; i < message->part_count; i++)
		if (is_content(&message->parts[i]))
			return true;
	return false;
}

/* Files are sent as text, separated from the prompt by a blank line. */
static void write_content(struct json_writer *w, const struct request_message *message)
{
	struct buf scratch = { 0 };
	bool follows = false;

	json_key(w, "content");
	json_open_string(w);
	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];

		if (!is_content(part))
			continue;
		if (follows)
			json_add_text(w, STR("\n\n"));
		if (part->kind == PART_TEXT)
			json_add_borrowed(w, part->text);
		else
			json_add_text(w, attachment_text(part, &scratch));
		follows = true;
	}
	json_close_string(w);
	buf_fini(&scratch);
}

static void ollama_write_user(struct json_writer *w, const struct request_message *message)
{
	size_t images = count_images(message);

	for (size_t i = 0; i < message->part_count; i++)
		if (message->parts[i].kind == PART_TOOL_RESULT)
			ollama_write_result(w, &message->parts[i]);
	if (!has_content(message) && !images)
		return;
	json_open_object(w);
	json_member_string(w, "role", STR("user"));
	write_content(w, message);
	if (images)
		write_images(w, message);
	json_close_object(w);
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
	enum part_kind said = request_said(message);
	bool calls = request_has_call(message);

	if (!request_has_text(message, said) && !calls)
		return;
	json_open_object(w);
	json_member_string(w, "role", STR("assistant"));
	request_write_joined(w, "content", message, said);
	if (request_has_text(message, PART_REASONING))
		request_write_joined(w, "thinking", message, PART_REASONING);
	if (calls)
		ollama_write_calls(w, message);
	json_close_object(w);
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
	if (request->max_tokens <= 0 && !request_has_sampling(request) && !request->stop.len)
		return;
	json_key(w, "options");
	json_open_object(w);
	if (request->max_tokens > 0)
		json_member_integer(w, "num_predict", request->max_tokens);
	request_write_sampling(w, request, "top_p");
	request_write_stop(w, request, "stop");
	json_close_object(w);
}

/* `stream` is always sent, because it is true by default. */
void ollama_build(const struct request *request, struct json_writer *w)
{
	json_open_object(w);
	json_member_string(w, "model", request->model);
	request_write_messages(w, request, ollama_write_message);
	json_member_boolean(w, "stream", request->stream);
	write_think(w, request);
	request_write_tools(w, "tools", request, NULL);
	if (request->schema.len)
		request_write_compact(w, "format", request->schema);
	write_options(w, request);
	request_write_added(w, request, (const char *const[]){ "tools", NULL });
	json_close_object(w);
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
