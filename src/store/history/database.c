#include "store/history/database.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "store/history/clean_pages.h"

#define STATEMENTS_MOST 128
#define VALUE_LIMIT (1 << 29)    /* bytes of one value: twice the largest answer */
#define SQL_LIMIT (1 << 20)
#define STEPS_AT_ONCE 1000       /* of SQLite's machine, until it is asked whether to go on */
/*
 * What a statement may take. Pages that refer to one another make a table endless, or a text as long as the file with each of its rows. A check
 * of small rows takes about a step for a byte of the file; a file that was attached several times is read as often.
 */
#define TAKEN_ALWAYS ((int64_t)2000000)
#define STEPS_FOR_BYTE 8
#define READS_OF_BYTE 64

struct rows {
	struct database *db;
	sqlite3_stmt *statement;
	const char *sql;
	int64_t work, bytes; /* steps taken, and bytes of texts read */
};

struct database {
	sqlite3 *handle;
	enum database_status status;
	char *message;
	bool was_damaged;
	struct rows statements[STATEMENTS_MOST];
	size_t statement_count;
	int64_t wal_pages;
	struct rows *running;       /* counts the steps */
	struct rows script;         /* stands for the statements of database_script() */
	int64_t held;               /* bytes of the files when they were read last */
	enum database_status interruption; /* why a statement was interrupted */
	bool (*wants_stop)(void);   /* NULL: never */
};

/* --- failures --- */

static enum database_status status_of(int code, int system_error)
{
	switch (code & 0xff) {
	case SQLITE_OK: case SQLITE_ROW: case SQLITE_DONE: return DATABASE_OK;
	case SQLITE_BUSY: case SQLITE_LOCKED: case SQLITE_PROTOCOL: return DATABASE_BUSY;
	case SQLITE_INTERRUPT: return DATABASE_STOPPED; /* but see database_note() */
	case SQLITE_READONLY: case SQLITE_PERM: return DATABASE_READ_ONLY;
	case SQLITE_FULL: return DATABASE_FULL;
	case SQLITE_CORRUPT: case SQLITE_NOTADB: return DATABASE_DAMAGED;
	case SQLITE_CONSTRAINT: return code == SQLITE_CONSTRAINT_FOREIGNKEY ? DATABASE_ABSENT : DATABASE_FAILED;
	case SQLITE_IOERR:
		if (code == SQLITE_IOERR_SHORT_READ || code == SQLITE_IOERR_CORRUPTFS)
			return DATABASE_DAMAGED;
		return system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG ? DATABASE_FULL : DATABASE_FAILED;
	case SQLITE_CANTOPEN: return system_error == EROFS || system_error == EACCES ? DATABASE_READ_ONLY : DATABASE_FAILED;
	default: return DATABASE_FAILED;
	}
}

static const char *status_words(enum database_status status, const char *otherwise)
{
	switch (status) {
	case DATABASE_OK: return "";
	case DATABASE_BUSY: return "another program is writing to it";
	case DATABASE_ABSENT: return "it has been deleted";
	case DATABASE_READ_ONLY: return "it cannot be written to";
	case DATABASE_FULL: return "the disk is full";
	case DATABASE_STOPPED: return "it was stopped";
	case DATABASE_DAMAGED: return "it is damaged";
	case DATABASE_FAILED: return otherwise;
	}
	return otherwise;
}

void database_fail(struct database *db, enum database_status status, const char *message)
{
	if (db->status != DATABASE_OK)
		return;
	db->status = status;
	db->was_damaged |= status == DATABASE_DAMAGED;
	db->message = mem_dup_z(message);
}

/* Keeps the first failure. */
static bool database_note(struct database *db, int code)
{
	enum database_status status;
	int last = errno, system_error; /* SQLite forgets the error of a write in a transaction that it rolled back */

	if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
		return true;
	if (code == SQLITE_NOMEM)
		mem_die(0);
	system_error = sqlite3_system_errno(db->handle);
	status = status_of(sqlite3_extended_errcode(db->handle), system_error ? system_error : last);
	if (status == DATABASE_OK)
		status = status_of(code, 0);
	if (status == DATABASE_STOPPED)
		status = db->interruption;
	database_fail(db, status, status_words(status, sqlite3_errmsg(db->handle)));
	return false;
}

enum database_status database_status(const struct database *db)
{
	return db->status;
}

const char *database_message(const struct database *db)
{
	return db->message ? db->message : "";
}

bool database_was_damaged(const struct database *db)
{
	return db->was_damaged;
}

