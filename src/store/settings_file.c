#include "store/settings_file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/mem.h"
#include "base/regular_file.h"
#include "store/paths.h"

#define NAME "weir.conf"
#define DESCRIPTORS 2u

/* Many systems give each user such a group, with a umask that lets it write. */
static bool is_private_group(gid_t id)
{
	const struct group *group = getgrgid(id);
	const struct passwd *user = getpwuid(geteuid());

	if (!group || !user || strcmp(group->gr_name, user->pw_name) != 0)
		return false;
	for (char *const *member = group->gr_mem; *member; member++)
		if (strcmp(*member, user->pw_name) != 0)
			return false;
	return true;
}

static bool check_writers(const struct stat *facts, const char *path, struct error *err)
{
	if (facts->st_uid != geteuid() && facts->st_uid != 0)
		return error_set(err, "the settings are not read, because %s belongs to another user, whose commands would be run: name the file "
		                      "with --config to use it as it is", path);
	if (facts->st_mode & S_IWOTH || (facts->st_mode & S_IWGRP && !is_private_group(facts->st_gid)))
		return error_set(err, "the settings are not read, because others may write to %s, and their commands would be run: run chmod go-w "
		                      "on it, or name the file with --config to use it as it is", path);
	return true;
}

static bool check_settings_folder(int folder, const char *path, struct error *err)
{
	struct stat facts;

	if (fstat(folder, &facts) != 0)
		return error_set(err, "cannot check %s: %s", path, strerror(errno));
	return check_writers(&facts, path, err);
}

static bool read_settings_file(struct buf *text, int folder, const char *folder_path, const char *path, struct error *err)
{
	struct stat facts;
	bool good;
	int fd;

	if (faccessat(folder, NAME, F_OK, 0) != 0 && errno == ENOENT)
		return true;
	fd = regular_file_open_in(folder, NAME, path, &facts, err);
	if (fd < 0)
		return false;
	/* /dev/null is empty, whoever may write to it. */
	good = !S_ISREG(facts.st_mode) || (check_settings_folder(folder, folder_path, err) && check_writers(&facts, path, err));
	good = good && regular_file_read_fd(text, fd, &facts, path, err);
	close(fd);
	return good;
}

static bool read_in_folder(struct buf *text, const char *folder_path, const char *path, struct error *err)
{
	int folder;
	bool good;

	if (!descriptors_ensure(DESCRIPTORS, err))
		return false;
	folder = open(folder_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return errno == ENOENT || errno == ENOTDIR || error_set(err, "cannot open %s: %s", folder_path, strerror(errno));
	good = read_settings_file(text, folder, folder_path, path, err);
	close(folder);
	return good;
}

bool settings_file_read(struct buf *text, char **path, struct error *err)
{
	char *folder_path = path_of(PATH_CONFIG, "");
	bool good;

	buf_clear(text);
	*path = path_of(PATH_CONFIG, NAME);
	good = !folder_path || read_in_folder(text, folder_path, *path, err);
	mem_free(folder_path);
	return good;
}
