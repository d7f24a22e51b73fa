#include "store/config/settings_file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/mem.h"
#include "base/os/descriptor.h"
#include "base/regular_file.h"
#include "store/files/paths.h"
#include "store/files/private_folder.h"

#define NAME "weir.conf"
#define DESCRIPTORS 2u

bool settings_file_is_text(const char *name)
{
	return !strcmp(name, "system") || !strcmp(name, "prompt");
}

bool settings_file_visit(struct str text, const char *name, ini_visit *visit, void *ctx, struct error *err)
{
	return ini_read_blocks(text, name, settings_file_is_text, visit, ctx, err);
}

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
	folder = open(folder_path, OPEN_TO_PASS);
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

/* --- writing --- */

/* The file at the end of all links; NULL: there is none yet. Heap, of the C library. */
static char *find_target(const char *path, struct error *err)
{
	char *real = realpath(path, NULL);

	if (!real && errno != ENOENT)
		error_set(err, "cannot write %s: %s", path, strerror(errno));
	return real;
}

static bool check_target(int folder, const char *name, const char *path, bool is_default, mode_t *mode, struct error *err)
{
	struct stat facts;

	*mode = 0600;
	if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT || error_set(err, "cannot check %s: %s", path, strerror(errno));
	*mode = facts.st_mode & 0777;
	if (!S_ISREG(facts.st_mode))
		return error_set(err, "cannot write %s: it is not a file", path);
	if (facts.st_uid != geteuid())
		return error_set(err, "%s is not written: it belongs to another user", path);
	return !is_default || check_writers(&facts, path, err);
}

static bool write_in(const char *folder_path, const char *name, struct str text, const char *path, bool is_default, struct error *err)
{
	int folder, failure = 0;
	mode_t mode;
	bool good;

	if (!descriptors_ensure(DESCRIPTORS, err))
		return false;
	folder = open(*folder_path ? folder_path : "/", OPEN_TO_PASS);
	if (folder < 0)
		return error_set(err, "cannot open %s: %s", folder_path, strerror(errno));
	good = (!is_default || check_settings_folder(folder, folder_path, err)) && check_target(folder, name, path, is_default, &mode, err);
	if (good)
		failure = folder_replace(folder, name, "." NAME, text, mode, true);
	close(folder);
	return good && (!failure || error_set(err, "cannot write %s: %s", path, strerror(failure)));
}

/* The folder of the default file, where it is missing. */
static bool make_settings_folder(struct error *err)
{
	struct private_folder folder;
	char *path = path_of(PATH_CONFIG, "");
	bool good = path || error_set(err, "there is no home folder: set the variable HOME or XDG_CONFIG_HOME");

	if (good && access(path, F_OK) != 0) {
		good = private_folder_open(&folder, path, true, err) == PRIVATE_OPEN;
		if (good)
			private_folder_close(&folder);
	}
	mem_free(path);
	return good;
}

bool settings_file_write(struct str text, const char *path, struct error *err)
{
	char *own = path ? mem_dup_z(path) : path_of(PATH_CONFIG, NAME), *real, *slash;
	struct error why = { "" };
	bool good = path || make_settings_folder(err);

	if (good) {
		real = find_target(own, &why);
		if (real)
			str_replace(&own, str_from(real));
		free(real);
		slash = strrchr(own, '/');
		good = !*why.text || error_set(err, "%s", why.text);
	}
	if (good) {
		const char *name = slash ? slash + 1 : own;
		char *folder = slash ? str_dup(str_of(own, (size_t)(slash - own))) : mem_dup_z(".");

		good = write_in(folder, name, text, own, !path, err);
		mem_free(folder);
	}
	mem_free(own);
	return good;
}
