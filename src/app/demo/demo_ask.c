#include "app/demo/demo_ask.h"

#include "base/array.h"
#include "base/json.h"
#include "chat/conversation/turn.h"

#define WORDS_LIMIT ((size_t)64 << 10) /* how many bytes of the user's text are read */

static void ask_add_words(struct buf *out, struct str words)
{
	if (!words.len)
		return;
	if (out->len)
		buf_add_byte(out, '\n');
	buf_add(out, str_head(words, buf_limit(out) - out->len));
}

/* The text of a message or tool result: a string, or parts with `text` in them. */
static void ask_add_content(struct buf *out, const struct json *content)
{
	if (json_kind(content) == JSON_STRING)
		ask_add_words(out, json_text(content));
	for (size_t i = 0; i < json_length(content); i++)
		ask_add_words(out, json_get_text(json_at(content, i), "text"));
}

/* The text of the user. False: what it has is files of tool results only. */
static bool ask_add_prompt(struct demo_ask *ask, const struct json *content)
{
	ask_add_content(&ask->text, content);
	if (!str_starts(buf_str(&ask->text), REQUEST_FILES_OF_RESULTS))
		return true;
	buf_clear(&ask->text);
	return false;
}

static const struct json *ask_last_of(const struct json *array)
{
	size_t count = json_length(array);

	return count ? json_at(array, count - 1) : NULL;
}

/* Tool results are items at the end of the list: those whose `member` is `kind`. */
static void ask_read_list(struct demo_ask *ask, const struct json *list, const char *member, const char *kind, const char *result)
{
	size_t at = json_length(list), end = at;

	if (str_is(json_get_text(ask_last_of(list), "role"), "user") && !ask_add_prompt(ask, json_get(ask_last_of(list), "content")))
		at = --end;
	while (at && str_is(json_get_text(json_at(list, at - 1), member), kind))
		at--;
	for (; at < end && !ask->text.len; at++)
		ask_add_content(&ask->result, json_get(json_at(list, at), result));
}

/* openai-chat and ollama */
static void ask_read_chat(struct demo_ask *ask, const struct json *body)
{
	ask_read_list(ask, json_get(body, "messages"), "role", "tool", "content");
}

static void ask_read_responses(struct demo_ask *ask, const struct json *body)
{
	ask_add_words(&ask->text, json_get_text(body, "input"));
	ask_read_list(ask, json_get(body, "input"), "type", "function_call_output", "output");
}

static void ask_read_anthropic(struct demo_ask *ask, const struct json *body)
{
	const struct json *content = json_get(ask_last_of(json_get(body, "messages")), "content");

	ask_add_content(&ask->text, content);
	for (size_t i = 0; i < json_length(content) && !ask->text.len; i++)
		if (str_is(json_get_text(json_at(content, i), "type"), "tool_result"))
			ask_add_content(&ask->result, json_get(json_at(content, i), "content"));
}

/* A function's response is an object; clients put plain text into its member `result`. */
static void ask_add_response(struct buf *out, const struct json *response)
{
	struct buf dump;

	if (!response)
		return;
	if (json_kind(json_get(response, "result")) == JSON_STRING) {
		ask_add_words(out, json_get_text(response, "result"));
		return;
	}
	buf_init(&dump, WORDS_LIMIT);
	json_dump(response, &dump);
	ask_add_words(out, buf_str(&dump));
	buf_fini(&dump);
}

static void ask_read_gemini(struct demo_ask *ask, const struct json *body)
{
	const struct json *parts = json_get(ask_last_of(json_get(body, "contents")), "parts");

	(void)ask_add_prompt(ask, parts);
	for (size_t i = 0; i < json_length(parts) && !ask->text.len; i++)
		ask_add_response(&ask->result, json_get(json_get(json_at(parts, i), "functionResponse"), "response"));
}

static const struct endpoint {
	const char *method;
	const char *tail;         /* end of the path without the query; for Gemini, the text after the colon */
	enum demo_protocol protocol;
	bool models;
} endpoints[] = {
	{ "POST", "/chat/completions", DEMO_CHAT, false },
	{ "POST", "/responses", DEMO_RESPONSES, false },
	{ "POST", "/v1/messages", DEMO_ANTHROPIC, false },
	{ "POST", ":streamGenerateContent", DEMO_GEMINI, false },
	{ "POST", ":generateContent", DEMO_GEMINI, false },
	{ "POST", "/api/chat", DEMO_OLLAMA, false },
	{ "GET", "/api/tags", DEMO_OLLAMA, true },
	{ "GET", "/v1beta/models", DEMO_GEMINI, true },
	{ "GET", "/models", DEMO_CHAT, true }, /* Anthropic's list has the same path; one body serves both */
};

