/*
 * Markdown while it streams: an append-only text becomes blocks, blocks become rows of spans.
 *
 * Our line scanner finds the block boundaries and so the source range of every block; closed blocks are final, only the
 * open tail is parsed again, once a frame. The inline parser reads the inside of one block. Open constructs are styled as if closed
 * (`**bo` is bold at once, an open fence is code), so nothing flips when they close. Any chunking of a text ends in
 * exactly the rows of the whole one.
 *
 *   text --> scanner --> blocks (source ranges, kept) --> markdown_lay_out(block, width) --> rows of spans (cached, evicted)
 *
 * References (`[text][label]`, `[label]`) may be used before `[label]: destination` has come. So they keep their brackets and take the
 * same cells either way: when the definition comes they are styled and linked, and nothing moves. Definitions are shown where
 * they stand, footnotes too: `[^1]: text` is an item with the sign that `[^1]` has in the text, a raised number.
 *
 * Cost: an update is O(bytes that are new) plus the open tail; laying out is per block, on demand, so a resize costs what
 * is visible. Long fences and tables are cut into blocks of MARKDOWN_CHUNK_LINES lines that look like one.
 */
#ifndef WEIR_RENDER_MARKDOWN_H
#define WEIR_RENDER_MARKDOWN_H

#include "render/span.h"

#define MARKDOWN_CHUNK_LINES 128
#define MARKDOWN_DEPTH 32          /* deeper nesting is shown flat */
#define MARKDOWN_COLUMNS 64        /* of a table; more are shown as text */

enum markdown_kind {
	MARKDOWN_PARAGRAPH, MARKDOWN_HEADING, MARKDOWN_LIST_ITEM, MARKDOWN_QUOTE, MARKDOWN_CODE, MARKDOWN_TABLE,
	MARKDOWN_RULE, MARKDOWN_MATH, MARKDOWN_DEFINITION, MARKDOWN_BLANK,
};

struct markdown_block {
	enum markdown_kind kind;
	bool open;                 /* may still change */
	bool continues;            /* it continues the block before it (a chunk of a long fence, table or paragraph) */
	size_t start, end;         /* its source bytes */
	struct str language;       /* code: the info string's first word, in the source */
};

struct markdown_row {
	const struct span *spans;
	size_t count;
	size_t source;             /* offset of the first source byte that it stands for; never before that of the row above */
	size_t shown;              /* of the first one that it shows, which code that is clipped has scrolled to */
	bool wraps;                /* the next row belongs to the same line (copying joins them) */
};

/* Rows of one block at one width. Valid until the next markdown_lay_out() or markdown_update() of the same document. */
struct markdown_layout {
	const struct markdown_row *rows;
	size_t count;
	const struct str *links;   /* destinations, by span.link - 1 */
	size_t link_count;
	unsigned beyond;             /* columns of code that lie right of the edge (clip_code), as far as was looked */
};

struct markdown;               /* heap: one a text */

struct markdown_options {
	bool clip_code;            /* code rows are clipped at the width and scrolled by `code_column`, else wrapped */
	unsigned code_column;
	bool raw;                  /* no markdown: the source, wrapped, as one block a line group */
};

struct markdown *markdown_new(void);
void markdown_free(struct markdown *m);

/*
 * Takes the text as it is now: it begins with the same bytes as before, but for markdown_reset(). It is borrowed until the next update,
 * and ends with a whole character, as what the guard lets through does.
 */
void markdown_update(struct markdown *m, struct str text);
/* The text is complete: signs at its end that were held back, because the next byte would tell what they are, are shown. */
void markdown_finish(struct markdown *m);
void markdown_reset(struct markdown *m);
/* Gives back the memory of what can be made again (layouts, scratch); blocks and the counts of their rows stay. For what is out of sight. */
void markdown_rest(struct markdown *m);
void markdown_set_options(struct markdown *m, const struct markdown_options *options); /* layouts are forgotten */

size_t markdown_count(const struct markdown *m);
const struct markdown_block *markdown_block_at(const struct markdown *m, size_t block);
/* The block that holds a source byte. */
size_t markdown_block_of(const struct markdown *m, size_t offset);
/* Appends the whole code that a block is part of, without fences and the signs around it; nothing for other blocks. */
void markdown_code(const struct markdown *m, size_t block, struct buf *out);

/* Rows of a block; the count is remembered per width even when the layout was evicted. */
size_t markdown_rows(struct markdown *m, size_t block, unsigned width);
const struct markdown_layout *markdown_lay_out(struct markdown *m, size_t block, unsigned width);
/* The row of a block (at a width) that shows a source byte. */
size_t markdown_row_of(struct markdown *m, size_t block, unsigned width, size_t offset);
/* How many columns right of its line's start a source byte of a block of code would stand if nothing were clipped. */
unsigned markdown_code_column(const struct markdown *m, size_t block, size_t offset);

#endif
