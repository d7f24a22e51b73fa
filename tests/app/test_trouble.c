/*
 * Trouble with the history, through the program: a full disk, a file that cannot be written to, is locked, damaged or of a newer version. The
 * chat goes on, one note says so, and all is written when that works.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/node_text.h"
#include "app/program.h"
#include "base/array.h"
#include "base/mem.h"
#include "lines.h"
#include "stage.h"
#include "store/database.h"
#include "store/history_inside.h"
#include "stored.h"
#include "support/check.h"

#define K_LIST "\x1b[17~" /* F6 */
#define DATA ".local/share/weir"
#define FILE_NAME DATA "/history.db"
#define SHOWN "(~/" FILE_NAME ")"
#define NOT_SAVED "his conversation is not saved: "
#define SAVED "his conversation is saved now"
#define BYTES_LEFT 16384 /* more than the file for frames takes, less than a transaction */

static const struct stored one[] = { { "Bread without yeast", "m-1", "How?", "Soda and buttermilk.", 2, 12, false } };

static void furnish(const char *home)
{
	stored_write(home, one, ARRAY_LEN(one));
}

/* --- the file, from outside --- */

static struct history *open_history(const char *home)
{
	enum history_status status;
	struct error err = { "" };
	struct history *h;

	setenv("XDG_DATA_HOME", home_path(home, ".local/share"), 1);
	h = history_open(5000, &status, &err);
	unsetenv("XDG_DATA_HOME");
	CHECK(h != NULL, "%s", err.text);
	return h;
}

struct reading { struct history *h; struct buf *lines; };

static bool take_words(void *ctx, const struct history_node *node)
{
	struct reading *r = ctx;

	node_text_add(r->h, node, r->lines);
	buf_add_byte(r->lines, '\n');
	return true;
}

static bool take_nodes(void *ctx, const struct history_conversation *c)
{
	struct reading *r = ctx;
	struct error err = { "" };

	(void)history_nodes(r->h, c->id, take_words, r, &err);
	return true;
}

/* Every turn of every conversation, a line each. */
static const char *stored_lines(const char *home)
{
	static struct buf lines;
	struct history *h = open_history(home);
	struct error err = { "" };

	buf_clear(&lines);
	if (h)
		(void)history_list(h, NULL, 100, take_nodes, &(struct reading){ h, &lines }, &err);
	history_close(h);
	return buf_z(&lines);
}

#define STORED(home, text) CHECK(strstr(stored_lines(home), text) != NULL, "%s is not stored:\n%s", text, stored_lines(home))

static void run_sql(const char *home, const char *sql)
{
	enum database_status status;
	struct error err = { "" };
	struct database *db = database_open(home_path(home, FILE_NAME), DATABASE_WRITE, 5000, &status, &err);

	CHECK(db != NULL, "%s", err.text);
	if (!db)
		return;
	database_script(db, sql);
	CHECK(database_status(db) == DATABASE_OK, "%s", database_message(db));
	database_close(db);
}

/* --- the kinds of trouble --- */

static struct history *lock; /* held by this process, which is another program to weir */

static void lock_file(const char *home)
{
	struct error err = { "" };

	if ((lock = open_history(home)))
		CHECK(history_batch(lock, &err) == HISTORY_OK, "%s", err.text);
}

static void unlock_file(const char *home, int pid)
{
	struct error err = { "" };

	(void)home, (void)pid;
	if (lock)
		(void)history_commit(lock, &err);
	history_close(lock);
	lock = NULL;
}

static void lock_running(const char *home, int pid)
{
	(void)pid;
	lock_file(home);
}

static void set_newer(const char *home)
{
	furnish(home);
	run_sql(home, "UPDATE form SET number = 9999999; PRAGMA user_version = 9999999");
}

