/* Requests of Chat Completions. Names that differ between gateways are in `sending`. */
#include <math.h>
#include <stdio.h>

#include "base/json_scan.h"
#include "wire/protocol/openai_chat.h"
#include "wire/protocol/request_write.h"

#define MILLION_EXPONENT 6

/* --- messages of the user --- */

static void openai_chat_write_result(struct json_writer *w, const struct request_part *part)
{
	json_open_object(w);
	json_member_string(w, "role", STR("tool"));
	json_member_string(w, "tool_call_id", part->id);
	json_member_borrowed(w, "content", part->text);
	json_close_object(w);
}

static void write_text_part(struct json_writer *w, struct str text)
{
	json_open_object(w);
	json_member_string(w, "type", STR("text"));
	json_member_borrowed(w, "text", text);
	json_close_object(w);
}

static void write_image(struct json_writer *w, const struct request_part *part)
{
	json_open_object(w);
	json_member_string(w, "type", STR("image_url"));
	json_key(w, "image_url");
	json_open_object(w);
	request_write_data_url(w, "url", part);
	json_close_object(w);
	json_close_object(w);
}

static void openai_chat_write_file(struct json_writer *w, const struct request_part *part)
{
	json_open_object(w);
	json_member_string(w, "type", STR("file"));
	json_key(w, "file");
	json_open_object(w);
	json_member_string(w, "filename", part->name);
	request_write_data_url(w, "file_data", part);
	json_close_object(w);
	json_close_object(w);
}

static void write_audio(struct json_writer *w, const struct request_part *part)
{
	bool mp3 = media_types_agree(part->media, STR("audio/mpeg")); /* else it is WAV: the table of attachment.c lets no other pass */

	json_open_object(w);
	json_member_string(w, "type", STR("input_audio"));
	json_key(w, "input_audio");
	json_open_object(w);
	request_write_base64(w, "data", part->text);
	json_member_string(w, "format", mp3 ? STR("mp3") : STR("wav"));
	json_close_object(w);
	json_close_object(w);
}

static void openai_chat_write_attachment(struct json_writer *w, const struct request_part *part)
{
	switch (attachment_kind(part)) {
	case ATTACHMENT_IMAGE:
		write_image(w, part);
		return;
	case ATTACHMENT_PDF:
		openai_chat_write_file(w, part);
		return;
	case ATTACHMENT_AUDIO:
		write_audio(w, part);
		return;
	case ATTACHMENT_VIDEO:
	case ATTACHMENT_TEXT:
	case ATTACHMENT_OTHER:
		break;
	}
	request_write_file_text(w, "text", part);
}

static bool is_content(const struct request_part *part)
{
	return part->kind == PART_ATTACHMENT || (part->kind == PART_TEXT && part->text.len);
}

/* A string if possible: some servers do not support arrays. */
static void write_content(struct json_writer *w, const struct request_message *message, size_t count)
{
	if (count == 1) {
		request_write_joined(w, "content", message, PART_TEXT);
		return;
	}
	json_key(w, "content");
	json_open_array(w);
	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];

		if (!is_content(part))
			continue;
		if (part->kind == PART_ATTACHMENT)
			openai_chat_write_attachment(w, part);
		else
			write_text_part(w, part->text);
	}
	json_close_array(w);
}

static void openai_chat_write_user(struct json_writer *w, const struct request_message *message)
{
	size_t count = 0;

	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];

		if (part->kind == PART_TOOL_RESULT)
			openai_chat_write_result(w, part);
		/* An attachment needs an array, even if it is alone. */
		count += !is_content(part) ? 0 : part->kind == PART_ATTACHMENT ? 2 : 1;
	}
	if (!count)
		return;
	json_open_object(w);
	json_member_string(w, "role", STR("user"));
	write_content(w, message, count);
	json_close_object(w);
}

/* --- messages of the assistant --- */

static void openai_chat_write_call(struct json_writer *w, const struct request_part *part, const struct request_part *next)
{
	json_open_object(w);
	json_member_string(w, "id", part->id);
	json_member_string(w, "type", STR("function"));
	json_key(w, "function");
	json_open_object(w);
	json_member_string(w, "name", part->name);
	json_member_borrowed(w, "arguments", str_is_blank(part->text) ? STR("{}") : part->text);
	json_close_object(w);
	if (request_is_opaque(next, OPAQUE_EXTRA_CONTENT) && json_scan_is_whole(next->text))
		json_member_verbatim(w, "extra_content", next->text);
	json_close_object(w);
}

