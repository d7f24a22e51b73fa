/* The first start on a disk that is slow: the history is created while one talks already. */
#include "app/trouble.h"

#include <stdio.h>
#include <string.h>

#include "app/program.h"
#include "app/stage.h"
#include "support/check.h"
#include "support/turned.h"

#define CREATED "the history is still being created"

/* False: skipped. The disk waits. */
static bool open_on_slow_disk(struct stage *s)
{
	const char *const *disk;

	*s = (struct stage){ .server = hand_new(), .home = home_new() };
	disk = trouble_slow_disk(s->home);
	if (!disk) {
		stage_drop(s);
		return false;
	}
	home_write(s->home, ".config/weir/weir.conf", hand_settings(s->server, ""));
	trouble_disk_waits(s->home, true);
	s->pty = pty_start(&(struct pty_options){ .home = s->home, .environment = disk, .columns = 200, .turns = true });
	STAGE_STATE(s, "ready");
	stage_turn(s, "hello", "Good day.");
	return true;
}

/* Nobody quits, and it is told nevertheless, once. */
static void what_waits_for_the_disk_is_told(void)
{
	struct stage s;

	if (!open_on_slow_disk(&s))
		return;
	PTY_SEES_LATER(s.pty, TROUBLE_NOT_SAVED CREATED);
	PTY_SEES(s.pty, "not kept");
	trouble_disk_waits(s.home, false);
	PTY_SEES_LATER(s.pty, TROUBLE_SAVED);
	PTY_LOSES_LATER(s.pty, "not kept");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	STORED(s.home, "Good day.");
	stage_drop(&s);
}

static void quitting_asks_before_it_loses(void)
{
	struct stage s;

	if (!open_on_slow_disk(&s))
		return;
	pty_send(s.pty, "\x03\x03");
	PTY_SEES_LATER(s.pty, "quit again to lose it");
	PTY_SEES(s.pty, "not kept");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	pty_wait(s.pty, pty_tells, "weir: the conversation \"hello\" is not in the history, or not all of it: " CREATED, "why", __FILE__, __LINE__);
	trouble_disk_waits(s.home, false);
	stage_drop(&s);
}

static void ask_says_that_the_disk_is_slow(void)
{
	struct hand *server = hand_new();
	char *home = home_new(), config[300], data[300];
	const char *const *disk = trouble_slow_disk(home);
	struct turned *clock = turned_new();
	const char *const *of_clock = turned_variables(clock);
	struct program p;

	if (disk) {
		home_write(home, ".config/weir/weir.conf", hand_settings(server, ""));
		snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s/.config", home);
		snprintf(data, sizeof data, "XDG_DATA_HOME=%s/.local/share", home);
		trouble_disk_waits(home, true);
		program_start(&p, ARGS("ask", "--no-stdin", "-p", "hand", "hello"), ARGS(config, data, disk[0], disk[1], of_clock[0], of_clock[1]));
		hand_say(server, "Good day.");
		CU_ASSERT(program_await_output(&p, "Good day."));
		p.turning = clock;
		CHECK(program_wait(&p) == 0, "%s", buf_z(&p.errors));
		CHECK(str_starts(buf_str(&p.errors), "weir: note: t" TROUBLE_NOT_SAVED CREATED), "%s", buf_z(&p.errors));
		CHECK(str_find(buf_str(&p.errors), STR("\n")) + 1 == p.errors.len, "%s", buf_z(&p.errors));
		trouble_disk_waits(home, false);
		program_free(&p);
	}
	turned_free(clock);
	hand_free(server);
	home_free(home);
}

const struct suite suite_trouble_disk = { "trouble_disk", (const struct test[]){
	TEST(what_waits_for_the_disk_is_told),
	TEST(quitting_asks_before_it_loses),
	TEST(ask_says_that_the_disk_is_slow),
	{ 0 },
} };
