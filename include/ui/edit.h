/*
 * The edit engine: a text with a cursor, and the keys that change it. Pure: no screen, no curses.
 *
 * The text is valid UTF-8, LF between lines. The cursor is a byte offset on a cluster boundary.
 */
#ifndef WEIR_UI_EDIT_H
#define WEIR_UI_EDIT_H

#include "ui/canvas.h"
#include "ui/term.h"

#define EDIT_LIMIT ((size_t)16 << 20)

struct edit {
	struct buf text;
	size_t cursor;
	struct buf killed;      /* what Ctrl-K, Ctrl-U, Ctrl-W, Alt-d cut last; Ctrl-Y belongs to copying */
	unsigned sticky_column; /* of vertical movement */
	bool one_line;          /* LF is never inserted */
	struct edit_layout *layout; /* what drawing remembers: rows, their width, how far it is scrolled */
};

void edit_init(struct edit *e, bool one_line);
void edit_fini(struct edit *e);
void edit_set(struct edit *e, struct str text);  /* cursor at the end */
void edit_clear(struct edit *e);
bool edit_is_empty(const struct edit *e);
void edit_insert(struct edit *e, struct str text);

/*
 * Readline's keys but those that SCREEN.md gives to the program: Left Right Home End, Ctrl-A B D E H K U W, Alt-b d f and
 * Alt-Backspace, Ctrl-Left Ctrl-Right, Backspace Delete, Ctrl-J and Alt-Enter (new line), text and paste, Up Down by the
 * rows that were drawn last. False when the key is not the editor's (Up in the first row, Down in the last: history's;
 * Ctrl-D in an empty text; new lines and Up Down where there is one line).
 */
bool edit_key(struct edit *e, const struct key *key);

/* Rows that the text takes at this width (at least 1), with the prompt sign's two columns taken off by the caller. The last column is the cursor's. */
unsigned edit_rows(const struct edit *e, unsigned columns);

/* Draws into the area, scrolled so that the cursor is in it, and sets the canvas' cursor if `focused`. */
void edit_draw(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused);

#endif
