/* Requests of Gemini generateContent: model and streaming are in the URL, signatures are beside their parts. */
#include <string.h>

#include "base/json_scan.h"
#include "wire/decode.h"
#include "wire/protocol/gemini.h"
#include "wire/protocol/request_write.h"

/* Gemini 3 refuses unsigned calls in the history, unless they are marked. Calls of other models are unsigned. */
#define NO_SIGNATURE "skip_thought_signature_validator"

static bool is_gemini_3(struct str model)
{
	return str_find(model, STR("gemini-3")) < model.len;
}

/* --- parts of the user --- */

static void gemini_write_result(struct json_writer *w, const struct request_part *part)
{
	json_open_object(w);
	json_key(w, "functionResponse");
	json_open_object(w);
	if (!part->id_is_ours && part->id.len)
		json_member_string(w, "id", part->id);
	json_member_string(w, "name", part->name);
	json_key(w, "response");
	json_open_object(w);
	json_member_borrowed(w, part->is_error ? "error" : "result", part->text);
	json_close_object(w);
	json_close_object(w);
	json_close_object(w);
}

static void gemini_write_text(struct json_writer *w, struct str text)
{
	if (!text.len)
		return;
	json_open_object(w);
	json_member_borrowed(w, "text", text);
	json_close_object(w);
}

static void write_signature(struct json_writer *w, const struct request_part *next)
{
	if (request_is_opaque(next, OPAQUE_GEMINI_SIGNATURE))
		json_member_string(w, "thoughtSignature", next->text);
}

/* `next`: the part behind it, which may be its signature; or NULL. */
static void gemini_write_data(struct json_writer *w, const struct request_part *part, const struct request_part *next)
{
	json_open_object(w);
	json_key(w, "inlineData");
	json_open_object(w);
	json_member_string(w, "mimeType", part->media);
	request_write_base64(w, "data", part->text);
	json_close_object(w);
	write_signature(w, next);
	json_close_object(w);
}

static void gemini_write_attachment(struct json_writer *w, const struct request_part *part)
{
	enum attachment kind = attachment_kind(part);

	if (kind == ATTACHMENT_TEXT || kind == ATTACHMENT_OTHER) {
		request_write_file_text(w, NULL, part);
		return;
	}
	gemini_write_data(w, part, NULL);
}

static void gemini_write_user(struct json_writer *w, const struct request_message *message)
{
	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];

		if (part->kind == PART_TOOL_RESULT)
			gemini_write_result(w, part);
		else if (part->kind == PART_TEXT)
			gemini_write_text(w, part->text);
		else if (part->kind == PART_ATTACHMENT)
			gemini_write_attachment(w, part);
	}
}

/* --- parts of the model --- */

static void write_said(struct json_writer *w, const struct request_part *part, const struct request_part *next)
{
	json_open_object(w);
	json_member_borrowed(w, "text", part->text);
	if (part->kind == PART_REASONING)
		json_member_boolean(w, "thought", true);
	write_signature(w, next);
	json_close_object(w);
}

static void gemini_write_call(struct json_writer *w, const struct request_part *part, const struct request_part *next, bool skip)
{
	json_open_object(w);
	json_key(w, "functionCall");
	json_open_object(w);
	if (!part->id_is_ours && part->id.len)
		json_member_string(w, "id", part->id);
	json_member_string(w, "name", part->name);
	request_write_arguments(w, "args", part->text);
	json_close_object(w);
	if (skip)
		json_member_string(w, "thoughtSignature", STR(NO_SIGNATURE));
	else
		write_signature(w, next);
	json_close_object(w);
}

/* Thoughts need not be sent back, but signatures must. Of parallel calls only the first is signed. */
static void write_model(struct json_writer *w, const struct request *request, const struct request_message *message)
{
	bool first_call = true;

	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i], *next = request_next_part(message, i);
		bool is_signed = request_is_opaque(next, OPAQUE_GEMINI_SIGNATURE);
		bool is_text = part->kind == PART_TEXT || part->kind == PART_REFUSAL;

		if (is_signed ? is_text || part->kind == PART_REASONING : is_text && part->text.len)
			write_said(w, part, next);
		else if (part->kind == PART_MEDIA)
			gemini_write_data(w, part, next);
		else if (request_is_opaque(part, OPAQUE_GEMINI_PART) && json_scan_is_whole(part->text))
			json_verbatim(w, part->text);
		if (part->kind != PART_TOOL_CALL)
			continue;
		gemini_write_call(w, part, next, first_call && !is_signed && is_gemini_3(request->model));
		first_call = false;
	}
}

static void gemini_write_message(struct json_writer *w, const struct request *request, const struct request_message *message)
{
	if (message->role == TURN_USER)
		gemini_write_user(w, message);
	else
		write_model(w, request, message);
}

/* --- the body --- */

