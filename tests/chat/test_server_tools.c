/* What becomes of the names of server tools: the members of a request by protocol, dialect, service and model, and what is refused. */
#include "chat/provider/server_tools.h"

#include <string.h>

#include "chat/exchange/outgoing.h"
#include "support/check.h"
#include "talk.h"
#include "talk_tapes.h"
#include "valid_request.h"

#define TOOLS "[{\"type\":\"function\",\"function\":{\"name\":\"look\",\"parameters\":{\"type\":\"object\"}}}]"

static struct providers *providers;

static void begin(void)
{
	providers = providers_new(talk_environment);
	(void)providers_add(providers, STR("box"));
}

static void end(void)
{
	providers_free(providers);
}

static struct server_place place(const char *provider, const char *protocol, const char *model)
{
	struct provider *p = providers_find(providers, str_from(provider));

	return (struct server_place){ .provider = p, .protocol = protocol_find(str_from(protocol)), .dialect = p->dialect, .model = str_from(model) };
}

static unsigned named(const char *names)
{
	unsigned tools = 0;

	CHECK(server_tools_find(str_from(names), &tools), "%s", names);
	return tools;
}

/* `added` NULL: it is refused with `words`. */
static void check(const struct server_place *where, const char *names, const char *added, const char *words)
{
	struct buf out = { 0 };
	struct error err = { "" };
	bool good = server_tools_ask(where, named(names), &out, &err);

	CHECK(good == (added != NULL), "%s, %s: %s", where->provider->name, names, err.text);
	CHECK_STR(buf_str(&out), added ? added : "");
	CHECK(good || strstr(err.text, words), "%s, %s: %s", where->provider->name, names, err.text);
	buf_fini(&out);
}

#define RESPONSES_SEARCH "{\"tools\":[{\"type\":\"web_search\"}],\"include\":[\"web_search_call.action.sources\"]}"
#define CHAT_AUDIO "\"audio\":{\"voice\":\"alloy\",\"format\":\"pcm16\"}}"

