#include "chat/conversation/conversation.h"

#include <string.h>

#include "support/check.h"
#include "wire/protocol/protocol.h"

static struct conversation *conversation;

/* Starts an assistant turn in a new conversation. */
static struct turn *answer(void)
{
	conversation_free(conversation);
	conversation = conversation_new();
	return conversation_answer(conversation, STR("box"), &protocol_anthropic, STR("m"));
}

static void put(struct turn *t, enum delta_kind kind, unsigned part, const char *text, double at_ms)
{
	turn_delta(t, &(struct delta){ .kind = kind, .part = part, .text = str_from(text), .at_ms = at_ms });
}

static void put_call(struct turn *t, enum delta_kind kind, unsigned index, const char *id, const char *name, const char *text)
{
	turn_delta(t, &(struct delta){ .kind = kind, .text = str_from(text),
	                               .tool = { index, str_from(id), str_from(name), kind == DELTA_TOOL_END } });
}

static void put_opaque(struct turn *t, unsigned part, int call, const char *format, struct str data)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_OPAQUE, .part = part, .opaque = { str_from(format), data, call } });
}

static void expect_part(const struct turn *t, size_t index, enum part_kind kind, const char *text)
{
	CHECK(index < t->part_count, "part %zu of %zu", index, t->part_count);
	if (index >= t->part_count)
		return;
	CHECK(t->parts[index].kind == kind, "part %zu has kind %d", index, (int)t->parts[index].kind);
	CHECK_STR(buf_str(&t->parts[index].text), text);
}

static void begins_with_nothing_known(void)
{
	struct turn *t = answer();

	CU_ASSERT_EQUAL(t->role, TURN_ASSISTANT);
	CU_ASSERT_STRING_EQUAL(t->scope.provider, "box");
	CU_ASSERT_STRING_EQUAL(t->scope.model, "m");
	CU_ASSERT_STRING_EQUAL(t->scope.protocol_name, "anthropic");
	CU_ASSERT_PTR_NULL(t->id);
	CU_ASSERT_PTR_NULL(t->model);
	CU_ASSERT_FALSE(usage_is_known(&t->usage));
	CU_ASSERT_FALSE(t->ended);
	CU_ASSERT_TRUE(turn_is_empty(t));
	CU_ASSERT_PTR_EQUAL(conversation_last(conversation), t);
	turn_set_protocol(t, NULL);
	CU_ASSERT_STRING_EQUAL(t->scope.protocol_name, "");
	conversation_free(NULL);
	struct conversation *none = conversation_new();
	CU_ASSERT_PTR_NULL(conversation_last(none));
	conversation_free(none);
}

static void asks_with_closed_parts(void)
{
	answer();
	struct turn *t = conversation_ask(conversation);
	char text[] = "hello";
	turn_add(t, PART_TEXT, str_from(text), STR_NONE, STR_NONE);
	memset(text, '!', sizeof text - 1);
	struct part *p = turn_add(t, PART_TOOL_RESULT, STR("42"), STR("call_1"), STR("sum"));
	CU_ASSERT_EQUAL(t->role, TURN_USER);
	CU_ASSERT_TRUE(t->ended);
	expect_part(t, 0, PART_TEXT, "hello");
	CU_ASSERT_FALSE(p->open);
	CU_ASSERT_STRING_EQUAL(p->id, "call_1");
	CU_ASSERT_STRING_EQUAL(p->name, "sum");
	CU_ASSERT_EQUAL(conversation->count, 2);
}

