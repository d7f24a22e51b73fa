#include "valid_request.h"

#include "base/json_scan.h"

#define CALLS_MOST 64

/* Calls without a result so far. */
struct pending {
	struct str keys[CALLS_MOST];
	size_t count;
};

static const char *add_pending(struct pending *p, struct str key)
{
	if (p->count == CALLS_MOST)
		return "more calls than this test knows";
	for (size_t i = 0; i < p->count; i++)
		if (str_equal(p->keys[i], key))
			return "two calls of one id";
	p->keys[p->count++] = key;
	return NULL;
}

static bool take_pending(struct pending *p, struct str key)
{
	for (size_t i = 0; i < p->count; i++) {
		if (!str_equal(p->keys[i], key))
			continue;
		p->keys[i] = p->keys[--p->count];
		return true;
	}
	return false;
}

static bool is_whole_text(const struct json *value)
{
	return json_kind(value) == JSON_STRING && json_scan_is_whole(json_text(value));
}

/* --- files --- */

/* Images that every protocol takes, and those that only some do. */
static bool is_image_type(struct str media, bool gif)
{
	return str_is(media, "image/png") || str_is(media, "image/jpeg") || str_is(media, "image/webp") || (gif && str_is(media, "image/gif"));
}

/* data:TYPE;base64,DATA of an image or a PDF. */
static const char *data_url_fault(struct str url, bool image)
{
	struct str type;

	if (!str_starts(url, "data:"))
		return "a file that is no data: URL";
	url = str_skip(url, sizeof "data:" - 1);
	if (!str_split(&url, ';', &type) || !str_starts(url, "base64,") || url.len == sizeof "base64," - 1)
		return "a data: URL without a type or data";
	return (image ? is_image_type(type, true) : str_is(type, "application/pdf")) ? NULL : "a type that is not taken";
}

/* --- openai-chat --- */

static const char *chat_content_fault(const struct json *part)
{
	struct str type = json_get_text(part, "type");
	const struct json *sound = json_get(part, "input_audio");

	if (str_is(type, "text"))
		return json_get_text(part, "text").len ? NULL : "an empty text";
	if (str_is(type, "image_url"))
		return data_url_fault(json_get_text(json_get(part, "image_url"), "url"), true);
	if (str_is(type, "file"))
		return data_url_fault(json_get_text(json_get(part, "file"), "file_data"), false);
	if (str_is(type, "input_audio"))
		return json_get_text(sound, "data").len && json_get_text(sound, "format").len ? NULL : "a sound without data or format";
	return "content of an unknown type";
}

static const char *chat_calls(const struct json *calls, struct pending *pending)
{
	for (size_t i = 0; i < json_length(calls); i++) {
		const struct json *call = json_at(calls, i), *function = json_get(call, "function");
		const char *fault = add_pending(pending, json_get_text(call, "id"));

		if (fault)
			return fault;
		if (!json_get_text(call, "id").len || !json_get_text(function, "name").len)
			return "a call without id or name";
		if (!is_whole_text(json_get(function, "arguments")))
			return "arguments are not JSON in a string";
	}
	return NULL;
}

static const char *chat_message(const struct json *message, struct pending *pending)
{
	struct str role = json_get_text(message, "role");
	const struct json *content = json_get(message, "content"), *calls = json_get(message, "tool_calls");
	bool says = json_text(content).len || json_length(content);

	if (str_is(role, "tool"))
		return take_pending(pending, json_get_text(message, "tool_call_id")) ? NULL : "a result without its call right before it";
	if (pending->count)
		return "a call without result";
	if (calls && !json_length(calls))
		return "an empty list of calls";
	if (!says && !calls)
		return "a message that says nothing";
	for (size_t i = 0; i < json_length(content); i++) {
		const char *fault = chat_content_fault(json_at(content, i));

		if (fault)
			return fault;
	}
	return str_is(role, "assistant") ? chat_calls(calls, pending) : calls ? "calls of the user" : NULL;
}

static const char *chat_fault(const struct json *body)
{
	const struct json *messages = json_get(body, "messages");
	struct pending pending = { .count = 0 };
	const char *fault = json_length(messages) ? NULL : "no messages";

	for (size_t i = 0; !fault && i < json_length(messages); i++)
		fault = chat_message(json_at(messages, i), &pending);
	return fault ? fault : pending.count ? "a call without result at the end" : NULL;
}

/* --- anthropic --- */

static const char *anthropic_file_fault(const struct json *block, bool image)
{
	const struct json *source = json_get(block, "source");
	struct str media = json_get_text(source, "media_type");

	if (!str_is(json_get_text(source, "type"), "base64") || !json_get_text(source, "data").len)
		return "a file without data";
	return (image ? is_image_type(media, true) : str_is(media, "application/pdf")) ? NULL : "a type that is not taken";
}

