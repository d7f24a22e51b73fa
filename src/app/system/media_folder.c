#include "app/system/media_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/percent.h"

#define NAME_SIZE 64
#define DIGITS_MOST 9 /* of a number at the front of a name: more is no number of ours */

static bool folder_open(struct media_folder *f, int flags, struct error *err)
{
	const char *path = f->path;

	f->is_made = mkdir(path, 0700) == 0;
	if (!f->is_made && errno != EEXIST)
		return error_set(err, "cannot make the folder %s: %s", path, strerror(errno));
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	if (fd < 0)
		return error_set(err, "cannot open the folder %s: %s", path, strerror(errno));
	if (faccessat(fd, ".", W_OK | X_OK, 0) != 0) {
		int why = errno;

		close(fd);
		return error_set(err, "cannot write to the folder %s: %s", path, strerror(why));
	}
	f->fd = fd;
	return true;
}

bool media_folder_open(struct media_folder *f, const char *path, struct error *err)
{
	*f = (struct media_folder){ .path = path ? mem_dup_z(path) : NULL };
	if (!path || folder_open(f, 0, err))
		return true;
	media_folder_close(f);
	return false;
}

void media_folder_beside(struct media_folder *f, const char *document)
{
	const char *slash = strrchr(document, '/'), *name = slash ? slash + 1 : document, *dot = strrchr(name, '.');
	struct buf path = { 0 };

	buf_add(&path, str_of(document, dot > name ? (size_t)(dot - document) : strlen(document)));
	buf_add_z(&path, "-media");
	*f = (struct media_folder){ .path = buf_take(&path) };
}

void media_folder_drop(struct media_folder *f)
{
	for (size_t at = 0; at < f->added.len; at += strlen(f->added.ptr + at) + 1)
		unlinkat(f->fd, f->added.ptr + at, 0);
	if (f->is_made)
		rmdir(f->path);
	media_folder_close(f);
}

void media_folder_close(struct media_folder *f)
{
	if (f->fd)
		close(f->fd);
	mem_free(f->path);
	buf_fini(&f->added);
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

static bool write_item(const struct media_folder *f, long long number, struct str bytes, struct str type, char name[NAME_SIZE], struct error *err)
{
	int why = 0;

	snprintf(name, NAME_SIZE, "%02lld.%s", number, media_suffix(str_head(bytes, MEDIA_HEAD), type));
	int fd = openat(f->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(err, "cannot create %s/%s: %s", f->path, name, strerror(errno));
	why = str_write(bytes, fd);
	if (close(fd) != 0 && !why)
		why = errno;
	return !why || error_set(err, "cannot write %s/%s: %s", f->path, name, strerror(why));
}

bool media_folder_write(struct media_folder *f, const struct media_keeper *kept, struct error *err)
{
	long long highest;
	char name[NAME_SIZE];

	if (!f->fd)
		return true;
	if (!highest_number(f, &highest, err))
		return false;
	for (size_t i = 0; i < kept->count; i++) {
		const struct kept_media *item = &kept->items[i];

		if (item->data && !write_item(f, highest + (long long)i + 1, blob_str(item->data), buf_str(&item->type), name, err))
			return false;
	}
	return true;
}

bool media_folder_add(void *folder, struct str bytes, struct str type, struct buf *address, struct error *err)
{
	struct media_folder *f = folder;
	char name[NAME_SIZE];

	if (!f->fd && (!folder_open(f, O_NOFOLLOW, err) || !highest_number(f, &f->last, err)))
		return false;
	if (!write_item(f, f->last + 1, bytes, type, name, err))
		return false;
	f->last++;
	buf_add(&f->added, str_of(name, strlen(name) + 1));
	const char *slash = strrchr(f->path, '/');
	percent_encode(str_from(slash ? slash + 1 : f->path), "-._~", address);
	buf_printf(address, "/%s", name);
	return true;
}
