/*
 * Rows of spans: a strip collects styled text, and a layout keeps the rows it is wrapped into.
 *
 * A strip is scratch memory for one paragraph, line of code or cell. Its text is contiguous, so that render/flow can break lines wherever
 * styles change. A layout owns its spans and their text and borrows nothing from the source. It can be truncated to a mark, from which the
 * layout of a grown block resumes.
 */
#ifndef WEIR_RENDER_MARKDOWN_SPANS_H
#define WEIR_RENDER_MARKDOWN_SPANS_H

#include "render/flow.h"
#include "render/markdown/markdown.h"

struct strip_style {
	uint8_t role, attributes;
	uint16_t link;
};

struct strip_run {
	size_t at;                /* offset in the strip's text */
	size_t source;
	struct strip_style style;
	bool exact;               /* its bytes equal those of the source */
};

struct strip {
	struct buf text;
	struct strip_run *runs;
	size_t count, capacity;
	struct flow flow;
};

void strip_init(struct strip *strip);
void strip_fini(struct strip *strip);
void strip_clear(struct strip *strip);

/* Adds text of one line. A tab becomes a blank and a CR a visible sign, because the width of a cell must not depend on its column. */
void strip_add(struct strip *strip, struct str text, struct strip_style style, size_t source, bool exact);
void strip_end_line(struct strip *strip, size_t source);
size_t strip_source(const struct strip *strip, size_t at);
bool strip_is_styled(const struct strip *strip, size_t at, struct strip_style style); /* of the byte at `at` */

/* Breaks the text into rows: strip->flow. */
void strip_wrap(struct strip *strip, unsigned width);

/* Spans left of the text, on the first row of a block and on the others. */
#define MARGIN_SPANS (MARKDOWN_DEPTH + 2)
struct margin {
	struct span first[MARGIN_SPANS], rest[MARGIN_SPANS];
	unsigned first_count, rest_count;
	unsigned columns;
	const struct span *continued; /* replaces the last span on rows that continue the line above, unless NULL */
};

struct layout_chunk;
struct layout_mark {
	size_t rows, links;
	struct layout_chunk *chunk;
	size_t used;
};

struct layout {
	struct markdown_layout view; /* the public view */
	struct markdown_row *rows;
	struct str *links;
	size_t row_capacity, link_capacity;
	struct layout_chunk *chunk;
	struct span *spans;       /* of the row being built */
	size_t span_count, span_capacity;
	size_t bytes;             /* approximate memory use */

	/* Where layout may resume when the block has grown. */
	struct layout_mark mark;
	size_t resume;            /* offset of the first byte to lay out again; 0: all */
	uint8_t state;            /* at `resume`: of highlighting, or what stands above a row of a table */
	bool refers;              /* contains references */
	uint32_t counted;         /* number of lines shown in the label of code; 0: none */
	uint16_t *widths;         /* column widths of a table; in the layout's memory */
	uint64_t rights;          /* its columns aligned to the right, bit by bit */
	bool scrolls;             /* it is wider than its room */
	unsigned kept;            /* columns of it that stay then */
};

void layout_init(struct layout *layout);
void layout_fini(struct layout *layout);
struct layout_mark layout_mark_of(const struct layout *layout);
void layout_return(struct layout *layout, struct layout_mark mark);

struct str layout_copy(struct layout *layout, struct str text);  /* a copy with the lifetime of the layout */
void *layout_room(struct layout *layout, size_t size);
uint16_t layout_link(struct layout *layout, struct str destination); /* number + 1; 0 when there are 65,535 already */

void layout_add(struct layout *layout, struct span span);
void layout_add_blanks(struct layout *layout, unsigned columns);
void layout_add_part(struct layout *layout, const struct strip *strip, size_t start, size_t end); /* bytes of the strip's text */
void layout_end_row(struct layout *layout, size_t source, bool wraps);

/* Adds the rows [from, to) of a wrapped strip. `*first`: use the margin of the first row; becomes false. */
void layout_add_rows(struct layout *layout, const struct strip *strip, const struct margin *margin, bool *first, size_t from, size_t to);

/* Wraps the whole strip to `width` columns besides the margin, and adds its rows. */
void layout_wrap(struct layout *layout, struct strip *strip, const struct margin *margin, bool *first, unsigned width);

/* Adds one line, clipped to `width` columns from `from` on. Signs at the edges show that there is more. */
void layout_clip(struct layout *layout, struct strip *strip, const struct margin *margin, bool first, unsigned from, unsigned width);

/*
 * Cuts the row being built: columns [0, kept) stay, the next `from` ones are left out, and nothing stands from column `to` on. `signs`: the
 * edges show what is cut, at the right if there is `more`.
 */
void layout_cut_row(struct layout *layout, unsigned kept, unsigned from, unsigned to, bool signs, bool more);

void layout_finish(struct layout *layout); /* the layout is complete */

#endif
