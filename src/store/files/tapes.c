#include "store/files/tapes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/regular_file.h"
#include "store/files/private_folder.h"

#define AHEAD_S 60

/* --- the folder --- */

static enum private_state open_ring(enum tapes_ring which, struct private_folder *ring, bool create, struct error *err)
{
	static const char *const names[] = { [TAPES_OF_CHAT] = "tapes", [TAPES_OF_PROXY] = "proxy" };
	struct private_folder state_folder;
	enum private_state state = private_folder_open_state(&state_folder, create, err);

	if (state != PRIVATE_OPEN)
		return state;
	state = private_folder_open_in(ring, &state_folder, names[which], create, err);
	private_folder_close(&state_folder);
	return state;
}

bool tapes_new_path(enum tapes_ring ring, char **path, struct private_folder *folder, struct error *err)
{
	struct timespec now;
	struct tm utc;
	char stamp[32], name[100];
	struct buf whole;

	if (open_ring(ring, folder, true, err) != PRIVATE_OPEN)
		return false;
	if (faccessat(folder->fd, ".", W_OK | X_OK, AT_EACCESS) != 0) {
		error_set(err, "the folder %s cannot be written to: %s", folder->path, strerror(errno));
		private_folder_close(folder);
		return false;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
	/* Answers of a comparison begin in one millisecond. Who creates the file later takes another name if this one is there by then. */
	snprintf(name, sizeof name, "%s.%06ld-%ld.tape", stamp, now.tv_nsec / 1000, (long)getpid());
	buf_init(&whole, strlen(folder->path) + sizeof name);
	buf_printf(&whole, "%s/%s", folder->path, name);
	*path = buf_take(&whole);
	return true;
}

/* --- making room --- */

struct kept {
	char *name;
	long long bytes;
	struct timespec changed;
};

struct ring {
	struct private_folder folder;
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
		if (!str_ends(str_from(entry->d_name), ".tape") || fstatat(ring->folder.fd, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(facts.st_mode) || facts.st_uid != geteuid())
			continue;
		if (facts.st_mtim.tv_sec > now + AHEAD_S) /* the clock was wrong, so the age is unknown */
			facts.st_mtim = (struct timespec){ 0 };
		*ARRAY_ADD(ring->tapes, ring->count, ring->capacity) = (struct kept){ mem_dup_z(entry->d_name), facts.st_size, facts.st_mtim };
		ring->bytes += facts.st_size;
	}
}

/* Sorts by age, the oldest first; by name for equal times. */
static int compare_age(const void *left, const void *right)
{
	const struct kept *a = left, *b = right;

	if (a->changed.tv_sec != b->changed.tv_sec)
		return a->changed.tv_sec < b->changed.tv_sec ? -1 : 1;
	if (a->changed.tv_nsec != b->changed.tv_nsec)
		return a->changed.tv_nsec < b->changed.tv_nsec ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Removes a tape, unless it cannot be opened and checked. */
static bool remove_tape(const struct ring *ring, const char *name)
{
	struct error ignored;
	bool removed;
	int fd;

	if (private_file_open(&ring->folder, name, O_RDONLY, &fd, &ignored) != PRIVATE_OPEN)
		return false;
	removed = flock(fd, LOCK_EX | LOCK_NB) == 0 && unlinkat(ring->folder.fd, name, 0) == 0;
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

/* Opens a separate descriptor for readdir(), which moves its position. */
static DIR *read_tapes_folder(const struct ring *ring)
{
	int fd = openat(ring->folder.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

void tapes_clear_away(enum tapes_ring which, long long limit_bytes)
{
	struct error ignored; /* an unusable folder was reported when the tape was created */
	struct ring ring = { .count = 0 };
	DIR *dir;

	if (open_ring(which, &ring.folder, false, &ignored) != PRIVATE_OPEN)
		return;
	dir = read_tapes_folder(&ring);
	if (dir) {
		read_ring(&ring, dir);
		closedir(dir);
	}
	if (ring.count)
		shrink(&ring, limit_bytes);
	for (size_t i = 0; i < ring.count; i++)
		mem_free(ring.tapes[i].name);
	mem_free(ring.tapes);
	private_folder_close(&ring.folder);
}

/* Opens the ring if the path names a tape of it; `*name` is its name there. */
static bool open_ring_of(const char *path, struct private_folder *ring, const char **name)
{
	const char *slash = strrchr(path, '/');
	struct error ignored;

	if (!slash || !str_ends(str_from(slash), ".tape") || open_ring(TAPES_OF_CHAT, ring, false, &ignored) != PRIVATE_OPEN)
		return false;
	*name = slash + 1;
	if (str_is(str_of(path, (size_t)(slash - path)), ring->path))
		return true;
	private_folder_close(ring);
	return false;
}

void tapes_remove(const char *path)
{
	struct ring ring = { .count = 0 };
	const char *name;

	if (!open_ring_of(path, &ring.folder, &name))
		return;
	(void)remove_tape(&ring, name);
	private_folder_close(&ring.folder);
}

bool tapes_is_being_written(const char *path)
{
	struct private_folder ring;
	struct error ignored;
	const char *name;
	bool locked = false;
	int fd;

	if (!open_ring_of(path, &ring, &name))
		return false;
	if (private_file_open(&ring, name, O_RDONLY, &fd, &ignored) == PRIVATE_OPEN) {
		locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
		close(fd);
	}
	private_folder_close(&ring);
	return locked;
}

bool tapes_read_left(const char *path, struct buf *out)
{
	struct private_folder ring;
	struct error ignored;
	struct stat facts;
	const char *name;
	bool good = false;
	int fd;

	if (!open_ring_of(path, &ring, &name))
		return false;
	if (private_file_open(&ring, name, O_RDONLY, &fd, &ignored) == PRIVATE_OPEN) {
		good = flock(fd, LOCK_SH | LOCK_NB) == 0 && fstat(fd, &facts) == 0 && regular_file_read_fd(out, fd, &facts, path, &ignored);
		close(fd);
	}
	private_folder_close(&ring);
	return good;
}
