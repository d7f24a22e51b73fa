/*
 * The editor: a text with a cursor, and the keys that change it. Pure: no screen, no curses.
 *
 * The text is valid UTF-8 with LF between lines. The cursor is a byte offset on a cluster boundary. The cost of typing does not
 * depend on the length of the text: rows are laid out only as far as they are needed.
 *
 * A large paste can be represented by a chip ("[pasted 1,024 KB, 20,000 lines]", ui/edit/edit_chips.h). Every key treats a chip as
 * one cluster; it can be killed, yanked and undone like any other. edit_expand() returns the text with all chips expanded.
 *
 * The origin of each byte is recorded, and decides whether the text may trigger an action. Moving text keeps its origin. Where texts
 * of several origins are joined (in a kill, in a change that can be undone), all of it gets the least trusted origin. So no text
 * ever becomes more trusted.
 */
#ifndef WEIR_UI_EDIT_H
#define WEIR_UI_EDIT_H

#include "ui/canvas.h"
#include "ui/term/key.h"

#define EDIT_LIMIT ((size_t)16 << 20)
#define EDIT_CHIP_BYTES 2048   /* a paste with more bytes than this, or more lines than EDIT_CHIP_LINES, becomes a chip */
#define EDIT_CHIP_LINES 10
#define EDIT_ROWS_COUNTED 500  /* edit_rows() stops counting here: no screen shows more rows at once */

enum edit_origin {
	EDIT_FOREIGN,  /* pasted, read from a file, or from an earlier prompt: never triggers an action */
	EDIT_AT_ONCE,  /* keys that arrived in one read (struct key): typed ahead, or a paste without brackets */
	EDIT_TYPED,    /* typed key by key, or chosen from a list */
};

struct edit {
	struct buf text;        /* contains chips as marks; edit_expand() returns the full text */
	size_t cursor;
	bool one_line;          /* LF is never inserted */
	bool makes_chips;       /* large pastes become chips; edit_init() sets it to false */
	unsigned version;       /* incremented by every change of the text */
	unsigned marked;        /* version of the text while the range from `anchor` to the cursor is marked; 0: none is */
	size_t anchor;
	struct edit_parts *parts; /* owned: rows, undo, kills, chips */
};

void edit_init(struct edit *e, bool one_line);
void edit_fini(struct edit *e);
bool edit_is_empty(const struct edit *e);

/*
 * Each of these is one undo step. A change that would exceed EDIT_LIMIT is ignored. The inserted text is EDIT_FOREIGN, except with
 * edit_replace().
 */
void edit_set(struct edit *e, struct str text);    /* replaces the text; the cursor moves to the end */
void edit_clear(struct edit *e);
void edit_insert(struct edit *e, struct str text); /* at the cursor */
void edit_paste(struct edit *e, struct str text);  /* like edit_insert(); a large text becomes a chip if `makes_chips` */
/* Replaces a range and moves the cursor to the end of `text`. `from` and `to` are on cluster boundaries. */
void edit_replace(struct edit *e, size_t from, size_t to, struct str text, enum edit_origin origin);

/* The least trusted origin of the bytes in a range; EDIT_TYPED for an empty range. A chip is EDIT_FOREIGN. */
enum edit_origin edit_origin(const struct edit *e, size_t from, size_t to);

/*
 * Marks the whole text; the cursor is at its end. Shift with a key that moves marks from where the cursor was. Typing, pasting and erasing then
 * replace what is marked, killing kills it, any other key of the editor removes the mark. Every change of the text removes it, too.
 */
void edit_mark_all(struct edit *e);
bool edit_marked(const struct edit *e, size_t *from, size_t *to); /* the range that is marked; false: none is */
bool edit_is_marked(const struct edit *e);

/* Clears the text and the undo history, for when the text was sent. Killed text can still be yanked. */
void edit_reset(struct edit *e);

/*
 * edit_stash() saves a copy of the text under a number, and replaces an earlier one. edit_unstash() restores it with its cursor and chips, and
 * deletes the copy; the text becomes empty if there is none.
 */
void edit_stash(struct edit *e, size_t as);
void edit_unstash(struct edit *e, size_t as);
bool edit_has_stashed(const struct edit *e, size_t as);
bool edit_is_stashed(const struct edit *e, size_t as); /* the copy is the text that stands here */
void edit_forget_stash(struct edit *e, size_t as);
void edit_forget_stashed(struct edit *e); /* deletes all copies */

/* Appends the text with every chip replaced by its pasted text. */
void edit_expand(const struct edit *e, struct buf *out);
/*
 * Returns the pasted text of the first chip at or after `*at` and moves `*at` past the chip; STR_NONE if there is none. Borrowed until
 * the next change.
 */
struct str edit_next_chip(const struct edit *e, size_t *at);

/*
 * vi's keys in place of readline's (edit_vi.c). The editor begins in the insert state, where all keys below work, and is in it again after
 * edit_clear() and edit_reset(). edit_escape() goes to the command state, where letters are commands, or drops an unfinished command there;
 * false: it did neither.
 */
void edit_use_vi(struct edit *e, bool vi);
bool edit_takes_commands(const struct edit *e); /* the command state */
bool edit_wants_escape(const struct edit *e);   /* the insert state of vi's keys: edit_escape() leaves it */
bool edit_escape(struct edit *e);

/* What the last key asked of the caller, when edit_key() returned false, and how many times. */
enum edit_wish { EDIT_NO_WISH, EDIT_OLDER, EDIT_NEWER /* earlier texts */, EDIT_SEARCH, EDIT_FIND_OLDER, EDIT_FIND_NEWER, EDIT_OUTSIDE };
enum edit_wish edit_wish(const struct edit *e, unsigned *times);

/*
 * Readline's keys, except those that the program has for something else:
 *   mark    Shift with Left Right Up Down Home End
 *   move    Left Right Home End, Ctrl-A B E, Alt-b f, Ctrl-Left Ctrl-Right; Up Down by rows as last drawn
 *   insert  text, paste; Ctrl-J, Alt-Enter and Shift-Enter insert a new line
 *   erase   Backspace Delete, Ctrl-D H
 *   kill    Ctrl-K U W, Alt-d, Alt-Backspace; consecutive kills are joined
 *   yank    Ctrl-Y; Alt-y after a yank replaces it with the previous kill
 *   undo    Ctrl-_ (Ctrl-/ sends the same byte), Ctrl-X Ctrl-U; redo Alt-_ Alt-/
 *   chip    Alt-e expands the chip before or after the cursor
 *
 * False when the editor does not use the key or the key has no effect: Up in the first row, Down in the last (the caller's history);
 * Ctrl-D in an empty text; Ctrl-Y without a kill; new lines, Up and Down in a one-line editor.
 */
bool edit_key(struct edit *e, const struct key *key);

/*
 * Rows that the text needs at this width: at least 1, at most EDIT_ROWS_COUNTED. `columns` does not include the prompt sign. The
 * last column is reserved for the cursor.
 */
unsigned edit_rows(const struct edit *e, unsigned columns);

/*
 * Draws into the area, scrolled so that the cursor is visible: a text of one line sideways if the area is one row. Sets the canvas's cursor if
 * `focused`.
 */
void edit_draw(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused);

#endif
