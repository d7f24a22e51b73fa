/* The recovery of a damaged history: rows by their form to tables, and what belongs to rows that are lost. */
#include "store/tend_inside.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "store/rescue.h"

#define ROWS_AT_ONCE 2000         /* in one transaction */

/* --- tables: a row belongs to the table whose columns its values fit --- */

enum fit { FIT_ID, FIT_INTEGER, FIT_REAL, FIT_TEXT };

struct table {
	struct { enum fit fit; bool may_be_null; } columns[RESCUE_COLUMNS_MOST];
	size_t count;
	char *insert;
};

struct filling {
	struct database *db;
	struct table tables[TEND_TABLES];
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

	for (size_t i = 0; i < TEND_TABLES; i++) {
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
	"UPDATE conversation SET leaf = (SELECT max(id) FROM node WHERE conversation = conversation.id AND "
	"NOT (parent IS NULL AND role = 'assistant' AND label IS '" TURN_TITLE "')) "
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
	for (size_t i = 0; i < TEND_TABLES; i++)
		read_table(db, tend_tables[i], &f->tables[i]);
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

/* The statements of the tables live as long as the database. */
enum history_status tend_rescue(struct tending *t)
{
	struct filling f = { .rows = 0 };
	enum history_status status = tend_build(t, &f.db);

	if (status != HISTORY_OK)
		return status;
	fill(t, &f);
	status = tend_replace(t, f.db, "damaged", &t->result->damaged);
	for (size_t i = 0; i < TEND_TABLES; i++)
		mem_free(f.tables[i].insert);
	return status;
}
