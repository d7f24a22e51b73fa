#include "ui/pane/status.h"

#include <string.h>

#include "support/check.h"
#include "ui/pane/spark.h"

static void keeps_the_order_of_the_words(void)
{
	struct status_choice choice;
	struct error err;

	CU_ASSERT_TRUE(status_choose(&choice, STR("state  out, model out"), &err));
	CU_ASSERT_EQUAL(choice.count, 3);
	CU_ASSERT(choice.fields[0] == STATUS_STATE && choice.fields[1] == STATUS_COMPLETION && choice.fields[2] == STATUS_MODEL);
}

static void no_words_mean_all_ranked_fields(void)
{
	static const char *const words[] = { "", "  " };
	struct error err;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct status_choice choice;
		unsigned ranked = 0;

		CU_ASSERT_TRUE(status_choose(&choice, str_from(words[i]), &err));
		for (int field = 0; field < STATUS_COUNT; field++)
			ranked += status_row((enum status_field)field)->rank > 0;
		CU_ASSERT_EQUAL(choice.count, ranked);
		for (unsigned k = 0; k < choice.count; k++)
			CU_ASSERT(status_row(choice.fields[k])->rank > 0);
	}
}

static void refuses_unknown_words(void)
{
	struct status_choice choice;
	struct error err = { "" };

	CU_ASSERT_FALSE(status_choose(&choice, STR("state speed"), &err));
	CHECK(strstr(err.text, "\"speed\"") && strstr(err.text, "sparkline, first, elapsed, keys"), "%s", err.text);
}

static void check_spark(const double values[SPARK_COLUMNS], bool ascii, const char *expected)
{
	char out[SPARK_SIZE];

	spark_write(out, values, SPARK_COLUMNS, ascii);
	CHECK(!strcmp(out, expected), "'%s', not '%s'", out, expected);
}

static void sparklines_scale_to_the_highest_value(void)
{
	check_spark((double[SPARK_COLUMNS]){ 0 }, false, "        ");
	check_spark((double[SPARK_COLUMNS]){ 1, 2, 3, 4, 5, 6, 7, 8 }, false, "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588");
	check_spark((double[SPARK_COLUMNS]){ 1, 2, 3, 4, 5, 6, 7, 8 }, true, ".:-=+*#@");
	check_spark((double[SPARK_COLUMNS]){ 1e-9, 0, 1e12 }, false, "\u2581 \u2588     "); /* a tiny value is not drawn as zero */
}

const struct suite suite_status = { "status", (const struct test[]){
	TEST(keeps_the_order_of_the_words),
	TEST(no_words_mean_all_ranked_fields),
	TEST(refuses_unknown_words),
	TEST(sparklines_scale_to_the_highest_value),
	{ 0 },
} };
