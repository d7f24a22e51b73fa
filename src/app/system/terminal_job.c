#include "app/system/terminal_job.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "app/system/environment.h"
#include "base/array.h"
#include "base/child.h"
#include "base/mem.h"
#include "net/source.h"

#define LEAVING_MS 300
#define COMMAND_LIMIT ((size_t)64 << 10)

struct terminal_job {
	struct child child;
	struct sigaction quit_before;
};

const char *terminal_job_editor(void)
{
	const char *const variables[] = { "VISUAL", "EDITOR" };

	for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
		const char *value = process_environment(variables[i]);

		if (value && *value)
			return value;
	}
	return "vi";
}

bool terminal_job_start(struct terminal_job **result, const char *command, const char *path, struct error *err)
{
	struct terminal_job *o = mem_new(sizeof *o);
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct child_options options = { .place = CHILD_ON_TERMINAL };
	struct buf line;
	int failure;

	buf_init(&line, COMMAND_LIMIT);
	buf_printf(&line, "%s \"$1\"", command);
	if (child_needs_shell(command))
		failure = child_start(&o->child, (const char *const[]){ "/bin/sh", "-c", buf_z(&line), "sh", path, NULL }, &options);
	else
		failure = child_start(&o->child, (const char *const[]){ command, path, NULL }, &options);
	buf_fini(&line);
	*result = o;
	if (failure) {
		mem_free(o);
		*result = NULL;
		return error_set(err, "cannot start %s: %s", command, failure == ENXIO ? "there is no terminal" : strerror(failure));
	}
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGQUIT, &ignore, &o->quit_before);
	return true;
}

bool terminal_job_has_ended(struct terminal_job *o, int *status)
{
	struct child_end end;

	if (!child_has_ended(&o->child, &end))
		return false;
	*status = end.signal ? 128 + end.signal : end.status;
	return true;
}

/* Ends the program: if it outlived weir, it would draw over the shell. */
static void end_program(struct terminal_job *o)
{
	int64_t now_ms = clock_now_ms(), end_ms = now_ms + LEAVING_MS;
	struct child_end end;
	struct pollfd fd;

	kill(o->child.pid, SIGTERM);
	kill(o->child.pid, SIGCONT); /* a stopped process does not handle SIGTERM */
	while (!child_has_ended(&o->child, &end)) {
		int64_t look_ms = child_deadline(&o->child, now_ms), until_ms = now_ms < end_ms ? end_ms : now_ms + LEAVING_MS;

		if (now_ms >= end_ms)
			kill(o->child.pid, SIGKILL);
		poll(&fd, child_fds(&o->child, &fd), (int)((look_ms < until_ms ? look_ms : until_ms) - now_ms));
		now_ms = clock_now_ms();
	}
}

void terminal_job_free(struct terminal_job *o)
{
	if (!o)
		return;
	if (o->child.pid)
		end_program(o);
	sigaction(SIGQUIT, &o->quit_before, NULL);
	mem_free(o);
}

size_t terminal_job_fds(const struct terminal_job *o, struct pollfd *fds)
{
	return child_fds(&o->child, fds);
}

int64_t terminal_job_deadline(const struct terminal_job *o, int64_t now_ms)
{
	return child_deadline(&o->child, now_ms);
}
