/* The table of protocols (names, detection, URLs) and the dialects. */
#include "base/array.h"
#include "support/check.h"
#include "wire/protocol/protocol.h"

#define TEXT_LIMIT ((size_t)1 << 20)

static void finds_by_name(void)
{
	static const char *const names[] = { "openai-chat", "openai-responses", "anthropic", "gemini", "ollama" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		CHECK(protocol_find(str_from(names[i])), "%s", names[i]);
	CHECK_STR(str_from(protocol_at(0)->name), "openai-chat");
	for (size_t i = 0; protocol_at(i); i++) {
		const struct protocol *p = protocol_at(i);

		CHECK(protocol_find(str_from(p->name)) == p, "%s", p->name);
		CHECK(p->decode && p->build && p->read_models && p->path && p->models_path, "%s is not complete", p->name);
	}
	CU_ASSERT_PTR_NULL(protocol_find(STR("openai")));
}

static void finds_dialects(void)
{
	static const char *const names[] = { "generic", "sansa", "chuizi", "aivene", "runtime", "opentoken" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		CHECK(dialect_find(str_from(names[i])), "%s", names[i]);
	for (size_t i = 0; dialect_at(i); i++)
		CHECK(dialect_find(str_from(dialect_at(i)->name)) == dialect_at(i), "%s", dialect_at(i)->name);
	CU_ASSERT_PTR_NULL(dialect_find(STR("Sansa")));
	CU_ASSERT_TRUE(dialect_find(STR("runtime"))->close_is_end);
	CU_ASSERT_FALSE(dialect_find(STR("runtime"))->sends_done);
	CU_ASSERT_EQUAL(dialect_find(STR("aivene"))->sending.max_tokens_field, MAX_TOKENS_COMPLETION);
	CU_ASSERT_EQUAL(dialect_find(STR("sansa"))->sending.reasoning_field, REASONING_FIELD_OBJECT);
	CU_ASSERT_FALSE(dialect_find(STR("sansa"))->sending.usage_opt_in);
	CU_ASSERT_FALSE(dialect_find(STR("opentoken"))->sending.usage_opt_in);
	CU_ASSERT_TRUE(dialect_find(STR("generic"))->sending.usage_opt_in);
}

static void detects(void)
{
	static const struct { const char *value, *event, *protocol; } cases[] = {
		{ "{\"choices\":[]}", "", "openai-chat" },
		{ "{\"object\":\"chat.completion.chunk\"}", "", "openai-chat" },
		{ "{\"type\":\"response.created\",\"response\":{}}", "", "openai-responses" },
		{ "{\"response\":{}}", "response.created", "openai-responses" },
		{ "{\"object\":\"response\",\"output\":[]}", "", "openai-responses" },
		{ "{\"type\":\"error\",\"code\":\"x\",\"message\":\"m\",\"sequence_number\":3}", "error", "openai-responses" },
		{ "{\"type\":\"error\",\"error\":{\"type\":\"x\",\"code\":\"y\",\"message\":\"m\",\"param\":null}}", "", "openai-responses" },
		{ "{\"type\":\"message_start\",\"message\":{}}", "", "anthropic" },
		{ "{\"type\":\"message\",\"content\":[]}", "", "anthropic" },
		{ "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}}", "error", "anthropic" },
		{ "{\"candidates\":[{}]}", "", "gemini" },
		{ "{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}", "", "gemini" },
		{ "{\"error\":{\"code\":400,\"message\":\"m\",\"status\":\"INVALID_ARGUMENT\"}}", "", "gemini" },
		{ "[{\"error\":{\"code\":400,\"message\":\"m\",\"status\":\"INVALID_ARGUMENT\"}}]", "", "gemini" },
		{ "{\"model\":\"m\",\"message\":{},\"done\":false}", "", "ollama" },
		{ "{\"model\":\"m\",\"response\":\"x\",\"done\":true}", "", "ollama" },
		{ "{\"type\":\"ping\"}", "ping", NULL },
		{ "{\"error\":\"x\"}", "", NULL },
		{ "{\"error\":{\"message\":\"x\",\"code\":400}}", "", NULL },
		{ "{\"error\":{\"message\":\"x\"}}", "error", NULL },
		{ "{}", "", NULL },
		{ "[]", "", NULL },
		{ "3", "", NULL },
	};
	struct json_parser *parser = json_parser_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t used;
		const struct json *value = json_parse(parser, str_from(cases[i].value), &used);
		const struct protocol *protocol = protocol_detect(value, str_from(cases[i].event));
		const struct protocol *expected = cases[i].protocol ? protocol_find(str_from(cases[i].protocol)) : NULL;

		CHECK(protocol == expected, "%s: %s", cases[i].value, protocol ? protocol->name : "unknown");
	}
	json_parser_free(parser);
}

struct url_case {
	const char *protocol, *base, *path, *model, *url;
};

static const struct url_case urls[] = {
	{ "openai-chat", "https://h/v1", "", "m", "https://h/v1/chat/completions" },
	{ "openai-chat", "https://h/v1/", "", "m", "https://h/v1/chat/completions" },
	{ "openai-chat", " HTTPS://h ", "", "m", "HTTPS://h/chat/completions" },
	{ "openai-chat", "http://127.0.0.1:8080", "", "m", "http://127.0.0.1:8080/chat/completions" },
	{ "openai-chat", "https://h/v1/chat/completions", "", "m", "https://h/v1/chat/completions" },
	{ "openai-chat", "https://h/v1/chat/completions/", "", "m", "https://h/v1/chat/completions" },
	{ "openai-chat", "https://h/d?api-version=1", "", "m", "https://h/d/chat/completions?api-version=1" },
	{ "openai-chat", "https://h/d/chat/completions?v=1", "", "m", "https://h/d/chat/completions?v=1" },
	{ "openai-chat", "https://h", "/deployments/{model}/chat?x=1", "a b/c", "https://h/deployments/a%20b/c/chat?x=1" },
	{ "openai-chat", "https://h?y=2", "chat?x=1", "m", "https://h/chat?x=1&y=2" },
	{ "openai-responses", "https://h/v1", "", "m", "https://h/v1/responses" },
	{ "openai-responses", "https://h/v1/responses", "", "m", "https://h/v1/responses" },
	{ "anthropic", "https://h", "", "m", "https://h/v1/messages" },
	{ "anthropic", "https://h/v1", "", "m", "https://h/v1/messages" },
	{ "anthropic", "https://h/anthropic", "", "m", "https://h/anthropic/v1/messages" },
	{ "anthropic", "https://h/v1/messages", "", "m", "https://h/v1/messages" },
	{ "gemini", "https://h", "", "g-2.5", "https://h/v1beta/models/g-2.5:streamGenerateContent?alt=sse" },
	{ "gemini", "https://h/v1beta/", "", "g", "https://h/v1beta/models/g:streamGenerateContent?alt=sse" },
	{ "gemini", "https://h/gemini?k=1", "", "g", "https://h/gemini/v1beta/models/g:streamGenerateContent?alt=sse&k=1" },
	{ "gemini", "https://h", "", "a/b c%", "https://h/v1beta/models/a/b%20c%25:streamGenerateContent?alt=sse" },
	{ "gemini", "https://h/v1beta/models/x:streamGenerateContent", "", "g", "https://h/v1beta/models/x:streamGenerateContent" },
	{ "ollama", "http://127.0.0.1:11434", "", "m", "http://127.0.0.1:11434/api/chat" },
	{ "ollama", "http://127.0.0.1:11434/api", "", "m", "http://127.0.0.1:11434/api/chat" },
	{ "ollama", "http://127.0.0.1:11434/api/chat", "", "m", "http://127.0.0.1:11434/api/chat" },
};

static void joins_urls(void)
{
	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
		const struct url_case *c = &urls[i];
		struct buf out;
		struct error err = { "" };

		buf_init(&out, TEXT_LIMIT);
		bool made = protocol_url(protocol_find(str_from(c->protocol)), str_from(c->base), str_from(c->path), str_from(c->model),
		                         true, &out, &err);
		CHECK(made && str_is(buf_str(&out), c->url), "%s: %s%s", c->base, buf_z(&out), err.text);
		buf_fini(&out);
	}
}

