#include "store/maintain/maintain.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/files/prompts.h"
#include "store/history/index.h"
#include "store/maintain/maintain_inside.h"

#define LOCK_FILE "history.lock"
#define PATIENCE_MS 5000
#define PIECES_AT_ONCE 1000     /* deleted in one transaction: at most 16 MiB */
#define NODES_AT_ONCE 2000
#define WAL_PAGES_MOST 8192     /* 32 MiB: a larger WAL makes reading slow */

/* --- the folder, and the lock that one program has --- */

char *maintain_path(const struct maintenance *t, const char *name)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/%s", t->real, name);
	return buf_take(&path);
}

static enum history_status maintain_absent(struct maintenance *t)
{
	error_set(t->err, "there is no history");
	return HISTORY_ABSENT;
}

static enum history_status maintain_enter(struct maintenance *t)
{
	switch (private_folder_open_data(&t->folder, !t->options->only_there, t->err)) {
	case PRIVATE_OPEN: break;
	case PRIVATE_REFUSED: return history_not_opened(t->err);
	case PRIVATE_MISSING: return maintain_absent(t);
	}
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
		error_set(t->err, "another program maintains the history");
		return HISTORY_BUSY;
	}
	return HISTORY_OK;
}

static void maintain_leave(struct maintenance *t)
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

static enum history_status maintain_create(struct maintenance *t)
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
static enum history_status maintain_touch(struct maintenance *t)
{
	struct stat facts;
	int fd;

	switch (private_file_check(&t->folder, HISTORY_FILE, &facts, t->err)) {
	case PRIVATE_OPEN: return HISTORY_OK;
	case PRIVATE_REFUSED: return history_not_opened(t->err);
	case PRIVATE_MISSING: break;
	}
	if (t->options->only_there)
		return maintain_absent(t);
	if (private_file_open(&t->folder, HISTORY_FILE, O_RDWR | O_CREAT, &fd, t->err) != PRIVATE_OPEN)
		return history_not_opened(t->err);
	close(fd);
	return HISTORY_OK;
}

static enum history_status maintain_open(struct maintenance *t)
{
	enum database_status opened;
	enum history_status status = maintain_touch(t);
	struct error why = { "" };
	struct stat facts;
	char *path;

	if (status != HISTORY_OK)
		return status;
	t->inode = fstatat(t->folder.fd, HISTORY_FILE, &facts, AT_SYMLINK_NOFOLLOW) == 0 ? facts.st_ino : 0;
	path = maintain_path(t, HISTORY_FILE);
	t->db = database_open(path, DATABASE_CREATE, PATIENCE_MS, &opened, &why);
	mem_free(path);
	if (!t->db) {
		error_set(t->err, "the history cannot be opened: %s", why.text);
		return history_status_of(opened);
	}
	status = history_check_form(t->db, t->err);
	return status == HISTORY_ABSENT ? maintain_create(t) : status;
}

/* --- the search --- */

/* Between transactions: lets others write (MAINTAIN_GAP_MS), and keeps the WAL small. */
static void pause_between(struct database *db)
{
	if (database_wal_pages(db) > WAL_PAGES_MOST)
		database_checkpoint(db, false);
	nanosleep(&(struct timespec){ .tv_nsec = MAINTAIN_GAP_MS * 1000000L }, NULL);
}

static bool index_next(struct database *db, enum index_what what)
{
	bool more;

	database_begin(db);
	more = index_some(db, what);
	return database_end(db) == DATABASE_OK && more;
}

/* Another program may have replaced the file while this one did not hold the lock. */
static bool is_same_file(const struct maintenance *t)
{
	struct stat facts;

	return fstatat(t->folder.fd, HISTORY_FILE, &facts, AT_SYMLINK_NOFOLLOW) == 0 && facts.st_ino == t->inode;
}

/* The same pause without the lock, so that another program can maintain the file. */
static void maintain_lets_others(struct maintenance *t)
{
	flock(t->lock, LOCK_UN);
	pause_between(t->db);
	while (flock(t->lock, LOCK_EX) != 0 && errno == EINTR)
		;
}

/* --- what the search of the version before left --- */

#define FORMER_ROWS 1000 /* deleted in one transaction: at most 8 MiB */

static bool has_former_search(struct database *db)
{
	return database_integer(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'search_data' AND "
	                        "sql = 'CREATE TABLE ''search_data''(id INTEGER PRIMARY KEY, block BLOB)'", NO_VALUES, 0);
}

/* Its words are overwritten, as all that is deleted. */
static void drop_former_search(struct maintenance *t)
{
	struct database *db = t->db;
	int64_t deleted = has_former_search(db);

	if (!deleted)
		return;
	while (deleted) {
		database_begin(db);
		deleted = database_do(db, "DELETE FROM search_data WHERE id IN (SELECT id FROM search_data LIMIT ?)", VALUES(INTEGER(FORMER_ROWS)));
		database_end(db);
		maintain_lets_others(t);
	}
	database_begin(db);
	database_script(db, "DROP TABLE search_data; DROP TABLE search_idx; DROP TABLE search_docsize; DROP TABLE search_config");
	database_end(db);
}

