/*
 * Sweeps over the history: the process that maintains it runs repeatedly, and each time another of its calls on files fails. It must end by
 * itself, say why if it failed, and leave a file that is sound and loses nothing; the next run does the rest.
 *
 * `make check` tests some of the calls, `make sweep-smoke` more, `make sweep` each of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/keep/writer.h"
#include "app/kept.h"
#include "app/program.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "store/history/history_inside.h"
#include "store/history/index.h"
#include "support/check.h"
#include "support/preload.h"
#include "wire/protocol/protocol.h"

#define CALLS_MOST 20000
#define STEPS 1 /* of check_next() */
#define STEPS_MORE 2
#define KEPT 6            /* conversations that stay; one more is hidden */
#define ANSWERS 4         /* of each */
#define PAGE 4096

static struct error err;
static char data[160], came[160], came_variable[200];
static const char *preload;
static struct kept before;

/* --- the history before each run --- */

static void put_answer(struct history *h, int64_t conversation, int64_t *parent, int number)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), protocol_at(0), STR("m"));
	struct buf text = { 0 };
	int64_t node = 0;

	for (int i = 0; i < 600; i++)
		buf_printf(&text, "walrus%d answer%d ", number, i);
	turn_add(t, PART_TEXT, buf_str(&text), STR_NONE, STR_NONE);
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end.outcome = OUTCOME_COMPLETE });
	CHECK(history_put_turn(h, conversation, *parent, t, &node, &err) == HISTORY_OK, "%s", err.text);
	*parent = node;
	buf_fini(&text);
	conversation_free(c);
}

static void fill(void)
{
	enum history_status status;
	struct history *h = history_open(0, &status, &err);
	int64_t conversation = 0, mark;

	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	for (int i = 0; i <= KEPT; i++) {
		int64_t parent = 0;

		CHECK(history_begin(h, &(struct history_conversation){ .title = "title" }, &conversation, &err) == HISTORY_OK, "%s", err.text);
		for (int j = 0; j < ANSWERS; j++)
			put_answer(h, conversation, &parent, i * ANSWERS + j);
	}
	CHECK(history_delete(h, conversation, 0, &mark, &err) == HISTORY_OK, "%s", err.text);
	history_close(h);
}

static enum history_status maintain(struct maintain_result *result)
{
	return history_maintain(&(struct maintain_options){ .purge = true, .check = true }, result, &err);
}

static bool begin(void)
{
	preload = preload_variable("failing");
	if (!preload) {
		check_skip("a sanitizer has the allocator, or tests/failing.so was not built");
		return false;
	}
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	setenv("XDG_DATA_HOME", strchr(data, '=') + 1, 1);
	snprintf(came, sizeof came, "%s/came", folder_path());
	snprintf(came_variable, sizeof came_variable, "WEIR_FAIL_CAME=%s", came);
	return true;
}