void database_clear(struct database *db)
{
	db->status = DATABASE_OK;
	mem_free(db->message);
	db->message = NULL;
}

/* --- what a statement may take --- */

static int64_t file_bytes(const char *path, const char *end)
{
	struct buf name = { 0 };
	struct stat facts;
	int64_t bytes = 0;

	buf_printf(&name, "%s%s", path, end);
	if (stat(buf_z(&name), &facts) == 0)
		bytes = facts.st_size;
	buf_fini(&name);
	return bytes;
}

/* What the files and their WALs hold now. */
static int64_t held_bytes(struct database *db)
{
	const char *name, *path;
	int64_t bytes = 0;

	for (int i = 0; (name = sqlite3_db_name(db->handle, i)); i++)
		if ((path = sqlite3_db_filename(db->handle, name)) && *path)
			bytes += file_bytes(path, "") + file_bytes(path, "-wal");
	return bytes;
}

/* The files may have grown since their sizes were read. */
static bool is_beyond(struct database *db, int64_t amount, int64_t for_byte)
{
	if (amount <= TAKEN_ALWAYS + for_byte * db->held)
		return false;
	db->held = held_bytes(db);
	return amount > TAKEN_ALWAYS + for_byte * db->held;
}

static int take_steps(void *ctx)
{
	struct database *db = ctx;

	db->running->work += STEPS_AT_ONCE;
	db->interruption = DATABASE_OK;
	if (db->wants_stop && db->wants_stop())
		db->interruption = DATABASE_STOPPED;
	else if (is_beyond(db, db->running->work, STEPS_FOR_BYTE))
		db->interruption = DATABASE_DAMAGED;
	return db->interruption != DATABASE_OK;
}

void database_stop_when(struct database *db, bool (*wants_stop)(void))
{
	db->wants_stop = wants_stop;
}

/* --- opening --- */

static int count_wal_pages(void *ctx, sqlite3 *handle, const char *name, int pages)
{
	(void)handle;
	(void)name;
	((struct database *)ctx)->wal_pages = pages;
	return SQLITE_OK;
}

/* A database is input: its schema runs nothing but SQL's own functions, and no value is larger than we write. */
static void distrust(sqlite3 *handle)
{
	static const struct { int option, on; } options[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_ENABLE_FKEY, 1 },
		{ SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1 },
		{ SQLITE_DBCONFIG_DQS_DML, 0 },
		{ SQLITE_DBCONFIG_DQS_DDL, 0 },
	};

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		sqlite3_db_config(handle, options[i].option, options[i].on, NULL);
	sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, VALUE_LIMIT);
	sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, SQL_LIMIT);
	sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1);
	sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 8);
}

static void set_up(struct database *db, enum database_mode mode)
{
	sqlite3_progress_handler(db->handle, STEPS_AT_ONCE, take_steps, db); /* the first statement reads the schema, which may be endless */
	distrust(db->handle);
	database_script(db, "PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;"
	                "PRAGMA journal_size_limit = 16777216; PRAGMA max_page_count = " CLEAN_PAGES_MOST);
	database_cache(db, false);
	if (mode == DATABASE_CREATE)
		database_script(db, "PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = WAL");
	database_script(db, mode == DATABASE_CREATE ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
	sqlite3_wal_hook(db->handle, count_wal_pages, db); /* replaces the automatic checkpoint */
}

static int open_handle(struct database *db, const char *path, enum database_mode mode)
{
	static const int flags[] = {
		[DATABASE_WRITE] = SQLITE_OPEN_READWRITE,
		[DATABASE_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
		[DATABASE_FOREIGN] = SQLITE_OPEN_READONLY,
		[DATABASE_AT_REST] = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
	};
	struct buf name = { 0 };
	int code;

	buf_printf(&name, "file:");
	percent_encode(str_from(path), "/", &name);
	buf_printf(&name, "?immutable=1");
	code = sqlite3_open_v2(mode == DATABASE_AT_REST ? buf_z(&name) : path, &db->handle,
	                       flags[mode] | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE, clean_pages_vfs());
	buf_fini(&name);
	return code;
}

struct database *database_open(const char *path, enum database_mode mode, int busy_ms, enum database_status *status, struct error *err)
{
	struct database *db = mem_new(sizeof *db);
	int code;

	db->script.db = db;
	db->running = &db->script;
	code = open_handle(db, path, mode);
	if (!db->handle)
		mem_die(0);
	sqlite3_extended_result_codes(db->handle, 1);
	if (database_note(db, code)) {
		sqlite3_busy_timeout(db->handle, busy_ms);
		set_up(db, mode);
	}
	if (db->status == DATABASE_FAILED && sqlite3_errcode(db->handle) == SQLITE_ERROR && mode != DATABASE_FOREIGN) {
		database_clear(db); /* nothing is wrong with what was asked: the header names a format that there is not */
		database_fail(db, DATABASE_DAMAGED, status_words(DATABASE_DAMAGED, ""));
	}
	if (mode == DATABASE_FOREIGN)
		database_script(db, "PRAGMA query_only = ON");
	*status = db->status;
	if (*status == DATABASE_OK)
		return db;
	error_set(err, "%s", database_message(db));
	database_close(db);
	return NULL;
}

void database_close(struct database *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < db->statement_count; i++)
		sqlite3_finalize(db->statements[i].statement);
	sqlite3_close(db->handle);
	mem_free(db->message);
	mem_free(db);
}

/* --- statements --- */

static struct rows *find_statement(struct database *db, const char *sql)
{
	struct rows *rows;
	int code;

	for (size_t i = 0; i < db->statement_count; i++)
		if (db->statements[i].sql == sql)
			return &db->statements[i];
	if (db->statement_count == STATEMENTS_MOST) {
		database_fail(db, DATABASE_FAILED, "too many statements");
		return NULL;
	}
	rows = &db->statements[db->statement_count];
	code = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &rows->statement, NULL);
	if (!database_note(db, code))
		return NULL;
	rows->db = db;
	rows->sql = sql;
	db->statement_count++;
	return rows;
}

