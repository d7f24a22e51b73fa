/* Conversations that were left while the history could not be written. */
#include "app/trouble.h"

#include <string.h>

#include "app/stage.h"
#include "support/check.h"

static void what_was_left_is_written_later(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 100, .furnish = trouble_furnish, .turns = true });
	trouble_lock(s.home);
	stage_turn(&s, "hello", "Good day.");
	pty_enter(s.pty, "/new");
	PTY_SEES(s.pty, "A live view");
	stage_turn(&s, "another", "Reply two.");
	PTY_SEES_LATER(s.pty, "not kept");
	pty_enter(s.pty, "/quit");
	PTY_SEES(s.pty, "2 conversations are not saved");
	trouble_unlock(s.home, 0);
	PTY_SEES_LATER(s.pty, TROUBLE_SAVED);
	pty_enter(s.pty, "/quit");
	PTY_ENDS(s.pty, 0);
	STORED(s.home, "Good day.");
	STORED(s.home, "Reply two.");
	stage_drop(&s);
}

/* It is not read from the file, where its last turn is missing. */
static void what_was_left_is_opened_as_it_is(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 100, .furnish = trouble_furnish, .turns = true });
	stage_turn(&s, "hello", "Good day.");
	trouble_lock(s.home);
	stage_turn(&s, "go on", "Reply two.");
	pty_enter(s.pty, "/new");
	PTY_SEES(s.pty, "A live view");
	pty_enter(s.pty, "/resume 1");
	PTY_SEES(s.pty, "Conversations");
	pty_send(s.pty, "\x15" "hello");
	PTY_SEES(s.pty, "1 found");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "Reply two.");
	stage_turn(&s, "and on", "Again three.");
	trouble_unlock(s.home, 0);
	PTY_LOSES_LATER(s.pty, "not kept");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	STORED(s.home, "Soda and buttermilk.\n");
	STORED(s.home, "hello\nGood day.\ngo on\nReply two.\nand on\nAgain three.\n");
	stage_drop(&s);
}

static void quitting_says_what_is_lost(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 200, .furnish = trouble_set_newer });
	stage_turn(&s, "hello", "Good day.");
	pty_enter(s.pty, "/new");
	PTY_SEES(s.pty, "A live view");
	stage_turn(&s, "another", "Reply two.");
	pty_send(s.pty, "\x03\x03");
	PTY_SEES(s.pty, "2 conversations are not saved");
	pty_send(s.pty, "\x03");
	PTY_ENDS(s.pty, 0);
	pty_wait(s.pty, pty_tells, "weir: the conversation \"hello\" is not in the history, or not all of it: ", "the first", __FILE__, __LINE__);
	pty_wait(s.pty, pty_tells, "weir: the conversation \"another\" is not in the history, or not all of it: ", "the second", __FILE__, __LINE__);
	CHECK(pty_has_written(s.pty, "~/.local/state/weir/tapes/"), "%s", pty_dump(s.pty));
	PTY_RESTORED(s.pty);
	stage_drop(&s);
}

/* Nothing that was private meanwhile is written with what was not. */
static void what_became_private_is_not_written(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 100, .furnish = trouble_set_newer });
	stage_turn(&s, "hello", "Good day.");
	pty_enter(s.pty, "/private");
	pty_wait(s.pty, pty_tells, "what was said last could not be written to the history", "the message", __FILE__, __LINE__);
	stage_turn(&s, "sesame", "Opened.");
	pty_enter(s.pty, "/new");
	trouble_unset_newer(s.home, 0);
	pty_enter(s.pty, "/private");
	stage_turn(&s, "openly", "Reply two.");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	STORED(s.home, "Reply two.");
	CHECK(!trouble_any_file_has(s.home, "Opened."), "what is private is stored");
	stage_drop(&s);
}

const struct suite suite_trouble_left = { "trouble_left", (const struct test[]){
	TEST(what_was_left_is_written_later),
	TEST(what_was_left_is_opened_as_it_is),
	TEST(quitting_says_what_is_lost),
	TEST(what_became_private_is_not_written),
	{ 0 },
} };
