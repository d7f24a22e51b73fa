/* The recovery of a damaged history: rows by their form to tables, also those of an earlier version, and what belongs to rows that are lost. */
#include "store/maintain/maintain_inside.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/turn.h"
#include "chat/conversation/title.h"
#include "store/history/index.h"
#include "store/maintain/rescue.h"

#define ROWS_AT_ONCE 2000         /* in one transaction */

/* --- layouts: a row belongs to the table whose columns its values fit --- */

enum fit { FIT_ID, FIT_INTEGER, FIT_REAL, FIT_TEXT };

/* The columns of a table as a file has them: of this version, or of the damaged file if that is an earlier one. */
struct layout {
	struct { enum fit fit; bool may_be_null, is_ours; } columns[RESCUE_COLUMNS_MOST];
	size_t count;
	char *insert; /* those that are ours */
};
#define LAYOUTS_MOST (2 * MAINTAIN_TABLES)

struct filling {
	struct database *db;
	struct layout layouts[LAYOUTS_MOST];
	size_t layout_count;
	size_t rows;
};

/* `from` has the table; `db` is the new file. */
static void read_layout(struct database *db, struct database *from, const char *name, struct layout *layout)
{
	struct rows *r = database_rows(from, "SELECT type, \"notnull\", pk, name FROM pragma_table_info(?)", VALUES(TEXT(str_from(name))));
	struct buf names = { 0 }, marks = { 0 }, sql = { 0 };

	for (; rows_next(r) && layout->count < RESCUE_COLUMNS_MOST; layout->count++) {
		struct str type = row_text(r, 0), column = row_text(r, 3);
		bool is_ours = database_integer(db, "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?",
		                                VALUES(TEXT(str_from(name)), TEXT(column)), 0) > 0;

		layout->columns[layout->count].fit = row_integer(r, 2) ? FIT_ID : str_is(type, "INTEGER") ? FIT_INTEGER :
		                                     str_is(type, "REAL") ? FIT_REAL : FIT_TEXT;
		layout->columns[layout->count].may_be_null = !row_integer(r, 1);
		layout->columns[layout->count].is_ours = is_ours;
		if (is_ours) /* so its name is one that we wrote */
			buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(column));
		if (is_ours)
			buf_add_z(&marks, marks.len ? ", ?" : "?");
	}
	rows_end(r);
	buf_printf(&sql, "INSERT OR IGNORE INTO %s (%s) VALUES (%s)", name, buf_z(&names), buf_z(&marks));
	layout->insert = buf_take(&sql);
	buf_fini(&names);
	buf_fini(&marks);
}

static void layout_drop(struct layout *layout)
{
	mem_free(layout->insert);
	*layout = (struct layout){ .count = 0 };
}

/* The layouts of this version come first: in a damaged file of this version the names of columns may be damaged too. */
static void add_layouts(struct filling *f, struct database *from)
{
	for (size_t i = 0; i < MAINTAIN_TABLES; i++) {
		struct layout *layout = &f->layouts[f->layout_count];

		read_layout(f->db, from, maintain_tables[i], layout);
		if (layout->count && layout->columns[0].is_ours && layout->columns[0].fit == FIT_ID)
			f->layout_count++;
		else
			layout_drop(layout);
	}
}

/* Without them nothing but rows of this version's form is recovered. */
static void add_layouts_of_old(struct maintenance *t, struct filling *f)
{
	enum database_status opened;
	struct error ignored;
	char *path = maintain_path(t, HISTORY_FILE);
	struct database *old = history_is_emptied(t->folder.fd) ? NULL : database_open(path, DATABASE_WRITE, 0, &opened, &ignored);

	if (old)
		add_layouts(f, old);
	database_close(old);
	mem_free(path);
}

/* The id of a row is its row id; the column is NULL in the file. A real number without a fraction is stored as an integer. */
static bool fits(const struct layout *layout, const struct value *values, size_t count)
{
	if (count != layout->count)
		return false;
	for (size_t i = 0; i < count; i++) {
		enum value_type type = values[i].type;
		bool good = false;

		switch (layout->columns[i].fit) {
		case FIT_ID: good = type == VALUE_NULL; break;
		case FIT_INTEGER: good = type == VALUE_INTEGER; break;
		case FIT_REAL: good = type == VALUE_REAL || type == VALUE_INTEGER; break;
		case FIT_TEXT: good = type == VALUE_TEXT; break;
		}
		if (!good && !(type == VALUE_NULL && layout->columns[i].may_be_null))
			return false;
	}
	return true;
}