static void openai_chat_write_calls(struct json_writer *w, const struct request_message *message)
{
	json_key(w, "tool_calls");
	json_open_array(w);
	for (size_t i = 0; i < message->part_count; i++)
		if (message->parts[i].kind == PART_TOOL_CALL)
			openai_chat_write_call(w, &message->parts[i], request_next_part(message, i));
	json_close_array(w);
}

/* A message may combine several answers: one array for all. Empty if there is none. */
static struct str join_details(const struct request_message *message, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];
		struct str array = str_trim(part->text);

		if (!request_is_opaque(part, OPAQUE_REASONING_DETAILS) || !str_starts(array, "[") || !json_scan_is_whole(array))
			continue;
		struct str elements = str_trim(str_head(str_skip(array, 1), array.len - 2));
		if (elements.len)
			buf_add_byte(out, out->len ? ',' : '[');
		buf_add(out, elements);
	}
	if (out->len)
		buf_add_byte(out, ']');
	return buf_str(out);
}

static void openai_chat_write_reasoning(struct json_writer *w, const struct request *request, const struct request_message *message)
{
	struct buf reasoning = { 0 };

	if (request->sending.reasoning_back && request_has_text(message, PART_REASONING))
		request_write_joined(w, "reasoning_content", message, PART_REASONING);
	if (join_details(message, &reasoning).len)
		json_member_verbatim(w, "reasoning_details", buf_str(&reasoning));
	buf_fini(&reasoning);
}

/* The id of the last sound that the server still has; a message names one. */
static struct str openai_chat_audio(const struct request_message *message)
{
	struct str id = STR_NONE;

	for (size_t i = 0; i < message->part_count; i++)
		if (message->parts[i].kind == PART_MEDIA)
			id = message->parts[i].id;
	return id;
}

/* Omitted if empty. */
static void openai_chat_write_assistant(struct json_writer *w, const struct request *request, const struct request_message *message)
{
	enum part_kind said = request_said(message);
	bool says = request_has_text(message, said), calls = request_has_call(message);
	struct str audio = openai_chat_audio(message);

	if (!says && !calls && !audio.len)
		return;
	json_open_object(w);
	json_member_string(w, "role", STR("assistant"));
	if (says)
		request_write_joined(w, "content", message, said);
	else if (!audio.len)
		json_member_string_or_null(w, "content", STR_NONE);
	if (audio.len) {
		json_key(w, "audio");
		json_open_object(w);
		json_member_string(w, "id", audio);
		json_close_object(w);
	}
	openai_chat_write_reasoning(w, request, message);
	if (calls)
		openai_chat_write_calls(w, message);
	json_close_object(w);
}

static void openai_chat_write_message(struct json_writer *w, const struct request *request, const struct request_message *message)
{
	if (message->role == TURN_USER)
		openai_chat_write_user(w, message);
	else
		openai_chat_write_assistant(w, request, message);
}

/* --- the body --- */

static void write_level(struct json_writer *w, const struct request *request)
{
	const char *level = request_level_name(request->reasoning);

	if (request->sending.reasoning_field == REASONING_FIELD_EFFORT) {
		if (level)
			json_member_string(w, "reasoning_effort", str_from(level));
		return;
	}
	if (request->reasoning == REASONING_LEVEL_UNSET)
		return;
	json_key(w, "reasoning");
	json_open_object(w);
	if (level)
		json_member_string(w, "effort", str_from(level));
	else
		json_member_boolean(w, "enabled", false);
	json_close_object(w);
}

static void openai_chat_write_schema(struct json_writer *w, struct str schema)
{
	json_key(w, "response_format");
	json_open_object(w);
	json_member_string(w, "type", STR("json_schema"));
	json_key(w, "json_schema");
	json_open_object(w);
	request_write_schema(w, schema);
	json_close_object(w);
	json_close_object(w);
}

