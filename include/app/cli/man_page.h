/*
 * The man pages, which the program holds (src/man), as they are and as plain text.
 */
#ifndef WEIR_APP_MAN_PAGE_H
#define WEIR_APP_MAN_PAGE_H

#include "base/text.h"

struct man_page {
	const char *name; /* "weir-ask" */
	const char *section; /* "1" */
	const char *text; /* roff */
};

const struct man_page *man_page_at(size_t index); /* sorted by name; NULL after the last */

/* The page of a subcommand ("ask") or of that name ("weir.conf"); NULL: there is none. */
const struct man_page *man_page_find(const char *topic);

/*
 * Appends a page as text, in lines of at most `columns` bytes where its words allow that. False when it has a request or an escape that
 * is none of those that our pages use.
 */
MUST_USE bool man_page_write(struct str roff, size_t columns, struct buf *out, struct error *err);

#endif
