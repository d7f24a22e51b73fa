#include "app/system/supervised.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/system/supervisor.h"
#include "base/array.h"
#include "base/mem.h"
#include "base/os/descriptor.h"

#define LEAVE_MS 2000    /* how long the end is waited for, when the program ends */
#define OVERDUE_MS 3000  /* beyond the grace: the supervisor itself does not run */

/* --- start --- */

static const char *const short_list[] = { "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LOGNAME",
	"PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER" };

/* Adds "NAME=value" to the list if the variable is set. */
static size_t add_variable(char **list, size_t count, const char *name)
{
	const char *value = getenv(name);
	struct buf text = { 0 };

	if (!value)
		return count;
	buf_printf(&text, "%s=%s", name, value);
	list[count] = buf_take(&text);
	return count + 1;
}

static char **environment_make(const char *const *names)
{
	size_t most = ARRAY_LEN(short_list), count = 0;

	for (size_t i = 0; names && names[i]; i++)
		most++;
	char **list = mem_new((most + 1) * sizeof *list);
	for (size_t i = 0; i < ARRAY_LEN(short_list); i++)
		count = add_variable(list, count, short_list[i]);
	for (size_t i = 0; names && names[i]; i++)
		count = add_variable(list, count, names[i]);
	return list;
}

static void environment_free(char **list)
{
	for (size_t i = 0; list[i]; i++)
		mem_free(list[i]);
	mem_free(list);
}

static void close_end(int *fd)
{
	if (*fd)
		close(*fd);
	*fd = 0;
}

bool supervised_start(struct supervised *s, const struct supervised_options *options, const struct supervised_sink *sink, struct error *err)
{
	int pipes[4][2], made = 0, failure = 0;

	*s = (struct supervised){ .sink = *sink, .child.fd = -1 };
	while (made < 4 && descriptor_pipe(pipes[made]))
		made++;
	if (made < 4)
		failure = errno;
	if (!failure) {
		char **variables = environment_make(options->variables);
		struct supervisor_work work = { .owner = getpid(), .grace_ms = options->grace_ms ? options->grace_ms : SUPERVISED_GRACE_MS,
		                                .folder = options->folder, .argv = options->argv };

		failure = child_fork(&s->child, supervisor_run, &work, &(struct child_options){
			.input = pipes[0][0], .output = pipes[1][1], .errors = pipes[2][1], .report = pipes[3][1],
			.environment = (const char *const *)variables,
		});
		environment_free(variables);
	}
	for (int i = 0; i < made; i++) {
		int ours = i == 0;

		close(pipes[i][!ours]);
		if (failure)
			close(pipes[i][ours]);
		else
			fcntl(pipes[i][ours], F_SETFL, O_NONBLOCK);
	}
	if (failure)
		return error_set(err, "%s cannot be started: %s", options->argv[0], strerror(failure));
	s->in = pipes[0][1];
	s->out = pipes[1][0];
	s->errors = pipes[2][0];
	s->report = pipes[3][0];
	s->runs = true;
	buf_init(&s->input, SUPERVISED_INPUT_MOST);
	return true;
}

/* --- its input --- */

static void supervised_send(struct supervised *s)
{
	while (s->in && s->input.len) {
		ssize_t n = write(s->in, s->input.ptr, s->input.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0) {
			buf_clear(&s->input);
			close_end(&s->in); /* it reads no more; its end, if that is the reason, is told by itself */
			return;
		}
		buf_drop(&s->input, (size_t)n);
	}
	if (s->input_ends)
		close_end(&s->in);
}

bool supervised_write(struct supervised *s, struct str bytes)
{
	if (!s->in || s->input_ends || !buf_add(&s->input, bytes))
		return false;
	supervised_send(s);
	return true;
}

void supervised_end_input(struct supervised *s)
{
	s->input_ends = true;
	supervised_send(s);
}

/* --- its output --- */

