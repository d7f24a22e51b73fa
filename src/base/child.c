#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os/descriptor.h"
#include "base/os/process.h"
#include "base/os/spawn.h"

#define LOOK_MS 20 /* polling interval where no descriptor reports a child's end */

extern char **environ;

static void add_file(posix_spawn_file_actions_t *files, int descriptor, int from, int flags)
{
	if (from)
		posix_spawn_file_actions_adddup2(files, from, descriptor);
	else
		posix_spawn_file_actions_addopen(files, descriptor, "/dev/null", flags, 0);
}

static void add_places(posix_spawn_file_actions_t *files, const struct child_options *options)
{
	if (options->place == CHILD_APART || options->place == CHILD_CAPTURED) {
		add_file(files, STDIN_FILENO, options->input, O_RDONLY);
		add_file(files, STDOUT_FILENO, options->output, O_WRONLY);
		add_file(files, STDERR_FILENO, options->place == CHILD_CAPTURED ? options->output : options->errors, O_WRONLY);
		if (options->report)
			posix_spawn_file_actions_adddup2(files, options->report, CHILD_REPORT);
		return;
	}
	if (options->place == CHILD_AS_PAGER) {
		add_file(files, STDIN_FILENO, options->input, O_RDONLY);
		return;
	}
	posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/tty", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(files, STDIN_FILENO, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(files, STDIN_FILENO, STDERR_FILENO);
}

/* Our environment with one variable replaced. The caller frees the list; its strings are borrowed. */
static char **environment_with(const char *variable)
{
	size_t count = 0, kept = 0;
	char **list;

	while (environ[count])
		count++;
	list = mem_resize(NULL, count + 2, sizeof *list);
	for (size_t i = 0; i < count; i++)
		if (!variable || strncmp(environ[i], variable, strcspn(variable, "=") + 1))
			list[kept++] = environ[i];
	if (variable)
		list[kept++] = (char *)(uintptr_t)variable;
	list[kept] = NULL;
	return list;
}

int child_start(struct child *child, const char *const *argv, const struct child_options *options)
{
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	char **variables = options->environment ? NULL : environment_with(options->variable);
	int failure;

	*child = (struct child){ 0, -1 };
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	add_places(&files, options);
	/* Libraries open descriptors without FD_CLOEXEC. An inherited one would keep a connection open as long as the child runs. */
	spawn_close_from(&files, options->report ? CHILD_REPORT + 1 : STDERR_FILENO + 1);
	if (options->place == CHILD_APART)
		flags |= POSIX_SPAWN_SETPGROUP;
	if (options->place == CHILD_CAPTURED)
		flags |= SPAWN_SESSION;
	posix_spawnattr_setflags(&attributes, flags);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	failure = posix_spawnp(&child->pid, argv[0], &files, &attributes, (char *const *)argv,
	                       variables ? variables : (char *const *)options->environment);
	mem_free(variables);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	if (failure)
		child->pid = 0;
	else
		child->fd = process_descriptor(child->pid);
	return failure;
}

static int file_of(int descriptor, int flags)
{
	return descriptor ? descriptor : open("/dev/null", flags | O_CLOEXEC);
}

/* In the copy. */
static void child_take_places(const struct child_options *options)
{
	setpgid(0, 0);
	dup2(file_of(options->input, O_RDONLY), STDIN_FILENO);
	dup2(file_of(options->output, O_WRONLY), STDOUT_FILENO);
	dup2(file_of(options->errors, O_WRONLY), STDERR_FILENO);
	if (options->report)
		dup2(options->report, CHILD_REPORT);
	descriptors_close(options->report ? CHILD_REPORT + 1 : STDERR_FILENO + 1);
	if (options->environment)
		environ = (char **)(uintptr_t)options->environment;
}

int child_fork(struct child *child, void (*run)(void *ctx), void *ctx, const struct child_options *options)
{
	sigset_t all, before;

	*child = (struct child){ 0, -1 };
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* a handler of ours must not run in the copy */
	pid_t pid = fork();
	if (pid == 0) {
		child_take_places(options);
		run(ctx);
		_exit(EXIT_FAILURE);
	}
	int failure = pid < 0 ? errno : 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failure)
		return failure;
	setpgid(pid, pid); /* both do, so that it is a group whoever comes first */
	*child = (struct child){ pid, process_descriptor(pid) };
	return 0;
}

