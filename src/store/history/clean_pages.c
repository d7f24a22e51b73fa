#include "store/history/clean_pages.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"

#define NAME "weir"
#define FILE_HEADER 100u

/* --- pages --- */

static size_t big16(const unsigned char *p)
{
	return (size_t)p[0] << 8 | p[1];
}

/* A page of a b-tree has a header, then the offsets of its cells, then what is not used, then the cells. */
void clean_page(unsigned char page[CLEAN_PAGE], size_t number)
{
	const unsigned char *header = page + (number ? 0 : FILE_HEADER);
	bool is_leaf = *header == 10 || *header == 13, is_inner = *header == 2 || *header == 5;
	size_t count = big16(header + 3), cells = big16(header + 5);
	const unsigned char *offsets = header + (is_leaf ? 8 : 12);
	size_t begin = (size_t)(offsets - page) + 2 * count;

	if ((!is_leaf && !is_inner) || begin > cells || cells > CLEAN_PAGE || (!count && cells < CLEAN_PAGE))
		return;
	for (size_t i = 0; i < count; i++)
		if (big16(offsets + 2 * i) < cells || big16(offsets + 2 * i) >= CLEAN_PAGE)
			return;
	memset(page + begin, 0, cells - begin);
}

/* --- the layer --- */

/*
 * A file of ours has the methods of SQLite's own, but for the one that writes. Those differ by how a file system locks, so there may be
 * several. All of this is set once, and before a file uses it.
 */
static struct { const sqlite3_io_methods *own; sqlite3_io_methods ours; } methods[8];
static sqlite3_vfs vfs;

static const sqlite3_io_methods *own_methods(const sqlite3_file *file)
{
	size_t i = 0;

	while (&methods[i].ours != file->pMethods)
		i++;
	return methods[i].own;
}

static int write_clean(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
	unsigned char page[CLEAN_PAGE];

	if (count == (int)CLEAN_PAGE && offset % CLEAN_PAGE == 0) {
		memcpy(page, bytes, CLEAN_PAGE);
		clean_page(page, (size_t)(offset / CLEAN_PAGE));
		bytes = page;
	}
	return own_methods(file)->xWrite(file, bytes, count, offset);
}

/* NULL: there is no room for more kinds; the file is written as SQLite does. */
static const sqlite3_io_methods *our_methods(const sqlite3_io_methods *own)
{
	size_t i = 0;

	while (i < ARRAY_LEN(methods) && methods[i].own && methods[i].own != own)
		i++;
	if (i == ARRAY_LEN(methods))
		return NULL;
	if (!methods[i].own) {
		methods[i].ours = *own;
		methods[i].ours.xWrite = write_clean;
		methods[i].own = own;
	}
	return &methods[i].ours;
}

static sqlite3_vfs *own_vfs(void)
{
	return vfs.pAppData;
}

static int open_clean(sqlite3_vfs *ignored, const char *path, sqlite3_file *file, int flags, int *out)
{
	int code = own_vfs()->xOpen(own_vfs(), path, file, flags, out);

	(void)ignored;
	if (code == SQLITE_OK && flags & SQLITE_OPEN_MAIN_DB && our_methods(file->pMethods))
		file->pMethods = our_methods(file->pMethods);
	return code;
}

static int delete_file(sqlite3_vfs *ignored, const char *path, int sync)
{
	(void)ignored;
	return own_vfs()->xDelete(own_vfs(), path, sync);
}

static int access_file(sqlite3_vfs *ignored, const char *path, int flags, int *out)
{
	(void)ignored;
	return own_vfs()->xAccess(own_vfs(), path, flags, out);
}

static int full_path(sqlite3_vfs *ignored, const char *path, int size, char *out)
{
	(void)ignored;
	return own_vfs()->xFullPathname(own_vfs(), path, size, out);
}

static int randomness(sqlite3_vfs *ignored, int count, char *out)
{
	(void)ignored;
	return own_vfs()->xRandomness(own_vfs(), count, out);
}

static int pause_us(sqlite3_vfs *ignored, int us)
{
	(void)ignored;
	return own_vfs()->xSleep(own_vfs(), us);
}

static int current_time(sqlite3_vfs *ignored, double *out)
{
	(void)ignored;
	return own_vfs()->xCurrentTime(own_vfs(), out);
}

static int last_error(sqlite3_vfs *ignored, int size, char *out)
{
	(void)ignored;
	return own_vfs()->xGetLastError(own_vfs(), size, out);
}

/* No extension is loaded, so what loads libraries is left out. */
const char *clean_pages_vfs(void)
{
	sqlite3_vfs *own = sqlite3_vfs_find(NULL);

	if (vfs.zName)
		return NAME;
	if (!own || own->iVersion < 1)
		return NULL;
	vfs = (sqlite3_vfs){
		.iVersion = 1, .szOsFile = own->szOsFile, .mxPathname = own->mxPathname, .zName = NAME, .pAppData = own,
		.xOpen = open_clean, .xDelete = delete_file, .xAccess = access_file, .xFullPathname = full_path, .xRandomness = randomness,
		.xSleep = pause_us, .xCurrentTime = current_time, .xGetLastError = last_error,
	};
	return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK ? NAME : NULL;
}
