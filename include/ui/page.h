/*
 * A page: one turn laid out as rows. Parts of text are flowed, finished reasoning and calls are one line that unfolds,
 * what went wrong stands at its place in words.
 *
 * A page is laid out again only when its turn's revision, the width or a fold changed; while a turn streams, only the last
 * row of its open part is. What a row shows can be found again after any change by its mark, which is text, not a number.
 */
#ifndef WEIR_UI_PAGE_H
#define WEIR_UI_PAGE_H

#include "render/flow.h"
#include "ui/page_words.h"

enum block_kind { BLOCK_HEADER, BLOCK_TEXT, BLOCK_FOLD, BLOCK_WORDS };

struct block {
	enum block_kind kind;
	size_t part;              /* of the turn; PAGE_NO_PART for header and words */
	enum role_name role;
	struct str words;         /* fold line, header or sentence; in page->words */
	struct str figures;       /* at the right of header and fold line */
	struct flow *flow;        /* text, unfolded text, or a sentence */
	struct str text;          /* what the flow lays out */
	size_t words_at, figures_at, text_at; /* private: offsets while the words are being made; NO_WORDS: not in page->words */
	size_t rows;
	unsigned indent;
	struct str sign;          /* in the margin of a sentence's first row */
};

#define PAGE_NO_PART ((size_t)-1)

struct page {
	uint64_t revision;
	unsigned width;
	bool laid_out, live, unfolded, was_unfolded;
	enum page_offer offer;    /* which keys its ending names; set it with page_set_offer() */
	struct block *blocks;
	size_t count, capacity;
	struct buf words;         /* all generated text of this page */
	struct flow *flows;       /* one a part, then those of sentences */
	size_t *laid;             /* bytes of each part when it was laid out last */
	size_t flow_count;
	size_t rows;              /* of the whole page, the blank one behind it included */
};

/* A place in a page that survives new layout: part (or PAGE_NO_PART with the block's ordinal among such) and byte. */
struct page_mark { size_t part, ordinal, offset; bool on_fold_line; };

void page_init(struct page *p);
void page_fini(struct page *p);

/* The keys that work for this turn now; until it is told, none. */
void page_set_offer(struct page *p, enum page_offer offer);

/* Lays `turn` out for a width if anything changed. `live`: its open reasoning and calls are in panes of their own. */
void page_update(struct page *p, const struct turn *turn, bool live, unsigned width);
void page_draw_row(const struct page *p, size_t row, struct canvas *canvas, unsigned canvas_row, unsigned column, unsigned columns);
struct page_mark page_mark_of(const struct page *p, size_t row);
size_t page_row_of(const struct page *p, struct page_mark mark);
bool page_has_folds(const struct page *p);

#endif
