#include "app/outside.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

#define LOOK_MS 50           /* where no descriptor tells of a process's end */
#define COMMAND_LIMIT ((size_t)64 << 10)
#define SHELL_SIGNS " \t\n\"'\\$&;|<>()`*?[]{}#~!"

extern char **environ;

struct outside {
	pid_t pid;
	int fd;                  /* readable when the process has ended; -1: there is none */
	bool ended;
	struct sigaction quit_before;
};

static int descriptor_of(pid_t pid)
{
#ifdef SYS_pidfd_open
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
#else
	(void)pid;
	return -1;
#endif
}

/* The terminal as its input and output, whatever ours are, and no signal ignored or caught. */
static int spawn(pid_t *pid, const char *const *argv)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	static const int ours[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGCHLD, SIGCONT, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU };
	sigset_t defaults, none;
	int failure;

	sigemptyset(&defaults);
	sigemptyset(&none);
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		sigaddset(&defaults, ours[i]);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/tty", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	failure = posix_spawnp(pid, argv[0], &files, &attributes, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return failure;
}

bool outside_start(struct outside **result, const char *command, const char *path, struct error *err)
{
	struct outside *o = mem_new(sizeof *o);
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct buf line;
	int failure;

	buf_init(&line, COMMAND_LIMIT);
	buf_printf(&line, "%s \"$1\"", command);
	if (strpbrk(command, SHELL_SIGNS))
		failure = spawn(&o->pid, (const char *const[]){ "/bin/sh", "-c", buf_z(&line), "sh", path, NULL });
	else
		failure = spawn(&o->pid, (const char *const[]){ command, path, NULL });
	buf_fini(&line);
	*result = o;
	if (failure) {
		mem_free(o);
		*result = NULL;
		return error_set(err, "cannot start %s: %s", command, strerror(failure));
	}
	o->fd = descriptor_of(o->pid);
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGQUIT, &ignore, &o->quit_before);
	return true;
}

bool outside_has_ended(struct outside *o, int *status)
{
	int state = 0;

	if (waitpid(o->pid, &state, WNOHANG) != o->pid)
		return false;
	o->ended = true;
	*status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
	return true;
}

void outside_free(struct outside *o)
{
	if (!o)
		return;
	if (!o->ended)
		kill(o->pid, SIGTERM);
	if (o->fd >= 0)
		close(o->fd);
	sigaction(SIGQUIT, &o->quit_before, NULL);
	mem_free(o);
}

size_t outside_fds(const struct outside *o, struct pollfd *fds)
{
	if (o->fd < 0)
		return 0;
	fds[0] = (struct pollfd){ .fd = o->fd, .events = POLLIN };
	return 1;
}

int64_t outside_deadline(const struct outside *o, int64_t now_ms)
{
	return o->fd < 0 ? now_ms + LOOK_MS : INT64_MAX;
}
