/* `weir history backup`: all of the history as one new file. */
#include "app/history/history_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/system/output.h"
#include "base/mem.h"
#include "store/history/history.h"

/* Creates an empty file of ours. 0 or an errno value. */
static int create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void sync_folder_of(const char *path)
{
	char *folder = mem_dup_z(path);
	int fd;

	*strrchr(folder, '/') = '\0';
	fd = open(*folder ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	mem_free(folder);
}

/* The copy is made beside the file, and is renamed to it when it is complete. */
static bool backup_write(struct history_call *call, const char *path, struct error *err)
{
	struct buf beside = { 0 };
	int failure;
	bool good = false;

	buf_printf(&beside, "%s.%ld.part", path, (long)getpid());
	failure = create(buf_z(&beside));
	if (failure)
		error_set(err, "cannot create %s: %s", buf_z(&beside), strerror(failure));
	else if (history_backup(call->h, buf_z(&beside), err) == HISTORY_OK)
		good = rename(buf_z(&beside), path) == 0 || error_set(err, "cannot write %s: %s", path, strerror(errno));
	if (!failure && !good)
		unlink(buf_z(&beside));
	if (good)
		sync_folder_of(path);
	buf_fini(&beside);
	return good;
}

/* Reserves the name with an empty file, so that nothing is overwritten if another program creates one meanwhile. */
int history_backup_run(struct history_call *call)
{
	const char *name = call->arguments[0];
	struct error err = { "" };
	struct output out;
	char *path;
	int failure;
	bool good;

	if (!call->h) {
		complain("there is nothing to back up: nothing is stored yet");
		return EXIT_LOCAL;
	}
	failure = create(name);
	if (failure == EEXIST)
		return usage_error("%s exists already, and a backup overwrites nothing: give another name", name);
	if (failure)
		return usage_error("cannot create %s: %s", name, strerror(failure));
	path = realpath(name, NULL);
	good = path ? backup_write(call, path, &err) : error_set(&err, "cannot find %s: %s", name, strerror(errno));
	if (!good)
		unlink(name);
	free(path);
	if (!good)
		return history_call_failed(&err);
	output_init(&out, STDOUT_FILENO);
	output_printf(&out, "all conversations are in %s\n", name);
	return output_status(&out, EXIT_DONE);
}
