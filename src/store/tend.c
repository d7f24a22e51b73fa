#include "store/tend.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/prompts.h"
#include "store/tend_inside.h"

#define LOCK_FILE "history.lock"
#define PATIENCE_MS 5000
#define PIECES_AT_ONCE 64       /* deleted in one transaction: some 50 ms */
#define INDEXED_AT_ONCE 256     /* pieces, in one transaction: at most 4 MiB, some 100 ms */
#define INDEXED_MOST 512        /* transactions whose indexes are merged at once; FTS5 has room for 2000, then it merges all in one transaction */
#define NODES_AT_ONCE 256
#define MERGED_PAGES 400        /* of the search, in one transaction */
#define WAL_PAGES_MOST 8192     /* 32 MiB: a larger WAL makes reading slow */

/* --- the folder, and the lock that one program has --- */

char *tend_path(const struct tending *t, const char *name)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/%s", t->real, name);
	return buf_take(&path);
}

static enum history_status tend_enter(struct tending *t)
{
	if (private_folder_open_data(&t->folder, true, t->err) != PRIVATE_OPEN)
		return history_not_opened(t->err);
	t->real = realpath(t->folder.path, NULL);
	if (!t->real) {
		error_set(t->err, "cannot open the folder %s: %s", t->folder.path, strerror(errno));
		return HISTORY_FAILED;
	}
	if (private_file_open(&t->folder, LOCK_FILE, O_RDWR | O_CREAT, &t->lock, t->err) != PRIVATE_OPEN) {
		t->lock = -1;
		return history_not_opened(t->err);
	}
	if (flock(t->lock, LOCK_EX | LOCK_NB) != 0) {
		error_set(t->err, "another program tends the history");
		return HISTORY_BUSY;
	}
	return HISTORY_OK;
}

static void tend_leave(struct tending *t)
{
	database_close(t->db);
	if (t->lock >= 0)
		close(t->lock);
	free(t->real);
	mem_free(t->moved);
	if (t->folder.fd >= 0)
		private_folder_close(&t->folder);
}

/* --- opening --- */

static enum history_status tend_create(struct tending *t)
{
	struct error *err = t->err;

	database_clear(t->db);
	database_begin(t->db);
	history_create_tables(t->db);
	database_end(t->db);
	t->result->created = database_status(t->db) == DATABASE_OK;
	return history_status_from(t->db, "the history cannot be created", err);
}

/* Creates an empty file, so that it is private from the beginning. */
static enum history_status tend_touch(struct tending *t)
{
	struct stat facts;
	int fd;

	switch (private_file_check(&t->folder, HISTORY_FILE, &facts, t->err)) {
	case PRIVATE_OPEN: return HISTORY_OK;
	case PRIVATE_REFUSED: return history_not_opened(t->err);
	case PRIVATE_MISSING: break;
	}
	if (private_file_open(&t->folder, HISTORY_FILE, O_RDWR | O_CREAT, &fd, t->err) != PRIVATE_OPEN)
		return history_not_opened(t->err);
	close(fd);
	return HISTORY_OK;
}

static enum history_status tend_open(struct tending *t)
{
	enum database_status opened;
	enum history_status status = tend_touch(t);
	struct error why = { "" };
	char *path;

	if (status != HISTORY_OK)
		return status;
	path = tend_path(t, HISTORY_FILE);
	t->db = database_open(path, DATABASE_CREATE, PATIENCE_MS, &opened, &why);
	mem_free(path);
	if (!t->db) {
		error_set(t->err, "the history cannot be opened: %s", why.text);
		return history_status_of(opened);
	}
	status = history_check_form(t->db, t->err);
	return status == HISTORY_ABSENT ? tend_create(t) : status;
}

/* --- the search --- */

/* Between transactions: lets others write (TEND_GAP_MS), and keeps the WAL small. */
static void pause_between(struct database *db)
{
	if (database_wal_pages(db) > WAL_PAGES_MOST)
		database_checkpoint(db, false);
	nanosleep(&(struct timespec){ .tv_nsec = TEND_GAP_MS * 1000000L }, NULL);
}

