/*
 * What the page's files share: page.c (what stands on it), page_items.c, page_text.c (texts of parts), page_fold.c, page_rows.c,
 * page_sentence.c.
 */
#ifndef WEIR_UI_PAGE_INSIDE_H
#define WEIR_UI_PAGE_INSIDE_H

#include "ui/page/page.h"

#define PAGE_FOLD_INDENT 2
#define PAGE_CODE_INDENT (2 * PAGE_FOLD_INDENT) /* most columns before the code of a tool, or its output */
#define PAGE_WIDE_COLUMNS 60  /* from this width on, a prompt keeps the columns of its time free */
#define PAGE_SENTENCES_MAX 24 /* flows reserved for sentences; that of the sources and those of the parts follow them */
#define PAGE_SOURCES (PAGE_NO_PART - 1) /* the fold of the sources, which are no part */

/* What is kept for a part between two layouts. */
struct page_text {
	struct markdown *markdown; /* rendered view; updated only while it is shown */
	struct markdown *source;   /* source view; updated only while it is shown */
	struct buf joined;       /* the text of this part and of the adjacent parts after it */
	size_t joined_last;      /* the last part in `joined` */
	struct buf lines;        /* a call's arguments, or the input of a server's tool, as lines of members */
	struct members members;
	struct member_marks marks; /* of `lines` */
	size_t lines_of;         /* bytes of the arguments that `lines` has */
	bool shows_lines;        /* `lines` were laid out last, not the text as it was sent */
	struct buf brief;        /* the arguments, or the result of a server's tool, as one line */
	size_t brief_of;         /* length of what is in `brief` */
	bool brief_whole;        /* it had ended then; its end may have replaced the arguments, also by none */
	struct buf fenced;       /* the code that a tool of the server ran, or what it printed, as a block of Markdown */
	size_t fence, before;    /* as in struct item */
	size_t fenced_of;        /* length of the part that `fenced` was made of; 0: none */
	struct page_sources list; /* of the pages or files that it found */
	struct buf list_text, list_strings;
	size_t list_of;          /* length of the result that they were made of; 0: none */
	size_t found, found_of;  /* how many pages or files the result of a server's tool lists, by part_words_found(), and its length then */
	size_t whole;            /* length of the text when it was complete; 0: still streaming. Later text needs a new layout */
	size_t laid;             /* length of the part at the last layout */
	struct page_cites cites; /* the text with the numbers of its sources; updated when the turn has ended */
	size_t cited;            /* numbers in the text at the last layout */
	bool opens;              /* an image or a sound that is shown unless it is folded */
	bool is_bare;            /* an item of media, or an attachment, that has nothing to unfold */
	struct image_size room;  /* pixels of the first partial picture, whose rows the later ones keep; 0 x 0: none came */
	uint64_t drawn;          /* version of the picture that was drawn last; 0: none */
	enum { FOLD_AS_ALL, FOLD_OPEN, FOLD_SHUT } fold;
};

/* --- page_items.c --- */

/* Valid until the next one is added. */
struct item *page_add_item(struct page *p, enum item_kind kind, size_t part, enum role_name role);
/* Ends words that began at `start`. During layout they are kept as offsets, because the buffer moves while it grows. */
void page_end_words(struct page *p, size_t start, size_t *at, struct str *view);
/* Begins the figures of an item with its place among its siblings, which stays when the row is short. */
void page_add_siblings(struct page *p, struct item *item);
void page_end_figures(struct page *p, size_t start, struct item *item); /* the gap before the next one is not one of them */
/* Replaces the offsets by pointers now that `words` is complete, and assigns pieces to the items. */
void page_settle_items(struct page *p);

/* --- page_text.c --- */

void page_text_fini(struct page_text *text);
size_t page_slot(size_t part); /* its index in `texts` and `flows` */
struct page_text *page_text_of(const struct page *p, size_t part);
struct flow_text *page_flow_of(const struct page *p, size_t part);
void page_reserve_parts(struct page *p, const struct turn *t); /* call first in a layout */
/* The document of a text, in the view that is shown. `continues`: its text begins as before. */
struct markdown *page_document_of(const struct page *p, struct page_text *text, bool continues);
/* Adds the text that begins with that part. Returns the last part of it. */
size_t page_add_text(struct page *p, const struct turn *t, size_t first);
/* The turn after it is another one: what was kept for the parts of the former is of no use. */
void page_forget_results(struct page *p);
/* The turn's texts became shorter: what was laid out cannot be continued. Folds stay as the user set them. */
void page_rewind(struct page *p, const struct turn *t);

/* --- page_fold.c --- */

/* Adds reasoning, a call, a result or an attachment: one line, followed by the text or the image if it is unfolded. */
void page_add_fold(struct page *p, const struct turn *t, size_t index, bool live);
/* Adds a text that is folded, from that part on. Returns the last part of it. */
size_t page_add_folded_text(struct page *p, const struct turn *t, size_t first, const char *what);

/* --- page_server_tool.c --- */

/* Whether the input of a tool of the server is code; sets it up to be shown. */
bool page_has_code(struct page *p, const struct turn *t, size_t part);
/* The same of what it printed. */
bool page_has_output(struct page *p, const struct part *tool, const struct part *result, size_t index);
void page_add_code(struct page *p, size_t part, size_t fold, unsigned indent); /* such code as a band, below the line of its fold */
/* Sets the text of the line of a result that lists pages or files. False if it lists none. */
bool page_add_found(struct page *p, const struct part *result, struct item *item);

/* --- page_rows.c --- */

/* The rows of a piece that has a flow; those that `tail` hides are among them. */
const struct flow *page_rows_of(const struct page *p, const struct item *item, size_t piece);
size_t page_block_start(const struct item *item, size_t piece); /* the offset in `text` at which the flow of the piece begins */
bool page_has_gap(const struct item *item, size_t piece);       /* the last row of the piece is the blank one behind the item */

/* --- page_sentence.c --- */

void page_add_sentence(void *page, enum role_name role, struct str text); /* nothing, if there are too many */
void page_add_between(struct page *p, struct str text);        /* between two texts */
void page_add_joint(struct page *p, const struct turn *t, size_t part); /* what is said where an answer was continued */
/* Adds the sources: beside their label, or below it if the page is narrow; in one row if they all fit, else each in a row of its own. */
void page_add_sources(struct page *p, const struct turn *t);

#endif
