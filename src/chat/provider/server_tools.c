#include "chat/provider/server_tools.h"

#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/names.h"
#include "chat/provider/presets.h"

#define EVERY SERVER_CAN_COUNT

/* --- the table --- */

/* The first row that fits counts. */
static const struct row {
	const struct protocol *protocol;
	const char *dialect;   /* NULL: every */
	const char *service;   /* the name of a preset; NULL: every */
	const char *model;     /* a part of its name; NULL: every */
	enum server_tool tool; /* EVERY: all that have no row above */
	const char *body;      /* NULL: it cannot be asked for */
	const char *source;
} rows[] = {
	/* openai-chat: the protocol itself has next to nothing, so what a service offers is its own. The five gateways document none. */
	{ &protocol_openai_chat, NULL, "openrouter", NULL, SERVER_CAN_WEB_SEARCH, "{\"plugins\":[{\"id\":\"web\"}]}", "OpenRouter, plugins" },
	{ &protocol_openai_chat, NULL, "openrouter", NULL, SERVER_CAN_IMAGE, "{\"modalities\":[\"image\",\"text\"]}",
	  "OpenRouter, image generation" },
	{ &protocol_openai_chat, NULL, "groq", "compound", SERVER_CAN_WEB_SEARCH,
	  "{\"compound_custom\":{\"tools\":{\"enabled_tools\":[\"web_search\"]}}}", "Groq, compound systems" },
	{ &protocol_openai_chat, NULL, "groq", "compound", SERVER_CAN_WEB_FETCH,
	  "{\"compound_custom\":{\"tools\":{\"enabled_tools\":[\"visit_website\"]}}}", "Groq, compound systems" },
	{ &protocol_openai_chat, NULL, "groq", "compound", SERVER_CAN_CODE,
	  "{\"compound_custom\":{\"tools\":{\"enabled_tools\":[\"code_interpreter\"]}}}", "Groq, compound systems" },
	{ &protocol_openai_chat, NULL, "groq", NULL, SERVER_CAN_WEB_SEARCH, "{\"tools\":[{\"type\":\"browser_search\"}]}", "Groq, built-in tools" },
	{ &protocol_openai_chat, NULL, "groq", NULL, SERVER_CAN_CODE, "{\"tools\":[{\"type\":\"code_interpreter\"}]}", "Groq, built-in tools" },
	{ &protocol_openai_chat, NULL, "groq", NULL, EVERY, NULL, "Groq, built-in tools" },
	{ &protocol_openai_chat, NULL, "openai", NULL, SERVER_CAN_IMAGE, NULL, "OpenAI, image generation: a tool of Responses" },
	{ &protocol_openai_chat, NULL, "azure", NULL, SERVER_CAN_IMAGE, NULL, "Azure, image generation: a tool of Responses" },
	{ &protocol_openai_chat, NULL, "azure", NULL, SERVER_CAN_WEB_SEARCH, NULL, "Azure, web search: a tool of Responses" },
	{ &protocol_openai_chat, NULL, "xai", NULL, EVERY, NULL, "xAI: search_parameters is answered with 410, tools are in Responses" },
	{ &protocol_openai_chat, NULL, "gemini", NULL, EVERY, NULL, "Google: not in its OpenAI compatibility" },
	{ &protocol_openai_chat, NULL, "deepseek", NULL, EVERY, NULL, "DeepSeek: none documented" },
	{ &protocol_openai_chat, NULL, "mistral", NULL, EVERY, NULL, "Mistral: in its agents only" },
	{ &protocol_openai_chat, NULL, "ollama", NULL, EVERY, NULL, "Ollama: web search is an API of its own" },
	{ &protocol_openai_chat, NULL, "llamacpp", NULL, EVERY, NULL, "llama.cpp: none documented" },
	{ &protocol_openai_chat, NULL, "lmstudio", NULL, EVERY, NULL, "LM Studio: none documented" },
	{ &protocol_openai_chat, "generic", NULL, NULL, SERVER_CAN_WEB_SEARCH, "{\"web_search_options\":{}}", "OpenAI, search models; LiteLLM" },
	{ &protocol_openai_chat, "generic", NULL, NULL, SERVER_CAN_IMAGE, "{\"modalities\":[\"image\",\"text\"]}",
	  "OpenRouter; Vercel's gateway, LiteLLM" },
	{ &protocol_openai_chat, "generic", NULL, NULL, SERVER_CAN_AUDIO,
	  "{\"modalities\":[\"text\",\"audio\"],\"audio\":{\"voice\":\"alloy\",\"format\":\"pcm16\"}}", "openai-python" },

	{ &protocol_openai_responses, NULL, "openrouter", NULL, SERVER_CAN_WEB_SEARCH, "{\"plugins\":[{\"id\":\"web\"}]}", "OpenRouter, plugins" },
	{ &protocol_openai_responses, NULL, "openrouter", NULL, EVERY, NULL, "OpenRouter: none documented" },
	{ &protocol_openai_responses, NULL, "lmstudio", NULL, EVERY, NULL, "LM Studio: none but remote MCP" },
	{ &protocol_openai_responses, NULL, "xai", NULL, SERVER_CAN_IMAGE, "{\"tools\":[{\"type\":\"image_generation\"}]}", "vercel/ai" },
	{ &protocol_openai_responses, NULL, NULL, NULL, SERVER_CAN_WEB_SEARCH,
	  "{\"tools\":[{\"type\":\"web_search\"}],\"include\":[\"web_search_call.action.sources\"]}", "openai-python" },
	{ &protocol_openai_responses, NULL, NULL, NULL, SERVER_CAN_CODE,
	  "{\"tools\":[{\"type\":\"code_interpreter\",\"container\":{\"type\":\"auto\"}}],\"include\":[\"code_interpreter_call.outputs\"]}",
	  "openai-python" },
	{ &protocol_openai_responses, NULL, NULL, NULL, SERVER_CAN_IMAGE,
	  "{\"tools\":[{\"type\":\"image_generation\",\"partial_images\":2}]}", "openai-python" },

	{ &protocol_anthropic, NULL, NULL, NULL, SERVER_CAN_WEB_SEARCH,
	  "{\"tools\":[{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}]}", "anthropic-sdk-python" },
	{ &protocol_anthropic, NULL, NULL, NULL, SERVER_CAN_WEB_FETCH,
	  "{\"tools\":[{\"type\":\"web_fetch_20250910\",\"name\":\"web_fetch\"}]}", "anthropic-sdk-python" },
	{ &protocol_anthropic, NULL, NULL, NULL, SERVER_CAN_CODE,
	  "{\"tools\":[{\"type\":\"code_execution_20250825\",\"name\":\"code_execution\"}]}", "anthropic-sdk-python" },

	{ &protocol_gemini, NULL, NULL, NULL, SERVER_CAN_WEB_SEARCH, "{\"tools\":[{\"googleSearch\":{}}]}", "python-genai" },
	{ &protocol_gemini, NULL, NULL, NULL, SERVER_CAN_WEB_FETCH, "{\"tools\":[{\"urlContext\":{}}]}", "python-genai" },
	{ &protocol_gemini, NULL, NULL, NULL, SERVER_CAN_CODE, "{\"tools\":[{\"codeExecution\":{}}]}", "python-genai" },
	{ &protocol_gemini, NULL, NULL, NULL, SERVER_CAN_IMAGE, "{\"generationConfig\":{\"responseModalities\":[\"TEXT\",\"IMAGE\"]}}",
	  "python-genai" },
	{ &protocol_gemini, NULL, NULL, NULL, SERVER_CAN_AUDIO,
	  "{\"generationConfig\":{\"responseModalities\":[\"AUDIO\"],"
	  "\"speechConfig\":{\"voiceConfig\":{\"prebuiltVoiceConfig\":{\"voiceName\":\"Kore\"}}}}}", "python-genai" },
};

