#include "app/trouble.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/node_text.h"
#include "app/program.h"
#include "app/stored.h"
#include "base/array.h"
#include "store/history/database.h"
#include "store/history/history_inside.h"
#include "support/check.h"
#include "support/home.h"
#include "support/preload.h"

#define LOOK_US 20000

static const struct stored one[] = { { "Bread without yeast", "m-1", "How?", "Soda and buttermilk.", 2, 12, false, false } };

void trouble_furnish(const char *home)
{
	stored_write(home, one, ARRAY_LEN(one));
}

/* NULL: there is none yet. */
static struct history *open_history(const char *home)
{
	enum history_status status;
	struct error err = { "" };
	struct history *h;

	setenv("XDG_DATA_HOME", home_path(home, ".local/share"), 1);
	h = history_open(5000, &status, &err);
	unsetenv("XDG_DATA_HOME");
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
const char *trouble_stored(const char *home)
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

void trouble_await(const char *home, const char *text)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (!strstr(trouble_stored(home), text) && check_now_ms() < end_ms)
		usleep(LOOK_US);
	STORED(home, text);
}

void trouble_sql(const char *home, const char *sql)
{
	enum database_status status;
	struct error err = { "" };
	struct database *db = database_open(home_path(home, TROUBLE_FILE), DATABASE_WRITE, 5000, &status, &err);

	CHECK(db != NULL, "%s", err.text);
	if (!db)
		return;
	database_script(db, sql);
	CHECK(database_status(db) == DATABASE_OK, "%s", database_message(db));
	database_close(db);
}

void trouble_zero_page(const char *home, const char *table)
{
	enum database_status status;
	struct error err = { "" };
	struct database *db = database_open(home_path(home, TROUBLE_FILE), DATABASE_WRITE, 5000, &status, &err);
	static const char zeros[4096];

	CU_ASSERT_PTR_NOT_NULL_FATAL(db);
	int64_t page = database_integer(db, "SELECT rootpage FROM sqlite_schema WHERE name = ?", VALUES(TEXT(str_from(table))), 0);
	CHECK(page > 1 && database_checkpoint(db, true), "%s", table);
	database_close(db);
	int fd = open(home_path(home, TROUBLE_FILE), O_WRONLY);
	CU_ASSERT_EQUAL(pwrite(fd, zeros, sizeof zeros, (page - 1) * (off_t)sizeof zeros), (ssize_t)sizeof zeros);
	close(fd);
}

/* The words in a file below the home, as grep finds them. */
bool trouble_any_file_has(const char *home, const char *words)
{
	char command[400];

	snprintf(command, sizeof command, "grep -rqaF '%s' '%s'", words, home);
	return system(command) == 0;
}

/* --- trouble --- */

static struct history *lock; /* held by this process, which is another program to weir */

void trouble_lock(const char *home)
{
	struct error err = { "" };

	lock = open_history(home);
	CHECK(lock && history_batch(lock, &err) == HISTORY_OK, "%s", err.text);
}

void trouble_unlock(const char *home, int pid)
{
	struct error err = { "" };

	(void)home, (void)pid;
	if (lock)
		(void)history_commit(lock, &err);
	history_close(lock);
	lock = NULL;
}

void trouble_set_newer(const char *home)
{
	trouble_furnish(home);
	trouble_sql(home, "UPDATE form SET number = 9999999; PRAGMA user_version = 9999999");
}

void trouble_unset_newer(const char *home, int pid)
{
	char sql[120];

	(void)pid;
	snprintf(sql, sizeof sql, "UPDATE form SET number = %d; PRAGMA user_version = %d", HISTORY_FORM, HISTORY_FORM);
	trouble_sql(home, sql);
}

/* --- a slow disk --- */

const char *const *trouble_slow_disk(const char *home)
{
	static char waits[200];
	static const char *environment[3];

	environment[0] = preload_variable("slow_sync");
	environment[1] = waits;
	snprintf(waits, sizeof waits, "WEIR_SYNC_WAITS=%s/disk-waits", home);
	if (!environment[0])
		check_skip("a sanitizer has the calls, or tests/slow_sync.so was not built");
	return environment[0] ? environment : NULL;
}

void trouble_disk_waits(const char *home, bool waits)
{
	if (waits)
		home_write(home, "disk-waits", "");
	else
		CHECK(unlink(home_path(home, "disk-waits")) == 0, "it does not wait");
}
