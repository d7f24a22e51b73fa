/*
 * The palette: a theme reduced to the colours of a terminal.
 *
 * Every colour becomes an ncurses index, 0 to 255, or COLOUR_DEFAULT. On a true-colour terminal an RGB colour is represented by a
 * placeholder: an index above 15 that the theme does not use. `rgb` maps placeholders to colours, and frame_tidy() puts the RGB colour
 * into the output of ncurses. So no terminfo entry of our own is needed.
 * Without colours every theme is replaced by `mono`, because themes may express meaning by colour alone.
 */
#ifndef WEIR_UI_PALETTE_H
#define WEIR_UI_PALETTE_H

#include "render/theme.h"

#define COLOURS_TRUE (1 << 24)

struct palette {
	struct style styles[ROLE_COUNT];
	int32_t rgb[256];    /* the COLOUR_RGB of a placeholder; 0: the index is not a placeholder */
};

/* `colours`: 0, 8, 16, 256 or COLOURS_TRUE. */
void palette_make(struct palette *palette, const struct theme *theme, int colours);

#endif
