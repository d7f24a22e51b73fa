#include "store/tapes.h"

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
#include "store/paths.h"

#define FOLDER "tapes"
#define AHEAD_S 60

/* --- the folder --- */

/* A folder that others may write to, or a link to one, is no place for what was said. */
static int open_folder(const char *path, struct error *err)
{
	struct stat facts;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0) {
		error_set(err, "the folder %s cannot be used: %s", path, errno == ELOOP || errno == ENOTDIR ? "it is no folder" : strerror(errno));
		return -1;
	}
	if (fstat(fd, &facts) == 0 && facts.st_uid == geteuid() && !(facts.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	error_set(err, "the folder %s belongs to others, or others may write to it (chmod 700 makes it yours)", path);
	close(fd);
	return -1;
}

static bool make_folder(const char *path, struct error *err)
{
	int fd;

	if (!path_make_folder(PATH_STATE, err))
		return false;
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return error_set(err, "cannot create the folder %s: %s", path, strerror(errno));
	fd = open_folder(path, err);
	if (fd < 0)
		return false;
	close(fd);
	if (access(path, W_OK | X_OK) != 0)
		return error_set(err, "the folder %s cannot be written to: %s", path, strerror(errno));
	return true;
}

bool tapes_new_path(char **path, struct error *err)
{
	char *folder = path_of(PATH_STATE, FOLDER);
	struct timespec now;
	struct tm utc;
	char stamp[32];
	struct buf name;

	if (!folder || !make_folder(folder, err)) {
		mem_free(folder);
		return folder ? false : error_set(err, "there is no home folder (HOME or XDG_STATE_HOME)");
	}
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
	buf_init(&name, strlen(folder) + 100);
	for (unsigned n = 0; !n || access(buf_z(&name), F_OK) == 0; n++) { /* two turns in one millisecond */
		buf_clear(&name);
		buf_printf(&name, "%s/%s.%03ld-%ld%s%.0u.tape", folder, stamp, now.tv_nsec / 1000000, (long)getpid(), n ? "-" : "", n);
	}
	*path = buf_take(&name);
	mem_free(folder);
	return true;
}

/* --- making room --- */

struct kept {
	char *name;
	long long bytes;
	struct timespec changed;
};

struct ring {
	int folder;
	struct kept *tapes;
	size_t count, capacity;
	long long bytes;
};

static void read_ring(struct ring *ring, DIR *dir)
{
	const struct dirent *entry;
	time_t now = time(NULL);
	struct stat facts;

	while ((entry = readdir(dir))) {
		if (!str_ends(str_from(entry->d_name), ".tape") || fstatat(ring->folder, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(facts.st_mode))
			continue;
		if (facts.st_mtim.tv_sec > now + AHEAD_S) /* the clock was wrong: it does not tell how old they are */
			facts.st_mtim = (struct timespec){ 0 };
		mem_reserve(&ring->tapes, &ring->capacity, ring->count + 1, sizeof *ring->tapes);
		ring->tapes[ring->count++] = (struct kept){ mem_dup_z(entry->d_name), facts.st_size, facts.st_mtim };
		ring->bytes += facts.st_size;
	}
}

/* The oldest first; those of the same moment by name. */
static int compare_age(const void *left, const void *right)
{
	const struct kept *a = left, *b = right;

	if (a->changed.tv_sec != b->changed.tv_sec)
		return a->changed.tv_sec < b->changed.tv_sec ? -1 : 1;
	if (a->changed.tv_nsec != b->changed.tv_nsec)
		return a->changed.tv_nsec < b->changed.tv_nsec ? -1 : 1;
	return strcmp(a->name, b->name);
}

static bool remove_tape(const struct ring *ring, const char *name)
{
	int fd = openat(ring->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool runs = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
	bool removed = !runs && unlinkat(ring->folder, name, 0) == 0;

	if (fd >= 0)
		close(fd);
	return removed;
}

static void shrink(struct ring *ring, long long limit_bytes)
{
	size_t left = ring->count;

	qsort(ring->tapes, ring->count, sizeof *ring->tapes, compare_age);
	for (size_t i = 0; i + 1 < ring->count && (ring->bytes > limit_bytes || left > TAPES_COUNT_MOST); i++) {
		if (!remove_tape(ring, ring->tapes[i].name))
			continue;
		ring->bytes -= ring->tapes[i].bytes;
		left--;
	}
}

void tapes_clear_away(long long limit_bytes)
{
	char *path = path_of(PATH_STATE, FOLDER);
	struct error ignored; /* a folder that cannot be read has been told when the tape was made */
	struct ring ring = { .folder = path ? open_folder(path, &ignored) : -1 };
	DIR *dir = ring.folder >= 0 ? fdopendir(ring.folder) : NULL;

	if (dir) {
		read_ring(&ring, dir);
		if (ring.count)
			shrink(&ring, limit_bytes);
		closedir(dir);
	} else if (ring.folder >= 0) {
		close(ring.folder);
	}
	for (size_t i = 0; i < ring.count; i++)
		mem_free(ring.tapes[i].name);
	mem_free(ring.tapes);
	mem_free(path);
}
