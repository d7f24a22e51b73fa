#include "base/error.h"

#include <string.h>

#include "base/utf8.h"
#include "support/check.h"

static void is_one_clean_line(void)
{
	struct error err;

	CU_ASSERT_FALSE(error_set(&err, "cannot open %s: %d", "a\nb\t\x1b[31m\xC2\x9B", 7));
	CHECK_STR(str_from(err.text), "cannot open a b \xEF\xBF\xBD[31m\xEF\xBF\xBD: 7");
	error_set(&err, "%s", "bad \xFF\xE2\x82 bytes");
	CU_ASSERT(utf8_is_valid(str_from(err.text)));
	CU_ASSERT_FALSE(error_set(NULL, "nobody reads this"));
}

static void may_quote_itself(void)
{
	struct error err = { "no such file" };

	error_set(&err, "%s:%d: %s", "weir.conf", 3, err.text);
	CHECK_STR(str_from(err.text), "weir.conf:3: no such file");
}

static void long_ones_are_cut_between_characters(void)
{
	struct error err;
	struct buf text;

	for (size_t shift = 0; shift < 4; shift++) {
		buf_init(&text, 10000);
		buf_add(&text, str_head(STR("xxx"), shift));
		for (int i = 0; i < 600; i++)
			buf_add_z(&text, "\xE6\xBC\xA2");
		error_set(&err, "%s", buf_z(&text));
		CU_ASSERT(utf8_is_valid(str_from(err.text)));
		CU_ASSERT(strlen(err.text) > sizeof err.text - 10);
		buf_fini(&text);
	}
}

const struct suite suite_error = { "error", (const struct test[]){
	TEST(is_one_clean_line),
	TEST(may_quote_itself),
	TEST(long_ones_are_cut_between_characters),
	{ 0 },
} };