static void gathers_text_by_part(void)
{
	struct turn *t = answer();

	put(t, DELTA_REASONING, 0, "Let me ", 10);
	put(t, DELTA_REASONING, 0, "see.", 20);
	put(t, DELTA_TEXT, 1, "Yes", 30);
	put(t, DELTA_TEXT, 2, "No", 40);
	put(t, DELTA_REFUSAL, 3, "I cannot.", 50);
	CU_ASSERT_EQUAL(t->part_count, 4);
	expect_part(t, 0, PART_REASONING, "Let me see.");
	expect_part(t, 1, PART_TEXT, "Yes");
	expect_part(t, 2, PART_TEXT, "No");
	expect_part(t, 3, PART_REFUSAL, "I cannot.");
	CU_ASSERT_DOUBLE_EQUAL(t->parts[0].begun_ms, 10, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(t->parts[0].ended_ms, 20, 1e-9);
	CU_ASSERT_EQUAL(estimate_tokens(&t->parts[0].size), 3);
	CU_ASSERT_FALSE(turn_is_empty(t));
}

static void keeps_overlapping_parts_apart(void)
{
	struct turn *t = answer();

	put(t, DELTA_REASONING, 0, "a", 1);
	put(t, DELTA_TEXT, 1, "x", 2);
	put(t, DELTA_REASONING, 0, "b", 3);
	put(t, DELTA_TEXT, 1, "y", 4);
	put_opaque(t, 0, -1, OPAQUE_ANTHROPIC_SIGNATURE, STR("sig"));
	CU_ASSERT_EQUAL(t->part_count, 3);
	expect_part(t, 0, PART_REASONING, "ab");
	expect_part(t, 1, PART_TEXT, "xy");
	expect_part(t, 2, PART_OPAQUE, "sig");
	CU_ASSERT_EQUAL(t->parts[2].number, 0);
}

static void assembles_calls(void)
{
	struct turn *t = answer();

	put_call(t, DELTA_TOOL_BEGIN, 0, NULL, "", NULL);
	CU_ASSERT_STRING_EQUAL(t->parts[0].id, "");
	CU_ASSERT_STRING_EQUAL(t->parts[0].name, "");
	put_call(t, DELTA_TOOL_BEGIN, 1, "call_b", "look", NULL);
	put_call(t, DELTA_TOOL_ARGUMENTS, 1, "call_b", "look", "{\"q\"");
	put_call(t, DELTA_TOOL_ARGUMENTS, 0, NULL, "", "{");
	put_call(t, DELTA_TOOL_NAME, 0, "call_a", "sum", NULL);
	put_call(t, DELTA_TOOL_ARGUMENTS, 1, "call_b", "look", ":1}");
	put_call(t, DELTA_TOOL_END, 1, "call_b", "look", "{\"q\":1}");
	CU_ASSERT_EQUAL(turn_call_count(t), 2);
	CU_ASSERT_PTR_EQUAL(turn_call(t, 1), &t->parts[1]);
	CU_ASSERT_PTR_NULL(turn_call(t, 2));
	CU_ASSERT_STRING_EQUAL(t->parts[0].id, "call_a");
	CU_ASSERT_STRING_EQUAL(t->parts[0].name, "sum");
	CU_ASSERT_TRUE(t->parts[0].open);
	expect_part(t, 0, PART_TOOL_CALL, "{");
	expect_part(t, 1, PART_TOOL_CALL, "{\"q\":1}");
	CU_ASSERT_TRUE(t->parts[1].valid);
	CU_ASSERT_FALSE(t->parts[1].open);
	CU_ASSERT_FALSE(turn_is_empty(t));
}

/* A call without arguments ends with {}, which was not streamed. */
static void takes_the_final_arguments(void)
{
	struct turn *t = answer();

	put_call(t, DELTA_TOOL_BEGIN, 0, "c", "now", NULL);
	put_call(t, DELTA_TOOL_ARGUMENTS, 0, "c", "now", "null");
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_END, .text = STR("{}"), .tool = { 0, STR("c"), STR("now"), true } });
	expect_part(t, 0, PART_TOOL_CALL, "{}");
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { 1, STR("d"), STR("now"), false } });
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_END, .text = STR("{\"a"), .tool = { 1, STR("d"), STR("now"), false } });
	CU_ASSERT_FALSE(t->parts[1].valid);
}

static void keeps_opaque_data_byte_for_byte(void)
{
	struct turn *t = answer();

	put_opaque(t, GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_REDACTED, str_of("a\0b\xff", 4));
	put_opaque(t, GUARD_NEW_PART, 2, OPAQUE_EXTRA_CONTENT, STR("{}"));
	CU_ASSERT_EQUAL(t->parts[0].text.len, 4);
	CU_ASSERT_EQUAL(memcmp(t->parts[0].text.ptr, "a\0b\xff", 4), 0);
	CU_ASSERT_EQUAL(t->parts[0].call, -1);
	CU_ASSERT_EQUAL(t->parts[1].call, 2);
	CU_ASSERT_STRING_EQUAL(t->parts[1].name, OPAQUE_EXTRA_CONTENT);
	CU_ASSERT_TRUE(turn_is_empty(t));
}

