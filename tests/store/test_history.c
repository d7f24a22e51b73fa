#include "store/shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "store/turns.h"
#include "support/check.h"
#include "wire/protocol/protocol.h"

static struct error err;

static void absent_until_it_is_maintained(void)
{
	enum history_status status;
	struct stat facts;

	shelf_begin();
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_ABSENT);
	shelf_maintain();
	history_close(shelf_open());
	CU_ASSERT(stat(shelf_path(SHELF_FILE), &facts) == 0 && (facts.st_mode & 07777) == 0600);
	CU_ASSERT(stat(shelf_path("data/weir"), &facts) == 0 && (facts.st_mode & 07777) == 0700);
	CU_ASSERT(stat(shelf_path(SHELF_FILE "-wal"), &facts) == 0 && (facts.st_mode & 07777) == 0600);
	shelf_end();
}

/* --- turns --- */

static void a_turn_is_read_as_it_was_written(void)
{
	unsigned seed = 12;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	for (int round = 0; round < 150; round++) {
		struct conversation *c = conversation_new();
		struct turn *prompt = conversation_ask(c);
		struct turn *answer = conversation_answer(c, STR("prov"), protocol_at(check_random(&seed) % PROTOCOL_COUNT), STR("model"));
		int64_t conversation = shelf_conversation(h, "t"), first = 0, second = 0;
		double at_ms = 10;

		turns_random_prompt(prompt, &seed);
		shelf_put(h, conversation, 0, prompt, &first);
		for (int i = 0, events = (int)(check_random(&seed) % 80); i < events; i++, at_ms += 12.75) {
			turns_random_event(answer, &seed, at_ms);
			if (check_random(&seed) % 8 == 0)
				shelf_put(h, conversation, first, answer, &second);
			if (check_random(&seed) % 30 == 0) {
				turns_end(answer, (enum outcome)(check_random(&seed) % (OUTCOME_CANCELLED + 1)), at_ms);
				if (check_random(&seed) % 2)
					shelf_put(h, conversation, first, answer, &second);
				turn_continue(answer);
				answer->joints[answer->joint_count - 1].by_words = check_random(&seed) % 2;
			}
		}
		answer->copied = round % 2;
		answer->context = round % 5 * 1000;
		answer->context_is_rough = round % 4 == 1;
		if (round % 3)
			turns_end(answer, (enum outcome)(check_random(&seed) % (OUTCOME_CANCELLED + 1)), at_ms);
		shelf_put(h, conversation, first, answer, &second);
		shelf_put(h, conversation, first, answer, &second);
		shelf_check_read(h, first, prompt);
		shelf_check_read(h, second, answer);
		conversation_free(c);
	}
	history_close(h);
	shelf_end();
}

static void what_grows_is_appended_in_pieces(void)
{
	struct conversation *c = conversation_new();
	struct turn *answer = conversation_answer(c, STR("p"), protocol_at(0), STR("m"));
	int64_t conversation, node = 0;
	unsigned seed = 3;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	conversation = shelf_conversation(h, "t");
	for (int i = 0; i < 300; i++) {
		char line[1200];
		size_t length = check_random(&seed) % sizeof line;

		memset(line, i % 7 ? 'x' : '\n', length);
		turn_delta(answer, &(struct delta){ .kind = DELTA_TEXT, .text = str_of(line, length), .at_ms = i });
		shelf_put(h, conversation, 0, answer, &node);
		if (i == 150)
			shelf_maintain(); /* the search takes no piece of a part that grows */
	}
	turns_end(answer, OUTCOME_COMPLETE, 300);
	shelf_put(h, conversation, 0, answer, &node);
	shelf_check_read(h, node, answer);
	history_close(h);
	conversation_free(c);
	shelf_end();
}

/* --- the tree --- */

static void the_tree_is_read_without_its_texts(void)
{
	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "t"), first = shelf_exchange(h, id, 0, "q1", "a1");
	int64_t left = shelf_exchange(h, id, first, "q2", "a2"), right = shelf_exchange(h, id, first, "q3", "a3");
	struct shelf_tree tree = shelf_tree(h, id);
	CU_ASSERT_EQUAL_FATAL(tree.count, 6);
	CU_ASSERT_EQUAL(tree.nodes[3].id, left);
	CU_ASSERT_EQUAL(tree.nodes[0].parent, 0);
	CU_ASSERT_EQUAL(tree.nodes[2].parent, first);
	CU_ASSERT_EQUAL(tree.nodes[4].parent, first);
	CU_ASSERT_EQUAL(tree.nodes[1].child, tree.nodes[4].id);
	CU_ASSERT_EQUAL(tree.nodes[5].id, right);
	CU_ASSERT(history_set_leaf(h, id, left, &err) == HISTORY_OK);
	CU_ASSERT(history_label(h, left, "good", &err) == HISTORY_OK);
	tree = shelf_tree(h, id);
	CU_ASSERT_EQUAL(tree.nodes[1].child, tree.nodes[2].id);
	CU_ASSERT_STRING_EQUAL(tree.labels[3], "good");
	CU_ASSERT(history_set_leaf(h, id, 999, &err) == HISTORY_GONE);
	history_close(h);
	shelf_end();
}

