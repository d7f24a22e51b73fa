/*
 * Trouble with the history, through the program: a full disk, a file that cannot be written to, is locked, damaged or of a newer version. The
 * chat goes on, one note says so, and all is written when that works.
 */
#include "app/trouble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/lines.h"
#include "app/program.h"
#include "app/stage.h"
#include "base/array.h"
#include "base/mem.h"
#include "support/check.h"
#include "support/turned.h"

#define BYTES_LEFT 16384 /* more than the file for frames takes, less than a transaction */

/* --- the kinds of trouble --- */

static void lock_running(const char *home, int pid)
{
	(void)pid;
	trouble_lock(home);
}

#define ASIDE ".local/share/aside"
#define NO_FOLDER "the history cannot be opened: remove ~/" TROUBLE_DATA ": it is not a folder"

/* A file is in the place of the folder. */
static void set_file(const char *home)
{
	trouble_furnish(home);
	char *from = mem_dup_z(home_path(home, TROUBLE_DATA));
	CHECK(rename(from, home_path(home, ASIDE)) == 0, "%s", from);
	mem_free(from);
	home_write(home, TROUBLE_DATA, "no folder");
}

static void unset_file(const char *home, int pid)
{
	(void)pid;
	char *to = mem_dup_z(home_path(home, TROUBLE_DATA));
	CHECK(unlink(to) == 0 && rename(home_path(home, ASIDE), to) == 0, "%s", to);
	mem_free(to);
}

static void let_grow(int pid, rlim_t bytes)
{
	struct rlimit limit;

	CHECK(prlimit(pid, RLIMIT_FSIZE, NULL, &limit) == 0, "the limit");
	limit.rlim_cur = bytes;
	CHECK(prlimit(pid, RLIMIT_FSIZE, &limit, NULL) == 0, "the limit");
}

static void fill_disk(const char *home, int pid)
{
	(void)home;
	let_grow(pid, BYTES_LEFT);
}

static void free_disk(const char *home, int pid)
{
	(void)home;
	let_grow(pid, RLIM_INFINITY);
}

static bool has_mounts(void)
{
	return !system("unshare -rm sh -c 'mount -t tmpfs none /tmp' 2>/dev/null");
}

#define READ_ONLY "exec unshare -rm sh -c 'mount --bind \"$HOME/" TROUBLE_DATA "\" \"$HOME/" TROUBLE_DATA "\" && mount -o remount,bind,ro \"$HOME/" TROUBLE_DATA "\" && " \
	"exec \"$0\" \"$@\"' \"$0\" \"$@\""

static void remount(const char *home, int pid)
{
	char command[500];

	snprintf(command, sizeof command, "nsenter -t %d -U -m --preserve-credentials mount -o remount,bind,rw '%s'", pid, home_path(home, TROUBLE_DATA));
	CHECK(system(command) == 0, "%s", command);
}

static const struct trouble {
	const char *name;
	void (*furnish)(const char *home);
	const char *script;              /* NULL: no shell */
	void (*begin)(const char *home, int pid); /* while it runs; NULL: it is there from the start */
	void (*end)(const char *home, int pid);
	const char *words;
} troubles[] = {
	{ "full", trouble_furnish, NULL, fill_disk, free_disk, TROUBLE_NOT_SAVED "the disk is full " TROUBLE_SHOWN ". Free some space." },
	{ "read-only", trouble_furnish, READ_ONLY, NULL, remount,
	  TROUBLE_NOT_SAVED "the history cannot be written to " TROUBLE_SHOWN ". Make the file and its folder writable." },
	{ "locked", trouble_furnish, NULL, lock_running, trouble_unlock, TROUBLE_NOT_SAVED "another program keeps the history locked " TROUBLE_SHOWN ". End that program." },
	{ "newer", trouble_set_newer, NULL, NULL, trouble_unset_newer,
	  TROUBLE_NOT_SAVED "the history was written by a newer weir " TROUBLE_SHOWN ". Start that version, or move the file away." },
	{ "no folder", set_file, NULL, NULL, unset_file, TROUBLE_NOT_SAVED NO_FOLDER "." },
};

