#include "app/kept.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/program.h"
#include "store/history/history_inside.h"
#include "support/check.h"

static const char *path_of(const char *end)
{
	static char path[200];

	snprintf(path, sizeof path, "%s/data/weir/" HISTORY_FILE "%s", folder_path(), end);
	return path;
}

static void take_file(struct buf *out, const char *end)
{
	struct error err;

	buf_clear(out);
	if (access(path_of(end), F_OK) == 0)
		CHECK(buf_read_file(out, path_of(end), &err), "%s", err.text);
}

static void restore_file(const char *end, struct str bytes)
{
	int fd = bytes.len ? open(path_of(end), O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

	if (fd < 0)
		return;
	CU_ASSERT(str_write(bytes, fd) == 0);
	close(fd);
}

void kept_take(struct kept *kept)
{
	take_file(&kept->file, "");
	take_file(&kept->wal, "-wal");
}

void kept_restore(const struct kept *kept)
{
	char command[200];

	snprintf(command, sizeof command, "rm -rf '%s/data/weir' && mkdir -p -m 700 '%s/data'", folder_path(), folder_path());
	CU_ASSERT(system(command) == 0);
	if (!kept->file.len)
		return;
	snprintf(command, sizeof command, "mkdir -m 700 '%s/data/weir'", folder_path());
	CU_ASSERT(system(command) == 0);
	restore_file("", buf_str(&kept->file));
	restore_file("-wal", buf_str(&kept->wal));
}

void kept_fini(struct kept *kept)
{
	buf_fini(&kept->file);
	buf_fini(&kept->wal);
}
