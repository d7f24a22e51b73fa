#include "app/outside.h"

#include <signal.h>
#include <string.h>

#include "base/child.h"
#include "base/mem.h"

#define COMMAND_LIMIT ((size_t)64 << 10)
#define SHELL_SIGNS " \t\n\"'\\$&;|<>()`*?[]{}#~!"

struct outside {
	struct child child;
	struct sigaction quit_before;
};

bool outside_start(struct outside **result, const char *command, const char *path, const char *variable, struct error *err)
{
	struct outside *o = mem_new(sizeof *o);
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct child_options options = { .place = CHILD_ON_TERMINAL, .variable = variable };
	struct buf line;
	int failure;

	buf_init(&line, COMMAND_LIMIT);
	buf_printf(&line, "%s \"$1\"", command);
	if (strpbrk(command, SHELL_SIGNS))
		failure = child_start(&o->child, (const char *const[]){ "/bin/sh", "-c", buf_z(&line), "sh", path, NULL }, &options);
	else
		failure = child_start(&o->child, (const char *const[]){ command, path, NULL }, &options);
	buf_fini(&line);
	*result = o;
	if (failure) {
		mem_free(o);
		*result = NULL;
		return error_set(err, "cannot start %s: %s", command, strerror(failure));
	}
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGQUIT, &ignore, &o->quit_before);
	return true;
}

bool outside_has_ended(struct outside *o, int *status)
{
	struct child_end end;

	if (!child_has_ended(&o->child, &end))
		return false;
	*status = end.signal ? 128 + end.signal : end.status;
	return true;
}

void outside_free(struct outside *o)
{
	if (!o)
		return;
	if (o->child.pid)
		kill(o->child.pid, SIGTERM);
	child_forget(&o->child);
	sigaction(SIGQUIT, &o->quit_before, NULL);
	mem_free(o);
}

size_t outside_fds(const struct outside *o, struct pollfd *fds)
{
	return child_fds(&o->child, fds);
}

int64_t outside_deadline(const struct outside *o, int64_t now_ms)
{
	return child_deadline(&o->child, now_ms);
}
