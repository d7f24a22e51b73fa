#include "base/percent.h"

#include "support/check.h"

static void texts_are_encoded_and_decoded(void)
{
	static const struct { const char *plain, *coded, *back; } cases[] = {
		{ "a-B_9~/", "a-B_9~/", "a-B_9~/" }, { " %\xC3\xBC+", "%20%25%C3%BC%2B", " %\xC3\xBC+" },
	};
	static const struct { const char *coded, *plain; } odd[] = { { "%", "%" }, { "%4", "%4" }, { "%4x%g1", "%4x%g1" }, { "%2f%2F%252e", "//%2e" } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf coded = { 0 }, back = { 0 };

		percent_encode(str_from(cases[i].plain), "-_.~/", &coded);
		CHECK_STR(buf_str(&coded), cases[i].coded);
		percent_decode(buf_str(&coded), &back);
		CHECK_STR(buf_str(&back), cases[i].back);
		buf_fini(&coded);
		buf_fini(&back);
	}
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct buf plain = { 0 };

		percent_decode(str_from(odd[i].coded), &plain);
		CHECK_STR(buf_str(&plain), odd[i].plain);
		buf_fini(&plain);
	}
}

const struct suite suite_percent = { "percent", (const struct test[]){ TEST(texts_are_encoded_and_decoded), { 0 } } };
