/*
 * OSC 52: text for the clipboard of a terminal, as bytes to it. Whether it takes them nobody tells.
 *
 * tmux takes the sequence itself or hands on one in a wrapping, as it is set up: it is sent both. screen only hands on, a few hundred
 * bytes at a time.
 */
#ifndef WEIR_UI_OSC52_H
#define WEIR_UI_OSC52_H

#include "base/text.h"

#define OSC52_LIMIT ((size_t)74 << 10) /* encoded; terminals drop longer ones */

enum osc52_way { OSC52_PLAIN, OSC52_TMUX, OSC52_SCREEN };

enum osc52_way osc52_way_here(void); /* by $TMUX and $STY */
bool osc52_fits(struct str text);
void osc52_add(struct buf *out, struct str text, enum osc52_way way);

#endif
