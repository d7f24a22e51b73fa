#include "app/system/temp_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/system/environment.h"
#include "base/array.h"
#include "base/mem.h"

#define FALLBACK "/tmp"
#define PATH_LIMIT ((size_t)64 << 10)

/* Creates the folder; returns its path, heap. NULL, with errno set, if that fails. */
static char *temp_make_folder(void)
{
	const char *const places[] = { process_environment("XDG_RUNTIME_DIR"), process_environment("TMPDIR"), FALLBACK };
	struct buf path;

	buf_init(&path, PATH_LIMIT);
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		buf_clear(&path);
		if (places[i] && *places[i] == '/' && buf_printf(&path, "%s/weir-XXXXXX", places[i]) && mkdtemp(path.ptr))
			return buf_take(&path);
	}
	buf_fini(&path);
	return NULL;
}

/* Returns 0 or an errno value. */
static int temp_write(const char *path, struct str text, struct str end)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int failure;

	if (fd < 0)
		return errno;
	failure = str_write(text, fd);
	if (!failure && end.len)
		failure = str_write(end, fd);
	if (close(fd) != 0 && !failure)
		failure = errno;
	return failure;
}

static bool temp_file_make(struct temp_file *s, const char *name, struct str text, struct str end, struct error *err)
{
	struct buf path;
	int failure;

	*s = (struct temp_file){ .folder = temp_make_folder() };
	if (!s->folder)
		return error_set(err, "no file can be made in " FALLBACK ": %s", strerror(errno));
	buf_init(&path, PATH_LIMIT);
	buf_printf(&path, "%s/%s", s->folder, name);
	s->path = buf_take(&path);
	failure = temp_write(s->path, text, end);
	return !failure || error_set(err, "cannot write %s: %s", s->path, strerror(failure));
}

bool temp_file_write(struct temp_file *s, const char *name, struct str text, struct error *err)
{
	return temp_file_make(s, name, text, text.len && !str_ends(text, "\n") ? STR("\n") : STR_NONE, err);
}

bool temp_file_write_bytes(struct temp_file *s, const char *name, struct str bytes, struct error *err)
{
	return temp_file_make(s, name, bytes, STR_NONE, err);
}

/* Removes all files in the folder, but no folders: those were not created by weir. */
static void temp_empty_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	const struct dirent *entry;
	struct stat facts;
	DIR *dir;

	if (fd < 0)
		return;
	dir = fstat(fd, &facts) == 0 && facts.st_uid == geteuid() ? fdopendir(fd) : NULL;
	if (!dir) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir)))
		unlinkat(fd, entry->d_name, 0);
	closedir(dir);
}

void temp_file_drop(struct temp_file *s)
{
	if (s->folder) {
		temp_empty_folder(s->folder);
		rmdir(s->folder);
	}
	mem_free(s->folder);
	mem_free(s->path);
	*s = (struct temp_file){ NULL, NULL };
}
