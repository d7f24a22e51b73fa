/*
 * Flow: where the rows of a text begin when it is wrapped to a width. Rows are offsets into the source text, nothing is copied.
 *
 * It grows with an append-only text: flow_update() lays out from the start of the last row on, so a delta costs what it
 * is long and not what came before. Another width, or text that is no continuation, lays out anew.
 *
 * Lines break after blanks, after hyphens, between ideographs (not before closing or after opening punctuation), else at a
 * cluster. Blanks at a break hang over the edge and are not shown. A tab goes to the next multiple of 8. LF and CRLF end a row.
 */
#ifndef WEIR_RENDER_FLOW_H
#define WEIR_RENDER_FLOW_H

#include "base/text.h"

struct flow {
	unsigned width_cells;
	size_t *starts;      /* offset of each row's first byte */
	size_t count;        /* rows; 0 for an empty text, a trailing LF makes no row of its own until text follows it */
	size_t capacity;
	size_t length;       /* bytes laid out */
};

void flow_init(struct flow *flow);
void flow_fini(struct flow *flow);

/* Lays out `text`, which begins with the same bytes as at the last call unless flow_reset() was called. Width at least 1. */
void flow_update(struct flow *flow, struct str text, unsigned width_cells);
void flow_reset(struct flow *flow);

/* The text of a row without its line end and hanging blanks. */
struct str flow_row(const struct flow *flow, struct str text, size_t row);

/* The row that holds byte `offset` (the last one for offsets beyond the end; 0 for an empty text). */
size_t flow_row_of(const struct flow *flow, size_t offset);

#endif
