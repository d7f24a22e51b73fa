/*
 * Capabilities: what the description of the terminal's type says, and how many colours are used by that, by the environment and
 * by what the user wants. For the terminal that ncurses was started for.
 */
#ifndef WEIR_UI_CAPABILITY_H
#define WEIR_UI_CAPABILITY_H

#include <stdbool.h>

enum colour_mode { COLOUR_AUTO, COLOUR_NEVER, COLOUR_16, COLOUR_256, COLOUR_TRUE };

/* A string of the description, or NULL. */
const char *capability_string(const char *name);

/* What the type offers: 0, 8, 16 or 256, or COLOURS_TRUE when its colours are no palette. */
int capability_colours(void);

/* How many are used of those that are offered: NO_COLOR non-empty and COLOUR_AUTO is none. */
int capability_choose_colours(enum colour_mode mode, int offered);

/* An explicit wish beats the terminal type; a type whose colours are no palette is driven as its cousin that has one. */
bool capability_wants_other_type(enum colour_mode mode);

/* False for types of terminals that would show a link's destination, or drop the text. */
bool capability_links(const char *type);

/* False for types of consoles whose font has no block elements of eight heights. */
bool capability_blocks(const char *type);

#endif