/* Merges some pages of the search's index. False if there is nothing to merge. All of it: with negative pages, as FTS5 has it. */
static bool merge_some(struct database *db, int pages)
{
	int64_t before = database_changes(db);

	database_do(db, "INSERT INTO search (search, rank) VALUES ('merge', ?)", VALUES(INTEGER(pages)));
	pause_between(db);
	return database_status(db) == DATABASE_OK && database_changes(db) - before >= 2;
}

/* Pieces of a part that may still grow wait, but not for ever: its writer may have been interrupted. */
static const char index_some[] =
	"INSERT INTO search (rowid, content) SELECT piece.id, piece.content FROM piece WHERE id IN (SELECT piece FROM chosen) "
	"AND typeof(content) = 'text'";

static bool index_next(struct database *db)
{
	int64_t chosen;

	database_begin(db);
	database_do(db, "DELETE FROM chosen", NO_VALUES);
	chosen = database_do(db, "INSERT INTO chosen SELECT unindexed.piece FROM unindexed JOIN piece ON piece.id = unindexed.piece "
	                     "JOIN part ON part.id = piece.part JOIN node ON node.id = part.node "
	                     "WHERE part.open = 0 OR node.started < ? ORDER BY unindexed.piece LIMIT ?",
	                     VALUES(INTEGER(history_now_ms() / 1000 - 24 * 3600), INTEGER(INDEXED_AT_ONCE)));
	database_do(db, index_some, NO_VALUES);
	database_do(db, "DELETE FROM unindexed WHERE piece IN (SELECT piece FROM chosen)", NO_VALUES);
	return database_end(db) == DATABASE_OK && chosen == INDEXED_AT_ONCE;
}

static void tend_index(struct tending *t)
{
	for (bool more = true; more;) {
		for (int i = 0; i < INDEXED_MOST && more; i++) {
			more = index_next(t->db);
			if (more)
				pause_between(t->db);
		}
		while (merge_some(t->db, MERGED_PAGES))
			;
	}
}

/* --- deleting for good --- */

void tend_begin(struct database *db)
{
	database_script(db, "CREATE TEMP TABLE chosen (piece INTEGER PRIMARY KEY)");
}

#define DELETED "(node.deleted IS NOT NULL OR conversation.deleted IS NOT NULL)"
#define DELETED_NODES "SELECT node.id FROM node JOIN conversation ON conversation.id = node.conversation WHERE " DELETED

/* Nothing is added below a hidden node (history_put_turn()), but a recovered file may hold such rows: they would keep it from being deleted. */
static void hide_below(struct database *db)
{
	while (database_do(db, "UPDATE node SET deleted = 1 WHERE deleted IS NULL AND parent IN (SELECT id FROM node WHERE deleted IS NOT NULL)",
	                   NO_VALUES))
		;
}

#define TAPES "SELECT tape FROM node JOIN conversation ON conversation.id = node.conversation WHERE tape IS NOT NULL AND "

/* Tapes go first: after an interruption their rows still name them. Copies of a turn have its tape, too: it goes with the last of them. */
static void purge_tapes(struct tending *t)
{
	struct rows *r = database_rows(t->db, TAPES DELETED " EXCEPT " TAPES "NOT " DELETED, NO_VALUES);

	while (rows_next(r)) {
		char *tape = row_copy(r, 0);

		if (t->options->tape)
			t->options->tape(t->options->ctx, tape);
		mem_free(tape);
	}
	rows_end(r);
}

/* The list of sent prompts (store/prompts.h) has the same words. It goes first, as tapes do. */
static void purge_prompts(struct tending *t)
{
	struct rows *r = database_rows(t->db, "SELECT (SELECT group_concat(content, '') FROM (SELECT content FROM piece WHERE part = part.id ORDER BY id)) "
	                               "FROM part JOIN node ON node.id = part.node JOIN conversation ON conversation.id = node.conversation "
	                               "WHERE kind = 'text' AND role = 'user' AND " DELETED, NO_VALUES);
	struct prompts_removal removal = { 0 };

	while (rows_next(r))
		prompts_removal_add(&removal, row_text(r, 0));
	rows_end(r);
	prompts_removal_fini(&removal);
}

