/* A file of the version before, and files of which much is free. */
#include "store/shelf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"

static struct error err;

/* That had a virtual table in the place of the index, beside the pieces that it did not know yet. */
static const char former[] =
	"DROP TABLE block; DROP TABLE leaf; DROP TABLE stale; DROP TABLE form; DROP INDEX conversation_chat; ALTER TABLE conversation DROP COLUMN asked;"
	"CREATE TABLE form (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL, tended INTEGER, unclean INTEGER NOT NULL DEFAULT 0);"
	"CREATE TABLE unindexed (piece INTEGER PRIMARY KEY REFERENCES piece (id) ON DELETE CASCADE);"
	"CREATE VIRTUAL TABLE search USING fts5 (content, content = 'piece', content_rowid = 'id', prefix = '2 3', "
	"tokenize = 'unicode61 remove_diacritics 2');"
	"INSERT INTO search (rowid, content) SELECT id, content FROM piece WHERE id > 2; INSERT INTO unindexed SELECT id FROM piece WHERE id <= 2;"
	"INSERT INTO form (id, number, tended) VALUES (1, 206, 5); PRAGMA user_version = 206";

/* Three conversations in such a file. False: it cannot be made. */
static bool begin_former(void)
{
	enum database_status status;
	struct history *h;

	shelf_begin();
	shelf_maintain();
	h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "first"), 0, "walrus", "x");
	shelf_exchange(h, shelf_conversation(h, "second"), 0, "the walrus again", "quokka");
	shelf_exchange(h, shelf_conversation(h, "third"), 0, "\u5317\u4eac", "x");
	history_close(h);
	struct database *db = database_open(shelf_path(SHELF_FILE), DATABASE_WRITE, 0, &status, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(db);
	database_script(db, former);
	bool made = database_status(db) == DATABASE_OK;
	CHECK(made || strstr(database_message(db), "no such module"), "%s", database_message(db));
	database_clear(db);
	database_checkpoint(db, true);
	database_close(db);
	if (!made) {
		check_skip("this SQLite has no FTS5");
		shelf_end();
	}
	return made;
}

