/*
 * A disk of 1 MB that fills while an answer streams. The chat and `weir ask` go on, with a note; what is missing is stored when there is room
 * again.
 *
 * The disk is a tmpfs in a mount namespace of the program's own, where that is allowed. On every machine, the same with a library that
 * lets writes fail.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/program.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "stage.h"
#include "store/history/history_inside.h"
#include "support/check.h"
#include "support/preload.h"

#define LOOK_US 20000
#define SPARE ((off_t)96 << 10)   /* left for the answer */
#define PIECES_MOST 100
#define PIECE_BYTES_SENT 4000

/* HOME/.local is the disk. */
#define SMALL_DISK \
	"exec unshare -Urm sh -c 'mount -t tmpfs -o size=1m,mode=700 none \"$HOME/.local\" && exec \"$0\" \"$@\"' \"$0\" \"$@\""

struct disk {
	const char *name, *script;
	bool (*is_possible)(struct disk *d);
	const char *environment[3]; /* of the program */
	pid_t pid;                  /* of the program */
	char root[40];              /* in front of the paths of its files */
	char full[80];              /* a file: the disk is full while it exists */
	char flag[100];             /* WEIR_FULL */
};

static struct error err;
static struct buf sent;
static unsigned pieces;

/* --- the disks --- */

static bool mount_is_possible(struct disk *d)
{
	(void)d;
	return system("unshare -Urm sh -c 'mount -t tmpfs -o size=1m none /mnt' >/dev/null 2>&1") == 0;
}

static bool preload_is_possible(struct disk *d)
{
	d->environment[0] = preload_variable("full_disk");
	d->environment[1] = d->flag;
	return d->environment[0] != NULL;
}

static struct disk mounted = { .name = "a small disk cannot be mounted", .script = SMALL_DISK, .is_possible = mount_is_possible };
static struct disk pretended = { .name = "a sanitizer has the calls, or tests/full_disk.so was not built", .script = "exec \"$0\" \"$@\"",
	.is_possible = preload_is_possible };

static bool disk_begin(struct disk *d, const char *home)
{
	char command[120];

	snprintf(d->flag, sizeof d->flag, "WEIR_FULL=%s/.local/full", home);
	if (!d->is_possible(d)) {
		check_skip(d->name);
		return false;
	}
	snprintf(command, sizeof command, "mkdir -p -m 700 '%s/.local'", home);
	CU_ASSERT(system(command) == 0);
	return true;
}

/* The program has the disk: its files are seen from here below its root. */
static void disk_find(struct disk *d, pid_t pid)
{
	d->pid = pid;
	if (d == &mounted)
		snprintf(d->root, sizeof d->root, "/proc/%d/root", (int)pid);
}

static bool join_namespace(pid_t pid, const char *kind)
{
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, kind);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && setns(fd, 0) == 0;
}

/* For this process: paths lead to the disk. SQLite and the store resolve links, so that the root of the program is no way. */
static bool disk_join(const struct disk *d)
{
	return d != &mounted || (join_namespace(d->pid, "user") && join_namespace(d->pid, "mnt"));
}

/* From here on it has less room than the answer takes. */
static void disk_fill(struct disk *d, const char *home)
{
	static const char block[4096];
	off_t length = 0;
	int fd;

	snprintf(d->full, sizeof d->full, "%s%s/.local/full", d->root, home);
	fd = open(d->full, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd >= 0, "%s", d->full);
	while (d == &mounted && write(fd, block, sizeof block) == sizeof block)
		length += (off_t)sizeof block;
	CU_ASSERT(d == &pretended || (length > 2 * SPARE && ftruncate(fd, length - SPARE) == 0));
	close(fd);
}

static void disk_make_room(const struct disk *d)
{
	CHECK(unlink(d->full) == 0, "%s", d->full);
}

/* --- the answer --- */

static void send_piece(struct hand *server)
{
	struct buf piece = { 0 };

	while (piece.len < PIECE_BYTES_SENT)
		buf_add_z(&piece, "0123456789abcdef ");
	buf_printf(&piece, "piece %u, ", pieces++);
	buf_add(&sent, buf_str(&piece));
	hand_text(server, buf_z(&piece));
	buf_fini(&piece);
}

static void send_last_piece(struct hand *server)
{
	buf_add_z(&sent, "and the last words.");
	hand_text(server, "and the last words.");
}

/* Whether the last answer in the history is that text. */
static bool history_has(struct str text)
{
	enum history_status status;
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR(""), NULL, STR(""));
	struct history *h = history_open(2000, &status, &err);
	int64_t row = h ? database_integer(h->db, "SELECT max(id) FROM node WHERE role = 'assistant'", NO_VALUES, 0) : 0;
	bool has = row && history_read_turn(h, row, t, &err) == HISTORY_OK && t->part_count == 1 && str_equal(buf_str(&t->parts[0].text), text);

	history_close(h);
	conversation_free(c);
	return has;
}

/* In a process that enters the namespaces of the program, which alone has the disk. */
static bool is_stored(const struct disk *d, const char *home, struct str text)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		char data[160];

		snprintf(data, sizeof data, "%s/.local/share", home);
		setenv("XDG_DATA_HOME", data, 1);
		_exit(disk_join(d) && history_has(text) ? 0 : 1);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void await_stored(const struct disk *d, const char *home, struct str text, const char *when)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (!is_stored(d, home, text) && check_now_ms() < end_ms)
		usleep(LOOK_US);
	CHECK(is_stored(d, home, text), "%s: not stored", when);
}

