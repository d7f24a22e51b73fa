/* The recovery of a damaged history: rows by their form to tables, and what belongs to rows that are lost. */
#include "store/tend_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "store/rescue.h"

#define BUILT "history.db.part"   /* while it is filled */
#define READY "history.db.new"    /* when it only has to be renamed */
#define ROWS_AT_ONCE 2000         /* in one transaction */

/* --- tables: a row belongs to the table whose columns its values fit --- */

static const char *const table_names[] = { "conversation", "node", "part", "piece", "attachment", "note", "joint", "source", "place" };
#define TABLE_COUNT ARRAY_LEN(table_names)

enum fit { FIT_ID, FIT_INTEGER, FIT_REAL, FIT_TEXT };

struct table {
	struct { enum fit fit; bool may_be_null; } columns[RESCUE_COLUMNS_MOST];
	size_t count;
	char *insert;
};

struct filling {
	struct database *db;
	struct table tables[TABLE_COUNT];
	size_t rows;
};

static void read_table(struct database *db, const char *name, struct table *table)
{
	struct rows *r = database_rows(db, "SELECT type, \"notnull\", pk FROM pragma_table_info(?)", VALUES(TEXT(str_from(name))));
	struct buf sql = { 0 };

	buf_printf(&sql, "INSERT OR IGNORE INTO %s VALUES (", name);
	for (; rows_next(r) && table->count < RESCUE_COLUMNS_MOST; table->count++) {
		struct str type = row_text(r, 0);

		table->columns[table->count].fit = row_integer(r, 2) ? FIT_ID : str_is(type, "INTEGER") ? FIT_INTEGER :
		                                   str_is(type, "REAL") ? FIT_REAL : FIT_TEXT;
		table->columns[table->count].may_be_null = !row_integer(r, 1);
		buf_add_z(&sql, table->count ? ", ?" : "?");
	}
	rows_end(r);
	buf_add_z(&sql, ")");
	table->insert = buf_take(&sql);
}

/* The id of a row is its row id; the column is NULL in the file. A real number without a fraction is stored as an integer. */
static bool fits(const struct table *table, const struct value *values, size_t count)
{
	if (count != table->count)
		return false;
	for (size_t i = 0; i < count; i++) {
		enum value_type type = values[i].type;
		bool good = false;

		switch (table->columns[i].fit) {
		case FIT_ID: good = type == VALUE_NULL; break;
		case FIT_INTEGER: good = type == VALUE_INTEGER; break;
		case FIT_REAL: good = type == VALUE_REAL || type == VALUE_INTEGER; break;
		case FIT_TEXT: good = type == VALUE_TEXT; break;
		}
		if (!good && !(type == VALUE_NULL && table->columns[i].may_be_null))
			return false;
	}
	return true;
}

/* A row that cannot be inserted is left out; a full disk ends it all. */
static void fill_row(void *ctx, int64_t row, const struct value *values, size_t count)
{
	struct value with_id[RESCUE_COLUMNS_MOST];
	struct filling *f = ctx;

	for (size_t i = 0; i < TABLE_COUNT; i++) {
		if (row < 1 || !fits(&f->tables[i], values, count))
			continue;
		memcpy(with_id, values, count * sizeof *values);
		with_id[0] = INTEGER(row);
		database_do(f->db, f->tables[i].insert, (struct values){ with_id, count });
		if (++f->rows % ROWS_AT_ONCE == 0) {
			database_end(f->db);
			database_begin(f->db);
		}
		return;
	}
}

/* --- what is left alone by rows that are lost --- */

#define TEXT_OF_ITS_OWN "SELECT DISTINCT part FROM piece WHERE part NOT IN (SELECT id FROM part)"

