/*
 * A mode: a part of the chat that takes keys before others while it is open - a menu, a sheet, a search, a selection, the bare view.
 * Each part has one; app/chat/chat_keys.c walks them in its order.
 */
#ifndef WEIR_APP_MODE_H
#define WEIR_APP_MODE_H

#include "ui/term/key.h"

enum mode_paste { PASTE_PASSES, PASTE_TAKEN, PASTE_LOST }; /* it is for others; for the mode; for nobody */

struct mode {
	bool (*is_open)(const void *part);
	bool (*takes)(void *part, const struct key *key); /* keys, mouse and wheel; false: the key does what it always does */
	bool (*leave)(void *part);  /* Ctrl-C was pressed; false: it stops the answer, too. NULL: the key is not for this mode */
	enum mode_paste (*paste)(const void *part); /* where letters are commands, pasted ones are none; NULL: PASTE_PASSES */
};

#endif
