/*
 * The files of the history while it is open: the database, its WAL, and the index of the WAL. SQLite keeps their descriptors, so it goes on with
 * files that were removed, replaced or cut, and what it writes then is lost when they are closed.
 */
#include "store/history/history_inside.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const ends[HISTORY_FILES] = { "", "-wal", "-shm" };
enum { AT_FILE, AT_WAL, AT_INDEX };

static bool file_look(const struct history *h, int which, struct stat *facts)
{
	struct buf path = { 0 };
	bool found;

	buf_printf(&path, "%s%s", h->path, ends[which]);
	found = lstat(buf_z(&path), facts) == 0;
	buf_fini(&path);
	return found;
}

/* No lock is on the WAL, so it may be opened and closed. */
static void wal_read_head(const struct history *h, unsigned char head[HISTORY_WAL_HEAD])
{
	struct buf path = { 0 };
	int fd;

	memset(head, 0, HISTORY_WAL_HEAD);
	buf_printf(&path, "%s%s", h->path, ends[AT_WAL]);
	fd = open(buf_z(&path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0) {
		if (pread(fd, head, HISTORY_WAL_HEAD, 0) < 0)
			memset(head, 0, HISTORY_WAL_HEAD);
		close(fd);
	}
	buf_fini(&path);
}

void history_files_note(struct history *h)
{
	struct stat facts;

	for (int i = 0; i < HISTORY_FILES; i++)
		if (!h->files[i].inode && file_look(h, i, &facts)) {
			h->files[i].device = facts.st_dev;
			h->files[i].inode = facts.st_ino;
		}
	/* In this order: another program may begin the WAL anew in between, and the new head with the old size would make a cut of it. */
	wal_read_head(h, h->wal_head);
	h->wal_bytes = file_look(h, AT_WAL, &facts) ? facts.st_size : 0;
}

static bool is_ours(const struct history *h, int which, const struct stat *facts)
{
	return facts->st_dev == h->files[which].device && facts->st_ino == h->files[which].inode;
}

/* What was written last is in the WAL, or was moved into the file by whoever emptied the WAL. */
static bool reads_what_it_wrote(struct history *h)
{
	bool reads;

	if (!h->last_node)
		return true;
	database_clear(h->db);
	database_forget(h->db);
	reads = database_integer(h->db, "SELECT count(*) FROM node WHERE id = ?", VALUES(INTEGER(h->last_node)), 0) ||
	        database_status(h->db) == DATABASE_OK;
	database_clear(h->db);
	return reads;
}

/* SQLite begins a WAL anew with another head, and may make it shorter then; or it moves all of it into the file, and empties it. */
static bool wal_is_cut(struct history *h, const struct stat *facts)
{
	unsigned char head[HISTORY_WAL_HEAD];

	if (facts->st_size >= h->wal_bytes)
		return false;
	if (!facts->st_size)
		return !reads_what_it_wrote(h);
	wal_read_head(h, head);
	return memcmp(head, h->wal_head, sizeof head) == 0;
}

#define OPEN " while weir had it open"
#define LAST_WORDS OPEN ": what was said last in other conversations may be missing, and is on tape (weir replay)"

const char *history_files_wrong(struct history *h)
{
	static const char *const removed[HISTORY_FILES] = {
		"the file " HISTORY_FILE " was removed" OPEN ": another one is begun, and other conversations are not in it",
		"the file " HISTORY_FILE "-wal was removed" OPEN ", and all of it could be saved",
		"the file " HISTORY_FILE "-shm was removed" OPEN ", and nothing is lost",
	};
	static const char *const replaced[HISTORY_FILES] = {
		"the file " HISTORY_FILE " was replaced" LAST_WORDS, "the file " HISTORY_FILE "-wal was replaced" LAST_WORDS,
		"the file " HISTORY_FILE "-shm was replaced" LAST_WORDS,
	};
	struct stat facts;

	for (int i = 0; i < HISTORY_FILES; i++) {
		if (!h->files[i].inode)
			continue;
		if (!file_look(h, i, &facts))
			return removed[i];
		if (!is_ours(h, i, &facts))
			return replaced[i];
		if (i == AT_WAL && wal_is_cut(h, &facts))
			return "the file " HISTORY_FILE "-wal was cut" LAST_WORDS;
	}
	return NULL;
}

static void unlink_file(const struct history *h, int which)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s%s", h->path, ends[which]);
	unlink(buf_z(&path));
	buf_fini(&path);
}

/*
 * A WAL that was removed or replaced is only in our descriptor: it is moved into the file, if nobody else has another one. A WAL whose file is gone
 * would be taken for that of the next file with its name.
 */
void history_files_close(struct history *h)
{
	struct stat file, wal;
	bool has_file = file_look(h, AT_FILE, &file) && is_ours(h, AT_FILE, &file), had_wal = h->db && h->files[AT_WAL].inode;
	bool has_wal = file_look(h, AT_WAL, &wal), is_wal = has_wal && is_ours(h, AT_WAL, &wal);

	if (had_wal)
		database_clear(h->db);
	if (had_wal && (has_file ? !has_wal : is_wal))
		database_checkpoint(h->db, false);
	else if (had_wal && has_file && !is_wal)
		database_leave_wal(h->db);
	database_close(h->db);
	if (had_wal && !has_file && is_wal) {
		unlink_file(h, AT_WAL);
		unlink_file(h, AT_INDEX);
	}
}
