#include "store/files/private_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os/descriptor.h"
#include "base/os/random.h"
#include "store/files/paths.h"

#define OPEN_FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define ATTEMPTS 10
#define NAME_BYTES 64
#define NOT_REGULAR ": it is not a file"
#define PATH_LIMIT ((size_t)64 << 10)

/* --- checks --- */

/* Sets an error. The message begins with what to do and shows the path with "~", because a status bar is narrow. Returns false. */
static bool set_path_error(struct error *err, const char *before, const char *path, const char *after)
{
	char *shown = path_shown(path);

	error_set(err, "%s%s%s", before, shown, after);
	mem_free(shown);
	return false;
}

typedef bool check_facts(const struct stat *facts, const char *path, struct error *err);

static bool is_data_folder(const char *path)
{
	char *data = path_of(PATH_DATA, "");
	bool is = data && !strcmp(data, path);

	mem_free(data);
	return is;
}

static bool check_private_folder(const struct stat *facts, const char *path, struct error *err)
{
	if (facts->st_uid != geteuid())
		return set_path_error(err, "", path, is_data_folder(path) ? " is not yours: set XDG_DATA_HOME" : " is not yours: set XDG_STATE_HOME");
	if (facts->st_mode & (S_IWGRP | S_IWOTH))
		return set_path_error(err, "run chmod 700 ", path, ": others may write to it");
	return true;
}

static bool check_file(const struct stat *facts, const char *path, struct error *err)
{
	if (!S_ISREG(facts->st_mode))
		return set_path_error(err, "remove ", path, NOT_REGULAR);
	if (facts->st_uid != geteuid())
		return set_path_error(err, "remove ", path, ": it is not yours");
	if (facts->st_nlink > 1)
		return set_path_error(err, "remove ", path, ": it is a hard link");
	if (facts->st_mode & (S_IWGRP | S_IWOTH))
		return set_path_error(err, "run chmod 600 ", path, ": others may write to it");
	return true;
}

static bool check(int fd, check_facts *request_context_are_good, const char *path, struct error *err)
{
	struct stat facts;

	if (fstat(fd, &facts) != 0)
		return error_set(err, "cannot check %s: %s", path, strerror(errno));
	if (!request_context_are_good(&facts, path, err))
		return false;
	if (facts.st_mode & 077) /* removes the access of group and others */
		(void)fchmod(fd, facts.st_mode & 0700);
	return true;
}

/* --- folders of the path --- */

/* Creates a folder, but only in one owned by us or root. EEXIST is ignored: another process was faster. */
static bool make_private_folder(int parent, const char *name, struct error *err)
{
	struct stat facts;

	if (fstat(parent, &facts) == 0 && facts.st_uid != geteuid() && facts.st_uid != 0)
		return error_set(err, "the folder %s is not created in one that is not yours: set XDG_STATE_HOME", name);
	return mkdirat(parent, name, 0700) == 0 || errno == EEXIST;
}

/* Opens a folder, and creates it if necessary. Returns -1 with errno or an error set. */
static int open_or_make(int parent, const char *name, int flags, bool create, struct error *err)
{
	int fd = openat(parent, name, flags);

	if (fd < 0 && errno == ENOENT && create && make_private_folder(parent, name, err))
		fd = openat(parent, name, flags);
	return fd;
}

static void close_quietly(int fd)
{
	int kept = errno;

	close(fd);
	errno = kept;
}

/* Opens the parent of an absolute path; `*name` is its last component. Fails like open_or_make(). */
static int open_parent(char *path, const char **name, bool create, struct error *err)
{
	int fd = open("/", OPEN_TO_PASS);
	char *at = path + 1, *slash;

	for (; fd >= 0 && (slash = strchr(at, '/')); at = slash + 1) {
		int parent = fd;

		*slash = '\0';
		if (!*at)
			continue;
		fd = open_or_make(parent, at, OPEN_TO_PASS, create, err);
		close_quietly(parent);
	}
	*name = at;
	return fd;
}

/* --- folders --- */

/* A link never changes: it is removed, and another is made. */
static bool is_same_link(const struct stat *before, const struct stat *after)
{
	return before->st_dev == after->st_dev && before->st_ino == after->st_ino && before->st_ctim.tv_sec == after->st_ctim.tv_sec &&
	       before->st_ctim.tv_nsec == after->st_ctim.tv_nsec;
}