void child_leave(struct child *child)
{
	if (child->pid && child->fd >= 0)
		process_descriptor_close(child->fd);
	*child = (struct child){ 0, -1 };
}

bool child_has_ended(struct child *child, struct child_end *end)
{
	int status = 0;

	if (child->fd >= 0)
		process_descriptor_look(child->fd); /* before it is asked for: who ends later makes it readable again */
	pid_t ended = waitpid(child->pid, &status, WNOHANG);
	if (ended != child->pid && !(ended < 0 && errno == ECHILD))
		return false;
	*end = (struct child_end){ 0, 0 };
	if (ended > 0 && WIFSIGNALED(status))
		end->signal = WTERMSIG(status);
	else if (ended > 0)
		end->status = WEXITSTATUS(status);
	child_leave(child);
	return true;
}

void child_kill(struct child *child)
{
	if (!child->pid)
		return;
	kill(-child->pid, SIGKILL);
	while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
		;
	child_leave(child);
}

size_t child_fds(const struct child *child, struct pollfd *fds)
{
	if (!child->pid || child->fd < 0)
		return 0;
	fds[0] = (struct pollfd){ .fd = child->fd, .events = POLLIN };
	return 1;
}

int64_t child_deadline(const struct child *child, int64_t now_ms)
{
	return child->pid && child->fd < 0 ? now_ms + LOOK_MS : INT64_MAX;
}

/* --- words --- */

bool child_needs_shell(const char *command)
{
	return strpbrk(command, " \t\n\"'\\$&;|<>()`*?[]{}#~!") != NULL;
}

/*
 * Splits `text` in place into NUL-terminated words. Double quotes group; as in a `shell`, single quotes and the backslash do too. False when a
 * quote is not closed.
 */
static bool child_split(char *text, char **argv, bool shell)
{
	char *to = text;

	while (*text) {
		char quote = 0;

		while (char_is_blank(*text))
			text++;
		if (!*text)
			break;
		*argv++ = to;
		for (; *text && (quote || !char_is_blank(*text)); text++) {
			if (shell && *text == '\\' && quote != '\'' && text[1] && (!quote || text[1] == '"' || text[1] == '\\'))
				*to++ = *++text;
			else if (*text == quote)
				quote = 0;
			else if (!quote && (*text == '"' || (shell && *text == '\'')))
				quote = *text;
			else
				*to++ = *text;
		}
		if (quote)
			return false;
		if (*text)
			text++;
		*to++ = '\0';
	}
	*argv = NULL;
	return true;
}

static char **child_split_copy(struct str command, bool shell, struct error *err)
{
	size_t most = command.len / 2 + 2;
	char **argv = mem_new(most * sizeof *argv + command.len + 1);
	char *text = (char *)(argv + most);
	bool closed;

	if (command.len)
		memcpy(text, command.ptr, command.len);
	closed = child_split(text, argv, shell);
	if (closed && argv[0])
		return argv;
	error_set(err, closed ? "it is empty" : shell ? "a quote is not closed" : "a double quote is not closed");
	mem_free(argv);
	return NULL;
}

char **child_words(struct str command, struct error *err)
{
	return child_split_copy(command, false, err);
}

char **child_shell_words(struct str command, struct error *err)
{
	return child_split_copy(command, true, err);
}

int child_start_line(struct child *child, struct str command, const char *last, const struct child_options *options)
{
	char **words = child_words(command, NULL);
	size_t count = 0;

	while (words && words[count])
		count++;
	const char **argv = mem_resize(NULL, count + 2, sizeof *argv);
	for (size_t i = 0; i < count; i++)
		argv[i] = words[i];
	argv[count] = last;
	argv[count + 1] = NULL;
	int failure = words ? child_start(child, argv, options) : EINVAL;
	mem_free(argv);
	mem_free(words);
	return failure;
}
