/*
 * What can be undone: changes of a text, each "at this place these bytes gave way to those".
 *
 * Typing joins into runs of a word with the blanks behind it, erasing into runs of one direction; all else stands alone.
 * Bounded in bytes: the oldest changes are forgotten.
 */
#ifndef WEIR_UI_EDIT_UNDO_H
#define WEIR_UI_EDIT_UNDO_H

#include "base/text.h"

enum undo_kind { UNDO_ALONE, UNDO_TYPED, UNDO_ERASED };

struct undo_text {
	struct str text;
	unsigned origin;               /* a number of the caller's; joined changes have the least */
};

struct undo_change {
	enum undo_kind kind;
	size_t at;
	size_t cursor;                 /* where it stood before */
	struct buf removed, inserted;
	unsigned removed_origin, inserted_origin;
};

struct undo {
	struct undo_change *changes;
	size_t count, capacity;
	size_t done;                   /* changes before it are in the text, those behind were undone */
	size_t bytes;
	bool closed;                   /* the next change begins a run of its own */
};

void undo_init(struct undo *u);
void undo_fini(struct undo *u);
void undo_clear(struct undo *u);

/* What was undone and not redone is forgotten. */
void undo_add(struct undo *u, enum undo_kind kind, size_t at, size_t cursor, struct undo_text removed, struct undo_text inserted);
void undo_close(struct undo *u);

/* The change to be taken back, or done again, by the caller; NULL: there is none. Borrowed until the next call. */
const struct undo_change *undo_back(struct undo *u);
const struct undo_change *undo_again(struct undo *u);

#endif
