/*
 * A listing: a card with a filter line and rows that are asked for only when they are drawn, so that a list of any length costs what is
 * visible. A row has a title and facts in columns that stand in line; in a narrow card the facts of the least rank are left out. A row may
 * have a line below it. Text may be untrusted.
 */
#ifndef WEIR_UI_LISTING_H
#define WEIR_UI_LISTING_H

#include "ui/canvas.h"
#include "ui/edit/edit.h"

#define LISTING_FACTS 6u
#define LISTING_FACT 40u /* bytes of a fact, with the NUL */

struct listing_item {
	struct str title;
	struct str below;        /* words between MARK_BEGIN and MARK_END are marked */
	char facts[LISTING_FACTS][LISTING_FACT]; /* "": none */
	bool current;            /* marked with a dot */
};
#define LISTING_MARK_BEGIN '\x02'
#define LISTING_MARK_END '\x03'

struct listing_column {
	const char *name;        /* above the facts, where there is room; "": none */
	unsigned rank;           /* the columns with the least rank are left out first */
	unsigned most;           /* wider facts are cut */
	bool left;               /* aligned to the left: words */
};

struct listing { /* borrows all */
	struct str title, figures, keys;
	const struct edit *filter;
	const struct listing_column *columns; /* LISTING_FACTS of them */
	void (*item)(void *ctx, size_t index, struct listing_item *out); /* texts are borrowed until the next call */
	void *ctx;
	size_t count, marked;
	struct str needle;       /* its letters are marked in the titles */
	struct str nothing;      /* said when there is no row */
	bool has_below;          /* rows have two lines */
};

/* What the card remembers between two frames, so that nothing moves without need. A zeroed one is a new card. */
struct listing_state {
	size_t top;              /* the first visible row */
	unsigned held;           /* the height that it had */
	unsigned widths[LISTING_FACTS];
};

/* Draws the card. Returns the number of rows that it shows: a page. */
unsigned listing_draw(const struct listing *l, struct listing_state *state, struct canvas *canvas);

#endif
