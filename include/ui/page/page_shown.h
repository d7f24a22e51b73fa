/*
 * What a row of a page shows of texts, cell by cell: what the mouse selects. Left out is what the page adds to them: bars of prompts and
 * quotes, edges of tables, labels of code, figures beside a text, pictures.
 */
#ifndef WEIR_UI_PAGE_SHOWN_H
#define WEIR_UI_PAGE_SHOWN_H

#include "ui/page/page.h"

enum shown_kind { SHOWN_NOTHING, SHOWN_BLANK, SHOWN_TEXT, SHOWN_EDGE }; /* an edge is between two cells of a table */

struct shown {
	struct canvas *canvas;   /* the row, alone */
	uint8_t *kinds;          /* enum shown_kind by columns; the right half of a wide character is SHOWN_NOTHING */
	unsigned columns;
	unsigned count;          /* cells of text */
	unsigned begin, end;     /* columns of the first one that is not left out, and behind the last one of text; both 0: there is none */
	bool left_out;           /* it has nothing but what is left out */
	bool wraps;              /* the next row goes on with its line */
	unsigned blanks;         /* blanks between the two, which are not shown */
};

void shown_init(struct shown *s, unsigned columns);
void shown_fini(struct shown *s);
void shown_row(struct shown *s, struct page *p, struct page_row at); /* reads a row */

/* The column of a cell of text, counted from 0; `columns` beyond the last one. */
unsigned shown_column(const struct shown *s, size_t cell);
unsigned shown_start(const struct shown *s, unsigned column);  /* of the character that a column shows */
unsigned shown_behind(const struct shown *s, unsigned column); /* the column behind it */
/* The word around a column, as columns [*from, *to). The column alone, if it is of none. */
void shown_word(const struct shown *s, unsigned column, unsigned *from, unsigned *to);

/* Appends the text of the columns [from, to). A tab stands for an edge. `continues`: without blanks at its start. */
void shown_copy(const struct shown *s, unsigned from, unsigned to, bool continues, struct buf *out);

#endif
