/*
 * A sheet: a card with rows to read, scrolled with the page keys, and an input below them if one is wanted. Help, the details of a
 * turn and the answering of a tool call are sheets.
 */
#ifndef WEIR_UI_SHEET_H
#define WEIR_UI_SHEET_H

#include "ui/canvas.h"
#include "ui/term/key.h"

struct sheet; /* heap: copies its text */

/*
 * `keys`: the hints of the bottom line, borrowed as long as the sheet. With `label` ("result") there is an input under the text; NULL:
 * none. A sheet with an input docks above the row that sheet_draw() names.
 */
struct sheet *sheet_new(struct str title, const char *keys, const char *label);
void sheet_free(struct sheet *sheet);
void sheet_set_keys(struct sheet *sheet, const char *keys); /* borrowed, as those of sheet_new() */
struct str sheet_input(const struct sheet *sheet); /* borrowed */

/* Rows, from top to bottom. A blank row stands above each heading but the first row. */
void sheet_add_heading(struct sheet *sheet, struct str heading);
void sheet_add_fact(struct sheet *sheet, struct str label, struct str value); /* wrapped rows hang under the value; the values of a group begin in one column, or below their labels where it is narrow */
void sheet_add_text(struct sheet *sheet, struct str text);

/* Scrolling and, where there is one, the input's keys. False: the caller's (Enter, Esc, letters of a sheet without input). */
bool sheet_key(struct sheet *sheet, const struct key *key);
void sheet_draw(struct sheet *sheet, struct canvas *canvas, unsigned bottom); /* `bottom`: where a card docks (ui/card.h) */

#endif
