/* A new file takes the place of the history: of a damaged one, or of one of an earlier version. */
#include "store/maintain/maintain_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"

#define BUILT "history.db.part"   /* while it is filled */
#define READY "history.db.new"    /* when it only has to be renamed */
#define NOT_REPLACED "the history cannot be rebuilt"

const char *const maintain_tables[MAINTAIN_TABLES] = {
	"conversation", "node", "attachment", "part", "piece", "note", "joint", "source", "place",
};

/* Async-signal-safe. */
static void remove_built(void *maintenance)
{
	static const char *const names[] = { BUILT, BUILT "-wal", BUILT "-shm", BUILT "-journal" };
	const struct maintenance *t = maintenance;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		unlinkat(t->folder.fd, names[i], 0);
}

void maintain_drop_built(struct maintenance *t)
{
	crash_handler_remove(&t->built);
	remove_built(t);
}

/* Creates an empty file, so that it is private from the beginning. */
static bool touch_built(struct maintenance *t)
{
	int fd;

	maintain_drop_built(t);
	t->built = (struct crash_handler){ .run = remove_built, .ctx = t };
	crash_handler_add(&t->built);
	if (private_file_open(&t->folder, BUILT, O_RDWR | O_CREAT, &fd, t->err) != PRIVATE_OPEN)
		return false;
	close(fd);
	return true;
}

static struct database *open_built(struct maintenance *t)
{
	enum database_status opened;
	struct error why = { "" };
	char *path = maintain_path(t, BUILT);
	struct database *db = database_open(path, DATABASE_CREATE, 0, &opened, &why);

	if (!db)
		error_set(t->err, NOT_REPLACED ": %s", why.text);
	mem_free(path);
	return db;
}

enum history_status maintain_build(struct maintenance *t, struct database **db)
{
	*db = touch_built(t) ? open_built(t) : NULL;
	if (!*db)
		maintain_drop_built(t);
	if (!*db)
		return HISTORY_FAILED;
	database_begin(*db);
	history_create_tables(*db);
	database_end(*db);
	return HISTORY_OK;
}

/* --- taking its place --- */

static bool move_aside(struct maintenance *t, const char *aside, const char *end)
{
	char from[100], to[100];

	snprintf(from, sizeof from, HISTORY_FILE "%s", end);
	snprintf(to, sizeof to, "%s%s", aside, end);
	return renameat(t->folder.fd, from, t->folder.fd, to) == 0 || errno == ENOENT;
}

/* A name that no file has: ".damaged-20260131-124501", with a number if there is one already. */
static void name_aside(const struct maintenance *t, const char *kind, char name[80])
{
	struct stat facts;
	time_t now = time(NULL);
	char stamp[32];
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
	for (unsigned n = 0; !n || fstatat(t->folder.fd, name, &facts, AT_SYMLINK_NOFOLLOW) == 0; n++)
		snprintf(name, 80, HISTORY_FILE ".%s-%s%s%.0u", kind, stamp, n ? "-" : "", n);
}

/* The old WAL is moved first: SQLite would take it for the new file's. Signals wait, so that the process is not ended in between. */
static bool move_all(struct maintenance *t, const char *aside)
{
	sigset_t all, before;
	bool good;
	int failure;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	good = move_aside(t, aside, "") && move_aside(t, aside, "-wal") && (unlinkat(t->folder.fd, HISTORY_FILE "-shm", 0) == 0 || errno == ENOENT) &&
	       renameat(t->folder.fd, READY, t->folder.fd, HISTORY_FILE) == 0;
	failure = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return good || error_set(t->err, NOT_REPLACED ": %s", strerror(failure));
}

static enum history_status take_place(struct maintenance *t, const char *kind, char **moved)
{
	char aside[80];

	name_aside(t, kind, aside);
	if (!move_all(t, aside))
		return HISTORY_FAILED;
	(void)fsync(t->folder.fd);
	mem_free(*moved);
	*moved = maintain_path(t, aside);
	return HISTORY_OK;
}

enum history_status maintain_replace(struct maintenance *t, struct database *db, const char *kind, char **moved)
{
	enum history_status status;

	database_checkpoint(db, true);
	status = history_status_from(db, NOT_REPLACED, t->err);
	database_close(db);
	if (status == HISTORY_OK && renameat(t->folder.fd, BUILT, t->folder.fd, READY) != 0) {
		error_set(t->err, NOT_REPLACED ": %s", strerror(errno));
		status = HISTORY_FAILED;
	}
	maintain_drop_built(t);
	return status == HISTORY_OK ? take_place(t, kind, moved) : status;
}

enum history_status maintain_finish_replacing(struct maintenance *t)
{
	struct stat facts;
	bool absent = fstatat(t->folder.fd, HISTORY_FILE, &facts, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;

	if (fstatat(t->folder.fd, READY, &facts, AT_SYMLINK_NOFOLLOW) != 0)
		return HISTORY_OK;
	if (absent)
		return take_place(t, "before", &t->moved);
	unlinkat(t->folder.fd, READY, 0); /* interrupted before the old file was moved: it is done anew */
	return HISTORY_OK;
}

/* --- without free pages --- */

#define FREE_LEAST (16 << 20) /* bytes; less is taken again soon enough */
#define FREE_SHARE 4          /* ... and a quarter of the file */

static int64_t bytes_of(struct database *db, const char *pragma)
{
	return database_integer(db, pragma, NO_VALUES, 0) * database_integer(db, "PRAGMA page_size", NO_VALUES, 0);
}

/* Whether much of the file is free, and the disk has room for a copy. */
static bool is_worth_it(const struct maintenance *t)
{
	int64_t all = bytes_of(t->db, "PRAGMA page_count"), unused = bytes_of(t->db, "PRAGMA freelist_count");
	struct statvfs disk;

	return unused >= FREE_LEAST && unused >= all / FREE_SHARE && fstatvfs(t->folder.fd, &disk) == 0 &&
	       (int64_t)(disk.f_bavail * disk.f_frsize) > 2 * (all - unused);
}

/* SQLite may leave the copy unsynced. */
static bool sync_built(struct maintenance *t)
{
	int fd = openat(t->folder.fd, BUILT, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	bool good = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return good;
}

static void replace_compacted(struct maintenance *t)
{
	struct database *db = open_built(t);
	struct buf aside = { 0 };
	char *moved = NULL;

	if (db && maintain_replace(t, db, "before", &moved) == HISTORY_OK) {
		buf_printf(&aside, "%s-wal", moved);
		unlink(moved);
		unlink(buf_z(&aside));
	}
	mem_free(moved);
	buf_fini(&aside);
}

void maintain_compact(struct maintenance *t)
{
	int64_t version = database_integer(t->db, "PRAGMA data_version", NO_VALUES, 0);
	char *path = maintain_path(t, BUILT);

	if (is_worth_it(t) && touch_built(t)) {
		database_do(t->db, "VACUUM INTO ?", VALUES(TEXT(str_from(path))));
		if (database_status(t->db) == DATABASE_OK && sync_built(t)) {
			database_begin(t->db); /* from here on nobody writes */
			if (database_integer(t->db, "PRAGMA data_version", NO_VALUES, version - 1) == version)
				replace_compacted(t);
			database_end(t->db);
		}
		maintain_drop_built(t);
	}
	t->err->text[0] = '\0'; /* it is no failure of the maintenance */
	mem_free(path);
}
