/* Summaries in the place of older turns. */
#include "app/life.h"

#include <string.h>

#include "app/session/session_prompts.h"
#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"
#include "support/check.h"

static struct turn *compact(struct life *l, const char *words)
{
	CHECK(session_compact(l->session, str_from(words), &l->err), "%s", l->err.text);
	return session_live(l->session);
}

static void begin_long(struct life *l)
{
	life_begin(l);
	life_answer_with(l, ANSWER_COUNTED("one"));
	life_answer_with(l, ANSWER_COUNTED("two"));
	life_answer_with(l, ANSWER_COUNTED("three"));
	life_send(l, "first");
	life_send(l, "second");
	life_send(l, "third");
}

static void a_summary_is_sent_in_place_of_older_turns(void)
{
	struct life l;

	begin_long(&l);
	life_answer_with(&l, ANSWER_COUNTED("short"));
	life_answer_with(&l, ANSWER_COUNTED("four"));
	struct conversation *c = session_conversation(l.session);
	struct turn *three = conversation_last(c), *first = c->turns[0];
	life_use_schema(&l, "{\"type\":\"string\"}");
	struct turn *summary = compact(&l, "the figures");
	CU_ASSERT_EQUAL(c->count, 2); /* the summary streams as the first answer of its branch */
	CU_ASSERT_PTR_EQUAL(conversation_sibling(c, c->turns[0], -1), first);
	struct turn *last = life_settle(&l);
	CU_ASSERT_TRUE(life_asked(&l, "{\"role\":\"assistant\",\"content\":\"two\"},{\"role\":\"user\",\"content\":\"Summarize our conversation"));
	CU_ASSERT_TRUE(life_asked(&l, "Above all keep: the figures\"}]") && !life_asked(&l, "third") && !life_asked(&l, "json_schema"));
	CU_ASSERT_EQUAL(c->count, 4);
	CU_ASSERT_PTR_EQUAL(c->turns[1], summary);
	CHECK_STR(buf_str(&c->turns[2]->parts[0].text), "third");
	CHECK_STR(buf_str(&last->parts[0].text), "three");
	CU_ASSERT_PTR_NOT_EQUAL(last, three);
	CHECK(strstr(life_note(summary, "weir"), " tokens now, and was ~"), "%s", life_note(summary, "weir"));
	CU_ASSERT_TRUE(setup_read_schema(&l.setup, NULL, &l.err));
	life_send(&l, "fourth");
	CU_ASSERT_TRUE(life_asked(&l, "the figures\"},{\"role\":\"assistant\",\"content\":\"short\"},{\"role\":\"user\",\"content\":\"third\"},"
	                              "{\"role\":\"assistant\",\"content\":\"three\"},{\"role\":\"user\",\"content\":\"fourth\"}]"));
	CU_ASSERT_FALSE(life_asked(&l, "first") || life_asked(&l, "second"));
	CHECK(session_select(l.session, first, &l.err), "%s", l.err.text);
	CU_ASSERT_PTR_EQUAL(conversation_last(c), three);
	life_end(&l);
}

/* The copies of the last exchange took nothing: every answer counts once, and nothing about the sums becomes unknown. */
static void a_summary_costs_what_it_took(void)
{
	struct life l;

	begin_long(&l);
	life_answer_with(&l, ANSWER_COUNTED("short"));
	life_answer_with(&l, ANSWER_COUNTED("four"));
	compact(&l, "");
	life_settle(&l);
	struct totals totals = conversation_totals(session_conversation(l.session));
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_PROMPT].number, 400);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_COMPLETION].number, 40);
	CU_ASSERT_FALSE(totals.took.prompt_is_rough || totals.took.completion_is_rough);
	CU_ASSERT_DOUBLE_EQUAL(totals.took.cost.usd, 1.0, 1e-9);
	CU_ASSERT_FALSE(totals.took.cost.is_unknown || totals.took.cost.is_estimated);
	CU_ASSERT(totals.context.is_rough && totals.context.tokens > 0 && totals.context.tokens < 100); /* the server counted 100 for each request */
	const struct turn *summary = session_conversation(l.session)->turns[1];
	CU_ASSERT(!summary->copied && turn_context(summary).is_rough && turn_context(summary).tokens < totals.context.tokens);
	life_send(&l, "fourth");
	totals = conversation_totals(session_conversation(l.session));
	CU_ASSERT(!totals.context.is_rough && totals.context.tokens == 110);
	life_end(&l);
}