static void begin_filled(bool maintained)
{
	struct maintain_result result;

	CHECK(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	maintain_result_fini(&result);
	fill();
	if (maintained) {
		CHECK(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
		maintain_result_fini(&result);
	}
	kept_take(&before);
}

static void end(void)
{
	unsetenv("XDG_DATA_HOME");
	kept_fini(&before);
	folder_remove();
}

/* --- what is there afterwards --- */

struct expected {
	int64_t answers;     /* that no failure may lose */
	int64_t most_lost;   /* of them, by the damage that the file has before */
	const char *errand;
};

static void count_text(void *count, int64_t piece, int64_t conversation)
{
	(void)piece, (void)conversation;
	++*(int64_t *)count;
}

static int64_t count_indexed(struct database *db, struct str word)
{
	struct number_set set = { .span = 0 };
	int64_t block = INT64_MAX, count = 0;
	size_t span;

	while (index_next_block(db, &block, &span)) {
		index_find(db, block, span, &(struct index_key){ .word = word }, 1, &set);
		index_walk(db, block, &set, count_text, &count);
	}
	number_set_fini(&set);
	return count;
}

/* Maintains once more, without failures. Then the file has to be sound, without another recovery, and whole. */
static void check_file(const struct expected *expected, const char *order)
{
	struct maintain_result result;
	enum history_status status = maintain(&result);
	struct history *h;

	CHECK(status == HISTORY_OK, "%s: maintenance again: %s", order, err.text);
	CHECK(expected->most_lost || !result.damaged, "%s: the file was damaged", order);
	maintain_result_fini(&result);
	h = history_open(0, &status, &err);
	CHECK(h, "%s: %s", order, err.text);
	if (!h)
		return;
	int64_t whole = database_integer(h->db, "SELECT count(DISTINCT content) FROM piece JOIN part ON part.id = piece.part JOIN node ON node.id = part.node "
	                                 "JOIN conversation ON conversation.id = node.conversation "
	                                 "WHERE content LIKE 'walrus% answer599 '", NO_VALUES, -1);
	int64_t found = count_indexed(h->db, STR("answer599"));
	CHECK(whole >= expected->answers - expected->most_lost && whole <= expected->answers, "%s: %lld answers are there", order, (long long)whole);
	CHECK(found == whole, "%s: %lld of %lld answers are found", order, (long long)found, (long long)whole);
	CHECK(database_is_sound(h->db), "%s: the file is not sound", order);
	history_close(h);
}

/* --- sweeping --- */

/* One run; false if the call that should fail did not occur. */
static bool fails_well(const struct expected *expected, const char *order)
{
	char fail[96];
	struct program p;
	bool has_come;

	snprintf(fail, sizeof fail, "WEIR_FAIL=%s", order);
	unlink(came);
	kept_restore(&before);
	program_run(&p, STR_NONE, ARGS(WRITER_MAINTAIN_WORD, expected->errand), ARGS(preload, fail, came_variable, data));
	has_come = access(came, F_OK) == 0;
	CHECK(p.status == 0 || (p.status > WRITER_MAINTAIN_FAILED && p.status <= WRITER_MAINTAIN_FAILED + (int)HISTORY_FAILED), "%s: status %d, %s%s", order, p.status,
	      buf_z(&p.output), buf_z(&p.errors));
	CHECK(p.status == 0 || p.output.len, "%s: status %d and not a word", order, p.status);
	CHECK(expected->most_lost || !strstr(buf_z(&p.output), "was damaged"), "%s: a sound file was recovered: %s", order, buf_z(&p.output));
	CHECK(has_come || p.status == 0, "%s: status %d without a failure, %s", order, p.status, buf_z(&p.output));
	program_free(&p);
	check_file(expected, order);
	return has_come;
}

static void sweep(const struct expected *expected, int failure)
{
	long n = 1;

	for (bool goes_on = true; goes_on && n < CALLS_MOST; n = check_next(n, STEPS, STEPS_MORE)) {
		char order[64];

		snprintf(order, sizeof order, "file:%ld:%d", n, failure);
		goes_on = fails_well(expected, order);
	}
	CHECK(n > 50, "only %ld calls were seen", n);
}

/* --- tests --- */

static const struct expected nothing = { 0, 0, "prepare" }, all = { KEPT * ANSWERS, 0, "purge" };

static void a_call_fails_while_the_file_is_created(void)
{
	if (!begin())
		return;
	sweep(&nothing, EIO);
	end();
}

static void a_call_fails_while_it_is_indexed_and_purged(void)
{
	if (!begin())
		return;
	begin_filled(false);
	sweep(&all, EIO);
	end();
}

static void the_disk_is_full_at_one_call(void)
{
	if (!begin())
		return;
	begin_filled(true);
	sweep(&all, ENOSPC);
	end();
}

static void a_call_fails_while_an_earlier_version_is_migrated(void)
{
	enum history_status status;

	if (!begin())
		return;
	begin_filled(true);
	struct history *h = history_open(0, &status, &err);
	database_script(h->db, "PRAGMA user_version = 5; UPDATE form SET number = 5; ALTER TABLE node DROP COLUMN cached_tokens");
	CHECK(database_status(h->db) == DATABASE_OK, "%s", database_message(h->db));
	history_close(h);
	kept_take(&before);
	sweep(&all, EIO);
	end();
}

/* Zeroes a leaf of a table with few rows, so that few texts are lost. */
static void damage(void)
{
	for (size_t at = PAGE; at < before.file.len; at += PAGE)
		if (before.file.ptr[at] == 0x0D && !before.file.ptr[at + 3] && before.file.ptr[at + 4] >= 1 && before.file.ptr[at + 4] <= 4) {
			memset(before.file.ptr + at, 0, PAGE);
			return;
		}
	CU_FAIL("no leaf is found");
}

static void a_call_fails_while_a_damaged_file_is_recovered(void)
{
	struct expected most = { (KEPT + 1) * ANSWERS, 4 + ANSWERS, "purge" };

	if (!begin())
		return;
	begin_filled(true);
	damage();
	sweep(&most, EIO);
	end();
}

const struct suite suite_sweep_history = { "sweep_history", (const struct test[]){
	TEST(a_call_fails_while_the_file_is_created),
	TEST(a_call_fails_while_it_is_indexed_and_purged),
	TEST(the_disk_is_full_at_one_call),
	TEST(a_call_fails_while_an_earlier_version_is_migrated),
	TEST(a_call_fails_while_a_damaged_file_is_recovered),
	{ 0 },
} };
