/*
 * Internals shared by the files of the editor: edit.c (changes and keys), edit_vi.c (vi's keys), edit_move.c (positions in the text), edit_draw.c
 * (rows).
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

enum edit_action { EDIT_ANY, EDIT_KILLED, EDIT_YANKED, EDIT_PREFIXED };

struct edit_stashed {
	size_t as;               /* its number */
	struct buf text, origins;
	size_t cursor;
};

/* The state of vi's keys. */
struct edit_vi {
	bool on;                 /* these keys are chosen */
	bool commands;           /* the command state: letters are commands; else they are inserted */
	bool replaces;           /* inserted text takes the place of what is at the cursor (R) */
	struct buf typed;        /* letters of a command that is not whole yet */
	struct buf again;        /* letters of the last command that changed the text, for `.` */
	struct buf written;      /* what was inserted after it */
	unsigned written_origin;
	unsigned more;           /* how many times more the text is inserted at the end of the insertion (3i) */
	bool opens;              /* each of them in a line of its own (3o) */
	size_t from, behind;     /* where the insertion began, and the number of bytes behind that; `from` SIZE_MAX: no command began it */
	struct buf found;        /* the last f, F, t or T with its character */
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
	struct edit_vi vi;
	enum edit_wish wish;     /* edit_wish() */
	unsigned wished;
	struct edit_stashed *stashed;
	size_t stashed_count, stashed_capacity;
};

struct str edit_between(const struct edit *e, size_t from, size_t to); /* a range of the text; borrowed until the next change */

/* Replaces a range as one undo step. Does nothing when the result would exceed EDIT_LIMIT. `text` must not point into e->text. */
void edit_change(struct edit *e, enum undo_kind kind, size_t from, size_t to, struct str text, unsigned origin);
void edit_undo(struct edit *e);

void edit_vi_init(struct edit_vi *vi);
void edit_vi_fini(struct edit_vi *vi);
/* A key of the command state. False: it has no use for it, or wishes something. */
bool edit_vi_key(struct edit *e, const struct key *key);
size_t edit_vi_over(const struct edit *e, struct str text); /* the end of what text typed at the cursor takes the place of */
void edit_vi_begin_again(struct edit *e);  /* the text is a new one: the insert state */
void edit_vi_settle(struct edit *e);       /* in the command state the cursor is on a character, not behind a line */

/* How a cluster counts in movement by words. */
enum word_kind { WORD_BLANK, WORD_SIGNS, WORD_LETTERS, WORD_OF_ITS_OWN };
enum word_kind edit_word_kind(const struct edit *e, size_t at, bool blanks); /* with `blanks`, only blanks separate words */

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
