#include "base/os/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const bool process_adopts = false;

static char program[PATH_MAX];

/* The first of PATH that can be run, as the shell has found it. */
static void find_in_path(const char *name)
{
	const char *places = getenv("PATH"), *end;
	char path[PATH_MAX];

	for (; places && !*program; places = *end ? end + 1 : NULL) {
		end = places + strcspn(places, ":");
		int len = snprintf(path, sizeof path, "%.*s/%s", (int)(end - places), places, name);
		if (len > 0 && len < PATH_MAX && access(path, X_OK) == 0 && !realpath(path, program))
			*program = '\0';
	}
}

void process_started_as(const char *name)
{
	*program = '\0';
	if (!name)
		return;
	if (!strchr(name, '/'))
		find_in_path(name);
	else if (!realpath(name, program))
		*program = '\0';
}

const char *process_program(void)
{
	return program;
}

bool process_program_path(char path[PATH_MAX])
{
	memcpy(path, program, sizeof program);
	errno = ENOENT;
	return *program != '\0';
}

void process_hide(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}

bool process_end_with_parent(int signal)
{
	(void)signal;
	return false;
}

void process_adopt(void)
{
}

void process_signal_children(int signal)
{
	(void)signal;
}

int process_descriptor(pid_t process)
{
	(void)process;
	return -1;
}
