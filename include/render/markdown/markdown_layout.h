/*
 * Lays out one block of a scanned text.
 *
 * A layouter holds the scratch memory. The layout of a block that has grown resumes at its first row that may change: complete lines
 * of code and tables, and settled rows of text, stay.
 */
#ifndef WEIR_RENDER_MARKDOWN_LAYOUT_H
#define WEIR_RENDER_MARKDOWN_LAYOUT_H

#include "render/highlight.h"
#include "render/markdown/markdown_body.h"
#include "render/markdown/markdown_write.h"

/* Columns of a table: over all lines of its first chunk. */
struct layout_measure {
	size_t head;               /* offset that identifies the table, if `known` */
	size_t upto;               /* lines before this offset have been measured */
	bool known;
	uint16_t natural[MARKDOWN_COLUMNS], word[MARKDOWN_COLUMNS];
	uint64_t seen, words;      /* columns that have cells below the head, and those of which one is no figure; a bit each */
	unsigned room;             /* what `widths` is for */
	uint16_t widths[MARKDOWN_COLUMNS]; /* while the table grows, */
	unsigned holds;            /* and after that, while `hold_tables` is this one; 0: they do not stay */
	uint64_t wraps;            /* columns whose widths were limited */
};

struct layouter {
	struct markdown_inline parser;
	struct inline_writer writer;
	struct strip strip;
	struct strip *cells;       /* MARKDOWN_COLUMNS */
	struct buf scratch;
};

struct layout_job {
	const struct markdown_scan *scan;
	size_t block;
	const struct markdown_record *record;
	struct layout *layout;
	unsigned width;            /* width of the rows */
	struct margin margin;
	unsigned content;          /* columns besides the margin */
	const struct markdown_options *options;
	highlight_state state;     /* at the block's start */
	struct layout_measure *measure;
	bool gap;                  /* begin the layout with a blank row */
	bool spare;                /* a blank line that takes no row: at an edge of the text, or beside a blank row */
};

void layouter_init(struct layouter *layouter);
void layouter_fini(struct layouter *layouter);

/* Lays out `job->block` into `job->layout`; margin and content are filled in here. */
void layout_block(struct layouter *layouter, struct layout_job *job);

/* The highlighting state after a chunk of code. */
highlight_state layout_code_state(struct layouter *layouter, const struct markdown_scan *scan, const struct markdown_record *record,
                                  highlight_state state);

/* The column of a byte in its line of code. */
unsigned layout_code_column(const struct markdown_scan *scan, const struct markdown_record *record, size_t offset);

/* The columns of the cell of a byte in a table that has been laid out. False: it stays where it is, because it does not scroll. */
bool layout_cell_columns(const struct markdown_scan *scan, const struct markdown_record *record, const struct layout *layout, size_t offset,
                         unsigned *first, unsigned *last);

/* Starts the layout afresh or at its mark, and sets the margin. */
void layout_restart(struct layouter *layouter, struct layout_job *job);

/* Block kinds implemented in files of their own. */
void layout_code(struct layouter *layouter, struct layout_job *job);
void layout_table(struct layouter *layouter, struct layout_job *job);
/* Sets the alignments of as many columns as the table has. */
void layout_aligns(const struct markdown_scan *scan, const struct markdown_table *table, enum markdown_align *aligns);

/* Parses `text`, a cell, and writes it into a strip. */
void layout_inline(struct layouter *layouter, struct layout_job *job, struct strip *strip, struct str text, struct strip_style style, bool open);

size_t layout_offset(const struct layout_job *job, const char *ptr); /* of a byte of the source */
unsigned layout_spare(const struct layout_job *job);                 /* columns that tables and code may take beyond the width */

#endif
