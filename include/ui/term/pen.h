/*
 * The pen: the terminal's current attributes and colours, tracked to avoid redundant SGR sequences.
 *
 * ncurses resets the attributes at the end of every frame and sets them again in the next: 30 bytes for a word in a theme with a
 * background of its own. Here its SGR sequences are only recorded; they are emitted before text that they affect.
 */
#ifndef WEIR_UI_PEN_H
#define WEIR_UI_PEN_H

#include "base/text.h"
#include "ui/term/palette.h"

struct pen {
	unsigned attributes; /* bit N: the attribute that SGR N turns on, 1 to 9 */
	int32_t fg, bg;      /* 0: the default; 30 to 107: the SGR that sets it; PEN_INDEXED + 0..255; COLOUR_RGB */
	bool unknown;        /* the terminal's state is unknown: set everything */
};

#define PEN_INDEXED 0x200

/* The pen for a style of a theme, whose colours need no palette, and the attributes of a cell. */
struct pen pen_of(const struct style *style, uint8_t attributes);

/* Records the parameters of an SGR sequence ("0;1;38;5;244"). Placeholders are replaced by their RGB colours. */
void pen_note(struct pen *pen, struct str parameters, const struct palette *palette);

/* Appends the SGR sequence that changes `*have` to `want`, if any, and updates `*have`. */
void pen_change(struct pen *have, const struct pen *want, struct buf *out);

#endif
