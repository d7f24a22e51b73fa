/*
 * The inside of one block: emphasis, code, links, math, entities. The one place that knows md4c.
 */
#ifndef WEIR_RENDER_MARKDOWN_INLINE_H
#define WEIR_RENDER_MARKDOWN_INLINE_H

#include "render/markdown_definitions.h"
#include "render/markdown_page.h"
#include "render/markdown_shadow.h"

struct markdown_inline {
	struct shadow shadow;
	struct buf scratch;

	/* While parsing. */
	struct strip *strip;
	struct markdown_page *page;
	struct strip_style base;
	unsigned strong, emphasis, struck;
	bool code, cell;
	uint16_t link;
	size_t range;              /* the next one of the shadow's */
	size_t source;             /* of what was shown last */
	size_t shown;              /* and where that ends in the shadow */
	struct inline_link { size_t text; struct buf destination; uint16_t outer; } links[4]; /* a picture in a link; deeper ones are text */
	unsigned link_depth;
	struct inline_piece { size_t from, to; uint8_t role; uint16_t link; } *pieces; /* of the source, in references that lead somewhere */
	size_t piece_count, piece_capacity, piece;

	/* Where references lead; set by who lays out a text. */
	const struct definitions *definitions;
	size_t definition_count;
	struct str document;
};

void inline_init(struct markdown_inline *parser);
void inline_fini(struct markdown_inline *parser);

/*
 * Begin, give each line of the text, end: the strip gets what is to be shown, the page the links' destinations. Line ends stay
 * line ends. `open`: more text may follow; what nobody closed is styled as if it were. `cell`: of a table, where `\|` is a bar.
 */
void inline_begin(struct markdown_inline *parser);
void inline_add_line(struct markdown_inline *parser, struct str line, size_t source);
void inline_end(struct markdown_inline *parser, struct strip *strip, struct markdown_page *page, struct strip_style base, bool open, bool cell);

/* After inline_end(): the offset in the source that corresponds to shadow->settled. */
size_t inline_settled(const struct markdown_inline *parser);

/* What a terminal may be told to open. */
bool inline_is_address(struct str destination);

#endif
