#include "app/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/stored.h"
#include "base/mem.h"
#include "support/check.h"
#include "support/environment.h"
#include "support/home.h"
#include "support/ready.h"
#include "support/turned.h"

#define ARGS_MAX 48
#define TURN_MS 250
#define OUTPUT_LIMIT ((size_t)64 << 20)

/* --- the folder --- */

static char *folder;
static char *names[64];
static size_t name_count;

const char *folder_path(void)
{
	if (!folder)
		folder = home_new();
	return folder;
}

const char *folder_file(const char *name, const char *content)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder_path(), name);
	if (content) {
		file = fopen(path, "w");
		if (!file || fputs(content, file) < 0 || fclose(file))
			abort();
	}
	if (name_count == sizeof names / sizeof names[0])
		abort();
	return names[name_count++] = mem_dup_z(path);
}

void folder_remove(void)
{
	home_free(folder);
	folder = NULL;
	while (name_count)
		mem_free(names[--name_count]);
}

/* --- starting --- */

static const char *program_path(void)
{
	const char *path = getenv("WEIR");

	return path && *path ? path : "build/weir";
}

/* In the child; never returns. */
static void become(const char *const *argv, const char *const *env, const int fds[3])
{
	for (int i = 0; i < 3; i++)
		dup2(fds[i], i);
	signal(SIGPIPE, SIG_DFL);
	environment_of_child(folder_path(), env);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	fprintf(stderr, "cannot start %s: %s\n", argv[0], strerror(errno));
	_exit(126);
}

/* A program that keeps a conversation finds an empty history: it would create it with another process, which takes longer than most tests. */
static void prepare(const char *const *args)
{
	bool keeps = *args && !strcmp(*args, "ask");

	for (; *args; args++)
		keeps &= strcmp(*args, "--no-history") != 0;
	if (keeps)
		stored_prepare(folder_path());
}

static void spawn(struct program *p, const char *script, const char *const *args, const char *const *env, const int fds[3])
{
	const char *argv[ARGS_MAX] = { script ? "/bin/sh" : program_path(), "-c", script, program_path() }, *more[ARGS_MAX];

	environment_append(argv, script ? 4 : 1, ARGS_MAX, args);
	environment_append(more, environment_append(more, 0, ARGS_MAX, ARGS("LC_ALL=C.UTF-8", "TERM=xterm")), ARGS_MAX, env);
	prepare(args);
	folder_path(); /* created in this process, because it is removed in this process */
	p->pid = script ? 0 : ready_start(argv[0], argv, folder_path(), more, fds, 3);
	if (!p->pid && (p->pid = fork()) == 0)
		become(argv, more, fds);
	if (p->pid < 0)
		abort();
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

static void open_pipe(int *ours, int *theirs, bool we_write)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		abort();
	*ours = ends[we_write];
	*theirs = ends[!we_write];
}

static void start(struct program *p, const char *script, const char *const *args, const char *const *env, bool on_terminal)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	int fds[3];

	*p = (struct program){ .status = -1 };
	buf_init(&p->output, OUTPUT_LIMIT);
	buf_init(&p->errors, OUTPUT_LIMIT);
	signal(SIGPIPE, SIG_IGN);
	open_pipe(&p->in, &fds[0], true);
	open_pipe(&p->err, &fds[2], false);
	if (!on_terminal)
		open_pipe(&p->out, &fds[1], false);
	else if (openpty(&p->out, &fds[1], NULL, NULL, &size) || fcntl(p->out, F_SETFD, FD_CLOEXEC) || fcntl(fds[1], F_SETFD, FD_CLOEXEC))
		abort();
	spawn(p, script, args, env, fds);
}

void program_start(struct program *p, const char *const *args, const char *const *env)
{
	start(p, NULL, args, env, false);
}

void program_start_script(struct program *p, const char *script, const char *const *args, const char *const *env)
{
	start(p, script, args, env, false);
}

void program_start_on_terminal(struct program *p, const char *const *args, const char *const *env)
{
	start(p, NULL, args, env, true);
}