static void what_is_deleted_is_hidden_and_brought_back(void)
{
	struct shelf_seen seen;
	int64_t mark = 0, other = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "t"), first = shelf_exchange(h, id, 0, "q1", "a1");
	shelf_exchange(h, id, first, "q2", "a2");
	struct shelf_tree tree = shelf_tree(h, id);
	CU_ASSERT(history_delete(h, id, tree.nodes[2].id, &mark, &err) == HISTORY_OK);
	CU_ASSERT_EQUAL(shelf_tree(h, id).count, 2);
	shelf_check_list(h, NULL, 10, "t ", &seen);
	CU_ASSERT_EQUAL(seen.last.turns, 1);
	CU_ASSERT_EQUAL(seen.last.leaf, first);
	CU_ASSERT(history_undelete(h, mark, &err) == HISTORY_OK);
	CU_ASSERT_EQUAL(shelf_tree(h, id).count, 4);
	CU_ASSERT(history_undelete(h, mark, &err) == HISTORY_GONE);
	CU_ASSERT(history_delete(h, id, 0, &mark, &err) == HISTORY_OK);
	shelf_check_list(h, NULL, 10, "", &seen);
	shelf_check_find(h, "last", 0);
	CU_ASSERT(history_delete(h, id, 0, &other, &err) == HISTORY_GONE);
	CU_ASSERT(history_look(h, id, shelf_see, &seen, &err) == HISTORY_GONE);
	CU_ASSERT(history_undelete(h, mark, &err) == HISTORY_OK);
	shelf_check_list(h, NULL, 10, "t ", &seen);
	history_close(h);
	shelf_end();
}

/* What a program adds to what another one has hidden would be deleted for good with it. */
static void nothing_is_put_into_what_is_hidden(void)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c);
	int64_t mark = 0, node = 0, other = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "t"), first = shelf_exchange(h, id, 0, "q1", "a1");
	turn_add(prompt, PART_TEXT, STR("q2"), STR_NONE, STR_NONE);
	shelf_put(h, id, first, prompt, &node);
	for (int whole = 0; whole < 2; whole++) {
		CU_ASSERT(history_delete(h, id, whole ? 0 : node, &mark, &err) == HISTORY_OK);
		turn_add(prompt, PART_TEXT, STR("more"), STR_NONE, STR_NONE);
		CU_ASSERT(history_put_turn(h, id, first, prompt, &node, &err) == HISTORY_GONE);
		CU_ASSERT(history_put_turn(h, id, node, prompt, &other, &err) == HISTORY_GONE);
		CU_ASSERT_EQUAL(other, 0);
		CU_ASSERT(history_undelete(h, mark, &err) == HISTORY_OK);
		shelf_put(h, id, first, prompt, &node);
		shelf_check_read(h, node, prompt);
	}
	history_close(h);
	conversation_free(c);
	shelf_end();
}

/* --- batches and failures --- */

static void sums_are_written_once_in_a_batch(void)
{
	struct shelf_seen seen;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t one = shelf_conversation(h, "one"), two = shelf_conversation(h, "two"), node = 0;
	database_script(h->db, "CREATE TEMP TABLE written (id); CREATE TEMP TRIGGER note_sums AFTER UPDATE OF turns ON conversation "
	                "BEGIN INSERT INTO written VALUES (new.id); END");
	CU_ASSERT(history_batch(h, &err) == HISTORY_OK);
	for (int i = 0; i < 20; i++)
		node = shelf_exchange(h, one, node, "q", "a");
	shelf_exchange(h, two, 0, "q", "a");
	shelf_exchange(h, one, node, "q", "a");
	CU_ASSERT(history_commit(h, &err) == HISTORY_OK);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM written WHERE id = ?", VALUES(INTEGER(one)), 0), 2);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM written", NO_VALUES, 0), 3);
	shelf_check_list(h, NULL, 1, "one ", &seen);
	CU_ASSERT(seen.last.turns == 21 && seen.last.usage.of[USAGE_PROMPT].number == 210 && seen.last.cost.known);
	CU_ASSERT(history_look(h, two, shelf_see, &seen, &err) == HISTORY_OK);
	CU_ASSERT(seen.last.turns == 1 && seen.last.usage.of[USAGE_COMPLETION].number == 5);
	history_close(h);
	shelf_end();
}