static bool purge_pieces(struct database *db)
{
	int64_t chosen;

	database_begin(db);
	database_do(db, "DELETE FROM chosen", NO_VALUES);
	chosen = database_do(db, "INSERT INTO chosen SELECT piece.id FROM node JOIN conversation ON conversation.id = node.conversation "
	                     "JOIN part ON part.node = node.id JOIN piece ON piece.part = part.id WHERE " DELETED " LIMIT ?",
	                     VALUES(INTEGER(PIECES_AT_ONCE)));
	database_do(db, "INSERT INTO search (search, rowid, content) SELECT 'delete', piece.id, content FROM piece JOIN part ON part.id = piece.part "
	            "WHERE piece.id IN (SELECT piece FROM chosen) AND kind IN ('text', 'refusal') AND typeof(content) = 'text' "
	            "AND piece.id NOT IN (SELECT piece FROM unindexed)", NO_VALUES);
	database_do(db, "DELETE FROM piece WHERE id IN (SELECT piece FROM chosen)", NO_VALUES);
	database_do(db, "UPDATE form SET unclean = 1 WHERE unclean = 0", NO_VALUES);
	database_end(db);
	pause_between(db);
	return database_status(db) == DATABASE_OK && chosen == PIECES_AT_ONCE;
}

/* Children have larger ids than their parents, so they go first. */
static bool purge_nodes(struct database *db)
{
	int64_t deleted;

	database_begin(db);
	hide_below(db);
	database_do(db, "DELETE FROM chosen", NO_VALUES);
	database_do(db, "INSERT INTO chosen " DELETED_NODES " ORDER BY node.id DESC LIMIT ?", VALUES(INTEGER(NODES_AT_ONCE)));
	database_do(db, "UPDATE node SET child = NULL WHERE child IN (SELECT piece FROM chosen) AND id IN "
	            "(SELECT parent FROM node WHERE id IN (SELECT piece FROM chosen))", NO_VALUES);
	deleted = database_do(db, "DELETE FROM node WHERE id IN (SELECT piece FROM chosen)", NO_VALUES);
	database_end(db);
	pause_between(db);
	return deleted == NODES_AT_ONCE;
}

static void purge_rest(struct database *db)
{
	database_begin(db);
	database_do(db, "DELETE FROM conversation WHERE deleted IS NOT NULL AND NOT EXISTS (SELECT 1 FROM node WHERE conversation = conversation.id)",
	            NO_VALUES);
	database_do(db, "DELETE FROM attachment WHERE NOT EXISTS (SELECT 1 FROM part WHERE attachment = attachment.id)", NO_VALUES);
	database_end(db);
}

/* Deleted terms stay in the index of the search until all of it has been merged. */
void tend_purge_search(struct database *db)
{
	while (merge_some(db, -MERGED_PAGES))
		;
}

/* Also what was deleted by somebody who did not come to the end. */
bool tend_has_deleted(struct database *db)
{
	return database_integer(db, "SELECT EXISTS (SELECT 1 FROM node WHERE deleted IS NOT NULL) OR "
	                        "EXISTS (SELECT 1 FROM conversation WHERE deleted IS NOT NULL)", NO_VALUES, 0);
}

void tend_purge_rows(struct database *db)
{
	while (purge_pieces(db))
		;
	while (purge_nodes(db))
		;
	purge_rest(db);
}

static void tend_purge(struct tending *t)
{
	if (!t->options->purge || !tend_has_deleted(t->db))
		return;
	hide_below(t->db);
	purge_tapes(t);
	purge_prompts(t);
	tend_purge_rows(t->db);
}

