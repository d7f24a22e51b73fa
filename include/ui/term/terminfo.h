/*
 * Queries to the terminfo database. A separate file, because <term.h> defines macros named `lines` and `columns`.
 */
#ifndef WEIR_UI_TERMINFO_H
#define WEIR_UI_TERMINFO_H

#include "ui/term/capability.h"

/* True if the terminal type has an entry. Check before newterm(), which leaks if there is none. */
bool terminfo_knows(const char *type);

/* False for a type that is NULL, empty or "dumb", or whose entry lacks cursor positioning. */
bool terminfo_places_cursor(const char *type);

/* The number of colours to use on a terminal of that type, without a screen; 0 for an unknown type. */
int terminfo_colours(const char *type, enum colour_mode mode);

#endif
