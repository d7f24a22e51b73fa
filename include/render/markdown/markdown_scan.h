/*
 * The block scanner: lines in, blocks out. It finds the bytes of each block and never looks inside.
 *
 * Containers (quotes, list items) are flattened: a block is always a leaf with the chain of its containers. So the
 * open tail is one small leaf, however deep or long the list is. A complete line is scanned once; the unfinished last line is
 * scanned provisionally: the state before it is restored at the next update. So blocks do not depend on how the text
 * was cut into updates.
 *
 * Leaves are bounded: long fences, tables and paragraphs are cut into chunks at line ends, lines beyond MARKDOWN_LINE_BYTES within.
 */
#ifndef WEIR_RENDER_MARKDOWN_SCAN_H
#define WEIR_RENDER_MARKDOWN_SCAN_H

#include "render/markdown/markdown.h"
#include "render/markdown/markdown_definitions.h"

#define MARKDOWN_LINE_BYTES 8192      /* a longer line is text and cut */
#define MARKDOWN_PARAGRAPH_BYTES 4096 /* a longer paragraph continues in another chunk */
#define MARKDOWN_CHUNK_BYTES 16384
#define MARKDOWN_BLOCKS (1u << 21)    /* beyond so many, lines are only gathered into chunks */

struct markdown_container {
	uint32_t parent;           /* number + 1; 0: none */
	uint16_t content;          /* columns from the parent's content to its own */
	uint8_t marker_length;
	bool quote, ordered, footnote;
	char task;                 /* '\0': none, ' ', or 'x' */
	size_t marker;             /* offset of its sign */
};

struct markdown_table {
	size_t head, head_end;     /* its first line, behind the signs of containers */
	size_t rule, rule_end;     /* the line below it with the alignments; empty until it is complete */
	size_t block;              /* its first chunk: the widths of all come from there */
	unsigned columns;
};

struct markdown_record {
	struct markdown_block block;
	uint32_t body, body_end;   /* its content, from `block.start` on, without its own marker; later lines begin with markers of containers */
	uint32_t language;         /* offset in the text */
	uint32_t container;        /* number + 1 of the innermost */
	uint32_t first;            /* number of the block of which this is a chunk; its own number if it is the first */
	uint32_t lines;            /* code: from there up to its end */
	uint32_t table;            /* number + 1 */
	uint8_t opened;            /* so many of its containers begin here */
	uint8_t level;             /* of a heading; columns that a fence is indented by */
	bool cut;                  /* ends within a line */
	bool closed;               /* math, code: its end was seen */
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
	size_t at;                 /* all before it is scanned */
	enum scan_leaf leaf;
	bool within;               /* of a line that was cut */
	char fence_sign;
	uint8_t fence_indent;
	size_t fence_length;
	const char *math_end;
	unsigned lines;            /* of the open chunk */
	struct { size_t start, body, end; } line; /* the last one of an open paragraph */
	uint32_t stack[MARKDOWN_DEPTH];
	unsigned depth;
	size_t record_count, container_count, table_count, definition_count;
};

struct markdown_scan {
	struct str text;
	struct scan_state state;
	struct scan_state complete;     /* before the unfinished line */
	struct markdown_record last;    /* the last record then */
	struct markdown_record *records;
	struct markdown_container *containers;
	struct markdown_table *tables;
	struct definitions definitions; /* of complete lines */
	size_t record_capacity, container_capacity, table_capacity;
	unsigned opened;                /* containers that the line at hand began */
};

void scan_init(struct markdown_scan *scan);
void scan_fini(struct markdown_scan *scan);
void scan_reset(struct markdown_scan *scan);

/*
 * Takes the text, which begins with the same bytes as before. `whole`: the text is complete, nothing is provisional. `raw`: lines are
 * only gathered into chunks. Returns the number of the first block that may have changed.
 */
size_t scan_update(struct markdown_scan *scan, struct str text, bool whole, bool raw);

/* The last chunk of block `first`. */
size_t scan_last_chunk(const struct markdown_scan *scan, size_t first);

#endif
