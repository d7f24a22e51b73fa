#include <string.h>

#include "base/redact.h"
#include "support/check.h"

static const char secret[] = "sk-sk-key1";

/* Everything that a redactor gives of a text in pieces that end at `first` and `second`. */
static void redact(struct str text, size_t first, size_t second, struct buf *out)
{
	const struct str pieces[] = { str_head(text, first), str_head(str_skip(text, first), second - first), str_skip(text, second) };
	struct redactor r;

	buf_clear(out);
	redactor_init(&r, str_from(secret));
	for (size_t i = 0; i < 3; i++)
		buf_add(out, redactor_feed(&r, pieces[i]));
	buf_add(out, redactor_end(&r));
	redactor_fini(&r);
}

static void hides_a_secret_at_every_cut(void)
{
	static const struct { const char *text, *result; } cases[] = {
		{ "plain", "plain" },
		{ "a sk-sk-key1 b", "a ********** b" },
		{ "sk-sk-key1", "**********" },
		{ "sk-sk-sk-key1sk-sk-key1", "sk-********************" },
		{ "sk-sk-key", "sk-sk-key" },
		{ "sk-sk-sk-", "sk-sk-sk-" },
	};
	struct buf out;

	buf_init(&out, BUF_LIMIT_DEFAULT);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t first = 0; first <= strlen(cases[i].text); first++)
			for (size_t second = first; second <= strlen(cases[i].text); second++) {
				redact(str_from(cases[i].text), first, second, &out);
				CHECK(str_is(buf_str(&out), cases[i].result), "%s cut at %zu and %zu: %s", cases[i].text, first, second, buf_z(&out));
			}
	buf_fini(&out);
}

static void passes_by_what_holds_none(void)
{
	struct redactor r;
	struct str text = STR("nothing here s");

	redactor_init(&r, str_from(secret));
	CU_ASSERT_PTR_EQUAL(redactor_feed(&r, str_head(text, 12)).ptr, text.ptr);
	CHECK_STR(redactor_feed(&r, STR(" as")), " a");
	CHECK_STR(redactor_end(&r), "s");
	CHECK_STR(redactor_feed(&r, STR("k-sk-key1")), "k-sk-key1");
	redactor_fini(&r);
}

static void looks_for_no_short_word(void)
{
	struct redactor r;

	redactor_init(&r, STR("key"));
	CHECK_STR(redactor_feed(&r, STR("the key")), "the key");
	redactor_fini(&r);
	redactor_init(&r, STR_NONE);
	CHECK_STR(redactor_feed(&r, STR("the key")), "the key");
	redactor_fini(&r);
}

const struct suite suite_redact = { "redact", (const struct test[]){
	TEST(hides_a_secret_at_every_cut),
	TEST(passes_by_what_holds_none),
	TEST(looks_for_no_short_word),
	{ 0 },
} };
