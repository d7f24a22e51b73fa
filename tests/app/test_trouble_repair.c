/* Damage that is found while something is read, and a repair that is interrupted. */
#include "app/trouble.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/program.h"
#include "app/stage.h"
#include "base/array.h"
#include "support/check.h"

#define LOOK_US 20000
#define NOTE "the history was damaged: "

static char data[200], config[300];

/* A home with a history, for programs that are not on a screen. `table`: where it is damaged; NULL: nowhere. */
static char *begin(struct hand *server, const char *table)
{
	char *home = home_new();

	trouble_furnish(home);
	if (table)
		trouble_zero_page(home, table);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/.local/share", home);
	if (server)
		home_write(home, ".config/weir/weir.conf", hand_settings(server, ""));
	snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s/.config", home);
	return home;
}

static unsigned files_of(const char *home, const char *beginning)
{
	char command[300];
	FILE *out;
	unsigned count = 0;

	snprintf(command, sizeof command, "ls '%s/" TROUBLE_DATA "' | grep -c '^%s'", home, beginning);
	out = popen(command, "r");
	CU_ASSERT_FATAL(out && fscanf(out, "%u", &count) == 1);
	pclose(out);
	return count;
}

/* --- what reads --- */

/* Some of it may have been printed, so the user has to begin anew. */
static void what_reads_has_it_repaired(void)
{
	static const struct { const char *table, *args[4]; } cases[] = {
		{ "part", { "history", "show", "last" } }, { "conversation_updated", { "history", "list" } }, { "node", { "usage" } },
		{ "piece", { "history", "export", "all" } },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *home = begin(NULL, cases[i].table);
		struct program p;

		CHECK(program_run(&p, STR_NONE, cases[i].args, ARGS(data)) == 1, "%s: %d", cases[i].table, p.status);
		CHECK(strstr(buf_z(&p.errors), NOTE) && strstr(buf_z(&p.errors), "run this again"), "%s: %s", cases[i].table, buf_z(&p.errors));
		program_free(&p);
		CHECK(program_run(&p, STR_NONE, cases[i].args, ARGS(data)) == 0 && !p.errors.len, "%s: %s", cases[i].table, buf_z(&p.errors));
		program_free(&p);
		CU_ASSERT_EQUAL(files_of(home, "history.db.damaged-.*[0-9]$"), 1);
		home_free(home);
	}
}

static void ask_goes_on_with_what_was_repaired(void)
{
	static const char *const tables[] = { "node_conversation", "sqlite_autoindex_piece_1" };

	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		struct hand *server = hand_new();
		char *home = begin(server, tables[i]);
		struct program p;

		program_start(&p, ARGS("ask", "--no-stdin", "-p", "hand", "--conversation", "last", "and then?"), ARGS(data, config));
		hand_say(server, "Bake it.");
		CHECK(program_wait(&p) == 0, "%s: %d %s", tables[i], p.status, buf_z(&p.errors));
		CHECK(strstr(buf_z(&p.errors), NOTE) != NULL, "%s: %s", tables[i], buf_z(&p.errors));
		CHECK(strstr(hand_body(server), "buttermilk") != NULL, "%s: %s", tables[i], hand_body(server));
		STORED(home, "Bake it.");
		program_free(&p);
		hand_free(server);
		home_free(home);
	}
}

static void damage_index(const char *home)
{
	trouble_furnish(home);
	trouble_zero_page(home, "node_conversation");
}

/* It is found when the tree is read, behind the opening of the file. */
static void the_chat_opens_what_was_named(void)
{
	static const char *const ways[][2] = { { "-c", NULL }, { "--conversation", "last" } };

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .columns = 100, .furnish = damage_index, .arguments = LIST("-p", "hand", ways[i][0], ways[i][1]) });
		PTY_SEES(s.pty, "Soda and buttermilk.");
		pty_wait(s.pty, pty_tells, "turns were recovered, and the damaged file is now ~/", "the note", __FILE__, __LINE__);
		stage_turn(&s, "and then?", "Bake it.");
		CHECK(stage_sent(&s, "buttermilk"), "%s", hand_body(s.server));
		stage_close(&s);
	}
}

/* --- what is interrupted --- */

static void await_file(const char *home, const char *beginning)
{
	int64_t end_ms = check_now_ms() + 60000;

	while (!files_of(home, beginning) && check_now_ms() < end_ms)
		usleep(LOOK_US);
	CHECK(files_of(home, beginning), "there is no %s", beginning);
}

