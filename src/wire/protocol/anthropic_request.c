/* Requests of Anthropic Messages: roles alternate, content consists of blocks, no block is empty. */
#include <string.h>

#include "base/json_scan.h"
#include "wire/decode.h"
#include "wire/protocol/anthropic.h"
#include "wire/protocol/request_write.h"

#define MAX_TOKENS_DEFAULT 8192 /* the member is required */
#define ID_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

/* --- blocks of the user --- */

/* Only letters, digits, '_' and '-' are accepted. Other characters in ids of other servers are replaced; ids stay unique. */
static void write_id(struct json_writer *w, const char *key, struct str id)
{
	struct buf plain = { 0 };
	uint32_t hash = 2166136261u; /* FNV-1a */
	bool odd = false;

	for (size_t i = 0; i < id.len; i++) {
		bool good = id.ptr[i] && strchr(ID_LETTERS, id.ptr[i]);

		odd = odd || !good;
		hash = (hash ^ (unsigned char)id.ptr[i]) * 16777619u;
		buf_add_byte(&plain, good ? id.ptr[i] : '_');
	}
	if (odd)
		buf_printf(&plain, "_%08x", (unsigned)hash);
	json_member_string(w, key, buf_str(&plain));
	buf_fini(&plain);
}

static void anthropic_write_text(struct json_writer *w, struct str text)
{
	if (str_is_blank(text))
		return;
	json_open_object(w);
	json_member_string(w, "type", STR("text"));
	json_member_borrowed(w, "text", text);
	json_close_object(w);
}

static void write_source(struct json_writer *w, const char *type, const struct request_part *part)
{
	json_open_object(w);
	json_member_string(w, "type", str_from(type));
	json_key(w, "source");
	json_open_object(w);
	json_member_string(w, "type", STR("base64"));
	json_member_string(w, "media_type", part->media);
	request_write_base64(w, "data", part->text);
	json_close_object(w);
	if (part->name.len && attachment_kind(part) == ATTACHMENT_PDF)
		json_member_string(w, "title", part->name);
	json_close_object(w);
}

static void anthropic_write_attachment(struct json_writer *w, const struct request_part *part)
{
	switch (attachment_kind(part)) {
	case ATTACHMENT_IMAGE:
		write_source(w, "image", part);
		return;
	case ATTACHMENT_PDF:
		write_source(w, "document", part);
		return;
	case ATTACHMENT_AUDIO:
	case ATTACHMENT_VIDEO:
	case ATTACHMENT_TEXT:
	case ATTACHMENT_OTHER:
		break;
	}
	request_write_file_text(w, "text", part);
}

/* Text, or blocks if files came with it. */
static void anthropic_write_result_content(struct json_writer *w, const struct request_message *message, size_t index)
{
	const struct request_part *part = &message->parts[index], *file;
	size_t at = index;

	if (!request_next_file(message, index, &at)) {
		if (!str_is_blank(part->text))
			json_member_borrowed(w, "content", part->text);
		return;
	}
	json_key(w, "content");
	json_open_array(w);
	anthropic_write_text(w, part->text);
	for (at = index; (file = request_next_file(message, index, &at));) {
		if (file->kind == PART_TEXT)
			anthropic_write_text(w, file->text);
		else
			anthropic_write_attachment(w, file);
	}
	json_close_array(w);
}

static void anthropic_write_result(struct json_writer *w, const struct request_message *message, size_t index)
{
	const struct request_part *part = &message->parts[index];

	json_open_object(w);
	json_member_string(w, "type", STR("tool_result"));
	write_id(w, "tool_use_id", part->id);
	anthropic_write_result_content(w, message, index);
	if (part->is_error)
		json_member_boolean(w, "is_error", true);
	json_close_object(w);
}

/* Results must come first. */
static void anthropic_write_user(struct json_writer *w, const struct request_message *message)
{
	for (size_t i = 0; i < message->part_count; i++)
		if (message->parts[i].kind == PART_TOOL_RESULT)
			anthropic_write_result(w, message, i);
	for (size_t i = 0; i < message->part_count; i++) {
		if (request_is_of_result(&message->parts[i]))
			continue;
		if (message->parts[i].kind == PART_TEXT)
			anthropic_write_text(w, message->parts[i].text);
		else if (message->parts[i].kind == PART_ATTACHMENT)
			anthropic_write_attachment(w, &message->parts[i]);
	}
}

