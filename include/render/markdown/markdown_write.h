/*
 * The inline writer: turns tokens into styled text in a strip, which also shows where links lead.
 */
#ifndef WEIR_RENDER_MARKDOWN_WRITE_H
#define WEIR_RENDER_MARKDOWN_WRITE_H

#include "render/markdown/markdown_definitions.h"
#include "render/markdown/markdown_inline.h"
#include "render/markdown/markdown_spans.h"

struct inline_writer {
	/* Set by the caller: the definitions of references. */
	const struct definitions *definitions;
	size_t definition_count;
	struct str document;

	/* While writing. */
	const struct markdown_inline *parser;
	struct strip *strip;
	struct layout *layout;
	struct strip_style base;
	unsigned depth[INLINE_STYLES];
	bool code, cell;
	struct write_link { size_t text, destination; uint16_t outer; } *links; /* open ones, outermost first */
	size_t link_count, link_capacity;
	struct buf destinations;   /* of the open links, concatenated */
	struct buf scratch;
	uint16_t link;             /* number of the innermost link that has one, or 0 */
	enum { WRITE_TEXT, WRITE_REFERENCE, WRITE_LABEL } part;
	uint16_t reference;        /* number of its link, or 0 */
	size_t label_end;
	bool strikes;              /* the terminal does */
};

void writer_init(struct inline_writer *w);
void writer_fini(struct inline_writer *w);

/* Appends the parsed text to the strip, and destinations to the layout. `cell`: a table cell, where `\|` is a bar even in code. */
void write_inline(struct inline_writer *w, const struct markdown_inline *parser, struct strip *strip, struct layout *layout,
                  struct strip_style base, bool cell);

#endif
