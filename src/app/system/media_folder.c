#include "app/system/media_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define DIGITS_MOST 9 /* of a number at the front of a name: more is no number of ours */

bool media_folder_open(struct media_folder *f, const char *path, struct error *err)
{
	*f = (struct media_folder){ 0 };
	if (!path)
		return true;
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return error_set(err, "cannot make the folder %s: %s", path, strerror(errno));
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error_set(err, "cannot open the folder %s: %s", path, strerror(errno));
	if (faccessat(fd, ".", W_OK | X_OK, 0) != 0) {
		int why = errno;

		close(fd);
		return error_set(err, "cannot write to the folder %s: %s", path, strerror(why));
	}
	*f = (struct media_folder){ mem_dup_z(path), fd };
	return true;
}

void media_folder_close(struct media_folder *f)
{
	if (f->fd)
		close(f->fd);
	mem_free(f->path);
	*f = (struct media_folder){ 0 };
}

/* The number that a name begins with; 0: none. */
static long long number_of(const char *name)
{
	size_t digits = strspn(name, "0123456789");
	long long number;

	return digits <= DIGITS_MOST && str_to_int(str_of(name, digits), &number) ? number : 0;
}

static bool highest_number(const struct media_folder *f, long long *highest, struct error *err)
{
	int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = fd < 0 ? NULL : fdopendir(fd);

	*highest = 0;
	if (!listing) {
		int why = errno;

		if (fd >= 0)
			close(fd);
		return error_set(err, "cannot list the folder %s: %s", f->path, strerror(why));
	}
	for (const struct dirent *entry; (entry = readdir(listing));)
		if (number_of(entry->d_name) > *highest)
			*highest = number_of(entry->d_name);
	closedir(listing);
	return true;
}

static bool write_item(const struct media_folder *f, long long number, const struct kept_media *item, struct error *err)
{
	char name[64];
	int why = 0;

	snprintf(name, sizeof name, "%02lld.%s", number, media_suffix(str_head(buf_str(&item->data), MEDIA_HEAD), buf_str(&item->type)));
	int fd = openat(f->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(err, "cannot create %s/%s: %s", f->path, name, strerror(errno));
	why = str_write(buf_str(&item->data), fd);
	if (close(fd) != 0 && !why)
		why = errno;
	return !why || error_set(err, "cannot write %s/%s: %s", f->path, name, strerror(why));
}

bool media_folder_write(struct media_folder *f, const struct media_keeper *kept, struct error *err)
{
	long long highest;

	if (!f->fd)
		return true;
	if (!highest_number(f, &highest, err))
		return false;
	for (size_t i = 0; i < kept->count; i++)
		if (kept->items[i].data.len && !write_item(f, highest + (long long)i + 1, &kept->items[i], err))
			return false;
	return true;
}