/* --- deleting for good --- */

void maintain_begin(struct database *db)
{
	database_script(db, "CREATE TEMP TABLE chosen (piece INTEGER PRIMARY KEY)");
}

/* A node may be there twice. */
#define HIDDEN "(SELECT id FROM node WHERE deleted IS NOT NULL UNION ALL SELECT node.id FROM conversation " \
	"CROSS JOIN node ON node.conversation = conversation.id WHERE conversation.deleted IS NOT NULL)"

/* Nothing is added below a hidden node (history_put_turn()), but a recovered file may hold such rows: they would keep it from being deleted. */
static void hide_below(struct database *db)
{
	while (database_do(db, "UPDATE node SET deleted = 1 WHERE deleted IS NULL AND parent IN (SELECT id FROM node WHERE deleted IS NOT NULL)",
	                   NO_VALUES))
		;
}

/* Removed before the rows, so that an interrupted purge can be repeated. Copies of a turn share its tape: it is removed with the last of them. */
static void purge_tapes(struct maintenance *t)
{
	struct rows *r = database_rows(t->db, "SELECT DISTINCT gone.tape FROM " HIDDEN " AS hidden CROSS JOIN node AS gone ON gone.id = hidden.id "
	                               "WHERE gone.tape IS NOT NULL AND NOT EXISTS (SELECT 1 FROM node JOIN conversation "
	                               "ON conversation.id = node.conversation WHERE node.started = gone.started AND node.tape = gone.tape AND "
	                               "node.deleted IS NULL AND conversation.deleted IS NULL)", NO_VALUES);

	while (rows_next(r)) {
		char *tape = row_copy(r, 0);

		if (t->options->tape)
			t->options->tape(t->options->ctx, tape);
		mem_free(tape);
	}
	rows_end(r);
}

/* The list of sent prompts (store/files/prompts.h) has the same words. Removed before the rows, as tapes are. */
static void purge_prompts(struct maintenance *t)
{
	struct rows *r = database_rows(t->db, "SELECT (SELECT group_concat(content, '') FROM (SELECT content FROM piece WHERE part = part.id ORDER "
	                               "BY id)) FROM " HIDDEN " AS hidden CROSS JOIN node ON node.id = hidden.id CROSS JOIN part ON part.node = "
	                               "node.id WHERE kind = 'text' AND role = 'user'", NO_VALUES);
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
	chosen = database_do(db, "INSERT OR IGNORE INTO chosen SELECT piece.id FROM " HIDDEN " AS hidden CROSS JOIN part ON part.node = hidden.id "
	                     "CROSS JOIN piece ON piece.part = part.id LIMIT ?", VALUES(INTEGER(PIECES_AT_ONCE)));
	database_do(db, "INSERT OR IGNORE INTO stale SELECT piece FROM chosen", NO_VALUES);
	database_do(db, "DELETE FROM piece WHERE id IN (SELECT piece FROM chosen)", NO_VALUES);
	database_do(db, "UPDATE form SET unclean = 1 WHERE unclean = 0", NO_VALUES);
	database_end(db);
	pause_between(db);
	return database_status(db) == DATABASE_OK && chosen > 0;
}

/* Children have larger ids than their parents, so they go first. */
static bool purge_nodes(struct database *db)
{
	int64_t deleted;

	database_begin(db);
	hide_below(db);
	database_do(db, "DELETE FROM chosen", NO_VALUES);
	database_do(db, "INSERT OR IGNORE INTO chosen SELECT id FROM " HIDDEN " ORDER BY id DESC LIMIT ?", VALUES(INTEGER(NODES_AT_ONCE)));
	database_do(db, "UPDATE node SET child = NULL WHERE child IN (SELECT piece FROM chosen) AND id IN "
	            "(SELECT parent FROM node WHERE id IN (SELECT piece FROM chosen))", NO_VALUES);
	deleted = database_do(db, "DELETE FROM node WHERE id IN (SELECT piece FROM chosen)", NO_VALUES);
	database_end(db);
	pause_between(db);
	return database_status(db) == DATABASE_OK && deleted > 0;
}

static void purge_rest(struct database *db)
{
	database_begin(db);
	database_do(db, "DELETE FROM conversation WHERE deleted IS NOT NULL AND NOT EXISTS (SELECT 1 FROM node WHERE conversation = conversation.id)",
	            NO_VALUES);
	database_do(db, "DELETE FROM attachment WHERE NOT EXISTS (SELECT 1 FROM part WHERE attachment = attachment.id)", NO_VALUES);
	database_end(db);
}

void maintain_purge_search(struct database *db)
{
	while (index_next(db, INDEX_GONE))
		pause_between(db);
}