static bool can_be(const struct trouble *t)
{
	static int mounts = -1;

	if (t->script && mounts < 0 && !(mounts = has_mounts()))
		check_skip("no file systems can be mounted here");
	return !t->script || mounts;
}

/* --- the screen --- */

/* How often the words are on the screen, however they are wrapped. */
static unsigned times_told(struct pty *p, const char *words)
{
	struct buf text = { 0 };
	unsigned times = 0;

	for (unsigned row = 0; row < pty_rows(p); row++) {
		struct str line = str_trim(str_from(pty_row(p, row)));

		buf_add(&text, line);
		buf_add_z(&text, " ");
	}
	for (const char *at = buf_z(&text); (at = strstr(at, words)); at++)
		times++;
	buf_fini(&text);
	return times;
}

static void check_on_screen(const struct trouble *t)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 40, .columns = 100, .furnish = t->furnish, .script = t->script, .turns = true });
	if (t->begin)
		t->begin(s.home, pty_pid(s.pty));
	stage_turn(&s, "hello", "Good day.");
	PTY_SEES_LATER(s.pty, t->words);
	PTY_SEES(s.pty, "not kept");
	stage_turn(&s, "more", "Another one.");
	CHECK(times_told(s.pty, TROUBLE_NOT_SAVED) == 1, "%s: it is told %u times\n%s", t->name, times_told(s.pty, TROUBLE_NOT_SAVED), pty_dump(s.pty));
	t->end(s.home, pty_pid(s.pty));
	PTY_SEES_LATER(s.pty, TROUBLE_SAVED);
	PTY_LOSES(s.pty, "not kept");
	CHECK(times_told(s.pty, TROUBLE_NOT_SAVED) == 1, "%s: the note stays\n%s", t->name, pty_dump(s.pty));
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	STORED(s.home, "Good day.");
	STORED(s.home, "Another one.");
	STORED(s.home, "Soda and buttermilk.");
	stage_drop(&s);
}

static void the_chat_goes_on_and_says_so_once(void)
{
	for (size_t i = 0; i < ARRAY_LEN(troubles); i++)
		if (can_be(&troubles[i]))
			check_on_screen(&troubles[i]);
}

static void the_list_names_the_history(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 30, .columns = 100, .furnish = set_file });
	pty_send(s.pty, K_F6);
	pty_wait(s.pty, pty_tells, NO_FOLDER, "what is wrong", __FILE__, __LINE__);
	stage_drop(&s);
}

/* The notes are about this run: neither the file nor an export has them. */
static void notes_are_not_stored(void)
{
	struct stage s;
	char line[300];

	stage_open(&s, &(struct stage_options){ .furnish = trouble_set_newer, .turns = true });
	stage_turn(&s, "hello", "Good day.");
	pty_wait(s.pty, pty_tells, TROUBLE_NOT_SAVED, "the note", __FILE__, __LINE__);
	snprintf(line, sizeof line, "/save %s", home_path(s.home, "copy.json"));
	pty_enter(s.pty, line);
	PTY_SEES(s.pty, "saved to");
	trouble_unset_newer(s.home, 0);
	PTY_SEES_LATER(s.pty, TROUBLE_SAVED);
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	CHECK(trouble_any_file_has(s.home, "Good day."), "nothing is stored");
	CHECK(!trouble_any_file_has(s.home, "is not saved"), "the note is stored");
	stage_drop(&s);
}

/* What was wrong before the first prompt stands below it. */
static void an_empty_page_has_the_note_later(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .furnish = trouble_set_newer });
	pty_wait(s.pty, pty_tells, TROUBLE_NOT_SAVED, "the message", __FILE__, __LINE__);
	PTY_SEES(s.pty, "not kept");
	PTY_SEES(s.pty, "A live view");
	stage_turn(&s, "hello", "Good day.");
	CHECK(pty_find_row(s.pty, "Good day.") >= 0 && pty_find_row(s.pty, "T" TROUBLE_NOT_SAVED) > pty_find_row(s.pty, "hello"), "%s", pty_dump(s.pty));
	stage_drop(&s);
}

