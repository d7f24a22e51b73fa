/*
 * A page: one turn laid out as rows. The answer is markdown, other text is flowed; finished reasoning and calls are one
 * line that unfolds; what went wrong stands at its place in words.
 *
 * A page is a list of items (header, texts, folds, sentences), and an item one or more pieces (the blocks of a markdown
 * text; else itself). Rows are made of a piece only when it is looked at, so what is far away costs nothing, however long
 * the turn. What a row shows is found again after any change by its mark, which is text, not a number.
 *
 *   page = item... ; item = piece... ; piece = row...          the last piece is the blank row between turns
 */
#ifndef WEIR_UI_PAGE_H
#define WEIR_UI_PAGE_H

#include "render/flow.h"
#include "render/markdown/markdown.h"
#include "ui/page/page_words.h"

enum item_kind { ITEM_HEADER, ITEM_TEXT, ITEM_FOLD, ITEM_WORDS };

struct item {
	enum item_kind kind;
	size_t part;              /* of the turn; PAGE_NO_PART for header and words */
	enum role_name role;
	struct str words;         /* header or fold line; in page->words */
	struct str figures;       /* at the right of header and fold line */
	struct str sign;          /* in the margin of a sentence's first row */
	struct str text;          /* what flow or markdown lay out */
	struct str source;        /* what that was made of, where it is another text; else empty. Borrowed from the turn */
	struct flow *flow;        /* plain text, unfolded text, or a sentence */
	struct markdown *markdown; /* the text of an answer */
	size_t words_at, figures_at, text_at; /* private: offsets while the words are being made */
	size_t first_piece, piece_count;
	unsigned indent;
	bool parted;              /* a blank row parts its text from what stands behind it */
	unsigned tail;            /* only so many rows of the text's end are shown; 0: all */
};

struct hits;

/* On the screen with all; the text alone, for copying from the terminal; printed, where no key works any more. */
enum page_form { PAGE_ON_SCREEN, PAGE_BARE, PAGE_PRINTED };

#define PAGE_NO_PART ((size_t)-1)

struct page {
	uint64_t revision;
	unsigned width;
	bool laid_out, live;
	bool unfolded;            /* folds are open that the user did not shut by themselves */
	enum reasoning_view reasoning;
	double at_ms;             /* the clock of a live turn, */
	bool tells_time;          /* which a line of this page tells */
	char live_words[96];      /* of the reasoning under way: it changes with the clock, not with each delta */
	double live_words_ms;
	size_t live_words_part;
	enum page_form form;      /* set it before the first page_update() */
	enum page_offer offer;    /* which keys its ending names; set it with page_set_offer() */
	struct markdown_options options; /* of answers; set it with page_set_options() */
	struct item *items;
	size_t count, capacity;
	size_t pieces;
	struct buf words;         /* all generated text of this page */
	struct flow *flows;       /* those of sentences, then one a part */
	struct page_text *texts;  /* one a part */
	size_t flow_count;
	struct hits *hits;        /* marked where they are drawn; NULL: none. Borrowed, set by who draws, with */
	size_t hits_turn;         /* the turn that this is, as they count */
};

/* A place in a page that survives new layout: part (or PAGE_NO_PART with the item's ordinal among such) and byte. */
struct page_mark { size_t part, ordinal, offset; bool on_line; };

void page_init(struct page *p);
void page_fini(struct page *p);

/* The keys that work for this turn now; until it is told, none. */
void page_set_offer(struct page *p, enum page_offer offer);

/* How reasoning is shown, and the time of a live turn. */
void page_set_reasoning(struct page *p, enum reasoning_view reasoning, double at_ms);

/* Lays `turn` out for a width if anything changed. `live`: its open reasoning and calls are in panes of their own. */
void page_update(struct page *p, const struct turn *turn, bool live, unsigned width);

size_t page_pieces(const struct page *p);
size_t page_piece_rows(struct page *p, size_t piece);
const struct item *page_item(const struct page *p, size_t piece); /* that a piece belongs to; NULL: the blank row at the end */
unsigned page_item_width(const struct page *p, const struct item *item);
bool page_item_has_line(const struct item *item);             /* a line of weir's own before its text */
size_t page_item_rows_before(const struct item *item);        /* rows of the text that are not shown because only its end is */
void page_draw_row(struct page *p, size_t piece, size_t row, struct canvas *canvas, unsigned canvas_row, unsigned column,
                   unsigned columns);
struct page_mark page_mark_of(struct page *p, size_t piece, size_t row);
void page_find(struct page *p, struct page_mark mark, size_t *piece, size_t *row);
/* What one jumps to: a turn's first piece, a block of code, a sentence about what went wrong. */
enum page_landmark { PAGE_TURN, PAGE_CODE, PAGE_TROUBLE };
bool page_begins(const struct page *p, size_t piece, enum page_landmark what);

/* A row of a page. */
struct page_row { size_t piece, row; };
/*
 * The source of rows is whole lines of what was written. page_line() gives the first and the last row of the line (or the block, where a
 * block is shown otherwise than in lines) that a row stands for; false for rows of weir's own: headers, folds, sentences.
 */
bool page_line(struct page *p, struct page_row at, struct page_row *first, struct page_row *last);
/*
 * Appends the source of the rows from the line of `first` to that of `last`. Of every text it is one unbroken part of it, without
 * blank lines around; of several texts a blank line parts them. The end of a block has no row where it is a fence or an
 * underline: it is taken when the rows from the block's first line to its last row are.
 */
void page_source(struct page *p, struct page_row first, struct page_row last, struct buf *out);

/* Appends the code that a piece is part of, as it was written; false when it is none. */
bool page_code(const struct page *p, size_t piece, struct buf *out);

/* Folds: of all parts, or of one. What the user did to one stays, whatever arrives, until all are set. */
bool page_has_folds(const struct page *p);
bool page_has_open_folds(const struct page *p);
void page_fold_all(struct page *p, bool open);
bool page_is_open(const struct page *p, size_t part);
void page_fold(struct page *p, size_t part, bool open);
size_t page_fold_at(const struct page *p, size_t piece); /* the part whose fold this piece is; PAGE_NO_PART */
void page_rest(struct page *p); /* it is out of sight: gives back what can be made again */
/* The options of answers in a page of that form. Only a page on the screen follows the look. */
struct markdown_options page_options(enum page_form form, const struct look *look, unsigned code_column);
void page_set_options(struct page *p, const struct markdown_options *options);
/* Of a piece of code that is clipped, the columns of its line that bytes of its text stand in; false for other pieces. */
bool page_code_columns(const struct page *p, size_t piece, size_t from, size_t to, unsigned *first, unsigned *last);
unsigned page_beyond(struct page *p, size_t piece); /* columns of its code that lie right of the edge */

/* A server that cites cuts a sentence into parts: those that touch are one text. The last part of the text that begins at `first`. */
size_t page_last_of_text(const struct turn *t, size_t first);

#endif