static void unset_newer(const char *home, int pid)
{
	char sql[120];

	(void)pid;
	snprintf(sql, sizeof sql, "UPDATE form SET number = %d; PRAGMA user_version = %d", HISTORY_FORM, HISTORY_FORM);
	run_sql(home, sql);
}

#define ASIDE ".local/share/aside"
#define NO_FOLDER "the history cannot be opened: remove ~/" DATA ": it is not a folder"

/* A file is in the place of the folder. */
static void set_file(const char *home)
{
	furnish(home);
	char *from = mem_dup_z(home_path(home, DATA));
	CHECK(rename(from, home_path(home, ASIDE)) == 0, "%s", from);
	mem_free(from);
	home_write(home, DATA, "no folder");
}

static void unset_file(const char *home, int pid)
{
	(void)pid;
	char *to = mem_dup_z(home_path(home, DATA));
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

#define READ_ONLY "exec unshare -rm sh -c 'mount --bind \"$HOME/" DATA "\" \"$HOME/" DATA "\" && mount -o remount,bind,ro \"$HOME/" DATA "\" && " \
	"exec \"$0\" \"$@\"' \"$0\" \"$@\""

static void remount(const char *home, int pid)
{
	char command[500];

	snprintf(command, sizeof command, "nsenter -t %d -U -m --preserve-credentials mount -o remount,bind,rw '%s'", pid, home_path(home, DATA));
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
	{ "full", furnish, NULL, fill_disk, free_disk, NOT_SAVED "the disk is full " SHOWN ". Free some space." },
	{ "read-only", furnish, READ_ONLY, NULL, remount,
	  NOT_SAVED "the history cannot be written to " SHOWN ". Make the file and its folder writable." },
	{ "locked", furnish, NULL, lock_running, unlock_file, NOT_SAVED "another program keeps the history locked " SHOWN ". End that program." },
	{ "newer", set_newer, NULL, NULL, unset_newer,
	  NOT_SAVED "the history was written by a newer weir " SHOWN ". Start that version, or move the file away." },
	{ "no folder", set_file, NULL, NULL, unset_file, NOT_SAVED NO_FOLDER "." },
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

	stage_open(&s, &(struct stage_options){ .rows = 40, .columns = 100, .furnish = t->furnish, .script = t->script });
	if (t->begin)
		t->begin(s.home, pty_pid(s.pty));
	stage_turn(&s, "hello", "Good day.");
	pty_wait(s.pty, pty_tells, t->words, t->name, __FILE__, __LINE__);
	PTY_SEES(s.pty, "not kept");
	stage_turn(&s, "more", "Another one.");
	CHECK(times_told(s.pty, NOT_SAVED) == 1, "%s: it is told %u times\n%s", t->name, times_told(s.pty, NOT_SAVED), pty_dump(s.pty));
	t->end(s.home, pty_pid(s.pty));
	pty_wait(s.pty, pty_tells, SAVED, t->name, __FILE__, __LINE__);
	PTY_LOSES(s.pty, "not kept");
	CHECK(times_told(s.pty, NOT_SAVED) == 1, "%s: the note stays\n%s", t->name, pty_dump(s.pty));
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
	pty_send(s.pty, K_LIST);
	pty_wait(s.pty, pty_tells, NO_FOLDER, "what is wrong", __FILE__, __LINE__);
	stage_drop(&s);
}

/* The words in a file below the home, as grep finds them. */
static bool any_file_has(const char *home, const char *words)
{
	char command[400];

	snprintf(command, sizeof command, "grep -rqaF '%s' '%s'", words, home);
	return system(command) == 0;
}

/* The notes are about this run: neither the file nor an export has them. */
static void notes_are_not_stored(void)
{
	struct stage s;
	char line[300];

	stage_open(&s, &(struct stage_options){ .furnish = set_newer });
	stage_turn(&s, "hello", "Good day.");
	pty_wait(s.pty, pty_tells, NOT_SAVED, "the note", __FILE__, __LINE__);
	snprintf(line, sizeof line, "/save %s", home_path(s.home, "copy.json"));
	pty_enter(s.pty, line);
	PTY_SEES(s.pty, "saved to");
	unset_newer(s.home, 0);
	pty_wait(s.pty, pty_tells, SAVED, "the note", __FILE__, __LINE__);
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	CHECK(any_file_has(s.home, "Good day."), "nothing is stored");
	CHECK(!any_file_has(s.home, "is not saved"), "the note is stored");
	stage_drop(&s);
}

/* What was wrong before the first prompt stands below it. */
static void an_empty_page_has_the_note_later(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .furnish = set_newer });
	pty_wait(s.pty, pty_tells, NOT_SAVED, "the message", __FILE__, __LINE__);
	PTY_SEES(s.pty, "not kept");
	PTY_SEES(s.pty, "A live view");
	stage_turn(&s, "hello", "Good day.");
	CHECK(pty_find_row(s.pty, "Good day.") >= 0 && pty_find_row(s.pty, "T" NOT_SAVED) > pty_find_row(s.pty, "hello"), "%s", pty_dump(s.pty));
	stage_drop(&s);
}

