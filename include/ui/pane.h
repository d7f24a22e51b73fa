/*
 * Panes: what the screen is stacked of. Each is a row in one table; the layout asks every one how many rows it wants.
 *
 * A pane keeps its own scrolling and folds, reads the view, draws into its area, and answers a key by true when it was its
 * own (scrolling); commands are the program's. A pane that wants no rows is not there.
 */
#ifndef WEIR_UI_PANE_H
#define WEIR_UI_PANE_H

#include "ui/key.h"
#include "ui/page.h"
#include "ui/view.h"

#define WHEEL_ROWS 3 /* that a turn of the wheel scrolls */

struct pane; /* heap */

struct pane_ops {
	const char *name;
	struct pane *(*new)(void);
	void (*free)(struct pane *pane);
	/* Rows it would like, hairline included, at most `most`; 0: nothing to show. */
	unsigned (*rows)(struct pane *pane, const struct view *view, unsigned columns, unsigned most);
	void (*draw)(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused);
	bool (*key)(struct pane *pane, const struct view *view, const struct key *key); /* NULL: takes no focus */
};

extern const struct pane_ops pane_transcript;
extern const struct pane_ops pane_reasoning;
extern const struct pane_ops pane_tools;
extern const struct pane_ops pane_status;

/*
 * The transcript's own: unfold or fold the reasoning or call that the first row in view is of; where that is none, and at the end, all
 * of the turn (the last one when at the end). False: there is none.
 */
bool transcript_toggle_fold(struct pane *transcript, const struct view *view);
void transcript_set_raw(struct pane *transcript, bool raw); /* the source of answers instead of markdown */
/* Long lines of code are cut at the edge and scrolled sideways by Left and Right, or wrapped. */
void transcript_set_clip(struct pane *transcript, bool clip);
void transcript_set_form(struct pane *transcript, enum page_form form); /* before anything is shown; else it is on the screen */
void transcript_set_width(struct pane *transcript, const struct view *view, unsigned columns); /* as drawing does */
/* The same text, and held still while more comes. */
void transcript_show_as(struct pane *transcript, const struct view *view, struct pane *other);
void transcript_to_end(struct pane *transcript);
bool transcript_at_end(const struct pane *transcript);
void transcript_to_start(struct pane *transcript);
/* Shows from the nearest one above the first row in view (-1) or below it (1) on; false when there is none. */
bool transcript_jump(struct pane *transcript, const struct view *view, enum page_landmark what, int step);
size_t transcript_new_lines(const struct pane *transcript);  /* that came since the end was in view */

/* Appends the newest code block that is in view, or above it, as it was written; false when there is none. */
bool transcript_code(struct pane *transcript, const struct view *view, struct buf *out);

/*
 * The search, in text, reasoning and tools: from where it began, transcript_search() shows the newest hit that is not below the
 * view, again with every other needle. Then steps go to the next older (-1) or newer one; false: there is none.
 */
void transcript_search_begin(struct pane *transcript, const struct view *view);
void transcript_search(struct pane *transcript, const struct view *view, struct str needle);
bool transcript_search_step(struct pane *transcript, const struct view *view, int step);
void transcript_search_keep(struct pane *transcript);   /* stays at the hit; hits stay marked */
void transcript_search_leave(struct pane *transcript);  /* back to where it began, nothing marked */
void transcript_search_forget(struct pane *transcript); /* nothing marked */

/* For other panes to mark the same in what is live; NULL: nothing is searched. */
struct hits *transcript_marks(struct pane *transcript);

/*
 * A range of whole lines of the source, from where it began to its other end, which moves; the view goes along. It begins at the
 * hit that is shown, else at the last row in view while that is the end, else at the first one.
 */
bool transcript_select(struct pane *transcript, const struct view *view);     /* false: there is nothing */
/* A row of the screen, as last drawn. */
bool transcript_select_row(struct pane *transcript, const struct view *view, unsigned row, bool extend);
void transcript_select_move(struct pane *transcript, const struct view *view, long rows);
bool transcript_select_jump(struct pane *transcript, const struct view *view, enum page_landmark what, int step);
void transcript_select_swap(struct pane *transcript, const struct view *view); /* the other end moves from now on */
void transcript_select_anew(struct pane *transcript);                          /* from the moving end on */
void transcript_select_leave(struct pane *transcript, const struct view *view);
/* Appends the source of what is selected: of each text one unbroken part, parted by blank lines. */
void transcript_selected(struct pane *transcript, const struct view *view, struct buf *out);

/* "3 of 17", from the oldest; no hit: 0 of 0. */
struct transcript_hits { bool searching; size_t at, count; };
struct transcript_hits transcript_hits(const struct pane *transcript);

/* A conversation of its own begins: forget pages. */
void transcript_forget(struct pane *transcript);

#endif