/* Anthropic: the value of anthropic-beta that a type of tool needs; types that are not here need none. From vercel/ai and the SDK. */
static const struct { const char *type, *beta; } betas[] = {
	{ "code_execution_20250522", "code-execution-2025-05-22" },
	{ "code_execution_20250825", "code-execution-2025-08-25" },
	{ "web_fetch_20250910", "web-fetch-2025-09-10" },
	{ "web_search_20260209", "code-execution-web-tools-2026-02-09" },
	{ "web_fetch_20260209", "code-execution-web-tools-2026-02-09" },
	{ "tool_search_tool_regex_20251119", "advanced-tool-use-2025-11-20" },
	{ "tool_search_tool_bm25_20251119", "advanced-tool-use-2025-11-20" },
	{ "advisor_20260301", "advisor-tool-2026-03-01" },
	{ "mcp_toolset", "mcp-client-2025-11-20" },
};
#define BETA_OF_SERVERS "mcp-client-2025-04-04" /* mcp_servers without a toolset */

struct server_tool_form server_tool_form_at(size_t index)
{
	const struct row *row = &rows[index];

	if (index >= ARRAY_LEN(rows))
		return (struct server_tool_form){ 0 };
	return (struct server_tool_form){ row->protocol->name, row->service, row->model, row->tool == EVERY ? "*" : server_tool_name(row->tool),
	                                  row->body, row->source };
}

