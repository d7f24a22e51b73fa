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
	struct buf killed;      /* what Ctrl-K, Ctrl-U, Ctrl-W cut last; Alt-y is not taken, Ctrl-Y belongs to copying */
	unsigned sticky_column; /* of vertical movement */
	bool one_line;          /* LF is never inserted */
};

void edit_init(struct edit *e, bool one_line);
void edit_fini(struct edit *e);
void edit_set(struct edit *e, struct str text);  /* cursor at the end */
void edit_clear(struct edit *e);
bool edit_is_empty(const struct edit *e);
void edit_insert(struct edit *e, struct str text);

/*
 * Readline's keys but those that SCREEN.md gives to the program: Left Right Home End, Ctrl-A E B F(not taken) D H K U W,
 * Alt-b f d, Ctrl-Left Ctrl-Right, Backspace Delete, Ctrl-J and Alt-Enter (new line), text and paste, Up Down inside
 * the text. False when the key is not the editor's (Up in the first row, Down in the last: history's).
 */
bool edit_key(struct edit *e, const struct key *key);

/* Rows that the text takes at this width (at least 1), with the prompt sign's two columns taken off by the caller. */
unsigned edit_rows(const struct edit *e, unsigned columns);

/* Draws into the area, scrolled so that the cursor is in it, and sets the canvas' cursor if `focused`. */
void edit_draw(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused);

#endif