static void joins_urls_of_whole_answers(void)
{
	struct buf out;
	struct error err;

	buf_init(&out, TEXT_LIMIT);
	CU_ASSERT_TRUE(protocol_url(&protocol_gemini, STR("https://h"), STR_NONE, STR("g"), false, &out, &err));
	CHECK_STR(buf_str(&out), "https://h/v1beta/models/g:generateContent");
	buf_clear(&out);
	CU_ASSERT_TRUE(protocol_url(&protocol_anthropic, STR("https://h"), STR_NONE, STR("g"), false, &out, &err));
	CHECK_STR(buf_str(&out), "https://h/v1/messages");
	buf_fini(&out);
}

static void refuses_odd_urls(void)
{
	static const char *const bases[] = { "", "h/v1", "ftp://h", "https://", "https:///v1", "https://user:pw@h/v1", "https://user@h",
	                                     "https://h/a b", "https://h/\x01", "https://h/v1#x", "https://h\\v1" };

	for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
		struct buf out;
		struct error err = { "" };

		buf_init(&out, TEXT_LIMIT);
		CHECK(!protocol_url(&protocol_openai_chat, str_from(bases[i]), STR_NONE, STR("m"), true, &out, &err) && err.text[0],
		      "'%s'", bases[i]);
		CHECK(!protocol_models_url(&protocol_openai_chat, str_from(bases[i]), STR_NONE, &out, &err), "'%s'", bases[i]);
		CU_ASSERT_EQUAL(out.len, 0);
		CHECK(!str_has_nocase(str_from(err.text), STR("pw@")), "a password is shown: %s", err.text);
		buf_fini(&out);
	}
}