/* --- lines --- */

static void lines_say_it(void)
{
	struct lines l;

	lines_begin(&l);
	trouble_furnish(l.home);
	lines_restart(&l);
	trouble_lock(l.home);
	lines_stream(&l, "hello", "Good day.");
	hand_finish(l.server, "stop");
	SAYS(&l, "Good day.");
	SAYS_LATER(&l, "Note: t" TROUBLE_NOT_SAVED "another program keeps the history locked " TROUBLE_SHOWN ". End that program.");
	SAYS(&l, "/save FILE writes a copy.");
	DIALOGUE(&l, "> /quit", "quit again to lose it");
	trouble_unlock(l.home, 0);
	SAYS_LATER(&l, "Note: t" TROUBLE_SAVED);
	DIALOGUE(&l, "> /quit");
	PTY_ENDS(l.pty, 0);
	CHECK_PLAIN(pty_output(l.pty));
	STORED(l.home, "Good day.");
	lines_drop(&l);
}

/* --- ask --- */

/* `weir ask` with that home: it is answered, whatever the history's trouble. */
static void ask_at(struct program *p, const char *home, struct hand *server, struct turned *clock)
{
	char config[300], home_is[300];

	snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s", home_path(home, ".config"));
	snprintf(home_is, sizeof home_is, "HOME=%s", home);
	const char *const *of_clock = turned_variables(clock);
	program_start(p, ARGS("ask", "--no-stdin", "hello"), ARGS(config, home_is, of_clock[0], of_clock[1]));
	program_end_input(p);
	hand_say(server, "Good day.");
	CU_ASSERT(program_await_output(p, "Good day."));
	p->turning = clock;
	CHECK(program_wait(p) == 0, "%d: %s", p->status, buf_z(&p->errors));
	CHECK_STR(buf_str(&p->output), "Good day.\n");
}

static void ask_says_it(void)
{
	struct hand *server = hand_new();
	struct turned *clock = turned_new();
	char *home = home_new();
	struct program p;

	home_write(home, ".config/weir/weir.conf", hand_settings(server, ""));
	trouble_set_newer(home);
	ask_at(&p, home, server, clock);
	CHECK_STR(buf_str(&p.errors), "weir: note: t" TROUBLE_NOT_SAVED "the history was written by a newer weir " TROUBLE_SHOWN ". Start that version, or move the file "
	                              "away\n");
	program_free(&p);
	turned_free(clock);
	hand_free(server);
	home_free(home);
}

/* One line, however long the other program keeps the lock. */
static void ask_says_that_it_is_locked(void)
{
	struct hand *server = hand_new();
	struct turned *clock = turned_new();
	char *home = home_new();
	struct program p;

	home_write(home, ".config/weir/weir.conf", hand_settings(server, ""));
	trouble_furnish(home);
	trouble_lock(home);
	ask_at(&p, home, server, clock);
	CHECK(str_starts(buf_str(&p.errors), "weir: note: t" TROUBLE_NOT_SAVED "another program keeps the history locked") ||
	      str_starts(buf_str(&p.errors), "weir: note: this conversation is not saved, or not all of it: another program"), "%s", buf_z(&p.errors));
	CHECK(str_find(buf_str(&p.errors), STR("\n")) + 1 == p.errors.len, "%s", buf_z(&p.errors));
	trouble_unlock(home, 0);
	program_free(&p);
	turned_free(clock);
	hand_free(server);
	home_free(home);
}

/* --- reading --- */

static void program_of_read_only(struct program *p, const char *home, const char *const *args)
{
	char home_is[300], data[300];

	snprintf(home_is, sizeof home_is, "HOME=%s", home);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s", home_path(home, ".local/share"));
	program_start_script(p, READ_ONLY, args, ARGS(home_is, data));
	(void)program_wait(p);
}

