/*
 * A list: rows that are asked for only when they are drawn, so that a list of any length costs what is visible. One of them is marked. It is
 * drawn as a card, with a line to filter by if its owner has one, or in an area. Menus, the list of conversations, the settings, the tree and
 * completions are lists. Text may be untrusted.
 *
 * A row has a text and facts in columns at its right end. It may have muted words before the text and behind it, a line below it and a heading
 * above it.
 */
#ifndef WEIR_UI_LIST_H
#define WEIR_UI_LIST_H

#include "ui/canvas.h"
#include "ui/edit/edit.h"
#include "ui/fuzzy.h"
#include "ui/scroll.h"

#define LIST_FACTS 6u
#define LIST_MARK_BEGIN '\x02'
#define LIST_MARK_END '\x03'

struct list_item {
	struct str front;        /* muted, in a column of their own; see `front_columns` */
	struct str text;
	struct str aside;        /* muted, in a column of their own; see `aside_at` */
	struct str facts[LIST_FACTS]; /* empty: none */
	struct str below;        /* words between LIST_MARK_BEGIN and LIST_MARK_END are marked */
	bool current;            /* marked with a dot */
	bool muted;
	bool matches;            /* what `matched` has is marked in the text */
	bool matched[FUZZY_TEXT_BYTES];
};

/* What becomes of facts for which there is no room. */
enum list_fit {
	LIST_HALF,   /* the last columns are left out; those that stay are cut to half of a row */
	LIST_RANKED, /* the columns of the least rank are left out */
	LIST_WHOLE,  /* all of a row are, if they leave its text too little */
	LIST_BESIDE, /* all of a row are, unless its whole text has room beside them; a text that is cut has no sign of it */
};

struct list_column {
	const char *name;        /* above the facts, where there is room; "": none */
	unsigned rank, most;     /* wider facts are cut */
	bool left;               /* aligned to the left: words */
};

/* Widths of facts in columns, of all rows. LIST_RANKED measures the visible ones itself. */
struct list_widths {
	unsigned of[LIST_FACTS];     /* the widest fact of each column; 0: no row has it */
	unsigned facts[LIST_FACTS];  /* the widest facts of one row, if the columns behind this one are left out */
	unsigned beside[LIST_FACTS]; /* the same with the text of the row */
};

struct list { /* borrows all */
	struct str title, figures, keys; /* of the card */
	const struct edit *filter;       /* NULL: none */
	unsigned columns;                /* wanted width of the card */
	unsigned rows_most;              /* lines wanted at most; 0: as many as it has */
	size_t rows_least, rows_held;    /* lines wanted at least; lines that decide where the card begins, if it has fewer */
	struct str nothing;              /* said when there is no row */
	struct str below;                /* in rows of their own below the list; see `has_below` */
	bool has_below;

	void (*item)(void *ctx, size_t index, struct list_item *out); /* `out` is zeroed; texts are borrowed until the next call */
	const char *(*heading)(void *ctx, size_t index);              /* above a row; NULL: none */
	void *ctx;
	size_t count;
	const char *more;        /* a line below the last row, "there are more"; NULL: none */
	bool unmarked;           /* no row is marked */
	bool wraps;              /* on a narrow canvas a text goes on in further lines: rows have neither facts nor `below` then */
	unsigned wrap;           /* columns of these lines: set while it is drawn; 0: each row has one */
	bool two_lines;          /* rows have `below` ... */
	size_t one_line;         /* ... but for those before this one */
	bool dots;               /* rows may be current */
	unsigned front_columns;  /* with a gap; 0: rows have no `front` */
	unsigned aside_at;       /* columns of a text that stand before its `aside`, where this has room; 0: rows have none */
	enum list_fit fit;
	const struct list_column *ranked; /* LIST_FACTS of them, for LIST_RANKED */
};

/* What is kept between two frames. A zeroed one is a new list. */
struct list_state {
	size_t marked;
	size_t top;              /* the first visible line */
	unsigned page;           /* rows that were visible */
	size_t held;             /* most lines that it had */
	struct list_widths widths;
};

/* Moves the mark if it is one of the keys (enum scroll_keys). `page`: rows of PgUp and PgDn. */
bool list_key(struct list_state *state, const struct key *key, unsigned keys, unsigned page, size_t count);
void list_mark(struct list_state *state, size_t row, size_t count); /* marks that row, or the last one */

/* Draws the card. Returns the area of its rows. */
struct area list_draw(const struct list *list, struct list_state *state, struct canvas *canvas);
void list_draw_rows(const struct list *list, struct list_state *state, struct canvas *canvas, struct area area);

#endif