/* Reads once. Returns the number of bytes handed on; -1: the pipe is empty for now, or closed. */
static ssize_t supervised_read(struct supervised *s, int *fd, void (*take)(void *ctx, struct str bytes))
{
	char bytes[SUPERVISED_PASS];
	ssize_t n = *fd ? read(*fd, bytes, sizeof bytes) : -1;

	if (!*fd || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return -1;
	if (n <= 0)
		close_end(fd);
	take(s->sink.ctx, str_of(bytes, n > 0 ? (size_t)n : 0));
	return n > 0 ? n : -1;
}

static void supervised_read_report(struct supervised *s)
{
	int failure = 0;
	ssize_t n = s->report ? read(s->report, &failure, sizeof failure) : -1;

	if (!s->report || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	if (n == sizeof failure)
		s->failure = failure;
	close_end(&s->report);
}

/* --- its end --- */

static void supervised_forget(struct supervised *s)
{
	close_end(&s->in);
	close_end(&s->out);
	close_end(&s->errors);
	close_end(&s->report);
	child_leave(&s->child);
	buf_fini(&s->input);
	s->runs = false;
}

void supervised_stop(struct supervised *s)
{
	if (!s->runs || !s->child.pid)
		return;
	kill(s->child.pid, s->stopping ? SIGHUP : SIGTERM);
	if (!s->stopping)
		s->kill_ms = clock_now_ms() + SUPERVISED_GRACE_MS + OVERDUE_MS;
	s->stopping = true;
}

void supervised_fini(struct supervised *s)
{
	struct child_end end;
	struct pollfd fd;
	int left_ms = LEAVE_MS;

	if (s->runs && s->child.pid) {
		kill(s->child.pid, SIGHUP);
		while (!child_has_ended(&s->child, &end) && left_ms > 0) {
			size_t count = child_fds(&s->child, &fd);

			poll(&fd, count, 5);
			left_ms -= 5;
		}
		child_kill(&s->child);
	}
	supervised_forget(s);
}

static void supervised_finish(struct supervised *s, struct child_end end)
{
	unsigned left = 32; /* reads: more than pipes may hold, unless root has made them larger */

	/* Nobody is left who would write; who got an end of a pipe from it by other means is not waited for. */
	while (left && supervised_read(s, &s->out, s->sink.output) > 0)
		left--;
	while (left && supervised_read(s, &s->errors, s->sink.errors) > 0)
		left--;
	supervised_read_report(s);
	supervised_forget(s);
	s->sink.ended(s->sink.ctx, s->failure, end);
}

/* --- the loop --- */

size_t supervised_fds(const struct supervised *s, struct pollfd *fds, size_t room)
{
	const struct { int fd; short events; } waited[] = {
		{ s->input.len ? s->in : 0, POLLOUT }, { s->out, POLLIN }, { s->errors, POLLIN }, { s->report, POLLIN },
	};
	size_t count = 0;

	if (!s->runs || room < SUPERVISED_FDS)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(waited); i++)
		if (waited[i].fd)
			fds[count++] = (struct pollfd){ .fd = waited[i].fd, .events = waited[i].events };
	return count + child_fds(&s->child, fds + count);
}

int64_t supervised_deadline(const struct supervised *s, int64_t now_ms)
{
	int64_t look_ms = child_deadline(&s->child, now_ms);

	if (!s->runs)
		return NO_DEADLINE;
	return s->stopping && s->kill_ms < look_ms ? s->kill_ms : look_ms;
}

static bool is_ready(int fd, const struct pollfd *fds, size_t count)
{
	while (count && (fds->fd != fd || !fds->revents)) {
		fds++;
		count--;
	}
	return fd > 0 && count;
}

void supervised_run(struct supervised *s, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	bool looks = s->child.fd < 0 || is_ready(s->child.fd, fds, count);
	struct child_end end;

	if (!s->runs)
		return;
	if (s->stopping && now_ms >= s->kill_ms)
		kill(s->child.pid, SIGKILL);
	if (is_ready(s->in, fds, count))
		supervised_send(s);
	if (is_ready(s->report, fds, count))
		supervised_read_report(s);
	if (is_ready(s->errors, fds, count))
		supervised_read(s, &s->errors, s->sink.errors);
	if (is_ready(s->out, fds, count))
		supervised_read(s, &s->out, s->sink.output);
	if (looks && child_has_ended(&s->child, &end))
		supervised_finish(s, end);
}

void supervised_write_end(struct child_end end, struct buf *out)
{
	if (end.signal)
		buf_printf(out, "signal %d ended it", end.signal);
	else if (end.status)
		buf_printf(out, "it ended with status %d", end.status);
	else
		buf_add_z(out, "it ended");
}
