/*
 * A mode: a part of the chat that takes keys before others while it is open - a menu, a sheet, a search, a selection, the bare view.
 * Each part has one; app/chat/chat_keys.c walks them in its order.
 */
#ifndef WEIR_APP_MODE_H
#define WEIR_APP_MODE_H

#include "ui/term/key.h"

struct mode {
	bool (*is_open)(const void *part);
	bool (*takes)(void *part, const struct key *key); /* keys, mouse and wheel; false: the key does what it always does */
	bool (*leave)(void *part);  /* Ctrl-C was pressed; false: it stops the answer, too. NULL: the key is not for this mode */
};

#endif
