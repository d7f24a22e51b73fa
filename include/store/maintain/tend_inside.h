/* What the files of store/maintain/tend share. */
#ifndef WEIR_STORE_TEND_INSIDE_H
#define WEIR_STORE_TEND_INSIDE_H

#include "base/crash_handler.h"
#include "store/files/private_folder.h"
#include "store/history/history_inside.h"
#include "store/maintain/tend.h"

struct tending {
	const struct tend_options *options;
	struct tend_result *result;
	struct private_folder folder;
	char *real;             /* its path without links */
	int lock;
	struct database *db;
	ino_t inode;            /* of its file */
	struct error *err;
	char *moved;            /* heap: where the old file is after a migration; NULL: there was none */
	struct crash_handler built; /* removes the new file */
};

/* The tables that hold what was said; those that others refer to first. */
#define TEND_TABLES 9
extern const char *const tend_tables[TEND_TABLES];

char *tend_path(const struct tending *t, const char *name); /* heap */

/* Deleting for good what is hidden: rows, and their words in the search. tend_begin() comes first, once for a database. */
void tend_begin(struct database *db);
bool tend_has_deleted(struct database *db);
void tend_purge_rows(struct database *db);
void tend_purge_search(struct database *db);

/* Removes what an interrupted call left of a new file. */
void tend_drop_built(struct tending *t);
/* Makes a new file with empty tables, to be filled and passed to tend_replace(). */
enum history_status tend_build(struct tending *t, struct database **db);
/*
 * Puts the new file in the place of the history, and closes it. The old file is moved to `history.db.KIND-DATE` with its WAL; `*moved` receives
 * its path. After an interruption the next call of history_tend() goes on with tend_finish_replacing(). A failure leaves the old file where
 * it is.
 */
enum history_status tend_replace(struct tending *t, struct database *db, const char *kind, char **moved);
enum history_status tend_finish_replacing(struct tending *t);

/*
 * Rewrites a file of which much is free, unless another program writes meanwhile. A file that cannot be rewritten stays as it is. Comes last:
 * the open file may have been replaced.
 */
void tend_compact(struct tending *t);

/* Recovers a damaged file that nobody in this process has open: what can be read goes to a new one. */
enum history_status tend_rescue(struct tending *t);
/* Brings the file to this version. The caller opens it again. */
enum history_status tend_migrate(struct tending *t);

#endif
