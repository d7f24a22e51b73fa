/*
 * Internals of the transcript, shared by its files: pane_transcript.c (drawing, keys), transcript_place.c (places),
 * transcript_find.c (search, jumps, code), transcript_branch.c (which turn it is on, branches), transcript_fold.c (folds),
 * transcript_select.c (selection of lines), transcript_cells.c (selection of cells), transcript_written.c (what a frame wrote),
 * transcript_news.c (counts new lines).
 *
 * The scroll position is a mark in a page, so the first visible row stays when text arrives, folds change or the window is resized.
 * Only rows near the view are laid out: the cost of a frame does not grow with the conversation.
 */
#ifndef WEIR_UI_TRANSCRIPT_INSIDE_H
#define WEIR_UI_TRANSCRIPT_INSIDE_H

#include "ui/page/hits.h"
#include "ui/page/page.h"
#include "ui/pane/transcript.h"

#define NO_TURN ((size_t)-1)

/* A row of the conversation in the current layout. */
struct place { size_t turn, piece, row; };

/* A scroll position that survives a new layout. */
struct bookmark { size_t turn; struct page_mark mark; bool following; };

/*
 * A cell, counted from the piece that it is in by cells of text: another width of the page or of a table's column does not change the number. A
 * cell without text is found from the last one with text before it.
 */
struct cell_mark {
	size_t before;           /* cells of text before it */
	bool is_text;
	size_t rows;             /* rows below the last cell of text, or the start of the piece; 0 if it is text */
	unsigned blanks;         /* columns from its end, or from the start of the row */
};

/* The selection. Bookmarks keep it in place when text arrives or folds change. */
struct selection {
	bool active;
	bool by_cells;           /* not by lines. The bookmarks are then of pieces; set from the press of the button on */
	struct bookmark anchor, cursor;
	struct cell_mark anchor_cell, cursor_cell;
	enum transcript_unit unit;
	bool followed;           /* the view was at the end when the selection began, and has not scrolled since */
};

/* Counts the source lines that arrive while the end is not visible. */
struct news {
	size_t turn, part, length;   /* position up to which lines were counted */
	size_t lines;                /* complete lines */
	size_t tail;                 /* bytes of the incomplete last line */
};

struct transcript {
	struct pane pane;
	struct page **pages;     /* by the turns' numbers; NULL: not laid out yet. They stay while another branch is shown */
	size_t count, capacity;
	size_t known, known_last; /* turns of the path when it was last looked at, and the number of the last one */
	unsigned wide;           /* columns that tables, code and pictures may take */
	unsigned sideways;       /* horizontal scroll offset of clipped code and wide tables */
	bool was_raw, was_clipped; /* the look that sideways applies to */
	bool was_following;        /* when `readings`, how often somebody left the end to read, was counted last */
	unsigned readings;
	unsigned beyond;         /* columns of code and tables cut at the right in the last frame */
	bool by_columns;         /* a table in view scrolls: by its columns, to these values of `sideways` */
	unsigned before, next;
	enum page_form form;
	unsigned width;          /* columns of text in the last frame */
	unsigned height, row;    /* rows and first row of the pane's area in the last frame */
	bool grows_table;        /* it ended in a table of the answer under way */
	unsigned drawn;          /* rows of it that the last frame used; below them it is blank */
	unsigned column, columns; /* first column and columns of the text in it */
	bool following;          /* the view follows the end */
	size_t drawn_first, drawn_last; /* first and last turn of the last frame */
	size_t top_turn;         /* turn of the first visible row; unused while following */
	struct page_mark top;    /* position of that row in its page */

	size_t focus;            /* the turn last jumped to, by its number; NO_TURN: none, or a fold was stepped to since */
	size_t fold_turn, fold_part; /* the fold last stepped to or clicked; NO_TURN: none */
	size_t block_turn;       /* the turn of the block last jumped to, by its number; NO_TURN: none, or the page went elsewhere since */
	struct page_mark block;
	struct hits hits;        /* search hits; an empty needle: no search */
	size_t opened, opened_part; /* number of the turn, and part, that were unfolded to show a hit; NO_TURN: none */
	size_t written_turn;     /* number of the turn of which `written` is marked; NO_TURN: none */
	struct page_written written;
	struct bookmark origin, bottom; /* first and last visible row when the search began */
	unsigned origin_column;  /* sideways when the search began */
	struct news news;
	uint64_t rewinds;        /* of the last turn when its lines were last counted */
	struct selection selection;
};

