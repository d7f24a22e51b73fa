/* Branches: answers asked for again, edited prompts, what is deleted and copied. */
#include "app/life.h"

#include "app/keep/tree_rows.h"
#include "app/session/session_prompts.h"
#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"

#define BRANCHES(l) session_conversation((l)->session)

static void any_answer_is_asked_for_again_by_any_model(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	life_answer_with(&l, ANSWER("two"));
	life_answer_with(&l, ANSWER("other"));
	struct turn *one = life_send(&l, "first");
	struct turn *two = life_send(&l, "second");
	setup_use_model(&l.setup, STR(""));
	CU_ASSERT_FALSE(session_retry(l.session, one, &l.err));
	CU_ASSERT_EQUAL(session_left(l.session), 0);
	setup_use_model(&l.setup, STR("else"));
	CHECK(session_retry(l.session, one, &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(session_left(l.session), 1); /* told while it is asked */
	struct turn *other = life_settle(&l);
	CU_ASSERT_EQUAL(session_left(l.session), 0);
	CU_ASSERT_TRUE(life_asked(&l, "\"else\"") && life_asked(&l, "first") && !life_asked(&l, "second") && !life_asked(&l, "one"));
	CU_ASSERT_PTR_EQUAL(conversation_sibling(BRANCHES(&l), other, -1), one);
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 2);
	CU_ASSERT_STRING_EQUAL(other->scope.model, "else");
	CHECK(session_select(l.session, one, &l.err), "%s", l.err.text);
	CU_ASSERT_PTR_EQUAL(conversation_last(BRANCHES(&l)), two);
	life_send(&l, "third");
	CU_ASSERT_TRUE(life_asked(&l, "{\"role\":\"assistant\",\"content\":\"two\"},{\"role\":\"user\",\"content\":\"third\"}"));
	CU_ASSERT_FALSE(life_asked(&l, "other"));
	life_end(&l);
}

static void any_prompt_is_edited(void)
{
	struct life l;
	struct str prompt;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	life_send(&l, "frist");
	struct turn *two = life_send(&l, "second");
	CHECK(session_edit(l.session, BRANCHES(&l)->turns[1], &prompt, &l.err), "%s", l.err.text); /* an answer means its question */
	CHECK_STR(prompt, "frist");
	CU_ASSERT_PTR_EQUAL(session_edited(l.session), BRANCHES(&l)->turns[0]);
	life_send(&l, "first");
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 2);
	CU_ASSERT_EQUAL(conversation_siblings(BRANCHES(&l), BRANCHES(&l)->turns[0]).count, 2);
	CU_ASSERT_FALSE(life_asked(&l, "frist") || life_asked(&l, "second"));
	CU_ASSERT_FALSE(conversation_shows(BRANCHES(&l), two));
	life_end(&l);
}

static void a_refused_prompt_gets_a_sibling(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER_REFUSED);
	life_answer_with(&l, ANSWER("one"));
	struct turn *refused = life_send(&l, "first");
	struct turn *one = life_send(&l, "changed");
	CU_ASSERT_PTR_EQUAL(conversation_sibling(BRANCHES(&l), one->parent, -1), refused->parent);
	CU_ASSERT_FALSE(life_asked(&l, "first"));
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 2);
	life_end(&l);
}

static void branches_stay_while_an_answer_runs(void)
{
	struct life l;
	struct turn *back;
	struct str prompt;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	struct turn *one = life_send(&l, "first");
	CHECK(session_send(l.session, STR("second"), &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(session_left(l.session), 0);
	CU_ASSERT_FALSE(session_select(l.session, one, &l.err));
	CHECK(strstr(l.err.text, "an answer is under way") != NULL, "%s", l.err.text);
	CU_ASSERT_FALSE(session_remove(l.session, one, &l.err));
	CU_ASSERT_FALSE(session_copy(l.session, one, &l.err));
	CU_ASSERT_FALSE(session_undo(l.session, &back, &l.err));
	CU_ASSERT_FALSE(session_retry(l.session, one, &l.err));
	CU_ASSERT_FALSE(session_edit(l.session, one, &prompt, &l.err));
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 4);
	life_settle(&l);
	CHECK(session_edit(l.session, one, &prompt, &l.err), "%s", l.err.text);
	CU_ASSERT_FALSE(session_select(l.session, one, &l.err));
	CHECK(strstr(l.err.text, "a prompt is being edited") != NULL, "%s", l.err.text);
	session_leave_edit(l.session);
	CHECK(session_select(l.session, one, &l.err), "%s", l.err.text);
	life_end(&l);
}

static void what_is_deleted_or_copied_is_undone(void)
{
	struct life l;
	struct turn *back = NULL;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	CU_ASSERT_FALSE(session_undo(l.session, &back, &l.err));
	struct turn *one = life_send(&l, "first");
	life_send(&l, "second");
	const struct conversation *former = BRANCHES(&l);
	CHECK(session_remove(l.session, former->turns[2], &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(former->count, 2);
	CHECK(session_undo(l.session, &back, &l.err), "%s", l.err.text);
	CU_ASSERT(back == former->turns[2] && former->count == 4);
	CHECK(session_copy(l.session, one, &l.err), "%s", l.err.text);
	CU_ASSERT(BRANCHES(&l) != former && BRANCHES(&l)->count == 2);
	CHECK(session_undo(l.session, &back, &l.err), "%s", l.err.text);
	CU_ASSERT(back == NULL && BRANCHES(&l) == former && former->count == 4);
	CHECK(session_copy(l.session, one, &l.err), "%s", l.err.text);
	life_send(&l, "third");
	CU_ASSERT_TRUE(life_asked(&l, "first") && life_asked(&l, "third") && !life_asked(&l, "second"));
	CU_ASSERT_FALSE(session_undo(l.session, &back, &l.err));
	CHECK(strstr(l.err.text, "has gone on") != NULL, "%s", l.err.text);
	life_end(&l);
}

/* Only a question is left where its answer was deleted: it is asked again. */
static void a_question_without_an_answer_is_asked(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	CHECK(session_remove(l.session, life_send(&l, "first"), &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 1);
	CHECK(session_retry(l.session, NULL, &l.err), "%s", l.err.text);
	life_settle(&l);
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 2);
	CU_ASSERT_TRUE(life_asked(&l, "first"));
	life_end(&l);
}

static void turns_tell_when_in_words(void)
{
	static const struct { time_t age; const char *words; } cases[] = {
		{ 0, "now" }, { 59, "now" }, { 60, "1 min ago" }, { 2 * 3600, "2 h ago" }, { 6 * 24 * 3600, "6 d ago" }, { 8 * 24 * 3600, "2026-01-2" },
		{ -60, "" },
	};
	const time_t now = 1769860800; /* 2026-01-31 12:00 UTC */

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf words = { 0 };

		tree_when(&(struct turn){ .wall = now - cases[i].age }, now, &words);
		CHECK(str_starts(buf_str(&words), cases[i].words) && (*cases[i].words || !words.len), "%d: %s", (int)i, buf_z(&words));
		buf_fini(&words);
	}
}

const struct suite suite_session_tree = { "session_tree", (const struct test[]){
	TEST(any_answer_is_asked_for_again_by_any_model),
	TEST(any_prompt_is_edited),
	TEST(a_refused_prompt_gets_a_sibling),
	TEST(branches_stay_while_an_answer_runs),
	TEST(what_is_deleted_or_copied_is_undone),
	TEST(a_question_without_an_answer_is_asked),
	TEST(turns_tell_when_in_words),
	{ 0 },
} };