/* Follows a link created by us or root, once. Its target is checked like any folder. */
static int follow_trusted_link(int parent, const char *name)
{
	char target[PATH_MAX];
	struct stat before, after;
	bool known = fstatat(parent, name, &before, AT_SYMLINK_NOFOLLOW) == 0;
	ssize_t length = known ? readlinkat(parent, name, target, sizeof target - 1) : -1;

	errno = ENOTDIR;
	if (length <= 0 || fstatat(parent, name, &after, AT_SYMLINK_NOFOLLOW) != 0 || !is_same_link(&before, &after) ||
	    (after.st_uid != geteuid() && after.st_uid != 0))
		return -1;
	target[length] = '\0';
	return openat(parent, target, OPEN_FOLDER);
}

/* Completes opening after open_or_make() in `parent`. */
static enum private_state finish_opening(struct private_folder *folder, int parent, const char *path, bool create, struct error *err)
{
	int failure = errno;

	folder->path = mem_dup_z(path);
	if (folder->fd >= 0 && check(folder->fd, check_private_folder, path, err))
		return PRIVATE_OPEN;
	if (folder->fd < 0 && failure == ENOENT && !create && !*err->text) {
		private_folder_close(folder);
		return PRIVATE_MISSING;
	}
	if (!*err->text && parent >= 0 && (failure == ENOTDIR || failure == ELOOP))
		set_path_error(err, "remove ", path, ": it is not a folder");
	if (!*err->text)
		error_set(err, "cannot %s the folder %s: %s", create ? "create" : "open", path, strerror(failure));
	private_folder_close(folder);
	return PRIVATE_REFUSED;
}

enum private_state private_folder_open(struct private_folder *folder, const char *path, bool create, struct error *err)
{
	char *copy = mem_dup_z(path);
	const char *name;
	int parent;

	err->text[0] = '\0';
	parent = open_parent(copy, &name, create, err);
	folder->fd = -1;
	if (parent >= 0) {
		folder->fd = open_or_make(parent, name, OPEN_FOLDER, create, err);
		if (folder->fd < 0 && (errno == ENOTDIR || errno == ELOOP))
			folder->fd = follow_trusted_link(parent, name);
		close_quietly(parent);
	}
	enum private_state state = finish_opening(folder, parent, path, create, err);
	mem_free(copy);
	return state;
}

static enum private_state open_xdg_folder(struct private_folder *folder, enum path_kind kind, const char *variable, bool create, struct error *err)
{
	char *path = path_of(kind, "");
	enum private_state state = PRIVATE_REFUSED;

	if (path)
		state = private_folder_open(folder, path, create, err);
	else
		error_set(err, "there is no home folder: set the variable HOME or %s", variable);
	mem_free(path);
	return state;
}

enum private_state private_folder_open_state(struct private_folder *folder, bool create, struct error *err)
{
	return open_xdg_folder(folder, PATH_STATE, "XDG_STATE_HOME", create, err);
}

enum private_state private_folder_open_data(struct private_folder *folder, bool create, struct error *err)
{
	return open_xdg_folder(folder, PATH_DATA, "XDG_DATA_HOME", create, err);
}

enum private_state private_folder_open_in(struct private_folder *folder, const struct private_folder *parent, const char *name, bool create,
                                          struct error *err)
{
	struct buf path;

	err->text[0] = '\0';
	buf_init(&path, PATH_LIMIT);
	buf_printf(&path, "%s/%s", parent->path, name);
	folder->fd = open_or_make(parent->fd, name, OPEN_FOLDER, create, err);
	enum private_state state = finish_opening(folder, parent->fd, buf_z(&path), create, err);
	buf_fini(&path);
	return state;
}

void private_folder_close(struct private_folder *folder)
{
	if (folder->fd >= 0)
		close(folder->fd);
	mem_free(folder->path);
	*folder = (struct private_folder){ .fd = -1 };
}

/* --- files --- */

/* Translates errors of openat() for names that are not files. Returns false. */
static bool cannot_open(const char *path, int failure, struct error *err)
{
	switch (failure) {
	case ELOOP: return set_path_error(err, "remove the link ", path, "");
	case ENXIO: case EISDIR: return set_path_error(err, "remove ", path, NOT_REGULAR);
	default: return error_set(err, "cannot open %s: %s", path, strerror(failure));
	}
}

