#include "store/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define PATH_LIMIT ((size_t)64 << 10)

static const struct {
	const char *variable, *below_home;
} roots[] = {
	[PATH_CONFIG] = { "XDG_CONFIG_HOME", "/.config" },
	[PATH_STATE] = { "XDG_STATE_HOME", "/.local/state" },
};

static const char *absolute(const char *variable)
{
	const char *value = getenv(variable);

	return value && value[0] == '/' ? value : NULL;
}

char *path_of(enum path_kind kind, const char *name)
{
	const char *root = absolute(roots[kind].variable);
	const char *home = absolute("HOME");
	struct buf path;

	if (!root && !home)
		return NULL;
	buf_init(&path, PATH_LIMIT);
	buf_printf(&path, "%s%s/weir", root ? root : home, root ? "" : roots[kind].below_home);
	if (name[0])
		buf_printf(&path, "/%s", name);
	return buf_take(&path);
}

char *path_expand(struct str typed)
{
	return str_expand_home(typed, getenv("HOME"));
}

/* Each folder on the way; a slash inside `path` is cut for a moment. */
static bool make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		bool good;

		*slash = '\0';
		good = mkdir(path, 0700) == 0 || errno == EEXIST;
		*slash = '/';
		if (!good)
			return false;
	}
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* One that was made otherwise, with prompts in it that others can read. */
static void make_private(const char *path)
{
	struct stat facts;

	if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid() && facts.st_mode & 077)
		(void)chmod(path, facts.st_mode & 0700);
}

bool path_make_folder(enum path_kind kind, struct error *err)
{
	char *path = path_of(kind, "");
	bool good;

	if (!path)
		return error_set(err, "there is no home folder: set the variable HOME or %s", roots[kind].variable);
	good = make_folders(path) || error_set(err, "cannot create the folder %s: %s", path, strerror(errno));
	if (good && kind == PATH_STATE)
		make_private(path);
	mem_free(path);
	return good;
}
