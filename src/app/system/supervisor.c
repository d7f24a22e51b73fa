#include "app/system/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/os/process.h"
#include "net/source.h"

#define COULD_NOT_START 127
#define LOOK_MS 100         /* between two looks whether the parent is there */
#define SIGNALS_MOST 128    /* more than any system has; a number that none has is refused */

struct supervisor {
	pid_t program;          /* 0: it has ended, with `status` */
	pid_t group;
	int status;
	int64_t grace_ms;
	int64_t kill_ms;        /* when all are killed; NO_DEADLINE: not asked to end */
	pid_t watched;          /* the parent, whose end the kernel does not tell; 0: it does */
};

/* --- the program --- */

static int supervisor_report(int failure)
{
	ssize_t ignored = write(CHILD_REPORT, &failure, sizeof failure); /* who started us may be gone */

	(void)ignored;
	return COULD_NOT_START;
}

/* In the new process: becomes the program. */
static _Noreturn void supervisor_become(const struct supervisor_work *work, pid_t supervisor)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	setsid(); /* without a terminal */
	(void)process_end_with_parent(SIGKILL);
	if (getppid() != supervisor)
		_exit(COULD_NOT_START);
	for (int number = 1; number <= SIGNALS_MOST; number++)
		sigaction(number, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!work->folder || chdir(work->folder) == 0)
		execvp(work->argv[0], (char *const *)work->argv);
	_exit(supervisor_report(errno));
}

static bool supervisor_start(struct supervisor *s, const struct supervisor_work *work)
{
	pid_t us = getpid();

	s->program = s->group = fork();
	if (s->program == 0)
		supervisor_become(work, us);
	return s->program > 0;
}

/* --- its end, and that of all it started --- */

static void supervisor_kill_all(struct supervisor *s)
{
	kill(-s->group, SIGKILL);
	process_signal_children(SIGKILL);
}

/* True once there is no child left. */
static bool supervisor_reap(struct supervisor *s)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != s->program)
			continue;
		s->program = 0;
		s->status = status;
	}
	return pid < 0 && errno == ECHILD;
}

static void supervisor_end(struct supervisor *s)
{
	if (s->kill_ms != NO_DEADLINE)
		return;
	s->kill_ms = clock_now_ms() + s->grace_ms;
	/* Also the program itself, which has no group before it has become the program; a stopped process hears it when it goes on. */
	kill(-s->group, SIGTERM);
	process_signal_children(SIGTERM);
	kill(-s->group, SIGCONT);
}

/* The signal that came; SIGALRM also after a while. macOS and OpenBSD have no sigtimedwait(). */
static int supervisor_wait(const struct supervisor *s, const sigset_t *signals)
{
	int64_t left_ms = s->kill_ms != NO_DEADLINE ? s->kill_ms - clock_now_ms() : s->watched ? LOOK_MS : 1000;
	int came = 0;

	/* The program has ended, or is to: children of those that are killed become ours at any time. */
	if (!s->program || left_ms <= 0)
		left_ms = 5;
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = { left_ms / 1000, left_ms % 1000 * 1000 } }, NULL);
	sigwait(signals, &came);
	return came;
}

/* Ends as the program did. */
static _Noreturn void supervisor_leave(const struct supervisor *s)
{
	if (WIFSIGNALED(s->status)) {
		struct sigaction action = { .sa_handler = SIG_DFL };
		sigset_t set;

		sigaction(WTERMSIG(s->status), &action, NULL);
		sigemptyset(&set);
		sigaddset(&set, WTERMSIG(s->status));
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		raise(WTERMSIG(s->status));
	}
	_exit(WIFEXITED(s->status) ? WEXITSTATUS(s->status) : COULD_NOT_START);
}

/* The pipes are the program's alone, so that their ends are seen. */
static void supervisor_leave_pipes(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	close(CHILD_REPORT);
}

void supervisor_run(void *context)
{
	const struct supervisor_work *work = context;
	struct supervisor s = { .kill_ms = NO_DEADLINE, .grace_ms = work->grace_ms };
	sigset_t signals;

	fcntl(CHILD_REPORT, F_SETFD, FD_CLOEXEC);
	/* Who started weir may ignore them. */
	sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	sigfillset(&signals);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	s.watched = process_end_with_parent(SIGTERM) ? 0 : work->owner;
	if (getppid() != work->owner)
		_exit(COULD_NOT_START);
	process_adopt();
	if (!supervisor_start(&s, work))
		_exit(supervisor_report(errno));
	supervisor_leave_pipes();
	while (!supervisor_reap(&s)) {
		if (!s.program || s.kill_ms <= clock_now_ms())
			supervisor_kill_all(&s);
		int came = supervisor_wait(&s, &signals);
		if (came == SIGHUP)
			s.kill_ms = 0;
		else if (came == SIGTERM || (s.watched && getppid() != s.watched))
			supervisor_end(&s);
	}
	supervisor_leave(&s);
}