/* --- rows --- */

static bool is_of_dialect(const struct dialect *dialect, const char *name)
{
	return !strcmp(dialect->like ? dialect->like->name : dialect->name, name);
}

static bool row_fits(const struct row *row, const struct server_place *place, enum server_tool tool)
{
	const struct preset *preset = place->provider->preset;

	return row->protocol == place->protocol && (row->tool == tool || row->tool == EVERY) &&
	       (!row->dialect || is_of_dialect(place->dialect, row->dialect)) && (!row->service || (preset && !strcmp(preset->name, row->service))) &&
	       (!row->model || str_has_nocase(place->model, str_from(row->model)));
}

/* NULL: it cannot be asked for. */
static const char *body_of(const struct server_place *place, enum server_tool tool)
{
	if (place->provider->server_tools[tool])
		return place->provider->server_tools[tool];
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (row_fits(&rows[i], place, tool))
			return rows[i].body;
	return NULL;
}

unsigned server_tools_at(const struct server_place *place)
{
	unsigned tools = 0;

	for (unsigned i = 0; i < SERVER_CAN_COUNT; i++)
		tools |= body_of(place, (enum server_tool)i) ? 1u << i : 0;
	return tools;
}

/* --- refusing --- */

static const char *tool_at(const void *tools, size_t index)
{
	for (unsigned i = 0; i < SERVER_CAN_COUNT; i++)
		if (*(const unsigned *)tools & 1u << i && !index--)
			return server_tool_name((enum server_tool)i);
	return NULL;
}

struct others { const struct server_place *place; enum server_tool tool; };

/* The protocols of the provider that can. */
static const char *other_at(const void *ctx, size_t index)
{
	const struct others *o = ctx;
	struct server_place there = *o->place;

	for (size_t i = 0; there.provider->protocols[i]; i++) {
		there.protocol = there.provider->protocols[i];
		if (body_of(&there, o->tool) && !index--)
			return there.protocol->name;
	}
	return NULL;
}

static bool refuse(const struct server_place *place, enum server_tool tool, struct error *err)
{
	const struct others others = { place, tool };
	unsigned has = server_tools_at(place);
	struct buf list = { 0 }, able = { 0 };

	if (has)
		names_write(tool_at, &has, &list);
	if (other_at(&others, 0))
		names_write_choice(other_at, &others, &able);
	if (tool == SERVER_CAN_FILE_SEARCH || tool == SERVER_CAN_MCP)
		error_set(err, "%s is asked for in words of your own: server_tool.%s of [provider %s] in weir.conf", server_tool_name(tool),
		          server_tool_name(tool), place->provider->name);
	else
		error_set(err, "%s has no server tool %s at %s: it has %s%s%s", place->protocol->name, server_tool_name(tool), place->provider->name,
		          has ? buf_z(&list) : "none", able.len ? "; ask for it with the protocol " : "", buf_z(&able));
	buf_fini(&list);
	buf_fini(&able);
	return false;
}

