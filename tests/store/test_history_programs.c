/* Several programs with one history, and programs that are killed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "store/shelf.h"
#include "store/turns.h"
#include "support/check.h"
#include "wire/protocol/protocol.h"

#define WRITERS 2
#define TURNS 150
#define KILLS 25
#define SHARED_TURNS 60
#define EVENTS 40

static struct error err;

static enum history_status maintain(void)
{
	struct maintain_result result;
	enum history_status status = history_maintain(&(struct maintain_options){ 0 }, &result, &err);

	maintain_result_fini(&result);
	return status;
}

static void begin(void)
{
	shelf_begin();
	CHECK(maintain() == HISTORY_OK, "%s", err.text);
}

/* --- syncs: SQLite calls these instead of the C library's --- */

static int syncs;

int fdatasync(int fd)
{
	syncs++;
	return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
	syncs++;
	return (int)syscall(SYS_fsync, fd);
}

static void put_answer(struct history *h, int64_t conversation)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), protocol_at(0), STR("m"));
	int64_t node = 0;

	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .text = STR("words") });
	CHECK(history_put_turn(h, conversation, 0, t, &node, &err) == HISTORY_OK, "%s", err.text);
	conversation_free(c);
}

static void only_maintenance_waits_for_the_disk(void)
{
	enum history_status status;
	int64_t conversation = 0;

	syncs = 0;
	begin();
	CHECK(syncs > 0, "SQLite does not call our functions");
	for (int i = 0; i < 5; i++) {
		syncs = 0;
		struct history *h = history_open(0, &status, &err);
		CHECK(history_begin(h, &(struct history_conversation){ .title = "t" }, &conversation, &err) == HISTORY_OK, "%s", err.text);
		put_answer(h, conversation);
		put_answer(h, conversation);
		history_close(h);
		CU_ASSERT_EQUAL(syncs, 0);
		if (i % 2)
			CHECK(maintain() == HISTORY_OK, "%s", err.text);
	}
	shelf_end();
}

/* Repeats what was busy, as the event loop does. Anything else ends the program. */
#define UNTIL_DONE(operation)                                     \
	do {                                                      \
		enum history_status done;                         \
		while ((done = (operation)) == HISTORY_BUSY)      \
			usleep(200);                              \
		if (done != HISTORY_OK)                           \
			_exit(2);                                 \
	} while (0)

static void write_turns(const char *title)
{
	enum history_status status;
	struct history *h;
	int64_t conversation = 0, parent = 0;

	while (!(h = history_open(0, &status, &err)))
		if (status != HISTORY_BUSY)
			_exit(1);
	UNTIL_DONE(history_begin(h, &(struct history_conversation){ .title = title }, &conversation, &err));
	for (int i = 0; i < TURNS; i++) {
		struct conversation *c = conversation_new();
		struct turn *t = conversation_answer(c, STR("p"), protocol_at(0), STR("m"));
		int64_t node = 0;
		char words[40];

		snprintf(words, sizeof words, "%s %d.", title, i);
		for (int part = 0; part < 3; part++) {
			turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .text = str_from(words) });
			UNTIL_DONE(history_put_turn(h, conversation, parent, t, &node, &err));
		}
		parent = node;
		conversation_free(c);
	}
	history_close(h);
	_exit(0);
}

static pid_t start(void run(const char *title), const char *title)
{
	pid_t child = fork();

	if (child == 0)
		run(title);
	return child;
}