/* Also what an interrupted purge left. */
bool maintain_has_deleted(struct database *db)
{
	return database_integer(db, "SELECT EXISTS (SELECT 1 FROM node WHERE deleted IS NOT NULL) OR "
	                        "EXISTS (SELECT 1 FROM conversation WHERE deleted IS NOT NULL)", NO_VALUES, 0);
}

void maintain_purge_rows(struct database *db)
{
	while (purge_pieces(db))
		;
	while (purge_nodes(db))
		;
	purge_rest(db);
}

static void maintain_purge(struct maintenance *t)
{
	if (!t->options->purge || !maintain_has_deleted(t->db))
		return;
	hide_below(t->db);
	purge_tapes(t);
	purge_prompts(t);
	maintain_purge_rows(t->db);
}

/* Copies that migrations left still hold what was deleted since. Damaged files stay: they may hold turns that were not recovered. */
static void remove_copies(struct maintenance *t)
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
static void maintain_clean(struct maintenance *t)
{
	struct database *db = t->db;

	if (!database_integer(db, "SELECT unclean FROM form", NO_VALUES, 0))
		return;
	drop_former_search(t);
	maintain_purge_search(db);
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

static void maintain_close(struct maintenance *t)
{
	database_close(t->db);
	t->db = NULL;
}

/* Reads the whole file. SQLite's check does not read the rows of our index, so a sound file gets a new index. */
static enum history_status maintain_check(struct maintenance *t)
{
	enum history_status status;

	if (database_is_sound(t->db)) {
		database_clear(t->db);
		database_begin(t->db);
		index_begin_anew(t->db);
		database_end(t->db);
		return history_status_from(t->db, "the history cannot be checked", t->err);
	}
	status = history_status_from(t->db, "the history cannot be checked", t->err);
	return status == HISTORY_OK ? HISTORY_DAMAGED : status;
}

/* `check`: reads the whole file. */
static enum history_status maintain_open_sound(struct maintenance *t, bool check)
{
	enum history_status status = maintain_finish_replacing(t);

	if (status == HISTORY_OK)
		status = history_is_emptied(t->folder.fd) ? HISTORY_DAMAGED : maintain_open(t);
	if (status == HISTORY_OLDER) {
		database_clear(t->db);
		status = history_upgrade(t->db) ? HISTORY_OK : maintain_migrate(t);
		maintain_close(t);
		if (status == HISTORY_OK)
			status = maintain_open(t);
	}
	return status == HISTORY_OK && check ? maintain_check(t) : status;
}

static enum history_status maintain_work(struct maintenance *t)
{
	enum history_status status;

	maintain_begin(t->db);
	/* A sync in a transaction would keep others from writing. The checkpoint at the end syncs. */
	database_script(t->db, "PRAGMA synchronous = NORMAL");
	maintain_purge(t);
	maintain_clean(t);
	while (!t->options->briefly && is_same_file(t) && index_next(t->db, INDEX_ALL))
		maintain_lets_others(t);
	if (!t->options->briefly && is_same_file(t))
		drop_former_search(t);
	history_move_wal(t->db);
	status = history_status_from(t->db, "the history is not maintained", t->err);
	if (status == HISTORY_OK && !t->options->briefly && is_same_file(t))
		maintain_compact(t);
	return status;
}

static enum history_status maintain_once(struct maintenance *t, bool check)
{
	enum history_status status = maintain_open_sound(t, check);

	return status == HISTORY_OK ? maintain_work(t) : status;
}

/*
 * Damage is found when the file is opened, when it is checked, or in the course of the work. A recovery loses what cannot be read, and a
 * sound file may be read badly once: so damage counts when it is there at a second look.
 */
static enum history_status maintain_all(struct maintenance *t)
{
	enum history_status status = maintain_once(t, t->options->check);

	if (status == HISTORY_DAMAGED) {
		maintain_close(t);
		status = maintain_once(t, true);
	}
	if (status != HISTORY_DAMAGED || (t->options->may_recover && !t->options->may_recover(t->options->ctx)))
		return status;
	maintain_close(t);
	status = maintain_rescue(t);
	if (status == HISTORY_OK && t->options->recovered)
		t->options->recovered(t->options->ctx, t->result->damaged, t->result->recovered);
	return status == HISTORY_OK ? maintain_once(t, false) : status;
}

enum history_status history_maintain(const struct maintain_options *options, struct maintain_result *result, struct error *err)
{
	struct maintenance t = { .options = options, .result = result, .folder = { .fd = -1 }, .lock = -1, .err = err };
	enum history_status status;

	*result = (struct maintain_result){ 0 };
	err->text[0] = '\0';
	status = maintain_enter(&t);
	if (status == HISTORY_OK) {
		maintain_drop_built(&t);
		status = maintain_all(&t);
	}
	maintain_leave(&t);
	return status;
}

void maintain_result_fini(struct maintain_result *result)
{
	mem_free(result->damaged);
}