/* --- merging --- */

static void merge(struct json_writer *w, const struct json *const *values, size_t count);

static bool has_item(const struct json *const *values, size_t value, size_t index, struct str dumped)
{
	struct buf other = { 0 };
	bool found = false;

	for (size_t v = 0; v <= value && !found; v++)
		for (size_t i = 0; i < (v < value ? json_length(values[v]) : index) && !found; i++) {
			buf_clear(&other);
			json_dump(json_at(values[v], i), &other);
			found = str_equal(buf_str(&other), dumped);
		}
	buf_fini(&other);
	return found;
}

/* All items, equal ones once. */
static void merge_arrays(struct json_writer *w, const struct json *const *values, size_t count)
{
	struct buf item = { 0 };

	json_open_array(w);
	for (size_t v = 0; v < count; v++)
		for (size_t i = 0; i < json_length(values[v]); i++) {
			buf_clear(&item);
			json_dump(json_at(values[v], i), &item);
			if (!has_item(values, v, i, buf_str(&item)))
				json_verbatim(w, buf_str(&item));
		}
	json_close_array(w);
	buf_fini(&item);
}

static bool has_key(const struct json *object, struct str key)
{
	struct json_member m = { 0 };

	while (json_next(object, &m))
		if (str_equal(m.key, key))
			return true;
	return false;
}

static void merge_member(struct json_writer *w, struct str key, const struct json *const *values, size_t count)
{
	const struct json *of_key[SERVER_CAN_COUNT];
	size_t found = 0;

	for (size_t v = 0; v < count; v++) {
		struct json_member m = { 0 };

		while (json_next(values[v], &m))
			if (str_equal(m.key, key))
				of_key[found++] = m.value;
	}
	json_key_str(w, key);
	merge(w, of_key, found);
}

static void merge_objects(struct json_writer *w, const struct json *const *values, size_t count)
{
	json_open_object(w);
	for (size_t v = 0; v < count; v++) {
		struct json_member m = { 0 };

		while (json_next(values[v], &m)) {
			bool is_known = false;

			for (size_t before = 0; before < v; before++)
				is_known = is_known || has_key(values[before], m.key);
			if (!is_known)
				merge_member(w, m.key, &values[v], count - v);
		}
	}
	json_close_object(w);
}

/* Of other values, and of different kinds, the last one counts. */
static void merge(struct json_writer *w, const struct json *const *values, size_t count)
{
	enum json_kind kind = json_kind(values[count - 1]);
	struct buf text = { 0 };

	for (size_t v = 0; v < count; v++)
		if (json_kind(values[v]) != kind) {
			values += count - 1;
			count = 1;
			break;
		}
	if (kind == JSON_OBJECT) {
		merge_objects(w, values, count);
	} else if (kind == JSON_ARRAY) {
		merge_arrays(w, values, count);
	} else if (values[count - 1]) {
		json_dump(values[count - 1], &text);
		json_verbatim(w, buf_str(&text));
	} else {
		json_null(w);
	}
	buf_fini(&text);
}

/* A setting may be a tool alone. */
static void add_piece(struct buf *pieces, const char *body)
{
	bool is_tool = json_scan_find(str_from(body), (const char *const[]){ "type", NULL }).len > 0;

	buf_printf(pieces, is_tool ? "%s{\"tools\":[%s]}" : "%s%s", pieces->len > 1 ? "," : "", body);
}