static void knows_what_the_server_said(void)
{
	struct turn *t = answer();

	turn_delta(t, &(struct delta){ .kind = DELTA_BEGIN, .meta = { STR("id-1"), STR_NONE } });
	CU_ASSERT_STRING_EQUAL(t->id, "id-1");
	CU_ASSERT_PTR_NULL(t->model);
	turn_delta(t, &(struct delta){ .kind = DELTA_META, .meta = { STR("id-1"), STR("real-m") } });
	CU_ASSERT_STRING_EQUAL(t->model, "real-m");
	CU_ASSERT_STRING_EQUAL(t->scope.model, "m");
	turn_delta(t, &(struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(5), [USAGE_COMPLETION] = COUNT_SENT(1) } });
	turn_delta(t, &(struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(5), [USAGE_COMPLETION] = COUNT_SENT(9) } });
	CU_ASSERT_EQUAL(t->usage.of[USAGE_COMPLETION].number, 9);
	char model[] = "routed-m";
	turn_delta(t, &(struct delta){ .kind = DELTA_ROUTE, .route = { 1, str_from(model), 287 } });
	memset(model, '!', sizeof model - 1);
	CU_ASSERT_TRUE(t->routed_known);
	CU_ASSERT_STRING_EQUAL(t->routed_model, "routed-m");
	CHECK_STR(t->route.routed_model, "routed-m");
	CU_ASSERT_DOUBLE_EQUAL(t->route.routing_latency_ms, 287, 1e-9);
	turn_delta(t, &(struct delta){ .kind = DELTA_NOTICE, .notice = { STR("rule"), STR("words") } });
	CU_ASSERT_EQUAL(t->note_count, 1);
	CU_ASSERT_STRING_EQUAL(t->notes[0].rule, "rule");
	turn_delta(t, &(struct delta){ .kind = DELTA_FINISH, .finish = { STR("stop") } });
	CU_ASSERT_STRING_EQUAL(t->finish_reason, "stop");
}

static void accepts_a_route_without_a_model(void)
{
	struct turn *t = answer();

	turn_delta(t, &(struct delta){ .kind = DELTA_ROUTE, .route = { 0, STR_NONE, -1 } });
	CU_ASSERT_TRUE(t->routed_known);
	CU_ASSERT_PTR_NULL(t->routed_model);
	CU_ASSERT_EQUAL(t->route.routed_model.len, 0);
}

static void ends_with_an_error(void)
{
	struct turn *t = answer();

	put(t, DELTA_TEXT, 0, "half", 10);
	put_call(t, DELTA_TOOL_BEGIN, 0, "c", "f", NULL);
	turn_delta(t, &(struct delta){ .kind = DELTA_ERROR, .error = { STR("Overloaded"), STR_NONE, STR("529"), 529 } });
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .at_ms = 99, .end = { OUTCOME_ERROR } });
	CU_ASSERT_TRUE(t->has_error);
	CU_ASSERT_STRING_EQUAL(t->error_message, "Overloaded");
	CU_ASSERT_PTR_NULL(t->error_type);
	CU_ASSERT_STRING_EQUAL(t->error_code, "529");
	CU_ASSERT_EQUAL(t->error_status, 529);
	CU_ASSERT_TRUE(t->ended);
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_ERROR);
	CU_ASSERT_DOUBLE_EQUAL(t->ended_ms, 99, 1e-9);
	for (size_t i = 0; i < t->part_count; i++)
		CU_ASSERT_FALSE(t->parts[i].open);
	expect_part(t, 0, PART_TEXT, "half");
}

static void starts_over(void)
{
	struct turn *t = answer();

	turn_delta(t, &(struct delta){ .kind = DELTA_BEGIN, .meta = { STR("old"), STR("old-m") } });
	put(t, DELTA_TEXT, 0, "first", 1);
	put_call(t, DELTA_TOOL_BEGIN, 0, "a", "f", NULL);
	turn_delta(t, &(struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(5), [USAGE_COMPLETION] = COUNT_SENT(1) } });
	turn_delta(t, &(struct delta){ .kind = DELTA_ROUTE, .route = { 1, STR("r"), 2 } });
	turn_delta(t, &(struct delta){ .kind = DELTA_RESTART });
	CU_ASSERT_EQUAL(t->restarted_at, 2);
	CU_ASSERT_TRUE(turn_is_empty(t));
	CU_ASSERT_EQUAL(turn_call_count(t), 0);
	CU_ASSERT_PTR_NULL(turn_call(t, 0));
	CU_ASSERT_FALSE(usage_is_known(&t->usage));
	CU_ASSERT_PTR_NULL(t->id);
	CU_ASSERT_PTR_NULL(t->model);
	CU_ASSERT_FALSE(t->routed_known);
	CU_ASSERT_FALSE(t->parts[1].open);

	turn_delta(t, &(struct delta){ .kind = DELTA_META, .meta = { STR("new"), STR_NONE } });
	put(t, DELTA_TEXT, 0, "second", 2);
	put_call(t, DELTA_TOOL_BEGIN, 0, "b", "g", NULL);
	CU_ASSERT_STRING_EQUAL(t->id, "new");
	CU_ASSERT_EQUAL(t->part_count, 4);
	expect_part(t, 0, PART_TEXT, "first"); /* stays readable */
	expect_part(t, 2, PART_TEXT, "second");
	CU_ASSERT_STRING_EQUAL(turn_call(t, 0)->id, "b");
	CU_ASSERT_EQUAL(turn_call_count(t), 1);
}

