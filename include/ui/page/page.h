/*
 * A page: one turn laid out as rows. A prompt is a band, an answer has a head. The answer is rendered as markdown; other text is wrapped.
 * Finished reasoning and calls are folds. Errors and notices are sentences at the place where they occurred.
 *
 * A page is a list of items (head, texts, folds, sentences). An item has one or more pieces: the blocks of its text, of which the first
 * has the item's line and the last the blank row behind it, or the item itself. Rows are laid out only for pieces that are requested, so
 * distant pieces cost nothing. A mark identifies a row by its text position; it finds the row again after any change of the page or its width.
 *
 *   page = item... ; item = piece... ; piece = row...          the last piece is the blank row between turns
 */
#ifndef WEIR_UI_PAGE_H
#define WEIR_UI_PAGE_H

#include "chat/conversation/turn.h"
#include "render/flow_text.h"
#include "render/markdown/markdown.h"
#include "ui/page/members.h"
#include "ui/page/page_place.h"
#include "ui/page/page_sources.h"
#include "ui/page/page_words.h"
#include "ui/picture.h"

enum item_kind { ITEM_HEAD, ITEM_TEXT, ITEM_FOLD, ITEM_WORDS };

struct item {
	enum item_kind kind;
	size_t part;              /* index in the turn's parts; PAGE_NO_PART for head and sentences */
	enum role_name role;
	struct str words;         /* text of the head or fold line; points into page->words */
	size_t lead;              /* length of the part of `words` that has the item's role; the rest is muted */
	struct str figures;       /* right-aligned text of the first row; points into page->words */
	struct str sign;          /* drawn in the margin of a sentence's first row */
	struct str text;          /* the text that `flow` or `markdown` lays out */
	const struct page_cites *cites; /* `text` contains numbers of sources that `received` does not; NULL: none */
	struct str received;      /* the text without them, if there are any */
	size_t fence, before;     /* `text` is code between fences: where it begins there, and in the text as received; 0: it is not */
	const struct page_sources *sources; /* the row of sources, or a list of found pages: its links; else NULL */
	struct str source;        /* the source of `text` if it differs, else empty; borrowed from the turn */
	struct member_marks *members; /* `text` has lines of members; NULL: it has not */
	struct flow_text *flow;   /* layout of plain text, unfolded text or a sentence; else NULL */
	struct markdown *markdown; /* layout of an answer's text; else NULL */
	size_t fold;              /* the part whose fold it is or belongs to; PAGE_NO_PART: none */
	size_t result;            /* for a call, the number of its result, shown or not; else PAGE_NO_PART */
	size_t words_at, figures_at, text_at; /* private: offsets into page->words during layout */
	size_t first_piece, piece_count;
	unsigned line_indent, indent; /* of the generated line, of the text */
	unsigned kept;            /* columns at the start of `figures` that stay when the row is short: those of the siblings */
	unsigned margin;          /* columns at the right kept free for `figures` */
	bool band;                /* part of a prompt: a bar before each row, and the background of ROLE_PROMPT */
	bool parted;              /* a blank row follows its text */
	bool spaced;              /* a blank row precedes it */
	bool joint;               /* the sentence stands between two texts */
	bool body;                /* the item before it is the line of its fold */
	struct str image;         /* bytes of an unfolded image, borrowed from the turn; else empty */
	struct blob *image_blob;  /* that has these bytes; NULL: none does */
	struct image_size image_size; /* its pixels */
	struct image_size room;   /* the pixels that its rows are reserved for: of the first partial picture, else its own */
	unsigned tail;            /* show only this many last rows of the text; 0: all */
};

struct hits;

/* A position that survives a new layout: part and byte offset. With PAGE_NO_PART, `ordinal` counts the items without a part. */
struct page_mark { size_t part, ordinal, offset; bool on_line; };

