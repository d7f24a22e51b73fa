/* A file of an earlier version: its rows go to a new file, column by column of the same name. The old file stays beside it as the copy. */
#include "store/maintain/maintain_inside.h"

#include "base/mem.h"
#include "store/history/index.h"

/* The columns that both versions have. */
static char *common_columns(struct database *db, const char *table)
{
	struct rows *r = database_rows(db, "SELECT name FROM pragma_table_info(?1, 'main') WHERE name IN (SELECT name FROM pragma_table_info(?1, "
	                                   "'old'))",
	                               VALUES(TEXT(str_from(table))));
	struct buf names = { 0 };

	while (rows_next(r)) {
		struct str name = row_text(r, 0);

		buf_printf(&names, "%s\"%.*s\"", names.len ? ", " : "", STR_ARG(name));
	}
	rows_end(r);
	return buf_take(&names);
}

static void copy_table(struct database *db, const char *table)
{
	char *names = common_columns(db, table);
	struct buf sql = { 0 };

	if (names) {
		buf_printf(&sql, "INSERT INTO main.%s (%s) SELECT %s FROM old.%s ORDER BY id", table, names, names, table);
		database_script(db, buf_z(&sql));
	}
	mem_free(names);
	buf_fini(&sql);
}

static void copy_all(struct maintenance *t, struct database *db)
{
	char *path = maintain_path(t, HISTORY_FILE);

	database_do(db, "ATTACH ? AS old", VALUES(TEXT(str_from(path))));
	database_script(db, "PRAGMA foreign_keys = OFF");
	database_script(db, "BEGIN"); /* IMMEDIATE would ask for the lock of the old file too */
	for (size_t i = 0; i < MAINTAIN_TABLES; i++)
		copy_table(db, maintain_tables[i]);
	index_begin_anew(db);
	database_end(db);
	database_script(db, "DETACH old");
	mem_free(path);
}

/* Holds the lock for writing, so that nobody adds to the old file what the new one lacks. */
enum history_status maintain_migrate(struct maintenance *t)
{
	enum history_status status;
	struct database *db;

	database_clear(t->db);
	database_begin(t->db);
	status = history_status_from(t->db, "the history cannot be brought to this version", t->err);
	if (status == HISTORY_OK)
		status = maintain_build(t, &db);
	if (status != HISTORY_OK)
		return status;
	copy_all(t, db);
	status = maintain_replace(t, db, "before", &t->moved);
	t->result->migrated = status == HISTORY_OK;
	return status;
}