static int bind_bytes(sqlite3_stmt *statement, int at, struct str bytes)
{
	return sqlite3_bind_blob64(statement, at, bytes.ptr ? bytes.ptr : "", bytes.len, SQLITE_STATIC);
}

static int bind_text(sqlite3_stmt *statement, int at, struct str text)
{
	if ((text.len && memchr(text.ptr, '\0', text.len)) || !utf8_is_valid(text))
		return bind_bytes(statement, at, text);
	return sqlite3_bind_text64(statement, at, text.ptr ? text.ptr : "", text.len, SQLITE_STATIC, SQLITE_UTF8);
}

static int bind_value(sqlite3_stmt *statement, int at, const struct value *value)
{
	switch (value->type) {
	case VALUE_NULL: return sqlite3_bind_null(statement, at);
	case VALUE_INTEGER: return sqlite3_bind_int64(statement, at, value->integer);
	case VALUE_REAL: return sqlite3_bind_double(statement, at, value->real);
	case VALUE_TEXT: return bind_text(statement, at, value->text);
	case VALUE_BYTES: return bind_bytes(statement, at, value->text);
	case VALUE_ROOM: return sqlite3_bind_zeroblob64(statement, at, (sqlite3_uint64)value->integer);
	}
	return SQLITE_MISUSE;
}

struct rows *database_rows(struct database *db, const char *sql, struct values values)
{
	struct rows *rows = db->status == DATABASE_OK ? find_statement(db, sql) : NULL;

	if (!rows)
		return NULL;
	sqlite3_reset(rows->statement);
	rows->work = rows->bytes = 0;
	for (size_t i = 0; i < values.count; i++)
		if (!database_note(db, bind_value(rows->statement, (int)i + 1, &values.at[i]))) {
			rows_end(rows);
			return NULL;
		}
	return rows;
}

/* A text whose pages refer to one another has any length. */
static void count_bytes(struct rows *rows)
{
	for (int i = 0; i < sqlite3_data_count(rows->statement); i++)
		if (sqlite3_column_type(rows->statement, i) >= SQLITE_TEXT && sqlite3_column_type(rows->statement, i) <= SQLITE_BLOB)
			rows->bytes += sqlite3_column_bytes(rows->statement, i);
	if (is_beyond(rows->db, rows->bytes, READS_OF_BYTE))
		database_fail(rows->db, DATABASE_DAMAGED, status_words(DATABASE_DAMAGED, ""));
}

bool rows_next(struct rows *rows)
{
	int code;

	if (!rows || rows->db->status != DATABASE_OK)
		return false;
	rows->db->running = rows;
	code = sqlite3_step(rows->statement);
	count_bytes(rows);
	return database_note(rows->db, code) && code == SQLITE_ROW && rows->db->status == DATABASE_OK;
}

void rows_end(struct rows *rows)
{
	if (!rows)
		return;
	sqlite3_reset(rows->statement);
	sqlite3_clear_bindings(rows->statement); /* the values may go now */
}