/* --- blocks of the assistant --- */

/* Unsigned thinking is incomplete or from another server, and would be refused. */
static void anthropic_write_thinking(struct json_writer *w, const struct request_part *part, const struct request_part *next)
{
	if (!request_is_opaque(next, OPAQUE_ANTHROPIC_SIGNATURE) || !next->text.len)
		return;
	json_open_object(w);
	json_member_string(w, "type", STR("thinking"));
	json_member_borrowed(w, "thinking", part->text);
	json_member_string(w, "signature", next->text);
	json_close_object(w);
}

static struct str member_of(const struct request_part *block, const char *member)
{
	return json_scan_find(block->text, (const char *const[]){ member, NULL });
}

/*
 * The server refuses a server tool use without its result, so a turn cut there would make the conversation unusable.
 * Only the last message may end with one: the server continues it.
 */
static bool is_answered(const struct request *request, const struct request_message *message, size_t index)
{
	struct str type = member_of(&message->parts[index], "type"), id = member_of(&message->parts[index], "id");

	if (!str_ends(type, "_tool_use\"") || message == &request->messages[request->message_count - 1])
		return true;
	for (size_t i = index + 1; i < message->part_count; i++)
		if (request_is_opaque(&message->parts[i], OPAQUE_ANTHROPIC_BLOCK) && json_scan_is_whole(message->parts[i].text) &&
		    str_equal(member_of(&message->parts[i], "tool_use_id"), id))
			return true;
	return false;
}

static void write_opaque(struct json_writer *w, const struct request *request, const struct request_message *message, size_t index)
{
	const struct request_part *part = &message->parts[index];

	if (request_is_opaque(part, OPAQUE_ANTHROPIC_BLOCK)) {
		if (json_scan_is_whole(part->text) && is_answered(request, message, index))
			json_verbatim(w, part->text);
	} else if (request_is_opaque(part, OPAQUE_ANTHROPIC_REDACTED)) {
		json_open_object(w);
		json_member_string(w, "type", STR("redacted_thinking"));
		json_member_string(w, "data", part->text);
		json_close_object(w);
	}
}

static void anthropic_write_call(struct json_writer *w, const struct request_part *part)
{
	json_open_object(w);
	json_member_string(w, "type", STR("tool_use"));
	write_id(w, "id", part->id);
	json_member_string(w, "name", part->name);
	request_write_arguments(w, "input", part->text);
	json_close_object(w);
}

static void write_answer(struct json_writer *w, const struct request *request, const struct request_message *message, size_t index)
{
	const struct request_part *part = &message->parts[index];

	switch (part->kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		anthropic_write_text(w, part->text);
		break;
	case PART_REASONING:
		anthropic_write_thinking(w, part, request_next_part(message, index));
		break;
	case PART_TOOL_CALL:
		anthropic_write_call(w, part);
		break;
	case PART_OPAQUE:
		write_opaque(w, request, message, index);
		break;
	case PART_TOOL_RESULT:
	case PART_ATTACHMENT:
	case PART_MEDIA:
	case PART_SERVER_TOOL:
	case PART_SERVER_RESULT:
		break;
	}
}

static bool may_be_last(const struct request *request, const struct request_message *message, size_t index)
{
	const struct request_part *part = &message->parts[index];

	if (part->kind == PART_TEXT || part->kind == PART_REFUSAL)
		return !str_is_blank(part->text);
	if (!request_is_opaque(part, OPAQUE_ANTHROPIC_BLOCK))
		return part->kind == PART_TOOL_CALL;
	return json_scan_is_whole(part->text) && !str_is(member_of(part, "type"), "\"thinking\"") &&
	       is_answered(request, message, index);
}

/* The server refuses thinking as the last block, as after the user stopped the answer. */
static size_t end_of_answer(const struct request *request, const struct request_message *message)
{
	size_t end = message->part_count;

	while (end && !may_be_last(request, message, end - 1))
		end--;
	return end;
}

static void anthropic_write_message(struct json_writer *w, const struct request *request, const struct request_message *message)
{
	if (message->role == TURN_USER) {
		anthropic_write_user(w, message);
		return;
	}
	for (size_t i = 0, end = end_of_answer(request, message); i < end; i++)
		write_answer(w, request, message, i);
}

