#include "support/members.h"
#include "wire/summary.h"

#define TEXT_LIMIT ((size_t)1 << 20)

static struct str summary_of(const struct delta *deltas, size_t count, struct buf *out)
{
	struct summary *s = summary_new();

	buf_init(out, TEXT_LIMIT);
	for (size_t i = 0; i < count; i++)
		summary_delta(s, &deltas[i]);
	summary_write(s, STR("openai-chat"), STR("generic"), out);
	summary_free(s);
	return buf_str(out);
}

/* The only test that checks the set of members and their order. All others check only the members they need. */
static void writes_every_member(void)
{
	struct buf out;
	const struct delta deltas[] = {
		{ .kind = DELTA_BEGIN, .meta = { STR("chatcmpl-1"), STR_NONE } },
		{ .kind = DELTA_META, .meta = { STR("chatcmpl-1"), STR("m") } },
		{ .kind = DELTA_ROUTE, .route = { 1, STR("vendor/model"), 287 } },
		{ .kind = DELTA_REASONING, .text = STR("so ") },
		{ .kind = DELTA_TEXT, .text = STR("a\"") },
		{ .kind = DELTA_REASONING, .text = STR("on") },
		{ .kind = DELTA_TEXT, .text = STR("b\n") },
		{ .kind = DELTA_REFUSAL, .text = STR("no") },
		{ .kind = DELTA_TOOL_BEGIN, .tool = { 0, STR_NONE, STR(""), false } },
		{ .kind = DELTA_TOOL_END, .text = STR("{}"), .tool = { 0, STR_NONE, STR("f"), true } },
		{ .kind = DELTA_TOOL_END, .text = STR("{"), .tool = { 1, STR("c"), STR(""), false } },
		{ .kind = DELTA_MEDIA_END, .text = STR("Good morning."), .media = { .facts = {
			.kind = MEDIA_AUDIO, .id = STR("audio_1"), .type = STR("audio/wav"), .sha256 = STR("5d"), .bytes = 44, .whole = true } } },
		{ .kind = DELTA_MEDIA_END, .media = { .index = 1, .facts = { .kind = MEDIA_IMAGE, .url = STR("https://a/b"), .partials = 2, .thought = true } } },
		{ .kind = DELTA_SERVER_TOOL_END, .text = STR("{}"), .server_tool = { 0, STR("s"), STR("web_search"), SERVER_TOOL_FAILED, STR("") } },
		{ .kind = DELTA_SERVER_TOOL_END, .server_tool = { 1, STR_NONE, STR("code"), SERVER_TOOL_INCOMPLETE, STR_NONE } },
		{ .kind = DELTA_USAGE, .usage.of = {
			[USAGE_PROMPT] = COUNT_SENT(12), [USAGE_COMPLETION] = COUNT_SENT(84), [USAGE_TOTAL] = COUNT_SENT(96),
			[USAGE_CACHED] = COUNT_SENT(0) } },
		{ .kind = DELTA_NOTICE, .notice = { STR("no-done"), STR("gone") } },
		{ .kind = DELTA_FINISH, .finish = { STR("stop") } },
		{ .kind = DELTA_END, .end = { OUTCOME_TOOL_CALLS } },
	};

	CHECK_STR(summary_of(deltas, sizeof deltas / sizeof *deltas, &out),
	          "{\"protocol\":\"openai-chat\",\"dialect\":\"generic\",\"outcome\":\"tool_calls\",\"finish_reason\":\"stop\","
	          "\"id\":\"chatcmpl-1\",\"model\":\"m\",\"text\":\"a\\\"b\\n\",\"reasoning\":\"so on\",\"refusal\":\"no\","
	          "\"tool_calls\":[{\"id\":null,\"name\":\"f\",\"arguments\":\"{}\",\"valid\":true},"
	          "{\"id\":\"c\",\"name\":\"\",\"arguments\":\"{\",\"valid\":false}],"
	          "\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":84,\"total_tokens\":96,\"cached_tokens\":0,"
	          "\"cache_write_tokens\":null,\"reasoning_tokens\":null},"
	          "\"route\":{\"routed\":true,\"routed_model\":\"vendor/model\",\"routing_latency_ms\":287},"
	          "\"media\":[{\"kind\":\"audio\",\"type\":\"audio/wav\",\"bytes\":44,\"sha256\":\"5d\",\"partials\":0,\"whole\":true,"
	          "\"thought\":false,\"id\":\"audio_1\",\"url\":null,\"text\":\"Good morning.\"},"
	          "{\"kind\":\"image\",\"type\":null,\"bytes\":0,\"sha256\":null,\"partials\":2,\"whole\":false,"
	          "\"thought\":true,\"id\":null,\"url\":\"https://a/b\",\"text\":null}],"
	          "\"server_tools\":[{\"id\":\"s\",\"name\":\"web_search\",\"input\":\"{}\",\"state\":\"failed\",\"output\":\"\"},"
	          "{\"id\":null,\"name\":\"code\",\"input\":\"\",\"state\":\"incomplete\",\"output\":null}],"
	          "\"error\":null,\"notices\":[{\"rule\":\"no-done\",\"text\":\"gone\"}]}");
	buf_fini(&out);
}

static void keeps_copies_of_errors(void)
{
	char message[] = "gone", code[] = "504";
	struct summary *s = summary_new();

	CU_ASSERT_PTR_NULL(summary_error(s));
	summary_delta(s, &(struct delta){ .kind = DELTA_ERROR, .error = { STR_NONE, STR_NONE, str_from(code), 504 } });
	summary_delta(s, &(struct delta){ .kind = DELTA_ERROR, .error = { str_from(message), STR_NONE, str_from(code), 504 } });
	message[0] = code[0] = 'X';
	CHECK_STR(summary_error(s)->message, "gone");
	CHECK_STR(summary_error(s)->code, "504");
	CU_ASSERT_PTR_NULL(summary_error(s)->type.ptr);
	summary_free(s);
}

static void a_restart_discards(void)
{
	struct buf out;
	const struct delta deltas[] = {
		{ .kind = DELTA_BEGIN, .meta = { STR("a"), STR("m") } },
		{ .kind = DELTA_TEXT, .text = STR("lost") },
		{ .kind = DELTA_TOOL_END, .text = STR("{}"), .tool = { 0, STR("c"), STR("f"), true } },
		{ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(1) } },
		{ .kind = DELTA_MEDIA_END, .media.facts.kind = MEDIA_FILE },
		{ .kind = DELTA_SERVER_TOOL_END, .server_tool.name = STR("lost") },
		{ .kind = DELTA_RESTART },
		{ .kind = DELTA_META, .meta = { STR("b"), STR_NONE } },
		{ .kind = DELTA_END, .end = { OUTCOME_CUT } },
	};

	CHECK_MEMBERS(summary_of(deltas, sizeof deltas / sizeof *deltas, &out),
	              STR("{\"outcome\":\"cut\",\"finish_reason\":null,\"id\":\"b\",\"model\":null,\"text\":\"\",\"reasoning\":\"\","
	                  "\"refusal\":\"\",\"tool_calls\":[],\"usage\":null,\"route\":null,\"media\":[],\"server_tools\":[],\"error\":null,\"notices\":[]}"), "restarted");
	buf_fini(&out);
}

const struct suite suite_summary = { "summary", (const struct test[]){
	TEST(writes_every_member), TEST(keeps_copies_of_errors), TEST(a_restart_discards), { 0 },
} };