static void each_protocol_has_its_own_words(void)
{
	static const struct { const char *provider, *protocol, *model, *names, *added, *refused; } cases[] = {
		{ "box", "openai-chat", "m", "web_search", "{\"web_search_options\":{}}", NULL },
		{ "box", "openai-chat", "m", "image", "{\"modalities\":[\"image\",\"text\"]}", NULL },
		{ "box", "openai-chat", "m", "audio", "{\"modalities\":[\"text\",\"audio\"]," CHAT_AUDIO, NULL },
		{ "box", "openai-chat", "m", "image,audio", "{\"modalities\":[\"image\",\"text\",\"audio\"]," CHAT_AUDIO, NULL },
		{ "box", "openai-chat", "m", "code", NULL, "openai-chat has no server tool code at box: it has web_search, image, audio" },
		{ "box", "openai-chat", "m", "web_fetch", NULL, "openai-chat has no server tool web_fetch" },
		{ "box", "openai-chat", "m", "off", "", NULL },
		{ "openrouter", "openai-chat", "m", "web_search", "{\"plugins\":[{\"id\":\"web\"}]}", NULL },
		{ "openrouter", "openai-chat", "m", "image", "{\"modalities\":[\"image\",\"text\"]}", NULL },
		{ "openrouter", "openai-responses", "m", "web_search", "{\"plugins\":[{\"id\":\"web\"}]}", NULL },
		{ "openrouter", "openai-responses", "m", "code", NULL, "it has web_search" },
		{ "openai", "openai-chat", "m", "image", NULL, "it has web_search, audio; ask for it with the protocol openai-responses" },
		{ "openai", "openai-responses", "m", "web_search", RESPONSES_SEARCH, NULL },
		{ "openai", "openai-responses", "m", "code",
		  "{\"tools\":[{\"type\":\"code_interpreter\",\"container\":{\"type\":\"auto\"}}],\"include\":[\"code_interpreter_call.outputs\"]}", NULL },
		{ "openai", "openai-responses", "m", "image", "{\"tools\":[{\"type\":\"image_generation\",\"partial_images\":2}]}", NULL },
		{ "openai", "openai-responses", "m", "code,image,web_search",
		  "{\"tools\":[{\"type\":\"web_search\"},{\"type\":\"code_interpreter\",\"container\":{\"type\":\"auto\"}},"
		  "{\"type\":\"image_generation\",\"partial_images\":2}],\"include\":[\"web_search_call.action.sources\",\"code_interpreter_call.outputs\"]}", NULL },
		{ "openai", "openai-responses", "m", "audio", NULL, "it has web_search, code, image; ask for it with the protocol openai-chat" },
		{ "xai", "openai-chat", "grok", "web_search", NULL, "it has none; ask for it with the protocol openai-responses" },
		{ "xai", "openai-responses", "grok", "image", "{\"tools\":[{\"type\":\"image_generation\"}]}", NULL },
		{ "groq", "openai-chat", "openai/gpt-oss-20b", "web_search,code", "{\"tools\":[{\"type\":\"browser_search\"},{\"type\":\"code_interpreter\"}]}", NULL },
		{ "groq", "openai-chat", "groq/compound-mini", "web_search,code",
		  "{\"compound_custom\":{\"tools\":{\"enabled_tools\":[\"web_search\",\"code_interpreter\"]}}}", NULL },
		{ "groq", "openai-chat", "openai/gpt-oss-20b", "audio", NULL, "it has web_search, code" },
		{ "mistral", "openai-chat", "m", "web_search", NULL, "it has none" },
		{ "sansa", "openai-chat", "m", "web_search", NULL, "openai-chat has no server tool web_search at sansa: it has none" },
		{ "chuizi", "openai-chat", "m", "image", NULL, "it has none; ask for it with the protocol gemini" },
		{ "chuizi", "anthropic", "m", "web_search", "{\"tools\":[{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}]}", NULL },
		{ "anthropic", "anthropic", "m", "web_fetch,code",
		  "{\"tools\":[{\"type\":\"web_fetch_20250910\",\"name\":\"web_fetch\"},{\"type\":\"code_execution_20250825\",\"name\":\"code_execution\"}]}", NULL },
		{ "anthropic", "anthropic", "m", "image", NULL, "it has web_search, web_fetch, code" },
		{ "anthropic", "anthropic", "m", "mcp", NULL, "mcp is asked for in words of your own: server_tool.mcp of [provider anthropic]" },
		{ "gemini", "gemini", "m", "web_search,web_fetch,code", "{\"tools\":[{\"googleSearch\":{}},{\"urlContext\":{}},{\"codeExecution\":{}}]}", NULL },
		{ "gemini", "gemini", "m", "image", "{\"generationConfig\":{\"responseModalities\":[\"TEXT\",\"IMAGE\"]}}", NULL },
		{ "gemini", "gemini", "m", "audio",
		  "{\"generationConfig\":{\"responseModalities\":[\"AUDIO\"],\"speechConfig\":{\"voiceConfig\":{\"prebuiltVoiceConfig\":{\"voiceName\":\"Kore\"}}}}}",
		  NULL },
		{ "ollama", "ollama", "m", "web_search", NULL, "ollama has no server tool web_search at ollama: it has none" },
	};

	begin();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct server_place where = place(cases[i].provider, cases[i].protocol, cases[i].model);

		check(&where, cases[i].names, cases[i].added, cases[i].refused);
	}
	end();
}

/* All that can be asked for at once makes a valid request, beside tools of the client, wherever it goes. */
static void every_request_is_valid(void)
{
	begin();
	for (size_t i = 0; i < providers_count(providers); i++)
		for (size_t p = 0; protocol_at(p); p++) {
			struct provider *provider = providers_at(providers, i);
			const struct server_place where = { provider, protocol_at(p), provider->dialect, STR("gemini-3-pro") };
			struct request request = talk_request();
			struct buf added = { 0 }, body = { 0 };
			struct error err = { "" };

			CHECK(server_tools_ask(&where, server_tools_at(&where), &added, &err), "%s: %s", provider->name, err.text);
			request.added = buf_str(&added);
			request.tools = STR(TOOLS);
			CU_ASSERT(protocol_build(protocol_at(p), &request, &body));
			const char *fault = request_fault(protocol_at(p), buf_str(&body));
			CHECK(!fault, "%s, %s: %s: %s", provider->name, protocol_at(p)->name, fault, buf_z(&body));
			CHECK(strstr(buf_z(&body), "look"), "%s: %s", provider->name, buf_z(&body));
			buf_fini(&added);
			buf_fini(&body);
		}
	end();
}

