/*
 * Internals of the screen, shared by its files: screen_open.c (starts ncurses), screen.c (modes, frames, images), screen_rows.c (converts
 * roles and rows for ncurses).
 */
#ifndef WEIR_UI_SCREEN_INSIDE_H
#define WEIR_UI_SCREEN_INSIDE_H

#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1 /* where no feature macro of the C library tells ncurses */
#endif
#include <curses.h>
#include <stdio.h>

#include "ui/term/frame.h"
#include "ui/term/kitty_graphics.h"
#include "ui/term/screen.h"
#include "ui/term/sixel_graphics.h"

struct screen {
	FILE *out;                /* output of ncurses: a file in memory */
	size_t taken;             /* bytes of it that were moved to `queue` */
	void *mapped;             /* its first bytes; NULL: not mapped */
	FILE *in;                 /* input of ncurses: /dev/null */
	SCREEN *curses;
	int colours;
	struct canvas *shown;     /* what the terminal shows */
	uint64_t *versions;       /* for each row of `shown`: of the canvas's row that it equals; 0: it has to be compared */
	bool *differs;            /* for each row: the next frame changes it */
	bool whole;               /* the next frame repaints everything */
	bool entering;            /* the next frame turns the modes on */
	bool cursor_hidden;
	int believed_row, believed_column; /* where ncurses believes the cursor to be since the last frame */
	bool cursor_away;         /* the terminal's cursor is not there, but where the canvas has it */
	bool ansi_moves;          /* the terminal moves its cursor by ANSI's sequence; else only ncurses moves it */
	struct handshake handshake;
	enum key_protocol keys;
	bool begun;               /* the handshake has already begun synchronized output for the next frame */
	bool asks;                /* this terminal type gets the handshake's queries */
	bool takes_links;         /* this terminal type supports hyperlinks */
	bool strikes;             /* the terminal supports strikethrough */
	unsigned links_age;       /* links_age of the canvas that was shown last */
	bool mouse;               /* mouse reports are on: wheel, buttons, drags */
	char title[SCREEN_TITLE];       /* set by screen_set_title() */
	char title_shown[SCREEN_TITLE]; /* the one on the terminal; "": its own */
	bool corner_by_insertion; /* automatic margins cannot be turned off: see screen_push_row() */
	struct theme theme;       /* the theme of `palette`; an empty name: none yet */
	struct palette palette;
	cchar_t looks[ROLE_COUNT]; /* a blank cell in each role */
	cchar_t *line;
	struct buf raw;
	struct tidy tidy;
	struct cell_substitutes substitutes;
	struct frame_queue queue;
	struct kitty_images images;
	struct sixels sixels;
	struct image_size cell;   /* set by screen_set_cell() */
};

void screen_rewind_output(struct screen *screen); /* the next output of ncurses stands at the start of its file */

/* Sets the theme. Repaints everything if a style has changed. */
void screen_take_theme(struct screen *screen, const struct theme *theme);

/* Passes the rows that differ from `shown` to ncurses. Returns their number. `moves`: rows may be scrolled. */
unsigned screen_push_rows(struct screen *screen, const struct canvas *canvas, bool moves);

#endif
