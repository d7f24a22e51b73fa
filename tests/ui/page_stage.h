/* A conversation of one turn in the transcript, drawn on a canvas of its own. */
#ifndef WEIR_TESTS_PAGE_STAGE_H
#define WEIR_TESTS_PAGE_STAGE_H

#include "ui/pane/transcript.h"

#define PAGE_STAGE_COLUMNS 42

struct page_stage {
	struct conversation *conversation;
	struct transcript *pane;
	struct canvas *canvas;
	struct look look;
	struct view view;
	unsigned top; /* row of the canvas where the transcript begins */
};

/* The place of the cell that a text begins in, and of its last one. */
struct spot { unsigned row, column, last; };

/* Draws it. The stage must stay where it is. Returns the answer, which is the stage's. */
struct turn *page_stage_begin(struct page_stage *s, unsigned rows, const char *question, const char *answer);
void page_stage_end(struct page_stage *s);
void page_stage_show(struct page_stage *s);                          /* draws what has changed */
struct spot page_stage_find(struct page_stage *s, const char *text); /* the first one that is drawn; the test fails if none is */

#endif
