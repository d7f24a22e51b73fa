#include "support/preload.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARIES_MOST 16

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

bool preload_is_sanitized(void)
{
	return SANITIZED;
}

const char *preload_variable(const char *name)
{
	static char variables[LIBRARIES_MOST][512];
	static size_t count;
	const char *program = getenv("WEIR") ? getenv("WEIR") : "build/weir", *slash = strrchr(program, '/');
	char build[256], path[PATH_MAX]; /* what realpath() needs */

	snprintf(build, sizeof build, "%.*s", slash ? (int)(slash - program) : 1, slash ? program : ".");
	if (SANITIZED || !realpath(build, path))
		return NULL;
	if (count == LIBRARIES_MOST)
		abort();
	snprintf(variables[count], sizeof *variables, "LD_PRELOAD=%.380s/tests/%.60s.so", path, name);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(variables[i], variables[count]))
			return variables[i];
	return access(strchr(variables[count], '/'), R_OK) == 0 ? variables[count++] : NULL;
}
