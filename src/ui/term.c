#include "ui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"

#define CRASH_STACK ((size_t)64 << 10)

/* Every mode that the program may have set, undone; each is harmless where it was not. */
static const char undo[] =
	"\x1B[?2026l\x1B[?2004l\x1B[?1006l\x1B[?1002l\x1B[?1000l\x1B[?1004l\x1B[<u\x1B[>4m\x1B[0m\x1B[?1049l\x1B[?25h\r\n";

static const int crash_signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE };

struct term {
	int fd;
	struct termios found;
	void *crash_stack;
};

/* What a crash restores: the one terminal of the process, while it is raw. */
static struct term *raw_term;

bool term_open(struct term **term, struct error *err)
{
	struct termios found;
	int fd = open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	*term = NULL;
	if (fd < 0)
		return error_set(err, "there is no terminal to draw on (/dev/tty: %s); `weir ask` needs none", strerror(errno));
	if (!isatty(STDIN_FILENO) && !isatty(STDOUT_FILENO)) {
		close(fd);
		return error_set(err, "neither input nor output is a terminal; `weir ask` needs none");
	}
	if (tcgetattr(fd, &found) != 0) {
		error_set(err, "the terminal does not tell its modes (%s); `weir ask` needs none", strerror(errno));
		close(fd);
		return false;
	}
	*term = mem_new(sizeof **term);
	(*term)->fd = fd;
	(*term)->found = found;
	return true;
}

void term_raw(struct term *term)
{
	struct termios raw = term->found;

	raw.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	raw.c_oflag &= ~(tcflag_t)OPOST;
	raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	raw.c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
	raw.c_cflag |= CS8;
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	tcsetattr(term->fd, TCSANOW, &raw);
	raw_term = term;
}

/* TCSANOW: waiting for output could wait for ever, on a terminal that was stopped. */
void term_restore(struct term *term)
{
	tcsetattr(term->fd, TCSANOW, &term->found);
	raw_term = NULL;
}

static void stop_guarding(struct term *term)
{
	stack_t none = { .ss_flags = SS_DISABLE };

	if (!term->crash_stack)
		return;
	for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++)
		signal(crash_signals[i], SIG_DFL);
	mem_set_last_words(NULL);
	sigaltstack(&none, NULL);
	mem_free(term->crash_stack);
}

void term_close(struct term *term)
{
	if (!term)
		return;
	term_restore(term);
	stop_guarding(term);
	close(term->fd);
	mem_free(term);
}

int term_fd(const struct term *term)
{
	return term->fd;
}

void term_size(const struct term *term, unsigned *rows, unsigned *columns)
{
	struct winsize size;

	*rows = 24;
	*columns = 80;
	if (ioctl(term->fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
		return;
	*rows = size.ws_row;
	*columns = size.ws_col;
}

/* Async-signal-safe. */
static void restore_at_once(void)
{
	struct term *term = raw_term;
	ssize_t written;

	if (!term)
		return;
	raw_term = NULL;
	written = write(term->fd, undo, sizeof undo - 1);
	(void)written;
	tcsetattr(term->fd, TCSANOW, &term->found);
}

static void crashed(int number)
{
	restore_at_once();
	signal(number, SIG_DFL);
	raise(number);
}

void term_guard_crashes(struct term *term)
{
	struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER };
	stack_t stack = { .ss_size = CRASH_STACK };

	if (!term->crash_stack)
		term->crash_stack = mem_new(CRASH_STACK);
	stack.ss_sp = term->crash_stack;
	sigaltstack(&stack, NULL);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++)
		sigaction(crash_signals[i], &action, NULL);
	mem_set_last_words(restore_at_once);
}
