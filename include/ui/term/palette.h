/*
 * The palette: a theme brought down to what a terminal can show.
 *
 * Every colour becomes an index that ncurses can be given, 0 to 255, or COLOUR_DEFAULT. On terminals with true colours an RGB
 * colour takes an index above 15 that the theme does not use itself, as a placeholder: `rgb` says which, and frame_tidy()
 * puts the real colour into the bytes that ncurses makes of it. So no terminfo entry of our own is needed.
 * Without colours a theme's meaning would be lost where it says it by colour alone: the theme `mono` stands in for all.
 */
#ifndef WEIR_UI_PALETTE_H
#define WEIR_UI_PALETTE_H

#include "render/theme.h"

#define COLOURS_TRUE (1 << 24)

struct palette {
	struct style styles[ROLE_COUNT];
	int32_t rgb[256];    /* a COLOUR_RGB, or 0: the index means itself */
};

/* `colours`: 0, 8, 16, 256 or COLOURS_TRUE. */
void palette_make(struct palette *palette, const struct theme *theme, int colours);

#endif
