#include "base/base64.h"
#include "support/check.h"

static void encodes_and_decodes_every_remainder(void)
{
	static const struct { const char *plain, *coded; } cases[] = {
		{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" }, { "foob", "Zm9vYg==" }, { "\xff\xfe\x80", "//6A" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct buf coded, plain;

		buf_init(&coded, 100);
		buf_init(&plain, 100);
		CU_ASSERT(base64_encode(str_from(cases[i].plain), &coded));
		CHECK_STR(buf_str(&coded), cases[i].coded);
		CU_ASSERT(base64_decode(str_from(cases[i].coded), &plain));
		CHECK_STR(buf_str(&plain), cases[i].plain);
		buf_fini(&coded);
		buf_fini(&plain);
	}
}

static void refuses_invalid_base64(void)
{
	static const char *const wrong[] = { "Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9v!mFy", "====", "Zm9vZ\n==", "Zm9v\xff\xff\xff\xff" };

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct buf out;

		buf_init(&out, 100);
		buf_add_z(&out, "kept");
		CHECK(!base64_decode(str_from(wrong[i]), &out), "%s", wrong[i]);
		CHECK_STR(buf_str(&out), "kept");
		buf_fini(&out);
	}
}

static void stops_at_the_ceiling(void)
{
	struct buf out;

	buf_init(&out, 5);
	CU_ASSERT_FALSE(base64_encode(STR("foob"), &out));
	CU_ASSERT_FALSE(base64_decode(STR("Zm9vYmFy"), &out));
	CU_ASSERT_EQUAL(out.len, 0);
	buf_fini(&out);
}

const struct suite suite_base64 = { "base64", (const struct test[]){
	TEST(encodes_and_decodes_every_remainder), TEST(refuses_invalid_base64), TEST(stops_at_the_ceiling), { 0 } } };