/* --- the body --- */

static void anthropic_write_tool(void *ctx, const struct tool_definition *tool)
{
	struct json_writer *w = ctx;

	json_open_object(w);
	json_member_string(w, "name", tool->name);
	if (tool->description.len)
		json_member_string(w, "description", tool->description);
	json_member_verbatim(w, "input_schema", tool->parameters.len ? tool->parameters : STR("{\"type\":\"object\"}"));
	json_close_object(w);
}

static bool thinks(const struct request *request)
{
	return request->thinking_budget || request_level_name(request->reasoning);
}

/* The maximum includes the budget. If it is too small for both, the requested maximum is added to the budget. */
static long long max_tokens_of(const struct request *request, long long budget)
{
	long long max_tokens = request->max_tokens > 0 ? request->max_tokens : MAX_TOKENS_DEFAULT;

	return max_tokens > budget ? max_tokens : max_tokens + budget;
}

static long long budget_of(const struct request *request)
{
	static const long long budgets[] = {
		[REASONING_LEVEL_UNSET] = 0, [REASONING_LEVEL_OFF] = 0, [REASONING_LEVEL_LOW] = 1024, [REASONING_LEVEL_MEDIUM] = 4096,
		[REASONING_LEVEL_HIGH] = 16384,
	};

	if (request->thinking_budget)
		return request->thinking_budget;
	return request->sending.thinking == THINKING_ENABLED ? budgets[request->reasoning] : 0;
}

static void write_thinking_wish(struct json_writer *w, const struct request *request)
{
	long long budget = budget_of(request);

	json_key(w, "thinking");
	json_open_object(w);
	json_member_string(w, "type", budget ? STR("enabled") : STR("adaptive"));
	if (budget)
		json_member_integer(w, "budget_tokens", budget);
	json_close_object(w);
}

static void write_output_config(struct json_writer *w, const struct request *request)
{
	bool effort = request_level_name(request->reasoning) && request->sending.thinking == THINKING_ADAPTIVE;

	if (!effort && !request->schema.len)
		return;
	json_key(w, "output_config");
	json_open_object(w);
	if (effort)
		json_member_string(w, "effort", str_from(request_level_name(request->reasoning)));
	if (request->schema.len) {
		json_key(w, "format");
		json_open_object(w);
		json_member_string(w, "type", STR("json_schema"));
		request_write_compact(w, "schema", request->schema);
		json_close_object(w);
	}
	json_close_object(w);
}

void anthropic_build(const struct request *request, struct json_writer *w)
{
	static const struct alternation form = {
		.user = "user", .assistant = "assistant", .content = "content", .write = anthropic_write_message,
	};

	json_open_object(w);
	json_member_string(w, "model", request->model);
	json_member_integer(w, "max_tokens", max_tokens_of(request, budget_of(request)));
	if (request->system.len)
		json_member_string(w, "system", request->system);
	json_key(w, "messages");
	request_write_alternating(w, request, &form);
	json_member_boolean(w, "stream", request->stream);
	if (thinks(request))
		write_thinking_wish(w, request);
	else
		request_write_sampling(w, request, "top_p");
	request_write_stop(w, request, "stop_sequences");
	request_write_tools(w, "tools", request, anthropic_write_tool);
	write_output_config(w, request);
	request_write_added(w, request, (const char *const[]){ "tools", NULL });
	json_close_object(w);
}

/* --- models --- */

bool anthropic_read_models(const struct json *value, model_visit *visit, void *ctx, struct buf *next)
{
	const struct json *models = json_get(value, "data");
	bool more = false;

	if (json_kind(models) != JSON_ARRAY)
		return false;
	for (size_t i = 0; i < json_length(models); i++) {
		const struct json *model = json_at(models, i);
		struct model_facts facts = {
			.id = json_get_text(model, "id"),
			.name = json_get_text(model, "display_name"),
			.context_tokens = decode_count(model, "max_input_tokens"),
			.output_tokens = decode_count(model, "max_tokens"),
		};

		if (facts.id.len)
			visit(ctx, &facts);
	}
	if (json_flag(json_get(value, "has_more"), &more) && more)
		buf_add(next, json_get_text(value, "last_id"));
	return true;
}
