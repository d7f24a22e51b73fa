/*
 * Links: destinations that a terminal may be told (OSC 8), each with a number that cells carry.
 *
 * What a model writes decides over them, so only http, https and mailto are taken, never file, and nothing with a control
 * character in it. Bytes that a terminal may not be sent here (blanks, all beyond ASCII) are percent-encoded.
 */
#ifndef WEIR_UI_LINKS_H
#define WEIR_UI_LINKS_H

#include "base/text.h"

#define LINKS_MOST 239u

struct links {
	char *destinations[LINKS_MOST];
	unsigned count;
};

void links_forget(struct links *links); /* all of them; ends its life too */

/* The number of a destination, from 1 on; 0 when it is refused or there is no room left. */
unsigned links_number(struct links *links, struct str destination);

/* What a number stands for; NULL for 0 and for none. */
const char *links_at(const struct links *links, unsigned number);

#endif
