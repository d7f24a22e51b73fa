#include "wire/event_read.h"

#include "base/array.h"
#include "support/check.h"
#include "wire/event.h"
#include "wire/grammar.h"

static void write_event(void *out, const struct delta *delta)
{
	event_write(delta, out);
}

static void check_read(const char *events, const char *expected, enum end_how end)
{
	struct buf out = { 0 };
	struct grammar grammar = { .next = write_event, .ctx = &out };
	enum end_how how;

	event_read(str_from(events), grammar_delta, &grammar, &how);
	CHECK(str_is(buf_str(&out), expected), "%s\n%s", events, buf_z(&out));
	CHECK(!grammar_fault(&grammar), "%s", grammar_fault(&grammar));
	CU_ASSERT_EQUAL(how, end);
	buf_fini(&out);
}

static void check_same(const char *events, enum end_how end)
{
	check_read(events, events, end);
}

#define SHA "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define BEGIN "{\"t\":1,\"type\":\"begin\",\"id\":\"a\",\"model\":\"m\"}\n"
#define END(outcome) "{\"t\":9,\"type\":\"end\",\"outcome\":\"" outcome "\"}\n"

static void events_come_back(void)
{
	check_same(BEGIN "{\"t\":2,\"type\":\"reasoning\",\"text\":\"hm\"}\n{\"t\":2,\"type\":\"opaque\",\"format\":\"anthropic-signature\",\"data\":\"s\"}\n"
		"{\"t\":3,\"type\":\"text\",\"text\":\"one \"}\n{\"t\":4.5,\"type\":\"text\",\"text\":\"two\"}\n{\"t\":5,\"type\":\"citation\",\"url\":\"u\",\"title\":null,\"text\":\"c\"}\n"
		"{\"t\":6,\"type\":\"tool_begin\",\"index\":0,\"id\":\"c1\",\"name\":\"f\"}\n{\"t\":6,\"type\":\"tool_begin\",\"index\":1,\"id\":null,\"name\":\"\"}\n"
		"{\"t\":7,\"type\":\"tool_arguments\",\"index\":0,\"text\":\"{}\"}\n{\"t\":7,\"type\":\"tool_name\",\"index\":1,\"id\":\"c2\",\"name\":\"g\"}\n"
		"{\"t\":8,\"type\":\"tool_end\",\"index\":0}\n{\"t\":8,\"type\":\"tool_arguments\",\"index\":1,\"text\":\"[1]\"}\n{\"t\":8,\"type\":\"tool_end\",\"index\":1}\n"
		"{\"t\":8,\"type\":\"usage\",\"prompt_tokens\":5,\"completion_tokens\":null,\"total_tokens\":0,\"cached_tokens\":null,\"cache_write_tokens\":null,\"reasoning_tokens\":1}\n"
		"{\"t\":8,\"type\":\"media_begin\",\"index\":0,\"kind\":\"image\",\"id\":\"i\"}\n{\"t\":8,\"type\":\"media_text\",\"index\":0,\"text\":\"a hen\"}\n"
		"{\"t\":8,\"type\":\"server_tool_begin\",\"index\":0,\"id\":\"w\",\"name\":\"web_search\"}\n{\"t\":8,\"type\":\"server_tool_input\",\"index\":0,\"text\":\"{\"}\n"
		"{\"t\":8,\"type\":\"media_end\",\"index\":0,\"media\":{\"kind\":\"image\",\"type\":\"image/png\",\"bytes\":3,\"sha256\":\"" SHA "\",\"partials\":2,"
		"\"whole\":true,\"thought\":false,\"id\":\"i\",\"url\":null,\"text\":\"a hen\"}}\n"
		"{\"t\":8,\"type\":\"server_tool_end\",\"index\":0,\"state\":\"failed\",\"output\":\"no\"}\n"
		"{\"t\":8,\"type\":\"route\",\"routed\":true,\"routed_model\":\"r\",\"routing_latency_ms\":2.5}\n{\"t\":9,\"type\":\"finish\",\"reason\":\"tool_calls\"}\n"
		END("tool_calls"), END_CLOSED);
	check_same("{\"type\":\"begin\",\"id\":null,\"model\":null}\n{\"type\":\"refusal\",\"text\":\"no\"}\n{\"type\":\"finish\",\"reason\":\"refusal\"}\n{\"type\":\"end\",\"outcome\":\"filtered\"}\n", END_CLOSED);
	check_same(BEGIN "{\"t\":3,\"type\":\"text\",\"text\":\"x\"}\n" END("cut"), END_CUT);
	check_same(BEGIN "{\"t\":3,\"type\":\"text\",\"text\":\"x\"}\n" END("stalled"), END_STALLED);
	check_same(BEGIN "{\"t\":3,\"type\":\"text\",\"text\":\"x\"}\n" END("cancelled"), END_CANCELLED);
	check_same(BEGIN "{\"t\":9,\"type\":\"error\",\"message\":\"w\",\"error_type\":\"t\",\"code\":\"7\",\"status\":503}\n" END("error"), END_CLOSED);
}

