#include "support/check.h"
#include "wire/event.h"

static void writes_events(void)
{
	static const struct { struct delta delta; const char *line; } cases[] = {
		{ { .kind = DELTA_BEGIN, .at_ms = 12.3 }, "{\"t\":12.3,\"type\":\"begin\",\"id\":null,\"model\":null}\n" },
		{ { .kind = DELTA_TOOL_BEGIN, .at_ms = -1, .tool = { .index = 2 } },
		  "{\"type\":\"tool_begin\",\"index\":2,\"id\":null,\"name\":\"\"}\n" },
		{ { .kind = DELTA_TOOL_ARGUMENTS, .at_ms = 0, .tool = { .index = 0 } },
		  "{\"t\":0,\"type\":\"tool_arguments\",\"index\":0,\"text\":\"\"}\n" },
		{ { .kind = DELTA_TOOL_END, .at_ms = -1 }, "{\"type\":\"tool_end\",\"index\":0}\n" },
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
