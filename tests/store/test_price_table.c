#include "store/config/price_table.h"

#include <math.h>
#include <stdio.h>

#include "support/check.h"

static void set(struct price_table *t, const char *pattern, const char *name, const char *value)
{
	struct error err = { "" };

	CHECK(price_table_set(t, str_from(pattern), str_from(name), str_from(value), &err), "%s", err.text);
}

static void refuses(struct price_table *t, const char *pattern, const char *name, const char *value, const char *sentence)
{
	struct error err = { "" };

	CU_ASSERT_FALSE(price_table_set(t, str_from(pattern), str_from(name), str_from(value), &err));
	CHECK_STR(str_from(err.text), sentence);
}

static void costs(const struct price_table *t, const char *model, enum usage_figure figure, double usd)
{
	struct prices prices = { .prompt_below = 0 };
	bool found = price_table_prices(t, str_from(model), &prices);

	CHECK(usd < 0 ? !found || !prices.of[figure].known : found && fabs(prices.of[figure].usd - usd) < 1e-12, "%s: %g", model, prices.of[figure].usd);
}

static void the_first_pattern_that_says_it_counts(void)
{
	struct price_table t = { NULL, 0, 0 };

	set(&t, "gpt-*", "context", "400000");
	set(&t, "gpt-5*", "input", "1.25");
	set(&t, "gpt-5*", "output", "10");
	set(&t, "gpt-5*", "cached", "0.125");
	set(&t, "gpt-*", "cache_write", "3"); /* neither input nor output: no prices */
	set(&t, "*", "input", "0");
	set(&t, "*", "output", "7");
	costs(&t, "gpt-5", USAGE_PROMPT, 1.25);
	costs(&t, "gpt-5-mini", USAGE_CACHED, 0.125);
	costs(&t, "gpt-5", USAGE_CACHE_WRITE, -1);
	costs(&t, "gpt-4o", USAGE_COMPLETION, 7);
	costs(&t, "vendor/model:free", USAGE_PROMPT, 0);
	CU_ASSERT_EQUAL(price_table_context(&t, STR("gpt-5")), 400000);
	CU_ASSERT_EQUAL(price_table_context(&t, STR("o3")), 0);
	price_table_fini(&t);
	costs(&t, "gpt-5", USAGE_PROMPT, -1);
}

static void what_is_no_price_is_refused(void)
{
	static const char *const bad[] = { "", "-1", "1.2.3", "1.", ".5", "1e3", "nan", "$1", "1,5", "123456789012345678901" };
	struct price_table t = { NULL, 0, 0 };
	char sentence[200];

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snprintf(sentence, sizeof sentence, "input = %s: it must be a number of dollars per million tokens, such as 0.25", bad[i]);
		refuses(&t, "*", "input", bad[i], sentence);
	}
	refuses(&t, "*", "context", "0", "context = 0: it must be a number of tokens");
	refuses(&t, "*", "context", "many", "context = many: it must be a number of tokens");
	refuses(&t, "", "input", "1", "[price PATTERN]: the pattern is missing, * stands for all models");
	refuses(&t, "*", "total", "1", "there is no price 'total'; known are input, cached, cache_write, output, reasoning, context");
	CU_ASSERT_EQUAL(t.count, 0);
	price_table_fini(&t);
}

const struct suite suite_price_table = { "price_table", (const struct test[]){
	TEST(the_first_pattern_that_says_it_counts),
	TEST(what_is_no_price_is_refused),
	{ 0 },
} };