/* The context of a path that no server has counted yet: definitions of tools and a system prompt are in each request. */
static void what_requests_carry_beside_the_turns_fills_the_context(void)
{
	static const char tools[] = "[{\"type\":\"function\",\"function\":{\"name\":\"look\",\"parameters\":{\"type\":\"object\"}}}]";
	int64_t tokens[2];

	for (int with = 0; with < 2; with++) {
		struct life l;

		begin_long(&l);
		life_answer_with(&l, ANSWER_COUNTED("short"));
		if (with)
			CU_ASSERT_TRUE(setup_use_tools(&l.setup, str_from(tools), "tools.json", &l.err));
		compact(&l, "");
		life_settle(&l);
		tokens[with] = conversation_totals(session_conversation(l.session)).context.tokens;
		life_end(&l);
	}
	int64_t more = tokens[1] - tokens[0], size = (int64_t)(sizeof tools - 1) / 4;
	CHECK(more == size || more == size + 1, "%lld more, of %lld", (long long)more, (long long)size);
}

/* A summary that is not whole replaces nothing; it stays as a branch. */
static void check_not_compacted(const char *answer, bool stops, const char *why)
{
	struct life l;

	begin_long(&l);
	life_answer_with(&l, answer);
	life_answer_with(&l, ANSWER_COUNTED("four"));
	struct conversation *c = session_conversation(l.session);
	struct turn *three = conversation_last(c), *first = c->turns[0], *summary = compact(&l, "");
	if (stops) {
		session_stop(l.session);
		session_drain(l.session);
	}
	CU_ASSERT_PTR_EQUAL(life_settle(&l), three);
	CHECK(strstr(life_note(summary, "weir"), why), "%s: %s", why, life_note(summary, "weir"));
	CU_ASSERT_EQUAL(c->count, 6);
	CU_ASSERT_EQUAL(conversation_siblings(c, first).count, 2);
	CU_ASSERT_EQUAL(session_take_refused(l.session).len, 0); /* its words are not the user's */
	if (!stops) {
		life_send(&l, "fourth");
		CU_ASSERT_TRUE(life_asked(&l, "first") && life_asked(&l, "fourth") && !life_asked(&l, "Summarize"));
	}
	life_end(&l);
}

static void a_summary_that_is_not_whole_changes_nothing(void)
{
	check_not_compacted(ANSWER_CUT("half"), false, "Nothing was compacted: the connection ended too early.");
	check_not_compacted(ANSWER("  "), false, "the summary is empty");
	check_not_compacted(ANSWER_CALLS, false, "called a tool");
	check_not_compacted("data: {\"choices\":[{\"delta\":{\"content\":\"half\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n", false,
	                    "token limit");
	check_not_compacted(ANSWER_REFUSED, false, "later");
	check_not_compacted(ANSWER_CUT("half"), true, "it was stopped");
}

static void check_cannot_compact(struct life *l, const char *why)
{
	size_t asked = l->asked, nodes = session_conversation(l->session)->node_count;

	CU_ASSERT_FALSE(session_compact(l->session, STR(""), &l->err));
	CHECK(strstr(l->err.text, why), "%s: %s", why, l->err.text);
	CU_ASSERT_EQUAL(l->asked, asked);
	CU_ASSERT_EQUAL(session_conversation(l->session)->node_count, nodes);
}

