#include "support/check.h"
#include "wire/event.h"

static void writes_events(void)
{
	const struct { struct delta delta; const char *line; } cases[] = {
		{ { .kind = DELTA_BEGIN, .at_ms = 12.3 }, "{\"t\":12.3,\"type\":\"begin\",\"id\":null,\"model\":null}\n" },
		{ { .kind = DELTA_TOOL_BEGIN, .at_ms = -1, .tool = { .index = 2 } },
		  "{\"type\":\"tool_begin\",\"index\":2,\"id\":null,\"name\":\"\"}\n" },
		{ { .kind = DELTA_TOOL_ARGUMENTS, .at_ms = 0, .tool = { .index = 0 } },
		  "{\"t\":0,\"type\":\"tool_arguments\",\"index\":0,\"text\":\"\"}\n" },
		{ { .kind = DELTA_TOOL_END, .at_ms = -1 }, "{\"type\":\"tool_end\",\"index\":0}\n" },
		{ { .kind = DELTA_MEDIA_BEGIN, .at_ms = -1, .media = { .index = 1, .facts = { .kind = MEDIA_IMAGE, .id = STR("ig_1") } } },
		  "{\"type\":\"media_begin\",\"index\":1,\"kind\":\"image\",\"id\":\"ig_1\"}\n" },
		{ { .kind = DELTA_MEDIA, .at_ms = -1, .media = { .index = 1, .is_partial = true, .data = STR("secret"), .facts.bytes = 6 } },
		  "{\"type\":\"media\",\"index\":1,\"partial\":true,\"bytes\":6}\n" },
		{ { .kind = DELTA_MEDIA_TEXT, .at_ms = -1, .text = STR("a"), .media.index = 1 }, "{\"type\":\"media_text\",\"index\":1,\"text\":\"a\"}\n" },
		{ { .kind = DELTA_MEDIA_END, .at_ms = -1, .text = STR("a"), .media.facts = { .kind = MEDIA_FILE, .id = STR("f"), .whole = true } },
		  "{\"type\":\"media_end\",\"index\":0,\"media\":{\"kind\":\"file\",\"type\":null,\"bytes\":0,\"sha256\":null,\"partials\":0,"
		  "\"whole\":true,\"thought\":false,\"id\":\"f\",\"url\":null,\"text\":\"a\"}}\n" },
		{ { .kind = DELTA_SERVER_TOOL_BEGIN, .at_ms = -1, .server_tool = { .index = 2, .name = STR("n") } },
		  "{\"type\":\"server_tool_begin\",\"index\":2,\"id\":null,\"name\":\"n\"}\n" },
		{ { .kind = DELTA_SERVER_TOOL_INPUT, .at_ms = -1, .text = STR("i"), .server_tool.index = 2 },
		  "{\"type\":\"server_tool_input\",\"index\":2,\"text\":\"i\"}\n" },
		{ { .kind = DELTA_SERVER_TOOL_END, .at_ms = -1, .text = STR("all"), .server_tool = { 2, STR("x"), STR("n"), SERVER_TOOL_COMPLETED, STR("o") } },
		  "{\"type\":\"server_tool_end\",\"index\":2,\"state\":\"completed\",\"output\":\"o\"}\n" },
		{ { .kind = DELTA_RESTART, .at_ms = -1 }, "{\"type\":\"restart\"}\n" },
		{ { .kind = DELTA_CITATION, .at_ms = -1 }, "{\"type\":\"citation\",\"url\":null,\"title\":null,\"text\":null}\n" },
		{ { .kind = DELTA_USAGE, .at_ms = -1, .usage = { .of = { [USAGE_PROMPT] = COUNT_SENT(1), [USAGE_COMPLETION] = COUNT_SENT(2),
		    [USAGE_TOTAL] = COUNT_SENT(3), [USAGE_CACHED] = COUNT_SENT(4), [USAGE_REASONING] = COUNT_SENT(0) } } },
		  "{\"type\":\"usage\",\"prompt_tokens\":1,\"completion_tokens\":2,\"total_tokens\":3,\"cached_tokens\":4,"
		  "\"cache_write_tokens\":null,\"reasoning_tokens\":0}\n" },
		{ { .kind = DELTA_ROUTE, .at_ms = -1, .route = { .routed = -1, .routing_latency_ms = -1 } },
		  "{\"type\":\"route\",\"routed\":null,\"routed_model\":null,\"routing_latency_ms\":null}\n" },
		{ { .kind = DELTA_ERROR, .at_ms = -1, .error = { .status = 429 } },
		  "{\"type\":\"error\",\"message\":null,\"error_type\":null,\"code\":null,\"status\":429}\n" },
		{ { .kind = DELTA_END, .at_ms = -1, .end = { OUTCOME_STALLED } }, "{\"type\":\"end\",\"outcome\":\"stalled\"}\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = { 0 };

		event_write(&cases[i].delta, &out);
		CHECK_STR(buf_str(&out), cases[i].line);
		buf_fini(&out);
	}
}

const struct suite suite_event = { "event", (const struct test[]){ TEST(writes_events), { 0 } } };
