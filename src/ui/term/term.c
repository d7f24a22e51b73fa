#include "ui/term/term.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/crash_handler.h"
#include "base/mem.h"
#include "ui/term/kitty_graphics.h"

/* Resets every mode that the program may have set. Resetting a mode that was not set has no effect. */
static const char reset_modes[] =
	"\x1B[?2026l\x1B[?2004l\x1B[?1006l\x1B[?1002l\x1B[?1000l\x1B[?1004l\x1B[<u\x1B[>4m\x1B[0m\x1B[?1049l\x1B[?25h\r\n";

static const char title_pop[] = "\x1B[23;2t";

struct term {
	int fd;
	volatile sig_atomic_t has_title; /* of ours, which a crash takes back */
	volatile sig_atomic_t deletion_length;
	char deletion[KITTY_DELETION_MOST]; /* of images; a crash writes it */
	struct termios found;
	bool is_raw;
	struct crash_handler on_crash;
};

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
		error_set(err, "the modes of the terminal cannot be read (%s); `weir ask` needs none", strerror(errno));
		close(fd);
		return false;
	}
	*term = mem_new(sizeof **term);
	(*term)->fd = fd;
	(*term)->found = found;
	return true;
}

bool term_raw(struct term *term)
{
	struct termios raw = term->found;

	raw.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	raw.c_oflag &= ~(tcflag_t)OPOST;
	raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	raw.c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
	raw.c_cflag |= CS8;
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(term->fd, TCSANOW, &raw) != 0 && errno == EINTR)
		return false;
	term->is_raw = true;
	return true;
}

static bool term_is_background(const struct term *term)
{
	pid_t foreground = tcgetpgrp(term->fd);

	return foreground >= 0 && foreground != getpgrp();
}

/* TCSANOW, because waiting for output would never end on a stopped terminal. */
void term_restore(struct term *term)
{
	if (!term_is_background(term))
		tcsetattr(term->fd, TCSANOW, &term->found);
	term->is_raw = false;
}

void term_undo(struct term *term)
{
	ssize_t written = write(term->fd, reset_modes, sizeof reset_modes - 1);

	(void)written;
	term_restore(term);
}

void term_close(struct term *term)
{
	if (!term)
		return;
	term_restore(term);
	crash_handler_remove(&term->on_crash);
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
	/* Applies both maxima; with too many cells, reduces the rows. */
	*columns = *columns < TERM_SIDE_MOST ? *columns : TERM_SIDE_MOST;
	*rows = *rows < TERM_SIDE_MOST ? *rows : TERM_SIDE_MOST;
	if (*columns && *rows > TERM_CELLS_MOST / *columns)
		*rows = TERM_CELLS_MOST / *columns;
}

struct image_size term_cell(const struct term *term)
{
	struct winsize size;

	if (ioctl(term->fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
		return (struct image_size){ 0, 0 };
	return (struct image_size){ size.ws_xpixel / size.ws_col, size.ws_ypixel / size.ws_row };
}

/* Crash handler: async-signal-safe. */
static void term_on_crash(void *ctx)
{
	struct term *term = ctx;
	ssize_t written;

	if (!term->is_raw)
		return;
	written = write(term->fd, term->deletion, (size_t)term->deletion_length);
	written = write(term->fd, reset_modes, sizeof reset_modes - 1);
	if (term->has_title)
		written = write(term->fd, title_pop, sizeof title_pop - 1);
	(void)written;
	tcsetattr(term->fd, TCSANOW, &term->found);
}

void term_note_images(struct term *term)
{
	if (!term->deletion_length)
		term->deletion_length = (sig_atomic_t)kitty_write_deletion(term->deletion);
}

void term_note_title(struct term *term, bool has_title)
{
	term->has_title = has_title;
}

void term_guard_crashes(struct term *term)
{
	term->on_crash = (struct crash_handler){ .run = term_on_crash, .ctx = term };
	crash_handler_add(&term->on_crash);
	crash_handlers_install();
}
