/*
 * Terminal capabilities: the terminfo entry of the terminal that ncurses was started for, and the number of colours to use, which
 * also depends on the environment and on the user's setting.
 */
#ifndef WEIR_UI_CAPABILITY_H
#define WEIR_UI_CAPABILITY_H

#include <stdbool.h>

#include "base/text.h"

enum colour_mode { COLOUR_AUTO, COLOUR_NEVER, COLOUR_16, COLOUR_256, COLOUR_TRUE };

/* A terminfo string capability, or NULL. */
const char *capability_string(const char *name);

/* The colours of the terminal type: 0, 8, 16 or 256; COLOURS_TRUE for a direct-colour type, which has no palette. */
int capability_colours(void);

/* The number of colours to use when `offered` are available. With COLOUR_AUTO, a non-empty NO_COLOR means 0. */
int capability_choose_colours(enum colour_mode mode, int offered);

/*
 * True if another terminal type should be used: the user asked for more colours than this type has, or it is a direct-colour type.
 */
bool capability_wants_other_type(enum colour_mode mode);

/* False for terminal types that would print the destination of a hyperlink, or drop its text. */
bool capability_links(const char *type);

/* False within tmux and screen, which take the queries for a title or a message. */
bool capability_asks_images(const char *type);

/* False for consoles whose font lacks the block elements U+2581 to U+2588. */
bool capability_blocks(const char *type);

/* How a terminal tells its user of something: OSC 9 or OSC 777 where it is known to take it, else the bell. */
enum notify_way { NOTIFY_BELL, NOTIFY_OSC_9, NOTIFY_OSC_777 };
enum notify_way capability_notify(const char *(*variable)(const char *name));

void capability_write_libraries(struct buf *out); /* appends a line with the version of ncurses that the program runs with */

#endif
