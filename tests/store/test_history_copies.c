/* The file alone, as people copy it, and backups. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/shelf.h"
#include "support/check.h"

static struct error err;

static void copy_alone(const char *from, const char *to)
{
	char command[400];

	snprintf(command, sizeof command, "rm -rf '%s'; mkdir -m 700 '%s' && cp '%s' '%s/history.db'", to, to, from, to);
	CU_ASSERT_EQUAL(system(command), 0);
}

/* Lists what a history consists of if there is nothing but a copy of one file. */
static void check_copy(const char *from, const char *titles)
{
	struct shelf_seen seen;
	char *folder = mem_dup_z(shelf_path("other/weir"));

	mkdir(shelf_path("other"), 0700);
	copy_alone(from, folder);
	mem_free(folder);
	setenv("XDG_DATA_HOME", shelf_path("other"), 1);
	shelf_maintain();
	struct history *h = shelf_open();
	shelf_check_list(h, NULL, 10, titles, &seen);
	history_close(h);
	setenv("XDG_DATA_HOME", shelf_path("data"), 1);
}

static void the_last_that_ends_leaves_all_in_the_file(void)
{
	char *file;

	shelf_begin();
	file = mem_dup_z(shelf_path(SHELF_FILE));
	shelf_maintain();
	struct history *first = shelf_open(), *second = shelf_open();
	shelf_exchange(first, shelf_conversation(first, "one"), 0, "q", "a");
	shelf_exchange(second, shelf_conversation(second, "two"), 0, "q", "a");
	history_finish(first);
	shelf_exchange(second, shelf_conversation(second, "three"), 0, "q", "a");
	check_copy(file, "two one ");
	history_finish(second);
	check_copy(file, "three two one ");
	mem_free(file);
	shelf_end();
}

static bool has_words(const char *folder, const char *words)
{
	char command[400];

	snprintf(command, sizeof command, "grep -rqaF '%s' '%s'", words, shelf_path(folder));
	return system(command) == 0;
}

static void a_backup_is_one_whole_file(void)
{
	char *copy;
	int64_t mark;

	shelf_begin();
	copy = mem_dup_z(shelf_path("copy.db"));
	shelf_maintain();
	struct history *h = shelf_open(), *other = shelf_open();
	shelf_exchange(h, shelf_conversation(h, "one"), 0, "walrus", "a");
	shelf_maintain(); /* so that the search has the words */
	int64_t hidden = shelf_conversation(h, "two");
	shelf_exchange(h, hidden, 0, "seal", "b");
	CU_ASSERT(history_delete(h, hidden, 0, &mark, &err) == HISTORY_OK);
	CU_ASSERT(history_batch(other, &err) == HISTORY_OK); /* somebody writes meanwhile */
	shelf_conversation(other, "three");
	close(open(copy, O_WRONLY | O_CREAT, 0600));
	CHECK(history_backup(h, copy, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT(history_commit(other, &err) == HISTORY_OK);
	history_close(other);
	history_close(h);
	CU_ASSERT(access(shelf_path("copy.db-wal"), F_OK) != 0 && access(shelf_path("copy.db-journal"), F_OK) != 0);
	check_copy(copy, "one ");
	setenv("XDG_DATA_HOME", shelf_path("other"), 1);
	h = shelf_open();
	shelf_check_search(h, "walrus", "one: \x02walrus\x03\n");
	history_close(h);
	CU_ASSERT(!has_words("other", "seal"));
	mem_free(copy);
	shelf_end();
}

/* Its commits would sync the file, in the event loop. */
static void a_restored_backup_is_maintained_before_it_is_written(void)
{
	enum history_status status;
	char *copy;

	shelf_begin();
	copy = mem_dup_z(shelf_path("copy.db"));
	shelf_maintain();
	struct history *h = shelf_open();
	shelf_conversation(h, "one");
	close(open(copy, O_WRONLY | O_CREAT, 0600));
	CHECK(history_backup(h, copy, &err) == HISTORY_OK, "%s", err.text);
	history_close(h);
	char *folder = mem_dup_z(shelf_path("data/weir"));
	copy_alone(copy, folder);
	CU_ASSERT(!history_open(0, &status, &err) && status == HISTORY_OLDER);
	shelf_maintain();
	h = shelf_open();
	CU_ASSERT_TRUE(database_has_wal(h->db));
	history_close(h);
	mem_free(folder);
	mem_free(copy);
	shelf_end();
}

const struct suite suite_history_copies = { "history_copies", (const struct test[]){
	TEST(the_last_that_ends_leaves_all_in_the_file),
	TEST(a_backup_is_one_whole_file),
	TEST(a_restored_backup_is_maintained_before_it_is_written),
	{ 0 },
} };