/* --- lines --- */

static void lines_say_it(void)
{
	struct lines l;

	lines_begin(&l);
	furnish(l.home);
	lines_restart(&l);
	lock_file(l.home);
	lines_stream(&l, "hello", "Good day.");
	hand_finish(l.server, "stop");
	SAYS(&l, "Good day.");
	SAYS(&l, "Note: t" NOT_SAVED "another program keeps the history locked " SHOWN ". End that program.");
	SAYS(&l, "/save FILE writes a copy.");
	DIALOGUE(&l, "> /quit", "quit again to lose it");
	unlock_file(l.home, 0);
	SAYS(&l, "Note: t" SAVED);
	DIALOGUE(&l, "> /quit");
	PTY_ENDS(l.pty, 0);
	CHECK_PLAIN(pty_output(l.pty));
	STORED(l.home, "Good day.");
	lines_drop(&l);
}

/* --- ask --- */

static void ask_says_it(void)
{
	struct hand *server = hand_new();
	char *home = home_new(), variable[300], home_is[300];
	const char *config = home_write(home, ".config/weir/weir.conf", hand_settings(server, ""));
	struct program p;

	(void)config;
	set_newer(home);
	snprintf(variable, sizeof variable, "XDG_CONFIG_HOME=%s", home_path(home, ".config"));
	snprintf(home_is, sizeof home_is, "HOME=%s", home);
	program_start(&p, ARGS("ask", "--no-stdin", "hello"), ARGS(variable, home_is));
	program_end_input(&p);
	hand_say(server, "Good day.");
	CHECK(program_wait(&p) == 0, "%d: %s", p.status, buf_z(&p.errors));
	CHECK_STR(buf_str(&p.output), "Good day.");
	CHECK_STR(buf_str(&p.errors), "weir: note: t" NOT_SAVED "the history was written by a newer weir " SHOWN ". Start that version, or move the file "
	                              "away\n");
	program_free(&p);
	hand_free(server);
	home_free(home);
}

/* --- leaving --- */

static void what_was_left_is_written_later(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 100, .furnish = furnish });
	lock_file(s.home);
	stage_turn(&s, "hello", "Good day.");
	pty_enter(s.pty, "/new");
	PTY_SEES(s.pty, "A live view");
	stage_turn(&s, "another", "Reply two.");
	PTY_SEES(s.pty, "not kept");
	pty_enter(s.pty, "/quit");
	PTY_SEES(s.pty, "2 conversations are not saved");
	unlock_file(s.home, 0);
	pty_wait(s.pty, pty_tells, SAVED, "the note", __FILE__, __LINE__);
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

	stage_open(&s, &(struct stage_options){ .columns = 100, .furnish = furnish });
	stage_turn(&s, "hello", "Good day.");
	lock_file(s.home);
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
	unlock_file(s.home, 0);
	PTY_LOSES(s.pty, "not kept");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	STORED(s.home, "Soda and buttermilk.\n");
	STORED(s.home, "hello\nGood day.\ngo on\nReply two.\nand on\nAgain three.\n");
	stage_drop(&s);
}

