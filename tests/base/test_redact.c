#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/redact.h"
#include "support/check.h"

#define SECRETS(...) (const char *const[]){ __VA_ARGS__, NULL }

static void add_all(struct redact_set *set, const char *const *secrets)
{
	for (; *secrets; secrets++)
		redact_set_add(set, str_from(*secrets));
}

/* Collects the output of a redactor for a text cut at `first` and `second`. */
static void redact(const struct redact_set *set, struct str text, size_t first, size_t second, struct buf *out)
{
	const struct str pieces[] = { str_head(text, first), str_head(str_skip(text, first), second - first), str_skip(text, second) };
	struct redactor r;

	buf_clear(out);
	redactor_init(&r, set);
	for (size_t i = 0; i < 3; i++)
		buf_add(out, redactor_feed(&r, pieces[i]));
	buf_add(out, redactor_end(&r));
	redactor_fini(&r);
}

static void check_every_cut(const struct redact_set *set, const char *text, const char *result)
{
	struct buf out = { 0 };

	for (size_t first = 0; first <= strlen(text); first++)
		for (size_t second = first; second <= strlen(text); second++) {
			redact(set, str_from(text), first, second, &out);
			CHECK(str_is(buf_str(&out), result), "%s cut at %zu and %zu: %s", text, first, second, buf_z(&out));
		}
	buf_fini(&out);
}

static void hides_secrets_at_every_cut(void)
{
	static const char *const one[] = { "sk-sk-key1", NULL }, *const two[] = { "sk-sk-key1", "key1-and-more", NULL };
	static const char *const within[] = { "abcdefghijklmnop", "cdefghij", NULL }, *const stars[] = { "**a*****", NULL };
	static const struct { const char *const *secrets, *text, *result; } cases[] = {
		{ one, "plain", "plain" },
		{ one, "a sk-sk-key1 b", "a ********** b" },
		{ one, "sk-sk-key1", "**********" },
		{ one, "sk-sk-sk-key1sk-sk-key1", "sk-********************" },
		{ one, "a sk-sk-key", "a *********" },
		{ one, "a sk-sk-ke", "a ********" },
		{ one, "a sk-sk-k", "a sk-sk-k" },
		{ one, "sk-sk-sk-", "sk-sk-sk-" },
		{ two, "key1-and-more sk-sk-key1", "************* **********" },
		{ two, "sk-sk-key1-and-more.", "*******************." },
		{ two, "sk-sk-key1-and-", "***************" },
		{ two, "sk-sk-key1-an", "**********-an" },
		{ within, "abcdefghijklmno", "***************" },
		{ within, "abcdefghijklmnop", "****************" },
		{ stars, "**a*****a*****", "**************" },
		{ stars, "*****a****x", "*****a****x" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct redact_set set = { 0 };

		add_all(&set, cases[i].secrets);
		check_every_cut(&set, cases[i].text, cases[i].result);
		redact_set_fini(&set);
	}
}

static void passes_bytes_without_secrets(void)
{
	struct redact_set set = { 0 };
	struct redactor r;
	struct str text = STR("nothing here s");

	redact_set_add(&set, STR("sk-sk-key1"));
	redactor_init(&r, &set);
	CU_ASSERT_PTR_EQUAL(redactor_feed(&r, str_head(text, 12)).ptr, text.ptr);
	CHECK_STR(redactor_feed(&r, STR(" as")), " a");
	CHECK_STR(redactor_end(&r), "s");
	CHECK_STR(redactor_feed(&r, STR("k-sk-key1")), "k-sk-key1");
	redactor_fini(&r);
	redact_set_fini(&set);
}

/* Words and lines common in texts, and secrets that would hold back the end of a line. */
static void does_not_search_for_short_words_and_repetitions(void)
{
	static const char *const texts[] = { "", "k", "sk-1234", "*", "********", "***********", "-----------------", "aaaaaaaa",
		                             "\nsk-01234567", "sk-01234567\r" };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct redact_set set = { 0 };

		redact_set_add(&set, str_from(texts[i]));
		CU_ASSERT_EQUAL(set.count, 0);
		check_every_cut(&set, texts[i], texts[i]);
		redact_set_fini(&set);
	}
}

static void holds_each_secret_once(void)
{
	struct redact_set set = { 0 };

	add_all(&set, SECRETS("sk-0123456789", "sk-0123456789", "sk-012345678", "aaaaaaab"));
	CU_ASSERT_EQUAL(set.count, 3);
	redact_set_fini(&set);
	CU_ASSERT_EQUAL(set.count, 0);
}

