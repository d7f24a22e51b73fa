#include "chat/conversation/request_prompt.h"

#include "base/array.h"
#include "base/json.h"
#include "chat/conversation/conversation.h"
#include "wire/part.h"

/* The messages of a request; Gemini calls them contents. NULL: there are none. */
static const struct json *request_prompt_messages(const struct json *body)
{
	static const char *const names[] = { "messages", "input", "contents" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (json_get(body, names[i]))
			return json_get(body, names[i]);
	return NULL;
}

static void request_prompt_add_text(struct buf *out, struct str text)
{
	if (text.len && out->len)
		buf_add_byte(out, '\n');
	buf_add(out, text);
}

/* The text of a message: a string, or parts with `text` in them. */
static void request_prompt_read(const struct json *message, struct buf *out)
{
	const struct json *content = json_get(message, "content");

	if (!content)
		content = json_get(message, "parts");
	buf_clear(out);
	if (json_kind(content) == JSON_STRING)
		request_prompt_add_text(out, json_text(content));
	for (size_t i = 0; i < json_length(content); i++)
		request_prompt_add_text(out, json_get_text(json_at(content, i), "text"));
}

static void request_prompt_find(const struct json *body, struct buf *out)
{
	const struct json *messages = request_prompt_messages(body);

	if (json_kind(messages) == JSON_STRING)
		request_prompt_add_text(out, json_text(messages));
	for (size_t i = json_length(messages); i > 0 && !out->len; i--)
		if (str_is(json_get_text(json_at(messages, i - 1), "role"), "user"))
			request_prompt_read(json_at(messages, i - 1), out);
}

struct turn *request_prompt_add(struct str request, struct conversation *c)
{
	struct json_parser *parser = json_parser_new();
	struct buf text = { 0 };
	struct turn *t = NULL;
	size_t used;

	request_prompt_find(request.len ? json_parse(parser, request, &used) : NULL, &text);
	if (!str_is_blank(buf_str(&text))) {
		t = conversation_ask(c);
		turn_add(t, PART_TEXT, buf_str(&text), STR_NONE, STR_NONE);
	}
	buf_fini(&text);
	json_parser_free(parser);
	return t;
}
