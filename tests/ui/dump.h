/* A canvas as text, for golden screens. */
#ifndef WEIR_TESTS_UI_DUMP_H
#define WEIR_TESTS_UI_DUMP_H

#include "ui/canvas.h"

/* Appends the rows, right-trimmed, and with `roles` a second block: a letter a cell for its role, a blank for a blank in role text. */
void dump_canvas(const struct canvas *canvas, bool roles, struct buf *out);
char dump_role_letter(enum role_name role);

#endif