/* There is no WAL, and none can be made. */
static void what_cannot_be_written_can_be_read(void)
{
	static const struct { const char *args[5], *shows; int status; } cases[] = {
		{ { "history", "list" }, "Bread without yeast", 0 },
		{ { "history", "show", "last" }, "Soda and buttermilk.", 0 },
		{ { "history", "search", "buttermilk" }, "Bread without yeast", 0 },
		{ { "history", "delete", "last", "--force" }, "cannot be written to", 1 },
	};
	char *home = home_new();

	trouble_furnish(home);
	trouble_sql(home, "PRAGMA wal_checkpoint(TRUNCATE)");
	unlink(home_path(home, TROUBLE_FILE "-wal"));
	unlink(home_path(home, TROUBLE_FILE "-shm"));
	for (size_t i = 0; can_be(&(struct trouble){ .script = READ_ONLY }) && i < ARRAY_LEN(cases); i++) {
		struct program p;

		program_of_read_only(&p, home, cases[i].args);
		CHECK(p.status == cases[i].status && strstr(buf_z(cases[i].status ? &p.errors : &p.output), cases[i].shows), "%s: %d %s%s", cases[i].args[1],
		      p.status, buf_z(&p.output), buf_z(&p.errors));
		program_free(&p);
	}
	home_free(home);
}

/* --- the list --- */

static void open_locked_list(struct stage *s)
{
	stage_open(s, &(struct stage_options){ .columns = 100, .furnish = trouble_furnish });
	pty_send(s->pty, K_F6);
	PTY_SEES(s->pty, "1 in all");
	trouble_lock(s->home);
}

/* Another program writes meanwhile: nothing is done, which is said, and it works later. */
static void what_the_list_cannot_do_is_said(void)
{
	struct stage s;

	open_locked_list(&s);
	pty_send(s.pty, "\x12\x15" "Soda bread\r");
	PTY_SEES(s.pty, "the title is not changed: another program is writing to the history");
	PTY_SEES(s.pty, "Bread without yeast");
	pty_send(s.pty, "\x14");
	PTY_SEES(s.pty, "it is not pinned: another program is writing to the history");
	pty_send(s.pty, "\x18" "y");
	PTY_SEES(s.pty, "nothing is deleted: another program is writing to the history");
	PTY_SEES(s.pty, "1 in all");
	trouble_unlock(s.home, 0);
	pty_send(s.pty, "\x12\x15" "Soda bread\r");
	PTY_SEES(s.pty, ">   Soda bread");
	pty_send(s.pty, "\x14");
	PTY_SEES(s.pty, "pinned ");
	pty_send(s.pty, "\x18" "y");
	PTY_SEES(s.pty, "brings it back");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Conversations");
	CHECK(pty_find_row(s.pty, "not kept") < 0, "it is no trouble of the conversation\n%s", pty_dump(s.pty));
	stage_close(&s);
}

/* A transaction of another program is over soon: nobody notices it. */
static void a_short_lock_is_waited_for(void)
{
	struct stage s;

	open_locked_list(&s);
	pty_press(s.pty, "\x12\x15" "Soda bread\r");
	usleep(50000);
	trouble_unlock(s.home, 0);
	PTY_SEES(s.pty, "Soda bread");
	PTY_LOSES(s.pty, "Rename");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Conversations");
	stage_close(&s);
}

const struct suite suite_trouble = { "trouble", (const struct test[]){
	TEST(the_chat_goes_on_and_says_so_once),
	TEST(the_list_names_the_history),
	TEST(notes_are_not_stored),
	TEST(an_empty_page_has_the_note_later),
	TEST(lines_say_it),
	TEST(ask_says_it),
	TEST(ask_says_that_it_is_locked),
	TEST(what_cannot_be_written_can_be_read),
	TEST(what_the_list_cannot_do_is_said),
	TEST(a_short_lock_is_waited_for),
	{ 0 },
} };