/* A row that cannot be inserted is left out; a full disk ends it all. */
static void insert_row(struct filling *f, const struct layout *layout, int64_t row, const struct value *values)
{
	struct value ours[RESCUE_COLUMNS_MOST];
	size_t count = 0;

	for (size_t i = 0; i < layout->count; i++)
		if (layout->columns[i].is_ours)
			ours[count++] = i ? values[i] : INTEGER(row);
	database_do(f->db, layout->insert, (struct values){ ours, count });
	if (++f->rows % ROWS_AT_ONCE == 0) {
		database_end(f->db);
		database_begin(f->db);
	}
}

static void fill_row(void *ctx, int64_t row, const struct value *values, size_t count)
{
	struct filling *f = ctx;

	for (size_t i = 0; i < f->layout_count; i++)
		if (row >= 1 && fits(&f->layouts[i], values, count)) {
			insert_row(f, &f->layouts[i], row, values);
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
	/* Nodes without their conversation get one again. Its title is made below. */
	"DELETE FROM lost",
	"INSERT INTO lost SELECT DISTINCT conversation FROM node WHERE conversation NOT IN (SELECT id FROM conversation)",
	"INSERT INTO conversation (id, key, title, titled_by, created, updated) SELECT id, lower(hex(randomblob(8))), "
	"'Recovered conversation', 'user', 1000 * unixepoch(), 1000 * unixepoch() FROM lost",
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
};

/* The words of a conversation's first prompt, or the name of a file with it. A text comes in the order of its pieces, and one is enough. */
static const char first_words[] =
	"SELECT ifnull(piece.content, part.name) FROM node CROSS JOIN part ON part.node = node.id LEFT JOIN piece ON piece.part = part.id "
	"WHERE node.id = (SELECT min(id) FROM node WHERE conversation = ? AND role = 'user') AND part.kind IN ('text', 'attachment') "
	"ORDER BY part.kind DESC, part.position, piece.position";

/* A conversation whose row is lost has the title that it began with, where that prompt is there. */
static void title_anew(struct database *db, int64_t conversation)
{
	struct rows *r = database_rows(db, first_words, VALUES(INTEGER(conversation)));
	char *title = mem_dup_z("");

	while (!*title && rows_next(r)) {
		mem_free(title);
		title = title_of(row_text(r, 0));
	}
	rows_end(r);
	if (*title)
		database_do(db, "UPDATE conversation SET title = ?, titled_by = 'prompt' WHERE id = ?",
		            VALUES(TEXT(str_from(title)), INTEGER(conversation)));
	mem_free(title);
}

/* The last that `lost` holds are the conversations that `repairs` made. */
static void title_all_anew(struct database *db)
{
	struct rows *r = database_rows(db, "SELECT id FROM lost", NO_VALUES);

	while (rows_next(r))
		title_anew(db, row_integer(r, 0));
	rows_end(r);
	database_do(db, "DROP TABLE lost", NO_VALUES);
}

static void sum_up_all(struct database *db)
{
	struct rows *r = database_rows(db, "SELECT id FROM conversation", NO_VALUES);
	struct history h = { .db = db };

	while (rows_next(r))
		history_sum_up(&h, row_integer(r, 0));
	rows_end(r);
}

/* --- the new file --- */

static int open_old(struct maintenance *t, const char *name)
{
	struct error ignored;
	int fd;

	return private_file_open(&t->folder, name, O_RDONLY, &fd, &ignored) == PRIVATE_OPEN ? fd : -1;
}

static void fill(struct maintenance *t, struct filling *f)
{
	struct database *db = f->db;
	int file = open_old(t, HISTORY_FILE), wal = open_old(t, HISTORY_FILE "-wal");

	database_script(db, "PRAGMA foreign_keys = OFF");
	add_layouts(f, db);
	add_layouts_of_old(t, f);
	database_begin(db);
	if (file < 0 || !rescue_read(file, wal, fill_row, f))
		database_fail(db, DATABASE_FAILED, "it cannot be read");
	for (size_t i = 0; i < ARRAY_LEN(repairs); i++)
		database_do(db, repairs[i], NO_VALUES);
	title_all_anew(db);
	sum_up_all(db);
	index_begin_anew(db);
	database_end(db);
	t->result->recovered = database_integer(db, "SELECT count(*) FROM node", NO_VALUES, 0);
	if (file >= 0)
		close(file);
	if (wal >= 0)
		close(wal);
}

/* The statements of the tables live as long as the database. */
enum history_status maintain_rescue(struct maintenance *t)
{
	struct filling f = { .rows = 0 };
	enum history_status status = maintain_build(t, &f.db);

	if (status != HISTORY_OK)
		return status;
	fill(t, &f);
	status = maintain_replace(t, f.db, "damaged", &t->result->damaged);
	for (size_t i = 0; i < f.layout_count; i++)
		layout_drop(&f.layouts[i]);
	return status;
}
