/* Two programs that go on with one conversation. */
#include "app/trouble.h"

#include <string.h>

#include "app/stage.h"
#include "support/check.h"

/* Nothing of either is lost: what the other one said is a branch. */
static void two_programs_go_on_with_one_conversation(void)
{
	struct stage s;
	struct pty *other;

	stage_open(&s, &(struct stage_options){ .columns = 100, .furnish = trouble_furnish, .arguments = LIST("-c", "-p", "hand") });
	PTY_SEES(s.pty, "Soda and buttermilk.");
	other = pty_start(&(struct pty_options){ .home = s.home, .columns = 100, .arguments = LIST("-c", "-p", "hand") });
	PTY_SEES(other, "Soda and buttermilk.");
	stage_turn(&s, "first of one", "Reply one.");
	struct pty *first = s.pty;
	s.pty = other;
	stage_turn(&s, "first of two", "Answer two.");
	pty_wait(other, pty_tells, "Another program goes on with this conversation, too: what is said there is another branch here (/tree).", "the note",
	         __FILE__, __LINE__);
	PTY_SEES(other, "1/2");
	s.pty = first;
	stage_turn(&s, "second of one", "Again three.");
	pty_wait(first, pty_tells, "Another program goes on with this conversation, too: ", "the note", __FILE__, __LINE__);
	pty_enter(first, "/tree");
	PTY_SEES(first, "first of two");
	pty_send(first, K_ESC);
	PTY_LOSES(first, "first of two");
	pty_send(first, "\x03\x03");
	PTY_ENDS(first, 0);
	pty_send(other, "\x03\x03");
	PTY_ENDS(other, 0);
	STORED(s.home, "How?\nSoda and buttermilk.\nfirst of one\nReply one.\nfirst of two\nAnswer two.\nsecond of one\nAgain three.\n");
	pty_free(other);
	stage_drop(&s);
}

/* What the second one sees of an answer that the first one still receives is not written over it. */
static void an_answer_under_way_is_another_programs(void)
{
	struct stage s;
	struct pty *other;

	stage_open(&s, &(struct stage_options){ .columns = 100 });
	stage_begin(&s, "hello");
	hand_text(s.server, "It begins");
	PTY_SEES(s.pty, "It begins");
	trouble_await(s.home, "It begins");
	hand_text(s.server, " and goes on");
	PTY_SEES(s.pty, "and goes on");
	other = pty_start(&(struct pty_options){ .home = s.home, .columns = 100, .arguments = LIST("-c") });
	PTY_SEES(other, "It begins");
	PTY_SEES(other, "another program is receiving it");
	hand_text(s.server, " to its end.");
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "to its end.");
	STAGE_OVER(&s);
	pty_send(other, "\x03\x03");
	PTY_ENDS(other, 0);
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	STORED(s.home, "It begins and goes on to its end.");
	pty_free(other);
	stage_drop(&s);
}

const struct suite suite_two_programs = { "two_programs", (const struct test[]){
	TEST(two_programs_go_on_with_one_conversation),
	TEST(an_answer_under_way_is_another_programs),
	{ 0 },
} };