static void quitting_says_what_is_lost(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 200, .furnish = set_newer });
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
	CHECK(pty_has_written(s.pty, "its last answer is on tape in ~/.local/state/weir/tapes/"), "%s", pty_dump(s.pty));
	PTY_RESTORED(s.pty);
	stage_drop(&s);
}

/* Nothing that was private meanwhile is written with what was not. */
static void what_became_private_is_not_written(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 100, .furnish = set_newer });
	stage_turn(&s, "hello", "Good day.");
	pty_enter(s.pty, "/private");
	pty_wait(s.pty, pty_tells, "what was said last could not be written to the history", "the message", __FILE__, __LINE__);
	stage_turn(&s, "sesame", "Opened.");
	pty_enter(s.pty, "/new");
	unset_newer(s.home, 0);
	pty_enter(s.pty, "/private");
	stage_turn(&s, "openly", "Reply two.");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	STORED(s.home, "Reply two.");
	CHECK(!any_file_has(s.home, "Opened."), "what is private is stored");
	stage_drop(&s);
}

/* --- the list --- */

static void open_locked_list(struct stage *s)
{
	stage_open(s, &(struct stage_options){ .columns = 100, .furnish = furnish });
	pty_send(s->pty, K_LIST);
	PTY_SEES(s->pty, "1 in all");
	lock_file(s->home);
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
	unlock_file(s.home, 0);
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
	unlock_file(s.home, 0);
	PTY_SEES(s.pty, "Soda bread");
	PTY_LOSES(s.pty, "Rename");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Conversations");
	stage_close(&s);
}

/* --- two programs --- */

