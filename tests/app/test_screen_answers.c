/* Replies of the terminal to the queries of the first frame, including late ones, and their effect. */
#include <signal.h>

#include "stage.h"
#include "support/check.h"

#define FAMILY "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466"
#define HEART "\u2764\uFE0F"

static struct pty_cell corner(struct pty *p)
{
	return pty_cell(p, 0, pty_columns(p) - 1);
}

static bool has_other_background(struct pty *p, const void *background)
{
	return corner(p).background != *(const int *)background;
}

static void auto_is_dark_or_light(void)
{
	struct stage s;
	int background = -1;

	stage_open(&s, &(struct stage_options){ .arguments = LIST("--theme", "auto", "-p", "hand", "--color", "256") });
	CU_ASSERT_EQUAL(corner(s.pty).background, -1); /* without a reply, the default theme is used */
	pty_send(s.pty, "\x1B]11;rgb:ffff/ffff/ffff\x1B\\");
	PTY_WAIT(s.pty, has_other_background, &background);
	int light = corner(s.pty).background;
	pty_send(s.pty, "/theme dark\r");
	PTY_WAIT(s.pty, has_other_background, &light);
	int dark = corner(s.pty).background;
	pty_send(s.pty, "/theme auto\r");
	PTY_WAIT(s.pty, has_other_background, &dark);
	CU_ASSERT_EQUAL(corner(s.pty).background, light);
	stage_close(&s);
}

/* One name for both forms of a theme; a name of one form is that form everywhere. */
static void a_theme_of_two_forms_follows_the_background(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .arguments = LIST("--theme", "ember", "-p", "hand", "--color", "256") });
	int dark = corner(s.pty).background;
	pty_send(s.pty, "\x1B]11;rgb:ffff/ffff/ffff\x1B\\");
	PTY_WAIT(s.pty, has_other_background, &dark);
	int light = corner(s.pty).background;
	pty_send(s.pty, "/theme ember-dark\r");
	PTY_WAIT(s.pty, has_other_background, &light);
	CU_ASSERT_EQUAL(corner(s.pty).background, dark);
	pty_send(s.pty, "/theme ember-light\r");
	PTY_WAIT(s.pty, has_other_background, &dark);
	CU_ASSERT_EQUAL(corner(s.pty).background, light);
	stage_close(&s);
}

static void a_background_changes_no_chosen_theme(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "\x1B]11;rgb:ffff/ffff/ffff\x1B\\");
	pty_settle(s.pty);
	CU_ASSERT_EQUAL(corner(s.pty).background, -1);
	stage_close(&s);
}

static void answers_are_never_typed(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "a\x1B[?62;4c\x1B]11;rgb:0/0/0\x07\x1B[24;80R\x1B[?2026;2$y\x1B[?0u" "b");
	PTY_SEES(s.pty, " > ab");
	pty_settle(s.pty);
	CU_ASSERT(pty_find_row(s.pty, " > ab") >= 0);
	stage_close(&s);
}

/* libvterm has replied that it does not join emoji; the replies sent here replace that. */
static void emoji_are_whole_once_they_are_joined(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "before", "one " FAMILY HEART "|");
	CHECK(!pty_has_written(s.pty, FAMILY "|") && pty_find_row(s.pty, "\U0001F468\u2764|") >= 0, "reduced");
	CU_ASSERT_EQUAL(pty_find_row(s.pty, FAMILY), -1);
	size_t before = pty_output(s.pty).len;
	pty_send(s.pty, "\x1B[2;3R\x1B[4;3R");
	pty_settle(s.pty);
	struct str later = str_skip(pty_output(s.pty), before);
	CHECK(str_find(later, STR(FAMILY HEART "|")) < later.len, "whole");
	pty_send(s.pty, "\x1B[2;9R\x1B[4;2R");
	pty_settle(s.pty);
	CHECK(pty_find_row(s.pty, "\U0001F468\u2764|") >= 0, "reduced again");
	stage_close(&s);
}

/* The replies arrive in any case; if the program does not read them, the shell does. */
static void leaves_at_once(void)
{
	for (int i = 0; i < 5; i++) {
		struct pty *p = pty_start(&(struct pty_options){ .rows = 24 });

		PTY_SEES(p, "ready");
		pty_signal(p, SIGTERM);
		PTY_ENDS(p, 128 + SIGTERM);
		PTY_RESTORED(p);
		CHECK(pty_unread(p) == 0, "%zu bytes are left for the shell", pty_unread(p));
		pty_free(p);
	}
}

const struct suite suite_screen_answers = { "screen_answers", (const struct test[]){
	TEST(auto_is_dark_or_light),
	TEST(a_theme_of_two_forms_follows_the_background), TEST(a_background_changes_no_chosen_theme), TEST(answers_are_never_typed),
	TEST(emoji_are_whole_once_they_are_joined), TEST(leaves_at_once), { 0 } } };
