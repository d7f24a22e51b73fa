/*
 * Flow: where the rows of a text begin when it is wrapped to a width. Rows are offsets into the source text, nothing is copied.
 *
 * It grows with an append-only text: flow_update() lays out from the start of the last row on, so a delta costs what it
 * is long and not what came before. Another width, a shorter text or another profile of the terminal lays out anew.
 *
 * Lines break after blanks, after hyphens, between ideographs (not before closing or after opening punctuation), else at a
 * cluster. Blanks at a break hang over the edge and are not shown. A tab goes to the next multiple of 8. LF and CRLF end a row.
 * Where two blanks stand together a row ends sooner, if that is wished: "Alt-r retry   Alt-u edit" is two hints, and none is torn.
 * A row never holds more than FLOW_ROW_BYTES: characters of no width and hanging blanks could go on for ever.
 *
 * flow_next() is the one place that says which cells a text takes; the canvas draws by it too.
 */
#ifndef WEIR_RENDER_FLOW_H
#define WEIR_RENDER_FLOW_H

#include "base/utf8.h"

#define FLOW_ROW_BYTES 4096

struct flow_cell {
	struct utf8_cell cell;
	unsigned columns;    /* 0 to 8 */
	bool blank;          /* a tab or a line end: `columns` blanks, no cell */
};

/* Takes the next cell, at `column` of its row, off `*rest`; false at the end. A line end takes one column here: who wraps looks for it before. */
bool flow_next(struct str *rest, unsigned column, struct flow_cell *next);

/* The columns that a text takes in one row, at most `most`. */
unsigned flow_columns(struct str text, unsigned most);

struct flow {
	unsigned width_cells;
	unsigned profile;    /* utf8_profile_number() that it was laid out with */
	size_t *starts;      /* offset of each row's first byte */
	size_t count;        /* rows; 0 for an empty text, a trailing LF makes no row of its own until text follows it */
	size_t capacity;
	size_t length;       /* bytes laid out */
	bool by_gaps;        /* rows end where blanks stand together, if they hold such a place; set it before the first layout */
};

void flow_init(struct flow *flow);
void flow_fini(struct flow *flow);

/* Lays out `text`, which begins with the same bytes as at the last call unless flow_reset() was called. Width at least 1. */
void flow_update(struct flow *flow, struct str text, unsigned width_cells);
void flow_reset(struct flow *flow);

/* The text changed from `offset` on: what cannot have changed stays laid out. */
void flow_cut(struct flow *flow, size_t offset);

/* The text of a row without its line end and hanging blanks. */
struct str flow_row(const struct flow *flow, struct str text, size_t row);

/* The row that holds byte `offset` (the last one for offsets beyond the end; 0 for an empty text). */
size_t flow_row_of(const struct flow *flow, size_t offset);

#endif
