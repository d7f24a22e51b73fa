/*
 * SQLite for one file: opening, statements, transactions, errors as sentences. Only database.c includes sqlite3.h.
 *
 * An operation is a run of calls without branches: the first failure is kept, and calls after it do nothing until database_clear(). So the
 * status is read once, at the end. A value that is read after a failure is 0, STR_NONE or false.
 *
 * Statements are prepared once and kept under the address of their SQL, which must be a literal or outlive the database.
 */
#ifndef WEIR_STORE_DATABASE_H
#define WEIR_STORE_DATABASE_H

#include <stdint.h>

#include "base/text.h"

/* How a call ended. What is not named here is DATABASE_FAILED; the sentence says what it was. */
enum database_status {
	DATABASE_OK,
	DATABASE_BUSY,      /* another program writes, or is in the way: the same call succeeds later */
	DATABASE_ABSENT,    /* a row that is referred to is not there */
	DATABASE_READ_ONLY, /* the file, the folder or the disk cannot be written to */
	DATABASE_FULL,      /* the disk, or the user's share of it */
	DATABASE_STOPPED,   /* the function of database_stop_when() returned true */
	DATABASE_DAMAGED,   /* not a database, its pages contradict one another, or a statement reads more than they can hold */
	DATABASE_FAILED,
};

enum database_mode {
	DATABASE_WRITE,
	DATABASE_CREATE,    /* for a file that may be empty */
	DATABASE_FOREIGN,   /* a file of another program: nothing is written, not even beside it if it has no WAL */
	DATABASE_AT_REST,   /* a file that nobody can write, in WAL mode and without a WAL: nothing is locked, nor made beside it */
};

struct database; /* heap */

/*
 * Opens a file, by a path whose last component is not a link. `busy_ms` is how long a call waits for other programs; 0: it does not.
 * NULL on failure; `status` and `err` say why.
 *
 * No call syncs a file to the disk but: a commit of DATABASE_CREATE, database_checkpoint(), and the first commit into an empty WAL.
 */
struct database *database_open(const char *path, enum database_mode mode, int busy_ms, enum database_status *status, struct error *err);
void database_close(struct database *db); /* NULL is allowed; an open transaction is rolled back */

/* Called during long statements: true ends the statement with DATABASE_STOPPED. NULL: they run to their end. */
void database_stop_when(struct database *db, bool (*wants_stop)(void));

enum database_status database_status(const struct database *db);
const char *database_message(const struct database *db); /* "" while there is no failure; borrowed until database_clear() */
void database_clear(struct database *db);                /* forgets the failure */
bool database_was_damaged(const struct database *db);    /* some operation failed with DATABASE_DAMAGED, cleared or not */
/* Makes the operation fail from outside: a row that contradicts the schema. */
void database_fail(struct database *db, enum database_status status, const char *message);

/* --- statements --- */

enum value_type { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BYTES, VALUE_ROOM };

/* Text that is not valid UTF-8, or that holds a NUL, is stored as a BLOB, byte for byte; column_text() reads both. */
struct value {
	enum value_type type;
	int64_t integer;
	double real;
	struct str text; /* borrowed until the statement is done */
};
#define INTEGER(number) ((struct value){ .type = VALUE_INTEGER, .integer = (int64_t)(number) })
#define REAL(number) ((struct value){ .type = VALUE_REAL, .real = (number) })
#define TEXT(view) ((struct value){ .type = VALUE_TEXT, .text = (view) })
#define BYTES(view) ((struct value){ .type = VALUE_BYTES, .text = (view) }) /* a BLOB, whatever they are */
#define ROOM(bytes) ((struct value){ .type = VALUE_ROOM, .integer = (int64_t)(bytes) }) /* a BLOB of that length, for database_fill() */
#define NOTHING ((struct value){ .type = VALUE_NULL })
#define TEXT_OR_NOTHING(z) ((z) ? TEXT(str_from(z)) : NOTHING)

struct values { const struct value *at; size_t count; };
#define VALUES(...) ((struct values){ (const struct value[]){ __VA_ARGS__ }, sizeof((const struct value[]){ __VA_ARGS__ }) / sizeof(struct value) })
#define NO_VALUES ((struct values){ NULL, 0 })

/* Runs statements that have no values and no rows, separated by semicolons. They are not kept. */
void database_script(struct database *db, const char *sql);
/* Runs one statement and ignores its rows. Returns the number of rows that it changed. */
int64_t database_do(struct database *db, const char *sql, struct values values);
/* The integer in the first column of the first row; `otherwise` without a row. */
int64_t database_integer(struct database *db, const char *sql, struct values values, int64_t otherwise);
int64_t database_last_row(const struct database *db); /* id of the row inserted last */
void database_cache(struct database *db, bool is_small); /* 1 MB of pages while large bytes are written, else 8 MB */
/* Writes bytes into a column of a row that has ROOM() for them, without another copy of them in memory. */
void database_fill(struct database *db, const char *table, const char *column, int64_t row, struct str bytes);

/*
 * Rows: `struct rows *r = database_rows(...); while (rows_next(r)) ...; rows_end(r)`. One SQL text has one set of rows at a time. The values
 * are borrowed until the statement ends.
 */
struct rows;
struct rows *database_rows(struct database *db, const char *sql, struct values values); /* NULL after a failure */
bool rows_next(struct rows *rows);                 /* false at the end and on failure; also for NULL */
void rows_end(struct rows *rows);                  /* NULL is allowed */
bool row_is_null(const struct rows *rows, int column);
int64_t row_integer(const struct rows *rows, int column);
double row_real(const struct rows *rows, int column);
struct str row_text(const struct rows *rows, int column);  /* borrowed until the next row; STR_NONE for NULL */
char *row_copy(const struct rows *rows, int column);       /* heap; NULL for NULL */

/* Forgets a virtual table, in a transaction: its own tables stay, as tables like others. No module has to be there for it. */
void database_forget_virtual(struct database *db, const char *name);

/* --- transactions --- */

void database_begin(struct database *db); /* takes the lock for writing at once */
/* Commits, or rolls back after a failure. The status is that of the whole transaction. */
enum database_status database_end(struct database *db);

/* What is read between these is of one moment, and what is written to temporary tables is one transaction. Also in a transaction. */
void database_hold(struct database *db);
void database_release(struct database *db);

/* --- what may take long --- */

/*
 * Writes the WAL's pages into the file, and syncs both. `truncate`: waits up to busy_ms for readers of old pages and leaves an empty WAL;
 * DATABASE_BUSY if they stay. Otherwise never waits, and returns true if all pages were written.
 */
bool database_checkpoint(struct database *db, bool truncate);
/* Without one, each commit syncs the file. True for a file that cannot be written: it is not changed. */
bool database_has_wal(struct database *db);
int64_t database_wal_pages(const struct database *db); /* pages in the WAL after the last commit of this connection */
/* Moves the WAL into the file and removes it, if nobody else has the file open. The file has no WAL then, until it is opened to be created. */
void database_leave_wal(struct database *db);
void database_forget(struct database *db); /* the pages that it has in memory: they are read again */
/* Whether every page and every index agrees. Reads the whole file. */
bool database_is_sound(struct database *db);

void database_write_libraries(struct buf *out); /* appends a line with the version of SQLite that the program runs with */

#endif
