/*
 * The block scanner: turns lines into blocks. It finds the source range of each block and does not parse its content.
 *
 * Containers (quotes, list items) are flattened: a block is a leaf with a chain of containers. So the open tail is one small leaf, however
 * deep or long the list is. A complete line is scanned once. The unfinished last line is scanned provisionally: the state before it is
 * restored at the next update. Therefore blocks do not depend on how the text is split into updates.
 *
 * Leaves are bounded: long fences, tables and paragraphs are split into chunks at line ends, and lines beyond MARKDOWN_LINE_BYTES within.
 */
#ifndef WEIR_RENDER_MARKDOWN_SCAN_H
#define WEIR_RENDER_MARKDOWN_SCAN_H

#include "render/markdown/markdown.h"
#include "render/markdown/markdown_definitions.h"

#define MARKDOWN_LINE_BYTES 8192      /* a longer line is text and is split */
#define MARKDOWN_PARAGRAPH_BYTES 4096 /* a longer paragraph continues in another chunk */
#define MARKDOWN_CHUNK_BYTES 16384
#define MARKDOWN_BLOCKS (1u << 21)    /* beyond this number, lines are only gathered into chunks */

struct markdown_container {
	uint32_t parent;           /* number + 1; 0: none */
	uint16_t content;          /* columns from the parent's content to its own */
	uint8_t marker_length;
	bool quote, ordered, footnote;
	char task;                 /* '\0': no task; else ' ' or 'x' */
	size_t marker;             /* offset of its marker */
};

struct markdown_table {
	size_t head, head_end;     /* range of the first line, after container markers */
	size_t rule, rule_end;     /* range of the delimiter row; empty until that is complete */
	size_t block;              /* its first chunk, which determines the column widths of all */
	unsigned columns;
};

struct markdown_record {
	struct markdown_block block;
	/* Range of the content, relative to `block.start`, without its own marker. Later lines of it begin with container markers. */
	uint32_t body, body_end;
	uint32_t language;         /* offset in the text */
	uint32_t container;        /* number + 1 of the innermost container */
	uint32_t first;            /* number of the block whose chunk this is; its own number if it is the first */
	uint32_t lines;            /* code: lines from this chunk to its end */
	uint32_t table;            /* number + 1 */
	uint8_t opened;            /* number of its containers that begin here */
	uint8_t level;             /* level of a heading, or indentation of a fence */
	bool cut;                  /* ends in the middle of a line */
	bool closed;               /* math, code: its closing line has been found */
};

/* The content of a block, as offsets in the text. */
static inline size_t record_body(const struct markdown_record *record)
{
	return record->block.start + record->body;
}

static inline size_t record_body_end(const struct markdown_record *record)
{
	return record->block.start + record->body_end;
}

enum scan_leaf { SCAN_NONE, SCAN_PARAGRAPH, SCAN_FENCE, SCAN_MATH, SCAN_TABLE, SCAN_TEXT };

struct scan_state {
	size_t at;                 /* everything before it has been scanned */
	enum scan_leaf leaf;
	bool within;               /* within a line that was split */
	char fence_sign;
	uint8_t fence_indent;
	size_t fence_length;
	const char *math_end;
	unsigned lines;            /* in the open chunk */
	struct { size_t start, body, end; } line; /* last line of an open paragraph */
	uint32_t stack[MARKDOWN_DEPTH];
	unsigned depth;
	size_t record_count, container_count, table_count, definition_count;
};

struct markdown_scan {
	struct str text;
	struct scan_state state;
	struct scan_state complete;     /* state before the unfinished line */
	struct markdown_record last;    /* the last record in that state */
	struct markdown_record *records;
	struct markdown_container *containers;
	struct markdown_table *tables;
	struct definitions definitions; /* from complete lines */
	size_t record_capacity, container_capacity, table_capacity;
	unsigned opened;                /* number of containers opened by the current line */
};

void scan_init(struct markdown_scan *scan);
void scan_fini(struct markdown_scan *scan);
void scan_reset(struct markdown_scan *scan);

/*
 * Sets the text, which must begin with the same bytes as before. `whole`: the text is complete, nothing is provisional. `raw`: lines are
 * only gathered into chunks. Returns the number of the first block that may have changed.
 */
size_t scan_update(struct markdown_scan *scan, struct str text, bool whole, bool raw);

/* Whether the block has no row: code without a language and without a line, outside of lists and quotes. */
bool scan_shows_nothing(const struct markdown_record *record);

/* The nearest block above that has rows or is blank; `block` itself if there is none. */
size_t scan_above(const struct markdown_scan *scan, size_t block);

/* The last chunk of block `first`. */
size_t scan_last_chunk(const struct markdown_scan *scan, size_t first);

#endif
