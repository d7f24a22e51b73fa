/*
 * A sheet: text over the middle of the screen, scrolled with the page keys, with an input below it if one is wanted.
 * Help, the details of a turn and the answering of a tool call are sheets.
 */
#ifndef WEIR_UI_SHEET_H
#define WEIR_UI_SHEET_H

#include "ui/canvas.h"
#include "ui/term/key.h"

struct sheet; /* heap: copies its text */

/* `keys`: the bottom line. With `label` there is an input under the text ("result"); NULL: none. */
struct sheet *sheet_new(struct str title, const char *keys, const char *label);
void sheet_free(struct sheet *sheet);
void sheet_set_keys(struct sheet *sheet, const char *keys); /* borrowed, as those of sheet_new() */
void sheet_set_text(struct sheet *sheet, struct str text);
struct str sheet_input(const struct sheet *sheet); /* borrowed */

/* Scrolling and, where there is one, the input's keys. False: the caller's (Enter, Esc, letters of a sheet without input). */
bool sheet_key(struct sheet *sheet, const struct key *key);
void sheet_draw(struct sheet *sheet, struct canvas *canvas);

#endif
