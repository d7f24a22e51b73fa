#include "chat/totals.h"

#include <math.h>

#include "support/check.h"

static struct turn *ask(struct conversation *c, const char *prompt)
{
	turn_add(conversation_ask(c), PART_TEXT, str_from(prompt), STR_NONE, STR_NONE);
	return conversation_answer(c, STR("p"), NULL, STR("m"));
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
	CU_ASSERT_EQUAL(totals.usage.of[USAGE_PROMPT].number, 50);
	CU_ASSERT_EQUAL(totals.usage.of[USAGE_CACHED].number, 8);
	CU_ASSERT_EQUAL(totals.usage.of[USAGE_COMPLETION].number, 35);
	CU_ASSERT(!totals.prompt_is_rough && !totals.completion_is_rough);
	CU_ASSERT_EQUAL(totals.in_context, 45);
	conversation_free(c);
}

static void an_empty_conversation_took_nothing(void)
{
	struct conversation *c = conversation_new();
	struct totals totals = conversation_totals(c);

	CU_ASSERT(!totals.turns && !totals.usage.of[USAGE_PROMPT].sent && !totals.usage.of[USAGE_COMPLETION].sent && !totals.in_context);
	CU_ASSERT_EQUAL(totals.usd, 0);
	conversation_free(c);
}

static void what_was_not_sent_is_estimated_and_said_to_be(void)
{
	struct conversation *c = conversation_new();

	answer(ask(c, "a"), 10, -1, 30, OUTCOME_COMPLETE);
	answer(ask(c, "b"), -1, -1, -1, OUTCOME_CUT);
	struct totals totals = conversation_totals(c);
	CU_ASSERT_EQUAL(totals.usage.of[USAGE_PROMPT].number, 10);
	CU_ASSERT_EQUAL(totals.usage.of[USAGE_COMPLETION].number, 32);
	CU_ASSERT(totals.prompt_is_rough && totals.completion_is_rough);
	CU_ASSERT_EQUAL(totals.in_context, 0);
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
	CU_ASSERT_EQUAL(conversation_totals(c).usage.of[USAGE_COMPLETION].number, 50);
	CU_ASSERT_EQUAL(conversation_totals(c).in_context, 30);
	conversation_remove(c, retried);
	CU_ASSERT_EQUAL(conversation_totals(c).usage.of[USAGE_COMPLETION].number, 50);
	CU_ASSERT_EQUAL(conversation_totals(c).in_context, 40);
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
	CU_ASSERT_EQUAL(totals.usage.of[USAGE_PROMPT].number, 50);
	CU_ASSERT_EQUAL(totals.usage.of[USAGE_CACHED].number, 8);
	CU_ASSERT_EQUAL(totals.usage.of[USAGE_COMPLETION].number, 35);
	CU_ASSERT_FALSE(totals.completion_is_rough);
	turn_continue(t);
	answer(t, 50, -1, -1, OUTCOME_CUT);
	turn_continue(t);
	answer(t, 50, -1, 1, OUTCOME_COMPLETE);
	CU_ASSERT_EQUAL(conversation_totals(c).usage.of[USAGE_COMPLETION].number, 38);
	CU_ASSERT_TRUE(conversation_totals(c).completion_is_rough);
	conversation_free(c);
}

static void money_is_known_only_where_every_price_is(void)
{
	struct conversation *c = conversation_new();
	struct turn *first = ask(c, "a"), *second;

	answer(first, 1000, -1, 2000, OUTCOME_COMPLETE);
	first->price = (struct price){ true, 0.5, 2 };
	CU_ASSERT(fabs(conversation_totals(c).usd - 0.0045) < 1e-9);
	second = ask(c, "b");
	answer(second, 1000, -1, 0, OUTCOME_COMPLETE);
	CU_ASSERT(conversation_totals(c).usd < 0);
	second->price = (struct price){ true, 1, 1 };
	CU_ASSERT(fabs(conversation_totals(c).usd - 0.0055) < 1e-9);
	deliver(ask(c, "refused"), (struct delta){ .kind = DELTA_END, .end = { OUTCOME_ERROR } }); /* took nothing */
	CU_ASSERT(fabs(conversation_totals(c).usd - 0.0055) < 1e-9);
	conversation_free(c);
}

const struct suite suite_totals = { "totals", (const struct test[]){
	TEST(sums_what_answers_took),
	TEST(an_empty_conversation_took_nothing),
	TEST(what_was_not_sent_is_estimated_and_said_to_be),
	TEST(what_was_retried_was_paid_for_and_is_no_context),
	TEST(a_continued_answer_took_what_all_its_requests_did),
	TEST(money_is_known_only_where_every_price_is),
	{ 0 },
} };
