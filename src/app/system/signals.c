#include "app/system/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/array.h"
#include "base/crash_handler.h"
#include "base/os/descriptor.h"

#define INTERRUPTS_MOST 2 /* further interrupts have no meaning of their own */

static const int handled[] = { SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGWINCH, SIGCONT, SIGPIPE, SIGXFSZ };

static struct sigaction before[ARRAY_LEN(handled)], stop_before;
static bool keeps_stop;
static int ends[2] = { -1, -1 };
static volatile sig_atomic_t terminate_came, interrupt_came, window_came, resumed_came, stop_came;

static void signals_handle(int number)
{
	int saved = errno;
	ssize_t sent;

	if (number == SIGQUIT && terminate_came == SIGQUIT)
		crash_handlers_die(number);
	switch (number) {
	case SIGINT: interrupt_came += interrupt_came < INTERRUPTS_MOST; break;
	case SIGWINCH: window_came = 1; break;
	case SIGCONT: resumed_came = 1; break;
	case SIGTSTP: stop_came = 1; break;
	default: terminate_came = number; break;
	}
	sent = write(ends[1], "", 1);
	(void)sent; /* a full pipe also wakes the loop */
	errno = saved;
}

/* Without SA_RESTART: a signal must interrupt a blocked write. */
static void signals_install(size_t which)
{
	struct sigaction action = { .sa_handler = signals_handle };

	sigemptyset(&action.sa_mask);
	/* Ignored, so that the write fails with an error that can be handled. */
	if (handled[which] == SIGPIPE || handled[which] == SIGXFSZ)
		action.sa_handler = SIG_IGN;
	sigaction(handled[which], NULL, &before[which]);
	/* Ignored by nohup: keep it so. */
	if (handled[which] == SIGHUP && before[which].sa_handler == SIG_IGN)
		return;
	sigaction(handled[which], &action, NULL);
}

int signals_open(void)
{
	if (ends[0] >= 0)
		return ends[0];
	if (!descriptor_pipe(ends))
		return -1;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	for (size_t i = 0; i < ARRAY_LEN(handled); i++)
		signals_install(i);
	return ends[0];
}

void signals_keep_stop(void)
{
	struct sigaction action = { .sa_handler = signals_handle };

	sigemptyset(&action.sa_mask);
	sigaction(SIGTSTP, NULL, &stop_before);
	keeps_stop = stop_before.sa_handler != SIG_IGN; /* ignored: the shell has no job control */
	if (keeps_stop)
		sigaction(SIGTSTP, &action, NULL);
}

static size_t signals_fds(void *listener, struct pollfd *fds, size_t room)
{
	(void)listener;
	if (!room || ends[0] < 0)
		return 0;
	fds[0] = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	return 1;
}

static void signals_run(void *listener, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	const struct signals_listener *l = listener;

	(void)now_ms, (void)fds, (void)count;
	/* Does not test the descriptor: a signal that arrives as the sleep ends must be handled before the key that ended it. */
	if (terminate_came || interrupt_came || window_came || resumed_came || stop_came)
		l->take(l->ctx, signals_take());
}

void signals_take_end(void *over, struct signals came)
{
	*(bool *)over |= came.terminate || came.interrupt;
}

struct loop_member signals_member(struct signals_listener *listener)
{
	signals_open();
	return (struct loop_member){ .ctx = listener, .fds = signals_fds, .run = signals_run };
}

bool signals_want_stop(void)
{
	return interrupt_came || terminate_came;
}

bool signals_want_end(void)
{
	return terminate_came;
}

struct signals signals_take(void)
{
	struct signals came;
	char bytes[64];

	while (ends[0] >= 0 && read(ends[0], bytes, sizeof bytes) > 0)
		;
	came = (struct signals){ .terminate = terminate_came, .interrupt = interrupt_came, .window = window_came,
	                         .resumed = resumed_came, .stop = stop_came };
	if (came.terminate)
		terminate_came = 0;
	interrupt_came -= came.interrupt;
	if (came.window)
		window_came = 0;
	if (came.resumed)
		resumed_came = 0;
	if (came.stop)
		stop_came = 0;
	return came;
}

void signals_close(void)
{
	if (ends[0] < 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(handled); i++)
		sigaction(handled[i], &before[i], NULL);
	if (keeps_stop)
		sigaction(SIGTSTP, &stop_before, NULL);
	keeps_stop = false;
	/* A terminal that hangs up wakes its reader first, so SIGHUP may arrive while the program is already exiting. */
	signal(SIGHUP, SIG_IGN);
	close(ends[0]);
	close(ends[1]);
	ends[0] = ends[1] = -1;
}
