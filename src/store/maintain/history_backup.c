/* The history as one file, for keeping elsewhere. */
#include "store/maintain/maintain_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define NOT_BACKED_UP "the backup is not written"

/* What is hidden could be brought back until it is deleted for good: a backup must not outlive that. */
static enum history_status forget_hidden(const char *path, struct error *err)
{
	enum database_status opened;
	struct error why;
	enum history_status status;
	struct database *db = database_open(path, DATABASE_WRITE, 0, &opened, &why);

	if (!db) {
		error_set(err, NOT_BACKED_UP ": %s", why.text);
		return history_status_of(opened);
	}
	if (maintain_has_deleted(db)) {
		maintain_begin(db);
		maintain_purge_rows(db);
		maintain_purge_search(db);
	}
	status = history_status_from(db, NOT_BACKED_UP, err);
	database_close(db);
	return status;
}

static enum history_status sync_file(const char *path, struct error *err)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW), failure = fd < 0 || fsync(fd) != 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	if (!failure || failure == EINVAL || failure == ENOTSUP)
		return HISTORY_OK;
	error_set(err, NOT_BACKED_UP ": %s", strerror(failure));
	return failure == ENOSPC || failure == EDQUOT ? HISTORY_FULL : HISTORY_FAILED;
}

enum history_status history_backup(struct history *h, const char *path, struct error *err)
{
	enum history_status status;

	database_do(h->db, "VACUUM INTO ?", VALUES(TEXT(str_from(path))));
	status = history_end_reading(h, NOT_BACKED_UP, err);
	if (status == HISTORY_OK)
		status = forget_hidden(path, err);
	return status == HISTORY_OK ? sync_file(path, err) : status;
}
