/*
 * The transcript: the pane of the conversation, and what can be asked of it beside scrolling - folds, jumps, search, selection.
 */
#ifndef WEIR_UI_TRANSCRIPT_H
#define WEIR_UI_TRANSCRIPT_H

#include "ui/page/page.h"
#include "ui/pane/pane.h"

struct transcript; /* heap */

struct transcript *transcript_new(void);
void transcript_free(struct transcript *transcript);
struct pane *transcript_pane(struct transcript *transcript); /* the same object, to be drawn and given keys */

/*
 * Unfolds or folds the reasoning or call that the first row in view is of; where that is none, and at the end, all
 * of the turn (the last one when at the end). False: there is none.
 */
bool transcript_toggle_fold(struct transcript *transcript, const struct view *view);
void transcript_set_form(struct transcript *transcript, enum page_form form); /* before anything is shown; else it is on the screen */
void transcript_set_width(struct transcript *transcript, const struct view *view, unsigned columns); /* as drawing does */
/* The same text, and held still while more comes. */
void transcript_show_as(struct transcript *transcript, const struct view *view, struct transcript *other);
void transcript_to_end(struct transcript *transcript);
bool transcript_at_end(const struct transcript *transcript);
void transcript_to_start(struct transcript *transcript);
/* Shows from the nearest one above the first row in view (-1) or below it (1) on; false when there is none. */
bool transcript_jump(struct transcript *transcript, const struct view *view, enum page_landmark what, int step);
size_t transcript_new_lines(const struct transcript *transcript); /* that came since the end was in view */

/* Appends the newest code block that is in view, or above it, as it was written; false when there is none. */
bool transcript_code(struct transcript *transcript, const struct view *view, struct buf *out);

/*
 * The search, in text, reasoning and tools: from where it began, transcript_search() shows the newest hit that is not below the
 * view, again with every other needle. Then steps go to the next older (-1) or newer one; false: there is none.
 */
void transcript_search_begin(struct transcript *transcript, const struct view *view);
void transcript_search(struct transcript *transcript, const struct view *view, struct str needle);
bool transcript_search_step(struct transcript *transcript, const struct view *view, int step);
void transcript_search_keep(struct transcript *transcript);   /* stays at the hit; hits stay marked */
void transcript_search_leave(struct transcript *transcript);  /* back to where it began, nothing marked */
void transcript_search_forget(struct transcript *transcript); /* nothing marked */

/* For other panes to mark the same in what is live; NULL: nothing is searched. */
struct hits *transcript_marks(struct transcript *transcript);

/*
 * A range of whole lines of the source, from where it began to its other end, which moves; the view goes along. It begins at the
 * hit that is shown, else at the last row in view while that is the end, else at the first one.
 */
bool transcript_select(struct transcript *transcript, const struct view *view);     /* false: there is nothing */
/* A row of the screen, as last drawn. */
bool transcript_select_row(struct transcript *transcript, const struct view *view, unsigned row, bool extend);
void transcript_select_move(struct transcript *transcript, const struct view *view, long rows);
bool transcript_select_jump(struct transcript *transcript, const struct view *view, enum page_landmark what, int step);
void transcript_select_swap(struct transcript *transcript, const struct view *view); /* the other end moves from now on */
void transcript_select_anew(struct transcript *transcript);                          /* from the moving end on */
void transcript_select_leave(struct transcript *transcript, const struct view *view);
/* Appends the source of what is selected: of each text one unbroken part, parted by blank lines. */
void transcript_selected(struct transcript *transcript, const struct view *view, struct buf *out);

/* "3 of 17", from the oldest; no hit: 0 of 0. */
struct transcript_hits { bool searching; size_t at, count; };
struct transcript_hits transcript_hits(const struct transcript *transcript);

/* A conversation of its own begins: forget pages. */
void transcript_forget(struct transcript *transcript);

#endif
