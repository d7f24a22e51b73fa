#include "support/turned.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/preload.h"

struct turned {
	char path[64];
	const char *variables[3];
	_Atomic int64_t *ahead_ms; /* shared with the program; NULL: no library */
	int fd;
};

struct turned *turned_new(void)
{
	struct turned *t = mem_new(sizeof *t);
	const char *preload = preload_variable("turned");

	t->fd = -1;
	if (!preload)
		return t;
	t->fd = memfd_create("clock", MFD_CLOEXEC);
	if (t->fd < 0 || ftruncate(t->fd, sizeof *t->ahead_ms) != 0)
		abort();
	t->ahead_ms = mmap(NULL, sizeof *t->ahead_ms, PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, 0);
	if (t->ahead_ms == MAP_FAILED)
		abort();
	snprintf(t->path, sizeof t->path, "WEIR_CLOCK=/proc/%d/fd/%d", (int)getpid(), t->fd);
	t->variables[0] = preload;
	t->variables[1] = t->path;
	return t;
}

void turned_free(struct turned *t)
{
	if (!t)
		return;
	if (t->ahead_ms)
		munmap(t->ahead_ms, sizeof *t->ahead_ms);
	if (t->fd >= 0)
		close(t->fd);
	mem_free(t);
}

const char *const *turned_variables(const struct turned *t)
{
	return t->variables;
}

void turned_by(struct turned *t, int64_t ms)
{
	if (t->ahead_ms)
		*t->ahead_ms += ms;
	else
		poll(NULL, 0, (int)ms);
}

const char *const *turned_skipping(void)
{
	static const char *variables[3];

	variables[0] = preload_variable("turned");
	variables[1] = variables[0] ? "WEIR_CLOCK=skip" : NULL;
	return variables;
}
