/*
 * The bare view: the source of what was said over the whole screen and nothing else - no margin, no lines of weir's own, the mouse left
 * to the terminal - so that what the terminal selects is clean. Scrolling and jumps work; any way back leads to the very place.
 */
#ifndef WEIR_APP_BARE_H
#define WEIR_APP_BARE_H

#include "app/chat.h"

void bare_open(struct chat *c);
bool bare_takes(struct chat *c, const struct key *key);  /* all keys while it is open */
void bare_draw(struct chat *c, const struct view *view);

#endif