enum private_state private_file_open(const struct private_folder *folder, const char *name, int flags, int *fd, struct error *err)
{
	struct buf path;
	bool missing, good;

	err->text[0] = '\0';
	buf_init(&path, PATH_LIMIT);
	buf_printf(&path, "%s/%s", folder->path, name);
	*fd = openat(folder->fd, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	missing = *fd < 0 && errno == ENOENT && !(flags & O_CREAT);
	good = *fd >= 0 ? check(*fd, check_file, buf_z(&path), err) : !missing && cannot_open(buf_z(&path), errno, err);
	buf_fini(&path);
	if (*fd >= 0 && !good) {
		close(*fd);
		*fd = -1;
	}
	return good ? PRIVATE_OPEN : missing ? PRIVATE_MISSING : PRIVATE_REFUSED;
}

enum private_state private_file_check(const struct private_folder *folder, const char *name, struct stat *facts, struct error *err)
{
	enum private_state state = PRIVATE_OPEN;
	struct buf path;

	err->text[0] = '\0';
	buf_init(&path, PATH_LIMIT);
	buf_printf(&path, "%s/%s", folder->path, name);
	if (fstatat(folder->fd, name, facts, AT_SYMLINK_NOFOLLOW) != 0)
		state = errno == ENOENT || cannot_open(buf_z(&path), errno, err) ? PRIVATE_MISSING : PRIVATE_REFUSED;
	else if (S_ISLNK(facts->st_mode) ? !cannot_open(buf_z(&path), ELOOP, err) : !check_file(facts, buf_z(&path), err))
		state = PRIVATE_REFUSED;
	else if ((facts->st_mode & 077) && fchmodat(folder->fd, name, facts->st_mode & 0700, 0) != 0)
		state = PRIVATE_OPEN; /* as on a read-only disk: the folder keeps others out */
	buf_fini(&path);
	return state;
}

int folder_replace(int folder, const char *name, const char *stem, struct str content, mode_t mode, bool synced)
{
	char temporary[NAME_BYTES];
	int fd = -1, failure;

	for (int i = 0; fd < 0 && i < ATTEMPTS; i++) {
		uint64_t number;

		if (!random_fill(&number, sizeof number))
			return errno;
		snprintf(temporary, sizeof temporary, "%s.%016llx", stem, (unsigned long long)number);
		fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			return errno;
	}
	if (fd < 0)
		return errno;
	failure = str_write(content, fd);
	if (!failure && ((mode != 0600 && fchmod(fd, mode) != 0) || (synced && fsync(fd) != 0)))
		failure = errno;
	if (close(fd) != 0 && !failure)
		failure = errno;
	if (!failure && renameat(folder, temporary, folder, name) != 0)
		failure = errno;
	if (failure)
		unlinkat(folder, temporary, 0);
	return failure;
}

int private_file_lock(const struct private_folder *folder, const char *name)
{
	struct error err;
	int lock;

	if (private_file_open(folder, name, O_RDWR | O_CREAT, &lock, &err) != PRIVATE_OPEN)
		return PRIVATE_LOCK_NONE;
	if (flock(lock, LOCK_EX | LOCK_NB) == 0)
		return lock;
	bool held = errno == EWOULDBLOCK;
	close(lock);
	return held ? PRIVATE_LOCK_HELD : PRIVATE_LOCK_NONE;
}

void private_file_unlock(int lock)
{
	if (lock < 0)
		return;
	flock(lock, LOCK_UN); /* a copy of this process may have the descriptor for a moment */
	close(lock);
}

bool private_file_replace(const struct private_folder *folder, const char *name, struct str content, struct error *err)
{
	int fd, failure;

	switch (private_file_open(folder, name, O_RDONLY, &fd, err)) {
	case PRIVATE_REFUSED: return false;
	case PRIVATE_OPEN: close(fd); break;
	case PRIVATE_MISSING: break;
	}
	failure = folder_replace(folder->fd, name, name, content, 0600, false);
	return !failure || error_set(err, "cannot write %s/%s: %s", folder->path, name, strerror(failure));
}
