/* Requests of OpenAI Responses: messages, calls, results and reasoning are items of one flat list. */
#include "base/json_scan.h"
#include "wire/protocol/openai_responses.h"
#include "wire/protocol/request_write.h"

/* --- items of the user --- */

static void responses_write_text(struct json_writer *w, const char *type, struct str text)
{
	json_open_object(w);
	json_member_string(w, "type", str_from(type));
	json_member_borrowed(w, str_is(str_from(type), "refusal") ? "refusal" : "text", text);
	json_close_object(w);
}

static void responses_write_attachment(struct json_writer *w, const struct request_part *part)
{
	enum attachment kind = attachment_kind(part);

	if (kind != ATTACHMENT_IMAGE && kind != ATTACHMENT_PDF) {
		request_write_file_text(w, "input_text", part);
		return;
	}
	json_open_object(w);
	json_member_string(w, "type", kind == ATTACHMENT_IMAGE ? STR("input_image") : STR("input_file"));
	if (kind == ATTACHMENT_PDF)
		json_member_string(w, "filename", part->name);
	request_write_data_url(w, kind == ATTACHMENT_IMAGE ? "image_url" : "file_data", part);
	json_close_object(w);
}

/* Text, or parts if files came with it. */
static void responses_write_result(struct json_writer *w, const struct request_message *message, size_t index)
{
	const struct request_part *part = &message->parts[index], *file;
	size_t at = index;
	bool is_text = !request_next_file(message, index, &at);

	json_open_object(w);
	json_member_string(w, "type", STR("function_call_output"));
	json_member_string(w, "call_id", part->id);
	if (is_text)
		json_member_borrowed(w, "output", part->text);
	if (!is_text) {
		json_key(w, "output");
		json_open_array(w);
		if (part->text.len)
			responses_write_text(w, "input_text", part->text);
		for (at = index; (file = request_next_file(message, index, &at));) {
			if (file->kind == PART_TEXT)
				responses_write_text(w, "input_text", file->text);
			else
				responses_write_attachment(w, file);
		}
		json_close_array(w);
	}
	json_close_object(w);
}

static void responses_open_message(struct json_writer *w, const char *role)
{
	json_open_object(w);
	json_member_string(w, "role", str_from(role));
	json_key(w, "content");
	json_open_array(w);
}

static void responses_close_message(struct json_writer *w)
{
	json_close_array(w);
	json_close_object(w);
}

static void responses_write_user(struct json_writer *w, const struct request_message *message)
{
	bool open = false;

	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];
		bool is_text = part->kind == PART_TEXT && part->text.len;

		if (part->kind == PART_TOOL_RESULT)
			responses_write_result(w, message, i);
		if ((!is_text && part->kind != PART_ATTACHMENT) || request_is_of_result(part))
			continue;
		if (!open)
			responses_open_message(w, "user");
		open = true;
		if (is_text)
			responses_write_text(w, "input_text", part->text);
		else
			responses_write_attachment(w, part);
	}
	if (open)
		responses_close_message(w);
}

/* --- items of the assistant --- */

static void responses_write_call(struct json_writer *w, const struct request_part *part)
{
	json_open_object(w);
	json_member_string(w, "type", STR("function_call"));
	json_member_string(w, "call_id", part->id);
	json_member_string(w, "name", part->name);
	json_member_borrowed(w, "arguments", str_is_blank(part->text) ? STR("{}") : part->text);
	json_close_object(w);
}

/* So a later turn can edit the picture (OpenAI, image generation guide, "Multi-turn editing"). */
static void responses_write_picture(struct json_writer *w, const struct request_part *part)
{
	json_open_object(w);
	json_member_string(w, "type", STR("image_generation_call"));
	json_member_string(w, "id", part->id);
	json_member_string(w, "status", STR("completed"));
	request_write_base64(w, "result", part->text);
	json_close_object(w);
}

static bool is_item(const struct request_part *part)
{
	bool is_text = part->kind == PART_TEXT || part->kind == PART_REFUSAL;

	return part->kind == PART_TOOL_CALL || part->kind == PART_MEDIA || (is_text && part->text.len);
}

