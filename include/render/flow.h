/*
 * Flow: wraps a text to a width. Rows are offsets into the source text; nothing is copied.
 *
 * The layout of an append-only text is incremental: flow_update() starts at the last row, so its cost depends on the added text only. A
 * different width, a shorter text or another terminal profile lays out everything again.
 *
 * Lines break after blanks, after hyphens, and between ideographs (not before closing or after opening punctuation); otherwise at a
 * cluster. Blanks at a break hang over the edge and are not shown. A tab advances to the next multiple of 8. LF and CRLF end a row. With
 * `by_gaps`, rows end at two successive blanks if they contain such a place: "Alt-r retry   Alt-u edit" is two hints, and neither is
 * split. A row holds at most FLOW_ROW_BYTES, because zero-width characters and hanging blanks could otherwise make it endless.
 *
 * flow_next() defines which cells a text occupies; the canvas uses it too.
 */
#ifndef WEIR_RENDER_FLOW_H
#define WEIR_RENDER_FLOW_H

#include "base/utf8.h"

#define FLOW_ROW_BYTES 4096

struct flow_cell {
	struct utf8_cell cell;
	unsigned columns;    /* 0 to 8 */
	bool blank;          /* a tab or a line end: `columns` blank columns, no cell */
};

/*
 * Removes the next cell from `*rest`; `column` is its position in the row. False at the end. A line end takes one column here; callers
 * that wrap handle it first.
 */
bool flow_next(struct str *rest, unsigned column, struct flow_cell *next);

/* The columns of a text in one row, at most `most`. */
unsigned flow_columns(struct str text, unsigned most);

struct flow {
	unsigned width_cells;
	unsigned profile;    /* utf8_profile_number() of the layout */
	size_t *starts;      /* offset of the first byte of each row */
	size_t count;        /* rows; 0 for an empty text. A trailing LF adds no row until text follows it */
	size_t capacity;
	size_t length;       /* bytes laid out so far */
	bool by_gaps;        /* end rows at double blanks; set before the first layout */
	bool (*holds)(const void *ctx, size_t offset); /* no row ends behind a hyphen there; NULL: each may */
	unsigned (*inset)(const void *ctx, const char *row); /* columns that a row which begins there leaves free; NULL: none */
	const void *ctx;     /* of both */
};

void flow_init(struct flow *flow);
void flow_fini(struct flow *flow);

/*
 * Lays out `text`, which must begin with the same bytes as in the last call unless flow_reset() was called. The width must be at least 1.
 */
void flow_update(struct flow *flow, struct str text, unsigned width_cells);
void flow_reset(struct flow *flow);

/* Declares that the text changed from `offset` on. Rows that cannot have changed are kept. */
void flow_cut(struct flow *flow, size_t offset);

/* The text of a row, without its line end and hanging blanks. Behind the last row: STR_NONE. */
struct str flow_row(const struct flow *flow, struct str text, size_t row);

/* The row that contains byte `offset`; the last row beyond the end, 0 for an empty text. */
size_t flow_row_of(const struct flow *flow, size_t offset);

#endif
