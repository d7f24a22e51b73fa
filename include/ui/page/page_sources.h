/*
 * The sources that an answer cites, as its page shows them: the numbers in its text, and the row of sources below it.
 */
#ifndef WEIR_UI_PAGE_SOURCES_H
#define WEIR_UI_PAGE_SOURCES_H

#include "ui/rows.h"

struct turn;

/* A text with the numbers of its sources. Offsets in the text as received and in the text as shown are converted into each other. */
struct page_cites {
	struct buf text;
	struct page_insert { size_t at, length; } *inserts; /* offset in the text as received, and bytes inserted there; ascending */
	size_t count, capacity;
	size_t received;           /* length of the text as received */
	size_t places;             /* places that the turn had */
};
void page_cites_fini(struct page_cites *c); /* initialise to zero */

/*
 * Inserts numbers, "[1]", into the text that the parts `first` to `last` of a turn form. A place in code gets none. False if there is
 * nothing to insert.
 */
bool page_cites_update(struct page_cites *c, const struct turn *t, size_t first, size_t last, struct str text);
size_t page_cites_shown(const struct page_cites *c, size_t received);
size_t page_cites_received(const struct page_cites *c, size_t shown);

/*
 * The row of sources: "1 jma.go.jp  Tokyo forecast   2 tokyometro.jp  Timetable". For each source it is kept where it starts in the text,
 * the bytes of its host, and the number of its destination (from 1 on; 0: no link).
 */
struct page_source { struct str url, title; }; /* either may be empty. As received: not safe to show as they are */
struct page_sources {
	struct page_link { size_t start, from, to; uint16_t number; } *links; /* see below */
	struct str *destinations;  /* borrowed from the turn */
	size_t count, capacity, room;
};
#define PAGE_SOURCES_HANG 2 /* a row that begins with a source stands so many columns to the left of `at` */
void page_sources_fini(struct page_sources *s); /* initialise to zero */

/*
 * Appends the text of the first `count` sources of a turn to `out`; offsets of links count from byte `start` of `out`. `apart`: each source in
 * a line of its own. `whole`: with its address instead of a link.
 */
void page_sources_write(struct page_sources *s, const struct turn *t, size_t count, bool apart, bool whole, struct buf *out, size_t start);

/*
 * Appends the same text, each source apart, of the pages or files that the result of a server's tool lists. False if it lists none.
 * `strings` has their decoded addresses, which `s` borrows.
 */
bool page_sources_write_found(struct page_sources *s, struct str result, struct buf *strings, struct buf *out);

/* Draws a row of that text, of which `row` has the bytes, with the hits of a search marked. */
void page_sources_draw(const struct page_sources *s, struct canvas *canvas, struct area at, struct str text, struct rows_part row,
                       struct hits *hits, struct hits_place of);

#endif