/* The server refuses a reasoning item that no other item follows, so trailing ones are omitted. */
static size_t last_item(const struct request_message *message)
{
	size_t end = message->part_count;

	while (end && !is_item(&message->parts[end - 1]))
		end--;
	return end;
}

static void responses_write_assistant(struct json_writer *w, const struct request_message *message)
{
	size_t end = last_item(message);

	for (size_t i = 0; i < end; i++) {
		const struct request_part *part = &message->parts[i];

		if (request_is_opaque(part, OPAQUE_RESPONSES_ITEM) && json_scan_is_whole(part->text))
			json_verbatim(w, part->text);
		if (!is_item(part))
			continue;
		if (part->kind == PART_TOOL_CALL || part->kind == PART_MEDIA) {
			(part->kind == PART_MEDIA ? responses_write_picture : responses_write_call)(w, part);
			continue;
		}
		responses_open_message(w, "assistant");
		responses_write_text(w, part->kind == PART_REFUSAL ? "refusal" : "output_text", part->text);
		responses_close_message(w);
	}
}

/* --- the body --- */

static void write_input(struct json_writer *w, const struct request *request)
{
	json_key(w, "input");
	json_open_array(w);
	for (size_t i = 0; i < request->message_count; i++) {
		if (request->messages[i].role == TURN_USER)
			responses_write_user(w, &request->messages[i]);
		else
			responses_write_assistant(w, &request->messages[i]);
	}
	json_close_array(w);
}

static void responses_write_reasoning(struct json_writer *w, enum reasoning_level level)
{
	json_key(w, "reasoning");
	json_open_object(w);
	json_member_string(w, "effort", str_from(request_level_name(level)));
	json_member_string(w, "summary", STR("auto"));
	json_close_object(w);
}

/* Requests encrypted reasoning, because the server stores nothing. */
static void responses_write_include(struct json_writer *w, const struct request *request)
{
	struct str added = request_added(request, "include");
	bool reasons = request_level_name(request->reasoning) != NULL;

	if (!reasons && !added.len)
		return;
	json_key(w, "include");
	json_open_array(w);
	if (reasons)
		json_string(w, STR("reasoning.encrypted_content"));
	request_write_content(w, added);
	json_close_array(w);
	if (reasons)
		json_member_boolean(w, "store", false);
}

/* `strict` is true by default, which refuses most schemas. */
static void responses_write_tool(void *ctx, const struct tool_definition *tool)
{
	struct json_writer *w = ctx;
	struct str parameters = tool->parameters.len ? tool->parameters : STR("{\"type\":\"object\",\"properties\":{}}");

	json_open_object(w);
	json_member_string(w, "type", STR("function"));
	json_member_string(w, "name", tool->name);
	if (tool->description.len)
		json_member_string(w, "description", tool->description);
	json_member_verbatim(w, "parameters", parameters);
	json_member_boolean(w, "strict", tool->strict);
	json_close_object(w);
}

static void responses_write_schema(struct json_writer *w, struct str schema)
{
	json_key(w, "text");
	json_open_object(w);
	json_key(w, "format");
	json_open_object(w);
	json_member_string(w, "type", STR("json_schema"));
	request_write_schema(w, schema);
	json_close_object(w);
	json_close_object(w);
}

void openai_responses_build(const struct request *request, struct json_writer *w)
{
	json_open_object(w);
	json_member_string(w, "model", request->model);
	if (request->system.len)
		json_member_string(w, "instructions", request->system);
	write_input(w, request);
	json_member_boolean(w, "stream", request->stream);
	if (request->max_tokens > 0)
		json_member_integer(w, "max_output_tokens", request->max_tokens);
	request_write_sampling(w, request, "top_p");
	if (request_level_name(request->reasoning))
		responses_write_reasoning(w, request->reasoning);
	responses_write_include(w, request);
	request_write_tools(w, "tools", request, responses_write_tool);
	if (request->schema.len)
		responses_write_schema(w, request->schema);
	request_write_added(w, request, (const char *const[]){ "include", "tools", NULL });
	json_close_object(w);
}
