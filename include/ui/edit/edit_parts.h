/*
 * What the files of the editor share: edit.c (changes and keys), edit_move.c (places in the text), edit_draw.c (rows).
 */
#ifndef WEIR_UI_EDIT_PARTS_H
#define WEIR_UI_EDIT_PARTS_H

#include <limits.h>

#include "render/flow.h"
#include "ui/edit/edit.h"
#include "ui/edit/edit_chips.h"
#include "ui/edit/edit_kills.h"
#include "ui/edit/edit_undo.h"

#define EDIT_NO_COLUMN UINT_MAX

enum edit_action { EDIT_ANY, EDIT_KILLED, EDIT_YANKED };

struct edit_parts {
	struct flow flow;        /* as far as rows were asked for */
	unsigned columns;        /* as drawn last */
	size_t top;              /* the first row drawn */
	unsigned sticky_column;  /* of vertical movement */
	struct undo undo;
	struct kills kills;
	struct chips chips;
	enum edit_action last;   /* what the last key did: kills gather, Alt-y follows a yank */
	size_t yanked_at;
	struct buf origins;      /* of each byte of the text, an enum edit_origin */
	struct buf stash, stash_origins;
	size_t stash_cursor;
};

/* Places: offsets of clusters, words and lines. A chip is one cluster and one word. */
size_t edit_before(const struct edit *e, size_t at);
size_t edit_after(const struct edit *e, size_t at);
size_t edit_word_before(const struct edit *e, bool blanks); /* with `blanks` a word is all that is not blank */
size_t edit_word_after(const struct edit *e);
size_t edit_line_start(const struct edit *e, size_t at);
size_t edit_line_end(const struct edit *e, size_t at);

/* Moves the cursor by a row of those that were drawn; false at the edge. */
bool edit_move_rows(struct edit *e, int by);

#endif
