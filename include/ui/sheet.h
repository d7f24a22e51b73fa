/*
 * A sheet: a card with scrollable text and, optionally, an input below it. Help, the details of a turn and the form that answers a tool
 * call are sheets.
 */
#ifndef WEIR_UI_SHEET_H
#define WEIR_UI_SHEET_H

#include "ui/canvas.h"
#include "ui/term/key.h"

struct sheet; /* heap; copies its texts */

/*
 * `keys`: the key hints. `label` ("result") adds an input below the text; NULL: none. Both are borrowed for the sheet's life. A sheet with
 * an input is docked, others are centred, unless sheet_dock() docks them.
 */
struct sheet *sheet_new(struct str title, const char *keys, const char *label);
void sheet_free(struct sheet *sheet);
/* Borrowed. Lines of it are shorter and shorter forms: the first that has room is shown, else what has room of the last one. */
void sheet_set_keys(struct sheet *sheet, const char *keys);
/* The same, shown until sheet_was_read(); NULL: there are no others. */
void sheet_set_keys_before(struct sheet *sheet, const char *keys);
void sheet_dock(struct sheet *sheet); /* it is docked although it has no input */
void sheet_write(struct sheet *sheet, struct str text); /* into its input */
struct str sheet_keys(const struct sheet *sheet, unsigned columns); /* those that are shown in a line of that width; borrowed */
struct str sheet_input(const struct sheet *sheet); /* borrowed */
const struct edit *sheet_line(const struct sheet *sheet); /* the same with the origins of its text; borrowed */

/* These append rows. A blank row precedes each heading except in the first row. */
void sheet_add_heading(struct sheet *sheet, struct str heading);
/*
 * A label and a value. The values of a group start in the same column, or below their labels if the sheet is narrow; their wrapped rows
 * are indented to it.
 */
void sheet_add_fact(struct sheet *sheet, struct str label, struct str value);
void sheet_add_text(struct sheet *sheet, struct str text);
void sheet_add_members(struct sheet *sheet, struct str arguments); /* the arguments of a call, as members.h shows them */
/* A heading with lines that must not wrap: a sheet too narrow for them leaves both out. */
void sheet_add_drawing(struct sheet *sheet, struct str heading, struct str lines);

/* Scrolls, or edits the input. False when the sheet does not use the key: Enter, Esc, other letters when there is no input. */
bool sheet_key(struct sheet *sheet, const struct key *key);
void sheet_draw(struct sheet *sheet, struct canvas *canvas);

/* --- docked: it fills rows of the screen, and its keys are on the hairline below it --- */

/* Lays the sheet out. Returns its rows, the title's hairline included, at most `most`, which is at least 2. */
unsigned sheet_dock_rows(struct sheet *sheet, unsigned columns, unsigned most);
bool sheet_was_drawn(const struct sheet *sheet);    /* docked, since its keys were set */
bool sheet_was_read(const struct sheet *sheet);     /* the same, and its last row was among those that were drawn */
void sheet_draw_docked(struct sheet *sheet, struct canvas *canvas, struct area area); /* after sheet_dock_rows() for that area */
void sheet_draw_keys(const struct sheet *sheet, struct canvas *canvas, struct area line, struct str words); /* words: see card_draw_keys() */

#endif