static void set(const char *provider, const char *name, const char *value, const char *refused)
{
	struct error err = { "" };
	bool good = provider_set(providers_find(providers, str_from(provider)), str_from(name), str_from(value), &err);

	CHECK(good == !refused, "%s: %s", name, err.text);
	CHECK(good || strstr(err.text, refused), "%s", err.text);
	CHECK(!strstr(err.text, "geheim"), "%s", err.text);
}

static void a_setting_replaces_the_table(void)
{
	begin();
	struct server_place where = place("sansa", "openai-chat", "m");

	set("sansa", "server_tool.web_search", "{\"type\": \"sansa:search\"}", NULL);
	set("sansa", "server_tool.mcp", "{\"servers\":[{\"url\":\"https://h\"}]}", NULL);
	check(&where, "web_search", "{\"tools\":[{\"type\":\"sansa:search\"}]}", NULL);
	check(&where, "web_search,mcp", "{\"tools\":[{\"type\":\"sansa:search\"}],\"servers\":[{\"url\":\"https://h\"}]}", NULL);
	check(&where, "image", NULL, "it has web_search, mcp");
	struct provider *copy = provider_copy(where.provider);
	set("sansa", "server_tool.web_search", "", NULL);
	check(&where, "web_search", NULL, "it has mcp");
	where.provider = copy;
	check(&where, "web_search", "{\"tools\":[{\"type\":\"sansa:search\"}]}", NULL);
	provider_free(copy);
	set("sansa", "server_tool.web_search", "geheim", "server_tool.web_search: it must be a JSON object");
	set("sansa", "server_tool.web_search", "[{\"type\":\"geheim\"}]", "it must be a JSON object");
	set("sansa", "server_tool.web_search", "{\"messages\":\"geheim\"}", "\"messages\" is not the setting's to say");
	set("sansa", "server_tool.searching", "{}", "there is no server tool 'searching'; known are web_search");
	end();
}

/* Of members that several tools name, the values are merged, and the last one counts where they cannot be. */
static void members_are_merged(void)
{
	begin();
	const struct server_place where = place("box", "openai-chat", "m");

	set("box", "server_tool.web_search", "{\"a\":{\"x\":[1,{\"y\":2}],\"n\":null},\"b\":1}", NULL);
	set("box", "server_tool.code", "{\"b\":2.50,\"a\":{\"x\":[{\"y\":2},3],\"z\":\"\\u00e4\"}}", NULL);
	check(&where, "web_search,code", "{\"a\":{\"x\":[1,{\"y\":2},3],\"n\":null,\"z\":\"\xc3\xa4\"},\"b\":2.50}", NULL);
	end();
}

/* A dialect of the user's own is like a generic one; one of the gateways has what it documents. */
static void a_dialect_of_ones_own_is_generic(void)
{
	begin();
	struct server_place where = place("box", "openai-chat", "m");

	where.dialect = dialect_own(STR("mine"));
	check(&where, "web_search", "{\"web_search_options\":{}}", NULL);
	where.dialect = dialect_find(STR("aivene"));
	check(&where, "web_search", NULL, "it has none");
	dialect_forget_own();
	end();
}

static void check_header(const char *protocol, const char *body, const char *line)
{
	struct buf out = { 0 };

	server_tools_write_header(providers_find(providers, STR("box")), protocol_find(str_from(protocol)), str_from(body), &out);
	CHECK_STR(buf_str(&out), line);
	buf_fini(&out);
}

static void write_line(void *ctx, const char *header)
{
	buf_printf(ctx, "%s\n", header);
}

