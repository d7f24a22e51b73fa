/*
 * Streaming Markdown: an append-only text becomes blocks, and blocks become rows of spans.
 *
 * The block scanner finds the source range of every block. Closed blocks are final; only the open tail is scanned again, once a frame. The
 * inline parser reads the content of one block. Open constructs are styled as if they were closed (`**bo` is bold at once, an open fence
 * is code), so that their style does not change when they close. Any way of splitting a text into updates ends in the same rows.
 *
 *   text --> scanner --> blocks (source ranges, kept) --> markdown_lay_out(block, width) --> rows of spans (cached, evicted)
 *
 * References (`[text][label]`, `[label]`) may precede their definition `[label]: destination`. They keep their brackets and take the same
 * cells before and after it: when the definition arrives, they are styled and linked, and nothing moves. Definitions are shown in place,
 * and so are footnotes: `[^1]: text` is an item whose marker is the raised number shown for `[^1]` in the text.
 *
 * Cost: an update takes time proportional to the new bytes and the open tail. Layout is per block and on demand, so a resize costs only
 * the visible blocks. Long fences and tables are split into chunks of MARKDOWN_CHUNK_LINES lines that look like one block.
 */
#ifndef WEIR_RENDER_MARKDOWN_H
#define WEIR_RENDER_MARKDOWN_H

#include "render/span.h"

#define MARKDOWN_CHUNK_LINES 128
#define MARKDOWN_DEPTH 32          /* deeper nesting is shown flat */
#define MARKDOWN_COLUMNS 64        /* of a table; further ones are shown as text */

enum markdown_kind {
	MARKDOWN_PARAGRAPH, MARKDOWN_HEADING, MARKDOWN_LIST_ITEM, MARKDOWN_QUOTE, MARKDOWN_CODE, MARKDOWN_TABLE,
	MARKDOWN_RULE, MARKDOWN_MATH, MARKDOWN_DEFINITION, MARKDOWN_BLANK,
};

struct markdown_block {
	enum markdown_kind kind;
	bool open;                 /* may still change */
	bool continues;            /* a chunk that continues the block before it (long fence, table or paragraph) */
	size_t start, end;         /* range in the source */
	struct str language;       /* code: the first word of the info string, in the source */
};

enum markdown_align { MARKDOWN_LEFT, MARKDOWN_CENTRE, MARKDOWN_RIGHT };

struct markdown_row {
	const struct span *spans;
	size_t count;
	size_t source;             /* offset of the first source byte of the row; never less than that of the row above */
	size_t shown;              /* offset of the first byte visible; differs in code that is clipped and scrolled */
	bool wraps;                /* the next row belongs to the same line; copying joins them, */
	uint16_t blanks;           /* with as many blanks, which hang over the edge */
	bool band;                 /* code drawn on a band of background */
};

/* Rows of one block at one width. Valid until the next markdown_lay_out() or markdown_update() of the same document. */
struct markdown_layout {
	const struct markdown_row *rows;
	size_t count;
	const struct str *links;   /* destinations, indexed by span.link - 1 */
	size_t link_count;
	unsigned code_at;            /* first column of code, and of its band; its margin is left of it */
	unsigned band_end;           /* the column behind its longest line */
	uint32_t lines;              /* number of lines in the label of the band; 0: none */
	unsigned beyond;             /* columns of clipped code or of a table right of the edge, as far as examined */
	unsigned before, next;       /* of a table that scrolls: `sideways` with one column more at the left, or one less; 0 and 0: of none */
};

struct markdown;               /* heap: one per text */

struct markdown_options {
	bool clip_code;            /* clip code rows at the width and scroll them by `sideways`; else wrap them */
	bool scroll_tables;        /* the same for tables that are wider, which else become records */
	unsigned hold_tables;      /* somebody reads above, for the so-manieth time: a table that grew meanwhile keeps its widths when it is whole */
	unsigned sideways;         /* columns left out at the left */
	unsigned wide;             /* columns that tables and code may take where that is more than the width */
	bool code_band;            /* lay out code for a band: without label, indentation and signs */
	bool strikes;              /* the terminal strikes text through: omit `~~` */
	bool raw;                  /* no Markdown: shows the source, wrapped, in blocks of lines */
};

struct markdown *markdown_new(void);
void markdown_free(struct markdown *m);

/*
 * Sets the current text, which must begin with the same bytes as before unless markdown_reset() was called. It is borrowed until the next
 * update, and must end with a complete character, as the guard ensures.
 */
void markdown_update(struct markdown *m, struct str text);
/* Declares the text complete: signs held back at its end, because the next byte could change them, are shown. */
void markdown_finish(struct markdown *m);
void markdown_reset(struct markdown *m);
/* Frees memory that can be rebuilt (layouts, scratch); blocks and their row counts stay. For texts that are not visible. */
void markdown_rest(struct markdown *m);
void markdown_set_options(struct markdown *m, const struct markdown_options *options); /* discards layouts */
void markdown_hold_tables(struct markdown *m, unsigned reading); /* that option alone; discards the layouts of tables held for another one */

size_t markdown_count(const struct markdown *m);
const struct markdown_block *markdown_block_at(const struct markdown *m, size_t block);
/* The block that contains a source byte. */
size_t markdown_block_of(const struct markdown *m, size_t offset);
/* Appends the complete code of the block that contains `block`, without fences and container markers. Appends nothing for other blocks. */
void markdown_code(const struct markdown *m, size_t block, struct buf *out);
void markdown_table(const struct markdown *m, size_t block, struct buf *out); /* the same for the source of a table */

/* How the columns of the table that contains `block` are aligned. Returns their number; 0 for other blocks. */
unsigned markdown_aligns(const struct markdown *m, size_t block, enum markdown_align aligns[MARKDOWN_COLUMNS]);

/* The number of rows of a block. It is kept per width even when the layout is evicted. */
size_t markdown_rows(struct markdown *m, size_t block, unsigned width);
const struct markdown_layout *markdown_lay_out(struct markdown *m, size_t block, unsigned width);
/* The row that shows a source byte of a block at a width. */
size_t markdown_row_of(struct markdown *m, size_t block, unsigned width, size_t offset);
/* The column of a source byte in its line of code, if nothing were clipped. */
unsigned markdown_code_column(const struct markdown *m, size_t block, size_t offset);
/*
 * The columns of a source byte's cell in a table that scrolls: `first` counts from those that stay, `last` from the edge. False if the cell
 * stays, or the table does not scroll.
 */
bool markdown_cell_columns(struct markdown *m, size_t block, unsigned width, size_t offset, unsigned *first, unsigned *last);

#endif
