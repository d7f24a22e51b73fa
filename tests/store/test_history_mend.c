/* Files of other versions, and damaged ones. */
#include "store/shelf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"

static struct error err;

static void a_later_version_is_left_alone(void)
{
	enum history_status status;
	struct maintain_result result;

	shelf_begin();
	shelf_maintain();
	shelf_sql("PRAGMA user_version = 99999; UPDATE form SET number = 99999");
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_NEWER);
	CU_ASSERT_EQUAL(history_maintain(&(struct maintain_options){ .purge = true, .check = true }, &result, &err), HISTORY_NEWER);
	CHECK(strstr(err.text, "later version"), "%s", err.text);
	maintain_result_fini(&result);
	shelf_end();
}

static void an_earlier_version_is_migrated(void)
{
	struct maintain_result result;
	struct shelf_seen seen;
	enum history_status status;
	char command[300];
	int64_t mark;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "old");
	int64_t node = shelf_exchange(h, id, 0, "walrus", "a marine mammal");
	history_close(h);
	shelf_maintain();
	shelf_sql("PRAGMA user_version = 5; UPDATE form SET number = 5; ALTER TABLE node DROP COLUMN cached_tokens; ALTER TABLE conversation ADD COLUMN dropped");
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_OLDER);
	CHECK(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_TRUE(result.migrated);
	CU_ASSERT_PTR_NULL(result.damaged);
	maintain_result_fini(&result);
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
	maintain_result_fini(&result);
	CU_ASSERT_FALSE(shelf_any_file_has("walrus"));
	shelf_end();
}

/* One flipped bit does not hide a turn: the word is read alike in the list of nodes and in the turn. */
static void a_turn_whose_role_is_damaged_is_read(void)
{
	int64_t conversation, node = 0;

	shelf_begin();
	shelf_maintain();
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

/* A row of `part` whose kind is no word of ours: the others keep their texts, wherever it stands. */
static void a_part_of_a_damaged_kind_takes_no_text(void)
{
	static const struct { enum part_kind kind; const char *text; } parts[] = {
		{ PART_REASONING, "thinking" }, { PART_OPAQUE, "signature" }, { PART_TEXT, "the answer" },
	};

	for (size_t damaged = 0; damaged < ARRAY_LEN(parts); damaged++) {
		struct conversation *c = conversation_new(), *read = conversation_new();
		struct turn *answer = conversation_answer(c, STR("p"), NULL, STR("m"));
		int64_t node = 0;
		char sql[100];

		shelf_begin();
		shelf_maintain();
		struct history *h = shelf_open();
		for (size_t i = 0; i < ARRAY_LEN(parts); i++)
			turn_add(answer, parts[i].kind, str_from(parts[i].text), STR_NONE, STR_NONE);
		shelf_put(h, shelf_conversation(h, "t"), 0, answer, &node);
		snprintf(sql, sizeof sql, "UPDATE part SET kind = 'xx' WHERE position = %zu", damaged);
		database_script(h->db, sql);
		struct turn *t = conversation_answer(read, STR(""), NULL, STR(""));
		CHECK(history_read_turn(h, node, t, &err) == HISTORY_OK, "%s", err.text);
		CU_ASSERT_EQUAL_FATAL(t->part_count, ARRAY_LEN(parts) - 1);
		for (size_t i = 0, at = 0; i < ARRAY_LEN(parts); i++)
			if (i != damaged) {
				CU_ASSERT_EQUAL(t->parts[at].kind, parts[i].kind);
				CHECK_STR(buf_str(&t->parts[at++].text), parts[i].text);
			}
		history_close(h);
		conversation_free(c);
		conversation_free(read);
		shelf_end();
	}
}

/* --- schemas --- */

static unsigned files_of_kind(const char *kind)
{
	char command[300];
	FILE *out;
	unsigned count = 0;

	snprintf(command, sizeof command, "ls '%s'/data/weir/ | grep -c '^history.db.%s'", shelf_home(), kind);
	out = popen(command, "r");
	CU_ASSERT_FATAL(out && fscanf(out, "%u", &count) == 1);
	pclose(out);
	return count;
}

/* Replaces words in the file by others of the same length, as a build with another figure would have them. */
static void replace_words(const char *from, const char *to)
{
	struct buf bytes = { 0 };
	size_t at = 0, found;

	CHECK(buf_read_file(&bytes, shelf_path(SHELF_FILE), &err), "%s", err.text);
	while (found = str_find(str_skip(buf_str(&bytes), at), str_from(from)), at + found < bytes.len) {
		memcpy(bytes.ptr + at + found, to, strlen(to));
		at += found + 1;
	}
	CU_ASSERT(at > 0);
	int fd = open(shelf_path(SHELF_FILE), O_WRONLY);
	CU_ASSERT(fd >= 0 && str_write(buf_str(&bytes), fd) == 0);
	close(fd);
	buf_fini(&bytes);
}

/* Another build counts another figure with another price: each adds its own columns, and both go on with the file. */
static void a_build_with_another_figure_shares_the_file(void)
{
	struct maintain_result result;
	enum history_status status;
	struct shelf_seen seen;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "t"), 0, "q", "a");
	database_checkpoint(h->db, true);
	history_close(h);
	shelf_sql("UPDATE node SET reasoning_tokens = 77; PRAGMA wal_checkpoint(TRUNCATE)");
	replace_words("reasoning_tokens", "imaginary_tokens");
	replace_words("price_reasoning", "price_imaginary");
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_OLDER);
	for (int check = 0; check < 2; check++) {
		CHECK(history_maintain(&(struct maintain_options){ .check = check }, &result, &err) == HISTORY_OK, "%s", err.text);
		CU_ASSERT(!result.migrated && !result.damaged);
		maintain_result_fini(&result);
	}
	h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "u"), 0, "q", "a");
	shelf_check_list(h, NULL, 10, "u t ", &seen);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT sum(imaginary_tokens) FROM node", NO_VALUES, 0), 2 * 77);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM node WHERE reasoning_tokens IS NULL", NO_VALUES, 0), 4);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM pragma_table_info('node') WHERE name LIKE 'price\\__%' ESCAPE '\\' AND type = 'REAL'",
	                                 NO_VALUES, 0), 6);
	history_close(h);
	CU_ASSERT(!files_of_kind("damaged") && !files_of_kind("before"));
	shelf_end();
}

