#include "app/system/save_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

bool save_file_open(struct save_file *f, const char *path, bool overwrite, struct error *err)
{
	struct buf beside = { 0 };
	struct stat facts;

	if (overwrite && stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) /* another file would take the place of /dev/null */
		return error_set(err, "cannot write %s: it is not a regular file", path);
	*f = (struct save_file){ .path = mem_dup_z(path) };
	buf_printf(&beside, "%s", path);
	if (overwrite)
		buf_printf(&beside, ".%ld.part", (long)getpid());
	f->written = buf_take(&beside);
	f->fd = open(f->written, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (f->fd >= 0)
		return true;
	if (errno == EEXIST)
		error_set(err, "%s exists already: --force overwrites it", f->written);
	else
		error_set(err, "cannot create %s: %s", f->written, strerror(errno));
	mem_free(f->path);
	mem_free(f->written);
	*f = (struct save_file){ 0 };
	return false;
}

void save_file_add(struct save_file *f, struct str text)
{
	if (f->fd && !f->failure)
		f->failure = str_write(text, f->fd);
}

void save_file_restart(struct save_file *f)
{
	if (f->fd && (ftruncate(f->fd, 0) != 0 || lseek(f->fd, 0, SEEK_SET) != 0) && !f->failure)
		f->failure = errno;
}

bool save_file_close(struct save_file *f, struct error *err)
{
	struct stat facts;
	bool empty;

	if (!f->fd)
		return true;
	empty = fstat(f->fd, &facts) == 0 && !facts.st_size;
	/* Before it takes the place of another file: after a power failure there is the old one or the new one. */
	if (!empty && !f->failure && strcmp(f->path, f->written) != 0 && fsync(f->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
		f->failure = errno;
	if (close(f->fd) != 0 && !f->failure)
		f->failure = errno;
	if (empty || (f->failure && strcmp(f->path, f->written) != 0))
		unlink(f->written);
	else if (strcmp(f->path, f->written) != 0 && rename(f->written, f->path) != 0)
		f->failure = errno;
	if (f->failure)
		error_set(err, "cannot write %s: %s", f->path, strerror(f->failure));
	mem_free(f->path);
	mem_free(f->written);
	*f = (struct save_file){ .failure = f->failure };
	return !f->failure;
}

void save_file_drop(struct save_file *f)
{
	if (!f->fd)
		return;
	unlink(f->written);
	close(f->fd);
	mem_free(f->path);
	mem_free(f->written);
	*f = (struct save_file){ 0 };
}
