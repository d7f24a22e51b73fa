/*
 * Captures: what a canvas shows, as text, as bytes for a terminal, and as an SVG picture. The cells hold no control bytes, so neither do
 * the captures, besides those that draw.
 */
#ifndef WEIR_UI_CAPTURE_H
#define WEIR_UI_CAPTURE_H

#include "render/theme.h"
#include "ui/canvas.h"

void capture_text(const struct canvas *canvas, struct buf *out); /* rows without trailing blanks, each with its LF */

/*
 * The bytes that draw the canvas in true colour on a terminal that shows `before`, a canvas of the same size; NULL: any screen. Nothing if
 * both are equal.
 */
void capture_ansi(const struct canvas *canvas, const struct canvas *before, const struct theme *theme, struct buf *out);

/* A whole SVG document. `title`: for people who cannot see it. */
void capture_svg(const struct canvas *canvas, const struct theme *theme, struct str title, struct buf *out);

#endif