static void joins_urls_of_model_lists(void)
{
	static const struct { const char *protocol, *base, *page, *url; } cases[] = {
		{ "openai-chat", "https://h/v1", "", "https://h/v1/models" },
		{ "openai-chat", "https://h/v1/chat/completions?x=1", "", "https://h/v1/models?x=1" },
		{ "openai-responses", "https://h/v1/responses", "", "https://h/v1/models" },
		{ "anthropic", "https://h", "", "https://h/v1/models?limit=1000" },
		{ "anthropic", "https://h/v1", "id/1", "https://h/v1/models?limit=1000&after_id=id%2F1" },
		{ "anthropic", "https://h/a/v1/messages", "", "https://h/a/v1/models?limit=1000" },
		{ "gemini", "https://h", "t=", "https://h/v1beta/models?pageSize=1000&pageToken=t%3D" },
		{ "gemini", "https://h/v1beta/models/x:streamGenerateContent?k=1", "", "https://h/v1beta/models?pageSize=1000&k=1" },
		{ "ollama", "http://h:1/api", "", "http://h:1/api/tags" },
		{ "ollama", "http://h:1/api/chat", "", "http://h:1/api/tags" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out;
		struct error err = { "" };

		buf_init(&out, TEXT_LIMIT);
		bool made = protocol_models_url(protocol_find(str_from(cases[i].protocol)), str_from(cases[i].base), str_from(cases[i].page),
		                                &out, &err);
		CHECK(made && str_is(buf_str(&out), cases[i].url), "%s: %s%s", cases[i].base, buf_z(&out), err.text);
		buf_fini(&out);
	}
}

static void joins_urls_of_other_clients(void)
{
	static const struct { const char *base, *path, *url; } cases[] = {
		{ "https://h/v1", "/messages", "https://h/v1/messages" },
		{ "https://h/v1/", "/v1/messages?beta=true", "https://h/v1/messages?beta=true" },
		{ "https://h/v1", "/v1", "https://h/v1" },
		{ "https://h/v1", "/v10/x", "https://h/v1/v10/x" },
		{ "https://h", "//evil/x", "https://h//evil/x" },
		{ "https://h/v1?api-version=1&key=k", "/x", "https://h/v1/x?api-version=1&key=k" },
		{ "https://h/v1?api-version=1&key=k", "/x?a=b&api-version=2", "https://h/v1/x?key=k&a=b&api-version=2" },
		{ "https://h?key=k", "/x?", "https://h/x?key=k&" },
	};
	struct error err;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf url = { 0 };

		CU_ASSERT_TRUE(protocol_pass_url(str_from(cases[i].base), str_from(cases[i].path), &url, &err));
		CHECK_STR(buf_str(&url), cases[i].url);
		buf_fini(&url);
	}
	CU_ASSERT_FALSE(protocol_pass_url(STR("https://user:pass@h/v1"), STR("/x"), &(struct buf){ 0 }, &err));
}

static void notices_paths_that_leave_their_folder(void)
{
	static const char *const leaving[] = { "/..", "/../admin", "/a/../../b", "/%2e%2e/x", "/.%2E/x", "/%252e%252e/x", "/%25252e%25252e%25252fx", "/..%2fx", "/..%5cx",
		"/..\\x", "/a%2f..%2fb", "/..;a=b/x", "/..%00/x", "/..%20/x", "/%c0%ae%c0%ae/x", "/..%c0%afx", "/..?a",
		"/%e0%80%ae%e0%80%ae/x", "/..%ff/x", "/%2525252525252525252525252e" };
	static const char *const staying[] = { "/", "/v1/messages", "/...", "/a..b/..c", "/v1/models/org%2Fmodel:x", "/x?a=/../..", "/%e4%b8%ad", "/%zz%2" };

	for (size_t i = 0; i < sizeof leaving / sizeof *leaving; i++)
		CHECK(protocol_path_leaves(str_from(leaving[i])), "%s", leaving[i]);
	for (size_t i = 0; i < sizeof staying / sizeof *staying; i++)
		CHECK(!protocol_path_leaves(str_from(staying[i])), "%s", staying[i]);
}

const struct suite suite_protocol = { "protocol", (const struct test[]){
	TEST(finds_by_name), TEST(finds_dialects), TEST(detects), TEST(joins_urls), TEST(joins_urls_of_whole_answers),
	TEST(refuses_odd_urls), TEST(joins_urls_of_model_lists), TEST(joins_urls_of_other_clients),
	TEST(notices_paths_that_leave_their_folder), { 0 },
} };