/* What a tool of the server found is there before its end, and replaced by its end. */
static void items_end_as_the_server_says(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
	struct delta ran = { .kind = DELTA_SERVER_TOOL_BEGIN, .server_tool.name = STR("search") };

	turn_delta(t, &ran);
	ran = (struct delta){ .kind = DELTA_SERVER_TOOL_INPUT, .at_ms = 900, .server_tool = { .state = SERVER_TOOL_COMPLETED, .output = STR("a") } };
	turn_delta(t, &ran);
	CU_ASSERT(!t->parts[0].open && t->parts[0].valid && !t->ended);
	expect_part(t, 1, PART_SERVER_RESULT, "a");
	ran = (struct delta){ .kind = DELTA_SERVER_TOOL_END, .at_ms = 2100, .server_tool = { .state = SERVER_TOOL_FAILED, .output = STR("b") } };
	turn_delta(t, &ran);
	CU_ASSERT(t->parts[0].is_error && !t->parts[0].valid);
	CU_ASSERT_EQUAL(t->parts[0].ended_ms, 900); /* its end may be told with that of the answer */
	expect_part(t, 1, PART_SERVER_RESULT, "b");
	for (unsigned i = 0; i < 2; i++) {
		turn_delta(t, &(struct delta){ .kind = DELTA_MEDIA_BEGIN, .part = i, .media.index = i });
		turn_delta(t, &(struct delta){ .kind = DELTA_MEDIA_END, .part = i, .media = { .index = i, .facts.failed = i == 1 } });
		CU_ASSERT_EQUAL(t->parts[2 + i].is_error, i == 1);
	}
	conversation_free(c);
}

static void says_that_it_changed(void)
{
	struct turn *t = answer();

	for (int kind = 0; kind < DELTA_KIND_COUNT; kind++) {
		uint64_t before = t->revision;

		turn_delta(t, &(struct delta){ .kind = (enum delta_kind)kind });
		CHECK(t->revision > before, "%s", delta_kind_name((enum delta_kind)kind));
	}
	uint64_t before = t->revision;
	turn_note(t, STR("weir"), STR("words"));
	CU_ASSERT(t->revision > before);
	before = t->revision;
	turn_add(t, PART_TEXT, STR("x"), STR_NONE, STR_NONE);
	CU_ASSERT(t->revision > before);
}

/* A request borrows the text of closed parts while others are added. */
static void leaves_whole_parts_where_they_are(void)
{
	struct turn *t = answer();

	put(t, DELTA_TEXT, 0, "first", 1);
	const char *text = t->parts[0].text.ptr;
	for (unsigned i = 1; i < 1000; i++)
		put(t, DELTA_TEXT, i, "more", 1);
	CU_ASSERT_PTR_EQUAL(t->parts[0].text.ptr, text);
	for (size_t i = 0; i < 1000; i++)
		conversation_ask(conversation);
	CU_ASSERT_PTR_EQUAL(conversation->turns[0], t);
	CU_ASSERT_STRING_EQUAL(text, "first");
	conversation_free(conversation);
	conversation = NULL;
}

const struct suite suite_conversation = { "conversation", (const struct test[]){
	TEST(begins_with_nothing_known),
	TEST(asks_with_closed_parts),
	TEST(gathers_text_by_part),
	TEST(keeps_overlapping_parts_apart),
	TEST(assembles_calls),
	TEST(takes_the_final_arguments),
	TEST(keeps_opaque_data_byte_for_byte),
	TEST(knows_what_the_server_said),
	TEST(accepts_a_route_without_a_model),
	TEST(ends_with_an_error),
	TEST(starts_over),
	TEST(says_that_it_changed), TEST(items_end_as_the_server_says),
	TEST(leaves_whole_parts_where_they_are),
	{ 0 },
} };
