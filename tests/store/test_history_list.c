/* Lists of conversations, and sums over them. */
#include "chat/conversation/conversation.h"
#include "store/shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static struct error err;

static void the_newest_are_listed_first(void)
{
	struct shelf_seen seen;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t one = shelf_conversation(h, "one"), two = shelf_conversation(h, "two"), three = shelf_conversation(h, "three");
	shelf_exchange(h, two, 0, "q", "a");
	shelf_exchange(h, three, 0, "q", "a");
	shelf_exchange(h, one, 0, "q", "a");
	shelf_check_list(h, NULL, 10, "one three two ", &seen);
	shelf_check_list(h, NULL, 2, "one three ", &seen);
	shelf_check_list(h, &(struct history_conversation){ .updated_ms = seen.last.updated_ms, .id = seen.last.id }, 2, "two ", &seen);
	CU_ASSERT_EQUAL(seen.last.id, two);
	history_close(h);
	shelf_end();
}

static void the_list_tells_turns_tokens_and_money(void)
{
	struct shelf_seen seen;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "sums");
	int64_t node = shelf_exchange(h, id, 0, "q", "a");
	shelf_exchange(h, id, node, "again", "b");
	shelf_check_list(h, NULL, 10, "sums ", &seen);
	CU_ASSERT_EQUAL(seen.last.turns, 2);
	CU_ASSERT_EQUAL(seen.last.usage.of[USAGE_PROMPT].number, 20);
	CU_ASSERT_EQUAL(seen.last.usage.of[USAGE_COMPLETION].number, 10);
	CU_ASSERT_FALSE(seen.last.usage.of[USAGE_CACHED].sent);
	CU_ASSERT_TRUE(seen.last.cost.known);
	CU_ASSERT_FALSE(seen.last.cost.exact);
	CU_ASSERT_DOUBLE_EQUAL(seen.last.cost.amount, 2 * (10 * 1 + 5 * 2) / 1e6, 1e-12);
	history_close(h);
	shelf_end();
}

static void a_conversation_is_found_by_place_and_key(void)
{
	int64_t one = 0, two = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .key = "ab12", .updated_ms = 5 }, &one, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .key = "ab1234", .updated_ms = 9 }, &two, &err) == HISTORY_OK);
	shelf_check_find(h, "last", two);
	shelf_check_find(h, "1", two);
	shelf_check_find(h, "2", one);
	shelf_check_find(h, "3", 0);
	shelf_check_find(h, "ab12", one);
	shelf_check_find(h, "ab123", two);
	shelf_check_find(h, "ab%", 0);
	shelf_check_find(h, "", 0);
	CU_ASSERT(history_find(h, STR("ab"), &one, &err) == HISTORY_GONE);
	CHECK(strstr(err.text, "several"), "%s", err.text);
	history_close(h);
	shelf_end();
}

/* A chat in which only a script has spoken is none; once a chat has, it stays one. */
static void the_last_chat_is_found(void)
{
	const struct history_conversation by_ask = { .held = HISTORY_HELD_BY_ASK, .updated_ms = 9 }, by_chat = { .held = HISTORY_HELD_BY_CHAT, .updated_ms = 5 };
	struct shelf_seen seen = { .titles = "" };
	int64_t ask = 0, chat = 0, other = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	shelf_check_find(h, HISTORY_LAST_CHAT, 0);
	CU_ASSERT(history_begin(h, &by_ask, &ask, &err) == HISTORY_OK);
	shelf_check_find(h, HISTORY_LAST_CHAT, 0);
	CU_ASSERT(history_begin(h, &by_chat, &chat, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .updated_ms = 3 }, &other, &err) == HISTORY_OK);
	shelf_check_find(h, HISTORY_LAST, ask);
	shelf_check_find(h, HISTORY_LAST_CHAT, chat);
	CU_ASSERT(history_change(h, chat, &by_ask, &err) == HISTORY_OK); /* ask goes on with a chat */
	CU_ASSERT(history_change(h, ask, &(struct history_conversation){ .title = "named" }, &err) == HISTORY_OK);
	shelf_check_find(h, HISTORY_LAST_CHAT, chat);
	CU_ASSERT(history_look(h, ask, shelf_see, &seen, &err) == HISTORY_OK && seen.last.held == HISTORY_HELD_BY_ASK);
	CU_ASSERT(history_change(h, ask, &by_chat, &err) == HISTORY_OK);
	shelf_check_find(h, HISTORY_LAST_CHAT, ask);
	CU_ASSERT(history_look(h, ask, shelf_see, &seen, &err) == HISTORY_OK && seen.last.held == HISTORY_HELD_BY_CHAT);
	history_close(h);
	shelf_end();
}

