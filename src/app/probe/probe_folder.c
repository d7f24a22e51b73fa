/* Where the tapes of a probe go: a folder that the user named, or one of the last runs in the state folder. */
#include "app/probe/probe.h"
#include "app/setup/setup.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/names.h"

#define FOLDER "probes"
#define RUN_NAME_MOST 64
#define RUNS_KEPT 50

/* NULL if it cannot be listed. */
static DIR *probe_list(int folder)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;

	if (!dir && copy >= 0)
		close(copy);
	return dir;
}

/* --- a folder that was named --- */

static bool probe_folder_is_empty(int folder)
{
	DIR *dir = probe_list(folder);
	const struct dirent *entry;
	bool empty = dir != NULL;

	while (dir && (entry = readdir(dir)))
		empty &= !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	if (dir)
		closedir(dir);
	return empty;
}

static bool probe_open_given(struct probe *p, const char *path, struct error *err)
{
	char *here = *path == '/' ? NULL : getcwd(NULL, 0);
	struct buf whole = { 0 };
	bool good;

	if (here)
		buf_printf(&whole, "%s/", here);
	buf_add_z(&whole, path);
	free(here);
	good = private_folder_open(&p->folder, buf_z(&whole), true, err) == PRIVATE_OPEN;
	buf_fini(&whole);
	return good && (probe_folder_is_empty(p->folder.fd) ||
	                error_set(err, "%s is not empty: the tapes of a probe want a folder of their own", path));
}

/* --- earlier ones --- */

/* Whether it is a name that this file gives, such as "20260131-124501-4711". Sorted, the oldest is the first. */
static bool probe_is_run(const char *name)
{
	return strlen(name) < RUN_NAME_MOST && strspn(name, "0123456789") == 8 && name[8] == '-' && strspn(name + 9, "0123456789") == 6 &&
	       name[15] == '-' && name[16] && !name[16 + strspn(name + 16, "0123456789")];
}

/* The names of runs in a folder, in their order. The caller frees them and the list. */
static char **probe_runs(int folder, size_t *count)
{
	DIR *dir = probe_list(folder);
	const struct dirent *entry;
	char **names = NULL;
	size_t capacity = 0;

	*count = 0;
	while (dir && (entry = readdir(dir)))
		if (probe_is_run(entry->d_name))
			*ARRAY_ADD(names, *count, capacity) = mem_dup_z(entry->d_name);
	if (dir)
		closedir(dir);
	if (*count)
		qsort(names, *count, sizeof *names, names_compare);
	return names;
}

/* Removes the tapes of a run, and its folder if nothing else is in it. */
static void probe_remove_run(const struct private_folder *all, const char *name)
{
	struct private_folder run;
	const struct dirent *entry;
	struct error ignored;

	if (private_folder_open_in(&run, all, name, false, &ignored) != PRIVATE_OPEN)
		return;
	DIR *dir = probe_list(run.fd);
	while (dir && (entry = readdir(dir)))
		if (str_ends(str_from(entry->d_name), ".tape"))
			(void)unlinkat(run.fd, entry->d_name, 0);
	if (dir)
		closedir(dir);
	private_folder_close(&run);
	(void)unlinkat(all->fd, name, AT_REMOVEDIR);
}

static void probe_make_room(const struct private_folder *all)
{
	size_t count;
	char **runs = probe_runs(all->fd, &count);

	for (size_t i = 0; i < count; i++) {
		if (i + RUNS_KEPT < count)
			probe_remove_run(all, runs[i]);
		mem_free(runs[i]);
	}
	mem_free(runs);
}

/* --- a new one --- */

static bool probe_open_new(struct probe *p, struct error *err)
{
	struct private_folder state = { .fd = -1 }, all = { .fd = -1 };
	time_t now = time(NULL);
	struct tm utc;
	char stamp[32], name[RUN_NAME_MOST];
	bool good;

	gmtime_r(&now, &utc);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
	snprintf(name, sizeof name, "%s-%ld", stamp, (long)getpid());
	good = private_folder_open_state(&state, true, err) == PRIVATE_OPEN &&
	       private_folder_open_in(&all, &state, FOLDER, true, err) == PRIVATE_OPEN &&
	       private_folder_open_in(&p->folder, &all, name, true, err) == PRIVATE_OPEN;
	if (good)
		probe_make_room(&all);
	private_folder_close(&all);
	private_folder_close(&state);
	return good;
}

bool probe_open_folder(struct probe *p, const char *path, struct error *err)
{
	if (!path && !setup_keeps(p->setup))
		return error_set(err, "the settings keep nothing (history = no): name a folder for the tapes with -o FOLDER");
	return path ? probe_open_given(p, path, err) : probe_open_new(p, err);
}
