/* Settings of dialects of the user's own, and what lint makes of them. */
#include "chat/provider/dialect_set.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "wire/lint/lint.h"

static void set(const char *name, const char *value)
{
	struct error err = { "" };

	CHECK(dialect_set(STR("mine"), str_from(name), str_from(value), &err), "%s", err.text);
}

static void refused(const char *dialect, const char *name, const char *value, const char *words)
{
	struct error err = { "" };

	CHECK(!dialect_set(str_from(dialect), str_from(name), str_from(value), &err), "%s = %s", name, value);
	CHECK(strstr(err.text, words), "%s in: %s", words, err.text);
}

static bool holds(const char *rule)
{
	return lint_rule_holds(lint_rule_find(str_from(rule)), dialect_find(STR("mine")));
}

static void a_row_begins_as_a_built_in_one(void)
{
	set("close_is_end", "yes");
	const struct dialect *mine = dialect_find(STR("mine"));
	CU_ASSERT(mine->close_is_end && mine->sends_done && mine->sending.usage_opt_in);
	CU_ASSERT_PTR_EQUAL(mine->like, dialect_find(STR("generic")));
	CHECK_STR(str_from(mine->name), "mine");
	dialect_forget_own();
	set("like", "aivene");
	set("usage_opt_in", "no");
	set("reasoning_field", "reasoning");
	set("thinking", "adaptive");
	set("reasoning_back", "yes");
	mine = dialect_find(STR("mine"));
	CU_ASSERT_EQUAL(mine->sending.max_tokens_field, MAX_TOKENS_COMPLETION);
	CU_ASSERT_FALSE(mine->sending.usage_opt_in);
	CU_ASSERT_EQUAL(mine->sending.reasoning_field, REASONING_FIELD_OBJECT);
	CU_ASSERT_EQUAL(mine->sending.thinking, THINKING_ADAPTIVE);
	CU_ASSERT_TRUE(mine->sending.reasoning_back);
	CU_ASSERT_TRUE(dialect_find(STR("aivene"))->sending.usage_opt_in);
	dialect_forget_own();
	CU_ASSERT_PTR_NULL(dialect_find(STR("mine")));
}

static void lint_checks_what_it_promises(void)
{
	static const struct { const char *like, *sends_done; bool no_done, error_done, runtime_done; } cases[] = {
		{ "generic", "yes", true, false, false }, { "generic", "no", false, false, false },
		{ "aivene", "yes", true, true, false }, { "aivene", "no", false, false, false },
		{ "runtime", "yes", true, false, false }, { "runtime", "no", false, false, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		set("like", cases[i].like);
		set("sends_done", cases[i].sends_done);
		CHECK(holds("no-done") == cases[i].no_done, "like %s, %s", cases[i].like, cases[i].sends_done);
		CHECK(holds("error-done") == cases[i].error_done, "like %s, %s", cases[i].like, cases[i].sends_done);
		CHECK(holds("runtime-done") == cases[i].runtime_done, "like %s, %s", cases[i].like, cases[i].sends_done);
		CHECK(holds("aivene-error") == !strcmp(cases[i].like, "aivene") && holds("utf8"), "like %s", cases[i].like);
		dialect_forget_own();
	}
}

static void refuses_what_it_cannot_be(void)
{
	char name[32];

	refused("generic", "sends_done", "no", "built-in");
	refused("mine", "nonsense", "1", "no such setting");
	refused("mine", "idle", "1", "no such setting");
	refused("two words", "like", "generic", "a dialect's name");
	refused("mine", "like", "mine", "sansa, chuizi, aivene, runtime, opentoken or generic");
	refused("mine", "sends_done", "perhaps", "yes or no");
	refused("mine", "max_tokens_field", "12", "max_completion_tokens");
	refused("mine", "like", "generic", "first");
	for (int i = 1; i < DIALECT_OWN_MOST; i++) {
		struct error err;

		snprintf(name, sizeof name, "own-%d", i);
		CU_ASSERT(dialect_set(str_from(name), STR("sends_done"), STR("no"), &err));
	}
	refused("one-more", "sends_done", "no", "more than 32 dialects");
	dialect_forget_own();
}

static void every_promise_has_help(void)
{
	size_t count = 0;

	for (; dialect_setting_at(count).name; count++)
		CHECK(dialect_setting_at(count).help && *dialect_setting_at(count).help, "%s", dialect_setting_at(count).name);
	CU_ASSERT(count > 5);
}

const struct suite suite_dialect_set = { "dialect_set", (const struct test[]){
	TEST(a_row_begins_as_a_built_in_one), TEST(lint_checks_what_it_promises), TEST(refuses_what_it_cannot_be), TEST(every_promise_has_help),
	{ 0 } } };
