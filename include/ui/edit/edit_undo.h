/*
 * The undo history: changes of a text. A change replaces the bytes `removed` at an offset with the bytes `inserted`.
 *
 * Typing is joined by word, including the blanks after it. Erasing is joined by direction. Every other change is a step of its own. The steps of a
 * group are undone and redone together. The history is bounded in bytes; the oldest changes are dropped first.
 */
#ifndef WEIR_UI_EDIT_UNDO_H
#define WEIR_UI_EDIT_UNDO_H

#include "base/text.h"

enum undo_kind { UNDO_ALONE, UNDO_TYPED, UNDO_ERASED };

struct undo_text {
	struct str text;
	unsigned origin;               /* chosen by the caller; a joined change has the lowest of its origins */
};

struct undo_change {
	enum undo_kind kind;
	unsigned group;                /* undone together with its neighbours of the same one; 0: alone */
	size_t at;
	size_t cursor;                 /* position of the cursor before the change */
	struct buf removed, inserted;
	unsigned removed_origin, inserted_origin;
};

struct undo {
	struct undo_change *changes;
	size_t count, capacity;
	size_t done;                   /* changes [0, done) are applied; the rest were undone */
	size_t bytes;
	bool closed;                   /* the next change starts a new step */
	unsigned group, groups;        /* that of the next changes, 0: none; and how many there were */
};

void undo_init(struct undo *u);
void undo_fini(struct undo *u);
void undo_clear(struct undo *u);

/* Records a change that was made. Drops the changes that were undone and not redone. */
void undo_add(struct undo *u, enum undo_kind kind, size_t at, size_t cursor, struct undo_text removed, struct undo_text inserted);
void undo_close(struct undo *u); /* ends the current step */
/* Changes from now on are one group, until undo_ungroup(). */
void undo_group(struct undo *u);
void undo_ungroup(struct undo *u);
bool undo_goes_on(const struct undo *u); /* the step back or forward that was taken is amid a group: take the next one, too */

/* The change that the caller has to revert or to apply again; NULL: there is none. Borrowed until the next call. */
const struct undo_change *undo_step_back(struct undo *u);
const struct undo_change *undo_step_forward(struct undo *u);

#endif