/* The disk holds the repair back when its file is whole but for the last sync. */
static void an_interrupted_repair_leaves_nothing(void)
{
	static const struct { int number, status; } signals[] = { { SIGINT, 130 }, { SIGTERM, 143 }, { SIGHUP, 129 } };

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		char *home = begin(NULL, "conversation");
		const char *const *disk = trouble_slow_disk(home);
		struct program p;

		if (!disk) {
			home_free(home);
			return;
		}
		trouble_disk_waits(home, true);
		program_start(&p, ARGS("history", "list"), ARGS(data, disk[0], disk[1]));
		await_file(home, "history.db.part");
		kill(p.pid, signals[i].number);
		CHECK(program_wait(&p) == signals[i].status, "signal %d: %d %s", signals[i].number, p.status, buf_z(&p.errors));
		CU_ASSERT(!files_of(home, "history.db.part") && !files_of(home, "history.db.damaged") && !files_of(home, "history.db.new"));
		program_free(&p);
		trouble_disk_waits(home, false);
		program_run(&p, STR_NONE, ARGS("history", "list"), ARGS(data));
		CHECK(strstr(buf_z(&p.errors), NOTE) != NULL, "%s", buf_z(&p.errors));
		STORED(home, "Soda and buttermilk.");
		program_free(&p);
		home_free(home);
	}
}

static void damage_header(const char *home)
{
	FILE *f;

	trouble_furnish(home);
	f = fopen(home_path(home, TROUBLE_FILE), "r+");
	CU_ASSERT_FATAL(f && fputs("This was the first page of a database.", f) >= 0);
	fclose(f);
}

static bool something_maintains(const char *home)
{
	char command[300];

	snprintf(command, sizeof command, "grep -lazF 'HOME=%s' /proc/[0-9]*/environ 2>/dev/null | grep -o '[0-9]*' | while read p; do "
	         "tr '\\0' ' ' < /proc/$p/cmdline 2>/dev/null; done | grep -q tend-history", home);
	return system(command) == 0;
}

/* Nobody would hear what was recovered, so nothing is: killed, or in an orderly way. */
static void the_repair_ends_with_the_chat(void)
{
	for (int kill_it = 0; kill_it < 2; kill_it++) {
		struct stage s = { .server = hand_new(), .home = home_new() };
		const char *const *disk = trouble_slow_disk(s.home);
		int64_t end_ms;

		if (!disk) {
			stage_drop(&s);
			return;
		}
		home_write(s.home, ".config/weir/weir.conf", hand_settings(s.server, ""));
		damage_header(s.home);
		trouble_disk_waits(s.home, true);
		s.pty = pty_start(&(struct pty_options){ .home = s.home, .arguments = LIST("-c", "-p", "hand"), .environment = disk, .columns = 100 });
		PTY_SEES(s.pty, "recovering the history ...");
		await_file(s.home, "history.db.part");
		CHECK(something_maintains(s.home), "there is no process");
		if (kill_it)
			kill(pty_pid(s.pty), SIGKILL);
		else
			pty_send(s.pty, "\x03\x03");
		for (end_ms = check_now_ms() + 60000; something_maintains(s.home) && check_now_ms() < end_ms;)
			usleep(LOOK_US);
		CHECK(!something_maintains(s.home), "it goes on");
		CU_ASSERT(!files_of(s.home, "history.db.part") && !files_of(s.home, "history.db.damaged"));
		CHECK(trouble_any_file_has(s.home, "This was the first page of a database."), "the damaged file is gone");
		stage_drop(&s);
	}
}

/* What a process that was killed has left. */
static void leftovers_go_with_the_next_start(void)
{
	char *home = begin(NULL, NULL);
	struct program p;

	home_write(home, TROUBLE_FILE ".part", "half");
	home_write(home, TROUBLE_FILE ".part-wal", "half");
	CHECK(program_run(&p, STR_NONE, ARGS("history", "delete", "1", "--yes"), ARGS(data)) == 0, "%s", buf_z(&p.errors));
	CU_ASSERT_EQUAL(files_of(home, "history.db.part"), 0);
	program_free(&p);
	home_free(home);
}

const struct suite suite_trouble_repair = { "trouble_repair", (const struct test[]){
	TEST(what_reads_has_it_repaired),
	TEST(ask_goes_on_with_what_was_repaired),
	TEST(the_chat_opens_what_was_named),
	TEST(an_interrupted_repair_leaves_nothing),
	TEST(the_repair_ends_with_the_chat),
	TEST(leftovers_go_with_the_next_start),
	{ 0 },
} };
