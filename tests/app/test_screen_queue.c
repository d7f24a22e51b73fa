/* Queued prompts: their pane, and the keys that take them out. */

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

const struct suite suite_screen_queue = { "screen_queue", (const struct test[]){
	TEST(three_of_them_are_shown),
	{ 0 },
} };