/* Nothing of either is lost: what the other one said is a branch. */
static void two_programs_go_on_with_one_conversation(void)
{
	struct stage s;
	struct pty *other;

	stage_open(&s, &(struct stage_options){ .columns = 100, .furnish = furnish, .arguments = LIST("-c", "-p", "hand") });
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
	usleep(1200000); /* it is written once a second */
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

/* --- -c while the file is not ready --- */

static void damage(const char *home)
{
	FILE *f;

	furnish(home);
	f = fopen(home_path(home, FILE_NAME), "r+");
	if (f) {
		fputs("This was the first page of a database.", f);
		fclose(f);
	}
}

static void make_older(const char *home)
{
	char sql[120];

	furnish(home);
	snprintf(sql, sizeof sql, "UPDATE form SET number = %d; PRAGMA user_version = %d", HISTORY_FORM - 1, HISTORY_FORM - 1);
	run_sql(home, sql);
}

/* The process that recovers waits for the lock of another one that tends. */
static int hold_tending(const char *home)
{
	int fd = open(home_path(home, DATA "/history.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	CHECK(fd >= 0 && flock(fd, LOCK_EX) == 0, "the lock");
	return fd;
}

static void continuing_waits_for(void (*prepare)(const char *home), const char *doing, const char *told)
{
	struct stage s = { .server = hand_new(), .home = home_new() };
	int held;

	home_write(s.home, ".config/weir/weir.conf", hand_settings(s.server, ""));
	prepare(s.home);
	held = hold_tending(s.home);
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
	home_write(s.home, FILE_NAME ".part/in-the-way", "");
	s.pty = pty_start(&(struct pty_options){ .home = s.home, .arguments = LIST("-c", "-p", "hand"), .columns = 100 });
	pty_wait(s.pty, pty_tells, "the conversation cannot be opened: remove ~/" FILE_NAME ".part", "the message", __FILE__, __LINE__);
	PTY_SEES(s.pty, "not kept");
	stage_turn(&s, "hello", "Good day.");
	pty_wait(s.pty, pty_tells, "T" NOT_SAVED "remove ~/" FILE_NAME ".part", "the note", __FILE__, __LINE__);
	CHECK(any_file_has(s.home, "This was the first page of a database."), "the damaged file is gone");
	CHECK(any_file_has(s.home, "Soda and buttermilk."), "its words are gone");
	stage_drop(&s);
}

/* What there is none of, or what is of another version, is not waited for. */
static void continuing_needs_a_history(void)
{
	static const struct { void (*furnish)(const char *home); const char *said; } cases[] = {
		{ NULL, "The conversation cannot be opened: no conversation is stored yet" },
		{ set_newer, "The conversation cannot be opened: the history was written by a newer weir " SHOWN },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .columns = 120, .arguments = LIST("-c", "-p", "hand"), .furnish = cases[i].furnish });
		stage_turn(&s, "hello", "Good day.");
		pty_wait(s.pty, pty_tells, cases[i].said, cases[i].said, __FILE__, __LINE__);
		stage_drop(&s);
	}
}

/* One line, however long the other program keeps the lock. */
static void ask_says_that_it_is_locked(void)
{
	struct hand *server = hand_new();
	char *home = home_new(), variable[300], home_is[300];
	struct program p;

	home_write(home, ".config/weir/weir.conf", hand_settings(server, ""));
	furnish(home);
	lock_file(home);
	snprintf(variable, sizeof variable, "XDG_CONFIG_HOME=%s", home_path(home, ".config"));
	snprintf(home_is, sizeof home_is, "HOME=%s", home);
	program_start(&p, ARGS("ask", "--no-stdin", "hello"), ARGS(variable, home_is));
	program_end_input(&p);
	hand_say(server, "Good day.");
	CHECK(program_wait(&p) == 0, "%d: %s", p.status, buf_z(&p.errors));
	CHECK_STR(buf_str(&p.output), "Good day.");
	CHECK(str_starts(buf_str(&p.errors), "weir: note: t" NOT_SAVED "another program keeps the history locked") ||
	      str_starts(buf_str(&p.errors), "weir: note: this conversation is not saved, or not all of it: another program"), "%s", buf_z(&p.errors));
	CHECK(str_find(buf_str(&p.errors), STR("\n")) + 1 == p.errors.len, "%s", buf_z(&p.errors));
	unlock_file(home, 0);
	program_free(&p);
	hand_free(server);
	home_free(home);
}

static void lines_wait_for_the_history(void)
{
	struct lines l;
	int held;

	lines_begin(&l);
	pty_free(l.pty);
	damage(l.home);
	held = hold_tending(l.home);
	l.pty = pty_start(&(struct pty_options){ .home = l.home, .arguments = LIST("--plain", "-c", "-p", "hand") });
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

const struct suite suite_trouble = { "trouble", (const struct test[]){
	TEST(the_chat_goes_on_and_says_so_once),
	TEST(the_list_names_the_history),
	TEST(notes_are_not_stored),
	TEST(an_empty_page_has_the_note_later),
	TEST(lines_say_it),
	TEST(ask_says_it),
	TEST(what_was_left_is_written_later),
	TEST(what_was_left_is_opened_as_it_is),
	TEST(quitting_says_what_is_lost),
	TEST(what_became_private_is_not_written),
	TEST(what_the_list_cannot_do_is_said),
	TEST(a_short_lock_is_waited_for),
	TEST(two_programs_go_on_with_one_conversation),
	TEST(an_answer_under_way_is_another_programs),
	TEST(continuing_waits_for_the_history),
	TEST(continuing_gives_up),
	TEST(continuing_needs_a_history),
	TEST(lines_wait_for_the_history),
	TEST(ask_says_that_it_is_locked),
	{ 0 },
} };
