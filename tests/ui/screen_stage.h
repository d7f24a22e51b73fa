/* A screen that writes to a file, and libvterm as the terminal that reads it. */
#ifndef WEIR_TESTS_UI_SCREEN_STAGE_H
#define WEIR_TESTS_UI_SCREEN_STAGE_H

#include <vterm.h>

#include "ui/term/screen.h"

struct stage {
	struct screen *screen;
	struct canvas *canvas;
	struct theme theme;
	int fd;
	off_t read_to;
	VTerm *vt;
	VTermScreen *vs;
	bool cursor_shown, alternate;
	bool joins;              /* the terminal joins emoji sequences; libvterm does not, so it gets ideographs instead */
};

void stage_open(struct stage *s, const char *type, unsigned rows, unsigned columns, enum colour_mode mode, const char *theme);
void stage_close(struct stage *s);
size_t stage_pump(struct stage *s); /* lets the terminal read the new output; returns the number of bytes */
size_t stage_show(struct stage *s); /* shows the canvas, then stage_pump() */
bool stage_wrote(struct stage *s, off_t from, const char *text);
VTermScreenCell stage_cell(struct stage *s, unsigned row, unsigned column); /* a cell of the terminal */
/* Fails the test with this message unless the terminal shows the canvas, with the cursor in the right cell. */
void stage_check(struct stage *s, const char *when, unsigned number);
const char *stage_picture(unsigned number); /* a cluster that a joining terminal shows as one glyph; `number` may be any number */
const char *stage_piece(unsigned number);   /* a piece of text: narrow, wide, joined or hostile; `number` may be any number */
void stage_scribble(struct canvas *canvas, unsigned *seed); /* draws random pieces at random places */

#endif