static void check_end(pid_t child)
{
	int status;

	CU_ASSERT(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
}

static void two_programs_write_and_one_maintains(void)
{
	pid_t writers[WRITERS];
	enum history_status status;
	struct history *h;

	begin();
	for (int i = 0; i < WRITERS; i++)
		writers[i] = start(write_turns, i ? "one" : "two");
	for (int i = 0; i < 20; i++) {
		status = maintain(); /* a lock that others keep taking may stay busy */
		CHECK(status == HISTORY_OK || status == HISTORY_BUSY, "%s", err.text);
	}
	for (int i = 0; i < WRITERS; i++)
		check_end(writers[i]);
	CHECK(maintain() == HISTORY_OK, "%s", err.text);
	h = history_open(0, &status, &err);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM node", NO_VALUES, -1), WRITERS * TURNS);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(DISTINCT content) FROM piece JOIN part ON part.id = part JOIN node ON node.id = node "
	                                 "JOIN conversation ON conversation.id = conversation WHERE content LIKE title || ' %.' || title || ' %.'", NO_VALUES,
	                                 -1), WRITERS * TURNS);
	CU_ASSERT_TRUE(database_is_sound(h->db));
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM stale", NO_VALUES, -1), WRITERS * TURNS); /* their parts are open */
	history_close(h);
	shelf_end();
}

/* --- turns of every kind, by two programs --- */

static int shared_turns(void)
{
	const char *many = getenv("WEIR_TURNS");

	return many && atoi(many) > 0 ? atoi(many) : SHARED_TURNS;
}

/* The same turn for the same number, in the program that writes it and in the one that compares. */
static struct turn *make_turn(struct conversation *c, unsigned number, unsigned events)
{
	unsigned seed = number;
	struct turn *t = conversation_answer(c, STR("p"), protocol_at(0), STR("m"));

	t->wall = 1700000000;
	for (unsigned i = 0; i < events; i++)
		turns_random_event(t, &seed, i);
	if (events == EVENTS)
		turns_end(t, OUTCOME_COMPLETE, EVENTS);
	return t;
}

/* Each turn is put twice: when it has grown to its half, and at its end. */
static void write_shared(const char *title)
{
	enum history_status status;
	struct history *h;
	int64_t conversation = 0, parent = 0;
	unsigned first = *title == 'o' ? 1 : 1000000;

	while (!(h = history_open(0, &status, &err)))
		if (status != HISTORY_BUSY)
			_exit(1);
	UNTIL_DONE(history_begin(h, &(struct history_conversation){ .title = title }, &conversation, &err));
	for (int i = 0; i < shared_turns(); i++) {
		int64_t node = 0;

		for (unsigned events = EVENTS / 2; events <= EVENTS; events += EVENTS / 2) {
			struct conversation *c = conversation_new();
			struct turn *t = make_turn(c, first + (unsigned)i, events);

			UNTIL_DONE(history_put_turn(h, conversation, parent, t, &node, &err));
			conversation_free(c);
		}
		parent = node;
	}
	history_close(h);
	_exit(0);
}

static void check_shared(struct history *h, const char *title)
{
	struct rows *r = database_rows(h->db, "SELECT node.id FROM node JOIN conversation ON conversation.id = node.conversation WHERE title = ? "
	                               "ORDER BY node.id", VALUES(TEXT(str_from(title))));
	unsigned first = *title == 'o' ? 1 : 1000000, count = 0;

	for (; rows_next(r); count++) {
		struct conversation *c = conversation_new();
		struct turn *written = make_turn(c, first + count, EVENTS), *read = conversation_answer(c, STR(""), NULL, STR(""));

		CHECK(history_read_turn(h, row_integer(r, 0), read, &err) == HISTORY_OK, "%s", err.text);
		turns_check_equal(read, written);
		conversation_free(c);
	}
	rows_end(r);
	CU_ASSERT_EQUAL(count, (unsigned)shared_turns());
}

