/*
 * Scrolling keys: the one place that knows which keys scroll lists, sheets and panes, and by how many rows.
 */
#ifndef WEIR_UI_SCROLL_H
#define WEIR_UI_SCROLL_H

#include "ui/term/key.h"

#define WHEEL_ROWS 3 /* rows scrolled by one step of the wheel */

/* Keys that scroll besides Up, Down, PgUp and PgDn. */
enum scroll_keys {
	SCROLL_TABS = 1,      /* Tab, Shift-Tab: a row */
	SCROLL_CONTROLS = 2,  /* Ctrl-N, Ctrl-P: a row */
	SCROLL_LETTERS = 4,   /* j, k: a row */
	SCROLL_JUMPS = 8,     /* g, G: as Home and End; the space bar: a page */
	SCROLL_ENDS = 16,     /* Home, End: to the ends */
	SCROLL_STEPS = 32,    /* the wheel: a row */
	SCROLL_WHEEL = 64,    /* the wheel: WHEEL_ROWS */
	SCROLL_HALVES = 128,  /* Alt-Up, Alt-Down: half a page; else a row */

	SCROLL_MENU = SCROLL_TABS | SCROLL_CONTROLS | SCROLL_STEPS, /* a list below a line that is typed in */
	SCROLL_ROWS = SCROLL_TABS | SCROLL_LETTERS | SCROLL_ENDS | SCROLL_STEPS, /* a list without one */
	SCROLL_TEXT = SCROLL_LETTERS | SCROLL_JUMPS | SCROLL_ENDS | SCROLL_WHEEL | SCROLL_HALVES,
};

#define SCROLL_ALL 1000000000L

/* The scrolling key that j, k, g, G or the space bar stands for; any other key unchanged. */
struct key scroll_key(const struct key *key);
/* The rows that a key scrolls by: below 0 back, SCROLL_ALL or -SCROLL_ALL to an end, 0: it does not scroll. `page`: rows of a page; 0: none. */
long scroll_rows(const struct key *key, unsigned keys, unsigned page);
/* `at` and so many rows, from 0 to `last`. */
size_t scroll_to(size_t at, long rows, size_t last);

/*
 * The first of `count` lines in view, so that the lines from `from` to `to` are: `top` as far as it goes. If they have no room in `rows`,
 * the last one is in view.
 */
size_t scroll_into_view(size_t top, size_t count, size_t from, size_t to, unsigned rows);

#endif
