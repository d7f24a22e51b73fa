#include "ui/status.h"

#include <string.h>

#include "support/check.h"
#include "ui/spark.h"

static void chooses_fields_in_the_order_they_are_named_in(void)
{
	struct status_choice choice;
	struct error err;

	CU_ASSERT_TRUE(status_choose(&choice, STR("state  out, model out"), &err));
	CU_ASSERT_EQUAL(choice.count, 3);
	CU_ASSERT(choice.fields[0] == STATUS_STATE && choice.fields[1] == STATUS_OUT && choice.fields[2] == STATUS_MODEL);
	CU_ASSERT_TRUE(status_choose(&choice, STR_NONE, &err));
	CU_ASSERT_EQUAL(choice.count, STATUS_COUNT);
	CU_ASSERT_TRUE(status_choose(&choice, STR("  "), &err));
	CU_ASSERT_EQUAL(choice.count, STATUS_COUNT);
}

static void refuses_words_that_name_none(void)
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

static void sparks_rise_to_the_highest(void)
{
	check_spark((double[SPARK_COLUMNS]){ 0 }, false, "        ");
	check_spark((double[SPARK_COLUMNS]){ 1, 2, 3, 4, 5, 6, 7, 8 }, false, "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588");
	check_spark((double[SPARK_COLUMNS]){ 1, 2, 3, 4, 5, 6, 7, 8 }, true, ".:-=+*#@");
	check_spark((double[SPARK_COLUMNS]){ 1e-9, 0, 1e12 }, false, "\u2581 \u2588     "); /* a little is not nothing */
}

const struct suite suite_status = { "status", (const struct test[]){
	TEST(chooses_fields_in_the_order_they_are_named_in),
	TEST(refuses_words_that_name_none),
	TEST(sparks_rise_to_the_highest),
	{ 0 },
} };