static const char *anthropic_block(const struct json *block, bool user, struct pending *pending)
{
	struct str type = json_get_text(block, "type");

	if (str_is(type, "tool_result"))
		return user && take_pending(pending, json_get_text(block, "tool_use_id")) ? NULL : "a result without its call in the message before";
	if (user && pending->count)
		return "something before the last result";
	if (str_is(type, "text"))
		return str_is_blank(json_get_text(block, "text")) ? "a blank text" : NULL;
	if (str_is(type, "image") || str_is(type, "document"))
		return user ? anthropic_file_fault(block, str_is(type, "image")) : "a file of the assistant";
	if (str_is(type, "thinking"))
		return !user && json_get_text(block, "signature").len ? NULL : "thinking without signature";
	if (!str_is(type, "tool_use"))
		return type.len ? NULL : "a block without type";
	if (!json_get_text(block, "name").len || json_kind(json_get(block, "input")) != JSON_OBJECT)
		return "a call without name, or whose input is no object";
	return add_pending(pending, json_get_text(block, "id"));
}

static const char *anthropic_message(const struct json *message, bool user, struct pending *pending)
{
	const struct json *content = json_get(message, "content");
	size_t count = json_length(content);
	const char *fault = NULL;

	if (!str_is(json_get_text(message, "role"), user ? "user" : "assistant"))
		return "roles do not alternate, beginning with the user's";
	if (!count)
		return "a message without blocks";
	for (size_t i = 0; !fault && i < count; i++)
		fault = anthropic_block(json_at(content, i), user, pending);
	if (!fault && user && pending->count)
		fault = "a call without result";
	struct str last = json_get_text(json_at(content, count - 1), "type");
	if (!fault && (str_is(last, "thinking") || str_is(last, "redacted_thinking")))
		fault = "thinking is the last block";
	return fault;
}

static const char *anthropic_fault(const struct json *body)
{
	const struct json *messages = json_get(body, "messages");
	struct pending pending = { .count = 0 };
	const char *fault = json_length(messages) ? NULL : "no messages";

	for (size_t i = 0; !fault && i < json_length(messages); i++)
		fault = anthropic_message(json_at(messages, i), i % 2 == 0, &pending);
	return fault ? fault : pending.count ? "a call without result at the end" : NULL;
}

/* --- gemini --- */

/* Results are matched to calls by their order. */
struct gemini_calls {
	struct str names[CALLS_MOST];
	size_t count, answered;
};

static const char *gemini_part(const struct json *part, bool user, struct gemini_calls *calls)
{
	const struct json *call = json_get(part, "functionCall"), *result = json_get(part, "functionResponse");

	if (json_kind(part) != JSON_OBJECT)
		return "a part that is no object";
	if (result) {
		if (!user || calls->answered == calls->count || !str_equal(calls->names[calls->answered++], json_get_text(result, "name")))
			return "a result without its call";
		return json_kind(json_get(result, "response")) == JSON_OBJECT ? NULL : "a response that is no object";
	}
	if (user && calls->answered < calls->count)
		return "something before the last result";
	struct str media = json_get_text(json_get(part, "inlineData"), "mimeType");
	if (user && media.len && str_starts(media, "image/") && !is_image_type(media, false))
		return "a type that is not taken";
	if (!call)
		return NULL;
	if (user || calls->count == CALLS_MOST || !json_get_text(call, "name").len || json_kind(json_get(call, "args")) != JSON_OBJECT)
		return "a call without name, or whose args are no object";
	calls->names[calls->count++] = json_get_text(call, "name");
	return NULL;
}

static const char *gemini_fault(const struct json *body)
{
	const struct json *contents = json_get(body, "contents");
	struct gemini_calls calls = { .count = 0 };
	const char *fault = json_length(contents) ? NULL : "no contents";

	for (size_t i = 0; !fault && i < json_length(contents); i++) {
		const struct json *content = json_at(contents, i), *parts = json_get(content, "parts");
		bool user = i % 2 == 0;

		if (!str_is(json_get_text(content, "role"), user ? "user" : "model") || !json_length(parts))
			return "roles do not alternate, or a content without parts";
		if (!user)
			calls = (struct gemini_calls){ .count = 0 };
		for (size_t j = 0; !fault && j < json_length(parts); j++)
			fault = gemini_part(json_at(parts, j), user, &calls);
		if (!fault && user && calls.answered < calls.count)
			fault = "a call without result";
	}
	return fault ? fault : calls.answered < calls.count ? "a call without result at the end" : NULL;
}

/* --- openai-responses --- */

static const char *responses_content_fault(const struct json *content)
{
	const char *fault = NULL;

	for (size_t i = 0; !fault && i < json_length(content); i++) {
		const struct json *part = json_at(content, i);
		struct str type = json_get_text(part, "type");

		if (str_is(type, "input_image"))
			fault = data_url_fault(json_get_text(part, "image_url"), true);
		else if (str_is(type, "input_file"))
			fault = data_url_fault(json_get_text(part, "file_data"), false);
		else if (!str_ends(type, "_text") && !str_is(type, "refusal"))
			fault = "content of an unknown type";
	}
	return fault;
}

