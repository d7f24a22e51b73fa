/* Files of other versions, and damaged ones. */
#include "store/shelf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

static struct error err;

static void a_later_version_is_left_alone(void)
{
	enum history_status status;
	struct tend_result result;

	shelf_begin();
	shelf_tend();
	shelf_sql("PRAGMA user_version = 99999; UPDATE form SET number = 99999");
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_NEWER);
	CU_ASSERT_EQUAL(history_tend(&(struct tend_options){ .purge = true, .check = true }, &result, &err), HISTORY_NEWER);
	CHECK(strstr(err.text, "later version"), "%s", err.text);
	tend_result_fini(&result);
	shelf_end();
}

static void an_earlier_version_is_migrated(void)
{
	struct tend_result result;
	struct shelf_seen seen;
	enum history_status status;
	char command[300];
	int64_t mark;

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "old");
	int64_t node = shelf_exchange(h, id, 0, "walrus", "a marine mammal");
	history_close(h);
	shelf_tend();
	shelf_sql("PRAGMA user_version = 5; UPDATE form SET number = 5; ALTER TABLE node DROP COLUMN cached_tokens; ALTER TABLE conversation ADD COLUMN dropped");
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_OLDER);
	CHECK(history_tend(&(struct tend_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_TRUE(result.migrated);
	CU_ASSERT_PTR_NULL(result.damaged);
	tend_result_fini(&result);
	h = shelf_open();
	shelf_check_list(h, NULL, 10, "old ", &seen);
	CU_ASSERT_EQUAL(seen.last.usage.of[USAGE_PROMPT].number, 10);
	CU_ASSERT_EQUAL(seen.last.leaf, node);
	shelf_check_search(h, "walrus", "old: \x02walrus\x03\n");
	snprintf(command, sizeof command, "ls '%s'/data/weir/ | grep -q '^history.db.before-'", shelf_home());
	CU_ASSERT_EQUAL(system(command), 0);
	CU_ASSERT(history_delete(h, id, 0, &mark, &err) == HISTORY_OK);
	history_close(h);
	result = shelf_purge(NULL);
	tend_result_fini(&result);
	CU_ASSERT_FALSE(shelf_any_file_has("walrus"));
	shelf_end();
}

/* One flipped bit does not hide a turn: the word is read alike in the list of nodes and in the turn. */
static void a_turn_whose_role_is_damaged_is_read(void)
{
	int64_t conversation, node = 0;

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	struct conversation *c = conversation_new(), *read = conversation_new();
	conversation = shelf_conversation(h, "t");
	turn_add(conversation_ask(c), PART_TEXT, STR("words"), STR_NONE, STR_NONE);
	shelf_put(h, conversation, 0, c->turns[0], &node);
	database_do(h->db, "UPDATE node SET role = 'uses'", NO_VALUES);
	struct turn *t = conversation_answer(read, STR(""), NULL, STR(""));
	CHECK(history_read_turn(h, node, t, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_EQUAL_FATAL(t->part_count, 1);
	CHECK_STR(buf_str(&t->parts[0].text), "words");
	conversation_free(c);
	conversation_free(read);
	history_close(h);
	shelf_end();
}

/* People query the file with other programs, which may leave something in it. */
static void what_others_add_is_no_damage(void)
{
	struct tend_result result;

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "t"), 0, "q", "a");
	history_close(h);
	shelf_sql("CREATE TABLE mine (words); INSERT INTO mine VALUES ('my own'); ALTER TABLE node ADD COLUMN mine; ANALYZE");
	CHECK(history_tend(&(struct tend_options){ .check = true }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_PTR_NULL(result.damaged);
	tend_result_fini(&result);
	h = shelf_open();
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM mine", NO_VALUES, -1), 1);
	history_close(h);
	shelf_end();
}

/* Zeros in the place of a table's first page. */
static void damage_table(const char *name)
{
	enum database_status status;
	struct database *db = database_open(shelf_path(SHELF_FILE), DATABASE_WRITE, 0, &status, &err);
	char zeros[4096] = "";

	CU_ASSERT_PTR_NOT_NULL_FATAL(db);
	int64_t page = database_integer(db, "SELECT rootpage FROM sqlite_schema WHERE name = ?", VALUES(TEXT(str_from(name))), 0);
	database_checkpoint(db, true);
	database_close(db);
	CU_ASSERT_FATAL(page > 1);
	int fd = open(shelf_path(SHELF_FILE), O_WRONLY);
	CU_ASSERT_EQUAL(pwrite(fd, zeros, sizeof zeros, (page - 1) * (off_t)sizeof zeros), (ssize_t)sizeof zeros);
	close(fd);
}

/* Where no prompt is left, the title says what happened. */
static void a_lost_title_is_made_of_the_first_prompt(void)
{
	struct conversation *c = conversation_new();
	struct turn *file = conversation_ask(c);
	struct tend_result result;
	struct shelf_seen seen;
	int64_t node = 0;

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "one");
	shelf_exchange(h, id, shelf_exchange(h, id, 0, " A walrus,\n seen ", "big"), "And seals?", "too");
	turn_add(file, PART_TEXT, STR("  "), STR_NONE, STR_NONE);
	turn_add(file, PART_ATTACHMENT, STR("bytes"), STR_NONE, STR("report.txt"));
	shelf_put(h, shelf_conversation(h, "two"), 0, file, &node);
	shelf_exchange(h, shelf_conversation(h, "three"), 0, "x", "an answer");
	history_close(h);
	shelf_sql("UPDATE node SET role = 'assistant' WHERE conversation = 3");
	damage_table("conversation");
	CHECK(history_tend(&(struct tend_options){ .check = true }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT(result.damaged && result.recovered == 7);
	tend_result_fini(&result);
	h = shelf_open();
	shelf_check_list(h, NULL, 10, "Recovered conversation report.txt A walrus, seen ", &seen);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM conversation WHERE titled_by = 'prompt'", NO_VALUES, 0), 2);
	shelf_check_search(h, "seals", "A walrus, seen: And \x02seals\x03?\n");
	history_close(h);
	conversation_free(c);
	shelf_end();
}

/* Its rows have the columns that it had, so their form is that of its own tables. */
static void a_damaged_file_of_an_earlier_version_is_recovered(void)
{
	struct tend_result result;
	struct shelf_seen seen;

	shelf_begin();
	shelf_tend();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "old"), first = shelf_exchange(h, id, 0, "walrus", "a marine mammal");
	int64_t last = shelf_exchange(h, id, first, "and seals?", "too");
	history_close(h);
	shelf_tend();
	shelf_sql("PRAGMA user_version = 5; UPDATE form SET number = 5; ALTER TABLE node DROP COLUMN cached_tokens; ALTER TABLE conversation ADD COLUMN dropped");
	shelf_sql("UPDATE conversation SET dropped = 'x'");
	damage_table("source");
	CHECK(history_tend(&(struct tend_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT(result.damaged && result.recovered == 4);
	tend_result_fini(&result);
	h = shelf_open();
	shelf_check_list(h, NULL, 10, "old ", &seen);
	CU_ASSERT(seen.last.usage.of[USAGE_PROMPT].number == 20 && seen.last.turns == 2 && seen.last.leaf == last);
	struct shelf_tree tree = shelf_tree(h, id);
	CU_ASSERT_EQUAL_FATAL(tree.count, 4);
	CU_ASSERT(tree.nodes[2].parent == first && tree.nodes[3].role == TURN_ASSISTANT && tree.nodes[3].outcome == OUTCOME_COMPLETE);
	shelf_check_search(h, "walrus", "old: \x02walrus\x03\n");
	history_close(h);
	shelf_end();
}

const struct suite suite_history_mend = { "history_mend", (const struct test[]){
	TEST(a_later_version_is_left_alone),
	TEST(an_earlier_version_is_migrated),
	TEST(a_turn_whose_role_is_damaged_is_read),
	TEST(what_others_add_is_no_damage),
	TEST(a_lost_title_is_made_of_the_first_prompt),
	TEST(a_damaged_file_of_an_earlier_version_is_recovered),
	{ 0 },
} };
