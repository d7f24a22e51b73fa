/*
 * Bodies: the content of a block, line by line, without the markers of its containers.
 */
#ifndef WEIR_RENDER_MARKDOWN_BODY_H
#define WEIR_RENDER_MARKDOWN_BODY_H

#include "render/markdown/markdown_scan.h"

/* Stores the containers of a block, outermost first; returns their number. */
unsigned body_chain(const struct markdown_scan *scan, const struct markdown_record *record, const struct markdown_container *chain[MARKDOWN_DEPTH]);

/* Iterates over the lines of a block's body, without line ends and container markers. */
struct markdown_body {
	const struct markdown_container *chain[MARKDOWN_DEPTH];
	unsigned depth;
	struct str text;
	size_t at, end;
	bool first;
	unsigned spare;            /* columns left of a partly consumed tab in front of the line */
};

void body_open(struct markdown_body *body, const struct markdown_scan *scan, const struct markdown_record *record);
void body_resume(struct markdown_body *body, size_t at); /* resumes at the start of a line; 0: no effect */
void body_resume_within(struct markdown_body *body, size_t at); /* resumes behind the containers of a line */
bool body_line(struct markdown_body *body, struct str *line);

/* Appends these lines, with a line end after each. */
void body_lines(const struct markdown_scan *scan, const struct markdown_record *record, struct buf *out);
/* Appends the source of a code block, with a line end after each line. */
void body_code(const struct markdown_scan *scan, const struct markdown_record *record, struct buf *out);

#endif