struct page {
	uint64_t revision, rewinds; /* of the turn at the last layout */
	unsigned width;
	bool laid_out, live;
	bool exact;               /* set with page_set_exact() */
	bool unfolded;            /* state of the folds that the user did not set one by one */
	enum reasoning_view reasoning;
	double at_ms;             /* the stream's clock, for a live turn */
	bool shows_time;          /* a line of this page depends on at_ms */
	char live_words[96];      /* figures of the live reasoning; updated when at_ms changes, not with each delta */
	double live_words_ms;     /* at_ms that live_words was made for */
	size_t live_words_part;   /* part that live_words was made for */
	enum images images;       /* which images are drawn, and by whom they are decoded; set by page_set_images() */
	const struct pictures *pictures;
	unsigned picture_rows;
	enum page_form form;      /* set by the owner before the first page_update() */
	enum page_offer offer;    /* keys that the ending names; set by page_set_offer() */
	struct view_keys keys;    /* how those keys are written; set by the owner before page_update() */
	struct markdown_options options; /* how answers are rendered; set by page_set_options() */
	struct item *items;
	size_t count, capacity;
	size_t pieces;
	struct buf words;         /* all generated text of the page */
	unsigned sources_columns; /* of all sources in one row, which they have from this width on */
	struct page_sources sources; /* links of the row of sources */
	struct flow_text *flows;  /* one per sentence, then one per part */
	struct page_text *texts;  /* parallel to `flows` */
	size_t flow_count;
	const struct turn *before, *after; /* the adjacent turns; NULL: none. Borrowed; set with page_set_neighbours() */
	uint64_t after_revision;
	struct siblings siblings; /* set with page_set_siblings() */
	bool ascii;
	size_t own_parts;         /* parts of the turn; larger numbers mean parts of the turn after it */
	struct page_mark left_at; /* the first visible row when another branch took its place; initially its head */
	struct hits *hits;        /* search hits to mark; NULL: none. Borrowed; set by the owner before drawing */
	size_t hits_turn;         /* index of this turn in `hits`; set with it */
	bool has_written;         /* what a frame wrote is marked: `written`. Set by the owner before drawing */
	struct page_written written;
	bool alone;               /* page_draw_texts() is drawing */
};

void page_init(struct page *p);
void page_fini(struct page *p);

/* Sets the keys that work for this turn now. Initially none. */
void page_set_offer(struct page *p, enum page_offer offer);

/* Sets the turns before and after this one. The results of its calls are in the turn after it and shown with the calls. */
void page_set_neighbours(struct page *p, const struct turn *before, const struct turn *after);

/* Sets the place among its siblings, which the head of the page shows, and whether it is written in ASCII. */
void page_set_siblings(struct page *p, struct siblings siblings, bool ascii);
/*
 * The sibling that a click on a column means, as a step: -1 the older one, 1 the newer one, 0 the column shows nothing of siblings.
 * `column` counts from the page's edge, of `columns`.
 */
int page_sibling_at(struct page *p, size_t piece, size_t row, unsigned column, unsigned columns);

/* Sets how reasoning is shown, and the stream's clock of a live turn. */
void page_set_reasoning(struct page *p, enum reasoning_view reasoning, double at_ms);

/* Sets whether the stream's clock stands still (view.exact): its figures are then those of the deltas so far. */
void page_set_exact(struct page *p, bool exact);

/*
 * Sets which images are drawn, and in how many rows at most: as picture_fit(). `pictures` is borrowed; NULL: none can be decoded. Initially
 * those that are unfolded, NULL and 0.
 */
void page_set_images(struct page *p, enum images images, const struct pictures *pictures, unsigned rows);

/* Lays out `turn` for a width if anything changed. `live`: its open reasoning and calls have panes of their own. */
void page_update(struct page *p, const struct turn *turn, bool live, unsigned width);

