/*
 * Rows of fields: columns for people, or fields with a tab between them for another program. Fields are made safe for a terminal
 * (output_field()).
 */
#ifndef WEIR_APP_COLUMNS_H
#define WEIR_APP_COLUMNS_H

#include "base/text.h"

#define COLUMNS_MOST 8u

struct columns { /* embedded; all zero but for the first four members: no rows */
	size_t count;           /* of columns, at most COLUMNS_MOST */
	unsigned most;          /* cells of a column; what stands behind a longer field is farther to the right. 0: no limit */
	unsigned width;         /* cells of a row for people: its last field is cut to fit, with "..."; 0: no limit */
	bool wraps;             /* in place of that it goes on in rows below itself */
	size_t fields;          /* number of fields so far; the rows must be complete when they are written */
	struct buf text;        /* the fields, each with a NUL behind it */
};

void columns_fini(struct columns *c);
void columns_add(struct columns *c, struct str field); /* the next one, row by row */
void columns_write(const struct columns *c, bool for_people, struct buf *out);

/* Appends words to a line that has `at` cells, and goes on in lines of at most `width` cells, indented; 0: in one line. Ends no line. */
void columns_wrap(struct str words, size_t at, size_t indent, unsigned width, struct buf *out);

#endif