static void a_failure_in_a_batch_keeps_nothing(void)
{
	struct shelf_seen seen;
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c);
	int64_t id = 0, node = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	turn_add(prompt, PART_TEXT, STR("x"), STR_NONE, STR_NONE);
	CU_ASSERT(history_batch(h, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "lost" }, &id, &err) == HISTORY_OK);
	CU_ASSERT(history_put_turn(h, id, 4711, prompt, &node, &err) == HISTORY_GONE);
	CU_ASSERT(history_commit(h, &err) == HISTORY_GONE);
	CU_ASSERT_EQUAL(node, 0);
	shelf_check_list(h, NULL, 10, "", &seen);
	CU_ASSERT(history_batch(h, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "kept" }, &id, &err) == HISTORY_OK);
	CU_ASSERT(history_put_turn(h, id, 0, prompt, &node, &err) == HISTORY_OK);
	CU_ASSERT(history_commit(h, &err) == HISTORY_OK);
	shelf_check_list(h, NULL, 10, "kept ", &seen);
	history_close(h);
	conversation_free(c);
	shelf_end();
}

static void another_writer_makes_it_busy_at_once(void)
{
	int64_t id = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open(), *other = shelf_open();
	CU_ASSERT(history_batch(other, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err) == HISTORY_BUSY);
	CHECK(strstr(err.text, "another program"), "%s", err.text);
	CU_ASSERT(history_commit(other, &err) == HISTORY_OK);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err) == HISTORY_OK);
	history_close(other);
	history_close(h);
	shelf_end();
}

static void another_file_in_its_place_is_noticed(void)
{
	char old[300];
	int64_t id = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	shelf_conversation(h, "t");
	snprintf(old, sizeof old, "%s", shelf_path(SHELF_FILE));
	CU_ASSERT(rename(old, shelf_path("moved")) == 0);
	CU_ASSERT_EQUAL(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err), HISTORY_REPLACED);
	history_close(h);
	shelf_end();
}

/* --- its files --- */

static void remove_file(const char *path)
{
	CU_ASSERT_EQUAL(unlink(path), 0);
}

static void replace_file(const char *path)
{
	char command[400];

	snprintf(command, sizeof command, "cp '%s' '%s.other' && mv '%s.other' '%s'", path, path, path, path);
	CU_ASSERT_EQUAL(system(command), 0);
}

static void cut_file(const char *path)
{
	CU_ASSERT_EQUAL(truncate(path, 5000), 0);
}

static void empty_file(const char *path)
{
	CU_ASSERT_EQUAL(truncate(path, 0), 0);
}

static const char *titles_now(void)
{
	static struct shelf_seen seen;
	struct history *h = shelf_open();

	seen = (struct shelf_seen){ .titles = "" };
	CHECK(history_list(h, NULL, 10, shelf_see, &seen, &err) == HISTORY_OK, "%s", err.text);
	history_close(h);
	return seen.titles;
}

/* What only the handle still has is saved when it is closed. */
static void what_becomes_of_its_files_is_noticed(void)
{
	static const struct { const char *end; void (*harm)(const char *path); const char *words, *left; } cases[] = {
		{ "-wal", remove_file, "history.db-wal was removed while weir had it open, and all of it could be saved", "last first " },
		{ "-wal", replace_file, "history.db-wal was replaced while weir had it open: what was said last", "last first " },
		{ "-wal", cut_file, "history.db-wal was cut while weir had it open: what was said last", "first " },
		{ "-wal", empty_file, "history.db-wal was cut while weir had it open: what was said last", "first " },
		{ "-shm", remove_file, "history.db-shm was removed while weir had it open, and nothing is lost", "last first " },
		{ "", replace_file, "history.db was replaced while weir had it open: what was said last", "first " },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char path[300];
		int64_t id = 0;

		shelf_begin();
		shelf_maintain();
		struct history *h = shelf_open();
		shelf_exchange(h, shelf_conversation(h, "first"), 0, "q", "a");
		history_finish(h);
		h = shelf_open();
		shelf_exchange(h, shelf_conversation(h, "last"), 0, "q", "a");
		CHECK(history_look_at_files(h, &err) == HISTORY_OK, "%s", err.text);
		snprintf(path, sizeof path, "%s%s", shelf_path(SHELF_FILE), cases[i].end);
		cases[i].harm(path);
		CHECK(history_look_at_files(h, &err) == HISTORY_REPLACED && strstr(err.text, cases[i].words), "%s: %s", cases[i].words, err.text);
		CHECK(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err) == HISTORY_REPLACED && strstr(err.text, cases[i].words),
		      "%s: %s", cases[i].words, err.text);
		history_close(h);
		shelf_maintain();
		CHECK(!strcmp(titles_now(), cases[i].left), "%s: %s", cases[i].words, titles_now());
		shelf_end();
	}
}

