/*
 * The inside of the transcript, for its own files: pane_transcript.c (drawing, keys, folds), transcript_place.c (places),
 * transcript_find.c (search, jumps, code), transcript_select.c (a range of lines), transcript_news.c (what came since one reads).
 *
 * The place of the first row is a mark in a page, so that nothing that arrives, folds or is resized moves what is being
 * read. Rows are made only near what is seen: the cost of a frame does not grow with the conversation.
 */
#ifndef WEIR_UI_TRANSCRIPT_INSIDE_H
#define WEIR_UI_TRANSCRIPT_INSIDE_H

#include "ui/page/hits.h"
#include "ui/pane/transcript.h"

#define NO_TURN ((size_t)-1)

/* A row of the conversation, as it is laid out now. */
struct place { size_t turn, piece, row; };

/* Where one was, as text. */
struct bookmark { size_t turn; struct page_mark mark; bool following; };

/* A range of lines that is being selected, as text: what arrives and folds does not move it. */
struct selection {
	bool active;
	struct bookmark anchor, cursor;
	bool followed;           /* the end was in view when it began, and the view was not moved since */
};

/* What came while the end was out of sight: lines of text, as the server broke them. */
struct news {
	size_t turn, part, length;   /* counted up to here */
	size_t lines, tail;          /* whole ones, and bytes of one that goes on */
};

struct transcript {
	struct pane pane;
	struct page *pages;      /* one a turn */
	size_t count, capacity;
	unsigned code_column;    /* how far clipped code is scrolled sideways */
	bool was_raw, was_clipped; /* the look that code_column belongs to */
	unsigned beyond;         /* of the last frame: columns of code that lie right of the edge */
	enum page_form form;
	unsigned width;          /* of text, as last drawn */
	unsigned height, row;    /* of its area, as last drawn */
	bool following;
	size_t drawn_first, drawn_last; /* turns of the last frame */
	size_t top_turn;         /* when not following: the first row */
	struct page_mark top;

	struct hits hits;        /* of the search; no needle: none */
	size_t opened, opened_part; /* turn and part that were unfolded to show it; NO_TURN */
	struct bookmark origin, bottom; /* the first and the last row when the search began, */
	unsigned origin_column;  /* and how far code was scrolled sideways */
	struct news news;
	struct selection selection;
};

/* Scrolls code that is clipped so that these columns of it are in view, and no farther than that needs. */
void transcript_show_columns(struct transcript *p, unsigned first, unsigned last);
/* The options of answers by the present look. Scrolls code back to its start when the look has changed. */
struct markdown_options transcript_options(struct transcript *p, const struct view *view);

struct page *transcript_page(struct transcript *p, const struct view *view, size_t turn);

/* Steps to the next piece that has rows; false at the end of the conversation. */
bool transcript_next_piece(struct transcript *p, const struct view *view, struct place *at);
/* Walks `rows` down (or up, negative); stops at both ends of the conversation. */
void transcript_walk(struct transcript *p, const struct view *view, long rows, struct place *at);

bool place_is_before(const struct place *a, const struct place *b);
/* The first row that is shown when the end is in view (the blank row behind the last page is not), and the one that is shown now. */
struct place transcript_end(struct transcript *p, const struct view *view);
struct place transcript_top(struct transcript *p, const struct view *view);
void transcript_show_from(struct transcript *p, const struct view *view, struct place at); /* follows when that is the end */

struct bookmark transcript_bookmark(struct transcript *p, const struct view *view, struct place at);
struct place transcript_place(struct transcript *p, const struct view *view, const struct bookmark *bookmark);
struct place transcript_bottom(struct transcript *p, const struct view *view); /* the last row in view */
struct place transcript_hit(struct transcript *p, const struct view *view, size_t index); /* of a search */
/* The nearest landmark above (-1) or below (1) a place, which becomes it; false when there is none. */
bool transcript_seek(struct transcript *p, const struct view *view, enum page_landmark what, int step, struct place *at);
/* The first and the last row of what is selected, whole lines; false when nothing is. */
bool transcript_range(struct transcript *p, const struct view *view, struct place *first, struct place *last);

bool transcript_hides_reasoning(const struct transcript *p, const struct view *view);
void transcript_find_hits(struct transcript *p, const struct view *view); /* of the search, in what came since */

/* `seen`: all that is there, nothing is new. */
void news_update(struct news *news, const struct conversation *c, bool seen, bool without_reasoning);

#endif
