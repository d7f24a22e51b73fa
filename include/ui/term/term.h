/*
 * The terminal device: its modes and its size. ncurses is not involved.
 *
 * /dev/tty is opened separately, so that O_NONBLOCK applies to an open file description of our own. Its modes are restored by
 * term_close(), on suspend, and by the crash handler (one write of a static string and tcsetattr(), async-signal-safe).
 */
#ifndef WEIR_UI_TERM_H
#define WEIR_UI_TERM_H

#include "base/error.h"
#include "base/image_size.h"

struct term; /* heap; one per process */

/* Opens /dev/tty and saves its modes. False if there is none, or if neither stdin nor stdout is a terminal. */
MUST_USE bool term_open(struct term **term, struct error *err);
void term_close(struct term *term);      /* restores the modes; NULL is allowed */
MUST_USE bool term_raw(struct term *term); /* sets raw mode. False: interrupted by a signal */
/* Restores the saved modes. Does nothing in the background: the shell in the foreground has set its own. */
void term_restore(struct term *term);
/* Also resets the screen modes that a program may have set. For a terminal that a child process was using. */
void term_undo(struct term *term);
int term_fd(const struct term *term);
/*
 * The size to draw in: 24x80 if the terminal does not report one, limited by the maxima below; the area beyond stays empty. For
 * comparison: a screen of 7680 x 4320 pixels with the smallest legible font, 4 x 8, has 1920 x 540 cells.
 */
#define TERM_SIDE_MOST 4096u
#define TERM_CELLS_MOST (1u << 20)
void term_size(const struct term *term, unsigned *rows, unsigned *columns);
/* The size of a cell in pixels; 0 x 0: the terminal does not report it. */
struct image_size term_cell(const struct term *term);
void term_guard_crashes(struct term *term); /* restores the terminal if the program crashes (base/crash_handler.h) */

/* The terminal may have images of ours from now on: a crash deletes them. */
void term_note_images(struct term *term);

/* Whether the title is ours now: then a crash gives the one before it back. */
void term_note_title(struct term *term, bool has_title);

#endif
