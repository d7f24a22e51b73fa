/* Queued prompts: their pane, and the keys that take them out. */
#include <string.h>

#include "stage.h"
#include "support/check.h"

static void begin(struct stage *s, const struct stage_options *options)
{
	stage_open(s, options);
	stage_begin(s, "first");
	hand_text(s->server, "Answer one.");
	PTY_SEES(s->pty, "Answer one.");
}

static void queue_prompt(struct stage *s, const char *prompt, const char *count)
{
	pty_enter(s->pty, prompt);
	pty_wait(s->pty, pty_shows, count, count, __FILE__, __LINE__);
}

/* Of more than three, the first ones, which are sent next, and the newest, which Up takes out, are shown. */
static void three_of_them_are_shown(void)
{
	struct stage s;

	begin(&s, NULL);
	queue_prompt(&s, "second", "\u2500 1 queued \u2500");
	queue_prompt(&s, "third\x1B\rof two lines", "\u2500 2 queued \u2500");
	PTY_SEES(s.pty, " 1  second");
	PTY_SEES(s.pty, " 2  third\u2026");
	PTY_SEES(s.pty, "Up edit \u2500");
	PTY_SEES(s.pty, "Esc stop");
	CHECK(pty_find_row(s.pty, "Esc take back") < 0, "Esc stops: %s", pty_dump(s.pty));
	queue_prompt(&s, "fourth", "3 queued");
	queue_prompt(&s, "fifth", "4 queued");
	PTY_SEES(s.pty, " 4  fifth");
	CHECK(pty_find_row(s.pty, "fourth") < 0, "three rows: %s", pty_dump(s.pty));
	CHECK(pty_find_row(s.pty, "4 queued") + 4 == pty_find_row(s.pty, "Esc stop"), "%s", pty_dump(s.pty));
	pty_send(s.pty, "x");
	PTY_LOSES(s.pty, "Up edit"); /* Up does not edit now */
	pty_resize(s.pty, 12, 40);
	PTY_SEES(s.pty, " 4  fifth");
	PTY_REDRAWS(s.pty);
	pty_resize(s.pty, 6, 20);
	PTY_SEES(s.pty, " 4  fifth");
	PTY_REDRAWS(s.pty);
	stage_drop(&s);
}

/* The prompt is removed from the queue, not copied: it is sent once. */
static void up_takes_the_last_one_out(void)
{
	struct stage s;

	begin(&s, NULL);
	queue_prompt(&s, "second", "1 queued");
	queue_prompt(&s, "thrid", "2 queued");
	pty_send(s.pty, K_UP);
	PTY_SEES(s.pty, "> thrid");
	PTY_SEES(s.pty, "1 queued");
	pty_send(s.pty, "\x17third");
	PTY_SEES(s.pty, "> third");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, " 2  third");
	hand_finish(s.server, "stop");
	hand_say(s.server, "Answer two.");
	CU_ASSERT_TRUE(stage_sent(&s, "\"second\""));
	hand_say(s.server, "Answer three.");
	CU_ASSERT_TRUE(stage_sent(&s, "\"third\""));
	CHECK(pty_find_row(s.pty, "thrid") < 0, "%s", pty_dump(s.pty));
	PTY_SEES(s.pty, "Answer three.");
	STAGE_OVER(&s);
	PTY_LOSES(s.pty, "queued");
	stage_close(&s);
}

/* "second" is sent alone, "third" after its answer. */
static void check_second_before_third(struct stage *s)
{
	hand_say(s->server, "Answer two.");
	CU_ASSERT_TRUE(stage_sent(s, "\"second\""));
	CU_ASSERT_PTR_NULL(strstr(hand_body(s->server), "third"));
	hand_say(s->server, "Answer three.");
	CU_ASSERT_TRUE(stage_sent(s, "\"third\""));
	PTY_SEES(s->pty, "Answer three.");
	STAGE_OVER(s);
}

/* After a stop, queued prompts are sent before prompts typed later. */
static void nothing_typed_later_goes_before_them(void)
{
	struct stage s;

	begin(&s, NULL);
	queue_prompt(&s, "second", "1 queued");
	pty_send(s.pty, K_ESC);
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "Up edit   Esc take back");
	pty_send(s.pty, "third");
	PTY_LOSES(s.pty, "Esc take back"); /* not offered over a draft */
	pty_send(s.pty, "\r");
	check_second_before_third(&s);
	stage_close(&s);
}

/* After a stop Enter alone sends the oldest one; the hairline says what Enter does, with a draft too, and in a narrow window. */
static void enter_goes_on_with_them(void)
{
	struct stage s;

	begin(&s, NULL);
	queue_prompt(&s, "second", "1 queued");
	queue_prompt(&s, "third", "2 queued");
	pty_send(s.pty, K_ESC);
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "Esc take back   Enter go on");
	pty_send(s.pty, "x");
	PTY_SEES(s.pty, "Enter sends the first");
	pty_send(s.pty, "\x7F");
	PTY_SEES(s.pty, "Enter go on");
	pty_resize(s.pty, 12, 40);
	PTY_LOSES(s.pty, "Esc take back");
	PTY_SEES(s.pty, "Enter go on");
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, "\r");
	check_second_before_third(&s);
	stage_close(&s);
}

static void esc_takes_them_back(void)
{
	struct stage s;

	begin(&s, NULL);
	queue_prompt(&s, "second", "1 queued");
	queue_prompt(&s, "third", "2 queued");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "Esc take back");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "> second");
	PTY_SEES(s.pty, "   third");
	PTY_LOSES(s.pty, "queued");
	stage_close(&s);
}

/* They do not go into the new conversation; the draft stands below them. */
static void a_new_conversation_gives_them_back(void)
{
	struct stage s;

	begin(&s, NULL);
	queue_prompt(&s, "second", "1 queued");
	queue_prompt(&s, "third", "2 queued");
	pty_type(s.pty, "a draft");
	pty_send(s.pty, "\x10" "new\r");
	PTY_SEES(s.pty, "a new conversation; 2 prompts taken back into the input");
	PTY_SEES(s.pty, "> second");
	PTY_SEES(s.pty, "   third");
	PTY_SEES(s.pty, "   a draft");
	PTY_LOSES(s.pty, "Answer one.");
	CHECK(pty_find_row(s.pty, " queued \u2500") < 0, "%s", pty_dump(s.pty));
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "second\\nthird\\na draft"));
	CU_ASSERT_FALSE(stage_sent(&s, "first"));
	stage_close(&s);
}

static void a_draft_is_kept_below_what_comes_back(void)
{
	struct stage s;

	begin(&s, NULL);
	queue_prompt(&s, "second", "1 queued");
	queue_prompt(&s, "third", "2 queued");
	pty_send(s.pty, K_ESC);
	STAGE_STATE(&s, "ready");
	pty_type(s.pty, "a draft");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "> second");
	PTY_SEES(s.pty, "   third");
	PTY_SEES(s.pty, "   a draft");
	PTY_LOSES(s.pty, " queued");
	stage_close(&s);
}

const struct suite suite_screen_queue = { "screen_queue", (const struct test[]){
	TEST(three_of_them_are_shown),
	TEST(up_takes_the_last_one_out),
	TEST(nothing_typed_later_goes_before_them),
	TEST(enter_goes_on_with_them),
	TEST(a_new_conversation_gives_them_back),
	TEST(a_draft_is_kept_below_what_comes_back),
	TEST(esc_takes_them_back),
	{ 0 },
} };