/* The copies that migrations left hold what is deleted since. Damaged files stay: nobody knows what else they hold. */
static void remove_copies(struct tending *t)
{
	int fd = openat(t->folder.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (str_starts(str_from(entry->d_name), HISTORY_FILE ".before-"))
			unlinkat(t->folder.fd, entry->d_name, 0);
	if (folder)
		closedir(folder);
	else if (fd >= 0)
		close(fd);
}

/* Words that were deleted are in three places more: the search, pages of the file that the WAL replaces, and the WAL. */
static void tend_clean(struct tending *t)
{
	struct database *db = t->db;

	if (!database_integer(db, "SELECT unclean FROM form", NO_VALUES, 0))
		return;
	tend_purge_search(db);
	if (database_status(db) != DATABASE_OK)
		return;
	if (database_checkpoint(db, true))
		database_do(db, "UPDATE form SET unclean = 0", NO_VALUES);
	else if (database_status(db) == DATABASE_BUSY)
		t->result->left = true;
	if (t->result->left)
		database_clear(db);
	remove_copies(t);
}

/* --- the WAL --- */

/* --- all of it --- */

static void tend_close(struct tending *t)
{
	database_close(t->db);
	t->db = NULL;
}

/* The texts are indexed anew. */
static void tend_forget_search(struct database *db)
{
	database_clear(db);
	database_begin(db);
	database_do(db, "INSERT INTO search (search) VALUES ('delete-all')", NO_VALUES);
	database_do(db, "INSERT OR IGNORE INTO unindexed SELECT piece.id FROM piece JOIN part ON part.id = piece.part "
	            "WHERE kind IN ('text', 'refusal')", NO_VALUES);
	database_end(db);
}

/*
 * Reads the whole file. SQLite's check leaves the search out, and the search's own check does not see all damage, such as of an index of
 * prefixes: what has been called damaged, and is sound otherwise, gets a new search.
 */
static enum history_status tend_check(struct tending *t)
{
	enum history_status status;

	if (database_is_sound(t->db)) {
		tend_forget_search(t->db);
		return history_status_from(t->db, "the history cannot be checked", t->err);
	}
	status = history_status_from(t->db, "the history cannot be checked", t->err);
	return status == HISTORY_OK ? HISTORY_DAMAGED : status;
}

/* `check`: reads the whole file. */
static enum history_status tend_open_sound(struct tending *t, bool check)
{
	enum history_status status = tend_finish_replacing(t);

	if (status == HISTORY_OK)
		status = history_is_emptied(t->folder.fd) ? HISTORY_DAMAGED : tend_open(t);
	if (status == HISTORY_OLDER) {
		database_clear(t->db);
		status = history_add_columns(t->db) ? HISTORY_OK : tend_migrate(t);
		tend_close(t);
		if (status == HISTORY_OK)
			status = tend_open(t);
	}
	return status == HISTORY_OK && check ? tend_check(t) : status;
}

static enum history_status tend_work(struct tending *t)
{
	tend_begin(t->db);
	/* A sync in a transaction would keep others from writing. The checkpoint at the end syncs. */
	database_script(t->db, "PRAGMA synchronous = NORMAL");
	tend_purge(t);
	tend_index(t);
	tend_clean(t);
	history_move_wal(t->db);
	return history_status_from(t->db, "the history is not tended", t->err);
}

static enum history_status tend_once(struct tending *t, bool check)
{
	enum history_status status = tend_open_sound(t, check);

	return status == HISTORY_OK ? tend_work(t) : status;
}

/*
 * Damage is found when the file is opened, when it is checked, or in the course of the work. A recovery loses what cannot be read, and a
 * sound file may be read badly once: so damage counts when it is there at a second look.
 */
static enum history_status tend_all(struct tending *t)
{
	enum history_status status = tend_once(t, t->options->check);

	if (status == HISTORY_DAMAGED) {
		tend_close(t);
		status = tend_once(t, true);
	}
	if (status != HISTORY_DAMAGED || (t->options->may_recover && !t->options->may_recover(t->options->ctx)))
		return status;
	tend_close(t);
	status = tend_rescue(t);
	if (status == HISTORY_OK && t->options->recovered)
		t->options->recovered(t->options->ctx, t->result->damaged, t->result->recovered);
	return status == HISTORY_OK ? tend_once(t, false) : status;
}

enum history_status history_tend(const struct tend_options *options, struct tend_result *result, struct error *err)
{
	struct tending t = { .options = options, .result = result, .folder = { .fd = -1 }, .lock = -1, .err = err };
	enum history_status status;

	*result = (struct tend_result){ 0 };
	err->text[0] = '\0';
	status = tend_enter(&t);
	if (status == HISTORY_OK) {
		tend_drop_built(&t);
		status = tend_all(&t);
	}
	tend_leave(&t);
	return status;
}

void tend_result_fini(struct tend_result *result)
{
	mem_free(result->damaged);
}
