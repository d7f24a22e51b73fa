/*
 * Links: destinations of hyperlinks (OSC 8), each with a number that cells refer to.
 *
 * Destinations are written by a model, so only http, https and mailto are accepted, never file, and nothing that contains a control
 * character. Bytes that are not allowed in OSC 8 (blanks, non-ASCII) are percent-encoded.
 */
#ifndef WEIR_UI_LINKS_H
#define WEIR_UI_LINKS_H

#include "base/text.h"

#define LINKS_MOST 239u

struct links {
	char *destinations[LINKS_MOST];
	unsigned count;
};

void links_forget(struct links *links); /* frees all destinations; also the destructor */

/* The number of a destination, from 1 on; adds it if it is new. 0 if it is refused or the table is full. */
unsigned links_number(struct links *links, struct str destination);

/* The destination with a number, borrowed; NULL for 0 and for unknown numbers. */
const char *links_at(const struct links *links, unsigned number);

#endif
