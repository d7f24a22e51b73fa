#include "store/config/keys.h"

#include <string.h>

#include "base/mem.h"
#include "store/files/paths.h"
#include "store/files/private_folder.h"

#define PATH_LIMIT ((size_t)64 << 10)
#define FOLDER "keys"

char *keys_path(struct str provider)
{
	char *folder = path_of(PATH_CONFIG, FOLDER), *shown;
	struct buf path;

	if (!folder)
		return NULL;
	buf_init(&path, PATH_LIMIT);
	buf_printf(&path, "%s/%.*s", folder, STR_ARG(provider));
	shown = path_shown(buf_z(&path));
	buf_fini(&path);
	mem_free(folder);
	return shown;
}

static bool write_key(const struct private_folder *folder, const char *name, struct str key, struct error *err)
{
	size_t size = key.len + 1;
	char *line = mem_new(size);
	bool good;

	memcpy(line, key.ptr, key.len);
	line[key.len] = '\n';
	good = private_file_replace(folder, name, str_of(line, size), err);
	mem_wipe(line, size);
	mem_free(line);
	return good;
}

bool keys_keep(struct str provider, struct str key, struct error *err)
{
	struct private_folder folder;
	char *path = path_of(PATH_CONFIG, FOLDER), *name = str_dup(provider);
	bool good = false;

	if (!path) {
		error_set(err, "there is no home folder: set the variable HOME or XDG_CONFIG_HOME");
	} else if (str_starts(provider, ".") || str_find(provider, STR("/")) < provider.len || !key.len) {
		error_set(err, "no key can be kept for \"%s\"", name);
	} else if (private_folder_open(&folder, path, true, err) == PRIVATE_OPEN) {
		good = write_key(&folder, name, key, err);
		private_folder_close(&folder);
	}
	mem_free(name);
	mem_free(path);
	return good;
}
