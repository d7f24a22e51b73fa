/*
 * A mode: a part of the chat that takes keys before others while it is open, such as a menu, a sheet, a search or a selection. Each part
 * defines its mode; app/screen/chat_keys.c has them in a table and asks them in that order.
 */
#ifndef WEIR_APP_MODE_H
#define WEIR_APP_MODE_H

#include "ui/term/key.h"

/* Pasted text goes on to the next mode, to this mode, or nowhere. */
enum mode_paste { PASTE_PASSES, PASTE_TAKEN, PASTE_LOST };

/* What the help says of keys. */
struct key_help { const char *keys, *help; };

struct mode {
	bool (*is_open)(const void *part);
	bool (*takes)(void *part, const struct key *key); /* handles a key, the mouse or the wheel; false: the key does its usual work */
	bool (*leave)(void *part);  /* handles Ctrl-C; false: it also stops the answer. NULL: as `close` says */
	void (*close)(void *part);  /* closes it: Ctrl-C does so and stops the answer. NULL: the mode ignores Ctrl-C */
	/* Where pasted text goes. Modes in which letters are commands must not run pasted ones. NULL: PASTE_PASSES. */
	enum mode_paste (*paste)(const void *part);
};

/* A `paste` of modes that are typed in: PASTE_TAKEN. */
enum mode_paste mode_takes_paste(const void *part);
/* Leaves a mode that has `leave` or `close` as Ctrl-C does. False: the answer is to be stopped, too. */
bool mode_leave(const struct mode *mode, void *part);

#endif
