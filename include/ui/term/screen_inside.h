/*
 * The inside of the screen, for its own files: screen.c (its life, modes, frames), screen_rows.c (looks and rows, as ncurses is
 * given them).
 */
#ifndef WEIR_UI_SCREEN_INSIDE_H
#define WEIR_UI_SCREEN_INSIDE_H

#include <curses.h>
#include <stdio.h>

#include "ui/term/frame.h"
#include "ui/term/screen.h"

struct screen {
	FILE *out, *in;           /* ncurses' terminal: a file in memory, and nothing to read */
	SCREEN *curses;
	int colours;
	struct canvas *shown;     /* what the terminal shows */
	bool *differs;            /* of each row, whether the next frame changes it */
	bool whole;               /* the next frame repaints everything */
	bool entering;            /* the next frame turns the modes on */
	bool cursor_hidden;
	struct handshake handshake;
	enum key_protocol keys;
	bool begun;               /* of the next frame is synchronized output, and what it begins with */
	bool asks;                /* the handshake, of this type of terminal */
	bool takes_links, links_wanted;
	bool strikes;             /* the terminal can */
	unsigned links_age;       /* of the canvas that was shown */
	bool mouse;               /* reported: wheel, buttons, drags */
	bool corner_by_insertion; /* the margin cannot be turned off: see screen_rows.c */
	struct theme theme;       /* what the palette was made of; no name: nothing yet */
	struct palette palette;
	cchar_t looks[ROLE_COUNT]; /* a blank in each role */
	cchar_t *line;
	struct buf raw;
	struct tidy tidy;
	struct stand_ins stand_ins;
	struct frame_queue queue;
};

/* The roles' looks are the theme's from now on; everything is repainted if they were others. */
void screen_take_theme(struct screen *screen, const struct theme *theme);

/* Hands the rows that differ from what is shown to ncurses; returns how many. */
unsigned screen_push_rows(struct screen *screen, const struct canvas *canvas);

#endif
