/*
 * OSC 52: the escape sequence that copies text to the terminal's clipboard. Terminals do not report whether they accept it.
 *
 * Depending on its settings, tmux handles the sequence itself or passes a wrapped one through to the terminal, so both are sent. screen
 * only passes wrapped sequences through, a few hundred bytes at a time.
 */
#ifndef WEIR_UI_OSC52_H
#define WEIR_UI_OSC52_H

#include "base/text.h"

#define OSC52_LIMIT ((size_t)74 << 10) /* maximum length of the encoded text; terminals drop longer ones */

enum osc52_way { OSC52_PLAIN, OSC52_TMUX, OSC52_SCREEN };

enum osc52_way osc52_way_here(void); /* determined by $TMUX and $STY */
bool osc52_fits(struct str text);
void osc52_add(struct buf *out, struct str text, enum osc52_way way);

#endif
