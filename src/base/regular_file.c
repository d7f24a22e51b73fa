#include "base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* /dev/null is allowed: users name it for empty settings, and reading it never blocks. */
static bool is_null_device(const struct stat *facts)
{
	struct stat null;

	return S_ISCHR(facts->st_mode) && stat("/dev/null", &null) == 0 && S_ISCHR(null.st_mode) && facts->st_rdev == null.st_rdev;
}

static const char *regular_file_kind(mode_t mode)
{
	return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

int regular_file_open_in(int folder, const char *name, const char *path, struct stat *facts, struct error *err)
{
	int fd = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat own;

	facts = facts ? facts : &own;
	if (fd < 0 || fstat(fd, facts) != 0)
		error_set(err, "cannot open %s: %s", path, strerror(errno));
	else if (!S_ISREG(facts->st_mode) && !is_null_device(facts))
		error_set(err, "%s is %s: only a regular file is read", path, regular_file_kind(facts->st_mode));
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int regular_file_open(const char *path, struct stat *facts, struct error *err)
{
	return regular_file_open_in(AT_FDCWD, path, path, facts, err);
}

bool regular_file_read_fd(struct buf *out, int fd, const struct stat *facts, const char *path, struct error *err)
{
	buf_clear(out);
	/* The size is only a hint: files in /proc report 0, and others grow while they are read. */
	if (facts->st_size > 0 && (uintmax_t)facts->st_size > buf_limit(out))
		return error_set(err, "%s is too large: at most %zu bytes are read", path, buf_limit(out));
	if (buf_read_fd(out, fd, path, err))
		return true;
	buf_clear(out);
	return false;
}

bool regular_file_read(struct buf *out, const char *path, struct error *err)
{
	struct stat facts;
	int fd = regular_file_open(path, &facts, err);
	bool good;

	buf_clear(out);
	if (fd < 0)
		return false;
	good = regular_file_read_fd(out, fd, &facts, path, err);
	close(fd);
	return good;
}