static void finds_secrets_in_a_url(void)
{
	struct redact_set set = { 0 };

	redact_set_add_url(&set, STR("https://h/p?api-version=2024-10-21&sig=0123456789&pageToken=abcdefghij&key=x"), "pageToken");
	CU_ASSERT_EQUAL_FATAL(set.count, 1);
	CHECK_STR(str_of(set.secrets[0].ptr, set.secrets[0].len), "0123456789");
	redact_set_add_url(&set, STR("https://h/p?pageToken=abcdefghij"), NULL);
	CU_ASSERT_EQUAL(set.count, 2);
	redact_set_add_url(&set, STR("https://h/token=abcdefghijk"), NULL);
	CU_ASSERT_EQUAL(set.count, 2);
	redact_set_add_url(&set, STR("https://h/p?%6Bey=klmnopqrst"), NULL);
	CU_ASSERT_EQUAL(set.count, 3);
	redact_set_fini(&set);
}

/* As a URL has them, and as different programs write them into JSON. */
static void finds_other_forms(void)
{
	static const char *const forms[] = { "a/b+c=\"d&e<", "a%2Fb%2Bc%3D%22d%26e%3C", "a/b+c=\\\"d&e<", "a\\/b+c=\\\"d&e<", "a/b+c=\\\"d\\u0026e\\u003c" };
	struct redact_set set = { 0 }, coded = { 0 };
	struct buf out = { 0 };

	redact_set_add_forms(&set, str_from(forms[0]));
	redact_set_add_forms(&coded, str_from(forms[1]));
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		redact(&set, str_from(forms[i]), 3, 5, &out);
		CHECK(strspn(buf_z(&out), "*") == strlen(forms[i]), "%s", buf_z(&out));
		redact(&coded, str_from(forms[i]), 3, 5, &out);
		CHECK(strspn(buf_z(&out), "*") == strlen(forms[i]), "%s", buf_z(&out));
	}
	redact_set_fini(&set);
	redact_set_fini(&coded);
	buf_fini(&out);
}

static void masks_a_text_that_is_coded(void)
{
	static const struct { const char *text, *masked; } cases[] = {
		{ "/v1/sk-secret-0/x", "/v1/***********/x" }, { "/v1/s%6B%2Dsecret-0/%78", "/v1/***********/x" }, { "/v1/sk-%ff%", "/v1/sk-%ff%" }, { "", "" },
	};
	struct redact_set set = { 0 };

	redact_set_add(&set, STR("sk-secret-0"));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = { 0 };

		redact_add(&set, str_from(cases[i].text), &out);
		CHECK_STR(buf_str(&out), cases[i].masked);
		buf_fini(&out);
	}
	redact_set_fini(&set);
}

/* From outside: each byte of a text is compared with all of them. */
static void takes_only_so_many_of_strangers(void)
{
	struct redact_set many = { .is_bounded = true }, ours = { 0 }, large = { .is_bounded = true };
	char *key = calloc(1, REDACT_BYTES_MOST + 2), name[20];

	for (size_t i = 0; i <= REDACT_SECRETS_MOST; i++) {
		CU_ASSERT_FALSE(many.excess);
		snprintf(name, sizeof name, "secret-%04zu", i);
		redact_set_add(&many, str_from(name));
		redact_set_add(&ours, str_from(name));
	}
	CU_ASSERT(many.excess && many.count == REDACT_SECRETS_MOST);
	CU_ASSERT(!ours.excess && ours.count == REDACT_SECRETS_MOST + 1);
	memset(key, 'k', REDACT_BYTES_MOST + 1);
	*key = 's';
	redact_set_add(&large, str_of(key, REDACT_BYTES_MOST));
	CU_ASSERT(!large.excess && large.count == 1);
	redact_set_add(&large, STR("secret-0"));
	CU_ASSERT(large.excess && large.count == 1);
	redact_set_fini(&many);
	redact_set_fini(&ours);
	redact_set_fini(&large);
	free(key);
}

/* All keys over a small alphabet, in a text of the same kind. Each position is examined once, so the test terminates. */
static void ends_for_every_key(void)
{
	static const char alphabet[] = "*a";
	struct buf out = { 0 };

	for (unsigned bits = 0; bits < 1u << REDACT_LEN_MIN; bits++) {
		struct redact_set set = { 0 };
		char key[REDACT_LEN_MIN + 1] = "", text[3 * REDACT_LEN_MIN + 1];

		for (unsigned i = 0; i < REDACT_LEN_MIN; i++)
			key[i] = alphabet[bits >> i & 1];
		redact_set_add(&set, str_from(key));
		snprintf(text, sizeof text, "%s%s%s", key, key, key);
		redact(&set, str_from(text), 5, 13, &out);
		CU_ASSERT_EQUAL(out.len, strlen(text));
		CHECK(!set.count || str_is(buf_str(&out), "************************"), "%s: %s", key, buf_z(&out));
		redact_set_fini(&set);
	}
	buf_fini(&out);
}

const struct suite suite_redact = { "redact", (const struct test[]){
	TEST(hides_secrets_at_every_cut),
	TEST(passes_bytes_without_secrets),
	TEST(does_not_search_for_short_words_and_repetitions),
	TEST(holds_each_secret_once),
	TEST(finds_secrets_in_a_url),
	TEST(finds_other_forms),
	TEST(masks_a_text_that_is_coded),
	TEST(takes_only_so_many_of_strangers),
	TEST(ends_for_every_key),
	{ 0 },
} };
