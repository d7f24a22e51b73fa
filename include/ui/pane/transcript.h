/*
 * The transcript: the pane of the conversation, with folds, jumps, search and selection.
 */
#ifndef WEIR_UI_TRANSCRIPT_H
#define WEIR_UI_TRANSCRIPT_H

#include "ui/page/page_place.h"
#include "ui/pane/pane.h"

struct transcript; /* heap */

struct transcript *transcript_new(void);
void transcript_free(struct transcript *transcript);
struct pane *transcript_pane(struct transcript *transcript); /* the same object as a pane; pane_free() frees it too */

/*
 * Folds. If the transcript has the focus, one of the visible folds is current and marked: the one last stepped to or clicked, else the
 * last visible one at the end and the first visible one elsewhere. transcript_fold_one() toggles it; false: no fold is visible.
 * transcript_step_fold() makes the next fold above (-1) or below (1) current and scrolls to it; false: there is none, and
 * the one that is marked stays current.
 */
bool transcript_fold_one(struct transcript *transcript, const struct view *view);
/* True: a fold that has something to show is current, and `unfolded` says whether its text is shown. */
bool transcript_on_fold(struct transcript *transcript, const struct view *view, bool *unfolded);
/* The item of media that is current, with bytes or without; NULL: none. Unless it is `marked`, the last fold on the screen is not meant. */
const struct part *transcript_media(struct transcript *transcript, const struct view *view, bool marked);
bool transcript_step_fold(struct transcript *transcript, const struct view *view, int step);
/* Toggles the fold whose line is on a row of the screen, as last drawn; false: there is none on that row. */
bool transcript_fold_row(struct transcript *transcript, const struct view *view, unsigned row);
/*
 * Toggles the fold that the first visible row belongs to. If that row is no fold, or the view is at the end, toggles all folds of
 * the turn (of the last turn at the end). False: there are no folds.
 */
/* Whether there is a fold that either toggles while the transcript has the focus; `unfolded`: whether its text is shown. */
bool transcript_has_folds(struct transcript *transcript, const struct view *view, bool *unfolded);
bool transcript_toggle_fold(struct transcript *transcript, const struct view *view);
/*
 * Branches. transcript_turn() is the turn that the user went to, while it is in view: the one last jumped to or shown by
 * transcript_show_turn(), which is marked, or that of the fold last stepped to; else the last turn. transcript_branching() is the turn
 * that the user went to, else the last one in view, or the nearest above it in view that has siblings. NULL: there is none.
 *
 * Around a change of the path, transcript_hold() before it keeps the first visible row, and transcript_show_turn() after it brings the head
 * of the turn into view: the row stays if it is above the turn. A turn that is shown again is where it was left.
 */
struct turn *transcript_turn(struct transcript *transcript, const struct view *view);
struct turn *transcript_branching(struct transcript *transcript, const struct view *view);
void transcript_hold(struct transcript *transcript, const struct view *view);
void transcript_show_turn(struct transcript *transcript, const struct view *view, const struct turn *turn);
/* The sibling that a click means, as last drawn; NULL: the place shows nothing of siblings, or there is no such sibling. */
struct turn *transcript_sibling_at(struct transcript *transcript, const struct view *view, unsigned row, unsigned column);
/* Goes to the turn whose first row is on a row of the screen, as last drawn; false: none begins there. */
bool transcript_go_to_row(struct transcript *transcript, const struct view *view, unsigned row);
void transcript_set_form(struct transcript *transcript, enum page_form form); /* call before drawing; default PAGE_ON_SCREEN */
void transcript_set_width(struct transcript *transcript, const struct view *view, unsigned columns); /* for callers that do not draw */
void transcript_to_end(struct transcript *transcript);
/* Shows the end in an area, or from the first row of a part of the last turn on if the end leaves it out. */
void transcript_reveal(struct transcript *transcript, const struct view *view, struct area area, size_t part);
bool transcript_at_end(const struct transcript *transcript);
void transcript_to_start(struct transcript *transcript);
/* Scrolls to the nearest landmark above (-1) or below (1) the first visible row. False when there is none. */
bool transcript_jump(struct transcript *transcript, const struct view *view, enum page_landmark what, int step);
bool transcript_is_cut(const struct transcript *transcript); /* the last frame had code or tables that can be scrolled sideways */
bool transcript_grows_table(const struct transcript *transcript); /* in view in the last frame, in the answer under way */
unsigned transcript_drawn_rows(const struct transcript *transcript); /* rows of its area that the last frame used */
size_t transcript_new_lines(const struct transcript *transcript); /* lines that arrived since the end was last visible */