bool row_is_null(const struct rows *rows, int column)
{
	return sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

int64_t row_integer(const struct rows *rows, int column)
{
	return sqlite3_column_int64(rows->statement, column);
}

double row_real(const struct rows *rows, int column)
{
	return sqlite3_column_double(rows->statement, column);
}

struct str row_text(const struct rows *rows, int column)
{
	const void *ptr;

	if (row_is_null(rows, column))
		return STR_NONE;
	ptr = sqlite3_column_blob(rows->statement, column);
	return str_of(ptr ? ptr : "", (size_t)sqlite3_column_bytes(rows->statement, column));
}

char *row_copy(const struct rows *rows, int column)
{
	return row_is_null(rows, column) ? NULL : str_dup(row_text(rows, column));
}

void database_script(struct database *db, const char *sql)
{
	db->script.work = 0;
	db->running = &db->script;
	if (db->status == DATABASE_OK)
		database_note(db, sqlite3_exec(db->handle, sql, NULL, NULL, NULL));
}

int64_t database_do(struct database *db, const char *sql, struct values values)
{
	struct rows *rows = database_rows(db, sql, values);

	while (rows_next(rows))
		;
	rows_end(rows);
	return rows && db->status == DATABASE_OK ? sqlite3_changes64(db->handle) : 0;
}

void database_cache(struct database *db, bool is_small)
{
	database_script(db, is_small ? "PRAGMA cache_size = -1024" : "PRAGMA cache_size = -8192");
}

void database_fill(struct database *db, const char *table, const char *column, int64_t row, struct str bytes)
{
	sqlite3_blob *room = NULL;

	if (db->status == DATABASE_OK && database_note(db, sqlite3_blob_open(db->handle, "main", table, column, row, 1, &room)))
		database_note(db, sqlite3_blob_write(room, bytes.ptr, (int)bytes.len, 0));
	sqlite3_blob_close(room);
}

int64_t database_integer(struct database *db, const char *sql, struct values values, int64_t otherwise)
{
	struct rows *rows = database_rows(db, sql, values);
	int64_t number = rows_next(rows) && !row_is_null(rows, 0) ? row_integer(rows, 0) : otherwise;

	rows_end(rows);
	return number;
}

int64_t database_last_row(const struct database *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

void database_forget_virtual(struct database *db, const char *name)
{
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	database_script(db, "PRAGMA writable_schema = ON");
	database_do(db, "DELETE FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE 'CREATE VIRTUAL TABLE %'",
	            VALUES(TEXT(str_from(name))));
	database_script(db, "PRAGMA writable_schema = RESET");
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
}

/* --- transactions --- */

void database_begin(struct database *db)
{
	database_do(db, "BEGIN IMMEDIATE", NO_VALUES);
}

enum database_status database_end(struct database *db)
{
	database_do(db, "COMMIT", NO_VALUES);
	if (!sqlite3_get_autocommit(db->handle))
		sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL); /* the status stays that of the failure */
	return db->status;
}

void database_hold(struct database *db)
{
	database_do(db, "SAVEPOINT held", NO_VALUES);
}

void database_release(struct database *db)
{
	sqlite3_exec(db->handle, "RELEASE held", NULL, NULL, NULL); /* also after a failure */
}

/* --- what may take long --- */

bool database_checkpoint(struct database *db, bool truncate)
{
	int pages = 0, written = 0, code;

	if (db->status != DATABASE_OK)
		return false;
	code = sqlite3_wal_checkpoint_v2(db->handle, NULL, truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE, &pages, &written);
	if (!truncate && (code & 0xff) == SQLITE_BUSY)
		return false;
	return database_note(db, code) && pages == written;
}

bool database_has_wal(struct database *db)
{
	struct rows *rows = sqlite3_db_readonly(db->handle, "main") ? NULL : database_rows(db, "PRAGMA journal_mode", NO_VALUES);
	bool is_wal = !rows_next(rows) || str_is(row_text(rows, 0), "wal");

	rows_end(rows);
	return is_wal;
}

int64_t database_wal_pages(const struct database *db)
{
	return db->wal_pages;
}

void database_leave_wal(struct database *db)
{
	database_script(db, "PRAGMA journal_mode = DELETE");
}

void database_forget(struct database *db)
{
	sqlite3_db_release_memory(db->handle);
}

bool database_is_sound(struct database *db)
{
	struct rows *rows = database_rows(db, "PRAGMA integrity_check(1)", NO_VALUES);
	bool sound = rows_next(rows) && str_is(row_text(rows, 0), "ok");

	rows_end(rows);
	return sound;
}

void database_write_libraries(struct buf *out)
{
	buf_printf(out, "SQLite %s\n", sqlite3_libversion());
}
