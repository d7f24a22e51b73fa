/* -c while the file is not ready: it is of an earlier version, damaged, or not there. */
#include "app/trouble.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "app/lines.h"
#include "app/stage.h"
#include "base/array.h"
#include "store/history/history_inside.h"
#include "support/check.h"

static void damage(const char *home)
{
	FILE *f;

	trouble_furnish(home);
	f = fopen(home_path(home, TROUBLE_FILE), "r+");
	if (f) {
		fputs("This was the first page of a database.", f);
		fclose(f);
	}
}

static void make_older(const char *home)
{
	char sql[120];

	trouble_furnish(home);
	snprintf(sql, sizeof sql, "UPDATE form SET number = %d; PRAGMA user_version = %d", HISTORY_FORM - 1, HISTORY_FORM - 1);
	trouble_sql(home, sql);
}

/* The process that recovers waits for the lock of another one that maintains. */
static int hold_maintenance(const char *home)
{
	int fd = open(home_path(home, TROUBLE_DATA "/history.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	CHECK(fd >= 0 && flock(fd, LOCK_EX) == 0, "the lock");
	return fd;
}

static void continuing_waits_for(void (*prepare)(const char *home), const char *doing, const char *told)
{
	struct stage s = { .server = hand_new(), .home = home_new() };
	int held;

	home_write(s.home, ".config/weir/weir.conf", hand_settings(s.server, ""));
	prepare(s.home);
	held = hold_maintenance(s.home);
	s.pty = pty_start(&(struct pty_options){ .home = s.home, .arguments = LIST("-c", "-p", "hand"), .columns = 100 });
	pty_wait(s.pty, pty_shows, doing, doing, __FILE__, __LINE__);
	PTY_SEES(s.pty, " waiting ");
	pty_send(s.pty, "half a thought");
	PTY_SEES(s.pty, "> half a thought");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "opens as soon as the history can be read");
	close(held);
	PTY_SEES(s.pty, "Soda and buttermilk.");
	PTY_SEES(s.pty, "> half a thought");
	if (told)
		pty_wait(s.pty, pty_tells, told, told, __FILE__, __LINE__);
	PTY_LOSES(s.pty, " waiting ");
	pty_press(s.pty, "\r");
	if (hand_accept(s.server))
		hand_whole(s.server, "Good day.", "stop");
	PTY_SEES(s.pty, "Good day.");
	CHECK(stage_sent(&s, "buttermilk") && stage_sent(&s, "half a thought"), "%s", hand_body(s.server));
	stage_close(&s);
}

static void continuing_waits_for_the_history(void)
{
	continuing_waits_for(damage, "recovering the history ...", "turns were recovered, and the damaged file is now ~/");
	continuing_waits_for(make_older, "bringing the history to this version ...", NULL);
}

/* The file cannot be recovered: the chat goes on without the conversation, and the damaged file stays as it is. */
static void continuing_gives_up(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };

	home_write(s.home, ".config/weir/weir.conf", hand_settings(s.server, ""));
	damage(s.home);
	home_write(s.home, TROUBLE_FILE ".part/in-the-way", "");
	s.pty = pty_start(&(struct pty_options){ .home = s.home, .arguments = LIST("-c", "-p", "hand"), .columns = 100 });
	pty_wait(s.pty, pty_tells, "the conversation cannot be opened: remove ~/" TROUBLE_FILE ".part", "the message", __FILE__, __LINE__);
	PTY_SEES(s.pty, "not kept");
	stage_turn(&s, "hello", "Good day.");
	pty_wait(s.pty, pty_tells, "T" TROUBLE_NOT_SAVED "remove ~/" TROUBLE_FILE ".part", "the note", __FILE__, __LINE__);
	CHECK(trouble_any_file_has(s.home, "This was the first page of a database."), "the damaged file is gone");
	CHECK(trouble_any_file_has(s.home, "Soda and buttermilk."), "its words are gone");
	stage_drop(&s);
}

/* What there is none of, or what is of another version, is not waited for. */
static void continuing_needs_a_history(void)
{
	static const struct { void (*furnish)(const char *home); const char *said; } cases[] = {
		{ NULL, "The conversation cannot be opened: no conversation is stored yet" },
		{ trouble_set_newer, "The conversation cannot be opened: the history was written by a newer weir " TROUBLE_SHOWN },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .columns = 120, .arguments = LIST("-c", "-p", "hand"), .furnish = cases[i].furnish,
		                                               .has_no_history = true });
		stage_turn(&s, "hello", "Good day.");
		pty_wait(s.pty, pty_tells, cases[i].said, cases[i].said, __FILE__, __LINE__);
		stage_drop(&s);
	}
}

/* The first page names the newest conversation also when the history can be read only later. */
static void the_first_page_waits_for_the_history(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };
	int held;

	home_write(s.home, ".config/weir/weir.conf", hand_settings(s.server, ""));
	make_older(s.home);
	held = hold_maintenance(s.home);
	s.pty = pty_start(&(struct pty_options){ .home = s.home, .arguments = LIST("-p", "hand"), .columns = 100 });
	PTY_SEES(s.pty, "ready");
	pty_press(s.pty, K_F6);
	pty_wait(s.pty, pty_tells, "the history is not ready yet", "the sentence", __FILE__, __LINE__);
	CHECK(!pty_shows(s.pty, "goes on with"), "before it can be read");
	close(held);
	PTY_SEES(s.pty, "goes on with");
	stage_drop(&s);
}

static void lines_wait_for_the_history(void)
{
	struct lines l;
	int held;

	lines_begin(&l);
	pty_free(l.pty);
	damage(l.home);
	held = hold_maintenance(l.home);
	l.pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = l.home, .arguments = LIST("--plain", "-c", "-p", "hand") });
	l.at = 0;
	SAYS(&l, "recovering the history ...");
	DIALOGUE(&l, "> too soon", "opens as soon as the history can be read");
	close(held);
	SAYS(&l, "A stored conversation of 1 turn");
	SAYS(&l, "Soda and buttermilk.");
	if (lines_ask(&l, "and now"))
		hand_whole(l.server, "Good day.", "stop");
	SAYS(&l, "Good day.");
	CHECK(lines_sent(&l, "buttermilk"), "%s", hand_body(l.server));
	lines_close(&l);
}

const struct suite suite_trouble_opening = { "trouble_opening", (const struct test[]){
	TEST(continuing_waits_for_the_history),
	TEST(continuing_gives_up),
	TEST(continuing_needs_a_history),
	TEST(the_first_page_waits_for_the_history),
	TEST(lines_wait_for_the_history),
	{ 0 },
} };
