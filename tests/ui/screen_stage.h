/* A screen on a file, and libvterm as the terminal that reads it. */
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
	bool joins;              /* emoji sequences, which libvterm does not by itself */
};

void stage_open(struct stage *s, const char *type, unsigned rows, unsigned columns, enum colour_mode mode, const char *theme);
void stage_close(struct stage *s);
size_t stage_pump(struct stage *s); /* lets the terminal read what was written since the last time; returns the bytes */
size_t stage_show(struct stage *s); /* shows the canvas, and the same */
bool stage_wrote(struct stage *s, off_t from, const char *text);
VTermScreenCell stage_cell(struct stage *s, unsigned row, unsigned column); /* of the terminal */
/* Everything that is on the canvas is on the terminal, and the cursor where it belongs; else the test fails with these words. */
void stage_check(struct stage *s, const char *when, unsigned number);
const char *stage_picture(unsigned number); /* some cluster, any number: what a terminal that joins shows as one picture */
const char *stage_piece(unsigned number);   /* some text: narrow, wide, joined, hostile */
void stage_scribble(struct canvas *canvas, unsigned *seed); /* draws some pieces anywhere */

#endif
