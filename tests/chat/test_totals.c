#include "chat/conversation/totals.h"

#include <math.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "wire/protocol/protocol.h"

static struct turn *ask(struct conversation *c, const char *prompt)
{
	turn_add(conversation_ask(c), PART_TEXT, str_from(prompt), STR_NONE, STR_NONE);
	return conversation_answer(c, STR("p"), protocol_find(STR("openai-chat")), STR("m"));
}

static void deliver(struct turn *t, struct delta delta)
{
	meter_delta(&t->meter, &delta);
	turn_delta(t, &delta);
}

/* Eight characters of text: about two tokens. Negative figures are not sent. */
static void answer(struct turn *t, int64_t in, int64_t cached, int64_t out, enum outcome outcome)
{
	struct delta usage = { .kind = DELTA_USAGE };

	deliver(t, (struct delta){ .kind = DELTA_TEXT, .text = STR("12345678") });
	if (in >= 0)
		usage.usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(in);
	if (cached >= 0)
		usage.usage.of[USAGE_CACHED] = (struct count)COUNT_SENT(cached);
	if (out >= 0)
		usage.usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(out);
	deliver(t, usage);
	deliver(t, (struct delta){ .kind = DELTA_END, .end = { outcome } });
}

static void sums_what_answers_took(void)
{
	struct conversation *c = conversation_new();

	answer(ask(c, "a"), 10, 8, 30, OUTCOME_COMPLETE);
	answer(ask(c, "b"), 40, -1, 5, OUTCOME_COMPLETE);
	struct totals totals = conversation_totals(c);
	CU_ASSERT_EQUAL(totals.turns, 2);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_PROMPT].number, 50);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_CACHED].number, 8);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_COMPLETION].number, 35);
	CU_ASSERT(!totals.took.prompt_is_rough && !totals.took.completion_is_rough);
	CU_ASSERT_EQUAL(totals.context.tokens, 45);
	conversation_free(c);
}

static void an_empty_conversation_took_nothing(void)
{
	struct conversation *c = conversation_new();
	struct totals totals = conversation_totals(c);

	CU_ASSERT(!totals.turns && !totals.took.usage.of[USAGE_PROMPT].sent && !totals.took.usage.of[USAGE_COMPLETION].sent && !totals.context.tokens);
	CU_ASSERT(totals.took.cost.usd <= 0 && !totals.took.cost.is_unknown);
	conversation_free(c);
}

static void what_was_not_sent_is_estimated_and_said_to_be(void)
{
	struct conversation *c = conversation_new();

	answer(ask(c, "a"), 10, -1, 30, OUTCOME_COMPLETE);
	answer(ask(c, "b"), -1, -1, -1, OUTCOME_CUT);
	struct totals totals = conversation_totals(c);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_PROMPT].number, 10);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_COMPLETION].number, 32);
	CU_ASSERT(totals.took.prompt_is_rough && totals.took.completion_is_rough);
	CU_ASSERT_EQUAL(totals.context.tokens, 0);
	conversation_free(c);
}

static void what_was_retried_was_paid_for_and_is_no_context(void)
{
	struct conversation *c = conversation_new();
	struct turn *first = ask(c, "a"), *retried;

	answer(first, 10, -1, 30, OUTCOME_CUT);
	conversation_branch(c, first->parent);
	retried = conversation_answer(c, STR("p"), NULL, STR("m"));
	answer(retried, 10, -1, 20, OUTCOME_COMPLETE);
	CU_ASSERT_EQUAL(conversation_totals(c).turns, 1);
	CU_ASSERT_EQUAL(conversation_totals(c).took.usage.of[USAGE_COMPLETION].number, 50);
	CU_ASSERT_EQUAL(conversation_totals(c).context.tokens, 30);
	conversation_remove(c, retried);
	CU_ASSERT_EQUAL(conversation_totals(c).took.usage.of[USAGE_COMPLETION].number, 50);
	CU_ASSERT_EQUAL(conversation_totals(c).context.tokens, 40);
	conversation_free(c);
}

static void a_continued_answer_took_what_all_its_requests_did(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = ask(c, "a");

	answer(t, 10, 4, 30, OUTCOME_LENGTH);
	turn_continue(t);
	answer(t, 40, 4, 5, OUTCOME_COMPLETE);
	struct totals totals = conversation_totals(c);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_PROMPT].number, 50);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_CACHED].number, 8);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_COMPLETION].number, 35);
	CU_ASSERT_FALSE(totals.took.completion_is_rough);
	turn_continue(t);
	answer(t, 50, -1, -1, OUTCOME_CUT);
	turn_continue(t);
	answer(t, 50, -1, 1, OUTCOME_COMPLETE);
	CU_ASSERT_EQUAL(conversation_totals(c).took.usage.of[USAGE_COMPLETION].number, 38);
	CU_ASSERT_TRUE(conversation_totals(c).took.completion_is_rough);
	conversation_free(c);
}

static void priced(struct turn *t, double in, double out)
{
	turn_set_prices(t, &(struct prices){ .of = { [USAGE_PROMPT] = MONEY(in), [USAGE_COMPLETION] = MONEY(out) } }, "the test");
}

