/* What the history's files share: the handle, and how its operations begin and end. */
#ifndef WEIR_STORE_HISTORY_INSIDE_H
#define WEIR_STORE_HISTORY_INSIDE_H

#include <sys/types.h>

#include "store/history/database.h"
#include "store/history/history.h"

#define HISTORY_APPLICATION 0x77656972 /* "weir", in the file's header */
/* The version of the tables, in the file's header and in `form`. The columns of USAGE_FIGURES do not belong to it: they are known by name. */
#define HISTORY_FORM 300

#define HISTORY_FILE "history.db"
#define PIECE_BYTES ((size_t)16 << 10) /* text is cut into pieces of at most this size */
#define SEARCHED "kind IN ('text', 'refusal', 'media', 'server_tool', 'server_result')" /* the parts that the search finds */

/* Servers say any number: sums of integers that overflow would be an error. NULL if no row has one of both. */
#define HISTORY_SUM_OF(figure, spent) \
	"CAST(sum(CASE WHEN " figure " IS NOT NULL OR " spent " IS NOT NULL THEN 0.0 + ifnull(" figure ", 0) + ifnull(" spent ", 0) END) AS INTEGER)"

#define HISTORY_FILES 3     /* the database, its WAL, and the index of the WAL */
#define HISTORY_WAL_HEAD 32 /* bytes: SQLite changes them when it begins the WAL anew */

struct history {
	struct database *db;
	char *path;
	struct { dev_t device; ino_t inode; } files[HISTORY_FILES]; /* as they were when they were opened; inode 0: there was none */
	unsigned char wal_head[HISTORY_WAL_HEAD]; /* after the last commit, with the WAL's size */
	int64_t wal_bytes;
	int64_t last_node;        /* that was written through this handle; 0: none */
	const char *wrong;        /* what history_files_wrong() returned last; NULL: nothing */
	unsigned batch;           /* depth of history_batch() */
	bool has_backlog;         /* the index lacks texts, or did when the file was opened */
	size_t fresh_bytes;       /* of texts that were stored since history_index_fresh() */
	int64_t unsummed;         /* the conversation whose sums are written at the end of the transaction; 0: none */
	/* Statements made from the tables of columns; their addresses are their names. */
	char *insert_node, *update_node, *select_node;
};

/* Makes and frees the statements of history_turn.c. */
void history_turn_init(struct history *h);
void history_turn_fini(struct history *h);

/* The role of a node. A word that is none was damaged: it counts as an answer's, wherever it is read. */
enum turn_role history_role_from(struct str name);

enum history_status history_status_of(enum database_status status);
/* What a database's failure means here. `what` begins the sentence: "the turn is not kept". */
enum history_status history_status_from(struct database *db, const char *what, struct error *err);

/* What is wrong with its folder or file as a sentence about the history. HISTORY_FAILED. */
enum history_status history_not_opened(struct error *err);

/*
 * Whether the file in a private folder is empty and its WAL is not: a power failure can do that. SQLite would remove the WAL, so it must not
 * open them.
 */
bool history_is_emptied(int folder);

/* --- history_files.c: its files while it is open --- */

void history_files_note(struct history *h);         /* they are as they should be: after it was opened, and after a commit */
const char *history_files_wrong(struct history *h); /* what has become of them, and what may be lost, as words; NULL: nothing */
void history_files_close(struct history *h);        /* closes the database, and saves what is only in its descriptors */

/* Begins and ends an operation that writes. Both may be nested in a batch. */
void history_open_transaction(struct history *h);
enum history_status history_close_transaction(struct history *h, const char *what, struct error *err);
/* Ends an operation that reads. */
enum history_status history_end_reading(struct history *h, const char *what, struct error *err);

/* Ends an operation with HISTORY_GONE, unless it has failed already, if it found no row to read or to change. */
void history_require_row(struct history *h, int64_t count);

/* Writes the sums of a conversation: turns, usage, cost. */
void history_sum_up(struct history *h, int64_t conversation);
/* The same once for all that a transaction writes to a conversation: the work is proportional to its turns. */
void history_sum_up_later(struct history *h, int64_t conversation);

/* Reads one conversation as history_list() does. False if it is not there. */
bool history_list_one(struct history *h, int64_t conversation, history_visit_conversation *visit, void *ctx);

/* The tokens in a row, one column for each figure from `first` on. NULL and what no server says are not known. */
void history_read_usage(const struct rows *r, int first, struct usage *usage);

/* Creates all tables in an empty database. */
void history_create_tables(struct database *db);

/*
 * The state of the file behind an open database: HISTORY_OK, _ABSENT (it is empty), _OLDER, _NEWER, _DAMAGED, and _FAILED: its schema is not
 * ours. SQLite runs what a schema says, so what acts in it (triggers, views, virtual tables, expressions) must be ours. What others added is
 * let be where it does nothing: tables, columns and indexes without expressions.
 */
enum history_status history_check_form(struct database *db, struct error *err);
/*
 * Brings a file to this version in a short transaction (HISTORY_OLDER): adds columns of figures to one of this version, where those of other
 * builds stay; and to one of the version before the index, which is filled when the file is maintained. False: it is of another version.
 */
bool history_upgrade(struct database *db);

/*
 * Moves the WAL into the file. The next commit would begin the WAL anew, and sync its header: that commit is made here, not by a program that
 * shows a chat.
 */
void history_move_wal(struct database *db);

int64_t history_now_ms(void);

#endif
