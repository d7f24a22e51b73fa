/*
 * Layout: one block of a scanned text becomes the rows of a page.
 *
 * The scratch of all blocks lives in a layouter. A page that was laid out before, of the same block when it was shorter, is gone on
 * with: complete lines of code and tables stay.
 */
#ifndef WEIR_RENDER_MARKDOWN_LAYOUT_H
#define WEIR_RENDER_MARKDOWN_LAYOUT_H

#include "render/highlight.h"
#include "render/markdown_body.h"
#include "render/markdown_inline.h"

/* What is known of the widths of a table's columns: the most of all lines of its first chunk. */
struct layout_measure {
	size_t head;               /* which table it is; with `known` */
	size_t upto;               /* lines before it are in `natural` and `word` */
	bool known;
	uint16_t natural[MARKDOWN_COLUMNS], word[MARKDOWN_COLUMNS];
};

struct layouter {
	struct markdown_inline inlines;
	struct strip strip;
	struct strip *cells;       /* MARKDOWN_COLUMNS */
	struct buf scratch;
};

struct layout_job {
	const struct markdown_scan *scan;
	size_t block;
	const struct markdown_record *record;
	struct markdown_page *page;
	unsigned width;            /* of the rows */
	struct margin margin;
	unsigned content;          /* columns beside the margin */
	const struct markdown_options *options;
	highlight_state state;     /* at the block's start */
	struct layout_measure *measure;
	bool gap;                  /* the page begins with a blank row */
	bool edge;                 /* first or last of the text: blank lines there are not shown */
};

void layouter_init(struct layouter *layouter);
void layouter_fini(struct layouter *layouter);

/* Lays out `job->block` into `job->page`; margin and content are filled in here. */
void layout_block(struct layouter *layouter, struct layout_job *job);

/* The state of highlighting behind a chunk of code. */
highlight_state layout_code_state(struct layouter *layouter, const struct markdown_scan *scan, const struct markdown_record *record,
                                  highlight_state state);

/* How many columns of its line of code stand left of a byte. */
unsigned layout_code_column(const struct markdown_scan *scan, const struct markdown_record *record, size_t offset);

/* Begins the page anew, or goes on at its mark, and sets the margin. */
void layout_restart(struct layouter *layouter, struct layout_job *job);

/* Of the kinds that have files of their own. */
void layout_code(struct layouter *layouter, struct layout_job *job);
void layout_table(struct layouter *layouter, struct layout_job *job);

/* `text` as inline markdown into a strip. */
void layout_inline(struct layouter *layouter, struct layout_job *job, struct strip *strip, struct str text, struct strip_style style, bool open);

size_t layout_offset(const struct layout_job *job, const char *ptr); /* of a byte of the source */

#endif