/* Files of before do not say who has spoken in a conversation: all are chats. */
static void a_column_that_is_missing_is_added(void)
{
	struct maintain_result result;
	enum history_status status;
	int64_t id = 0;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t old = shelf_conversation(h, "old");
	history_close(h);
	shelf_sql("DROP INDEX conversation_chat; ALTER TABLE conversation DROP COLUMN asked");
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_OLDER);
	CHECK(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT(!result.migrated && !result.damaged);
	maintain_result_fini(&result);
	h = shelf_open();
	shelf_check_find(h, HISTORY_LAST_CHAT, old);
	CU_ASSERT(history_begin(h, &(struct history_conversation){ .held = HISTORY_HELD_BY_ASK, .updated_ms = INT64_MAX / 2 }, &id, &err) == HISTORY_OK);
	shelf_check_find(h, HISTORY_LAST, id);
	shelf_check_find(h, HISTORY_LAST_CHAT, old);
	history_close(h);
	shelf_end();
}

/* What acts in a schema is ours, or the file is let alone: a damaged one would be recovered. */
static void a_schema_that_acts_is_refused(void)
{
	static const struct { const char *sql, *words; } cases[] = {
		{ "CREATE TRIGGER keep BEFORE DELETE ON piece BEGIN SELECT raise(IGNORE); END", "it has the trigger \"keep\"" },
		{ "CREATE VIEW deep AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", "it has the view \"deep\"" },
		{ "DROP TABLE stale; CREATE VIEW stale AS SELECT 1 AS piece", "it has the view \"stale\"" },
		{ "DROP VIEW message; CREATE VIEW message AS SELECT 1", "somebody changed the view \"message\"" },
		{ "CREATE VIRTUAL TABLE more USING fts5 (words)", "it has the table \"more\"" },
		{ "CREATE INDEX dear ON piece (hex(content))", "it has the index \"dear\"" },
		{ "CREATE INDEX some ON piece (part) WHERE length(content)", "it has the index \"some\"" },
		{ "CREATE UNIQUE INDEX once ON piece (content)", "it has the index \"once\"" },
		{ "CREATE TABLE mine (words, CHECK (length(words)))", "it has the table \"mine\"" },
		{ "CREATE TABLE mine (words, more AS (hex(words)))", "it has the table \"mine\"" },
		{ "CREATE TABLE mine (node REFERENCES node (id))", "it has the table \"mine\"" },
		{ "ALTER TABLE piece ADD COLUMN dear AS (hex(content))", "somebody changed the table \"piece\"" },
		{ "ALTER TABLE node ADD COLUMN held REFERENCES part", "somebody changed the table \"node\"" },
		{ "PRAGMA application_id = 1; DROP VIEW message; DROP TABLE place", "it is another program's database" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct maintain_result result;
		enum history_status status;

		shelf_begin();
		shelf_maintain();
		struct history *h = shelf_open();
		shelf_exchange(h, shelf_conversation(h, "t"), 0, "walrus", "a");
		history_close(h);
		shelf_sql(cases[i].sql);
		for (int check = 0; check < 2; check++) {
			CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
			CHECK(status == HISTORY_FAILED && strstr(err.text, cases[i].words), "%s: %d, %s", cases[i].sql, status, err.text);
			status = history_maintain(&(struct maintain_options){ .check = check, .purge = true }, &result, &err);
			CHECK(status == HISTORY_FAILED && strstr(err.text, cases[i].words), "%s: %d, %s", cases[i].sql, status, err.text);
			maintain_result_fini(&result);
		}
		CU_ASSERT(!files_of_kind("damaged") && !files_of_kind("before") && shelf_any_file_has("walrus"));
		shelf_end();
	}
}

/* Also in a database of another program, which is only read. */
static void triggers_and_views_do_not_run(void)
{
	enum database_status status;

	shelf_begin();
	shelf_maintain();
	shelf_sql("CREATE TABLE mine (words); CREATE VIEW seen AS SELECT 1; CREATE TRIGGER more AFTER UPDATE ON form BEGIN INSERT INTO mine VALUES (1); END");
	struct database *db = database_open(shelf_path(SHELF_FILE), DATABASE_WRITE, 0, &status, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(db);
	CU_ASSERT_EQUAL(database_do(db, "UPDATE form SET tended = 1", NO_VALUES), 1);
	CU_ASSERT_EQUAL(database_integer(db, "SELECT count(*) FROM mine", NO_VALUES, -1), 0);
	CU_ASSERT_EQUAL(database_integer(db, "SELECT * FROM seen", NO_VALUES, -1), -1);
	CU_ASSERT_EQUAL(database_status(db), DATABASE_FAILED);
	database_close(db);
	shelf_end();
}

/* People query the file with other programs, which may leave something in it. */
static void what_others_add_is_no_damage(void)
{
	struct maintain_result result;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "t"), 0, "q", "a");
	history_close(h);
	shelf_sql("CREATE TABLE mine (words TEXT DEFAULT (1 + 1)); INSERT INTO mine VALUES ('my own'); ALTER TABLE node ADD COLUMN mine; "
	          "ALTER TABLE part ADD COLUMN other TEXT; CREATE INDEX my_index ON node (mine, \"model\"); ANALYZE");
	CHECK(history_maintain(&(struct maintain_options){ .check = true }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_PTR_NULL(result.damaged);
	maintain_result_fini(&result);
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
	struct maintain_result result;
	struct shelf_seen seen;
	int64_t node = 0;

	shelf_begin();
	shelf_maintain();
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
	CHECK(history_maintain(&(struct maintain_options){ .check = true }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT(result.damaged && result.recovered == 7);
	maintain_result_fini(&result);
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
	struct maintain_result result;
	struct shelf_seen seen;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	int64_t id = shelf_conversation(h, "old"), first = shelf_exchange(h, id, 0, "walrus", "a marine mammal");
	int64_t last = shelf_exchange(h, id, first, "and seals?", "too");
	history_close(h);
	shelf_maintain();
	shelf_sql("PRAGMA user_version = 5; UPDATE form SET number = 5; ALTER TABLE node DROP COLUMN cached_tokens; ALTER TABLE conversation ADD COLUMN dropped");
	shelf_sql("UPDATE conversation SET dropped = 'x'");
	damage_table("source");
	CHECK(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT(result.damaged && result.recovered == 4);
	maintain_result_fini(&result);
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
	TEST(a_part_of_a_damaged_kind_takes_no_text),
	TEST(a_build_with_another_figure_shares_the_file),
	TEST(a_column_that_is_missing_is_added),
	TEST(a_schema_that_acts_is_refused),
	TEST(triggers_and_views_do_not_run),
	TEST(what_others_add_is_no_damage),
	TEST(a_lost_title_is_made_of_the_first_prompt),
	TEST(a_damaged_file_of_an_earlier_version_is_recovered),
	{ 0 },
} };