/*
 * The block that the last jump led to: the page is on it until it scrolls or goes elsewhere. Of it, else of the last block that is visible
 * or above the view, the others append the source. False when there is none.
 */
enum transcript_block { TRANSCRIPT_NO_BLOCK, TRANSCRIPT_CODE, TRANSCRIPT_TABLE };
enum transcript_block transcript_on_block(struct transcript *transcript, const struct view *view);
bool transcript_code(struct transcript *transcript, const struct view *view, struct buf *out);
bool transcript_table(struct transcript *transcript, const struct view *view, struct buf *out);

/*
 * Search in text, reasoning and tool calls. transcript_search() shows the newest hit that is not below the view as it was when the
 * search began; each new needle starts there again. A step goes to the next older (-1) or newer (1) hit; false: there is none.
 */
void transcript_search_begin(struct transcript *transcript, const struct view *view);
void transcript_search(struct transcript *transcript, const struct view *view, struct str needle);
bool transcript_search_step(struct transcript *transcript, const struct view *view, int step);
void transcript_search_keep(struct transcript *transcript);   /* ends the search at the current hit; hits stay marked */
void transcript_search_leave(struct transcript *transcript);  /* cancels: scrolls back and removes the marks */
void transcript_search_forget(struct transcript *transcript); /* removes the marks */

/* The hits, for other panes to mark in live parts; borrowed. NULL: no search. */
struct hits *transcript_marks(struct transcript *transcript);

/*
 * Selection: a range of whole source lines between an anchor and a cursor. The view scrolls with the cursor. transcript_select()
 * starts at the current hit if it is visible; else at the last visible text if the view is at the end; else at the first visible row.
 */
bool transcript_select(struct transcript *transcript, const struct view *view);     /* false: the conversation is empty */
void transcript_select_move(struct transcript *transcript, const struct view *view, long rows);
bool transcript_select_jump(struct transcript *transcript, const struct view *view, enum page_landmark what, int step);
void transcript_select_swap(struct transcript *transcript, const struct view *view); /* exchanges anchor and cursor */
void transcript_select_anew(struct transcript *transcript);                          /* moves the anchor to the cursor */
void transcript_select_leave(struct transcript *transcript, const struct view *view);
/* Appends the selected source: one contiguous range of each text, separated by blank lines. Of cells: the text that they show. */
void transcript_selected(struct transcript *transcript, const struct view *view, struct buf *out);

/*
 * Selection of cells, from the one where the button of the mouse is pressed to the one where it is, with both; `unit`: with all of their words
 * or lines. The place is one of the screen, as last drawn. Cells are marked at once unless the unit is a cell: then from the first
 * transcript_drag() on. `scrolls`: a row at the edge of the view scrolls. False: there is nothing to select.
 */
enum transcript_unit { TRANSCRIPT_CELL, TRANSCRIPT_WORD, TRANSCRIPT_LINE };
bool transcript_press(struct transcript *transcript, const struct view *view, unsigned row, unsigned column, enum transcript_unit unit);
bool transcript_drag(struct transcript *transcript, const struct view *view, unsigned row, unsigned column, bool scrolls);

/* "3 of 17", counted from the oldest hit; without hits "0 of 0". */
struct transcript_hits { bool searching; size_t at, count; };
struct transcript_hits transcript_hits(const struct transcript *transcript);

/*
 * What a frame of a turn wrote, which is marked; `t` NULL: nothing. transcript_show_written() scrolls to it unless it is in view. The text
 * at a row of the screen, as last drawn, and at the place that keys act on: the selection's end, the current hit, the fold that it is on,
 * else the first text in view, or the last one at the end. False: there is no text of an answer.
 */
void transcript_set_written(struct transcript *transcript, const struct turn *t, struct page_written written);
void transcript_show_written(struct transcript *transcript, const struct view *view);
struct transcript_text { struct turn *turn; size_t part, offset; };
bool transcript_text_at(struct transcript *transcript, const struct view *view, unsigned row, struct transcript_text *text);
bool transcript_text_here(struct transcript *transcript, const struct view *view, struct transcript_text *text);

/* Searches, and shows the first hit of the turn that is not before a text of it, else its first one, else the turn. Hits stay marked. */
void transcript_search_at(struct transcript *transcript, const struct view *view, struct str needle, const struct transcript_text *text);

/* Drops all pages, the search and the selection: a new conversation begins. */
void transcript_forget(struct transcript *transcript);

#endif