/* Scrolls clipped code and wide tables horizontally by the least amount that makes these columns visible. */
void transcript_show_columns(struct transcript *p, unsigned first, unsigned last);
/* The markdown options for the current look. Resets the horizontal scroll when the look has changed. */
struct markdown_options transcript_options(struct transcript *p, const struct view *view);

/* Call before indexes of turns are used: the path may have gone over to another branch since the last call. */
void transcript_heed(struct transcript *p, const struct view *view);
struct page *transcript_page(struct transcript *p, const struct view *view, size_t turn);

/* Steps to the next piece that has rows; false at the end of the conversation. */
bool transcript_next_piece(struct transcript *p, const struct view *view, struct place *at);
/* Walks `rows` down (or up, negative); stops at both ends of the conversation. */
void transcript_walk(struct transcript *p, const struct view *view, long rows, struct place *at);

/* The first row of the block that the page is on; false: it is on none. */
bool transcript_find_block(struct transcript *p, const struct view *view, struct place *at);

bool place_is_before(const struct place *a, const struct place *b);
/* The first visible row when the view is at the end. The blank row after the last page does not count. */
struct place transcript_end(struct transcript *p, const struct view *view);
struct place transcript_top(struct transcript *p, const struct view *view); /* the first visible row */
/* Makes `at` the first visible row. At or below transcript_end(), the view follows the end. */
void transcript_show_from(struct transcript *p, const struct view *view, struct place at);

struct bookmark transcript_bookmark(struct transcript *p, const struct view *view, struct place at);
struct place transcript_place(struct transcript *p, const struct view *view, const struct bookmark *bookmark);
struct place transcript_bottom(struct transcript *p, const struct view *view); /* the last visible row */
struct place transcript_hit(struct transcript *p, const struct view *view, size_t index); /* the row of a search hit */
/* Moves `*at` to the nearest landmark above (-1) or below (1) it. False when there is none. */
bool transcript_seek(struct transcript *p, const struct view *view, enum page_landmark what, int step, struct place *at);
/* The first and the last row of the selection of lines, extended to whole lines. False when there is none. */
bool transcript_range(struct transcript *p, const struct view *view, struct place *first, struct place *last);

/* Marks the selection as active. While an answer streams, the view stops following the end, so that new text does not move it. */
void transcript_select_hold(struct transcript *p, const struct view *view);
/* Shows a row to which the cursor of the selection has moved. */
void transcript_select_show(struct transcript *p, const struct view *view, struct place at);

/* --- transcript_cells.c --- */

/* The columns of a selection of cells: from `from` in the first row to before `to` in the last one. */
struct cell_range { struct place first, last; unsigned from, to; };
bool transcript_cells(struct transcript *p, const struct view *view, struct cell_range *range); /* false: there is no selection of cells */
/* Restyles the cells of a row, drawn from `column` on, that are selected. */
struct shown;
void transcript_mark_cells(struct shown *shown, struct page *page, struct place at, const struct cell_range *range, struct canvas *canvas,
                           unsigned row, unsigned column);
void transcript_copy_cells(struct transcript *p, const struct view *view, struct buf *out); /* appends their text */

/* The fold that the transcript is on, in view; false: there is none. */
bool transcript_current_fold(struct transcript *p, const struct view *view, size_t *turn, size_t *part);

/* The turn that the user went to, as an index, if it is in view; false: there is none. */
bool transcript_focused(struct transcript *p, const struct view *view, size_t *turn);

bool transcript_hides_reasoning(const struct transcript *p, const struct view *view);
void transcript_find_hits(struct transcript *p, const struct view *view); /* searches the text that has arrived since */

/* Counts new lines. `seen`: the end is visible, so the count restarts at zero. */
void news_update(struct news *news, const struct conversation *c, bool seen, bool without_reasoning);

#endif
