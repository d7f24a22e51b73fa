#include "wire/usage.h"

#include "support/check.h"
#include "wire/protocol/anthropic.h"
#include "wire/protocol/gemini.h"
#include "wire/protocol/ollama.h"
#include "wire/protocol/openai_chat.h"
#include "wire/protocol/openai_responses.h"

static void the_display_order_has_every_figure_once(void)
{
	unsigned seen = 0;
	enum usage_figure whole = USAGE_FIGURE_COUNT;

	for (unsigned place = 0; place < USAGE_FIGURE_COUNT; place++) {
		enum usage_figure figure = usage_in_order(place);

		if (usage_row(figure)->part_of == figure)
			whole = figure;
		CHECK(usage_row(figure)->part_of == whole, "%s is not behind what it is part of", usage_row(figure)->label);
		CHECK(!(seen >> figure & 1), "%s comes twice", usage_row(figure)->label);
		seen |= 1u << figure;
	}
	CU_ASSERT_EQUAL(seen, (1u << USAGE_FIGURE_COUNT) - 1);
}

static void unset_figures_were_not_sent(void)
{
	static const struct usage_member *const tables[] = { openai_chat_usage, openai_responses_usage, anthropic_usage, gemini_usage,
		                                             ollama_usage };

	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
		struct count counts[USAGE_MEMBERS_MOST] = { 0 };
		struct usage usage = usage_from_counts(tables[t], counts);
		unsigned named = 1u << USAGE_TOTAL;

		CU_ASSERT_FALSE(usage_is_known(&usage));
		for (size_t i = 0; tables[t][i].path; i++) {
			CU_ASSERT_FATAL(i < USAGE_MEMBERS_MOST);
			counts[i] = (struct count)COUNT_SENT(1);
			named |= 1u << tables[t][i].figure;
		}
		usage = usage_from_counts(tables[t], counts);
		for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
			CHECK(usage.of[i].sent == (named >> i & 1), "table %zu, %s", t, usage_row((enum usage_figure)i)->label);
	}
}

static void known_counts_are_summed(void)
{
	const struct count none = { 0 }, most = COUNT_SENT(INT64_MAX), one = COUNT_SENT(1);

	CU_ASSERT_FALSE(count_sum(none, none).sent);
	CU_ASSERT_TRUE(count_sum(none, one).sent);
	CU_ASSERT_EQUAL(count_sum(one, one).number, 2);
	CU_ASSERT_EQUAL(count_sum(one, most).number, INT64_MAX);
}

const struct suite suite_usage = { "usage", (const struct test[]){
	TEST(the_display_order_has_every_figure_once),
	TEST(unset_figures_were_not_sent),
	TEST(known_counts_are_summed),
	{ 0 },
} };