static void turns_of_two_programs_are_whole(void)
{
	static const char *const titles[WRITERS] = { "one", "two" };
	pid_t writers[WRITERS];
	enum history_status status;
	struct history *h;

	begin();
	for (int i = 0; i < WRITERS; i++)
		writers[i] = start(write_shared, titles[i]);
	for (int i = 0; i < WRITERS; i++)
		check_end(writers[i]);
	h = history_open(0, &status, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	for (int i = 0; i < WRITERS; i++)
		check_shared(h, titles[i]);
	CU_ASSERT_TRUE(database_is_sound(h->db));
	history_close(h);
	shelf_end();
}

/* --- killed --- */

static int reports;

/* An answer that grows until the program is killed. Each commit is reported after it was made. */
static void write_until_killed(const char *title)
{
	enum history_status status;
	struct history *h = history_open(0, &status, &err);
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), protocol_at(0), STR("m"));
	int64_t conversation = 0, node = 0;
	char line[400];

	memset(line, 'x', sizeof line);
	UNTIL_DONE(history_begin(h, &(struct history_conversation){ .title = title }, &conversation, &err));
	for (;;) {
		turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .text = str_of(line, sizeof line) });
		UNTIL_DONE(history_put_turn(h, conversation, 0, t, &node, &err));
		(void)!write(reports, &t->parts[0].text.len, sizeof(size_t));
	}
}

static size_t last_report(int pipe_end)
{
	size_t length = 0, next;

	while (read(pipe_end, &next, sizeof next) == (ssize_t)sizeof next)
		length = next;
	return length;
}

static bool see_last(void *ctx, const struct history_conversation *conversation)
{
	*(int64_t *)ctx = conversation->leaf;
	return false;
}

static void check_last_answer(size_t reported)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR(""), NULL, STR(""));
	enum history_status status;
	struct history *h = history_open(0, &status, &err);
	int64_t node = 0;

	CHECK(h, "%s", err.text);
	CHECK(history_list(h, NULL, 1, see_last, &node, &err) == HISTORY_OK, "%s", err.text);
	if (node) {
		CHECK(history_read_turn(h, node, t, &err) == HISTORY_OK, "%s", err.text);
		CHECK(t->part_count == 1 && t->parts[0].text.len >= reported, "%zu bytes are there, not %zu", t->part_count ? t->parts[0].text.len : 0,
		      reported);
		CU_ASSERT(t->ended && t->outcome == OUTCOME_CUT && turn_can_continue(t));
	}
	CU_ASSERT(node || !reported);
	history_close(h);
	conversation_free(c);
}

static void what_was_committed_outlives_a_kill(void)
{
	unsigned seed = 5;

	begin();
	for (int i = 0; i < KILLS; i++) {
		int pipes[2];
		pid_t child;

		CU_ASSERT_FATAL(pipe(pipes) == 0);
		reports = pipes[1];
		child = start(write_until_killed, "killed");
		close(pipes[1]);
		usleep(2000 + check_random(&seed) % 20000);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		check_last_answer(last_report(pipes[0]));
		close(pipes[0]);
		if (i % 5 == 0)
			CHECK(maintain() == HISTORY_OK, "%s", err.text);
	}
	shelf_end();
}

/* A user who has just left the program may remove the history before the process that maintains it has begun. */
static void a_history_that_was_removed_stays_away(void)
{
	const struct maintain_options there = { .only_there = true };
	struct maintain_result result;

	shelf_begin();
	CHECK(history_maintain(&there, &result, &err) == HISTORY_ABSENT, "%s", err.text);
	CHECK_STR(str_from(err.text), "there is no history");
	CHECK(access(shelf_path("data/weir"), F_OK) != 0, "its folder was made");
	shelf_maintain();
	CHECK(history_maintain(&there, &result, &err) == HISTORY_OK, "%s", err.text);
	maintain_result_fini(&result);
	CU_ASSERT_EQUAL(unlink(shelf_path(SHELF_FILE)), 0);
	CHECK(history_maintain(&there, &result, &err) == HISTORY_ABSENT, "%s", err.text);
	CHECK(access(shelf_path(SHELF_FILE), F_OK) != 0, "it was created");
	shelf_end();
}

const struct suite suite_history_programs = { "history_programs", (const struct test[]){
	TEST(only_maintenance_waits_for_the_disk), TEST(a_history_that_was_removed_stays_away), TEST(two_programs_write_and_one_maintains),
	TEST(turns_of_two_programs_are_whole), TEST(what_was_committed_outlives_a_kill), { 0 } } };
