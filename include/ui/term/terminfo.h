/*
 * What the terminfo database knows. A file of its own, because <term.h> defines macros named `lines` and `columns`.
 */
#ifndef WEIR_UI_TERMINFO_H
#define WEIR_UI_TERMINFO_H

#include <stdbool.h>

/* True when the terminal type has an entry. newterm() leaks when it has none, so it is asked before. */
bool terminfo_knows(const char *type);

/* False for a type that is missing or "dumb", or whose entry has no way to place the cursor. */
bool terminfo_places_cursor(const char *type);

#endif
