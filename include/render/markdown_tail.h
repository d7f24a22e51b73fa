/*
 * The tail of an open text: what the next bytes may make something else of. It is held back for that moment, so that nothing which
 * was shown turns into something else. Pure.
 */
#ifndef WEIR_RENDER_MARKDOWN_TAIL_H
#define WEIR_RENDER_MARKDOWN_TAIL_H

#include "base/text.h"

/* How many bytes at the end are not to be shown yet; blanks before them count too. */
size_t tail_undecided(struct str text);

/* Where the last word is an address, `https://e.org/a`: its offset. The text's length for other words. */
size_t tail_address(struct str text);

/* The sign that closes the title of a link, when `destination` (what is behind its bracket) ends within one; else NUL. */
char tail_title(struct str destination);

#endif
