#include "support/home.h"

#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/mem.h"

#define MEMORY_LEAST ((uint64_t)1 << 30) /* bytes that are free: all suites of a layer have homes at once */

/* In memory, where a flush to the disk takes no time, if there is room and programs may run there. */
static const char *home_root(void)
{
	struct statvfs facts;

	if (statvfs("/dev/shm", &facts) == 0 && !(facts.f_flag & ST_NOEXEC) && (uint64_t)facts.f_bavail * facts.f_frsize >= MEMORY_LEAST)
		return "/dev/shm";
	return "/tmp";
}

char *home_new(void)
{
	char path[64];

	snprintf(path, sizeof path, "%s/weir-test-XXXXXX", home_root());
	if (!mkdtemp(path))
		abort();
	return mem_dup_z(path);
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
	(void)facts, (void)kind, (void)place;
	return remove(path);
}

void home_free(char *home)
{
	if (home)
		nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	mem_free(home);
}

const char *home_path(const char *home, const char *name)
{
	static char path[1024];

	snprintf(path, sizeof path, "%s/%s", home, name);
	return path;
}

const char *home_write(const char *home, const char *name, const char *text)
{
	char folder[1024];

	snprintf(folder, sizeof folder, "%s", home_path(home, name));
	for (char *slash = folder + strlen(home) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = 0;
		mkdir(folder, 0700);
	}
	const char *path = home_path(home, name);
	bool is_new = access(path, F_OK) != 0;
	FILE *file = fopen(path, "w");
	if (!file || (is_new && fchmod(fileno(file), 0644) != 0) || fputs(text, file) < 0 || fclose(file))
		abort();
	return path;
}

bool home_has(const char *home, const char *name)
{
	return access(home_path(home, name), F_OK) == 0;
}

static const char *variable_begun;
static char *value_before;

char *home_begin(const char *variable)
{
	char *home = home_new();

	variable_begun = variable;
	value_before = mem_dup_z(getenv(variable));
	setenv(variable, home, 1);
	return home;
}

void home_end(char *home)
{
	if (value_before)
		setenv(variable_begun, value_before, 1);
	else
		unsetenv(variable_begun);
	mem_free(value_before);
	home_free(home);
}