static const char *const repairs[] = {
	/* A piece without its part becomes a part of a node of its own. */
	"CREATE TEMP TABLE lost (id INTEGER PRIMARY KEY)",
	"INSERT INTO lost " TEXT_OF_ITS_OWN,
	"INSERT INTO part (id, node, position, kind, number, call, bytes, open, valid, is_error) "
	"SELECT id, (SELECT ifnull(max(id), 0) FROM (SELECT max(id) AS id FROM node UNION ALL SELECT max(node) FROM part)) + row_number() OVER (), "
	"0, 'text', 0, -1, 0, 0, 0, 0 FROM lost",
	/* Parts without their node get one, in a conversation for all of these. */
	"DELETE FROM lost",
	"INSERT INTO lost SELECT DISTINCT node FROM part WHERE node NOT IN (SELECT id FROM node)",
	"INSERT INTO conversation (key, title, titled_by, created, updated) SELECT lower(hex(randomblob(8))), 'Recovered turns', 'user', "
	"1000 * unixepoch(), 1000 * unixepoch() WHERE EXISTS (SELECT 1 FROM lost)",
	"INSERT INTO node (id, conversation, role, started, outcome) SELECT id, (SELECT max(id) FROM conversation), "
	"CASE WHEN EXISTS (SELECT 1 FROM part WHERE node = lost.id AND kind IN ('attachment', 'tool_result')) THEN 'user' ELSE 'assistant' END, "
	"unixepoch(), 'cut' FROM lost",
	/* Nodes without their conversation get one again. */
	"INSERT INTO conversation (id, key, title, titled_by, created, updated) SELECT DISTINCT conversation, lower(hex(randomblob(8))), "
	"'Recovered conversation', 'user', 1000 * unixepoch(), 1000 * unixepoch() FROM node WHERE conversation NOT IN (SELECT id FROM conversation) "
	"GROUP BY conversation",
	/* A parent is older than its child; so there is no ring. */
	"UPDATE node SET parent = NULL WHERE parent >= id OR parent NOT IN (SELECT id FROM node) OR "
	"(SELECT conversation FROM node AS above WHERE above.id = node.parent) <> conversation",
	"UPDATE node SET child = NULL WHERE child IS NOT NULL AND NOT EXISTS (SELECT 1 FROM node AS below WHERE below.id = node.child AND "
	"below.parent = node.id)",
	"UPDATE conversation SET leaf = (SELECT max(id) FROM node WHERE conversation = conversation.id) "
	"WHERE leaf IS NULL OR leaf NOT IN (SELECT id FROM node WHERE conversation = conversation.id)",
	"UPDATE part SET attachment = NULL WHERE attachment NOT IN (SELECT id FROM attachment)",
	"UPDATE part SET open = 0, bytes = ifnull((SELECT sum(length(CAST(content AS BLOB))) FROM piece WHERE part = part.id), 0) "
	"WHERE kind <> 'attachment'",
	"DELETE FROM note WHERE node NOT IN (SELECT id FROM node)",
	"DELETE FROM joint WHERE node NOT IN (SELECT id FROM node)",
	"DELETE FROM source WHERE node NOT IN (SELECT id FROM node)",
	"DELETE FROM place WHERE node NOT IN (SELECT id FROM node)",
	"INSERT OR IGNORE INTO unindexed SELECT piece.id FROM piece JOIN part ON part.id = piece.part WHERE kind IN ('text', 'refusal')",
	"DROP TABLE lost",
};

static void sum_up_all(struct database *db)
{
	struct rows *r = database_rows(db, "SELECT id FROM conversation", NO_VALUES);
	struct history h = { .db = db };

	while (rows_next(r))
		history_sum_up(&h, row_integer(r, 0));
	rows_end(r);
}

/* --- the new file --- */

static int open_old(struct tending *t, const char *name)
{
	struct error ignored;
	int fd;

	return private_file_open(&t->folder, name, O_RDONLY, &fd, &ignored) == PRIVATE_OPEN ? fd : -1;
}

static void fill(struct tending *t, struct filling *f)
{
	struct database *db = f->db;
	int file = open_old(t, HISTORY_FILE), wal = open_old(t, HISTORY_FILE "-wal");

	database_script(db, "PRAGMA foreign_keys = OFF");
	for (size_t i = 0; i < TABLE_COUNT; i++)
		read_table(db, table_names[i], &f->tables[i]);
	database_begin(db);
	if (file < 0 || !rescue_read(file, wal, fill_row, f))
		database_fail(db, DATABASE_FAILED, "it cannot be read");
	for (size_t i = 0; i < ARRAY_LEN(repairs); i++)
		database_do(db, repairs[i], NO_VALUES);
	sum_up_all(db);
	database_end(db);
	t->result->recovered = database_integer(db, "SELECT count(*) FROM node", NO_VALUES, 0);
	if (file >= 0)
		close(file);
	if (wal >= 0)
		close(wal);
}

