/*
 * What the files of the pty share: pty.c (the program and the terminal), pty_wait.c and pty_screen.c (what it shows).
 */
#ifndef WEIR_TESTS_PTY_INSIDE_H
#define WEIR_TESTS_PTY_INSIDE_H

#include <sys/types.h>
#include <vterm.h>

#include "support/pty.h"

#define PTY_FRAME_BEGIN "\x1B[?2026h"
#define PTY_FRAME_END "\x1B[?2026l"

struct pty {
	int master, slave; /* `slave` stays open, so that modes and the last output can be read after the program's end */
	pid_t pid;
	bool ended, failed, held;
	bool marked, all_came; /* a mark was written after its last bytes; all of them have been read */
	int status;
	struct termios found;
	struct turned *turned; /* NULL: its clock is not turned */
	int turns_left;        /* how often the wait under way turns it */
	char *home;
	bool owns_home;
	unsigned rows, columns;
	VTerm *vterm;
	VTermScreen *screen;
	bool alternate, cursor_shown;
	pty_look *look;
	void *look_ctx;
	size_t shown; /* bytes of the output that the terminal got */
	size_t frame; /* where the current frame begins in `output` */
	struct buf output, row, dump;
	const char *draws_images;
	bool draws_sixels, tells_cell;
	bool in_graphics; /* what comes belongs to a graphics command, which libvterm would print */
	struct buf text;  /* what comes, without such commands */
};

void pty_look_at_program(struct pty *p); /* notes whether it has ended */

#endif
