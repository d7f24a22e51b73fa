/*
 * The edit engine: a text with a cursor, and the keys that change it. Pure: no screen, no curses.
 *
 * The text is valid UTF-8, LF between lines. The cursor is a byte offset on a cluster boundary. What it costs to type does not
 * grow with the text: rows are laid out as far as they are looked at.
 *
 * Large pastes can stand in the text as chips ("[pasted 1,024 KB, 20,000 lines]", ui/edit/edit_chips.h): one cluster to every key,
 * killed, yanked and undone like any other; edit_expand() gives the text with what they stand for.
 *
 * The origin of each byte is known: what may act goes by it. Moving a text about keeps its origin; where several are joined (in a
 * kill, in a change that can be undone) all have the least trusted one from then on. So nothing is ever trusted more than it was.
 */
#ifndef WEIR_UI_EDIT_H
#define WEIR_UI_EDIT_H

#include "ui/canvas.h"
#include "ui/term/key.h"

#define EDIT_LIMIT ((size_t)16 << 20)
#define EDIT_CHIP_BYTES 2048   /* a paste of more bytes or more lines becomes a chip */
#define EDIT_CHIP_LINES 10
#define EDIT_ROWS_COUNTED 500  /* rows beyond are not counted: nobody shows as many at once */

enum edit_origin {
	EDIT_FOREIGN,  /* pasted, from a file, from an earlier prompt: text and nothing else */
	EDIT_AT_ONCE,  /* keys that came together (struct key): typed ahead, or a paste that the terminal did not mark */
	EDIT_TYPED,    /* key by key, or chosen from a list */
};

struct edit {
	struct buf text;        /* chips as their marks; edit_expand() for what was meant */
	size_t cursor;
	bool one_line;          /* LF is never inserted */
	bool makes_chips;       /* edit_init() leaves it false: a large paste is text like any other */
	unsigned version;       /* counts changes of the text */
	struct edit_parts *parts; /* rows, undo, kills, chips */
};

void edit_init(struct edit *e, bool one_line);
void edit_fini(struct edit *e);
bool edit_is_empty(const struct edit *e);

/* Changes of the text, each undone as one. What goes beyond EDIT_LIMIT changes nothing. The text is foreign but for edit_replace(). */
void edit_set(struct edit *e, struct str text);    /* cursor at the end */
void edit_clear(struct edit *e);
void edit_insert(struct edit *e, struct str text); /* at the cursor */
void edit_paste(struct edit *e, struct str text);  /* the same, as a chip if it is large */
/* Puts the cursor behind it; both places on cluster boundaries. */
void edit_replace(struct edit *e, size_t from, size_t to, struct str text, enum edit_origin origin);

/* The least trusted origin of the bytes in a range; EDIT_TYPED where there are none. A chip is foreign. */
enum edit_origin edit_origin(const struct edit *e, size_t from, size_t to);

/* Empties it and forgets what could be undone: the text was sent. What was killed can still be yanked. */
void edit_reset(struct edit *e);

/* Sets the text aside for another one, and puts it back with its cursor and chips. */
void edit_stash(struct edit *e);
void edit_unstash(struct edit *e);

/* Appends the text with every chip replaced by what was pasted. */
void edit_expand(const struct edit *e, struct buf *out);
/* What was pasted as the next chip at or behind `*at`, and `*at` behind that; STR_NONE: there is none. Borrowed until the next change. */
struct str edit_next_chip(const struct edit *e, size_t *at);

/*
 * Readline's keys but those that SCREEN.md gives to the program: Left Right Home End, Ctrl-A B D E H, Alt-b f, Ctrl-Left
 * Ctrl-Right, Backspace Delete, Ctrl-J, Alt-Enter and Shift-Enter (new line), text and paste, Up Down by the rows that were
 * drawn last; killing with Ctrl-K U W, Alt-d and Alt-Backspace (one after the other they gather into one), Ctrl-Y yanks, Alt-y
 * then takes the kill before; Ctrl-_ (which is what Ctrl-/ sends) undoes, Alt-_ or Alt-/ does it again; Alt-e makes the chip
 * before or behind the cursor the text that it stands for.
 *
 * False when the key is not the editor's, or has nothing to do: Up in the first row, Down in the last (history's); Ctrl-D in
 * an empty text; Ctrl-Y with nothing killed; new lines and Up Down where there is one line.
 */
bool edit_key(struct edit *e, const struct key *key);

/*
 * Rows that the text takes at this width (at least 1, EDIT_ROWS_COUNTED at most), with the prompt sign's two columns taken off
 * by the caller. The last column is the cursor's.
 */
unsigned edit_rows(const struct edit *e, unsigned columns);

/* Draws into the area, scrolled so that the cursor is in it, and sets the canvas' cursor if `focused`. */
void edit_draw(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused);

#endif
