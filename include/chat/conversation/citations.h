/*
 * Citations of an answer: its sources, each once, and the places in the text that they support. Sources are numbered from 1 in the order
 * in which they arrived. Owned by the turn; never sent back to a server.
 */
#ifndef WEIR_CHAT_CITATIONS_H
#define WEIR_CHAT_CITATIONS_H

#include <stddef.h>

#include "wire/delta.h"

/* More than these are dropped. */
#define CITATION_SOURCES_MAX 200
#define CITATION_PLACES_MAX 300
#define CITATION_REACH ((int64_t)1 << 18) /* places further into a text are unknown: finding them would take too long */
#define CITATION_TEXT_MAX ((size_t)4096) /* bytes of a title or a quote; an address is dropped if it is longer */

struct citation_source { char *url, *title, *text; }; /* "": not sent. As received: the text is not safe to show as it is */

struct citation_place {
	size_t source;         /* index of the source */
	unsigned part;         /* number of the part; DELTA_NO_PART: all text parts from `from` on */
	size_t from;           /* index of the first part of the request's answer */
	enum citation_unit unit;
	int64_t end;
};

struct citations { /* initialise to zero */
	struct citation_source *sources;
	size_t source_count, source_capacity;
	struct citation_place *places;
	size_t place_count, place_capacity;
};

void citations_fini(struct citations *c); /* leaves it empty */
void citations_copy(const struct citations *from, struct citations *to); /* what `to` held is not freed */

/* Adds a citation. `part` and `from` as in struct citation_place. The same address, or the same title without one, is the same source. */
void citations_add(struct citations *c, const struct citation *citation, unsigned part, size_t from);

struct turn;
/*
 * Finds the text part of a turn in which a place ends, and the offset in it in bytes. An offset beyond the text is at its end. False if
 * the place is not known.
 */
bool citations_find(const struct turn *t, const struct citation_place *place, size_t *part, size_t *offset);

/*
 * The host of an http or https address, as far as programs agree; else empty. If there is a user name or a backslash before it, all up to
 * the path is returned, because programs disagree on what the host is.
 */
struct str citations_host(struct str url);

/* Appends the sources as a numbered list: title and address. */
void citations_list(const struct citations *c, struct buf *out);

#endif