static void facts_change_where_they_are_given(void)
{
	struct shelf_seen seen = { .titles = "" };

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "old");
	CU_ASSERT(history_change(h, id, &(struct history_conversation){ .title = "new", .titled_by = "user" }, &err) == HISTORY_OK);
	CU_ASSERT(history_change(h, id, &(struct history_conversation){ .system_prompt = "be brief" }, &err) == HISTORY_OK);
	CU_ASSERT(history_pin(h, id, true, &err) == HISTORY_OK);
	CU_ASSERT(history_look(h, id, shelf_see, &seen, &err) == HISTORY_OK);
	CU_ASSERT_STRING_EQUAL(seen.titles, "new ");
	CU_ASSERT_TRUE(seen.last.pinned);
	CU_ASSERT(history_pin(h, id + 1, true, &err) == HISTORY_GONE);
	CU_ASSERT(history_look(h, id + 1, shelf_see, &seen, &err) == HISTORY_GONE);
	history_close(h);
	shelf_end();
}

/* --- sums --- */

static void see_sum(void *ctx, const struct history_sum *sum)
{
	buf_printf(ctx, "%s %s %lld %lld %lld %g %lld\n", sum->key, sum->title ? sum->title : "-", (long long)sum->answers,
	           (long long)sum->usage.of[USAGE_PROMPT].number, (long long)sum->usage.of[USAGE_COMPLETION].number,
	           sum->cost.known ? sum->cost.amount * 1e6 : -1, (long long)sum->unpriced);
}

static void check_usage(struct history *h, enum history_by by, time_t since, const char *expected)
{
	struct buf out = { 0 };

	CHECK(history_usage(h, by, since, see_sum, &out, &err) == HISTORY_OK, "%s", err.text);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

static void usage_is_summed_up(void)
{
	int64_t mark;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t one = 0, two = 0;
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .key = "k1", .title = "One" }, &one, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .key = "k2" }, &two, &err) == HISTORY_OK);
	shelf_exchange(h, one, shelf_exchange(h, one, 0, "a", "b"), "c", "d");
	shelf_exchange(h, two, 0, "e", "f");
	check_usage(h, HISTORY_BY_MODEL, 0, "model - 3 30 15 60 0\n");
	check_usage(h, HISTORY_BY_PROVIDER, 0, "prov - 3 30 15 60 0\n");
	check_usage(h, HISTORY_BY_CONVERSATION, 0, "k1 One 2 20 10 40 0\nk2 - 1 10 5 20 0\n");
	check_usage(h, HISTORY_BY_CONVERSATION, time(NULL) + 100, "");
	CU_ASSERT(history_delete(h, one, 0, &mark, &err) == HISTORY_OK);
	check_usage(h, HISTORY_BY_MODEL, 0, "model - 1 10 5 20 0\n");
	history_close(h);
	shelf_sql("UPDATE node SET started = 86400 * 365, cost = NULL");
	setenv("TZ", "UTC", 1);
	tzset();
	h = shelf_open();
	check_usage(h, HISTORY_BY_DAY, 0, "1971-01-01 - 1 10 5 -1 1\n");
	history_close(h);
	shelf_end();
}

/* A conversation whose server says any number is kept all the same. */
static void sums_do_not_overflow(void)
{
	struct shelf_seen seen;
	int64_t node = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "huge");
	for (int i = 0; i < 3; i++) {
		struct conversation *c = conversation_new();
		struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));

		t->ended = true;
		t->usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(INT64_MAX);
		t->spent.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(INT64_MAX);
		node = 0;
		shelf_put(h, id, 0, t, &node);
		conversation_free(c);
	}
	shelf_check_list(h, NULL, 10, "huge ", &seen);
	CU_ASSERT_EQUAL(seen.last.usage.of[USAGE_COMPLETION].number, INT64_MAX);
	CU_ASSERT_FALSE(seen.last.usage.of[USAGE_PROMPT].sent);
	check_usage(h, HISTORY_BY_MODEL, 0, "m - 3 0 9223372036854775807 -1 3\n");
	history_close(h);
	shelf_end();
}

/* Rows that another program changed: no cost without a currency, no tokens below zero. */
static void figures_that_make_no_sense_are_not_known(void)
{
	struct shelf_seen seen;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "t"), 0, "q", "a");
	history_close(h);
	shelf_sql("UPDATE node SET currency = NULL, prompt_tokens = -7; UPDATE conversation SET currency = NULL, prompt_tokens = -7");
	h = shelf_open();
	check_usage(h, HISTORY_BY_MODEL, 0, "model - 1 0 5 -1 1\n");
	shelf_check_list(h, NULL, 10, "t ", &seen);
	CU_ASSERT(!seen.last.cost.known && !seen.last.usage.of[USAGE_PROMPT].sent);
	history_close(h);
	shelf_end();
}

const struct suite suite_history_list = { "history_list", (const struct test[]){
	TEST(the_newest_are_listed_first),
	TEST(the_list_tells_turns_tokens_and_money),
	TEST(a_conversation_is_found_by_place_and_key),
	TEST(the_last_chat_is_found), TEST(facts_change_where_they_are_given),
	TEST(usage_is_summed_up), TEST(sums_do_not_overflow),
	TEST(figures_that_make_no_sense_are_not_known),
	{ 0 },
} };
