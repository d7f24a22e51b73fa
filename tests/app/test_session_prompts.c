/* Prompts in line, and prompts that were refused. */
#include "app/life.h"

#include "app/program.h"
#include "app/session/session_prompts.h"
#include "base/mem.h"
#include "chat/conversation/turn.h"
#include "support/check.h"

static void holds_prompts_in_line(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	CHECK(session_send(l.session, STR("first"), &l.err), "%s", l.err.text);
	CHECK(session_send(l.session, STR("second"), &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(session_queued(l.session), 1);
	life_settle(&l);
	CU_ASSERT_EQUAL(l.asked, 2);
	CU_ASSERT_TRUE(life_asked(&l, "\"second\""));
	CU_ASSERT_EQUAL(session_queued(l.session), 0);
	life_end(&l);
}

static void put_in_line(struct life *l, const char *prompt)
{
	CHECK(session_send(l->session, str_from(prompt), &l->err), "%s", l->err.text);
}

static void check_line(const struct life *l, unsigned count, const char *first)
{
	size_t files;

	CHECK(session_queued(l->session) == count, "%u in line", session_queued(l->session));
	CHECK_STR(session_queued(l->session) ? session_queued_at(l->session, 0, &files) : STR_NONE, first);
}

/* After a stop the queue is kept; a newer prompt is sent after it, never before. */
static void keeps_the_order_of_the_line(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	put_in_line(&l, "first");
	put_in_line(&l, "second");
	put_in_line(&l, "third");
	session_stop(l.session);
	session_drain(l.session);
	CU_ASSERT_PTR_NULL(session_live(l.session));
	check_line(&l, 2, "second");
	size_t asked = l.asked;
	put_in_line(&l, "fourth");
	check_line(&l, 2, "third");
	life_settle(&l);
	CHECK(l.asked == asked + 3, "%zu requests", l.asked - asked);
	struct str all = buf_str(&l.bodies);
	CU_ASSERT_TRUE(str_find(all, STR("\"second\"")) < str_find(all, STR("\"third\"")));
	CU_ASSERT_TRUE(str_find(all, STR("\"third\"")) < str_find(all, STR("\"fourth\"")));
	CU_ASSERT_TRUE(life_asked(&l, "\"fourth\""));
	check_line(&l, 0, "");
	life_end(&l);
}

static void begin_refused(struct life *l)
{
	life_begin(l);
	life_answer_with(l, ANSWER_REFUSED);
	life_answer_with(l, ANSWER("one"));
	put_in_line(l, "first");
	put_in_line(l, "second");
	life_settle(l);
}

/* The restored prompt is older than the queue and replaces the refused one. */
static void a_refused_prompt_goes_before_the_line(void)
{
	struct life l;

	begin_refused(&l);
	check_line(&l, 1, "second");
	CHECK_STR(session_take_refused(l.session), "first");
	put_in_line(&l, "first again");
	check_line(&l, 1, "second");
	life_settle(&l);
	CU_ASSERT_TRUE(life_asked(&l, "\"first again\"") && life_asked(&l, "\"second\""));
	life_end(&l);
	begin_refused(&l);
	CHECK_STR(session_take_refused(l.session), "first");
	session_leave_refused(l.session);
	put_in_line(&l, "third");
	check_line(&l, 1, "third");
	life_settle(&l);
	life_end(&l);
}

static void the_newest_in_line_comes_out_with_its_files(void)
{
	struct life l;
	size_t files;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	put_in_line(&l, "first");
	CHECK(session_attach(l.session, folder_file("a.txt", "of the second"), &l.err), "%s", l.err.text);
	put_in_line(&l, "second");
	CHECK(session_attach(l.session, folder_file("b.txt", "of the third"), &l.err), "%s", l.err.text);
	put_in_line(&l, "third");
	CU_ASSERT_EQUAL(session_attached(l.session), 0);
	char *last = session_take_last_queued(l.session);
	CHECK_STR(str_from(last), "third");
	mem_free(last);
	CU_ASSERT_EQUAL(session_attached(l.session), 1);
	check_line(&l, 1, "second");
	session_queued_at(l.session, 0, &files);
	CU_ASSERT_EQUAL(files, 1);
	life_settle(&l);
	CU_ASSERT_TRUE(life_asked(&l, "of the second"));
	CU_ASSERT_FALSE(life_asked(&l, "of the third")); /* the file waits for the prompt that it was attached to */
	CU_ASSERT_EQUAL(session_attached(l.session), 1);
	life_end(&l);
}

static void gives_a_refused_prompt_back(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER_REFUSED);
	life_answer_with(&l, ANSWER("one"));
	struct turn *t = life_send(&l, "first");
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_ERROR);
	CHECK_STR(session_take_refused(l.session), "first");
	CHECK_STR(session_take_refused(l.session), "");
	life_send(&l, "second");
	CU_ASSERT_FALSE(life_asked(&l, "first")); /* it was never part of the conversation */
	life_end(&l);
}

const struct suite suite_session_prompts = { "session_prompts", (const struct test[]){
	TEST(holds_prompts_in_line),
	TEST(keeps_the_order_of_the_line),
	TEST(a_refused_prompt_goes_before_the_line),
	TEST(the_newest_in_line_comes_out_with_its_files),
	TEST(gives_a_refused_prompt_back),
	{ 0 },
} };