static const char *responses_item(const struct json *item, bool *reasoned, struct pending *pending)
{
	struct str type = json_get_text(item, "type"), role = json_get_text(item, "role");
	bool by_user = str_is(role, "user") || str_is(type, "function_call_output");

	if (*reasoned && by_user)
		return "a reasoning item without what it led to";
	*reasoned = str_is(type, "reasoning");
	if (str_is(type, "function_call_output"))
		return take_pending(pending, json_get_text(item, "call_id")) ? NULL : "a result without its call";
	if (str_is(role, "user") && pending->count)
		return "a call without result";
	if (role.len)
		return json_length(json_get(item, "content")) ? responses_content_fault(json_get(item, "content")) : "a message without content";
	if (!str_is(type, "function_call"))
		return type.len ? NULL : "an item without type";
	if (!json_get_text(item, "name").len || !is_whole_text(json_get(item, "arguments")))
		return "a call without name, or whose arguments are no JSON in a string";
	return add_pending(pending, json_get_text(item, "call_id"));
}

static const char *responses_fault(const struct json *body)
{
	const struct json *input = json_get(body, "input");
	struct pending pending = { .count = 0 };
	bool reasoned = false;
	const char *fault = json_length(input) ? NULL : "no input";

	for (size_t i = 0; !fault && i < json_length(input); i++)
		fault = responses_item(json_at(input, i), &reasoned, &pending);
	return fault ? fault : reasoned || pending.count ? "a call or reasoning at the end" : NULL;
}

/* --- ollama --- */

static const char *ollama_message(const struct json *message, size_t *pending)
{
	const struct json *calls = json_get(message, "tool_calls");

	if (json_kind(json_get(message, "content")) != JSON_STRING)
		return "content that is no text";
	if (str_is(json_get_text(message, "role"), "tool"))
		return (*pending)-- ? NULL : "a result without its call";
	if (*pending)
		return "a call without result";
	for (size_t i = 0; i < json_length(calls); i++) {
		const struct json *function = json_get(json_at(calls, i), "function");

		if (!json_get_text(function, "name").len || json_kind(json_get(function, "arguments")) != JSON_OBJECT)
			return "a call without name, or whose arguments are no object";
	}
	*pending = json_length(calls);
	return NULL;
}

static const char *ollama_fault(const struct json *body)
{
	const struct json *messages = json_get(body, "messages");
	size_t pending = 0;
	const char *fault = json_length(messages) ? NULL : "no messages";

	for (size_t i = 0; !fault && i < json_length(messages); i++)
		fault = ollama_message(json_at(messages, i), &pending);
	return fault ? fault : pending ? "a call without result at the end" : NULL;
}

/* --- tools and members, of all protocols --- */

static const char *member_fault(const struct json *object)
{
	struct json_member m = { 0 };

	for (size_t i = 0; json_next(object, &m); i++) {
		struct json_member other = { 0 };

		for (size_t j = 0; j < i && json_next(object, &other); j++)
			if (str_equal(other.key, m.key))
				return "a member that is there twice";
	}
	return NULL;
}

/* A tool is a function of the client, or has a type that is its name, or is the one member of its object. */
static const char *tool_fault(const struct json *tools)
{
	const char *fault = tools && !json_length(tools) ? "an empty list of tools" : NULL;

	for (size_t i = 0; !fault && i < json_length(tools); i++) {
		const struct json *tool = json_at(tools, i);

		if (json_kind(tool) != JSON_OBJECT)
			return "a tool that is no object";
		if (str_is(json_get_text(tool, "type"), "function") && !json_get_text(json_get(tool, "function"), "name").len && !json_get_text(tool, "name").len)
			return "a function without name";
		fault = member_fault(tool);
	}
	return fault;
}

/* --- all of them --- */

const char *request_fault(const struct protocol *protocol, struct str body)
{
	static const struct { const struct protocol *protocol; const char *(*fault)(const struct json *body); } oracles[] = {
		{ &protocol_openai_chat, chat_fault },
		{ &protocol_openai_responses, responses_fault },
		{ &protocol_anthropic, anthropic_fault },
		{ &protocol_gemini, gemini_fault },
		{ &protocol_ollama, ollama_fault },
	};
	const char *fault = "an unknown protocol";
	size_t used;

	if (!json_scan_is_whole(body))
		return "no valid JSON";
	struct json_parser *parser = json_parser_new();
	const struct json *value = json_parse(parser, body, &used);
	for (size_t i = 0; i < sizeof oracles / sizeof *oracles; i++)
		if (oracles[i].protocol == protocol)
			fault = oracles[i].fault(value);
	fault = fault ? fault : member_fault(value);
	fault = fault ? fault : tool_fault(json_get(value, "tools"));
	fault = fault ? fault : member_fault(json_get(value, "generationConfig"));
	json_parser_free(parser);
	return fault;
}
