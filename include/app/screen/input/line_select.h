/*
 * Selection in the transcript: of lines by keys, as with V in vi; of characters by dragging the mouse, of words and lines by a double and a
 * triple click, as in a terminal.
 *
 * While it is open, its keys take precedence; other text ends it and goes to the input. A selection made with the mouse is copied when the
 * button is released, and stays marked until the next key; that key then does its usual work.
 */
#ifndef WEIR_APP_LINE_SELECT_H
#define WEIR_APP_LINE_SELECT_H

#include "app/screen/services/clipboard.h"
#include "app/screen/services/host.h"
#include "app/screen/services/mode.h"

struct line_select {
	const struct host *host;
	struct clipboard *clipboard;     /* receives the selection; borrowed */
	bool open;                       /* the selection mode is on */
	bool by_mouse;                   /* selected with the mouse: any key ends it */
	bool pressed;                    /* the mouse button is held */
	unsigned pressed_row, pressed_column; /* place of the screen where the button was pressed */
	int64_t pressed_ms;              /* when, for clicks that follow */
	unsigned clicks;                 /* there, with this one; 0: what was clicked has done something */
	bool left_row;                   /* the mouse was on other rows since: at the edge it scrolls */
	struct pane *before;             /* the pane that had the focus before */
	size_t lines, characters;        /* size of the selected text */
};

void line_select_init(struct line_select *s, const struct host *host, struct clipboard *clipboard);
void line_select_open(struct line_select *s);                         /* gives the transcript the focus while it is open */
extern const struct mode line_select_mode;
void line_select_mouse(struct line_select *s, const struct key *key); /* KEY_MOUSE_... over the transcript */

/* The text of a hairline of `columns`: the size of the selection, and the keys; "" while nothing is selected. */
void line_select_words(const struct line_select *s, unsigned columns, char *words, size_t size);

#endif