static void end(struct disk *d)
{
	d->root[0] = '\0';
	buf_fini(&sent);
	pieces = 0;
}

/* --- the chat --- */

/* "not kept" stays in the status bar as long as that is so. */
static bool is_in_trouble(struct pty *p)
{
	pty_pump(p);
	return strstr(pty_row(p, pty_rows(p) - 1), "not kept") != NULL;
}

static void stream_until_trouble(struct stage *s)
{
	for (int i = 0; i < PIECES_MOST && !is_in_trouble(s->pty) && !pty_has_failed(s->pty); i++) {
		char last[24];

		send_piece(s->server);
		snprintf(last, sizeof last, "piece %u,", pieces - 1);
		pty_wait(s->pty, pty_shows, last, last, __FILE__, __LINE__);
		usleep(LOOK_US);
	}
	PTY_SEES(s->pty, "not kept");
}

static void check_saved_file(const struct stage *s)
{
	struct buf file;

	buf_init(&file, (size_t)1 << 22);
	CHECK(buf_read_file(&file, home_path(s->home, "answer.md"), &err), "%s", err.text);
	CHECK(str_find(buf_str(&file), buf_str(&sent)) < file.len, "the answer is not whole");
	buf_fini(&file);
}

/* The answer is whole on the screen and in a file, and later in the history. */
static void answer_on_full_disk(struct stage *s, const struct disk *d)
{
	stage_begin(s, "go");
	stream_until_trouble(s);
	PTY_SEES(s->pty, "full");
	send_last_piece(s->server);
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "and the last words.");
	STAGE_OVER(s);
	CHECK(!is_stored(d, s->home, buf_str(&sent)), "the disk was not full");
	pty_enter(s->pty, "/save ~/answer.md");
	PTY_SEES(s->pty, "saved to");
	check_saved_file(s);
	disk_make_room(d);
	PTY_LOSES(s->pty, "not kept");
	await_stored(d, s->home, buf_str(&sent), "when there is room");
}

/* With a history that is there, or with none. */
static void chat_on(struct disk *d, bool has_history)
{
	struct stage s = { .server = hand_new(), .home = home_new() };

	if (!disk_begin(d, s.home)) {
		stage_drop(&s);
		return;
	}
	home_write(s.home, ".config/weir/weir.conf", hand_settings(s.server, ""));
	s.pty = pty_start(&(struct pty_options){ .home = s.home, .script = d->script, .environment = d->environment });
	disk_find(d, pty_pid(s.pty));
	STAGE_STATE(&s, "ready");
	if (has_history) {
		stage_turn(&s, "hello", "Good day.");
		await_stored(d, s.home, STR("Good day."), "at first");
	}
	disk_fill(d, s.home);
	answer_on_full_disk(&s, d);
	stage_close(&s);
	end(d);
}

static void the_chat_goes_on_on_a_full_disk(void) { chat_on(&mounted, true); }
static void the_chat_goes_on_where_writes_fail(void) { chat_on(&pretended, true); }
static void the_history_is_created_when_there_is_room(void) { chat_on(&mounted, false); }
static void the_history_is_created_when_writes_succeed(void) { chat_on(&pretended, false); }

/* --- ask --- */

static void ask_on(struct disk *d, bool room_appears)
{
	struct hand *server = hand_new();
	struct program p;

	if (disk_begin(d, folder_path())) {
		const char *config = folder_file("weir.conf", hand_settings(server, ""));

		program_start_script(&p, d->script, ARGS("ask", "--config", config, "--no-stdin", "go"), d->environment);
		disk_find(d, p.pid);
		program_end_input(&p);
		CU_ASSERT_TRUE(hand_accept(server));
		hand_begin(server);
		send_piece(server);
		await_stored(d, folder_path(), buf_str(&sent), "at first");
		disk_fill(d, folder_path());
		while (pieces < PIECES_MOST)
			send_piece(server);
		CHECK(program_await_errors(&p, "full"), "no note: %s", buf_z(&p.errors));
		if (room_appears)
			disk_make_room(d);
		send_last_piece(server);
		CU_ASSERT_TRUE(program_await_output(&p, "and the last words."));
		if (room_appears)
			await_stored(d, folder_path(), buf_str(&sent), "when there is room");
		hand_finish(server, "stop");
		CHECK(program_wait(&p) == 0, "status %d: %s", p.status, buf_z(&p.errors));
		CHECK(str_find(buf_str(&p.output), buf_str(&sent)) == 0, "%zu bytes of %zu are on standard output", p.output.len, sent.len);
		program_free(&p);
	}
	hand_free(server);
	folder_remove();
	end(d);
}

static void ask_answers_on_a_full_disk(void) { ask_on(&mounted, false); }
static void ask_answers_where_writes_fail(void) { ask_on(&pretended, false); }
static void ask_keeps_the_answer_when_there_is_room(void) { ask_on(&mounted, true); }
static void ask_keeps_the_answer_when_writes_succeed(void) { ask_on(&pretended, true); }

const struct suite suite_full_disk = { "full_disk", (const struct test[]){
	TEST(the_chat_goes_on_on_a_full_disk),
	TEST(the_chat_goes_on_where_writes_fail),
	TEST(the_history_is_created_when_there_is_room),
	TEST(the_history_is_created_when_writes_succeed),
	TEST(ask_answers_on_a_full_disk),
	TEST(ask_answers_where_writes_fail),
	TEST(ask_keeps_the_answer_when_there_is_room),
	TEST(ask_keeps_the_answer_when_writes_succeed),
	{ 0 },
} };
