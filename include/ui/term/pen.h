/*
 * The pen: what the terminal draws with, so that nothing is said twice.
 *
 * ncurses lays the pen down at the end of every frame and takes it up again in the next: 30 bytes for a word in a theme with
 * a background of its own. Here the orders are only noted, and given when something is drawn that the pen matters to.
 */
#ifndef WEIR_UI_PEN_H
#define WEIR_UI_PEN_H

#include "base/text.h"
#include "ui/term/palette.h"

struct pen {
	unsigned attributes; /* bit N: SGR N, 1 to 9 */
	int32_t fg, bg;      /* 0: the default; 30 to 107: the SGR that sets it; PEN_INDEXED + 0..255; COLOUR_RGB */
	bool unknown;        /* what the terminal has may be anything: say all */
};

#define PEN_INDEXED 0x200

/* Notes the parameters of an SGR ("0;1;38;5;244"); indexes that are placeholders become their true colours. */
void pen_note(struct pen *pen, struct str parameters, const struct palette *palette);

/* Appends what makes `*have` into `want`: nothing when it is that already. */
void pen_change(struct pen *have, const struct pen *want, struct buf *out);

#endif
