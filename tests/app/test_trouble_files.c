/* Files of the history that are removed, replaced or cut while the program has them open. */
#include "app/trouble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/program.h"
#include "app/stage.h"
#include "base/array.h"
#include "base/mem.h"
#include "support/check.h"

static void remove_file(const char *path)
{
	CHECK(unlink(path) == 0, "%s", path);
}

static void empty_file(const char *path)
{
	CHECK(truncate(path, 0) == 0, "%s", path);
}

static void move_away(const char *path)
{
	char to[300];

	snprintf(to, sizeof to, "%s.away", path);
	CHECK(rename(path, to) == 0, "%s", path);
}

/* A copy has the same words, and is another file. */
static void replace_file(const char *path)
{
	char command[700];

	snprintf(command, sizeof command, "cp -p '%s' '%s.other' && mv '%s.other' '%s'", path, path, path, path);
	CHECK(system(command) == 0, "%s", command);
}

#define SAID_AGAIN "This conversation is written again."

static const struct harm {
	const char *end;
	void (*harm)(const char *path);
	const char *words;
} harms[] = {
	{ "-wal", remove_file, "he file history.db-wal was removed while weir had it open, and all of it could be saved" },
	{ "-wal", replace_file, "he file history.db-wal was replaced while weir had it open: " },
	{ "-wal", empty_file, "he file history.db-wal was cut while weir had it open: " },
	{ "-shm", remove_file, "he file history.db-shm was removed while weir had it open, and nothing is lost" },
	{ "", remove_file, "he file history.db was removed while weir had it open: another one is begun" },
	{ "", move_away, "he file history.db was removed while weir had it open: another one is begun" },
	{ "", replace_file, "he file history.db was replaced while weir had it open: " },
};

static void do_harm(const struct harm *harm, const char *home)
{
	char *path = mem_dup_z(home_path(home, TROUBLE_FILE));
	char whole[300];

	snprintf(whole, sizeof whole, "%s%s", path, harm->end);
	harm->harm(whole);
	mem_free(path);
}

/* Two turns are stored, then it happens; the next turn is the first that is written behind it. */
static void the_conversation_is_written_again(void)
{
	for (size_t i = 0; i < ARRAY_LEN(harms); i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .columns = 150, .rows = 40, .furnish = trouble_furnish });
		stage_turn(&s, "hello", "Good day.");
		stage_turn(&s, "more", "Another one.");
		trouble_await(s.home, "Another one.");
		do_harm(&harms[i], s.home);
		stage_turn(&s, "still there?", "Yes.");
		pty_wait(s.pty, pty_tells, harms[i].words, harms[i].words, __FILE__, __LINE__);
		pty_wait(s.pty, pty_tells, SAID_AGAIN, harms[i].words, __FILE__, __LINE__);
		pty_send(s.pty, "\x03\x03");
		PTY_ENDS(s.pty, 0);
		STORED(s.home, "Good day.");
		STORED(s.home, "Another one.");
		STORED(s.home, "Yes.");
		stage_drop(&s);
	}
}

/* Nothing is written behind it: it is noticed when the program ends. */
static void it_is_noticed_at_the_end(void)
{
	for (size_t i = 0; i < ARRAY_LEN(harms); i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .columns = 150, .rows = 40, .furnish = trouble_furnish });
		stage_turn(&s, "hello", "Good day.");
		trouble_await(s.home, "Good day.");
		do_harm(&harms[i], s.home);
		pty_send(s.pty, "\x03\x03");
		PTY_ENDS(s.pty, 0);
		pty_wait(s.pty, pty_tells, harms[i].words, harms[i].words, __FILE__, __LINE__);
		STORED(s.home, "Good day.");
		stage_drop(&s);
	}
}

const struct suite suite_trouble_files = { "trouble_files", (const struct test[]){
	TEST(the_conversation_is_written_again),
	TEST(it_is_noticed_at_the_end),
	{ 0 },
} };