static void gemini_write_tool(void *ctx, const struct tool_definition *tool)
{
	struct json_writer *w = ctx;

	json_open_object(w);
	json_member_string(w, "name", tool->name);
	if (tool->description.len)
		json_member_string(w, "description", tool->description);
	if (tool->parameters.len)
		json_member_verbatim(w, "parametersJsonSchema", tool->parameters);
	json_close_object(w);
}

/* Gemini 3 takes functions beside its own tools, older models one or the other. */
static void write_tools(struct json_writer *w, const struct request *request)
{
	struct str added = request_added(request, "tools");
	bool any = request_has_tools(request);

	if (!any && !added.len)
		return;
	json_key(w, "tools");
	json_open_array(w);
	if (any) {
		json_open_object(w);
		request_write_tools(w, "functionDeclarations", request, gemini_write_tool);
		json_close_object(w);
	}
	request_write_content(w, added);
	json_close_array(w);
	if (any && added.len && is_gemini_3(request->model) && !request_added(request, "toolConfig").len)
		json_member_verbatim(w, "toolConfig", STR("{\"includeServerSideToolInvocations\":true}"));
}

static void gemini_write_thinking(struct json_writer *w, const struct request *request)
{
	static const long long budgets[] = {
		[REASONING_LEVEL_UNSET] = 0, [REASONING_LEVEL_OFF] = 0, [REASONING_LEVEL_LOW] = 1024, [REASONING_LEVEL_MEDIUM] = 8192,
		[REASONING_LEVEL_HIGH] = 24576,
	};
	const char *level = request_level_name(request->reasoning);

	json_key(w, "thinkingConfig");
	json_open_object(w);
	if (level || request->thinking_budget)
		json_member_boolean(w, "includeThoughts", true);
	if (request->thinking_budget)
		json_member_integer(w, "thinkingBudget", request->thinking_budget);
	else if (level && is_gemini_3(request->model))
		json_member_string(w, "thinkingLevel", str_from(level));
	else
		json_member_integer(w, "thinkingBudget", budgets[request->reasoning]);
	json_close_object(w);
}

static void write_config(struct json_writer *w, const struct request *request)
{
	bool has_thinking = request->thinking_budget || request->reasoning != REASONING_LEVEL_UNSET;
	struct str added = request_added(request, "generationConfig");

	if (request->max_tokens <= 0 && !request_has_sampling(request) && !has_thinking && !request->schema.len && !request->stop.len && !added.len)
		return;
	json_key(w, "generationConfig");
	json_open_object(w);
	if (request->max_tokens > 0)
		json_member_integer(w, "maxOutputTokens", request->max_tokens);
	request_write_sampling(w, request, "topP");
	request_write_stop(w, request, "stopSequences");
	if (has_thinking)
		gemini_write_thinking(w, request);
	if (request->schema.len) {
		json_member_string(w, "responseMimeType", STR("application/json"));
		request_write_compact(w, "responseJsonSchema", request->schema);
	}
	request_write_content(w, added);
	json_close_object(w);
}

void gemini_build(const struct request *request, struct json_writer *w)
{
	static const struct alternation form = {
		.user = "user", .assistant = "model", .content = "parts", .write = gemini_write_message,
	};

	json_open_object(w);
	if (request->system.len) {
		json_key(w, "systemInstruction");
		json_open_object(w);
		json_key(w, "parts");
		json_open_array(w);
		gemini_write_text(w, request->system);
		json_close_array(w);
		json_close_object(w);
	}
	json_key(w, "contents");
	request_write_alternating(w, request, &form);
	write_tools(w, request);
	write_config(w, request);
	request_write_added(w, request, (const char *const[]){ "tools", "generationConfig", NULL });
	json_close_object(w);
}

/* --- models --- */

static bool generates(const struct json *model)
{
	const struct json *methods = json_get(model, "supportedGenerationMethods");

	if (json_kind(methods) != JSON_ARRAY)
		return true;
	for (size_t i = 0; i < json_length(methods); i++)
		if (str_is(json_text(json_at(methods, i)), "generateContent"))
			return true;
	return false;
}

bool gemini_read_models(const struct json *value, model_visit *visit, void *ctx, struct buf *next)
{
	const struct json *models = json_get(value, "models");

	if (json_kind(models) != JSON_ARRAY)
		return false;
	for (size_t i = 0; i < json_length(models); i++) {
		const struct json *model = json_at(models, i);
		struct str name = json_get_text(model, "name");
		struct model_facts facts = {
			.id = str_starts(name, "models/") ? str_skip(name, strlen("models/")) : name,
			.name = json_get_text(model, "displayName"),
			.context_tokens = decode_count(model, "inputTokenLimit"),
			.output_tokens = decode_count(model, "outputTokenLimit"),
		};

		if (facts.id.len && generates(model))
			visit(ctx, &facts);
	}
	buf_add(next, json_get_text(value, "nextPageToken"));
	return true;
}
