#include "support/environment.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/preload.h"

#define FILES_MOST 1024
#define STANDARD_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* --- variables --- */

/* Variables that control tests and are not passed to the program. */
static const char *const ours[] = {
	"WEIR", "WEIR_DAMAGES", "WEIR_GOLDEN_WRITE", "WEIR_JOBS", "WEIR_KILLS", "WEIR_SDK", "WEIR_STREAMS", "WEIR_SWEEP", "WEIR_TURNS", "WEIR_WATCH", "SOAK_SECONDS",
};
#define OURS (sizeof ours / sizeof *ours)

static const char *const of_machine[] = { "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH" };
#define OF_MACHINE (sizeof of_machine / sizeof *of_machine)

static void clean_variables(void)
{
	char *values[OURS + OF_MACHINE];

	for (size_t i = 0; i < OURS + OF_MACHINE; i++) {
		const char *value = getenv(i < OURS ? ours[i] : of_machine[i - OURS]);

		values[i] = value ? strdup(value) : NULL;
	}
	clearenv();
	for (size_t i = 0; i < OURS + OF_MACHINE; i++) {
		if (values[i])
			setenv(i < OURS ? ours[i] : of_machine[i - OURS], values[i], 1);
		free(values[i]);
	}
	setenv("HOME", "/proc/nonexistent", 1); /* not even root can create it */
	setenv("LANG", "C.UTF-8", 1);
	setenv("PATH", STANDARD_PATH, 1);
	setenv("TERM", "xterm-256color", 1);
	setenv("TZ", "UTC", 1);
}

/* Several libraries can be preloaded. */
static void add_variable(const char *variable)
{
	const char *earlier = strncmp(variable, "LD_PRELOAD=", 11) ? NULL : getenv("LD_PRELOAD");
	char both[1200];

	snprintf(both, sizeof both, "%s:%s", variable, earlier ? earlier : "");
	putenv(strdup(earlier ? both : variable));
}

void environment_of_child(const char *home, const char *const *more)
{
	for (size_t i = 0; i < OURS; i++)
		unsetenv(ours[i]);
	setenv("HOME", home, 1);
	for (; more && *more; more++)
		if (strchr(*more, '='))
			add_variable(*more);
}

static bool has_name(const char *variable, const char *name, size_t length)
{
	return !strncmp(variable, name, length) && variable[length] == '=';
}

static bool is_set_later(const char *variable, const char *const *more)
{
	size_t length = strcspn(variable, "=");

	for (; more && *more; more++)
		if (has_name(*more, variable, length))
			return true;
	return false;
}

static bool is_ours(const char *variable)
{
	for (size_t i = 0; i < OURS; i++)
		if (has_name(variable, ours[i], strlen(ours[i])))
			return true;
	return has_name(variable, "HOME", 4);
}

/* What the dynamic linker, the C library's memory and its messages read before main(). Every waiting program has the clock (ready.h). */
static bool is_for_loading(const char *variable)
{
	static const char *const begins[] = { "LD_", "GLIBC_", "MALLOC_", "LOCPATH=" };
	const char *turned = preload_variable("turned");

	if (turned && !strcmp(variable, turned))
		return false;
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (!strncmp(variable, begins[i], strlen(begins[i])))
			return true;
	return false;
}

bool environment_list_of_child(const char *home, const char *const *more, const char **list, size_t most)
{
	static char of_home[1100];
	size_t count = 0;

	snprintf(of_home, sizeof of_home, "HOME=%s", home);
	for (char **found = environ; *found && count < most; found++)
		if (!is_ours(*found) && !is_set_later(*found, more))
			list[count++] = *found;
	if (!is_set_later(of_home, more) && count < most)
		list[count++] = of_home;
	for (; more && *more; more++) {
		if (is_for_loading(*more) || count == most)
			return false;
		if (strchr(*more, '=') && !is_set_later(*more, more + 1))
			list[count++] = *more;
	}
	list[count] = NULL;
	return true;
}

size_t environment_append(const char **list, size_t count, size_t most, const char *const *more)
{
	for (; more && *more && count + 1 < most; more++)
		list[count++] = *more;
	list[count] = NULL;
	return count;
}

/* --- the process --- */

static void clean_signals(void)
{
	struct sigaction found;
	sigset_t none;

	for (int number = 1; number < NSIG; number++) /* a signal with a handler is a sanitizer's */
		if (sigaction(number, NULL, &found) == 0 && !(found.sa_flags & SA_SIGINFO) && found.sa_handler == SIG_IGN)
			signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void clean_limits(void)
{
	struct rlimit files;

	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max < FILES_MOST ? files.rlim_max : FILES_MOST;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

/* A session leader that gives up its terminal receives a SIGHUP. */
static void leave_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	signal(SIGHUP, SIG_IGN);
	ioctl(fd, TIOCNOTTY);
	signal(SIGHUP, SIG_DFL);
	close(fd);
}

static void clean_descriptors(void)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			dup2(null, fd);
	close_range(STDERR_FILENO + 1, ~0U, 0);
}

void environment_clean(void)
{
	clean_variables();
	clean_signals();
	clean_limits();
	leave_terminal();
	clean_descriptors();
	umask(022);
}