static void what_cannot_be_compacted_is_said(void)
{
	struct life l;
	struct str prompt;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	check_cannot_compact(&l, "the conversation is empty");
	life_send(&l, "first");
	check_cannot_compact(&l, "one exchange only");
	CHECK(session_send(l.session, STR("second"), &l.err), "%s", l.err.text);
	check_cannot_compact(&l, "an answer is under way");
	life_settle(&l);
	CHECK(session_edit(l.session, NULL, &prompt, &l.err), "%s", l.err.text);
	check_cannot_compact(&l, "a prompt is being edited");
	session_leave_edit(l.session);
	setup_use_model(&l.setup, STR(""));
	check_cannot_compact(&l, "no model");
	setup_use_model(&l.setup, STR("m"));
	compact(&l, "");
	life_settle(&l);
	check_cannot_compact(&l, "there is a summary only");
	life_send(&l, "third");
	compact(&l, "");
	CU_ASSERT_PTR_NOT_NULL(life_settle(&l));
	CU_ASSERT_TRUE(life_asked(&l, "second") && !life_asked(&l, "first")); /* a summary of the summary */
	life_end(&l);
}

/* It was asked for with turns that its branch does not have. */
static void a_summary_is_not_asked_for_again(void)
{
	struct life l;
	struct str prompt;

	begin_long(&l);
	life_answer_with(&l, ANSWER_CUT("half"));
	struct turn *summary = compact(&l, "");
	life_settle(&l);
	CHECK(session_select(l.session, summary, &l.err), "%s", l.err.text);
	CU_ASSERT_FALSE(session_retry(l.session, NULL, &l.err));
	CHECK(strstr(l.err.text, "/compact writes another"), "%s", l.err.text);
	CU_ASSERT_FALSE(session_continue(l.session, &l.err));
	CU_ASSERT_FALSE(session_edit(l.session, NULL, &prompt, &l.err));
	CU_ASSERT_EQUAL(l.asked, 4);
	life_end(&l);
}

/* Results belong to calls of their exchange, which stays whole. */
static void calls_stay_with_their_results(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	life_answer_with(&l, ANSWER_CALLS);
	life_answer_with(&l, ANSWER("two"));
	life_send(&l, "first");
	life_send(&l, "second");
	session_answer_call(l.session, 0, STR("42"), false);
	CHECK(session_send_results(l.session, &l.err), "%s", l.err.text);
	life_settle(&l);
	compact(&l, "");
	CU_ASSERT_EQUAL(life_settle(&l)->depth, 5);
	CU_ASSERT_FALSE(life_asked(&l, "second"));
	life_send(&l, "third");
	CU_ASSERT_TRUE(life_asked(&l, "\"content\":\"second\"") && life_asked(&l, "\"content\":\"42\""));
	life_end(&l);
}

static void prompts_in_line_follow_the_summary(void)
{
	struct life l;

	begin_long(&l);
	life_answer_with(&l, ANSWER("short"));
	life_answer_with(&l, ANSWER("four"));
	compact(&l, "");
	CHECK(session_send(l.session, STR("fourth"), &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(session_queued(l.session), 1);
	CHECK_STR(buf_str(&life_settle(&l)->parts[0].text), "four");
	CU_ASSERT_TRUE(life_asked(&l, "short") && life_asked(&l, "third") && life_asked(&l, "fourth") && !life_asked(&l, "first"));
	life_end(&l);
}

const struct suite suite_session_compact = { "session_compact", (const struct test[]){
	TEST(a_summary_is_sent_in_place_of_older_turns),
	TEST(a_summary_costs_what_it_took), TEST(what_requests_carry_beside_the_turns_fills_the_context),
	TEST(a_summary_that_is_not_whole_changes_nothing),
	TEST(what_cannot_be_compacted_is_said),
	TEST(a_summary_is_not_asked_for_again),
	TEST(calls_stay_with_their_results),
	TEST(prompts_in_line_follow_the_summary),
	{ 0 },
} };