static void check_cost(struct cost cost, double usd, bool reported, bool estimated, bool unknown, int line)
{
	CHECK(fabs(cost.usd - usd) < 1e-12 && cost.is_reported == reported && cost.is_estimated == estimated && cost.is_unknown == unknown,
	      "line %d: %.12g, reported %d, estimated %d, unknown %d", line, cost.usd, cost.is_reported, cost.is_estimated, cost.is_unknown);
}
#define SUM_IS(c, usd, reported, estimated, unknown) \
	check_cost(conversation_totals(c).took.cost, (usd), (reported), (estimated), (unknown), __LINE__)

static void money_says_what_it_is_made_of(void)
{
	struct conversation *c = conversation_new();
	struct turn *first = ask(c, "a"), *second, *third;

	answer(first, 1000, -1, 2000, OUTCOME_COMPLETE);
	SUM_IS(c, 0, false, false, true);
	priced(first, 0.5, 2);
	SUM_IS(c, 0.0045, false, true, false);
	second = ask(c, "b");
	answer(second, 1000, -1, 0, OUTCOME_COMPLETE);
	SUM_IS(c, 0.0045, false, true, true);
	priced(second, 1, 1);
	SUM_IS(c, 0.0055, false, true, false);
	third = ask(c, "c");
	deliver(third, (struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(5) }, .cost = MONEY(0.25) });
	deliver(third, (struct delta){ .kind = DELTA_END, .end = { OUTCOME_COMPLETE } });
	SUM_IS(c, 0.2555, true, true, false);
	deliver(ask(c, "refused"), (struct delta){ .kind = DELTA_END, .end = { OUTCOME_ERROR } }); /* took nothing */
	SUM_IS(c, 0.2555, true, true, false);
	conversation_free(c);
}

/* It was given to another program, which says no figures. */
static void an_imported_answer_has_an_unknown_cost(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("chatgpt"), NULL, STR("m"));

	turn_add(t, PART_TEXT, STR("four"), STR_NONE, STR_NONE);
	SUM_IS(c, 0, false, false, true);
	t->reported = MONEY(0.5);
	SUM_IS(c, 0.5, true, false, false);
	conversation_free(c);
}

static void requests_of_one_answer_are_paid_one_by_one(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = ask(c, "a");

	answer(t, 10, -1, 30, OUTCOME_LENGTH);
	deliver(t, (struct delta){ .kind = DELTA_USAGE, .usage = t->usage, .cost = MONEY(0.5) });
	turn_continue(t);
	SUM_IS(c, 0.5, true, false, false);
	answer(t, 1000, -1, 0, OUTCOME_CUT);
	priced(t, 1, 1);
	SUM_IS(c, 0.501, true, true, false);
	turn_continue(t);
	SUM_IS(c, 0.501, true, true, false);
	conversation_free(c);
}

static void a_message_that_starts_over_has_no_cost_yet(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = ask(c, "a");

	deliver(t, (struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_PROMPT] = COUNT_SENT(5) }, .cost = MONEY(0.25) });
	deliver(t, (struct delta){ .kind = DELTA_RESTART });
	SUM_IS(c, 0, false, false, false);
	conversation_free(c);
}

static void sums_are_by_model(void)
{
	struct conversation *c = conversation_new();
	struct cost_report_row *rows;
	size_t count;

	answer(ask(c, "a"), 10, -1, 1, OUTCOME_COMPLETE);
	answer(conversation_answer(c, STR("p"), NULL, STR("other")), 20, -1, 1, OUTCOME_COMPLETE);
	answer(ask(c, "b"), 30, -1, 1, OUTCOME_COMPLETE);
	answer(conversation_answer(c, STR("q"), NULL, STR("m")), 40, -1, 1, OUTCOME_COMPLETE);
	rows = conversation_spending(c, &count);
	CU_ASSERT_EQUAL(count, 4);
	count = cost_report_by_model(rows, count);
	CU_ASSERT_EQUAL_FATAL(count, 3);
	CU_ASSERT(rows[0].answers == 2 && rows[0].took.usage.of[USAGE_PROMPT].number == 40);
	CHECK_STR(str_from(rows[1].model), "other");
	CHECK_STR(str_from(rows[2].provider), "q");
	mem_free(rows);
	conversation_free(c);
}

const struct suite suite_totals = { "totals", (const struct test[]){
	TEST(sums_what_answers_took),
	TEST(an_empty_conversation_took_nothing),
	TEST(what_was_not_sent_is_estimated_and_said_to_be),
	TEST(what_was_retried_was_paid_for_and_is_no_context),
	TEST(a_continued_answer_took_what_all_its_requests_did),
	TEST(money_says_what_it_is_made_of),
	TEST(an_imported_answer_has_an_unknown_cost), TEST(requests_of_one_answer_are_paid_one_by_one),
	TEST(a_message_that_starts_over_has_no_cost_yet),
	TEST(sums_are_by_model),
	{ 0 },
} };
