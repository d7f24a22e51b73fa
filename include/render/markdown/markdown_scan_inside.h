/*
 * Private definitions of the scanner: markdown_scan.c (lines, including provisional ones), markdown_containers.c (quotes and list items
 * that a line continues or opens), markdown_leaves.c (records, and the content of a line).
 */
#ifndef WEIR_RENDER_MARKDOWN_SCAN_INSIDE_H
#define WEIR_RENDER_MARKDOWN_SCAN_INSIDE_H

#include <assert.h>

#include "render/markdown/markdown_scan.h"

struct scan_line {
	size_t start, end, next;
	bool partial;             /* the line is not complete */
	bool cut;                 /* its end was split off; the rest is text whatever it contains */
	struct line_cursor cursor;
};

/* The record to which lines are added; NULL: none. Valid until the next one is added. */
static inline struct markdown_record *scan_last(struct markdown_scan *scan)
{
	return scan->state.record_count ? &scan->records[scan->state.record_count - 1] : NULL;
}

/* The same when there must be one. */
static inline struct markdown_record *scan_current(struct markdown_scan *scan)
{
	struct markdown_record *record = scan_last(scan);

	assert(record);
	return record;
}

static inline size_t scan_offset(const struct markdown_scan *scan, const char *ptr)
{
	return (size_t)(ptr - scan->text.ptr);
}

/* --- containers --- */

/* Returns how many of the open containers the line continues; moves its cursor past their markers. */
unsigned scan_match_containers(const struct markdown_scan *scan, struct scan_line *line);

/* Opens another container at the cursor, after the first `matched`; false if there is none. */
bool scan_open_container(struct markdown_scan *scan, struct scan_line *line, unsigned matched);

/* --- records --- */

/* Begins a block with the current line, in the containers that the line opened. */
struct markdown_record *scan_add(struct markdown_scan *scan, enum markdown_kind kind, const struct scan_line *line);
/* Adds another chunk of the last block. */
struct markdown_record *scan_add_chunk(struct markdown_scan *scan, const struct scan_line *line);
/* Adds the line to the last block, or to a new chunk if that is full. */
void scan_extend(struct markdown_scan *scan, const struct scan_line *line);

/* --- leaves --- */

void scan_blank(struct markdown_scan *scan, const struct scan_line *line);
void scan_fence_line(struct markdown_scan *scan, const struct scan_line *line);
void scan_math_line(struct markdown_scan *scan, const struct scan_line *line);
/* Scans the content of a line that is not the body of a fence or of math. */
void scan_leaf(struct markdown_scan *scan, struct scan_line *line, unsigned matched);
/* Makes the last line of the open paragraph the head of a table. [rule, rule_end) is the line below it, empty until it is complete. */
void scan_begin_table(struct markdown_scan *scan, size_t rule, size_t rule_end);

#endif