/* Maintenance empties the WAL, when all of it is in the file. */
static void an_emptied_wal_is_no_loss(void)
{
	struct maintain_result result;
	struct stat facts;
	int64_t mark;
	char wal[300];

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open(), *other = shelf_open();
	int64_t id = shelf_conversation(h, "hidden");
	shelf_exchange(h, id, 0, "q", "a");
	CU_ASSERT(history_delete(h, id, 0, &mark, &err) == HISTORY_OK);
	shelf_exchange(h, shelf_conversation(h, "t"), 0, "q", "a");
	result = shelf_purge(NULL);
	maintain_result_fini(&result);
	snprintf(wal, sizeof wal, "%s-wal", shelf_path(SHELF_FILE));
	database_checkpoint(other->db, true);
	CU_ASSERT(stat(wal, &facts) == 0 && facts.st_size == 0);
	CHECK(history_look_at_files(h, &err) == HISTORY_OK, "%s", err.text);
	shelf_exchange(h, shelf_conversation(h, "u"), 0, "q", "a");
	CHECK(history_look_at_files(h, &err) == HISTORY_OK, "%s", err.text);
	history_close(h);
	history_close(other);
	shelf_end();
}

static void a_turn_that_was_read_in_part_is_read_anew(void)
{
	struct conversation *c = conversation_new(), *other = conversation_new();
	struct turn *prompt = conversation_ask(c), *read = conversation_ask(other);
	int64_t node = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	turn_add(prompt, PART_TEXT, STR("words"), STR_NONE, STR_NONE);
	turn_note(prompt, STR("rule"), STR("note"));
	shelf_put(h, shelf_conversation(h, "t"), 0, prompt, &node);
	database_script(h->db, "ALTER TABLE joint RENAME TO hidden");
	CU_ASSERT(history_read_turn(h, node, read, &err) != HISTORY_OK);
	CU_ASSERT(!read->part_count && !read->note_count);
	database_script(h->db, "ALTER TABLE hidden RENAME TO joint");
	CHECK(history_read_turn(h, node, read, &err) == HISTORY_OK, "%s", err.text);
	turns_check_equal(read, prompt);
	history_close(h);
	conversation_free(c);
	conversation_free(other);
	shelf_end();
}

static void a_full_disk_is_told_and_the_turn_is_put_later(void)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c);
	char *long_text = mem_new(400000);
	int64_t node = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "t");
	memset(long_text, 'x', 400000);
	turn_add(prompt, PART_TEXT, str_of(long_text, 400000), STR_NONE, STR_NONE);
	database_script(h->db, "PRAGMA max_page_count = 60");
	CU_ASSERT_EQUAL(history_put_turn(h, id, 0, prompt, &node, &err), HISTORY_FULL);
	CHECK(strstr(err.text, "disk is full"), "%s", err.text);
	database_script(h->db, "PRAGMA max_page_count = 1000000");
	CU_ASSERT_EQUAL(history_put_turn(h, id, 0, prompt, &node, &err), HISTORY_OK);
	shelf_check_read(h, node, prompt);
	history_close(h);
	mem_free(long_text);
	conversation_free(c);
	shelf_end();
}

const struct suite suite_history = { "history", (const struct test[]){
	TEST(absent_until_it_is_maintained),
	TEST(a_turn_is_read_as_it_was_written),
	TEST(what_grows_is_appended_in_pieces),
	TEST(the_tree_is_read_without_its_texts),
	TEST(what_is_deleted_is_hidden_and_brought_back),
	TEST(nothing_is_put_into_what_is_hidden),
	TEST(sums_are_written_once_in_a_batch),
	TEST(a_failure_in_a_batch_keeps_nothing),
	TEST(another_writer_makes_it_busy_at_once),
	TEST(another_file_in_its_place_is_noticed),
	TEST(what_becomes_of_its_files_is_noticed),
	TEST(an_emptied_wal_is_no_loss),
	TEST(a_turn_that_was_read_in_part_is_read_anew),
	TEST(a_full_disk_is_told_and_the_turn_is_put_later),
	{ 0 },
} };
