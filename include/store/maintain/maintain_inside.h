/* What the files of store/maintain/maintain share. */
#ifndef WEIR_STORE_MAINTAIN_INSIDE_H
#define WEIR_STORE_MAINTAIN_INSIDE_H

#include "base/crash_handler.h"
#include "store/files/private_folder.h"
#include "store/history/history_inside.h"
#include "store/maintain/maintain.h"

struct maintenance {
	const struct maintain_options *options;
	struct maintain_result *result;
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
#define MAINTAIN_TABLES 9
extern const char *const maintain_tables[MAINTAIN_TABLES];

char *maintain_path(const struct maintenance *t, const char *name); /* heap */

/* Deleting for good what is hidden: rows, and their words in the search. maintain_begin() comes first, once for a database. */
void maintain_begin(struct database *db);
bool maintain_has_deleted(struct database *db);
void maintain_purge_rows(struct database *db);
void maintain_purge_search(struct database *db);

/* Removes what an interrupted call left of a new file. */
void maintain_drop_built(struct maintenance *t);
/* Makes a new file with empty tables, to be filled and passed to maintain_replace(). */
enum history_status maintain_build(struct maintenance *t, struct database **db);
/*
 * Puts the new file in the place of the history, and closes it. The old file is moved to `history.db.KIND-DATE` with its WAL; `*moved` receives
 * its path. After an interruption the next call of history_maintain() goes on with maintain_finish_replacing(). A failure leaves the old file where
 * it is.
 */
enum history_status maintain_replace(struct maintenance *t, struct database *db, const char *kind, char **moved);
enum history_status maintain_finish_replacing(struct maintenance *t);

/*
 * Rewrites a file of which much is free, unless another program writes meanwhile. A file that cannot be rewritten stays as it is. Comes last:
 * the open file may have been replaced.
 */
void maintain_compact(struct maintenance *t);

/* Recovers a damaged file that nobody in this process has open: what can be read goes to a new one. */
enum history_status maintain_rescue(struct maintenance *t);
/* Brings the file to this version. The caller opens it again. */
enum history_status maintain_migrate(struct maintenance *t);

#endif
