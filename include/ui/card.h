/*
 * The surface that menus and sheets lie on: a band over the full width, edged by hairlines where there is room for them.
 * Full width, because text beside a sheet would run into it on terminals without colours.
 */
#ifndef WEIR_UI_SURFACE_H
#define WEIR_UI_SURFACE_H

#include "ui/canvas.h"

/* Fills `rows` rows from `row` on; with `edges` the first and the last one are hairlines. */
void surface_draw(struct canvas *canvas, unsigned row, unsigned rows, bool edges);

#endif