void openai_chat_build(const struct request *request, struct json_writer *w)
{
	static const char *const max_tokens_names[] = {
		[MAX_TOKENS_OLD] = "max_tokens", [MAX_TOKENS_COMPLETION] = "max_completion_tokens",
	};

	json_open_object(w);
	json_member_string(w, "model", request->model);
	request_write_messages(w, request, openai_chat_write_message);
	json_member_boolean(w, "stream", request->stream);
	if (request->stream && request->sending.usage_opt_in)
		json_member_verbatim(w, "stream_options", STR("{\"include_usage\":true}"));
	if (request->max_tokens > 0)
		json_member_integer(w, max_tokens_names[request->sending.max_tokens_field], request->max_tokens);
	request_write_sampling(w, request, "top_p");
	request_write_stop(w, request, "stop");
	write_level(w, request);
	request_write_tools(w, "tools", request, NULL);
	if (request->schema.len)
		openai_chat_write_schema(w, request->schema);
	request_write_added(w, request, (const char *const[]){ "tools", NULL });
	json_close_object(w);
}

/* --- models --- */

/* The first of the members that is a count. -1 if there is none. */
static long long first_count(const struct json *model, const char *const *members)
{
	int64_t count;

	for (; *members; members++)
		if (json_count(json_find(model, *members), &count))
			return count;
	return -1;
}

/*
 * Converts a price per token to a price per million tokens; unknown if it is none. Decimal strings are read digit by digit: the C library would use
 * the user's locale, and shifting the decimal point in the text is exact.
 */
static struct money price_of(const struct json *value)
{
	double digits = 0, number;
	int exponent = MILLION_EXPONENT;
	bool fraction = false, any = false;
	struct str text = json_text(value);

	if (json_number(value, &number))
		return number < 0 ? MONEY_UNKNOWN : MONEY(number * 1e6);
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (c < '0' || c > '9')
			return MONEY_UNKNOWN;
		any = true;
		digits = digits * 10 + (c - '0');
		exponent -= fraction;
	}
	if (!any)
		return MONEY_UNKNOWN;
	return MONEY(exponent < 0 ? digits / pow(10, -exponent) : digits * pow(10, exponent));
}

/* A fee for each request cannot be told from tokens: such prices are unknown. The cheapest step of higher prices ends these. */
static struct prices prices_of(const struct json *pricing)
{
	static const char *const members[USAGE_FIGURE_COUNT] = {
		[USAGE_PROMPT] = "prompt", [USAGE_COMPLETION] = "completion", [USAGE_CACHED] = "input_cache_read",
		[USAGE_CACHE_WRITE] = "input_cache_write", [USAGE_REASONING] = "internal_reasoning",
	};
	const struct json *steps = json_get(pricing, "overrides");
	struct prices prices = { .prompt_below = 0 };
	int64_t least;

	if (price_of(json_get(pricing, "request")).usd > 0)
		return prices;
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++) {
		bool is_part = usage_row((enum usage_figure)i)->part_of != (enum usage_figure)i;
		struct money price = members[i] ? price_of(json_get(pricing, members[i])) : MONEY_UNKNOWN;

		if (!is_part || price.usd > 0) /* a 0 says that a part has no price of its own */
			prices.of[i] = price;
	}
	for (size_t i = 0; i < json_length(steps); i++)
		if (json_count(json_get(json_at(steps, i), "min_prompt_tokens"), &least) && (!prices.prompt_below || least < prices.prompt_below))
			prices.prompt_below = least;
	return prices;
}

static void visit_model(const struct json *model, model_visit *visit, void *ctx)
{
	static const char *const context[] = {
		"context_length", "context_window", "max_model_len", "max_context_length", "meta.n_ctx", "top_provider.context_length",
		NULL,
	};
	static const char *const output[] = {
		"top_provider.max_completion_tokens", "max_completion_tokens", "max_output_tokens", NULL,
	};
	struct str id = json_get_text(model, "id"), name = json_get_text(model, "name");
	struct str note = json_get_text(json_get(model, "meta"), "ftype");

	if (!id.len)
		return;
	if (!name.len)
		name = json_get_text(model, "display_name");
	visit(ctx, &(struct model_facts){
		.id = id,
		.name = str_equal(name, id) ? STR_NONE : name,
		.context_tokens = first_count(model, context),
		.output_tokens = first_count(model, output),
		.prices = prices_of(json_get(model, "pricing")),
		.note = note.len ? note : json_get_text(model, "owned_by"),
	});
}

/* Most servers wrap the array in `data`, some do not. */
bool openai_read_models(const struct json *value, model_visit *visit, void *ctx, struct buf *next)
{
	const struct json *models = json_kind(value) == JSON_ARRAY ? value : json_get(value, "data");

	(void)next;
	if (json_kind(models) != JSON_ARRAY)
		return false;
	for (size_t i = 0; i < json_length(models); i++)
		visit_model(json_at(models, i), visit, ctx);
	return true;
}