static void remove_file(const struct tending *t, const char *name)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	char whole[100];

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		snprintf(whole, sizeof whole, "%s%s", name, ends[i]);
		unlinkat(t->folder.fd, whole, 0);
	}
}

/* The statements of the tables live as long as the database. */
static enum history_status build(struct tending *t)
{
	enum database_status opened;
	enum history_status status;
	struct error why = { "" };
	char *path = tend_path(t, BUILT);
	struct filling f = { .rows = 0 };
	int fd;

	remove_file(t, BUILT);
	if (private_file_open(&t->folder, BUILT, O_RDWR | O_CREAT, &fd, t->err) != PRIVATE_OPEN) {
		mem_free(path);
		return HISTORY_FAILED;
	}
	close(fd);
	f.db = database_open(path, DATABASE_CREATE, 0, &opened, &why);
	mem_free(path);
	if (!f.db) {
		error_set(t->err, "the history cannot be recovered: %s", why.text);
		return HISTORY_FAILED;
	}
	database_begin(f.db);
	history_create_tables(f.db);
	database_end(f.db);
	fill(t, &f);
	database_checkpoint(f.db, true);
	status = history_status_from(f.db, "the history cannot be recovered", t->err);
	database_close(f.db);
	for (size_t i = 0; i < TABLE_COUNT; i++)
		mem_free(f.tables[i].insert);
	return status;
}

/* --- taking its place --- */

static bool move_aside(struct tending *t, const char *aside, const char *end)
{
	char from[100], to[100];

	snprintf(from, sizeof from, HISTORY_FILE "%s", end);
	snprintf(to, sizeof to, "%s%s", aside, end);
	return renameat(t->folder.fd, from, t->folder.fd, to) == 0 || errno == ENOENT;
}

/* A name that no file has: ".damaged-20260131-124501", with a number if there is one already. */
static void name_aside(const struct tending *t, char name[80])
{
	struct stat facts;
	time_t now = time(NULL);
	char stamp[32];
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
	for (unsigned n = 0; !n || fstatat(t->folder.fd, name, &facts, AT_SYMLINK_NOFOLLOW) == 0; n++)
		snprintf(name, 80, HISTORY_FILE ".damaged-%s%s%.0u", stamp, n ? "-" : "", n);
}

/* The WAL goes before the new file comes: it would be taken for that file's own. */
static enum history_status take_place(struct tending *t)
{
	char aside[80];

	name_aside(t, aside);
	if (!move_aside(t, aside, "") || !move_aside(t, aside, "-wal") || !move_aside(t, aside, "-shm") ||
	    renameat(t->folder.fd, READY, t->folder.fd, HISTORY_FILE) != 0) {
		error_set(t->err, "the recovered history cannot take its place: %s", strerror(errno));
		return HISTORY_FAILED;
	}
	(void)fsync(t->folder.fd);
	mem_free(t->result->damaged);
	t->result->damaged = tend_path(t, aside);
	return HISTORY_OK;
}

enum history_status tend_rescue(struct tending *t)
{
	enum history_status status = build(t);

	if (status == HISTORY_OK && renameat(t->folder.fd, BUILT, t->folder.fd, READY) != 0) {
		error_set(t->err, "the history cannot be recovered: %s", strerror(errno));
		status = HISTORY_FAILED;
	}
	remove_file(t, BUILT);
	return status == HISTORY_OK ? take_place(t) : status;
}

enum history_status tend_finish_rescue(struct tending *t)
{
	struct stat facts;
	bool absent = fstatat(t->folder.fd, HISTORY_FILE, &facts, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;

	if (fstatat(t->folder.fd, READY, &facts, AT_SYMLINK_NOFOLLOW) != 0)
		return HISTORY_OK;
	if (absent)
		return take_place(t);
	unlinkat(t->folder.fd, READY, 0); /* interrupted before the damaged file was moved: it is recovered anew */
	return HISTORY_OK;
}
