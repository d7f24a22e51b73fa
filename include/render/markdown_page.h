/*
 * Making rows: a strip collects the styled text of lines, a page keeps the rows that it is wrapped to.
 *
 * A strip is scratch, used again for each paragraph, line of code or cell. Its text is one piece, so lines break by the rules of
 * render/flow wherever the styles change. A page owns its spans and their text (nothing in it borrows from the source) and can be
 * taken back to a mark, so that a growing block only lays its last line anew.
 */
#ifndef WEIR_RENDER_MARKDOWN_PAGE_H
#define WEIR_RENDER_MARKDOWN_PAGE_H

#include "render/flow.h"
#include "render/markdown.h"

struct strip_style {
	uint8_t role, attributes;
	uint16_t link;
};

struct strip_run {
	size_t at;                /* in the strip's text */
	size_t source;
	struct strip_style style;
	bool exact;               /* its bytes are those of the source */
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

/* Adds text of one line. Tabs become a blank and CRs signs: what a cell takes must not depend on its column. */
void strip_add(struct strip *strip, struct str text, struct strip_style style, size_t source, bool exact);
void strip_end_line(struct strip *strip, size_t source);
size_t strip_source(const struct strip *strip, size_t at);
bool strip_is_styled(const struct strip *strip, size_t at, struct strip_style style); /* what begins there */

/* Breaks the text into rows: strip->flow. */
void strip_wrap(struct strip *strip, unsigned width);

/* What stands left of the text: on the first row of a block, and on the others. */
#define MARGIN_SPANS (MARKDOWN_DEPTH + 2)
struct margin {
	struct span first[MARGIN_SPANS], rest[MARGIN_SPANS];
	unsigned first_count, rest_count;
	unsigned columns;
	const struct span *continued; /* stands for the last one where a row goes on with the line above; NULL: nothing does */
};

struct md_page_chunk;
struct md_page_mark {
	size_t rows, links;
	struct md_page_chunk *chunk;
	size_t used;
};

struct markdown_page {
	struct markdown_layout layout;
	struct markdown_row *rows;
	struct str *links;
	size_t row_capacity, link_capacity;
	struct md_page_chunk *chunk;
	struct span *spans;       /* of the row under way */
	size_t span_count, span_capacity;
	size_t bytes;             /* memory it takes, about */

	/* Where a block that grew can be gone on with. */
	struct md_page_mark mark;
	size_t resume;            /* offset of the first line that may change; 0: lay out anew */
	uint8_t state;            /* of highlighting, there */
	bool refers;              /* some of its text would be a link, if there were a definition */
	uint32_t counted;         /* lines of code that its label tells; 0: none */
	uint16_t *widths;         /* of a table's columns; in the page's memory */
};

void md_page_init(struct markdown_page *page);
void md_page_fini(struct markdown_page *page);
struct md_page_mark md_page_mark_of(const struct markdown_page *page);
void md_page_return(struct markdown_page *page, struct md_page_mark mark);

struct str md_page_text(struct markdown_page *page, struct str text);  /* a copy that lives as long as the page */
void *md_page_room(struct markdown_page *page, size_t size);
uint16_t md_page_link(struct markdown_page *page, struct str destination); /* number + 1; 0 beyond 65,535 */

void md_page_add(struct markdown_page *page, struct span span);
void md_page_add_blanks(struct markdown_page *page, unsigned columns);
void md_page_cut(struct markdown_page *page, const struct strip *strip, size_t start, size_t end); /* a part of a strip */
void md_page_end_row(struct markdown_page *page, size_t source, bool wraps);

/* The rows [from, to) of a strip that strip_wrap() broke. `first`: the margin of a block's first row is used, and becomes used up. */
void md_page_add_rows(struct markdown_page *page, const struct strip *strip, const struct margin *margin, bool *first, size_t from, size_t to);

/* The whole strip, wrapped to `width` columns beside the margin. */
void md_page_wrap(struct markdown_page *page, struct strip *strip, const struct margin *margin, bool *first, unsigned width);

/* One line, cut to the columns from `from` on; signs at the edges say that there is more. */
void md_page_clip(struct markdown_page *page, struct strip *strip, const struct margin *margin, bool first, unsigned from, unsigned width);

void md_page_finish(struct markdown_page *page); /* the layout is complete */

#endif