/* Whatever the lines are, the deltas keep their grammar. */
static void wrong_lines_give_a_valid_turn(void)
{
	static const char *const wrong[] = {
		"", "nothing\n", "{\"type\":\"end\",\"outcome\":\"complete\"}\n{\"type\":\"text\",\"text\":\"x\"}\n", "{\"type\":\"tool_arguments\",\"index\":7,\"text\":\"x\"}\n",
		"{\"type\":\"tool_begin\"}\n{\"type\":\"tool_end\",\"index\":0}\n{\"type\":\"tool_end\",\"index\":0}\n", "{\"type\":\"opaque\"}\n{\"type\":\"citation\"}\n",
		"{\"type\":\"error\"}\n{\"type\":\"error\"}\n", "{\"type\":\"media_begin\"}\n{\"type\":\"media\",\"index\":0}\n{\"type\":\"media_end\"}\n",
		"{\"type\":\"media_end\",\"index\":0}\n{\"type\":\"server_tool_begin\"}\n{\"type\":\"server_tool_end\",\"index\":0}\n{\"type\":\"server_tool_end\",\"index\":0}\n", "{\"type\":\"text\",\"t\":-5,\"text\":7}\n", "{\"type\":\"restart\"}\n{\"type\":\"nonsense\"}\n[]\n{\"type\"\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct buf out = { 0 };
		struct grammar grammar = { .next = write_event, .ctx = &out };
		enum end_how how;

		event_read(str_from(wrong[i]), grammar_delta, &grammar, &how);
		CHECK(!grammar_fault(&grammar), "%s: %s", wrong[i], grammar_fault(&grammar));
		CHECK(str_find(buf_str(&out), STR("\"type\":\"end\"")) < out.len, "%s: %s", wrong[i], buf_z(&out));
		buf_fini(&out);
	}
}

static void take_call(void *call, const struct delta *delta)
{
	if (delta->kind == DELTA_OPAQUE)
		*(int *)call = delta->opaque.tool_index;
}

/* A restart discards the calls, so nothing behind it belongs to one of them. */
static void no_data_belongs_to_a_discarded_call(void)
{
	enum end_how how;
	int call = 7;

	event_read(STR(BEGIN "{\"type\":\"tool_begin\",\"index\":0,\"id\":\"c\",\"name\":\"f\"}\n{\"type\":\"restart\"}\n"
	               "{\"type\":\"opaque\",\"format\":\"x\",\"data\":\"s\"}\n" END("complete")), take_call, &call, &how);
	CU_ASSERT_EQUAL(call, -1);
}

static void a_begin_makes_events(void)
{
	CU_ASSERT(event_read_begins(STR(BEGIN END("cut"))));
	CU_ASSERT(!event_read_begins(STR("")));
	CU_ASSERT(!event_read_begins(STR(END("cut"))));
	CU_ASSERT(!event_read_begins(STR("{\"type\":\"message_start\"}\n")));
	CU_ASSERT_EQUAL(event_read_status(STR(BEGIN "{\"type\":\"text\",\"text\":\"\\\"error\\\"\"}\n")), 0);
	CU_ASSERT_EQUAL(event_read_status(STR(BEGIN "{\"type\":\"error\",\"message\":\"w\",\"status\":503}\n")), 503);
}

const struct suite suite_event_read = { "event_read", (const struct test[]){
	TEST(events_come_back), TEST(wrong_lines_give_a_valid_turn), TEST(no_data_belongs_to_a_discarded_call), TEST(a_begin_makes_events), { 0 },
} };
