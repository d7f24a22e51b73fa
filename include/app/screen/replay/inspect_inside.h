/* Internals of the inspector, for its own files: inspect.c (whose frames, the page, the player, the loop) and inspect_keys.c (keys, hints). */
#ifndef WEIR_APP_INSPECT_INSIDE_H
#define WEIR_APP_INSPECT_INSIDE_H

#include "app/screen/replay/inspect.h"

bool inspect_is_open(const struct inspect *i);
/* Call before keys and commands: one of them may have left the conversation. False: it is closed. */
bool inspect_heed(struct inspect *i);
void inspect_close(struct inspect *i);
/* The cursor stands on another frame: the page shows what that wrote, and the player stands behind it. */
void inspect_moved(struct inspect *i);

#endif
