/*
 * Bodies: what a block says, line by line, without the signs of the containers that it stands in.
 */
#ifndef WEIR_RENDER_MARKDOWN_BODY_H
#define WEIR_RENDER_MARKDOWN_BODY_H

#include "render/markdown_scan.h"

/* The containers of a block, outermost first; returns how many. */
unsigned body_chain(const struct markdown_scan *scan, const struct markdown_record *record, const struct markdown_container *chain[MARKDOWN_DEPTH]);

/* The next line of a block's body, without its line end and the signs of its containers; false at the end. */
struct markdown_body {
	const struct markdown_container *chain[MARKDOWN_DEPTH];
	unsigned depth;
	struct str text;
	size_t at, end;
	bool first;
	unsigned spare;            /* blanks that a half used tab leaves in front of the line */
};

void body_open(struct markdown_body *body, const struct markdown_scan *scan, const struct markdown_record *record);
void body_resume(struct markdown_body *body, size_t at); /* goes on at a line's start; 0: stays where it is */
void body_resume_within(struct markdown_body *body, size_t at); /* the same behind a line's containers */
bool body_line(struct markdown_body *body, struct str *line);

/* Appends the body of a block of code as it was written, each line ended. */
void body_code(const struct markdown_scan *scan, const struct markdown_record *record, struct buf *out);

#endif