static void maintain_briefly(void)
{
	struct maintain_result result;

	CHECK(history_maintain(&(struct maintain_options){ .briefly = true }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT(!result.damaged && !result.migrated);
	maintain_result_fini(&result);
}

static int64_t former_tables(struct history *h)
{
	return database_integer(h->db, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'search%'", NO_VALUES, -1);
}

static void check_searched(struct history *h, bool is_indexed)
{
	shelf_check_search(h, "walrus", "second: the \x02walrus\x03 again\nfirst: \x02walrus\x03\n");
	shelf_check_search(h, "\u4eac", "third: \u5317\x02\u4eac\x03\n");
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) > 0 FROM block", NO_VALUES, -1), is_indexed);
	CU_ASSERT_EQUAL(history_wants_maintenance(h), !is_indexed);
	CU_ASSERT_EQUAL(former_tables(h), is_indexed ? 0 : 4);
}

/* It is searched and written to before the index is filled. */
static void the_version_before_is_used_at_once(void)
{
	enum history_status status;
	int64_t second, mark;

	if (!begin_former())
		return;
	CU_ASSERT_PTR_NULL(history_open(0, &status, &err));
	CU_ASSERT_EQUAL(status, HISTORY_OLDER);
	maintain_briefly();
	struct history *h = shelf_open();
	check_searched(h, false);
	CU_ASSERT(history_find(h, STR("2"), &second, &err) == HISTORY_OK);
	shelf_exchange(h, shelf_conversation(h, "fourth"), 0, "a new one", "wombat");
	shelf_check_search(h, "wombat", "fourth: \x02wombat\x03\n");
	CU_ASSERT(history_delete(h, second, 0, &mark, &err) == HISTORY_OK);
	CU_ASSERT(history_undelete(h, mark, &err) == HISTORY_OK);
	history_close(h);
	shelf_maintain();
	h = shelf_open();
	check_searched(h, true);
	shelf_check_search(h, "wombat", "fourth: \x02wombat\x03\n");
	CHECK(database_is_sound(h->db), "%s", database_message(h->db));
	history_close(h);
	CU_ASSERT_FALSE(shelf_any_file_has("search_data"));
	shelf_end();
}

/* Also while the old search is still there, which has its words. */
static void what_is_deleted_in_it_is_gone(void)
{
	struct maintain_result result;
	int64_t second, mark;

	if (!begin_former())
		return;
	maintain_briefly();
	struct history *h = shelf_open();
	CU_ASSERT(history_find(h, STR("2"), &second, &err) == HISTORY_OK);
	CU_ASSERT(history_delete(h, second, 0, &mark, &err) == HISTORY_OK);
	history_close(h);
	CU_ASSERT(shelf_any_file_has("quokka"));
	result = shelf_purge(NULL);
	maintain_result_fini(&result);
	CU_ASSERT_FALSE(shelf_any_file_has("quokka"));
	CU_ASSERT(shelf_any_file_has("walrus"));
	shelf_end();
}

/* --- free pages --- */

static off_t file_size(void)
{
	struct stat facts;

	return stat(shelf_path(SHELF_FILE), &facts) == 0 ? facts.st_size : 0;
}

static void store_much(struct history *h, const char *title, size_t bytes)
{
	struct buf text;

	buf_init(&text, 2 * bytes);
	for (unsigned i = 0; text.len < bytes; i++)
		buf_printf(&text, "quokka%u ", i % 1000);
	shelf_exchange(h, shelf_conversation(h, title), 0, "much", buf_z(&text));
	buf_fini(&text);
}

static void delete_last(struct history *h)
{
	int64_t id, mark;

	CU_ASSERT(history_find(h, STR(HISTORY_LAST), &id, &err) == HISTORY_OK);
	CU_ASSERT(history_delete(h, id, 0, &mark, &err) == HISTORY_OK);
}

/* Another program has the file open, as a chat does, and writes when its input ends. */
static pid_t start_writer(int *hold)
{
	int pipes[2], ready[2];
	char byte;

	CU_ASSERT_FATAL(pipe(pipes) == 0 && pipe(ready) == 0);
	pid_t child = fork();
	if (child == 0) {
		enum history_status status;
		struct history *h = history_open(0, &status, &err);
		int64_t id = 0;

		close(pipes[1]);
		(void)!write(ready[1], "x", 1);
		(void)!read(pipes[0], &byte, 1);
		_exit(!h ? 100 : (int)history_begin(h, &(struct history_conversation){ .title = "late" }, &id, &err));
	}
	close(pipes[0]);
	close(ready[1]);
	CU_ASSERT(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	*hold = pipes[1];
	return child;
}

static void a_file_shrinks(void)
{
	struct maintain_result result;
	struct history *h;
	int hold, how;
	off_t full;

	shelf_begin();
	shelf_maintain();
	h = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "kept"), 0, "walrus", "x");
	store_much(h, "much", (size_t)24 << 20);
	history_close(h);
	shelf_maintain();
	full = file_size();
	h = shelf_open();
	delete_last(h);
	history_close(h);
	pid_t writer = start_writer(&hold);
	result = shelf_purge(NULL);
	maintain_result_fini(&result);
	close(hold);
	CU_ASSERT(waitpid(writer, &how, 0) == writer && WIFEXITED(how) && WEXITSTATUS(how) == HISTORY_REPLACED);
	CHECK(file_size() < full / 10, "%lld of %lld", (long long)file_size(), (long long)full);
	CU_ASSERT_FALSE(shelf_any_file_has("quokka"));
	h = shelf_open();
	CHECK(database_is_sound(h->db), "%s", database_message(h->db));
	shelf_check_search(h, "walrus", "kept: \x02walrus\x03\n");
	CU_ASSERT(shelf_conversation(h, "new") > 2); /* no id is used twice */
	history_close(h);
	shelf_end();
}

const struct suite suite_history_upgrade = { "history_upgrade", (const struct test[]){
	TEST(the_version_before_is_used_at_once),
	TEST(what_is_deleted_in_it_is_gone),
	TEST(a_file_shrinks),
	{ 0 },
} };
