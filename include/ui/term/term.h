/*
 * The terminal as a device: its modes and its size. ncurses plays no part here (terminal.md 0).
 *
 * The tty is opened anew (/dev/tty, O_NONBLOCK on a description of its own). Every way out restores it: term_close(),
 * the crash handler (one write of a static string and tcsetattr, async-signal-safe), suspend.
 */
#ifndef WEIR_UI_TERM_H
#define WEIR_UI_TERM_H

#include "base/error.h"

struct term; /* heap; one a process */

/* Opens /dev/tty and saves its modes; false: there is none, or a script runs us. */
MUST_USE bool term_open(struct term **term, struct error *err);
void term_close(struct term *term);      /* restores; NULL is legal */
MUST_USE bool term_raw(struct term *term); /* raw mode; alternate screen is the screen's business. False: a signal broke it off */
void term_restore(struct term *term);    /* the modes it was found in, unless a shell has the terminal, which has set its own */
void term_undo(struct term *term);       /* the same, and every mode that a program may have set on its screen: it was killed */
int term_fd(const struct term *term);
/*
 * The size that is drawn in: 24x80 when the terminal does not say, and never more than memory is held for, whatever it says; what is
 * beyond stays empty. A screen of 7680 x 4320 pixels in the smallest legible font, 4 x 8, has 1920 x 540 cells.
 */
#define TERM_SIDE_MOST 4096u
#define TERM_CELLS_MOST (1u << 20)
void term_size(const struct term *term, unsigned *rows, unsigned *columns);
void term_limit_size(unsigned *rows, unsigned *columns);   /* brings a size below both ceilings; rows give way to columns */
void term_guard_crashes(struct term *term); /* restores it when the program dies of itself (base/last_words.h) */

#endif
