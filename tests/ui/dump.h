/* Writes a canvas as text, for golden screens. */
#ifndef WEIR_TESTS_UI_DUMP_H
#define WEIR_TESTS_UI_DUMP_H

#include "ui/canvas.h"

/* Appends the rows, right-trimmed. With `roles`, appends a second block: one letter per cell for its role, a blank for a blank in ROLE_TEXT. */
void dump_canvas(const struct canvas *canvas, bool roles, struct buf *out);
char dump_role_letter(enum role_name role);

#endif
