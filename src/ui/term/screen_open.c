/* ncurses is started, with a file in memory as its terminal (screen.h). */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/os/descriptor.h"
#include "ui/term/screen_inside.h"
#include "ui/term/terminfo.h"

#define FRAME_MOST (16u << 20) /* enough for 300 rows of 1000 cells, each with a colour of its own */
#define RAW_LIMIT ((size_t)64 << 20)
#define FALLBACK_TERM "xterm-256color"
#define ANSI_MOVE "\x1B[%i%p1%d;%p2%dH" /* as terminfo has it */

static void screen_set_number(const char *name, unsigned value)
{
	char text[16];

	snprintf(text, sizeof text, "%u", value);
	setenv(name, text, 1);
}

/*
 * newterm() installs signal handlers; the loop's handlers are restored afterwards. SIGTSTP must not be SIG_DFL during the call, or
 * ncurses would set its handler again around each frame. The size is passed in the environment: with resizeterm() alone, the first
 * output would set a scroll region of 24 rows.
 */
static SCREEN *screen_new_terminal(struct screen *screen, const char *type, unsigned rows, unsigned columns)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
	struct sigaction before[ARRAY_LEN(signals)];
	SCREEN *curses;

	if (!terminfo_knows(type))
		return NULL;
	screen_set_number("LINES", rows);
	screen_set_number("COLUMNS", columns);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], NULL, &before[i]);
	sigaction(SIGTSTP, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL);
	curses = newterm(type, screen->out, screen->in);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &before[i], NULL);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	return curses;
}

/* ncurses does not report a frame that could not be written completely, so the limit is checked first. */
static bool screen_check_file_limit(struct error *err)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur == RLIM_INFINITY || most.rlim_cur >= FRAME_MOST)
		return true;
	return error_set(err, "files may not grow beyond %llu KB here (`ulimit -f`), too little for the screen; "
	                 "use `weir --plain` or `weir ask`",
	                 (unsigned long long)most.rlim_cur >> 10);
}

static bool screen_start_curses(struct screen *screen, unsigned rows, unsigned columns, enum colour_mode mode, struct error *err)
{
	const char *type = getenv("TERM");

	if (!terminfo_places_cursor(type))
		return error_set(err, "TERM is \"%s\": this terminal cannot place its cursor; use `weir --plain` or `weir ask`",
		                 type ? type : "");
	if (!screen_check_file_limit(err))
		return false;
	setenv("NCURSES_NO_PADDING", "1", 1);
	/* No pipe or stream: releases of ncurses write to the descriptor of the FILE, not through it, and a pipe is soon full. */
	screen->out = descriptor_memory_file();
	screen->in = fopen("/dev/null", "r");
	if (!screen->out || !screen->in)
		return error_set(err, "cannot create a memory file for the screen: %s", strerror(errno));
	screen->curses = screen_new_terminal(screen, type, rows, columns);
	if (screen->curses && capability_wants_other_type(mode)) {
		delscreen(screen->curses);
		screen_rewind_output(screen);
		screen->curses = screen_new_terminal(screen, FALLBACK_TERM, rows, columns);
	}
	if (!screen->curses)
		screen->curses = screen_new_terminal(screen, FALLBACK_TERM, rows, columns);
	if (!screen->curses)
		return error_set(err, "the terminal type \"%s\" is not known here (terminfo); try TERM=xterm", type);
	return true;
}

bool screen_open(struct screen **result, int fd, unsigned rows, unsigned columns, enum colour_mode mode, struct error *err)
{
	struct screen *screen = mem_new(sizeof *screen);

	*result = NULL;
	buf_init(&screen->raw, RAW_LIMIT);
	frame_queue_init(&screen->queue, fd);
	if (!screen_start_curses(screen, rows, columns, mode, err)) {
		screen_close(screen);
		return false;
	}
	screen->colours = capability_choose_colours(mode, capability_colours());
	/* On a terminal without colours, start_color() fails and colour pairs crash. */
	if (screen->colours && (start_color() == ERR || use_default_colors() == ERR))
		screen->colours = 0;
	screen->ansi_moves = str_starts(str_from(capability_string("cup")), ANSI_MOVE);
	screen->corner_by_insertion = !capability_string("rmam");
	screen->strikes = capability_string("smxx") != NULL;
	screen->takes_links = capability_links(getenv("TERM"));
	screen->asks = handshake_may_ask(getenv("TERM"));
	screen->handshake.asks_images = capability_asks_images(getenv("TERM"));
	screen->tidy.substitutes = &screen->substitutes;
	screen->tidy.true_colour = screen->colours == COLOURS_TRUE;
	nonl();
	idlok(stdscr, TRUE);
	typeahead(-1);
	leaveok(stdscr, FALSE);
	screen->shown = canvas_new(1, 1);
	screen->entering = true;
	screen_resize(screen, rows, columns);
	*result = screen;
	return true;
}