static void tools_bring_their_header(void)
{
	struct buf lines = { 0 };

	begin();
	check_header("anthropic", "{\"tools\":[{\"type\":\"web_search_20250305\"},{\"name\":\"look\"}]}", "");
	check_header("anthropic", "{\"tools\":[{\"type\":\"code_execution_20250825\"},{\"type\":\"web_fetch_20250910\"}]}",
	             "anthropic-beta: code-execution-2025-08-25,web-fetch-2025-09-10");
	check_header("anthropic", "{\"tools\":[{\"type\":\"web_search_20260209\"},{\"type\":\"web_fetch_20260209\"}]}",
	             "anthropic-beta: code-execution-web-tools-2026-02-09");
	check_header("anthropic", "{\"mcp_servers\":[{}]}", "anthropic-beta: mcp-client-2025-04-04");
	check_header("anthropic", "{\"mcp_servers\":[{}],\"tools\":[{\"type\":\"mcp_toolset\"}]}", "anthropic-beta: mcp-client-2025-11-20");
	check_header("anthropic", "", "");
	check_header("openai-chat", "{\"tools\":[{\"type\":\"web_fetch_20250910\"}]}", "");
	set("box", "header.Anthropic-Beta", "mine", NULL);
	check_header("anthropic", "{\"tools\":[{\"type\":\"web_search_20250305\"}]}", "");
	check_header("anthropic", "{\"tools\":[{\"type\":\"web_fetch_20250910\"}]}", "anthropic-beta: mine,web-fetch-2025-09-10");
	struct outgoing o = { .provider = providers_find(providers, STR("box")), .protocol = &protocol_anthropic, .beta = "anthropic-beta: mine,x" };
	outgoing_each_header(&o, write_line, &lines);
	CHECK_STR(buf_str(&lines), "accept: application/json\nanthropic-version: 2023-06-01\nanthropic-beta: mine,x\n");
	buf_clear(&lines);
	o.beta = "";
	outgoing_each_header(&o, write_line, &lines);
	CHECK_STR(buf_str(&lines), "accept: application/json\nanthropic-version: 2023-06-01\nAnthropic-Beta: mine\n");
	buf_fini(&lines);
	end();
}

/* A refusal that is about them names what to turn off; another one does not. */
static void a_refusal_names_the_setting(void)
{
	static const struct { const char *answer; bool asks, named; } cases[] = {
		{ REFUSAL(400, ERROR_JSON("Hosted tool 'web_search' is not supported with m-1.")), true, true },
		{ REFUSAL(404, ERROR_JSON("No endpoints found that support the requested output modalities: image")), true, true },
		{ REFUSAL(400, ERROR_JSON("Code execution is not enabled for this model")), true, true },
		{ REFUSAL(400, ERROR_JSON("'claude-m' does not support tool types: web_search_20250305.")), true, true },
		{ REFUSAL(400, ERROR_JSON("Search Grounding is not supported.")), true, true },
		{ REFUSAL(400, ERROR_JSON("Model does not support the requested response modalities: image,text")), true, true },
		{ REFUSAL(400, ERROR_JSON("registry.ollama.ai/library/m does not support tools")), true, true },
		{ REFUSAL(400, ERROR_JSON("max_tokens is too large")), true, false },
		{ REFUSAL(429, ERROR_JSON("tool is not supported")), true, false },
		{ REFUSAL(400, ERROR_JSON("Hosted tool 'web_search' is not supported with m-1.")), false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;
		struct request request = talk_request();

		talk_init(&talk);
		if (cases[i].asks) {
			request.server_tools = named("web_search,image");
			request.added = STR("{\"tools\":[{\"type\":\"web_search\"}]}");
		}
		talk_answer(&talk, cases[i].answer);
		const struct exchange_options options = talk_options(&talk, &protocol_openai_chat, &request);
		talk_run(&talk, &options);
		CHECK(talk_said(&talk, "it was asked for the server tools web_search, image: /server-tools off or --server-tools off asks for none") ==
		      cases[i].named, "%s: %s", cases[i].answer, buf_z(&talk.events));
		CHECK(talk_asked(&talk, "\"tools\":[{\"type\":\"web_search\"}]") == cases[i].asks, "%s", buf_z(&talk.requests));
		talk_fini(&talk);
	}
}

/* Each row of the table says where it is from. */
static void rows_have_their_source(void)
{
	struct server_tool_form form;
	size_t count = 0;

	for (; (form = server_tool_form_at(count)).name; count++) {
		struct error err;

		CHECK(form.source && *form.source, "%s, %s", form.protocol, form.name);
		CHECK(!form.body || server_tool_check(STR("row"), str_from(form.body), &err), "%s", form.body);
	}
	CU_ASSERT(count > 20);
}

const struct suite suite_server_tools = { "server_tools", (const struct test[]){
	TEST(each_protocol_has_its_own_words), TEST(every_request_is_valid), TEST(a_setting_replaces_the_table), TEST(members_are_merged),
	TEST(a_dialect_of_ones_own_is_generic), TEST(tools_bring_their_header), TEST(a_refusal_names_the_setting), TEST(rows_have_their_source), { 0 } } };
