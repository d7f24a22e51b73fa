/*
 * Internals shared by the files of the editor: edit.c (changes and keys), edit_move.c (positions in the text), edit_draw.c (rows).
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

struct edit_stashed {
	size_t as;               /* its number */
	struct buf text, origins;
	size_t cursor;
};

struct edit_parts {
	struct flow flow;        /* rows laid out so far; may cover only the start of the text */
	unsigned columns;        /* width of the last frame */
	size_t top;              /* first visible row of the last frame */
	unsigned sticky_column;  /* column that vertical movement aims for; EDIT_NO_COLUMN: none */
	struct undo undo;
	struct kills kills;
	struct chips chips;
	enum edit_action last;   /* what the last key did: consecutive kills join, Alt-y follows a yank */
	size_t yanked_at;        /* start of the last yank */
	struct buf origins;      /* an enum edit_origin for each byte of the text */
	struct edit_stashed *stashed;
	size_t stashed_count, stashed_capacity;
};

struct str edit_between(const struct edit *e, size_t from, size_t to); /* a range of the text; borrowed until the next change */

/* Offsets of clusters, words and lines. A chip is one cluster and one word. */
size_t edit_before(const struct edit *e, size_t at);
size_t edit_after(const struct edit *e, size_t at);
size_t edit_word_before(const struct edit *e, bool blanks); /* with `blanks`, only blanks separate words */
size_t edit_word_after(const struct edit *e);
size_t edit_line_start(const struct edit *e, size_t at);
size_t edit_line_end(const struct edit *e, size_t at);

/* Moves the cursor up (-1) or down (1) by one row, as last drawn. False in the first or last row. */
bool edit_move_rows(struct edit *e, int by);

#endif