bool server_tools_ask(const struct server_place *place, unsigned tools, struct buf *added, struct error *err)
{
	const struct json *values[SERVER_CAN_COUNT], *all;
	struct json_parser *parser;
	struct json_writer w;
	struct buf pieces = { 0 };
	size_t count, used;

	buf_add_byte(&pieces, '[');
	for (unsigned i = 0; i < SERVER_CAN_COUNT; i++) {
		const char *body = body_of(place, (enum server_tool)i);

		if (!(tools & 1u << i))
			continue;
		if (!body) {
			buf_fini(&pieces);
			return refuse(place, (enum server_tool)i, err);
		}
		add_piece(&pieces, body);
	}
	buf_add_byte(&pieces, ']');
	parser = json_parser_new();
	all = json_parse(parser, buf_str(&pieces), &used);
	for (count = 0; count < json_length(all); count++)
		values[count] = json_at(all, count);
	json_writer_init(&w, added);
	if (count)
		merge(&w, values, count);
	json_parser_free(parser);
	buf_fini(&pieces);
	return true;
}

/* --- the header --- */

static void add_beta(struct buf *line, const char *beta)
{
	if (str_find(buf_str(line), str_from(beta)) < line->len)
		return;
	buf_printf(line, "%s%s", line->len ? "," : SERVER_TOOLS_HEADER " ", beta);
}

static const char *beta_of(struct str type)
{
	for (size_t i = 0; i < ARRAY_LEN(betas); i++)
		if (str_is(type, betas[i].type))
			return betas[i].beta;
	return NULL;
}

/* What the provider's own header says goes first. */
static void add_own_betas(const struct provider *p, struct buf *line)
{
	for (size_t i = 0; i < p->header_count; i++) {
		struct str values = str_from(p->headers[i]), name;

		if (str_has_nocase(str_head(values, sizeof SERVER_TOOLS_HEADER - 1), STR(SERVER_TOOLS_HEADER)) && str_split(&values, ':', &name))
			buf_printf(line, SERVER_TOOLS_HEADER " %.*s", STR_ARG(str_trim(values)));
	}
}

void server_tools_write_header(const struct provider *p, const struct protocol *protocol, struct str body, struct buf *line)
{
	bool is_asked = protocol == &protocol_anthropic && json_scan_is_whole(body);
	struct str tools = is_asked ? json_scan_find(body, (const char *const[]){ "tools", NULL }) : STR_NONE;
	bool has_servers = is_asked && json_scan_find(body, (const char *const[]){ "mcp_servers", NULL }).len, has_toolset = false;
	struct json_spans spans = json_spans_of(tools);
	struct buf own = { 0 };
	size_t before;
	struct str key, tool;

	add_own_betas(p, &own);
	before = own.len;
	while (tools.len && json_spans_next(&spans, &key, &tool)) {
		struct str type = json_scan_find(tool, (const char *const[]){ "type", NULL });
		const char *beta = type.len > 2 ? beta_of(str_of(type.ptr + 1, type.len - 2)) : NULL;

		has_toolset = has_toolset || str_is(type, "\"mcp_toolset\"");
		if (beta)
			add_beta(&own, beta);
	}
	if (has_servers && !has_toolset)
		add_beta(&own, BETA_OF_SERVERS);
	if (own.len > before)
		buf_add(line, buf_str(&own));
	buf_fini(&own);
}

/* --- the setting --- */

/* The members that a request has anyway. */
static const char *const taken[] = { "model", "messages", "input", "contents", "system", "instructions", "systemInstruction", "stream" };

/* The value is not repeated: it may hold a key of another server. */
bool server_tool_check(struct str name, struct str value, struct error *err)
{
	if (!json_scan_is_whole(value) || !str_starts(value, "{"))
		return error_set(err, "%.*s: it must be a JSON object, a tool such as {\"type\":\"web_search\"} or members of the request",
		                 STR_ARG(name));
	for (size_t i = 0; i < ARRAY_LEN(taken); i++)
		if (json_scan_find(value, (const char *const[]){ taken[i], NULL }).len)
			return error_set(err, "%.*s: \"%s\" is not the setting's to say", STR_ARG(name), taken[i]);
	return true;
}