size_t page_pieces(const struct page *p);
size_t page_piece_rows(struct page *p, size_t piece);
const struct item *page_item(const struct page *p, size_t piece); /* the item of a piece; NULL for the blank row at the end */
unsigned page_item_width(const struct page *p, const struct item *item);
bool page_has_line(const struct item *item, size_t piece);    /* it begins with a generated line: a head, a fold or a blank row */
/* The layout of the piece of an item that has a flow, and the text that it lays out: a part of the item's. */
const struct flow *page_flow(const struct page *p, const struct item *item, size_t piece, struct str *text);
size_t page_rows_before(const struct page *p, const struct item *item, size_t piece); /* rows of a flow that `tail` hides */
size_t page_received_offset(const struct item *item, size_t offset); /* of an offset in `text`: that in the text as received */
void page_draw_row(struct page *p, size_t piece, size_t row, struct canvas *canvas, unsigned canvas_row, unsigned column,
                   unsigned columns);
/* The same at the start of a canvas's first row: without hits, and without figures and labels that stand beside texts. */
void page_draw_texts(struct page *p, size_t piece, size_t row, struct canvas *canvas);
void page_draw_written(struct page *p, size_t piece, size_t row, struct canvas *canvas, struct area line); /* over the row drawn before */
struct page_mark page_mark_of(struct page *p, size_t piece, size_t row);
void page_find(struct page *p, struct page_mark mark, size_t *piece, size_t *row);
/* Whether a piece is the target of such a jump. */
bool page_begins(const struct page *p, size_t piece, enum page_landmark what);
size_t page_first_row(const struct page *p, size_t piece); /* of a piece, but for a blank one before it */

/* A row of a page. */
struct page_row { size_t piece, row; };
/*
 * Rows are mapped to whole lines of the source. page_line() returns the first and the last row of the source line that a row belongs
 * to, or of the block if the block is not shown line by line. False for generated rows: heads, folds, sentences.
 */
bool page_line(struct page *p, struct page_row at, struct page_row *first, struct page_row *last);
/*
 * Appends the source of the rows from the line of `first` to the line of `last`. Each text contributes one contiguous range without
 * leading and trailing blank lines; a blank line separates the texts. A closing fence or an underline has no row: it is included
 * when all rows of its block are.
 */
void page_source(struct page *p, struct page_row first, struct page_row last, struct buf *out);

/* Appends the source of the code block or the table that a piece belongs to. False if the piece is not code, or of no table. */
bool page_code(const struct page *p, size_t piece, struct buf *out);
bool page_table(const struct page *p, size_t piece, struct buf *out);

/* Folds. The state of a single fold is kept until page_fold_all() is called. */
bool page_has_folds(const struct page *p);
bool page_unfolds(const struct page *p, size_t part); /* false: its line is all; items of media have folds to be current only */
bool page_has_open_folds(const struct page *p);
void page_fold_all(struct page *p, bool open);
bool page_is_open(const struct page *p, size_t part);
void page_fold(struct page *p, size_t part, bool open);
size_t page_fold_at(const struct page *p, size_t piece); /* the part whose fold a piece is or belongs to; PAGE_NO_PART: none */
size_t page_fold_of(const struct page *p, size_t part);  /* the part whose fold shows a part; PAGE_NO_PART: none */
/* The number on this page of a result, a part of the turn after it; PAGE_NO_PART if it is not shown here. */
size_t page_result_of(const struct page *p, size_t part);
void page_release_layout(struct page *p); /* the page is not visible: frees what can be laid out again */
/* The markdown options of a page of that form. Only PAGE_ON_SCREEN follows the look. */
struct markdown_options page_options(enum page_form form, const struct look *look, unsigned sideways);
void page_set_options(struct page *p, const struct markdown_options *options);
/*
 * The columns that the bytes [from, to) of a text occupy in a line of clipped code, or their cell in a table that scrolls; `first` without
 * those that stay. False if the piece is neither.
 */
bool page_columns_of(struct page *p, size_t piece, size_t from, size_t to, unsigned *first, unsigned *last);
bool page_ends_in_table(const struct page *p); /* as last laid out */
/* The block that a piece shows, for the columns of its code or table that are cut; NULL: it shows none. Valid until it is drawn again. */
const struct markdown_layout *page_scrolled(struct page *p, size_t piece);

/*
 * The last part of the text that begins with part `first`. Adjacent text parts form one text: a server that cites sources splits a
 * sentence into parts.
 */
size_t page_last_of_text(const struct turn *t, size_t first);

#endif