/* --- talking --- */

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void program_send(struct program *p, struct str input)
{
	while (input.len) {
		ssize_t n = write(p->in, input.ptr, input.len);

		if (n < 0)
			return;
		input = str_skip(input, (size_t)n);
	}
}

void program_end_input(struct program *p)
{
	close_end(&p->in);
}

void program_leave_output(struct program *p)
{
	close_end(&p->out);
}

/* Reading a terminal whose other end is closed fails with EIO. */
static void read_end(int *fd, struct buf *into)
{
	char bytes[65536];
	ssize_t n = read(*fd, bytes, sizeof bytes);

	if (n > 0)
		buf_add(into, str_of(bytes, (size_t)n));
	else
		close_end(fd);
}

/* Reads the next bytes; false if both ends are closed or the time is over. */
static bool read_some(struct program *p, int64_t until_ms)
{
	struct pollfd fds[2] = { { .fd = p->out, .events = POLLIN }, { .fd = p->err, .events = POLLIN } };

	if ((p->out < 0 && p->err < 0) || check_now_ms() > until_ms)
		return false;
	if (poll(fds, 2, p->turning ? 10 : 1000) <= 0) {
		if (p->turning)
			turned_by(p->turning, TURN_MS);
		return true;
	}
	if (fds[0].revents)
		read_end(&p->out, &p->output);
	if (fds[1].revents)
		read_end(&p->err, &p->errors);
	return true;
}

static bool await(struct program *p, const struct buf *where, const char *text)
{
	int64_t until_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (str_find(buf_str(where), str_from(text)) == where->len)
		if (!read_some(p, until_ms))
			return false;
	return true;
}

bool program_await_output(struct program *p, const char *text)
{
	return await(p, &p->output, text);
}

bool program_await_errors(struct program *p, const char *text)
{
	return await(p, &p->errors, text);
}

/* Waits for the exit of a program that has closed its output. */
static void reap(struct program *p, int64_t until_ms)
{
	int how;

	while (waitpid(p->pid, &how, WNOHANG) == 0) {
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
		if (check_now_ms() > until_ms)
			kill(p->pid, SIGKILL);
	}
	p->pid = 0;
	p->status = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

int program_wait(struct program *p)
{
	int64_t until_ms = check_now_ms() + CHECK_PATIENCE_MS;

	program_end_input(p);
	while (read_some(p, until_ms))
		;
	reap(p, until_ms);
	return p->status;
}

void program_free(struct program *p)
{
	if (p->pid > 0) {
		kill(p->pid, SIGKILL);
		reap(p, check_now_ms() + CHECK_PATIENCE_MS);
	}
	close_end(&p->in);
	close_end(&p->out);
	close_end(&p->err);
	buf_fini(&p->output);
	buf_fini(&p->errors);
}

int program_run(struct program *p, struct str input, const char *const *args, const char *const *env)
{
	program_start(p, args, env);
	program_send(p, input);
	return program_wait(p);
}

void program_serve(struct program *p, char url[64], const char *const *files)
{
	const char *args[ARGS_MAX] = { "serve" };
	struct str line;

	environment_append(args, 1, ARGS_MAX, files);
	program_start(p, args, NULL);
	url[0] = '\0';
	if (!program_await_output(p, "\n")) {
		printf("serve: %s\n", buf_z(&p->errors));
		return;
	}
	line = str_trim(buf_str(&p->output));
	snprintf(url, 64, "%.*s", STR_ARG(line));
}

const char *mcp_server_path(void)
{
	static char path[600];
	const char *weir = getenv("WEIR") ? getenv("WEIR") : "build/weir";
	const char *slash = strrchr(weir, '/');
	char where[300];

	snprintf(where, sizeof where, "%.*s", slash ? (int)(slash - weir) : 1, slash ? weir : ".");
	char *full = realpath(where, NULL);
	snprintf(path, sizeof path, "%s/tests/mcp_server", full ? full : where);
	free(full);
	return path;
}
