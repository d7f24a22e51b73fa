#include "store/files/paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PATH_LIMIT ((size_t)64 << 10)

static const struct {
	const char *variable, *below_home;
} roots[] = {
	[PATH_CONFIG] = { "XDG_CONFIG_HOME", "/.config" },
	[PATH_STATE] = { "XDG_STATE_HOME", "/.local/state" },
	[PATH_DATA] = { "XDG_DATA_HOME", "/.local/share" },
	[PATH_CACHE] = { "XDG_CACHE_HOME", "/.cache" },
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

char *path_shown(const char *path)
{
	const char *home = absolute("HOME");
	size_t length = home ? strlen(home) : 0;
	struct buf shown;

	if (length < 2 || strncmp(path, home, length) != 0 || path[length] != '/')
		return mem_dup_z(path);
	buf_init(&shown, PATH_LIMIT);
	buf_printf(&shown, "~%s", path + length);
	return buf_take(&shown);
}