static const struct endpoint *ask_find_endpoint(struct str method, struct str path)
{
	for (size_t i = 0; i < ARRAY_LEN(endpoints); i++)
		if (str_is(method, endpoints[i].method) && str_ends(path, endpoints[i].tail))
			return &endpoints[i];
	return NULL;
}

static void (*const readers[DEMO_PROTOCOL_COUNT])(struct demo_ask *ask, const struct json *body) = {
	[DEMO_CHAT] = ask_read_chat,
	[DEMO_RESPONSES] = ask_read_responses,
	[DEMO_ANTHROPIC] = ask_read_anthropic,
	[DEMO_GEMINI] = ask_read_gemini,
	[DEMO_OLLAMA] = ask_read_chat,
};

/* Gemini names the model in the path: .../models/NAME:method. */
static struct str ask_model_of_path(struct str path)
{
	struct str name = str_skip(path, str_find(path, STR("/models/")) + sizeof "/models/" - 1);

	return str_head(name, str_find(name, STR(":")));
}

/* The first stop sequence, in any protocol. */
static void ask_read_stop(struct demo_ask *ask, const struct json *body)
{
	static const char *const places[] = { "stop", "stop_sequences", "generationConfig.stopSequences", "options.stop" };

	for (size_t i = 0; i < ARRAY_LEN(places) && !ask->stop.len; i++)
		buf_add(&ask->stop, json_text(json_at(json_find(body, places[i]), 0)));
}

/* The schema of the answer, in any protocol. */
static void ask_read_schema(struct demo_ask *ask, const struct json *body)
{
	static const char *const places[] = {
		"format", "response_format.json_schema.schema", "text.format.schema", "output_config.format.schema",
		"generationConfig.responseJsonSchema", "generationConfig.responseSchema",
	};

	for (size_t i = 0; i < ARRAY_LEN(places) && !ask->schema.len; i++)
		if (json_kind(json_find(body, places[i])) == JSON_OBJECT)
			json_dump(json_find(body, places[i]), &ask->schema);
}

/* A word that a request says, in its system prompt or far before its end, shows that all of it was read. */
static void ask_read_code_word(struct demo_ask *ask, struct str body)
{
	static const char said[] = "The code word is ";
	struct str word = str_skip(body, str_find(body, STR("The code word is ")) + sizeof said - 1);
	size_t length = 0;

	while (length < word.len && char_is_word(word.ptr[length]))
		length++;
	if (str_find(buf_str(&ask->text), STR("code word?")) < ask->text.len)
		buf_add(&ask->code_word, str_head(word, length));
}

static void ask_read_body(struct demo_ask *ask, const struct serve_request *request, struct str path)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *body = json_parse(parser, request->body, &used);
	bool gemini = ask->protocol == DEMO_GEMINI;

	ask->stream = gemini ? str_ends(path, ":streamGenerateContent") : ask->protocol == DEMO_OLLAMA;
	if (!gemini)
		(void)json_flag(json_get(body, "stream"), &ask->stream);
	buf_add(&ask->model, gemini ? ask_model_of_path(path) : json_get_text(body, "model"));
	readers[ask->protocol](ask, body);
	ask_read_stop(ask, body);
	ask_read_schema(ask, body);
	ask_read_code_word(ask, request->body);
	/* A request that ends with the beginning of an answer, without a later question, continues it. */
	ask->goes_on = str_is(json_get_text(ask_last_of(json_get(body, "messages")), "role"), "assistant") ||
	               str_is(buf_str(&ask->text), CONTINUE_WORDS);
	json_parser_free(parser);
}

bool demo_ask_read(struct demo_ask *ask, const struct serve_request *request)
{
	struct str path = str_head(request->path, str_find(request->path, STR("?")));
	const struct endpoint *endpoint = ask_find_endpoint(request->method, path);

	*ask = (struct demo_ask){ 0 };
	buf_init(&ask->model, WORDS_LIMIT);
	buf_init(&ask->text, WORDS_LIMIT);
	buf_init(&ask->result, WORDS_LIMIT);
	buf_init(&ask->stop, WORDS_LIMIT);
	buf_init(&ask->code_word, WORDS_LIMIT);
	buf_init(&ask->schema, WORDS_LIMIT);
	if (!endpoint)
		return false;
	ask->protocol = endpoint->protocol;
	ask->models = endpoint->models;
	if (!ask->models)
		ask_read_body(ask, request, path);
	return true;
}

void demo_ask_fini(struct demo_ask *ask)
{
	buf_fini(&ask->model);
	buf_fini(&ask->text);
	buf_fini(&ask->result);
	buf_fini(&ask->stop);
	buf_fini(&ask->code_word);
	buf_fini(&ask->schema);
}
